"""Pack Grocery: its layouts, rules and words, how things are turned to fit, and a whole episode in physics."""

from __future__ import annotations

import math

import pytest

pytest.importorskip("mujoco")
pytest.importorskip("ompl")

from coterie.core.action import WAIT, Action
from coterie.core.seeds import rng_of
from coterie.worlds.tabletop.arms.rounds import Rounds
from coterie.worlds.tabletop.job import MODES, down
from coterie.worlds.tabletop.jobs.pack_grocery import (
    FLOOR,
    ITEMS,
    SLOTS,
    TOP,
    PackGrocery,
)
from coterie.worlds.tabletop.table import Table
from tests.worlds.tabletop.rounds import make, next_round, words_of

JOB = PackGrocery()
PATH = ((0.0, 0.3, 0.6), (0.0, 0.3, 0.6), (0.0, 0.3, 0.6), (0.0, 0.3, 0.6))


@pytest.fixture
def table() -> Table:
    return Table(JOB, JOB.draw(rng_of(1, "layout"), MODES[0]))


def put(table: Table, item: str, slot: str, lift: float = -1e-4) -> None:
    """As if the item had been packed."""
    joint = table.data.joint(f"{item}/free")
    joint.qpos[:] = [*SLOTS[slot], FLOOR + ITEMS[item].half[2] + lift, 1, 0, 0, 0]
    table.mj.mj_forward(table.model, table.data)


def hand_yaw(table: Table, robot: str) -> float:
    x, y = table.data.site_xmat[table.arms[robot].site].reshape(3, 3)[:2, 0]
    return math.atan2(y, x)


def test_the_bin_has_room_for_everything(table: Table) -> None:
    for item, slot in zip(ITEMS, SLOTS):
        put(table, item, slot)
    table.step(300)
    assert JOB.progress(table).done
    assert [JOB.inside(table, s) for s in SLOTS] == list(ITEMS)
    touching = {p for p in table.touches() if p <= set(ITEMS)}
    assert not touching


def test_success_is_touching_the_bin_from_inside(table: Table) -> None:
    assert JOB.progress(table).partial == 0
    put(table, "apple", "bin_front_left")
    assert JOB.packed(table) == ["apple"]
    assert JOB.notes(table, "Bob")["apple"].endswith("inside slot bin_front_left")
    put(table, "apple", "bin_front_left", lift=0.05)
    assert JOB.packed(table) == []
    assert JOB.notes(table, "Bob")["apple"].endswith("on table")
    table.data.joint("apple/free").qpos[:3] = (0.45, 0.5, 0.5)
    table.mj.mj_forward(table.model, table.data)
    assert JOB.packed(table) == ["apple"]  # the specification counts what is near the bin's centre


def test_slots_are_for_one_thing_each(table: Table) -> None:
    put(table, "apple", "bin_front_left")
    table.held.update(Alice="milk", Bob="bread")
    into = {r: Action("place", (t, "bin_front_left"), path=PATH) for r, t in table.held.items()}
    assert "both robots cannot PLACE into bin_front_left" in words_of(Rounds(table, 0).check(into))
    into["Bob"] = Action("place", ("bread", "bin_back_left"), path=PATH)
    assert "bin_front_left holds apple already" in words_of(Rounds(table, 0).check(into))


def test_only_a_robot_with_nothing_left_to_do_may_wait(table: Table) -> None:
    for item, slot in list(zip(ITEMS, SLOTS))[1:]:
        put(table, item, slot)
    joint = {"Alice": Action("pick", ("apple",)), "Bob": Action(WAIT)}
    assert JOB.rules(table, joint) is None
    table.held["Bob"] = "milk"
    assert "can only PICK or PLACE" in words_of(JOB.rules(table, joint))


def test_a_held_thing_is_turned_along_its_slot(table: Table) -> None:
    table.held["Alice"] = "banana"
    quats, free = JOB.turns(table, "Alice", "banana")
    assert len(quats) == 2 and not free
    ends = []
    for w, a, b, c in quats:
        assert w == c == 0.0
        ends.append(table.yaw("banana") + 2 * math.atan2(b, a) - hand_yaw(table, "Alice"))
    assert all(abs(math.sin(e)) < 1e-6 for e in ends)
    assert JOB.turns(table, "Bob", "apple") == ((down(hand_yaw(table, "Bob")),), True)


def test_what_is_carried_passes_above_what_stands(table: Table) -> None:
    tallest = table.pos("milk")[2] + ITEMS["milk"].half[2]
    for item in set(ITEMS) - {"milk"}:
        below = table.over("Alice", item) + ITEMS[item].half[2]
        assert JOB.carry_z(table, "Alice", item) - below > tallest
        assert JOB.carry_z(table, "Alice", item) < TOP


def test_one_thing_left_over_is_packed_while_the_other_arm_waits(table: Table) -> None:
    world = make("pack-grocery")
    for item, slot in list(zip(ITEMS, SLOTS))[1:]:
        put(world.table, item, slot)
    joint = next_round(world)
    assert {a.skill for a in joint.values()} == {"pick", WAIT}
    assert all(v.ok for v in world.check(joint).values())
