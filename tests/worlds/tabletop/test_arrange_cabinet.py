"""Arrange Cabinet: its layouts, rules and words, doors that swing about their hinges, and a whole episode."""

from __future__ import annotations

import pytest

pytest.importorskip("mujoco")
pytest.importorskip("ompl")

from coterie.core.action import WAIT, Action
from coterie.core.seeds import rng_of
from coterie.worlds.tabletop.arms.rounds import Rounds
from coterie.worlds.tabletop.job import MODES
from coterie.worlds.tabletop.jobs.arrange_cabinet import COASTERS, GOAL, ArrangeCabinet
from coterie.worlds.tabletop.jobs.cabinet import SIDES, handle_at, handle_of, hinge_of
from coterie.worlds.tabletop.table import Table
from tests.worlds.tabletop.rounds import words_of

JOB = ArrangeCabinet()
WAITS = {r: Action(WAIT) for r in JOB.verbs}


@pytest.fixture
def table() -> Table:
    return Table(JOB, JOB.draw(rng_of(5, "layout"), MODES[0]))


def swing(table: Table, door: str, angle: float) -> None:
    table.data.joint(hinge_of(door)).qpos[0] = angle
    table.mj.mj_forward(table.model, table.data)


def test_things_stand_in_the_closed_cabinet(table: Table) -> None:
    assert table.touch("mug", "cabinet") and table.touch("cup", "cabinet")
    assert not any(JOB.is_open(table, d) for d in SIDES)
    assert JOB.progress(table).partial == 0
    assert JOB.notes(table, "Chad")["cup"] == "cup is inside cabinet"
    assert JOB.notes(table, "Chad")["left_door"] == "left_door is closed"


def test_cups_of_the_highest_cabinet_are_within_reach() -> None:
    drawn = (JOB.draw(rng_of(n, "layout"), "rocobench") for n in range(999))
    layout = next(x for x in drawn if x.fixed["cabinet"].at[2] > 0.698)
    table = Table(JOB, layout)
    for door, side in SIDES.items():
        swing(table, door, 2.5 * side)
    for cup, coaster in GOAL.items():
        assert Rounds(table, 0).check({**WAITS, "Chad": Action("pick_place", (cup, coaster))}) is None


@pytest.mark.parametrize("door", SIDES)
def test_handles_keep_to_their_arcs(table: Table, door: str) -> None:
    for share in (0.0, 0.3, 1.0):
        angle = SIDES[door] * 2.6 * share
        swing(table, door, angle)
        assert table.pos(handle_of(door)) == pytest.approx(
            handle_at(table.layout.fixed["cabinet"], door, angle), abs=1e-6
        )
    assert JOB.is_open(table, door)


def test_a_closed_door_is_in_the_way(table: Table) -> None:
    joint = {**WAITS, "Chad": Action("pick_place", ("mug", "mug_coaster"))}
    words = words_of(Rounds(table, 0).check(joint))
    assert "mug cannot be reached while left_door and right_door are not open" in words
    swing(table, "left_door", -2.4)
    assert "while right_door is not open" in words_of(Rounds(table, 0).check(joint))
    swing(table, "right_door", 2.4)
    assert "open" not in words_of(Rounds(table, 0).check(joint))


def test_success_is_both_near_their_places(table: Table) -> None:
    for cup, coaster in GOAL.items():
        x, y, z = COASTERS[coaster]
        table.data.joint(f"{cup}/free").qpos[:3] = (x, y, z + 0.07)
    table.mj.mj_forward(table.model, table.data)
    assert JOB.progress(table).done
    table.data.joint("cup/free").qpos[0] -= 0.15
    table.mj.mj_forward(table.model, table.data)
    assert JOB.progress(table).partial == 0.5
    assert JOB.notes(table, "Bob")["cup"] == "cup is on the table"
    assert JOB.notes(table, "Bob")["mug"] == "mug is on mug_coaster"
