"""What people say to a team of a house, and what it says of closed places, of who changed what, and of rights."""

import pytest

from coterie.cli import main
from coterie.cli.talk_terminal import Keyboard, Printer

ORDERS = """
instructor: Put the banana into the tray.
> banana_0
instructor: Put the cup on the sofa.
> cup_0 to sofa
instructor: Could Alice stay away from the sofa?
> sofa is closed for Alice
instructor: Alice is allowed to use the sofa again.
> sofa is open again for Alice
instructor: Which places are closed?
> No place is closed
instructor: Close the sofa for Alice and Bob.
> closed for Alice and Bob
instructor: Is the sofa still off limits?
> Yes, sofa is closed for Alice and Bob: instructor said so.
instructor: Is the sofa closed for Lucy?
> No, sofa is open for Lucy.
instructor: nobody should go near the fridge any more
> fridge is closed
instructor: Which places are off limits?
> Fridge is closed: instructor said so.
instructor: The sofa is fine again.
> open again
teacher: Hello.
instructor: Cancel everything.
> Do you want me to take back all ... banana ... cup
instructor: Yes.
> Put cup_0 and soap_0 into the tray
teacher> instructor has spoken. The goal is now: Put cup_0 and soap_0
visitor: Everybody but Bob, stop!
> Alice and Lucy stop
instructor: What are you doing?
> Alice rests: visitor has stopped it. ... Lucy rests
visitor: instructor: Put the cup on the bed.
> so I do nothing
instructor: Continue.
> they go on
visitor: instructor: Stop!
> Everybody stops
... idle
instructor: The soap may go anywhere but the tray.
instructor!> Do you mean
instructor: I'd rather not have the banana in there.
instructor!> Do you mean
"""
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

ELSEWHERE = """
instructor: Put the banana on the sofa.
> banana_0 to sofa
... 40
instructor: How far are you?
> 100 % is done
"""


DANGER = """
visitor: For heaven's sake don't move!
> Everybody stops
instructor: Continue.
> go on
visitor: wait a sec
> Everybody stops
instructor: Continue.
> go on
visitor: stop it, or somebody gets hurt
> Everybody stops
"""


@pytest.mark.parametrize(
    ("script", "seed"), [(ORDERS, "0"), (GOALS, "0"), (PLACES, "5"), (FREER, "0"), (DANGER, "0")],
    ids=["orders", "goals", "places", "freer", "danger"],
)  # fmt: skip
def test_a_house_is_talked_with(script, seed, talked):
    talked(script, "--seed", seed, "--quiet")


def test_what_belongs_on_the_tray_is_handed_to_the_arm_when_something_else_belongs_elsewhere(talked):
    _, out = talked(ELSEWHERE)
    assert "Bob: place(soap_0, tray)" in out and "failed" not in out


def test_a_scene_that_is_not_there_is_told_with_all_that_are(tmp_path, capsys):
    assert main(["talk", "--scene", "hospitl", "--log", str(tmp_path / "l.jsonl")]) == 2
    err = capsys.readouterr().err
    assert "Did you mean 'hospital'?" in err and "flat" in err


class Hall:
    """Nobody has come yet."""

    mission = None


@pytest.mark.parametrize(("typed", "who", "said"), [
    ("Stop!", "teacher", "Stop!"), ("nurse: Yes.", "nurse", "Yes."), ("Nurse: Yes.", "nurse", "Yes."),
    ("visitor: Deliver a medkit.", "visitor", "Deliver a medkit."), ("Bob: Stop!", "Bob", "Stop!"),
    ("Stop: now.", "teacher", "Stop: now."), ("Correction: two.", "teacher", "Correction: two."),
    ("teacher: Stop!", "teacher", "Stop!"),
])  # fmt: skip
def test_who_types_a_name_has_the_rights_of_that_name_and_no_others(typed, who, said, capsys):
    keyboard = Keyboard(Hall(), "teacher", Printer(people={"teacher"}), None, ["teacher", "nurse"])
    assert keyboard.speaker(typed) == (who, said)
    assert ("is new here" in capsys.readouterr().out) == (who in ("visitor", "Bob"))
