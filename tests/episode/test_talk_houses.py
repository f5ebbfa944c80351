"""What people say to a team of a house of all that they ordered, of closed places, and in whose name."""

import pytest

from coterie.cli import main
from coterie.cli.talk_terminal import Keyboard, Printer

HOUSE = ("--scene", "flat", "--task", "pack-objects")

SCRIPT = """
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


def test_a_house_is_told_what_was_closed_ordered_and_stopped(tmp_path, capsys):
    script = tmp_path / "s.talk"
    script.write_text(SCRIPT)
    args = ["talk", *HOUSE, "--script", str(script), "--log", str(tmp_path / "l.jsonl"), "--quiet"]
    assert main(args) == 0, capsys.readouterr().err


ELSEWHERE = """
instructor: Put the banana on the sofa.
> banana_0 to sofa
... 40
instructor: How far are you?
> 100 % is done
"""


def test_what_belongs_on_the_tray_is_handed_to_the_arm_when_something_else_belongs_elsewhere(tmp_path, capsys):
    script = tmp_path / "s.talk"
    script.write_text(ELSEWHERE)
    where = ["--scene", "flat", "--task", "pack-objects", "--log", str(tmp_path / "l.jsonl")]
    assert main(["talk", *where, "--script", str(script)]) == 0
    out = capsys.readouterr().out
    assert "Bob: place(soap_0, tray)" in out and "failed" not in out


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


def test_a_cry_stops_a_team_of_a_house(tmp_path, capsys):
    script = tmp_path / "s.talk"
    script.write_text(DANGER)
    args = ["talk", *HOUSE, "--script", str(script), "--log", str(tmp_path / "l.jsonl"), "--quiet"]
    assert main(args) == 0, capsys.readouterr().err


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
