"""What a team of a house says of closed places, of who changed what, of rights, and of what was done."""

import pytest

from coterie.cli import main

GOALS = """
... 2
instructor: Put the banana into the tray.
> banana_0
teacher: Put the banana on the sofa.
> banana to sofa
instructor> teacher has spoken. The goal is now: Bring cup_0 to tray, soap_0 to tray and banana_0 to sofa.
instructor: Put the fork into the tray.
teacher!> instructor has spoken
instructor: Cancel the fork.
> The goal is now
instructor: I do not think that we need the cup.
!> Do you mean
teacher: Undo that.
instructor> teacher has spoken
instructor: What has happened so far?
> teacher changed something: ... actions have worked ... picked up
"""
PLACES = """
... 1
instructor: Close the sofa.
> closed for Alice, Bob and Lucy
instructor: Why is the sofa closed?
> Sofa is closed: instructor said so.
instructor: All robots must keep off the bed.
> bed is closed
instructor: Reopen the zone at bed for Alice and Lucy.
> open again for Alice and Lucy
instructor: Who may use the bed?
> Bed is closed for Bob: instructor said so.
instructor: What is closed for Alice?
> Sofa is closed for Alice
instructor: Is the fridge closed?
> Nobody has closed fridge for robots.
instructor: Can I also approve plans?
> Yes, you may approve plans
visitor: Can I give orders, too?
> No, visitor may not give commands. The instructor and the teacher may
visitor: Stop Lucy.
> Lucy stops
instructor: What is Lucy doing?
> Lucy rests: visitor has stopped it.
instructor: Why not use the toothpaste on the bed?
> The goal
instructor: Lucy, continue.
instructor: The soap is on the sofa.
... 60
instructor> Do you want me to do it?
instructor: Yes.
> I lead the team
instructor: Continue.
instructor: Is the sofa closed for Alice?
> No, sofa is open for Alice.
instructor: What has happened so far?
> changed something: Alice may go to sofa again
"""

FREER = """
... 1
instructor: Yes.
> Nothing was proposed
instructor: What is the goal?
> cup_0 and soap_0 into the tray, and nothing else
instructor: Why the tray?
> The goal
instructor: Why not the sofa?
> The goal
instructor: Nobody goes near the bed.
> bed is closed
instructor: Reopen the zone at bed.
> bed is open again
instructor: Cancel the soap.
> The goal is now: Put cup_0 into the tray
visitor: No no no no!
> Everybody stops.
"""


@pytest.mark.parametrize(("said", "seed"), [(GOALS, 0), (PLACES, 5), (FREER, 0)])
def test_a_house_is_talked_with(said, seed, tmp_path, capsys):
    script = tmp_path / "s.talk"
    script.write_text(said)
    scene = ["--scene", "flat", "--task", "pack-objects", "--seed", str(seed)]
    args = ["talk", *scene, "--script", str(script), "--quiet"]
    assert main([*args, "--log", str(tmp_path / "l.jsonl")]) == 0, capsys.readouterr()
