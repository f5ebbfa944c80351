"""A world of a user's own, in one file outside the package, through the real command line."""

import json
from pathlib import Path

import pytest

from coterie.core.config import Config
from coterie.core.protocol import Party
from coterie.episode.setup import build, load_plugins, resolve
from coterie.models.chat import NoModel
from coterie.protocols import protocols
from coterie.render.map.floor import LEAF
from coterie.testing import Trial, check_protocol, check_world
from tests.e2e.test_command_line import coterie, inside

FILE = str(Path(__file__).parents[2] / "examples" / "corridor.py")
HAUL = ("corridor-haul", "--load", FILE)


def task_of(level: str, seed: int = 0):
    load_plugins([FILE])
    return build(resolve(Config(task="corridor-haul", level=level, seed=seed)))


@pytest.mark.parametrize("level", ["short", "long"])
def test_it_keeps_the_contract_of_worlds(level):
    for seed in range(3):
        check_world(lambda seed=seed: task_of(level, seed)[0], seed=seed, rounds=20)


def test_its_mind_keeps_the_contract_of_protocols():
    world, task = task_of("long", 1)

    def episode(make):
        return Trial(task_of("long", 1)[0], task, [Party("team", make, tuple(world.robots()))], NoModel().answer)

    check_protocol(protocols.get("porters"), episode)


def test_it_is_played_replayed_and_drawn(tmp_path):
    words = ["run", *HAUL, "--level", "long", "--seed", "3", "--json", "--log", "log.jsonl"]
    score = json.loads(inside(*words, cwd=tmp_path, check=0).stdout)
    assert score["success"] and score["ts"] > 14
    assert "cc" not in score  # nobody here can talk
    told = coterie("replay", "log.jsonl", cwd=tmp_path, check=0).stdout
    assert "Moritz took parcel_0." in told and "Wilma opened the door" in told
    inside("replay", "log.jsonl", "--load", FILE, "--step", "0", "--picture", "first.svg", cwd=tmp_path, check=0)
    inside("replay", "log.jsonl", "--load", FILE, "--picture", "last.svg", cwd=tmp_path, check=0)
    first, last = ((tmp_path / name).read_text() for name in ("first.svg", "last.svg"))
    assert first.count(LEAF) == 3 + 1 and LEAF not in last  # the doors were shut, as the legend tells, and are not
    shown = inside("list", "worlds", "--load", FILE, cwd=tmp_path, check=0).stdout
    assert "corridor-haul" in shown


def test_a_run_that_is_cut_goes_on_to_the_same_log(tmp_path):
    inside("run", *HAUL, "--level", "long", "--seed", "2", "--log", "run.jsonl", cwd=tmp_path, check=0)
    log = tmp_path / "run.jsonl"
    whole = log.read_bytes()
    log.write_bytes(whole[: whole.index(b'"outcome"')])
    refused = coterie("run", "--resume", "run.jsonl", cwd=tmp_path, check=2)
    assert "corridor.py. That is code" in refused.stderr
    inside("run", "--resume", "run.jsonl", "--load", FILE, cwd=tmp_path, check=0)
    assert log.read_bytes() == whole


@pytest.mark.long
def test_it_is_benched_and_validated(tmp_path):
    words = ["bench", "corridor-haul,corridor-haul:long", "--load", FILE, "--episodes", "10", "--no-plots"]
    words += ["--methods", "porters,porters+guard"]
    data = json.loads(inside(*words, "--json", "--out", "one", cwd=tmp_path, check=0).stdout)
    found = data["methods"]["porters"]
    assert (found["episodes"], found["succ"], found["cc"]) == (10, 1.0, None)
    table = (tmp_path / "one" / "table.md").read_text()
    assert "| long  | porters" in table and " CC" not in table and "Failure modes" not in table
    coterie(*words, "--jobs", "2", "--out", "two", cwd=tmp_path, check=0)
    assert (tmp_path / "two" / "table.md").read_text() == table
    done = inside("bench", "corridor-haul:long", "--load", FILE, "--episodes", "3", "--validate", cwd=tmp_path, check=0)
    assert "3 of 3 tasks confirmed" in done.stdout
