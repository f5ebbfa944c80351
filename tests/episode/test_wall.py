"""What an episode took on the clock lies beside its log; thinking at the table counts as it was waited for."""

import json
from types import SimpleNamespace

import pytest

from coterie.core.config import Config
from coterie.episode.play import planning_time, save_wall


def call(stage, seconds):
    return SimpleNamespace(stage=stage, seconds=seconds)


def test_calls_that_were_made_together_count_once():
    table = SimpleNamespace(rounds=SimpleNamespace(planning_s=2.0))
    calls = [call("DIALOG", 1.0), call("DIALOG", 2.0), call("VOTE", 4.0), call("VOTE", 3.0), call("DIALOG", 0.5)]
    config = Config(task="sandwich", protocol="hmas2")
    assert planning_time(config, table, calls) == 2.0 + 3.0 + 4.0 + 0.5
    assert planning_time(config, table, calls, 10.0) == pytest.approx(19.5)
    assert planning_time(config, table, None) == 2.0
    assert planning_time(Config(task="pack-objects", protocol="rules"), SimpleNamespace(), calls) == 0.0


def test_wall_time_lies_beside_the_log(tmp_path):
    log = tmp_path / "run.jsonl"
    save_wall(log, 1.23456, None)
    assert json.loads((tmp_path / "run.jsonl.wall").read_text()) == {"wall_s": 1.235, "model": None}
    save_wall(log, 1.0, [], 2.34567)
    beside = json.loads((tmp_path / "run.jsonl.wall").read_text())
    assert beside["planning_s"] == 2.346
    assert beside["model"] is not None
