"""What a log says in words: settings that are not the usual ones, changes, actions, and what a robot saw."""

import pytest

from coterie.core.event import Event
from coterie.core.records import ChangeEvent, StartEvent
from coterie.log.words import action_words, change_words, goal_words, seen_words, setting_words, task_name


def told(kind, data):
    """An event of a kind, read from its data."""
    return {"start": StartEvent, "change": ChangeEvent}[kind].from_event(Event(0, 0, 0.0, kind, "", data))


def test_names_of_tasks():
    assert task_name(told("start", {"task": "pack-objects", "config": {}})) == "pack-objects"
    assert task_name(told("start", {"config": {"task": "my/kitchen.toml"}})) == "kitchen"
    assert task_name(told("start", {"task": "", "config": {"task": "sandwich"}})) == "sandwich"


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({}, []),
        ({"level": "medium-search", "model": "none", "noise": "none", "guard": False, "arms": "geometric"}, []),
        ({"level": "file", "synchronous": True}, []),
        ({"level": "hard"}, ["level hard"]),
        ({"model": "oracle", "noise": "real"}, ["model oracle", "noise real"]),
        ({"guard": True, "arms": "planned", "synchronous": False}, ["guard on", "arms planned", "async"]),
        ({"parties": ("residents=resident:Ann", "scouts=rules:Lucy")}, ["residents Ann", "party scouts=rules:Lucy"]),
    ],
)
def test_settings(config, words):
    assert setting_words(config) == words


def test_goals():
    assert (
        goal_words({"kind": "pack", "targets": ["cup_0"], "into": "tray"})
        == "Put cup_0 into the tray, and nothing else."
    )
    assert goal_words({"kind": "dance"}) == '{"kind": "dance"}'
    assert goal_words({"kind": "pack"}) == '{"kind": "pack"}'


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"kind": "goal", "text": "Put it back.", "goal": {"kind": "dance"}}, "The goal changes: Put it back."),
        ({"kind": "goal", "goal": {"kind": "dance"}}, 'The goal changes: {"kind": "dance"}'),
        (
            {"kind": "zones", "closed": {"Alice": ["sofa", "bed/stand_pose_1"], "Lucy": ["desk"]}},
            "Zones are closed: sofa to Alice; stand_pose_1 of bed to Alice; desk to Lucy.",
        ),
        ({"kind": "zones", "closed": {}}, "Zones are closed: none."),
        ({"kind": "join", "robot": "Lucy", "card": {"body": "UAV"}}, "Lucy (UAV) joins the team."),
        ({"kind": "leave", "robot": "Lucy"}, "Lucy is gone."),
        ({"kind": "leave", "robot": "Lucy", "dropped": "cup_0"}, "Lucy is gone; cup_0 is dropped."),
        ({"kind": "door", "door": "door_1", "open": True}, "door_1 is now open."),
        ({"kind": "door", "door": "door_1", "open": False}, "door_1 is now closed."),
        ({"kind": "storm"}, "Change: storm."),
    ],
)
def test_changes(data, words):
    assert change_words(told("change", data)) == words


def test_actions():
    assert action_words("wait", []) == "wait"
    assert action_words("pick", ["cup_0"]) == "pick(cup_0)"
    assert action_words("move", [0.125, -0.2]) == "move(0.12, -0.20)"
    assert action_words("communicate", ["Hello there.", ["Bob", "Lucy"]]) == "communicate(to Bob, Lucy)"


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ([], ""),
        ([("contents", ["sofa"], ["cup_0", "can_0"], "Alice")], "saw at sofa: cup_0, can_0"),
        ([("contents", ["sofa"], [], "Alice")], "saw at sofa: nothing"),
        ([("contents", ["floor@sofa"], [], "Alice")], ""),
        ([("contents", ["floor@sofa"], ["cup_0"], "Alice")], "saw on the floor at sofa: cup_0"),
        ([("holding", ["Bob"], None, "Alice")], "saw Bob holds nothing"),
        ([("holding", ["Bob"], "cup_0", "Alice")], "saw Bob holds cup_0"),
        (
            [("open", ["fridge"], True, "Alice"), ("open", ["drawer"], False, "Alice")],
            "saw fridge is open; drawer is closed",
        ),
        ([("where", ["cup_0"], "sofa", "Bob")], "learnt from Bob: cup_0 is at sofa"),
        ([("where", ["cup_0"], None, "Bob")], ""),
        ([("where", ["cup_0"], "sofa", "Alice"), ("contents", ["sofa"], ["cup_0"], "Alice")], "saw at sofa: cup_0"),
        ([("where", ["cup_0"], "Bob", "Alice"), ("holding", ["Bob"], "cup_0", "Alice")], "saw Bob holds cup_0"),
        ([("at", ["Bob"], "table_0", "Bob")], "learnt from Bob: Bob is at table_0"),
        ([("online", ["Lucy"], True, "Alice")], ""),
        ([("online", ["Lucy"], False, "Alice")], "saw Lucy is gone"),
        ([("spot", ["cup_0"], [1, 2, 3], "Alice"), ("mass", ["cup_0"], 0.2, "Alice")], ""),
        ([("goal", [], {"kind": "dance"}, "task")], 'goal: {"kind": "dance"}'),
        ([("goal", [], "odd", "task")], ""),
        ([("contents", ["tray"], ["cup_0"], "status")], "status: at tray: cup_0"),
        ([("may_place", ["Alice", "tray"], False, "Alice")], "saw Alice may not place on tray"),
        ([("allowed", ["Alice", "bed/stand_pose_1"], True, "Alice")], "saw Alice may enter stand_pose_1 of bed"),
        ([("hunch", ["bed"], 0.5, "memo")], "learnt from memo: hunch(bed) is 0.5"),
        ([("job", ["cup_0"], {"a": 1}, "Bob")], 'learnt from Bob: job(cup_0) is {"a": 1}'),
        (
            [("open", ["fridge"], True, "Bob"), ("open", ["drawer"], False, "Alice")],
            "saw drawer is closed · learnt from Bob: fridge is open",
        ),
    ],
)
def test_what_a_robot_saw(facts, words):
    assert seen_words(facts, "Alice") == words
