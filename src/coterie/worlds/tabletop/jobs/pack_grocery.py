"""Pack Grocery: two arms on opposite sides of the table put six things into a bin, both at once.

Hands come and go straight from above, high enough that what they carry clears everything that stands around. A thing
is set down, not dropped, and turned so that it fits its slot.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import combinations
from random import Random
from typing import Any

from coterie.core.action import NOT_ASKED, Action
from coterie.core.task import Progress
from coterie.motion.needs import mujoco
from coterie.worlds.tabletop.build import Rgba, shaped
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
    above,
    alone,
    down,
    flat_distance,
    spoken,
    up,
)

ITEMS = items_of("pack-grocery")
CELLS = tuple((x, y) for x in (-0.05, -0.25, -0.5, -0.75) for y in (0.4, 0.6))
CELL_HALF = (0.05, 0.03)
GAP = 0.03  # things start at least so far apart
BIN = "bin"
BIN_AT: Xyz = (0.45, 0.5, 0.16)
BIN_HALF = (0.35, 0.2)
BIN_PARTS: tuple[tuple[Xyz, Xyz], ...] = (  # where and half sizes: the bottom, then the walls
    ((0.0, 0.0, 0.0), (*BIN_HALF, 0.02)),
    *(((0.0, s * BIN_HALF[1], 0.03), (BIN_HALF[0], 0.01, 0.06)) for s in (1, -1)),
    *(((s * BIN_HALF[0], 0.0, 0.03), (0.01, BIN_HALF[1], 0.06)) for s in (1, -1)),
)
FLOOR = BIN_AT[2] + 0.02  # the upper side of the bin's bottom
SLOT_Z = 0.36
SLOTS: dict[str, tuple[float, float]] = {
    f"bin_{row}_{column}": (x, y)
    for row, y in (("front", 0.415), ("back", 0.585))
    for column, x in (("left", 0.25), ("middle", 0.45), ("right", 0.65))
}
SLOT_HALF = (0.1, 0.085)
SOFT = 0.006  # a thing is let go of this far above the bottom
BESIDE = 0.01  # [m] arms keep from things on their way
CLEAR = 0.03  # what is carried passes this far above what stands around
LOW, TOP = 0.25, 0.8  # hands keep to heights between
EMPTY_OVER = 0.2  # an empty hand comes and goes this far above its target, at least
RESTS: dict[str, Xyz] = {"Alice": (0.292, 0.063, 0.508), "Bob": (0.355, 1.05, 0.621)}  # hands between two things
SPARED = "spared"  # of `Layout.more`: things that are not asked for any more
WOODEN: Rgba = (0.70, 0.56, 0.40, 1.0)


class PackGrocery(Job):
    name = "pack-grocery"

    # -- the scene ------------------------------------------------------------------------------------------------
    def draw(self, rng: Random, mode: str) -> Layout:
        """Both randomisations are the same here. Drawn anew until nothing stands in anything else."""
        while True:
            cells = rng.sample(CELLS, len(ITEMS))
            things = {item: _pose(rng, item, cell) for item, cell in zip(ITEMS, cells)}
            if self.fits(Layout(things)):
                return Layout(things)

    def furnish(self, spec: Any, layout: Layout) -> None:
        _bin(spec)
        for name, item in ITEMS.items():
            shaped(spec, name, layout.things[name], item.shape, item.half, item.rgba, item.mass)

    def solids(self, layout: Layout) -> tuple[tuple[Any, ...], ...]:
        """The bin's walls; hands go into it only from above."""
        return tuple((BIN, *(c + d for c, d in zip(BIN_AT, at)), 0.0, *half) for at, half in BIN_PARTS)

    def trips(self, layout: Layout) -> tuple[tuple[str, Xyz, str, Xyz], ...]:
        """One thing after another from over the bin's edge, and into the slots in turn."""
        slots = [(x, y, SLOT_Z) for x, y in SLOTS.values()]
        from_ = (BIN_AT[0] - BIN_HALF[0], BIN_AT[1], SLOT_Z)
        return tuple((self.mounts[0].name, from_, n, slots[k]) for k, n in enumerate(layout.things))

    def choices(self, layout: Layout) -> dict[str, tuple[list[Xyz], list[Xyz]]]:
        """Either robot fetches a thing from where its hand rests, and puts it into any slot."""
        slots = [(x, y, SLOT_Z) for x, y in SLOTS.values()]
        return {thing: (list(RESTS.values()), slots) for thing in layout.things}

    def fits(self, layout: Layout) -> bool:
        (x0, x1), (y0, y1) = ((min(c) - h, max(c) + h) for c, h in zip(zip(*CELLS), CELL_HALF))
        inside = all(x0 <= p.at[0] <= x1 and y0 <= p.at[1] <= y1 for p in layout.things.values())
        return inside and all(_apart(a, p, b, q) for (a, p), (b, q) in combinations(layout.things.items(), 2))

    def reached(self, layout: Layout) -> tuple[Xyz, ...]:
        return tuple((x, y, SLOT_Z) for x, y in SLOTS.values())

    def places(self, layout: Layout) -> Mapping[str, Xyz]:
        return {slot: (x, y, FLOOR) for slot, (x, y) in SLOTS.items()}

    def needs(self, table: Any) -> Iterator[Need]:
        """Either robot can have any thing, since nobody knows before what is left for the last round, and put it where
        posts are nearest."""
        tallest = max(ITEMS, key=lambda i: ITEMS[i].half[2])
        for robot in self.boxes:
            for item in self.wanted(table.layout):
                yield alone(robot, self.legs(table, robot, Action("pick", (item,))))
            for slot in (s for s in SLOTS if s.endswith("left")):
                yield alone(robot, self.legs(table, robot, Action("place", (tallest, slot))))

    # -- acting ---------------------------------------------------------------------------------------------------
    def legs(self, table: Any, robot: str, action: Action) -> list[Leg] | Refusal:
        name = str(action.args[0])
        if action.skill == "pick":
            at, (quats, free) = above(table.pos(name), table.over(robot, name)), table.turns(robot, name)
            lift = self.carry_z(table, robot, name) - at[2]
            come = max(EMPTY_OVER, min(lift, TOP - at[2]))
            return [Leg(at, quats, free, approach=up(come), retreat=up(lift), grasp=name, touch=(name,))]
        slot = str(action.args[1])
        other = self.inside(table, slot)
        if other:
            words = f"{slot} holds {other} already; choose an empty slot"
            return Refusal("slot_empty", words, ("inside", (slot,), other))
        at = above(self.spot(name, slot), table.over(robot, name))
        over = up(max(self.carry_z(table, robot, name) - at[2], EMPTY_OVER))
        quats, free = self.turns(table, robot, name)
        return [Leg(at, quats, free, approach=over, retreat=over, release=name, touch=(name,))]

    def spot(self, item: str, slot: str) -> Xyz:
        """Where a thing is let go of."""
        return (*SLOTS[slot], FLOOR + ITEMS[item].half[2] + SOFT)

    def sides(self, thing: str) -> tuple[int, float]:
        same = ITEMS[thing].same
        return same, math.pi / 2 if same == 2 else 0.0  # longer than wide: across the width

    def carry_z(self, table: Any, robot: str, item: str) -> float:
        """The height of a hand whose thing passes above everything that stands on the table or in the bin."""
        others = [n for n in ITEMS if n != item and not table.holder(n)]
        highest = max((table.pos(n)[2] + _height(table, n) for n in others), default=FLOOR)
        return max(highest, BIN_AT[2] + 0.09) + CLEAR + ITEMS[item].half[2] + table.over(robot, item)

    def turns(self, table: Any, robot: str, item: str) -> tuple[tuple[Quat, ...], bool]:
        """Orientations of the hand in which a held thing lies along its slot; a round thing fits in any."""
        same = ITEMS[item].same
        x, y = table.data.site_xmat[table.arms[robot].site].reshape(3, 3)[:2, 0]
        hand = math.atan2(y, x)
        if not same or table.holder(item) != robot:
            return (down(hand),), True
        off = -table.yaw(item)
        turns = sorted((_wrapped(off + 2 * math.pi * k / same) for k in range(same)), key=abs)
        return tuple(down(hand + t) for t in turns), False

    def rules(self, table: Any, joint: Mapping[str, Action]) -> Refusal | None:
        idle = [r for r, a in joint.items() if a.skill == "wait" and a.origin != NOT_ASKED]
        taken = {a.args[0] for a in joint.values() if a.skill == "pick"}
        if len(taken) < sum(a.skill == "pick" for a in joint.values()):
            return Refusal("own_thing", f"both robots cannot PICK {min(taken)}")
        slots = [a.args[1] for a in joint.values() if a.skill == "place"]
        if len(set(slots)) < len(slots):
            return Refusal("own_target", f"both robots cannot PLACE into {slots[0]}")
        spared = [a.args[0] for a in joint.values() if a.skill == "pick" and a.args[0] in self.spared(table.layout)]
        if spared:
            return Refusal("wanted", f"{spared[0]} is to stay on the table", ("wanted", (spared[0],), False))
        wanted = self.wanted(table.layout)
        left = [i for i in wanted if i not in self.packed(table) and not table.holder(i) and i not in taken]
        for robot in idle:
            if table.held.get(robot) or left or len(idle) == len(joint):
                words = f"{robot}'s ACTION is invalid, can only PICK or PLACE"
                return Refusal("may_wait", words, ("may_wait", (robot,), False), robot)
        return None

    def apart(self, a: str, b: str) -> float:
        """Servos lag: a hand that grazes a thing on its way throws it over."""
        return BESIDE if (a in ITEMS) != (b in ITEMS) and {a, b} & set(self.boxes) else 0.0

    # -- seeing and counting --------------------------------------------------------------------------------------
    def inside(self, table: Any, slot: str) -> str:
        """The thing that lies in a slot."""
        x, y = SLOTS[slot]
        for name in ITEMS:
            px, py, pz = table.pos(name)
            if abs(px - x) < SLOT_HALF[0] and abs(py - y) < SLOT_HALF[1] and pz < SLOT_Z and not table.holder(name):
                return name
        return ""

    def packed(self, table: Any) -> list[str]:
        """Things that touch the bin from inside or lie at its centre."""
        touches = table.touches()
        return [n for n in ITEMS if not table.holder(n) and self._in_bin(table.pos(n), frozenset((n, BIN)) in touches)]

    def _in_bin(self, at: Xyz, touches: bool) -> bool:
        within = all(abs(v - c) < h for v, c, h in zip(at, BIN_AT, BIN_HALF))
        return (touches and within) or flat_distance(at, BIN_AT) < 0.06

    def notes(self, table: Any, robot: str) -> dict[str, str]:
        touches = table.touches()
        notes = {}
        for name in ITEMS:
            x, y, z = table.pos(name)
            top = spoken((x, y, z + ITEMS[name].told + 0.05))
            where = "on table"
            if table.holder(name):
                where = f"held by {table.holder(name)}"
            elif self._in_bin((x, y, z), frozenset((name, BIN)) in touches):
                where = f"inside slot {min(SLOTS, key=lambda s: flat_distance((*SLOTS[s], 0.0), (x, y, 0.0)))}"
            notes[name] = f"{name}: {top}, {where}"
        for slot, (x, y) in SLOTS.items():
            notes[slot] = f"{slot}: {spoken((x, y, SLOT_Z))}"
        notes[robot] = f"{robot}'s gripper: {spoken(table.ee(robot))}, holding {table.held.get(robot) or 'nothing'}"
        return notes

    def progress(self, table: Any) -> Progress:
        wanted = self.wanted(table.layout)
        done = len([i for i in self.packed(table) if i in wanted])
        return Progress(done == len(wanted), done / len(wanted), f"{done} of {len(wanted)} things are in the bin.")

    def wanted(self, layout: Layout) -> tuple[str, ...]:
        return tuple(i for i in ITEMS if i not in self.spared(layout))

    def spared(self, layout: Layout) -> tuple[str, ...]:
        """Things that are no longer asked for."""
        return tuple(layout.more.get(SPARED, ()))

    def changed(self, table: Any, rng: Random) -> Layout | None:
        """One thing that nobody has touched yet is to stay where it is."""
        left = [i for i in self.wanted(table.layout) if i not in self.packed(table) and not table.holder(i)]
        if not left:
            return None
        more = {**table.layout.more, SPARED: [*self.spared(table.layout), rng.choice(left)]}
        return Layout(table.layout.things, table.layout.fixed, more)

    def goal(self, layout: Layout) -> str:
        spared = self.spared(layout)
        stays = f" Leave on the table: {', '.join(spared)}." if spared else ""
        return f"Put {'these' if spared else 'all'} things into the bin: {', '.join(self.wanted(layout))}.{stays}"

    def role(self, robot: str) -> str:
        side = "front (small y)" if robot == "Alice" else "back (large y)"
        return (
            f"{robot} stands at the {side} of the table and reaches all of it. One thing in each slot. Lift a thing "
            f"straight up before moving it, and stay above things: higher than {LOW}, lower than {TOP}. "
            "WAIT only with empty hands when nothing is left to pick."
        )

    def area(self, thing: str, at: Xyz) -> str:
        return "bin" if at[0] > BIN_AT[0] - BIN_HALF[0] else "table"

    def turn(self, thing: str, yaw: float) -> float:
        same = ITEMS[thing].same
        return yaw % (2 * math.pi / same) if same else 0.0

    def targets(self, robot: str, skill: str) -> tuple[str, ...]:
        return tuple(SLOTS)


# -- drawing the scene ----------------------------------------------------------------------------------------------
def _bin(spec: Any) -> None:
    """One body of fixed boxes."""
    mj = mujoco()
    body = spec.worldbody.add_body(name=BIN, pos=list(BIN_AT))
    for at, half in BIN_PARTS:
        body.add_geom(type=mj.mjtGeom.mjGEOM_BOX, pos=list(at), size=list(half), rgba=list(WOODEN))


def _pose(rng: Random, item: str, cell: tuple[float, float]) -> Pose:
    x, y = (c + rng.uniform(-h, h) for c, h in zip(cell, CELL_HALF))
    return Pose((x, y, TABLE_TOP + ITEMS[item].half[2] + 0.001), rng.uniform(0, 2 * math.pi))


def _apart(a: str, p: Pose, b: str, q: Pose) -> bool:
    """True if some direction along a side of either thing separates their outlines by the gap."""
    between = (q.at[0] - p.at[0], q.at[1] - p.at[1])
    for yaw in (p.yaw, p.yaw + math.pi / 2, q.yaw, q.yaw + math.pi / 2):
        along = abs(between[0] * math.cos(yaw) + between[1] * math.sin(yaw))
        if along > _extent(a, p.yaw, yaw) + _extent(b, q.yaw, yaw) + GAP:
            return True
    return False


def _extent(item: str, yaw: float, along: float) -> float:
    """Half the width of a thing, seen along a direction."""
    x, y, _ = ITEMS[item].half
    if not ITEMS[item].same:
        return x
    return x * abs(math.cos(yaw - along)) + y * abs(math.sin(yaw - along))


def _height(table: Any, item: str) -> float:
    """How far a thing now rises above its centre; it may have fallen over."""
    up = abs(table.data.xmat[table.body(item)].reshape(3, 3)[2])
    x, y, z = ITEMS[item].half
    return float(up[0] * x + up[1] * y + up[2] * z) if ITEMS[item].shape != "ball" else x


def _wrapped(angle: float) -> float:
    return (angle + math.pi) % (2 * math.pi) - math.pi
