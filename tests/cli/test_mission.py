"""`coterie mission`, as it is typed."""

import contextlib
import io
import json
import sys

import pytest

from coterie.cli.app import main
from coterie.episode import mission

DEMO = ["mission", "hospital", "--goal", "medkit at alpha", "--seed", "7", "--fault", "missing"]


@pytest.fixture(autouse=True)
def here(quick, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(mission, "planning_apart", contextlib.nullcontext)  # it has tests of its own


def test_one_object_with_all_that_matters(capsys, tmp_path):
    assert main([*DEMO, "--approve", "--json", "--log", "demo.jsonl", "--picture", "demo.svg"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["success"] is True and told["scene"] == "hospital" and told["schedule"] == "valid"
    assert told["failures"][0]["why"] == "not objectAt(bandagebox, tableE)"
    assert told["alternatives"][0]["chance"] > 0 and told["approvals"] == 1
    picture = (tmp_path / "demo.svg").read_text()
    assert all(f">{words}<" in picture for words in ("medical caddy", "2 painkillers, 1 bandage box", "Fetch"))
    assert main(["replay", "demo.jsonl"]) == 0
    whole = (tmp_path / "demo.jsonl").read_bytes()
    (tmp_path / "demo.jsonl").write_bytes(whole[: whole.index(b'"what":"approved"')])
    assert main(["mission", "--resume", "demo.jsonl"]) == 0  # as the hint says, which does not name --approve
    assert "say yes, yes 2" not in capsys.readouterr().out
    assert (tmp_path / "demo.jsonl").read_bytes() == whole


def test_what_cannot_be_taken_on_is_no_success(capsys):
    """There are two caddies: the third kit is declined, told so, and counts."""
    goals = ["--goal", "medkit at alpha", "--goal", "feverkit at beta", "--goal", "woundkit at gamma"]
    assert main(["mission", "hospital", *goals, "--seed", "7", "--approve", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["success"] is False and len(told["goals"]) == 2
    (declined,) = told["declined"]
    assert declined["by"] == "instructor" and "gamma" in declined["text"] and "nothing left" in declined["words"]


def test_the_story_waits_for_a_yes_at_the_keyboard(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("maybe\nyes\n"))
    assert main(DEMO) == 0
    story = capsys.readouterr().out
    asked, answered = story.index("say yes, yes 2, no"), story.index("instructor approved plan 1")
    assert story.index("failure (EXECUTION) of g1: not objectAt(bandagebox, tableE)") < asked < answered
    assert "Spot asks the pharmacist for a bandage box" in story[answered:]
    assert "'maybe' is no goal here" in story and story.rstrip().splitlines()[-2].startswith("done after")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "Name a scene and a goal"),
        (["hospital"], 'Name a goal with --goal, for example "medkit at gamma"'),
        (["flat"], 'Name a goal with --goal, for example "2 faucets on the washstand"'),
        (["household", "--goal", "x"], "Name a place where people do"),
        (["nowhere", "--goal", "x"], "No place of a mission 'nowhere'"),
        (["yard", "--goal", "x"], "nobody gives goals in words"),
        (["hospital", "--goal", "sing"], "is no goal here"),
        (["hospital", "--goal", "medkit at alpha", "--fault", "flood"], "No fault 'flood'"),
        (["hospital", "--goal", "medkit at alpha", "--say", "stop"], "write a time in seconds"),
        (["hospital", "--goal", "medkit at alpha", "--level", "hard"], "No level 'hard'"),
        (["hospital", "--goal", "medkit at alpha", "--noise", "pickup=2"], "lies between 0 and 1"),
        (["hospital", "--goal", "medkit at alpha", "--engine", "magic"], "No planning engine 'magic'"),
        (["--resume", "none.jsonl", "--goal", "x"], "There is no log"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(words, sentence, capsys):
    assert main(["mission", *words]) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("more", [[], ["--script", "demo"], ["--scene", "flat"]])
def test_a_talk_says_what_to_install_before_it_begins(more, capsys, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "lark", None)  # as where it is not installed
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    assert main(["talk", *more]) == 2
    said = capsys.readouterr()
    assert said.err == "Reading sentences needs lark: pip install 'coterie[mission]'.\n" and said.out == ""
    assert not any(tmp_path.iterdir())
