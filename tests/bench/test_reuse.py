"""What a memo saves: pairs count from the first task that taught it something."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import pytest

pytest.importorskip("mujoco")

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
import reuse

TASK = "move-rope"


def options(out: Path, streams: int) -> argparse.Namespace:
    return argparse.Namespace(out=str(out), level="cluttered-similar", streams=streams, jobs=TASK, call_s=1.0)


def played(out: Path, number: int, solved: list[tuple[bool, bool]]) -> None:
    """Without a memo twice as much is planned as with one."""
    rows = [[[plain, 4, False, 0.2, 0.4, 0.0], [own, 0, own, 0.1, 0.2, 0.01]] for plain, own in solved]
    path = reuse.kept_in(options(out, 1), TASK, number)
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


def test_pairs_before_the_first_solved_task_stand_apart(tmp_path, capsys):
    played(tmp_path, 0, [(True, True), (True, True), (False, False), (False, True)])
    played(tmp_path, 1, [(False, False), (True, False), (True, True), (True, True)])
    played(tmp_path, 2, [(False, False), (False, False)])
    pairs = reuse.read(options(tmp_path, 3), TASK)
    assert [(a.success, b.success) for a, b in pairs.warm] == [
        (True, True),
        (False, False),
        (False, True),
        (True, True),
    ]
    assert pairs.empty == 2 + 1  # the first of a stream is no news
    assert pairs.neither == 1 + 1 + 2
    reuse.show(options(tmp_path, 3))
    said = capsys.readouterr().out
    assert "move-rope: 3 more pairs with an empty memo; 4 tasks solved by neither" in said
    assert "0.50 [0.50, 0.50]" in said and "planning: mean of the jobs 0.50" in said


def test_the_interval_of_a_ratio_holds_it_and_grows_with_the_spread():
    assert reuse.within([1.0, 1.0], [2.0, 2.0]) == "0.50 [0.50, 0.50]"
    low, high = (float(v.strip("[],")) for v in reuse.within([1.0, 0.0, 2.0, 0.5], [2.0] * 4).split()[1:])
    assert low < 0.44 < high
    assert reuse.within([1.0, 1.0], [0.0, 2.0]) == "1.00"  # some draws have nothing below
