"""Hands that close: slowly, until they touch what they take. Only what is touched is held."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from coterie.worlds.tabletop.job import Refusal

if TYPE_CHECKING:
    from coterie.worlds.tabletop.table import Table

GAP_M = 0.003  # a cup, a palm or a finger farther than this from a thing does not hold it
FIRM_M = 0.0005  # fingers go on closing until both are this close
CLOSING_S, LONGER_S, LOOK_S = 0.3, 0.3, 0.02  # fingers close in this time, are waited for so long, and looked at
LOST_M = 0.01  # a thing that a finger is farther from is not held any more
FAR_M = 0.2  # gaps are not measured beyond


Pairs = dict[str, list[tuple[int, int]]]


def pairs(table: Table, robot: str, thing: str) -> Pairs:
    """The geoms of each finger of a hand, or of its cup or palm, each with one of a thing."""
    model, body, arm = table.model, table.body(thing), table.arms[robot]
    if not model.body_geomnum[body]:  # an end of a rope is part of its link
        body = int(model.body_parentid[body])
    own = np.flatnonzero(model.geom_bodyid == body).tolist()
    solid = (model.geom_contype | model.geom_conaffinity) != 0
    return {
        model.body(side[0]).name.partition("/")[2]: list(
            product(np.flatnonzero(np.isin(model.geom_bodyid, side) & solid).tolist(), own)
        )
        for side in arm.sides
    }


def gaps(table: Table, between: Pairs) -> dict[str, float]:
    """How far each part of a hand is from a thing [m]; negative where they press into each other."""
    line, far = np.zeros(6), table.mj.mj_geomDistance
    return {p: min(far(table.model, table.data, a, b, FAR_M, line) for a, b in ab) for p, ab in between.items()}


def farthest(table: Table, between: Pairs) -> float:
    """How far the finger that is farther off, or the cup or palm, is from a thing [m]."""
    return max(gaps(table, between).values())


def close(table: Table, wanted: Mapping[str, str], steps: Callable[[int], None]) -> dict[str, Refusal]:
    """Close hands around things. Who does not touch what it went for opens again, and is told of."""
    dt = float(table.model.opt.timestep)
    look, ticks = max(1, round(LOOK_S / dt)), round(CLOSING_S / LOOK_S)
    arms = [table.arms[r] for r in wanted]
    between = {r: pairs(table, r, t) for r, t in wanted.items()}
    if any(len(a.fingers) for a in arms):
        for k in range(1, ticks * look + 1):
            for arm in arms:
                arm.grip(table.data, k / (ticks * look))
            steps(1)
        for _ in range(round(LONGER_S / LOOK_S)):
            if all(farthest(table, ab) < FIRM_M for ab in between.values()):
                break
            steps(look)
    off = {r: farthest(table, ab) for r, ab in between.items()}
    missed = {r: beside(r, wanted[r], gap) for r, gap in off.items() if gap > GAP_M}
    for robot in missed:
        table.arms[robot].grip(table.data, 0.0)
    return missed


def lost(table: Table) -> dict[str, Refusal]:
    """Hands that hold something by friction, and have it no more; they open."""
    found = {}
    for robot, thing in list(table.held.items()):
        if table.by_friction(robot, thing) and farthest(table, pairs(table, robot, thing)) > LOST_M:
            words = f"{thing} slipped out of the hand of {robot} on the way."
            found[robot] = Refusal("slip", words, ("holding", (robot,), None), robot, "during")
            table.release(robot)
    return found


def open_all(table: Table, robots: list[str], steps: Callable[[int], None]) -> None:
    """Fingers that are still closed open before they take something."""
    shut = [
        table.arms[r] for r in robots if np.any(table.data.ctrl[table.arms[r].fingers] != table.arms[r].finger_open)
    ]
    for arm in shut:
        arm.grip(table.data, 0.0)
    if shut:
        steps(round(CLOSING_S / float(table.model.opt.timestep)))


def beside(robot: str, thing: str, off: float) -> Refusal:
    words = f"The hand of {robot} closed {1000 * off:.0f} mm beside {thing}, which stays where it was."
    return Refusal("beside", words, ("off", (robot, thing), round(off, 3)), robot, "during")
