"""People are parties: whoever is asked by a robot or by the mission is asked in the talk, and the answers count."""

import contextlib

import pytest

from coterie.cli.app import main
from coterie.episode.talk import Talk
from coterie.talk.marks import mark
from tests.mission.ward import A, B

pytestmark = pytest.mark.usefixtures("quick")
P = "pharmacist"


def read(said, brief, p=0.99):
    """A sentence as the reader marks it."""
    return mark(said, brief, p)


@contextlib.contextmanager
def asked_by_spot():
    """A talk in which Spot asks a pharmacist who speaks for herself for a bandage box."""
    with Talk("hospital", seed=7, faults=["missing:bandagebox"]) as talk:
        talk.say(P, "Hello.")
        talk.say(A, "Deliver a medkit to alpha.")
        talk.until(A, "asks the pharmacist for a bandage box")
        talk.say(A, "Yes.")
        talk.until(P, "Could I please have a bandage box?")
        yield talk


@pytest.mark.parametrize("said", ["Here you are.", "done", "yes"])
def test_a_person_hands_over_what_a_robot_asks_for(said):
    with asked_by_spot() as talk:
        talk.idle()
        assert talk.mission.agenda.running(), "Spot waits for her word, however long that takes"
        words = read(said, "approve") if said == "Here you are." else said
        assert talk.say(P, words) == ["Thank you."]
        talk.until(A, "Done: a medkit")


def test_a_person_asks_how_many_has_them_wait_and_has_none():
    with asked_by_spot() as talk:
        assert talk.say(P, read("how many do you need?", "ask amount")) == ["A bandage box, please."]
        assert "Spot waits" in talk.say(P, "one moment please")[0]
        assert talk.mission.agenda.running()
        none = read("we're out of those I'm afraid", "refuse; tell: not supply bandage box at @me")
        assert talk.say(P, none) == ["I see; I look for another way."]
        talk.until(A, "the pharmacist has no bandage box")
        talk.idle()
        assert not [i for i in talk.mission.agenda if P in i.action.args], "she is not asked again"


def test_who_says_nothing_answers_as_the_world_does():
    with Talk("hospital", seed=7, faults=["missing:bandagebox"]) as talk:
        talk.say(A, "Deliver a medkit to alpha.")
        talk.until(A, "asks the pharmacist for a bandage box")
        talk.say(A, "Yes.")
        talk.until(A, "Done: a medkit")


def test_a_talk_that_has_ended_is_not_resumed_in_silence(tmp_path, capsys):
    log = tmp_path / "talk.jsonl"
    with Talk("hospital", log_path=log) as talk:
        talk.say(B, "Hello.")
    assert main(["talk", "--resume", str(log)]) == 2
    assert "has ended" in capsys.readouterr().err


def test_what_the_team_said_last_can_be_pointed_at(ward):
    ward.talk((B, "Is the beta door open?"))
    ward.mission.desk.tell(B, "I cannot go on because the alpha door is jammed.")
    assert "The alpha door is open." in ward.talk((B, read("Somebody unlocked it.", "tell: door @it door")))
