"""The study of tidying up: its tasks, and what its tables say of feasible ones."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from coterie.bench.methods import parse_methods
from coterie.bench.report import report
from coterie.bench.runner import run_bench
from coterie.bench.studies.hospital import places
from coterie.bench.studies.household import HOUSEHOLD, feasible, house_spec, tidy, tidy_noise, tidy_real, tidy_smoke
from coterie.core.errors import CoterieError
from coterie.houses.names import scene_names
from coterie.houses.procthor.generate import generate
from coterie.worlds.household.entry import HOUSEHOLD as ENTRY


def test_1350_tasks():
    specs = tidy()
    assert len(specs) == len({s.key for s in specs}) == 1350
    assert {s.labels["rooms"] for s in specs} == {1, 2, 3, 4, 5, 6, 7, 8, 10}
    counts = [sum(s.labels["difficulty"] == d for s in specs) for d in ("easy", "medium", "difficult")]
    assert counts == [450, 450, 450]
    assert {s.config.seed for s in specs} == set(range(10_000, 10_010))
    assert len(tidy_smoke()) == 9


def test_houses_from_files_are_a_suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Every house of every file in the folder; the shipped ones where no folder is named."""
    monkeypatch.delenv("COTERIE_HOUSES", raising=False)
    assert [s.config.scene for s in tidy_real()][::15] == scene_names()
    monkeypatch.setenv("COTERIE_HOUSES", str(tmp_path))
    with pytest.raises(CoterieError, match="holds no house"):
        tidy_real()
    houses = [json.dumps(generate(2, seed)) for seed in (1, 2, 3)]
    (tmp_path / "one.json").write_text(houses[0])
    with gzip.open(tmp_path / "two.jsonl.gz", "wt") as file:
        file.write(f"{houses[1]}\n\n{houses[2]}\n")
    specs = tidy_real()
    names = ("one.json", "two.jsonl.gz#0", "two.jsonl.gz#1")
    assert [s.config.scene for s in specs][::15] == [str(tmp_path / n) for n in names]
    assert len({s.key for s in specs}) == 45 and not any(str(tmp_path) in s.key for s in specs)
    assert {ENTRY.task(s.config).setting.house.name for s in specs[::15]} == {"one", "two_0", "two_1"}
    missions = places()
    assert len(missions) == len({s.key for s in missions}) == 160
    assert {s.config.scene for s in missions[120:]} == {str(tmp_path / n) for n in names}
    assert not any(str(tmp_path) in s.key for s in missions)


def test_what_lies_astray_is_the_same_for_all_sizes_of_teams():
    three, five = (ENTRY.task(house_spec(2, 10_001, "3", size).config) for size in (3, 5))
    assert three.setting.misplaced == five.setting.misplaced and len(three.setting.misplaced) == 3
    assert three.setting.house == five.setting.house
    assert (len(three.robots), len(five.robots)) == (3, 5)
    assert any(card.manipulates for _, card in three.robots)
    other = ENTRY.task(house_spec(2, 10_001, "4", 3).config)
    assert len(other.setting.misplaced) == 4


def test_tables_say_what_was_done_of_what_can_be(tmp_path: Path):
    specs = [house_spec(1, 10_001, level, 3) for level in ("1", "2")]
    played = run_bench(specs, parse_methods("expert,random-legal"), tmp_path, suite="tidy")
    assert all(row["feasible"] is True and row["about"]["rooms"] == 1 for row in played.rows)
    assert "## What the simulator gives away" in report(played)
    text = report(played).split("## What can be done")[1].split("\n## ")[0]
    assert "| expert       | all    |   2 | 2/2 (100%) |    2/2 (100%) |         2/2 (100%) |" in text
    assert "| random-legal | all    |   2 | 2/2 (100%) |      0/2 (0%) |           0/2 (0%) |" in text
    assert HOUSEHOLD.overview(played)["expert"] == {"feasible": 2, "succ_feasible": 1.0}


def test_the_suite_of_noise_plays_each_task_without_and_with_it():
    specs = tidy_noise()
    assert len(specs) == len({s.key for s in specs}) == 108
    assert [s.config.noise for s in specs] == ["none", "real"] * 54
    assert [s.labels["scene"] for s in specs[::2]] == [s.labels["scene"] for s in specs[1::2]]


def test_whether_a_task_can_be_done():
    assert feasible("rooms:1:10001", "1", "drawn:3", 10_001, "") is True
    assert feasible("gone.json", "1", "drawn:3", 10_000, "") is None
