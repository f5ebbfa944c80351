"""Whoever names a task and no more is shown an example of it, and told which."""

import pytest

from coterie.cli.app import main
from coterie.cli.run import _with_example
from coterie.core.errors import CoterieError
from coterie.core.record import read
from coterie.core.records import StartEvent
from coterie.log.file import read_log
from coterie.worlds.household.tasks.tidy import EXAMPLES, JOINED
from tests.cli.change_of_mind import change_of_mind


def test_the_example_is_taken_only_where_nothing_else_is_said():
    given = {"scene": "rooms:6"}
    words = _with_example("tidy", given)
    assert given == EXAMPLES["tidy", "rooms:6"] and f"--seed {given['seed']}" in words and given["scene"] in words
    for more in ({"scene": "rooms:6", "seed": 0}, {"scene": "rooms:6", "team": "drawn:4"}, {"scene": "rooms:5"}, {}):
        before = dict(more)
        assert _with_example("tidy", more) == "" and more == before
    given = {}
    assert _with_example("pack-objects", given) == "" and not given
    with pytest.raises(CoterieError):
        _with_example("no-such-task", {})


def test_a_mug_is_carried_from_the_bathtub_to_the_kitchen_and_that_is_said(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["run", "tidy", "--rooms", "6", "--log", "log.jsonl"]) == 0
    first, *told = capsys.readouterr().out.splitlines()
    assert all(f"--{name} {value}" in first for name, value in EXAMPLES["tidy", "rooms:6"].items())
    events = read_log(tmp_path / "log.jsonl")
    start = read(StartEvent, events[0])
    flat = [e.who for e in events if e.kind == "did" and e.data.get("now", {}).get("battery") == 0]
    assert flat and [line.split()[1] for line in told if "battery flat" in line] == flat  # why they do nothing more
    scene = events[0].data["scene"]
    furniture = {p["name"]: p for p in scene["furniture"]}
    rooms = {r["name"]: r["kind"] for r in scene["rooms"]}
    did = {e.data["skill"]: e for e in events if e.kind == "did" and e.data["skill"] in ("PickUp", "PutDown")}
    (mug,), (place,) = did["PickUp"].data["args"], did["PutDown"].data["args"]
    (lay,) = [row for row in events[0].data["things"] if row[0] == mug]
    assert lay[1] == "Mug" and furniture[lay[3]]["kind"] == "Bathtub"
    assert rooms[furniture[place]["room"]] == "Kitchen"
    said = [e.data["text"] for e in events if e.kind == "say"]
    assert any(f"done: {mug}" in text for text in said) and len(start.robots) == 3


def test_a_stranger_comes_is_contradicted_changes_its_mind_and_carries_something_home(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["run", "tidy", "--rooms", "6", "--teammates", "heuristic", "--stranger", "irot@50", "--log", "log.jsonl"]
    assert main(words) in (0, 1)
    first, *told = capsys.readouterr().out.splitlines()
    assert all(f"--{name} {value}" in first for name, value in JOINED["tidy", "rooms:6", "irot@50"].items())
    events = read_log(tmp_path / "log.jsonl")
    change = change_of_mind(events)
    assert change is not None
    shown = iter(told)  # in this order, and in words
    for words in ("joins the team", f"intention: {change.dropped}", "answer: no, ", f"given up: {change.dropped}"):
        assert any(words in line for line in shown)
    assert any("PutDown(" in line and line.endswith("ok") for line in shown)
    (zoe,) = [e.who for e in events if e.kind == "join"]
    mine = [e.data["text"] for e in events if e.kind == "say" and e.who == zoe]
    turned = [e.step for e in events if e.kind == "reply" and e.who == zoe and "[judgement] no" in e.data["text"]]
    against = [e.step for e in events if e.kind == "say" and e.who != zoe and "answer: no, " in e.data["text"]]
    assert any("intention: " in text for text in mine) and set(turned) & set(against)
    put = [e.step for e in events if e.kind == "did" and e.who == zoe and e.data["skill"] == "PutDown"]
    better = {e.step: e.data["partial"] for e in events if e.kind == "status"}
    before = max(better[step] for step in better if step <= put[0])
    assert better[put[0] + 1] > before and any("done: Re-place" in text for text in mine)


def test_an_example_with_a_stranger_is_for_the_usual_team_alone():
    usual = {"scene": "rooms:6", "stranger": "irot@50", "protocol": "heuristic"}
    for other in ({"protocol": "learning"}, {"seed": 0}, {"stranger": "irot@60"}, {"model": "oracle"}):
        given = {**usual, **other}
        assert _with_example("tidy", given) == "" and given == {**usual, **other}
    assert _with_example("tidy", usual) and "seed" in usual
    assert _with_example("tidy", {"scene": "rooms:6", "protocol": "heuristic"}) == ""


def test_the_seeds_of_suites_are_no_examples():
    for (_, scene), example in EXAMPLES.items():
        assert int(example["scene"].split(":")[2]) < 10_000 and example["seed"] < 10_000
        assert example["scene"].startswith(f"{scene}:")
