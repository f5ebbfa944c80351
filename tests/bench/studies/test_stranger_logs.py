"""What is read from a stranger's log: how well it judged, and what became of its plans."""

import pytest

from coterie.bench.studies.irot.columns import _judged, _plans
from coterie.core.event import Event
from coterie.protocols.heuristic.lines import write as lines
from coterie.protocols.learning import CodeTalk
from coterie.protocols.negotiate.talk import sentences
from coterie.worlds.household.setting import Start
from tests.protocols.adhoc.test_stranger import arm, eye, joined

code = CodeTalk.write


def test_a_log_tells_how_a_stranger_judged_and_what_it_did():
    starts = {"Eve": Start(1.0, 1.0, 0.0)}
    log = joined((eye(sight=1.5),), arm("Zoe"), limit=400, astray=("mug_0",), starts=starts)[2].events
    found = _judged(log, {"Zoe"}, {"mug_0"})
    assert found["right"] == 1 and not found["missed"]  # that it lies in order once it was put away is no miss
    assert found["home_right"] and not found["home_wrong"]
    assert _judged(log, {"Zoe"}, {"plate_0"})["missed"] <= 1 and _judged(log, {"Zoe"}, set())["wrong"] >= 1


def event(kind, step, who, **data):
    return Event(step, step, float(step), kind, who, data)


@pytest.mark.parametrize("write", [lines, sentences, code], ids=["heuristic", "negotiate", "learning"])
def test_whatever_its_format_a_teammate_that_is_at_a_thing_is_seen(write):
    """In plans of strangers that count; once the teammate is at something else, it is not at it any more."""
    task = ("task", "Re-place <mug_0> <Bed> <Bedroom>")
    for after, at_it in (((), 1), ((("task", "Explore <room_2>"),), 0)):
        said = [write([("robot", "Ann"), words]) for words in (task, *after)]
        log = [
            *(event("say", 2, "Ann", to=("all",), text=text) for text in said),
            event("say", 3, "Zoe", to=("all",), text="robot: Zoe\ntask: Re-place <mug_0> <Bed> <Bedroom>"),
        ]
        found = _plans(log, {"Zoe": {"skills": ("PickUp",)}})
        assert found == {"sub_tasks": 1, "beyond_ability": 0, "others_at_it": at_it, "turned_down": 0}


def test_a_sub_task_that_nobody_without_an_arm_can_do_is_beyond_ability_though_nothing_was_tried():
    task = "robot: Zoe\ntask: Re-place <mug_0> <Bed> <Bedroom>"
    log = [event("say", 3, "Zoe", to=("all",), text=task)]
    assert _plans(log, {"Zoe": {"skills": ()}})["beyond_ability"] == 1


@pytest.mark.parametrize("says", ["intention", "task"])
def test_homes_that_are_named_count_whether_they_are_intended_or_done_at_once(says):
    log = [
        event("say", 1, "Zoe", to=("all",), text=f"{says}: Re-place <mug_0> <{on}> <{room}>")
        for on, room in (("CounterTop", "Kitchen"), ("Bed", "Bedroom"), ("Bed", "Bedroom"))
    ]
    found = _judged(log, {"Zoe"}, {"mug_0"})
    assert (found["home_right"], found["home_wrong"]) == (1, 1)


def test_how_a_model_that_negotiates_judges_is_read_from_its_own_replies():
    things = "Things:\nmug_0 (Mug) on bed_0 (Bed) in room_2 (Bedroom)\nplate_0 (Plate) on floor in room_2 (Bedroom)"
    log = [
        event("ask", 1, "Ann", stage="SEE", prompt=(("system", ""), ("user", things))),
        event("reply", 2, "Ann", text="[misplaced] mug_0")._replace(causes=(1,)),
        event("reply", 3, "Ann", text="Answer: agree\nTask: Re-place <mug_0> <Bed> <Bedroom>"),
    ]
    found = _judged(log, {"Ann"}, {"mug_0", "plate_0"})
    assert found == {"right": 1, "wrong": 0, "missed": 1, "home_right": 0, "home_wrong": 1}
    assert not any(_judged(log, {"Eve"}, {"mug_0"}).values())
