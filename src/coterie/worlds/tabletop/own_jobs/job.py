"""A job as a file says it: arms take things and set them down where the goal wants them.

`file.py` reads such files. Places are rectangles on the table (painted, raised, or with walls), things lie on
places, on the table or on each other, and the goal is a list of predicates about that.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from random import Random
from typing import Any, ClassVar, NamedTuple

import numpy as np

from coterie.core.action import Action
from coterie.core.errors import CoterieError
from coterie.core.seeds import seed_of
from coterie.core.task import Progress
from coterie.motion.bodies import Mount
from coterie.motion.needs import mujoco
from coterie.worlds.tabletop.build import TABLE_AT, Rgba, box, mark, shaped
from coterie.worlds.tabletop.job import (
    DOWN,
    HIGH,
    TABLE_TOP,
    Box,
    Job,
    Layout,
    Leg,
    Need,
    Pose,
    Refusal,
    Xyz,
    above,
    alone,
    flat_distance,
    up,
)

TABLE, FLOOR = "table", "floor"
VERBS = ("pick", "place", "put", "pick_place", "wait")  # that a file can give to an arm
GOAL = "goal"  # of `Layout.more`: predicates, where they are not those of the file any more
WANTED = "Wanted: "  # before them in words
GAP_M = 0.03  # between things that are set down beside each other, for fingers
WALL_M, BOTTOM_M = 0.01, 0.01  # half of a wall's thickness, and the thickness of a bottom
SOFT_M = 0.006  # a thing is let go of this far above what it comes to lie on
CLEAR_M = 0.04  # what is carried passes this far above what stands around
TOP_M = 0.85  # no hand has to go higher for that
RASTER_M = 0.02  # of spots that are looked at on a place
TRIES = 500  # layouts that are drawn before there is no room
Rect = tuple[float, float, float, float]  # x0, y0, x1, y1
TABLE_RECT: Rect = (-1.58, 0.12, 1.58, 0.88)  # the table, 2 cm from its edge


class Place(NamedTuple):
    """A rectangle on the table; with a height it is a block, with walls a bin."""

    name: str
    at: tuple[float, float]
    half: tuple[float, float]
    height: float
    walls: float
    rgba: Rgba
    takes: tuple[str, ...] = ()  # things that may be put there; empty: any

    @property
    def top(self) -> float:
        return TABLE_TOP + max(self.height, BOTTOM_M if self.walls else 0.0)

    @property
    def rect(self) -> Rect:
        (x, y), (a, b) = self.at, self.half
        return (x - a, y - b, x + a, y + b)


class Thing(NamedTuple):
    """Something to take: its shape, and where it lies at first."""

    name: str
    shape: str  # "box", "cylinder", "ball" or "mesh"
    half: Xyz
    mass: float
    rgba: Rgba
    at: tuple[float, float] | None = None
    area: Rect | None = None  # anywhere in it
    on: tuple[str, ...] = ()  # on one of these places
    turn: float | None = None  # [rad]; None: any
    mesh: tuple[tuple[float, ...], tuple[int, ...]] = ((), ())  # corners and faces

    @property
    def radius(self) -> float:
        """Of the circle in which it lies however it is turned."""
        return self.half[0] if self.shape in ("cylinder", "ball") else math.hypot(*self.half[:2])


class Wish(NamedTuple):
    """A predicate of the goal: `cup on tray`, `cup off tray`, `cup held_by Ann`."""

    thing: str
    how: str
    other: str

    def __str__(self) -> str:
        return " ".join(self)

    @classmethod
    def of(cls, text: str) -> Wish:
        return cls(*text.split())

    def holds(self, where: Mapping[str, str], held: Mapping[str, str]) -> bool:
        """True if the condition holds, with things where they lie and in hands."""
        if self.how == HELD:
            return held.get(self.other) == self.thing
        return self.thing in where and (where[self.thing] == self.other) == (self.how == ON)


ON, OFF, HELD = "on", "off", "held_by"
HOWS = (ON, OFF, HELD)


@dataclass(eq=False, kw_only=True)
class WrittenJob(Job):
    """A job of picking and placing, made from data."""

    name: str  # type: ignore[misc]
    about: str
    rounds: int  # type: ignore[misc]
    mounts: tuple[Mount, ...]
    verbs: Mapping[str, tuple[str, ...]]  # type: ignore[misc]
    boxes: Mapping[str, Box]  # type: ignore[misc]
    spots: Mapping[str, Place]
    items: Mapping[str, Thing]
    wishes: tuple[Wish, ...]
    later: tuple[Wish, ...] = ()  # what is asked for after a change of the goal
    clutter: Sequence[Any] = ()
    view: tuple[Any, ...] = ()  # of `views.View`
    stretch: ClassVar = VERBS
    shown: dict[str, Any] = field(init=False)  # what a log has to say for pictures, where the file is not

    def __post_init__(self) -> None:
        self.can_change = bool(self.later)  # type: ignore[misc]
        self.tolerant = frozenset({*self.items, *self.spots, TABLE})  # type: ignore[misc]
        stacks = any(w.how == ON and w.other in self.items for w in (*self.wishes, *self.later))
        self.shown = {
            "things": list(self.items), "places": {n: list(p) for n, p in self.places(Layout({})).items()},
            "view": list(self.view), "stacks": stacks,
        }  # fmt: skip

    # -- the scene ------------------------------------------------------------------------------------------------
    def draw(self, rng: Random, mode: str) -> Layout:
        for _ in range(TRIES):
            things: dict[str, Pose] = {}
            for thing in self.items.values():
                pose = self._drawn(thing, rng, things)
                if pose is None:
                    break
                things[thing.name] = pose
            else:
                return Layout(things)
        raise CoterieError(f"'{self.name}': there is no room for {thing.name}; give it a larger area, or move others.")

    def _drawn(self, thing: Thing, rng: Random, others: Mapping[str, Pose]) -> Pose | None:
        """Where a thing lies at first; None where another one is."""
        turn = rng.uniform(0, 2 * math.pi) if thing.turn is None else thing.turn
        taken = [(p.at, self.items[n].radius) for n, p in others.items()]
        top, at = TABLE_TOP, thing.at
        if thing.on:
            place = self.spots[rng.choice(thing.on)]
            top, at = place.top, _free(place.rect, thing.radius, taken, place.walls)
        elif thing.area is not None:
            x0, y0, x1, y1 = thing.area
            at = (rng.uniform(x0, x1), rng.uniform(y0, y1))
        if at is None or any(math.dist(at, o[:2]) < r + thing.radius for o, r in taken):
            return None
        return Pose((*at, top + thing.half[2] + 0.001), turn)

    def furnish(self, spec: Any, layout: Layout) -> None:
        for name, place in self.spots.items():
            (x, y), (a, b) = place.at, place.half
            thick = place.top - TABLE_TOP
            if not thick:
                mark(spec.worldbody, name, (x, y, TABLE_TOP), (a, b, 0.001), place.rgba)
                continue
            body = box(spec.worldbody, name, (x, y, TABLE_TOP + thick / 2), (a, b, thick / 2), place.rgba)
            high = place.walls / 2
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)) if high else ():
                half = [WALL_M if dx else a, WALL_M if dy else b, high]
                at = [dx * a, dy * b, thick / 2 + high]
                body.add_geom(type=mujoco().mjtGeom.mjGEOM_BOX, pos=at, size=half, rgba=list(place.rgba))
        for name, thing in self.items.items():
            corners, faces = thing.mesh
            if corners:
                spec.add_mesh(name=f"{name}/mesh", uservert=list(corners), userface=list(faces), maxhullvert=32)
            shaped(spec, name, layout.things[name], thing.shape, thing.half, thing.rgba, thing.mass)

    def half(self, thing: str) -> Xyz | None:
        return self.items[thing].half if thing in self.items else None

    def solids(self, layout: Layout) -> tuple[tuple[Any, ...], ...]:
        raised = [p for p in self.spots.values() if p.top > TABLE_TOP]
        return tuple((p.name, *p.at, (p.top + TABLE_TOP) / 2, 0.0, *p.half, (p.top - TABLE_TOP) / 2) for p in raised)

    def reached(self, layout: Layout) -> tuple[Xyz, ...]:
        return tuple((*place.at, place.top) for place in self.spots.values())

    def places(self, layout: Layout) -> Mapping[str, Xyz]:
        return {n: (p.at[0], p.at[1], p.top) for n, p in self.spots.items()}

    def needs(self, table: Any) -> Iterator[Need]:
        """Some robot has a posture at every thing, and every robot at the places that it is told to reach."""
        for thing in self.items:
            yield [way for r in self.boxes for way in alone(r, self._taking(table, r, thing), tuple(self.items))]
        first = next(iter(self.items))
        for robot, place in product(self.boxes, self.spots.values()):
            if place.name in self.reach(robot):
                at = (*place.at, place.top + self.items[first].half[2] + SOFT_M)
                yield alone(robot, self._setting(table, robot, first, at), tuple(self.items))

    # -- what each can reach ----------------------------------------------------------------------------------------
    def reach(self, robot: str) -> tuple[str, ...]:
        """Places that a hand gets to, pointing down, by the arm's kinematics."""
        return _reaches(self)[robot]

    def reachable(self, table: Any, robot: str) -> list[str]:
        """Things that it gets to now, where they lie."""
        points = {n: above(table.pos(n), table.over(robot, n)) for n in self.items if not table.holder(n)}
        return _posed(table, robot, points)

    # -- acting ---------------------------------------------------------------------------------------------------
    def legs(self, table: Any, robot: str, action: Action) -> list[Leg] | Refusal:
        thing = str(action.args[0])
        taking = self._taking(table, robot, thing)
        if action.skill == "pick":
            return taking
        spot = self.spot(table, robot, thing, str(action.args[1]))
        if isinstance(spot, Refusal):
            return spot
        setting = self._setting(table, robot, thing, spot)
        return [*taking, *setting] if action.skill == "pick_place" else setting

    def _taking(self, table: Any, robot: str, thing: str) -> list[Leg]:
        at, (quats, free) = above(table.pos(thing), table.over(robot, thing)), table.turns(robot, thing)
        high = up(self._carry_z(table, robot, thing) - at[2])
        return [Leg(at, quats, free, approach=up(0.12), retreat=high, grasp=thing, touch=(thing,))]

    def _setting(self, table: Any, robot: str, thing: str, spot: Xyz) -> list[Leg]:
        at = above(spot, table.over(robot, thing))
        high = up(max(self._carry_z(table, robot, thing) - at[2], 0.08))
        return [Leg(at, free_yaw=True, approach=high, retreat=up(0.15), release=thing, touch=(thing,))]

    def _carry_z(self, table: Any, robot: str, thing: str) -> float:
        """The height of a hand whose thing passes above all that stands on the table."""
        tops = [table.pos(n)[2] + max(t.half) for n, t in self.items.items() if n != thing and not table.holder(n)]
        tops += [p.top + p.walls for p in self.spots.values()]
        below = self.items[thing].half[2] + table.over(robot, thing)
        return min(max(HIGH, max(tops, default=TABLE_TOP) + CLEAR_M + below), TOP_M)

    def spot(self, table: Any, robot: str, thing: str, target: str) -> Xyz | Refusal:
        """Where the middle of a thing is let go of."""
        own, others = self.items[thing], [n for n in self.items if n != thing and not table.holder(n)]
        if target in self.items:
            x, y, z = table.pos(target)
            return (x, y, z + self.items[target].half[2] + own.half[2] + SOFT_M)
        taken = [(table.pos(n), self.items[n].radius) for n in others]
        if target in self.spots:
            place = self.spots[target]
            at, top = _free(place.rect, own.radius, taken, place.walls), place.top
        else:
            mount = next(m for m in self.mounts if m.name == robot)
            fixed = [((*p.at, 0.0), math.hypot(*p.half)) for p in self.spots.values()]
            near = (table.pos(f"{mount.name}/base")[0], TABLE_AT[1] + (mount.at[1] - TABLE_AT[1]) / 4)
            at, top = _free(TABLE_RECT, own.radius, [*taken, *fixed], 0.0, near), TABLE_TOP
        if at is None:
            words = f"there is no room for {thing} on {target}; clear something away first"
            return Refusal("free_place", words, ("room", (target, thing), False))
        return (*at, top + own.half[2] + SOFT_M)

    def laid_at(self, table: Any, robot: str) -> tuple[float, float] | None:
        spot = self.spot(table, robot, table.held[robot], TABLE)
        return None if isinstance(spot, Refusal) else spot[:2]

    def sides(self, thing: str) -> tuple[int, float]:
        item = self.items[thing]
        if item.shape in ("cylinder", "ball"):
            return 0, 0.0
        x, y, _ = item.half
        if item.shape == "box" and math.isclose(x, y, rel_tol=0.05):
            return 4, 0.0
        return 2, 0.0 if x < y else math.pi / 2

    def turn(self, thing: str, yaw: float) -> float:
        same = self.sides(thing)[0]
        return yaw % (2 * math.pi / same) if same else 0.0

    def homing(self, action: Action) -> bool:
        return action.skill != "wait"

    def rules(self, table: Any, joint: Mapping[str, Action]) -> Refusal | None:
        where = self.where(table)
        under = {below: thing for thing, below in where.items()}
        goes: dict[str, str] = {}
        for robot, action in joint.items():
            if not action.args:
                continue
            thing, target = str(action.args[0]), str(action.args[-1])
            if action.skill in ("pick", "pick_place") and thing in under:
                words = f"{thing} lies under {under[thing]}; take that away first"
                return Refusal("clear", words, ("on", (under[thing],), thing)).of(robot)
            if action.skill == "pick":
                continue
            wrong = self._unfit(table, thing, target, where, under)
            if wrong is not None:
                return wrong.of(robot)
            if target in goes:
                words = f"{goes[target]} puts something on {target} in this round; wait for the next one"
                return Refusal("own_target", words, ("target", (target,), goes[target])).of(robot)
            goes[target] = robot
        moved = {str(a.args[0]) for a in joint.values() if a.args}
        twice = next((t for t in goes if t in moved), None)
        if twice is None:
            return None
        return Refusal("at_rest", f"{twice} is moved in this round; nothing can be put on it")

    def _unfit(
        self, table: Any, thing: str, target: str, where: Mapping[str, str], under: Mapping[str, str]
    ) -> Refusal | None:
        """Why a thing may not come to lie on a target."""
        if target in self.items and (target == thing or target not in where):
            return Refusal("target", f"{thing} cannot be put on {target}", ("target", (target,), False))
        if target in self.items and under.get(target, thing) != thing:
            words = f"{under[target]} lies on {target} already"
            return Refusal("clear", words, ("on", (under[target],), target))
        takes = self.spots[target].takes if target in self.spots else ()
        if takes and thing not in takes:
            words = f"{target} is for {', '.join(takes)} alone"
            return Refusal("takes", words, ("takes", (target,), takes))
        return None

    # -- seeing and counting --------------------------------------------------------------------------------------
    def where(self, table: Any) -> dict[str, str]:
        """Where each thing lies: on another thing, a place, the table or the floor; those in hands are left out."""
        touches, found = table.touches(), {}
        for name in self.items:
            if not table.holder(name):
                found[name] = self._under(table, name, touches)
        return found

    def _under(self, table: Any, name: str, touches: set[frozenset[str]]) -> str:
        x, y, z = at = table.pos(name)
        for other, item in self.items.items():
            if other != name and frozenset((name, other)) in touches:
                below = table.pos(other)
                if below[2] < z - min(item.half) / 2 and flat_distance(at, below) < item.radius:
                    return other
        if z < TABLE_TOP:
            return FLOOR
        for place in self.spots.values():
            x0, y0, x1, y1 = place.rect
            if x0 <= x <= x1 and y0 <= y <= y1 and z < place.top + self.items[name].radius + self.items[name].half[2]:
                return place.name
        return TABLE

    def full(self, table: Any) -> list[str]:
        """Places on which there is no room for any thing that does not lie there."""
        where, found = self.where(table), []
        for name in self.spots:
            rest = [t for t in self.items if where.get(t) != name]
            if rest and all(isinstance(self.spot(table, self.mounts[0].name, t, name), Refusal) for t in rest):
                found.append(name)
        return found

    def notes(self, table: Any, robot: str) -> dict[str, str]:
        where = self.where(table)
        notes = {n: f"{n} is on {where[n]}" if n in where else f"{n} is held by {table.holder(n)}" for n in self.items}
        notes |= {n: f"{n} has no room left" for n in self.full(table)}
        near = self.reachable(table, robot)
        can, held = ", ".join(near) or "nothing", table.held.get(robot) or "nothing"
        notes[robot] = f"{robot} can take {can}; {robot}'s gripper holds {held}"
        return notes

    def wanted_now(self, layout: Layout) -> tuple[Wish, ...]:
        return tuple(map(Wish.of, layout.more[GOAL])) if GOAL in layout.more else self.wishes

    def wanted(self, layout: Layout) -> tuple[str, ...]:
        named = {name for wish in self.wanted_now(layout) for name in (wish.thing, wish.other)}
        return tuple(n for n in self.items if n in named)

    def progress(self, table: Any) -> Progress:
        wishes, where = self.wanted_now(table.layout), self.where(table)
        good = sum(w.holds(where, table.held) for w in wishes)
        fallen = [w.thing for w in wishes if where.get(w.thing) == FLOOR]
        met = f"{good} of {len(wishes)} {'wish is' if len(wishes) == 1 else 'wishes are'} met."
        text = f"{fallen[0]} fell off the table." if fallen else met
        return Progress(good == len(wishes), good / len(wishes), text, lost=bool(fallen))

    def goal(self, layout: Layout) -> str:
        said = f"{self.about.rstrip('.')}. " if self.about else ""
        return f"{said}{WANTED}{'; '.join(map(str, self.wanted_now(layout)))}."

    def changed(self, table: Any, rng: Random) -> Layout | None:
        where = self.where(table)
        if not self.later or all(w.holds(where, table.held) for w in self.later):
            return None
        more = {**table.layout.more, GOAL: [str(w) for w in self.later]}
        return Layout(table.layout.things, table.layout.fixed, more)

    def role(self, robot: str) -> str:
        takes = [f"{n} is for {', '.join(p.takes)} alone" for n, p in self.spots.items() if p.takes]
        return ". ".join([
            f"{robot} reaches {', '.join(self.reach(robot)) or 'no place'}, and {TABLE} before it", *takes,
            "In a round, one robot at most puts something on a place; what lies under a thing cannot be taken.",
        ])  # fmt: skip

    def area(self, thing: str, at: Xyz) -> str:
        rects = {n: p.rect for n, p in self.spots.items()}
        found = [n for n, (x0, y0, x1, y1) in rects.items() if x0 <= at[0] <= x1 and y0 <= at[1] <= y1]
        return found[0] if found else super().area(thing, at)

    def targets(self, robot: str, skill: str) -> tuple[str, ...]:
        return (*self.spots, TABLE, *self.items) if skill not in ("pick", "wait") else ()


def _free(
    rect: Rect, radius: float, taken: Sequence[tuple[Xyz, float]], walls: float, near: Sequence[float] = ()
) -> tuple[float, float] | None:
    """The free spot of a rectangle that is nearest to its middle, or to another point; a thing may be longer than the
    rectangle, and then goes to its middle."""
    x0, y0, x1, y1 = rect
    middle = near or ((x0 + x1) / 2, (y0 + y1) / 2)
    inset = radius + (2 * WALL_M + GAP_M if walls else 0.0)
    axes = [_marks(lo, hi, inset) for lo, hi in ((x0, x1), (y0, y1))]
    for at in sorted(product(axes[0], axes[1]), key=lambda p: (round(math.dist(p, middle), 6), p)):
        if all(math.dist(at, o[:2]) >= r + radius + GAP_M for o, r in taken):
            return at
    return None


def _marks(lo: float, hi: float, inset: float) -> list[float]:
    """Points on a raster between two walls, from the middle; the middle alone where there is no room."""
    middle, count = (lo + hi) / 2, int(max(0.0, (hi - lo) / 2 - inset) / RASTER_M)
    return [round(middle + k * RASTER_M, 4) for k in range(-count, count + 1)]


@lru_cache(maxsize=64)
def _reaches(job: WrittenJob) -> dict[str, tuple[str, ...]]:
    """The places of each robot; complains about arms that stand in something, and places that nobody reaches."""
    from coterie.worlds.tabletop.table import Table

    table = Table(job, job.draw(Random(0), ""), at_rest=False)
    for a, b in sorted(map(sorted, table.touches())):
        if {a, b} & set(job.boxes):
            raise CoterieError(f"'{job.name}': {a} and {b} touch at the beginning; move one, or `turn` an arm.")
    points = {n: (*p.at, p.top + 0.1) for n, p in job.spots.items()}
    found = {m.name: tuple(_posed(table, m.name, points)) for m in job.mounts}
    for wish in (*job.wishes, *job.later):
        if wish.how == ON and wish.other in points and not any(wish.other in own for own in found.values()):
            raise CoterieError(f"'{job.name}': no arm reaches {wish.other}, which '{wish}' asks for; move one of them.")
    return found


def _posed(table: Any, robot: str, points: Mapping[str, Xyz]) -> list[str]:
    """The names of points at which a hand can be, pointing down, and from which it can rise."""
    from coterie.motion import ik

    arm, data, found = table.arms[robot], table.spare.blank(), []
    data.qpos[:] = table.data.qpos
    for name, at in points.items():
        rng = np.random.default_rng(seed_of(0, name))
        ways: dict[str, Any] = {"start": arm.home, "free_yaw": True, "rng": rng, "tries": 12}
        rising = (at, (*at[:2], max(at[2] + 0.1, HIGH)))
        if all(ik.solve(table.model, data, arm, p, DOWN, **ways) is not None for p in rising):
            found.append(name)
    table.spare.back(data)
    return found
