"""Sweep Floor: its layouts, rules and words, and a whole episode with cubes that are moved by contact alone."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

pytest.importorskip("mujoco")
pytest.importorskip("ompl")

from coterie.core.action import WAIT, Action
from coterie.core.seeds import rng_of
from coterie.motion.plan import Path
from coterie.worlds.tabletop.arms.paths import NO_WAY, transit
from coterie.worlds.tabletop.arms.reaching import Reaching
from coterie.worlds.tabletop.arms.rounds import Rounds
from coterie.worlds.tabletop.job import MODES
from coterie.worlds.tabletop.jobs.sweep_floor import BIN, CUBES, LYING, SweepFloor
from coterie.worlds.tabletop.layouts.streams import drawn
from coterie.worlds.tabletop.table import Table
from tests.worlds.tabletop.rounds import words_of

JOB = SweepFloor()
SEED_WITH_BOARDS = 92200
WAITS = {"Alice": Action(WAIT), "Bob": Action(WAIT)}


@pytest.fixture
def table() -> Table:
    return Table(JOB, JOB.draw(rng_of(5, "layout"), MODES[0]))


def put(table: Table, cube: str, at: tuple[float, float, float]) -> None:
    table.data.joint(f"{cube}/free").qpos[:3] = at
    table.mj.mj_forward(table.model, table.data)


def test_hands_start_where_the_task_says(table: Table) -> None:
    assert table.ee("Alice") == pytest.approx((0.29, -0.07, 0.51), abs=0.01)
    assert table.ee("Bob") == pytest.approx((1.16, 0.81, 0.83), abs=0.01)
    for robot in table.arms:
        assert JOB.boxes[robot].holds(table.ee(robot))


def test_a_cube_is_swept_only_once(table: Table) -> None:
    put(table, "red_cube", (BIN[0], BIN[1], 0.12))
    words = words_of(Rounds(table, 0).check({**WAITS, "Bob": Action("sweep", ("red_cube",))}))
    assert "red_cube is inside trash_bin already" in words


def test_success_counts_cubes_near_the_bottom_of_the_bin(table: Table) -> None:
    assert JOB.progress(table).partial == 0
    for k, cube in enumerate(CUBES):
        put(table, cube, (BIN[0] + 0.06 * (k - 1), BIN[1], 0.12))
    assert JOB.progress(table).done
    put(table, "blue_cube", (BIN[0] + 0.22, BIN[1], 0.12))
    assert not JOB.progress(table).done


def test_words_tell_where_cubes_and_robots_are(table: Table) -> None:
    rounds = Rounds(table, 0)
    assert JOB.notes(table, "Bob")["red_cube"].endswith("on the table")
    joint = {r: Action("move", ("green_cube",)) for r in table.arms}
    assert rounds.check(joint) is None and rounds.run(joint).failure is None
    notes = JOB.notes(table, "Alice")
    assert "holds the dustpan, in front of green_cube with distance 0.4" in notes["Alice"]
    x, y, _ = table.pos("dustpan")
    put(table, "red_cube", (x, y, LYING + 0.008))
    assert JOB.notes(table, "Alice")["red_cube"].endswith("inside dustpan")


def test_cubes_are_never_held(table: Table) -> None:
    assert table.model.neq == 0


def test_a_broom_looks_for_another_way_where_boards_stand_in_its_line_and_remembers_it() -> None:
    layout = drawn(JOB, rng_of(SEED_WITH_BOARDS, JOB.name, "stream"), "cluttered")
    table = Table(JOB, layout)
    cube = min(CUBES, key=lambda c: table.pos(c)[0])  # the farthest from where the broom is
    joint = {"Alice": Action("move", (cube,)), "Bob": Action("move", (cube,))}
    legs = {r: JOB.legs(table, r, a)[0] for r, a in joint.items()}
    assert all(leg.any_way for leg in legs.values())
    reaching = Reaching(table, table.data, {}, legs)
    goals = reaching.solve(1)
    line = reaching.led_path(goals.before)
    assert line is not None and not reaching.free_path(line)
    found = transit(reaching, goals.before, 1)
    assert isinstance(found, Path) and found.how == "rrt-connect" and reaching.free_path(found.knots)
    parts = zip(reaching.names, (found.knots[:, a:b] for a, b in pairwise(reaching.ends)))
    hinted = {r: replace(legs[r], hint={"knots": knots.tolist()}) for r, knots in parts}
    again = Reaching(table, table.data, {}, hinted)
    assert transit(again, again.solve(1).before, 1).how == "reused"
    assert not again.led  # nothing was led along a line that is known not to be free


def test_a_full_pan_keeps_to_its_line_and_goes_after_the_broom() -> None:
    layout = drawn(JOB, rng_of(SEED_WITH_BOARDS, JOB.name, "stream"), "cluttered")
    table = Table(JOB, layout)
    far = min(CUBES, key=lambda c: table.pos(c)[0])
    legs = {r: JOB.legs(table, r, Action("move", (far,)))[0] for r in ("Alice", "Bob")}
    legs["Alice"] = replace(legs["Alice"], any_way=False)  # as with a cube in the pan
    reaching = Reaching(table, table.data, {}, legs)
    goals = reaching.solve(1)
    found = transit(reaching, goals.before, 1)
    assert isinstance(found, Path) and found.even is not None and reaching.free_path(found.knots)
    alice = found.knots[:, reaching.ends[0] : reaching.ends[1]]
    assert (alice[: found.even + 1] == alice[0]).all() and (alice[-1] != alice[0]).any()
    assert (found.knots[found.even :, reaching.ends[1] :] == goals.before[reaching.ends[1] :]).all()
    bound = Reaching(table, table.data, {}, {r: replace(leg, any_way=False) for r, leg in legs.items()})
    assert transit(bound, bound.solve(1).before, 1) is NO_WAY
