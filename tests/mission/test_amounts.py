"""More than can be brought is answered at once, plans have a bound by the clock, and a stop is answered meanwhile."""

import threading

import pytest

from coterie.episode.talk import Talk
from coterie.mission.planner import MissionPlanner
from coterie.planning.own.search import Budget
from coterie.planning.own.serial import tidied
from tests.mission.test_read import read
from tests.mission.ward import A, B, V, Ward

pytestmark = pytest.mark.usefixtures("quick")


@pytest.mark.parametrize("said", [
    "Bring 500 gloves to table F.", "Bring 1000000 gloves to table F.", "Bring 51 painkillers to table C.",
])  # fmt: skip
def test_nobody_plans_for_more_than_can_be_brought(said):
    ward = Ward()
    reply = ward.talk((A, said))
    assert "too many for one order" in reply and "at most 50" in reply and "I know of two" in reply
    assert ward.goals() == [] and ward.mission.planner.asked == 0


def test_nothing_of_an_order_is_begun_where_a_part_is_too_much():
    ward = Ward()
    assert "too many" in ward.talk((A, "Put a painkiller on table C and 500 gloves on table F."))
    assert ward.goals() == []


def test_several_are_brought():
    ward = Ward()
    assert "All right: 4 gloves at table F." in ward.talk((A, "Bring 4 gloves to table F."))


def test_only_what_is_taken_for_true_is_put_into_the_world_and_taken_back_there_too():
    ward = Ward()

    def put(person, said):
        reply = ward.talk((person, said))
        return reply, [n["change"][1]["count"] for n in ward.mission.desk.notes if n["what"] == "brought"]

    assert put(V, "I have put 3 gloves on table D.") == ("Thank you; I will check it.", [])
    assert "at most 50" in put(A, "I have put 900 gloves on table D.")[0] and put(A, "Hello.")[1] == []
    assert put(A, "I have put 3 gloves on table D.")[1] == [3]
    assert put(A, "Undo that.")[1] == [-3]
    assert put(A, "I have put the caddy on table D.")[1] == [1]
    assert "stays where it was put" in put(A, "Undo that.")[0]


def test_what_was_restocked_is_asked_about_where_no_place_is_said_and_counts_then():
    ward = Ward()
    known = lambda: ward.mission.now_only().look("stock", "gloves", "tableD")  # noqa: E731
    before = known()
    assert ward.talk((A, "We restocked the gloves.")) == "Where did you put gloves?" and known() == before
    assert "I take note of it" in ward.talk((A, "Table D.")) and known() == before + 1
    assert read(ward, A, "tell: not low gloves", 0.97) == "Where did you put gloves?"  # "The gloves are topped up."
    assert "Do you mean: I have put gloves at table D." in ward.talk((A, "on table D"))
    ward.talk((A, "yes"))
    assert known() == before + 2 and "four gloves" in ward.talk((A, "How many gloves are on table D?"))
    assert "I take note" in ward.talk((A, "I put three more gloves on table D.")) and known() == before + 5


def test_three_more_is_an_order_of_so_many_besides_those_that_were_ordered():
    ward = Ward()
    assert "nothing" in ward.talk((A, "Bring three more."))
    ward.talk((A, "Bring 2 gloves to table F."))
    assert "All right: 5 gloves at table F." in ward.talk((A, "3 more"))
    assert "All right: 6 gloves at table F." in ward.talk((A, "Another one."))
    assert "All right: 8 gloves at table F." in ward.talk((A, "Two more gloves, please."))
    assert "All right: 2 gloves at table G." in ward.talk((A, "Bring two more of them to table G."))
    assert "Do you mean: Bring two" in ward.talk((A, "Two painkillers.")), "without more it is a correction"


def test_three_more_in_a_lesson_is_what_is_in_the_kit():
    ward = Ward()
    ward.talk(
        (B, "Define a new kit 'handkit'."), (B, "a medical caddy"), (B, "two gloves"), (B, "three more painkillers")
    )
    ward.talk((B, "That is all."))
    assert ward.mission.speech.kit_names()["handkit"][1] == {"gloves": 2, "painkiller": 3}


def test_no_kit_holds_more_than_can_be_brought():
    ward = Ward()
    assert "a kit holds at most 50" in ward.talk((B, "Add 500 gloves to the medkit."))
    assert ward.mission.speech.kit_names()["medkit"][1] == {"painkiller": 2, "bandagebox": 1}


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
