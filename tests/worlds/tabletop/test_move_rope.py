"""Move Rope: its layouts, rules and words, hands that are tied together, and a whole episode in physics."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

pytest.importorskip("mujoco")
pytest.importorskip("ompl")

from coterie.core.action import Action
from coterie.core.seeds import rng_of
from coterie.motion.collision import SHORT, Checker
from coterie.worlds.tabletop.arms.reaching import Goals, Reaching
from coterie.worlds.tabletop.arms.rounds import Rounds
from coterie.worlds.tabletop.job import MODES, POSTS, TABLE_TOP, Layout, Pose, Tether, distance
from coterie.worlds.tabletop.jobs.move_rope import (
    BACK,
    ENDS,
    FRONT,
    GROOVE_TOP,
    LENGTH,
    LINKS,
    PLACES,
    RADIUS,
    ROPE,
    WALL,
    MoveRope,
)
from coterie.worlds.tabletop.table import Table
from tests.worlds.tabletop.rounds import words_of

JOB = MoveRope()
PATH = tuple((-0.8, 0.4, 0.5) for _ in range(4))
FAR = tuple((0.2, 0.6, 0.5) for _ in range(4))


@pytest.fixture(scope="module")
def settled() -> Table:
    return Table(JOB, JOB.draw(rng_of(4, "layout"), MODES[0]))


@pytest.fixture
def table(settled: Table) -> Iterator[Table]:
    """The settled rope, as if nobody had touched it."""
    saved = settled.save()
    yield settled
    settled.load(saved)


def lay(table: Table, x: float, y: float, z: float) -> None:
    """The rope lies straight along x from here."""
    first = int(table.model.jnt_qposadr[table.model.body_jntadr[table.body(ROPE)]])
    table.data.qpos[first : first + 7] = [x, y, z, 1, 0, 0, 0]
    table.data.qpos[first + 7 : first + 7 + 4 * (LINKS - 1)] = [1, 0, 0, 0] * (LINKS - 1)
    table.mj.mj_forward(table.model, table.data)


def test_the_rope_rests_on_the_table_and_no_longer_lies_straight(settled: Table) -> None:
    assert distance(settled.pos(FRONT), settled.pos(BACK)) < LENGTH - 0.005
    first = int(settled.model.body_dofadr[settled.body(ROPE)])
    assert np.abs(settled.data.qvel[first : first + 3 * LINKS + 3]).max() < 0.05
    for end in ENDS:
        assert settled.pos(end)[2] == pytest.approx(TABLE_TOP + RADIUS, abs=0.01)
    assert settled.touches() >= {frozenset((ROPE, "table"))}


def test_success_is_both_ends_in_place_and_the_rope_in_the_groove(table: Table) -> None:
    assert not JOB.progress(table).done
    lay(table, 0.24, 0.5, GROOVE_TOP + RADIUS - 1e-4)
    assert JOB.progress(table).done
    table.held["Alice"] = FRONT
    assert not JOB.progress(table).done
    table.held.clear()
    lay(table, 0.24, 0.5, 0.3)  # in the air
    assert JOB.progress(table).partial == pytest.approx(2 / 3)
    lay(table, 0.45, 0.5, GROOVE_TOP + RADIUS - 1e-4)
    assert not JOB.progress(table).done


def test_hands_cannot_be_asked_farther_apart_than_the_rope_is_long(table: Table) -> None:
    table.held.update(Alice=FRONT, Bob=BACK)
    left, right = PLACES
    joint = {"Alice": Action("put", (FRONT, left), path=PATH), "Bob": Action("put", (BACK, right), path=FAR)}
    words = words_of(Rounds(table, 0).check(joint))
    assert "at point 1 of the PATHs Alice and Bob are 1.02 m apart, but the rope is 0.72 m long" in words
    joint["Bob"] = Action("put", (BACK, left), path=PATH)
    assert "different ends of the groove" in words_of(JOB.rules(table, joint))


def test_a_tether_is_a_collision_when_it_is_too_short(table: Table) -> None:
    arms = list(table.arms.values())
    home = np.concatenate([a.home for a in arms])
    apart = distance(table.ee("Alice"), table.ee("Bob"))
    for length, free in ((apart + 0.01, True), (apart - 0.01, False)):
        tied = (Tether("Alice", "Bob", length),)
        checker = Checker(table.model, table.data, arms, ties=tied)
        assert checker.free(home) is free
        assert checker.clear(home)  # one of them may not be where it is going
        assert (("Alice", f"Bob {SHORT}") in checker.pairs(home)) is not free
    assert JOB.tethers(table, {"Alice": FRONT}) == ()
    assert JOB.tethers(table, {"Alice": FRONT, "Bob": BACK})[0].length >= LENGTH - 0.01


def test_hands_that_hold_a_rope_look_for_postures_beside_posts() -> None:
    """A post stands where Bob's arm would be in the first posture that comes to mind."""
    more = {**JOB.draw(rng_of(4, "layout"), MODES[0]).more, POSTS: {"post1": [0.02, 0.02, 0.236]}}
    things = {FRONT: Pose((-1.287, 0.488, 0.161), -0.11), BACK: Pose((-0.571, 0.41, 0.161), -0.11)}
    fixed = {WALL: Pose((-0.128, 0.5, 0.294), 0.54), "post1": Pose((0.082, 0.873, 0.386))}
    table = Table(JOB, Layout(things, fixed, more))
    taken = Rounds(table, 0).run({"Alice": Action("pick", (BACK,)), "Bob": Action("pick", (FRONT,))})
    assert taken.failure is None
    left, right = PLACES
    joint = {"Alice": Action("put", (BACK, right)), "Bob": Action("put", (FRONT, left))}
    reaching = Reaching(table, table.data, table.held, {r: JOB.legs(table, r, a)[0] for r, a in joint.items()})
    goals = reaching.solve(0)
    assert reaching.tethered and isinstance(goals, Goals)
    assert reaching.near.free(goals.at)


def test_an_end_turns_freely_in_the_hand(table: Table) -> None:
    table.grasp("Alice", FRONT)
    eq = table._weld[f"Alice+{FRONT}"]
    assert table.model.eq_data[eq][10] == 0.0
