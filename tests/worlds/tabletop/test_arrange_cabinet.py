"""Arrange Cabinet: its layouts, rules and words, doors that swing about their hinges, and a whole episode."""

from __future__ import annotations

import math

import numpy as np
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
from coterie.worlds.tabletop.tasks import draw_tabletop
from coterie.worlds.tabletop.world import TabletopWorld
from tests.worlds.tabletop.planned import next_round
from tests.worlds.tabletop.refused import words_of

JOB = ArrangeCabinet()
WAITS = {r: Action(WAIT) for r in JOB.verbs}


@pytest.fixture
def table() -> Table:
    return Table(JOB, JOB.draw(rng_of(5, "layout"), MODES[0]))


def swing(table: Table, door: str, angle: float) -> None:
    table.data.joint(hinge_of(door)).qpos[0] = angle
    table.mj.mj_forward(table.model, table.data)


def test_the_cabinet_is_drawn_within_its_range() -> None:
    heights = []
    for seed in range(200):
        layout = JOB.draw(rng_of(seed, "layout"), "rocobench")
        x, y, z = layout.fixed["cabinet"].at
        heights.append(z)
        assert (x, y) == (-0.7, 0.5) and 0.47 <= z <= 0.7
        assert 81 <= math.degrees(layout.fixed["cabinet"].yaw) <= 99
        assert layout.things["mug"].at == pytest.approx((x + 0.1, y, z + 0.08))
        assert layout.things["cup"].at == pytest.approx((x + 0.1, y + 0.15, z - 0.17))
    assert max(heights) - min(heights) > 0.2
    fixed = {str(JOB.draw(rng_of(seed, "layout"), "mecobench")) for seed in range(20)}
    assert len(fixed) == 1


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


@pytest.mark.parametrize(
    ("robot", "action", "words"),
    [
        ("Chad", Action("pick", ("right_door_handle",)), "Task Constraints failed, Chad cannot reach door."),
        ("Alice", Action("pick", ("mug",)), "PICK mug needs PLACE"),
        ("Alice", Action(WAIT), "not all robots may WAIT"),
        ("Alice", Action("open", ("left_door_handle",)), "must PICK left_door_handle before it can OPEN"),
        ("Chad", Action("pick_place", ("mug", "table")), "table is no target; there are mug_coaster, cup_coaster"),
        ("Alice", Action("pick_place", ("left_door_handle", "mug_coaster")), "cannot be placed; PICK and OPEN it"),
    ],
)
def test_rules_answer_in_words(table: Table, robot: str, action: Action, words: str) -> None:
    assert words in words_of(Rounds(table, 0).check({**WAITS, robot: action}))


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


def test_the_script_opens_holds_and_fetches() -> None:
    world = TabletopWorld(draw_tabletop("arrange-cabinet", "mecobench", 1), 1)
    table = world.table
    for _ in range(JOB.rounds):
        if JOB.progress(table).done:
            break
        joint = next_round(world)
        still = {
            r: table.data.qpos[table.arms[r].qpos].copy() for r, a in joint.items() if a.skill == "wait"
        }  # or holds its door
        world.start(joint)
        assert all(o.ok for o in world.advance())
        assert all(np.abs(table.data.qpos[table.arms[r].qpos].copy() - q).max() < 0.05 for r, q in still.items())
    assert JOB.progress(table).done
    assert table.held == {"Alice": "left_door_handle", "Bob": "right_door_handle"}
    for door, side in SIDES.items():
        assert JOB.is_open(table, door)
        assert math.copysign(1.0, table.joint(hinge_of(door))) == side
