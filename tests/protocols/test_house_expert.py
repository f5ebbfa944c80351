"""The expert in houses: solves what the bound calls feasible, and never beats the bound."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from coterie.core.config import Config
from coterie.core.task import Task
from coterie.episode.play import play
from coterie.episode.setup import resolve
from coterie.worlds.household.bodies import card
from coterie.worlds.household.entry import HOUSEHOLD
from coterie.worlds.household.setting import Setting, Start
from coterie.worlds.household.tasks.bound import Rounds, shares


def config(rooms: int, level: str, team: str, seed: int, task: str = "tidy") -> Config:
    return resolve(Config(task=task, scene=f"rooms:{rooms}", level=level, team=team, seed=seed, protocol="expert"))


def least(task: Task) -> int | None:
    setting: Setting = task.setting
    rounds = Rounds(setting.house, setting.misplaced)
    found = shares(rounds, dict(task.robots), dict(setting.starts), task.step_limit)
    return None if found is None else max(s.actions for s in found.values())


@pytest.mark.parametrize(
    ("rooms", "level", "team", "seed"),
    [(1, "3", "drawn:5", 2), pytest.param(6, "4", "drawn:4", 4, marks=pytest.mark.long)],
)
def test_it_does_what_can_be_done(tmp_path: Path, rooms: int, level: str, team: str, seed: int):
    settled = config(rooms, level, team, seed)
    bound = least(HOUSEHOLD.task(settled))
    result = play(settled, tmp_path / "log.jsonl").result
    assert bound is not None and result.success
    assert bound <= result.steps <= bound + 40


def test_who_cannot_do_all_does_what_it_can(tmp_path: Path):
    """A battery for one of three things."""
    settled = config(2, "3", "drawn:1", 14)
    task = HOUSEHOLD.task(settled)
    whole = least(replace(task, robots=(("Alice", card(False, True, 20.0, None)),)))
    assert whole is not None
    weak = replace(task, robots=(("Alice", card(False, True, 20.0, whole // 2)),))
    assert least(weak) is None
    result = play(settled, tmp_path / "log.jsonl", task=weak).result
    assert not result.success and 0 < result.partial < 1


def test_robots_that_meet_in_a_doorway_and_one_that_stands_in_it(tmp_path: Path):
    settled = config(2, "2", "drawn:3", 38)
    task = HOUSEHOLD.task(settled)
    setting: Setting = task.setting
    door = next(d for d in setting.house.doors if d.rooms[1])
    middle = Start((door.a[0] + door.b[0]) / 2, (door.a[1] + door.b[1]) / 2)
    robots = tuple((n, card(True, i > 0, 20.0, 400)) for i, (n, _) in enumerate(task.robots))
    crowded = replace(
        task, robots=robots, setting=replace(setting, starts=((robots[0][0], middle), *setting.starts[1:]))
    )
    assert play(settled, tmp_path / "log.jsonl", task=crowded).result.success


def test_search_is_no_search_for_it(tmp_path: Path):
    settled = config(2, "4", "drawn:3", 3, task="search")
    result = play(settled, tmp_path / "log.jsonl").result
    assert result.success and result.steps <= 4


@pytest.mark.parametrize("steps", ["turn=45,move=0.125", "tilt=15,reach=1"])
def test_other_steps(tmp_path: Path, steps: str):
    settled = replace(config(1, "1", "drawn:3", 3), steps=steps)
    assert play(settled, tmp_path / "log.jsonl").result.success
