"""Sweep Floor: one arm holds a dustpan, another sweeps cubes into it; the pan is emptied into a bin in the table."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import numpy as np

from coterie.core.action import Action
from coterie.core.task import Progress
from coterie.worlds.tabletop.build import shaped
from coterie.worlds.tabletop.declared import items_of
from coterie.worlds.tabletop.job import (
    TABLE_TOP,
    Job,
    Layout,
    Leg,
    Need,
    Pose,
    Quat,
    Refusal,
    Xyz,
    alone,
    distance,
    spoken,
)
from coterie.worlds.tabletop.jobs.sweeping import add_bin, add_broom, add_dustpan, in_pan

ITEMS = items_of("sweep-floor")
CUBES = tuple(ITEMS)
HALF = 0.025
LYING = TABLE_TOP + HALF
CELLS = (0.3, 0.55, 0.8, 1.05)  # x of their centres
CELL_HALF = (0.08, 0.1)
ROW = 0.5
BIN: Xyz = (-0.5, 0.5, 0.05)  # the middle of its bottom
BIN_TOP: Xyz = (-0.5, 0.3, 0.5)  # where the hand holds the pan over it
IN_BIN = 0.2  # a cube so near to the bottom is in the bin
PAN, BROOM = "Alice", "Bob"
TOOL = {PAN: "dustpan", BROOM: "broom"}

LEVEL: Quat = (0.0, 0.0, 1.0, 0.0)  # Alice's tool points down, the pan to +y
AHEAD: Quat = (0.5**0.5, 0.5**0.5, 0.0, 0.0)  # Bob's tool points to -y, the broom hangs down
TILT = math.radians(50)
TIPPED: Quat = (0.0, 0.0, math.cos(TILT / 2), -math.sin(TILT / 2))
PAN_HIGH = 0.36  # hands of level pans travel at this height
BROOM_HIGH = 0.75  # and those of brooms
BROOM_HOME: Xyz = (1.16, 0.81, 0.83)  # where the hand of the broom is at first
BEND = 0.12  # how soon they begin to turn there
GRIP = 0.432  # Bob's hand above the middle of a cube
BEHIND = 0.08  # the broom comes down so far behind the middle of a cube
CLEAR = 0.015  # [m] that arms and tools keep from boards and bars on their way
LOADED = 0.4  # share of the usual speed when cubes could slide


class SweepFloor(Job):
    name = "sweep-floor"
    tools = TOOL

    def draw(self, rng: Random, mode: str) -> Layout:
        """Both benchmarks draw alike here."""
        return _in_cells(dict(zip(CUBES, rng.sample(CELLS, len(CUBES)))), rng)

    def drawn_like(self, layout: Layout, rng: Random) -> Layout:
        """Every cube stays in its cell: boards stand between cells."""
        return _in_cells({c: min(CELLS, key=lambda x: abs(x - p.at[0])) for c, p in layout.things.items()}, rng)

    def reached(self, layout: Layout) -> tuple[Xyz, ...]:
        """The strip in which each cube is swept, from where the broom waits on, and where the broom is at first."""
        strips = [(p.at[0], p.at[1] + d, p.at[2]) for p in layout.things.values() for d in (0.1, 0.2, 0.3)]
        return (*strips, BROOM_HOME)

    def furnish(self, spec: Any, layout: Layout) -> None:
        add_bin(spec, BIN)
        for cube, pose in layout.things.items():
            # A pan's lip lies on the table, so it collides with cubes only: these have a second bit. They are hard, and
            # push each other off 1 mm early: at 1 m/s they would be 2 mm into each other within a step.
            item = ITEMS[cube]
            shaped(spec, cube, pose, "box", item.half, item.rgba, item.mass, contype=3, conaffinity=3, priority=1,
                  friction=[0.5, 0.01, 0.001], solref=[0.004, 1.0], solimp=[0.99, 0.999, 0.001, 0.5, 2.0],
                  margin=0.001)  # fmt: skip

    def equip(self, spec: Any, layout: Layout) -> None:
        add_dustpan(spec, PAN)
        add_broom(spec, BROOM)

    def prepare(self, table: Any) -> None:
        for arm in table.arms.values():
            arm.grip(table.data, 0.7)  # round the handle
            table.data.qpos[arm.finger_qpos] = arm.finger_at(0.7)

    def grip_kind(self, thing: str) -> str:
        return ""  # cubes are swept, never held

    def places(self, layout: Layout) -> Mapping[str, Xyz]:
        return {"trash_bin": (BIN[0], BIN[1] + IN_BIN, TABLE_TOP)}

    def needs(self, table: Any) -> Iterator[Need]:
        """Pan and broom get to every cube, the broom behind it, and the pan over the bin."""
        for cube in CUBES:
            yield alone(PAN, [self._move(table, PAN, cube)])
            yield alone(BROOM, [self._move(table, BROOM, cube), self._sweep(table, cube)[0]])
        yield alone(PAN, self._dump(table))

    # -- acting ---------------------------------------------------------------------------------------------------
    def legs(self, table: Any, robot: str, action: Action) -> list[Leg] | Refusal:
        if action.skill == "dump":
            return self._dump(table)
        cube = str(action.args[0])
        if action.skill == "move":
            return [self._move(table, robot, cube)]
        where = self.where(table, cube)
        if where != "on the table":
            return Refusal("to_sweep", f"{cube} is {where} already", ("where", (cube,), where))
        return self._sweep(table, cube)

    def stance(self, table: Any, robot: str, cube: str) -> Xyz:
        """Where a hand waits for a cube to be swept: the pan before it, the broom behind it."""
        x, y, z = table.pos(cube)
        return (x, max(y - 0.4, 0.0), 0.23) if robot == PAN else (x, y + 0.3, max(z, LYING) + GRIP)

    def ready(self, table: Any, robot: str, cube: str) -> bool:
        return distance(table.ee(robot), self.stance(table, robot, cube)) < 0.03

    def _move(self, table: Any, robot: str, cube: str) -> Leg:
        quat, high = (LEVEL, PAN_HIGH) if robot == PAN else (AHEAD, BROOM_HIGH)
        at = self.stance(table, robot, cube)
        load = self.load(table) if robot == PAN else ()
        way, slow = _over(table.ee(robot), at, high), LOADED if load else 1.0
        return Leg(at, (quat,), line=way, touch=load, slow=slow, any_way=not load)  # only a full pan has to stay level

    def load(self, table: Any) -> tuple[str, ...]:
        """The cubes in the pan."""
        return tuple(c for c in CUBES if self.where(table, c) == "inside dustpan")

    def _sweep(self, table: Any, cube: str) -> list[Leg]:
        """Behind the cube, on to the pan's rim, and back to where the broom was."""
        x, y, z = table.pos(cube)
        start, height = table.ee(BROOM), max(z, LYING) + GRIP
        behind = (x, y + BEHIND, height)
        rim = table.site("dustpan/rim")
        near = abs(start[0] - x) < 0.03 and abs(start[2] - height) < 0.03 and start[1] > behind[1]
        way = (behind,) if near else _over(start, behind, BROOM_HIGH)
        return [
            Leg(behind, (AHEAD,), line=way, touch=CUBES),
            Leg((rim[0], rim[1], height), (AHEAD,), line=(behind,), touch=CUBES, slow=0.5),
            Leg(start, (AHEAD,), line=(behind,), touch=CUBES),
        ]

    def _dump(self, table: Any) -> list[Leg]:
        """Level to the bin, then tilted, and drawn back a little until all has slid out."""
        x, y, z = BIN_TOP
        load = self.load(table)
        way = _over(table.ee(PAN), BIN_TOP, z)
        return [
            Leg(BIN_TOP, (LEVEL,), line=way, touch=load, slow=LOADED if load else 1.0),
            Leg((x, y - 0.06, z), (TIPPED,), line=(BIN_TOP,), touch=CUBES, slow=0.4),
            Leg((x, y - 0.12, z + 0.04), (TIPPED,), line=((x, y - 0.08, z),), touch=CUBES, slow=0.2),
        ]

    def homing(self, action: Action) -> bool:
        return action.skill == "dump"

    def rules(self, table: Any, joint: Mapping[str, Action]) -> Refusal | None:
        if joint[BROOM].skill == "sweep" and joint[PAN].skill != "wait":
            return Refusal("pan_waits", f"{PAN} must WAIT while {BROOM} SWEEPs", robot=PAN)
        return None

    def apart(self, a: str, b: str) -> float:
        """A broom that grazes a board is held back by it."""
        return CLEAR if any(name.startswith(("post", "rail")) for name in (a, b)) else 0.0

    # -- seeing and counting --------------------------------------------------------------------------------------
    def where(self, table: Any, cube: str) -> str:
        if distance(table.pos(cube), BIN) < IN_BIN:
            return "inside trash_bin"
        body = table.body("dustpan")
        turn = np.array(table.data.xmat[body]).reshape(3, 3)
        return "inside dustpan" if in_pan(turn.T @ (table.pos(cube) - table.data.xpos[body])) else "on the table"

    def notes(self, table: Any, robot: str) -> dict[str, str]:
        notes = {c: f"{c} is at {spoken(table.pos(c))}, {self.where(table, c)}" for c in CUBES}
        for name, tool in TOOL.items():
            hand = table.ee(name)
            near = min(CUBES, key=lambda c: distance(hand, self.stance(table, name, c)))
            front = f", in front of {near} with distance {distance(hand, table.pos(near)):.2f}"
            notes[name] = f"{name} is at {spoken(hand)}, holds the {tool}"
            notes[name] += front if self.ready(table, name, near) else ""
        return notes

    def progress(self, table: Any) -> Progress:
        done = [c for c in CUBES if distance(table.pos(c), BIN) < IN_BIN]
        return Progress(len(done) == 3, len(done) / 3, f"{len(done)} of 3 cubes are in trash_bin.")

    def role(self, robot: str) -> str:
        if robot == PAN:
            return f"{PAN} holds the dustpan: it must MOVE to a cube and WAIT there while {BROOM} SWEEPs, and can DUMP."
        return f"{BROOM} holds the broom: it must MOVE to a cube, opposite {PAN}, before it can SWEEP that cube."

    def area(self, thing: str, at: Xyz) -> str:
        return "floor"  # every cube is swept the same way, wherever it lies

    def targets(self, robot: str, skill: str) -> tuple[str, ...]:
        return CUBES if skill in ("move", "sweep") else ()


def _in_cells(cells: Mapping[str, float], rng: Random) -> Layout:
    things = {}
    for cube, x in cells.items():
        at = (x + rng.uniform(-CELL_HALF[0], CELL_HALF[0]), ROW + rng.uniform(-CELL_HALF[1], CELL_HALF[1]))
        things[cube] = Pose((*at, TABLE_TOP + HALF), rng.uniform(0, 2 * math.pi))
    return Layout(things)


def _over(start: Xyz, end: Xyz, high: float) -> tuple[Xyz, ...]:
    """Up, across and down again in round bends: tools stay clear of what lies on the table, and nothing slides."""
    top = max(high, start[2], end[2])
    first, second = (start[0], start[1], top), (end[0], end[1], top)
    ends = (start, first, second, end)
    points: list[Xyz] = []
    for a, b, c in zip(ends, ends[1:], ends[2:]):
        points += _bend(a, b, c)
    return tuple(points)


def _bend(a: Xyz, b: Xyz, c: Xyz) -> list[Xyz]:
    """A round corner at `b`, on the way from `a` to `c`."""
    p, q = (_towards(b, e, BEND) for e in (a, c))
    curve = []
    for u in (0.0, 0.25, 0.5, 0.75, 1.0):
        x, y, z = ((1 - u) ** 2 * i + 2 * u * (1 - u) * j + u * u * k for i, j, k in zip(p, b, q))
        curve.append((x, y, z))
    return curve


def _towards(a: Xyz, b: Xyz, most: float) -> Xyz:
    """At most half the way: a pan rises clear of cubes beside it before it turns."""
    far = distance(a, b)
    share = min(0.5, most / far) if far > 1e-9 else 0.0
    x, y, z = (i + (j - i) * share for i, j in zip(a, b))
    return (x, y, z)
