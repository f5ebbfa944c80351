"""What people brought is counted once, plans have a bound by the clock, and a stop is answered meanwhile."""

import threading

import pytest

from coterie.episode.talk import Talk
from coterie.mission.planner import MissionPlanner
from coterie.planning.own.search import Budget
from coterie.planning.own.serial import tidied
from tests.mission.test_read import read
from tests.mission.ward import A, V

pytestmark = pytest.mark.usefixtures("quick")


def test_only_what_is_taken_for_true_is_put_into_the_world_and_taken_back_there_too(ward):
    def put(person, said):
        reply = ward.talk((person, said))
        return reply, [n["change"][1]["count"] for n in ward.mission.desk.notes if n["what"] == "brought"]

    assert put(V, "I have put 3 gloves on table D.") == ("Thank you; I will check it.", [])
    assert "at most 50" in put(A, "I have put 900 gloves on table D.")[0] and put(A, "Hello.")[1] == []
    assert put(A, "I have put 3 gloves on table D.")[1] == [3]
    assert put(A, "Undo that.")[1] == [-3]
    assert put(A, "I have put the caddy on table D.")[1] == [1]
    assert "stays where it was put" in put(A, "Undo that.")[0]


def test_what_was_restocked_is_asked_about_where_no_place_is_said_and_counts_then(ward):
    known = lambda: ward.mission.now_only().look("stock", "gloves", "tableD")  # noqa: E731
    before = known()
    assert ward.talk((A, "We restocked the gloves.")) == "Where did you put gloves?" and known() == before
    assert "I take note of it" in ward.talk((A, "Table D.")) and known() == before + 1
    assert read(ward, A, "tell: not low gloves", 0.97) == "Where did you put gloves?"  # "The gloves are topped up."
    assert "Do you mean: I have put gloves at table D." in ward.talk((A, "on table D"))
    ward.talk((A, "yes"))
    assert known() == before + 2 and "four gloves" in ward.talk((A, "How many gloves are on table D?"))
    assert "I take note" in ward.talk((A, "I put three more gloves on table D.")) and known() == before + 5


def test_a_plan_is_not_made_shorter_past_its_time():
    class Never:
        start = None

    assert tidied(Never(), [1, 2, 3], [0], Budget(10, -1.0)) == [1, 2, 3]


def test_a_stop_is_answered_at_once_while_a_plan_is_sought(monkeypatch):
    begun, goes_on, seek = threading.Event(), threading.Event(), MissionPlanner._sought

    def slowly(self, question):
        begun.set()
        goes_on.wait(20)
        return seek(self, question)

    monkeypatch.setattr(MissionPlanner, "_sought", slowly)
    with Talk("hospital", seed=0) as talk:
        ordered = []
        asks = threading.Thread(
            target=lambda: ordered.extend(talk.say("teacher", "Put a painkiller on table C.", timeout_s=40))
        )
        asks.start()
        assert begun.wait(20)
        assert "I have heard the stop" in talk.say("nurse", "Stop!")[0] and not ordered
        goes_on.set()
        asks.join()
        assert "it rests" in "\n".join(talk.say("teacher", "What is going on?"))
        assert any("All right: 1 painkiller" in words for words in ordered)
