"""What commands for the paper's figures say of ours beside its own words."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import pytest

pytest.importorskip("mujoco", reason="arms need coterie[arms]")
sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
import cache
import weak


def curve(*points):
    return [
        cache.Point("sort-cubes", size, 30, success, 0.0, planning, 1.0, tokens)
        for size, success, planning, tokens in points
    ]


def test_where_a_curve_bends_is_told():
    words = cache.ours(curve((0, 0.4, 9.0, 900), (10, 0.9, 3.0, 300), (30, 0.92, 2.0, 200), (100, 0.91, 4.0, 100)))
    assert "success 0.40 with 0 tasks and 0.91 with 100, within 0.05 of its best from 10 on" in words
    assert "rises again beyond 30 tasks" in words and "900 to 100" in words
    falling = cache.ours(curve((0, 0.4, 9.0, 900), (10, 0.3, 3.0, 300), (30, 0.9, 2.0, 0)))
    assert "from 30 on" in falling and "is least with 30 tasks or more" in falling


def test_sweeps_say_what_the_paper_tells_of_them(tmp_path, capsys):
    options = argparse.Namespace(out=str(tmp_path))
    weak.show(options, [("move-rope", 1, weak.PAPER)])
    assert weak.OPEN not in capsys.readouterr().out
    weak.show(options, [("move-rope", 1, f"{weak.PAPER}-and-tau=0.5")])
    assert weak.OPEN in capsys.readouterr().out
