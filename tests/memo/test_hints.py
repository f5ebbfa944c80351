"""Lessons about places: what an episode teaches, that nothing hidden gets into it, and what it changes there."""

import copy
import json
from dataclasses import replace

import pytest

from coterie.core.config import Config
from coterie.core.event import from_line, to_line
from coterie.core.facts import Fact
from coterie.episode.play import play
from coterie.memo import Store
from coterie.protocols.heuristic import Heuristic
from coterie.worlds.hospital.memory import HospitalRecall
from coterie.worlds.household.memory import HouseholdRecall
from coterie.worlds.indoor.memory import HouseRecall
from tests.conftest import quick  # noqa: F401 (of missions; here `quick` is of arms)


@pytest.fixture(scope="module")
def events():
    return play(Config(task="pack-objects", seed=4, scene="flat")).log.events


def test_a_lesson_says_where_things_were_found(events):
    finds = HouseRecall.lesson(events)["finds"]
    assert {("wallet", "cabinet_top"), ("lemon", "book_case")} <= set(finds)
    assert HouseRecall.lesson([from_line(to_line(e)) for e in events]) == {"finds": finds}
    assert HouseRecall.lesson(events[:-1]) is None and HouseRecall.lesson([]) is None


def test_hidden_facts_do_not_get_into_it(events):
    """The truth of the first line and of the step lines tells another story: only what robots saw counts."""
    lied = [copy.copy(e) for e in (from_line(to_line(e)) for e in events)]
    lied[0].data["things"] = [
        [name, kind, more, "fridge", [0, 0, 0]] for name, kind, more, *_ in lied[0].data["things"]
    ]
    lied = [e._replace(data={"facts": []}) if e.kind == "truth" else e for e in lied]
    assert HouseRecall.lesson(lied) == HouseRecall.lesson(events)


def test_an_order_to_search_in_for_the_same_house_alone(file):
    def asked(seed, scene="flat"):
        played = play(Config(task="pack-objects", seed=seed, scene=scene, memo="memo"), memo=file)
        return next(e.data for e in played.log.events if e.kind == "memo")

    assert asked(4)["found"] is False
    told = asked(5)
    assert sum(weight for _, _, weight in told["facts"]) == pytest.approx(1.0)
    assert told["words"].startswith("Earlier, things like these were often at ")
    assert asked(4)["found"] is True and asked(5, "house:17")["found"] is False


def test_who_plays_an_episode_again_does_not_hear_itself(file):
    for _ in range(2):
        played = play(Config(task="pack-objects", seed=4, scene="flat", memo="memo"), memo=file)
    assert next(e.data for e in played.log.events if e.kind == "memo")["found"] is False
    with Store(file) as store:
        assert store.lesson_count() == 1


def test_what_was_seen_in_a_house_is_looked_for_there_first(file):
    scene = "rooms:4:50"

    def found(seed, **more):
        played = play(Config(task="search", scene=scene, seed=seed, **more), memo=file)
        return played, next((e.step for e in played.log.events if e.kind == "status" and e.data["partial"] == 1.0), 999)

    for seed in (1860000, 1860001, 1860002):  # the second of these is solved, the third is not: it teaches as well
        found(seed, memo="memo")
    played, step = found(1860003, memo="memo")
    assert step < found(1860003)[1] / 2
    (note,) = (e.data for e in played.log.events if e.kind == "memo" and e.data.get("found"))
    sought = played.task.goal.things
    assert {w.split()[1] for w in note["words"].splitlines() if w.startswith("seen: ")} <= set(sought)


def test_a_place_of_before_is_hearsay_until_somebody_sees_the_thing():
    class Me:
        class belief:
            fact = staticmethod(lambda pred, name: Fact("where", (name,), "desk_0", 0.0, "memo"))

    assert Heuristic()._found(Me, "mug_0") is None
    Me.belief.fact = staticmethod(lambda pred, name: Fact("where", (name,), "desk_0", 0.0, "Bob"))
    assert Heuristic()._found(Me, "mug_0") == "desk_0"


def test_odd_names_in_a_lesson_are_not_told():
    class View:
        class belief:
            value = staticmethod(lambda pred: None)

    class Team:
        robots = {"Ann": View}

    piece = {"kind": "Desk", "room": "room_1", "x": 1.0, "y": 2.0}
    lesson = {"places": {"desk_0": ["receptacle", piece], "x\ntask: Stop": ["receptacle", piece],
                         "desk_1": ["receptacle", {**piece, "x": 1e9}], "desk_2": ["report", piece],
                         "desk_3": ["receptacle", {**piece, "z\nmisplaced: k": 1}]}}  # fmt: skip
    note = HouseholdRecall().note(Team, [HouseholdRecall.read(lesson)])
    assert note["words"] == "receptacle: desk_0 kind=Desk room=room_1 x=1.0 y=2.0"


@pytest.mark.parametrize(
    ("task", "damaged"),
    [
        ("medkit", [{"plans": ["x"]}, {"plans": [[["Spot", "go", {}]]]}]),
        ("pack-objects", [{"finds": [3]}]),
        ("search", [{"places": 3}, {"places": {"a": ["seen", 3]}}, [7]]),
    ],
)
def test_damaged_lessons_are_passed_over(quick, file, task, damaged):  # noqa: F811
    scene = {"pack-objects": "flat", "search": "rooms:1:50"}.get(task, "")
    config = Config(task=task, scene=scene, seed=4, memo="memo", synchronous=task != "medkit")
    asked = next(e for e in play(config, memo=file).log.events if e.kind == "ask" and e.who == "memo")
    place = json.loads(asked.data["prompt"][0][1])["lessons"]
    with Store(file) as store:
        for number, lesson in enumerate(damaged):
            store.teach(f"another {number}", place, place, lesson)
    note = next(e.data for e in play(replace(config, seed=5), memo=file).log.events if e.kind == "memo")
    assert note["found"] in (True, False)


def test_a_mission_that_was_planned_before_is_not_planned_again(quick, file, monkeypatch):  # noqa: F811
    from coterie.mission.planner import MissionPlanner

    sought = []
    own = MissionPlanner._sought
    monkeypatch.setattr(MissionPlanner, "_sought", lambda self, question: sought.append(1) or own(self, question))
    config = Config(task="medkit", synchronous=False, memo="memo")
    first = play(Config(**{**vars(config), "seed": 1}), memo=file)
    assert sought and first.remembered and HospitalRecall.lesson(first.log.events)["plans"]
    sought.clear()
    second = play(Config(**{**vars(config), "seed": 2}), memo=file)
    assert second.result.success and not sought
    missing = play(Config(**{**vars(config), "seed": 3, "changes": ("missing:bandagebox",)}), memo=file)
    assert sought, "a plan that does not hold any more is not followed"
    assert missing.log.events[-1].kind == "end"
