"""What long measurements share: runs that go on where they were stopped, with the settings that they began with."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from kept import estimate, folder, rows, watched


def test_a_line_that_was_cut_off_is_taken_out_and_played_again(tmp_path):
    path = tmp_path / "a.jsonl"
    assert rows(path) == []
    path.write_text("[1, 2]\n[3, 4]\n[5,", encoding="utf-8")
    assert rows(path) == [[1, 2], [3, 4]]
    with path.open("a", encoding="utf-8") as file:
        file.write("[5, 6]\n")
    assert rows(path) == [[1, 2], [3, 4], [5, 6]]


def test_results_of_other_settings_are_not_mixed(tmp_path):
    options = argparse.Namespace(level="mecobench", episodes=3, out=str(tmp_path / "out"))
    assert folder(options) == tmp_path / "out"
    folder(argparse.Namespace(**{**vars(options), "episodes": 30}))  # more of the same
    with pytest.raises(SystemExit, match="made with --level mecobench"):
        folder(argparse.Namespace(**{**vars(options), "level": "cluttered"}))


def test_the_estimate_counts_what_is_there_and_everything_that_ends_is_handed_on(capsys):
    estimate(90, 120, processes=2, each_s=4.0)
    assert capsys.readouterr().err == "90 of 120 to play (30 are there), about 3 minutes at 4 s each.\n"
    done: list[int] = []
    with ThreadPoolExecutor(1) as pool:
        waiting = [pool.submit(done.append, n) for n in range(5)]
        assert {f for f in watched(waiting, lambda: len(done), 5)} == set(waiting)
    assert "5 of 5" in capsys.readouterr().err
