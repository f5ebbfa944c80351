"""The short form of benchmarks/kills.py: commands that are killed go on to the same bytes."""

import contextlib
import random
import runpy
import sqlite3
import subprocess
from pathlib import Path

import pytest

KILLS = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks" / "kills.py"))
SCENARIOS = {s.name: s for s in KILLS["SCENARIOS"]}
FEWER = {"bench --jobs 2": ["--episodes", "5"]}


@pytest.mark.long
@pytest.mark.parametrize("name", ["run, lossy radio", "bench --jobs 2", "run, HTTP"])
def test_what_is_killed_goes_on_to_the_same_bytes(name):
    """Both kills come before it is left to end."""
    ticks, whole = [], SCENARIOS[name]
    scenario = whole._replace(words=[*whole.words, *FEWER.get(name, [])])
    assert KILLS["attack"](scenario, 2, random.Random(f"quick {name}"), lambda: ticks.append(1)) == []
    assert len(ticks) == 2


def test_a_difference_is_told(monkeypatch):
    """Were the attack blind, the tests above would say nothing."""
    spoilt = iter([{"run.jsonl": b"a"}, {"run.jsonl": b"b", "left": b""}])
    globals_of = KILLS["attack"].__globals__
    monkeypatch.setitem(globals_of, "made", lambda folder: next(spoilt))
    idle = ["sleep", "0.5"]  # what is compared is made up
    monkeypatch.setitem(globals_of, "begin", lambda *_: subprocess.Popen(idle, start_new_session=True))
    found = KILLS["attack"](SCENARIOS["run"], 1, random.Random(0), lambda: None)
    assert found == ["after 1 kills left is left", "after 1 kills run.jsonl differs"]


def test_what_is_torn_is_told(tmp_path):
    """Half a line may stand there after a kill, but not at the end; a store may be mended, but not be broken."""
    with contextlib.closing(sqlite3.connect(tmp_path / "memo.sqlite")) as db:
        db.execute("create table cases (text)")
        db.executemany("insert into cases values (?)", [("x" * 500,)] * 100)
        db.commit()
    (tmp_path / "run.jsonl.wall").write_text("{}\n")
    (tmp_path / "wall.jsonl").write_text('{"a": 1}\n{"a"')
    torn = KILLS["torn"]
    assert torn(tmp_path, over=False) == []
    assert torn(tmp_path, over=True) == ["wall.jsonl ends in half a line"]
    (tmp_path / "run.jsonl.wall").write_text('{"a"')
    (tmp_path / "wall.jsonl").write_text('{"a"\n{"a": 1}\n')
    whole = (tmp_path / "memo.sqlite").read_bytes()
    (tmp_path / "memo.sqlite").write_bytes(whole[:5000] + b"\0" * 9000 + whole[14000:])
    found = torn(tmp_path, over=True)
    assert [f.split(" ")[0].rstrip(":") for f in found] == ["memo.sqlite", "run.jsonl.wall", "wall.jsonl"]
