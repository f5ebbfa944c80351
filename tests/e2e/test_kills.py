"""The short form of benchmarks/kills.py: commands that are killed go on to the same bytes."""

import random
import runpy
from pathlib import Path

import pytest

KILLS = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks" / "kills.py"))
SCENARIOS = {s.name: s for s in KILLS["SCENARIOS"]}


@pytest.mark.parametrize("name", ["run, lossy radio", "bench --jobs 2", "run, HTTP"])
def test_what_is_killed_goes_on_to_the_same_bytes(name):
    ticks = []
    assert KILLS["attack"](SCENARIOS[name], 2, random.Random(f"test {name}"), lambda: ticks.append(1)) == []
    assert len(ticks) == 2


def test_a_difference_is_told(monkeypatch):
    """Were the attack blind, the tests above would say nothing."""
    spoilt = iter([{"run.jsonl": b"a"}, {"run.jsonl": b"b", "left": b""}])
    globals_of = KILLS["attack"].__globals__
    monkeypatch.setitem(globals_of, "made", lambda folder: next(spoilt))
    found = KILLS["attack"](SCENARIOS["run"], 1, random.Random(0), lambda: None)
    assert found == ["after 1 kills left is left", "after 1 kills run.jsonl differs"]
