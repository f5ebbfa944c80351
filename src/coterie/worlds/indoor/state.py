"""The truth of a house as a store of facts, with what geometry and cards add to it.

Skills are judged on it and their effects are applied to it; drivers, perception, changes and arms share it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from coterie.core.card import Card
from coterie.core.errors import CoterieError
from coterie.core.seeds import rng_of
from coterie.core.skill import Rule, Skill
from coterie.core.task import Goal, Task
from coterie.houses.scene import dist
from coterie.motion.grid import Point
from coterie.worlds.indoor.arms import FREE, Found
from coterie.worlds.indoor.fluents import Look, fluents_of
from coterie.worlds.indoor.setting import Noise, Setting, Thing
from coterie.worlds.indoor.skills import skills

NOTHING: frozenset[str] = frozenset()


class Arms(Protocol):
    """Answers for arms that plan."""

    def pick(self, robot: str, thing: str) -> Found: ...
    def place(self, robot: str, thing: str, platform: str) -> Found: ...


class Truth(dict[tuple[str, ...], Any]):
    """Stored facts of a house, by predicate and arguments; derived ones are worked out when they are asked for:
    `truth["mass", "mug_0"]`. `in` and `get` tell what is stored alone."""

    __slots__ = ("derived",)
    derived: dict[str, Callable[..., object]]  # by predicate: from the arguments to the value

    def __missing__(self, key: tuple[str, ...]) -> object:
        derive = self.derived.get(key[0])
        return skills.initials.get(key[0]) if derive is None else derive(*key[1:])


class HouseState:
    """The truth of a house: who and what is where, and what follows from it."""

    def __init__(self, task: Task, seed: int, noise: Noise):
        self.setting: Setting = task.setting
        self.scene = self.setting.scene
        self.rules: tuple[Rule, ...] = task.rules
        self.goal: Goal = task.goal
        self.noise = noise
        self.seed = seed
        self.now = 0.0
        self.version = 0
        self.fluents = fluents_of(self.setting)
        self.things: dict[str, Thing] = {t.name: t for t, _, _ in self.setting.things}
        self.cards: dict[str, Card] = {}
        self.truth = Truth()
        self.inside: dict[str, list[str]] = {}
        self.look: Look = self.fluents.over(
            self.truth.__getitem__,
            {"robots": lambda look: tuple(self.cards), "bodies": lambda look: self.cards.items()},
        )
        self.truth.derived = {
            "card": self.cards.get,
            "contents": lambda place: tuple(self.inside.get(place, ())),
            "mass": self.mass,
            "hearers": self.hearers,
            "heard_by": lambda robot, to: ", ".join(self.hearers(robot, to)),
            "shut_rooms": lambda robot: NOTHING,
            "allowed": lambda *_: True,  # zones that were closed to a robot are stored as False
            "stand_allowed": lambda *_: True,
            "may_place": self._may_place,
            "arm_found": lambda *of: self.arm_found(*of).what if self.arms is not None else FREE,
            "arm_touched": lambda *of: self.arm_found(*of).touches if self.arms is not None else FREE,
        }
        self.rng = rng_of(seed, "noise")
        self.arms: Arms | None = None
        self._traced: dict[tuple[str, ...], None] = {}  # what has changed since it was last asked
        for f in self.scene.furniture:
            if f.opens:
                self.truth["open", f.name] = f.open
        for d in self.scene.doors:
            if d.swings:
                self.truth["open", d.name] = d.open
        self._shut_doors()
        for thing, place, spot in self.setting.things:
            self.set(("where", thing.name), place)
            self.truth["spot", thing.name] = spot
        starts = dict(self.setting.starts)
        for name, card in task.robots:
            self.add_robot(name, card, starts.get(name))
        self._traced.clear()

    # -- truth ----------------------------------------------------------------------------------------------------
    def get(self, key: tuple[str, ...]) -> object:
        return self.truth[key]

    def _may_place(self, robot: str, place: str) -> bool:
        """True if a robot may do the final placement, where the task has a rule about it."""
        return self.cards[robot].mobility == "fixed" or place not in self.fluents.platforms

    def arm_found(self, robot: str, thing: str, place: str | None = None) -> Found:
        """The result of planning an arm's path to a thing, or with it to a place. Geometric arms always find a path."""
        if self.arms is not None:
            return self.arms.pick(robot, thing) if place is None else self.arms.place(robot, thing, place)
        if place is None:
            return Found(FREE)
        spot = self.fluents.free_spot(self.look, self.cards[robot], self.truth["pose", robot], place)
        return Found(FREE, "", spot)

    def set(self, key: tuple[str, ...], value: Any) -> None:
        pred = key[0]
        if pred == "where":
            thing, old = key[1], self.truth.get(key)
            if old is not None:
                self.inside[old].remove(thing)
            self.inside.setdefault(value, []).append(thing)
        self.truth[key] = value
        if pred == "spot":  # what lies in it moves with it
            for inner in self.inside.get(key[1], ()):
                self.set(("spot", inner), value)
        elif pred == "allowed" and key[2] in self.scene.room:
            barred = self.truth.get(("shut_rooms", key[1]), NOTHING) - {key[2]}
            self.truth["shut_rooms", key[1]] = barred if value else barred | {key[2]}
        elif pred == "open" and key[1] in self.scene.door:
            self._shut_doors()
        self._traced[key] = None
        self.version += 1

    def mass(self, name: str) -> float:
        """Of a thing with all that lies in it [kg]."""
        thing = self.things.get(name)
        if thing is None:
            return 0.0
        return thing.mass_kg + (sum(map(self.mass, self.inside.get(name, ()))) if thing.holds else 0)

    def _shut_doors(self) -> None:
        shut = [d.name for d in self.scene.doors if d.swings and not self.truth["open", d.name]]
        self.truth["shut_doors",] = frozenset(shut)

    def put(self, thing: str, place: str, spot: tuple[float, float, float]) -> None:
        """Lay a thing somewhere, outside of any skill."""
        self.set(("where", thing), place)
        self.set(("spot", thing), spot)

    def hearers(self, robot: str, recipients: Any) -> tuple[str, ...]:
        if not isinstance(recipients, (str, tuple, list)):
            return ()
        wanted = (recipients,) if isinstance(recipients, str) else tuple(recipients)
        everybody = "all" in wanted
        return tuple([n for n in self.cards if n != robot and (everybody or n in wanted)])

    def distance(self, a: str, b: str) -> float | None:
        """Between two robots [m]; a radio may not reach so far."""
        here, there = self.truth.get(("pose", a)), self.truth.get(("pose", b))
        return None if here is None or there is None else dist(here, there)

    def skill(self, name: str) -> Skill | None:
        return skills.find(name)

    # -- robots ---------------------------------------------------------------------------------------------------
    def add_robot(self, name: str, card: Card, start: Point | None = None) -> None:
        if name in self.cards:
            raise CoterieError(f"There is already a robot named '{name}'; give one of them another name.")
        if card.mobility == "fixed":
            work = self.scene.work
            if work is None:
                raise CoterieError(
                    f"Scene '{self.scene.name}' has no work table for a fixed arm; take {card.body} out of the team."
                )
            if any(c.mobility == "fixed" for c in self.cards.values()):
                raise CoterieError("The work table has room for one fixed arm; take one out of the team.")
            pose, at, stand = work.arm, work.table, None  # type: Point, str | None, str | None
        else:
            pose, at, stand = self._start_pose(card, start)
        self.cards[name] = card
        for pred, value in (("pose", pose), ("at", at), ("stand", stand), ("holding", None), ("used", 0)):
            self.set((pred, name), value)

    def _start_pose(self, card: Card, start: Point | None) -> tuple[Point, str | None, str | None]:
        """The wanted point, or a free one near the middle of the work table's room, in nobody's way."""
        grid = self.scene.nav(card, self.scene.closed_doors).grid
        others = [self.truth["pose", n] for n, c in self.cards.items() if c.mobility == card.mobility]
        if start is None:
            start = self._middle()
        for ring in range(12):
            for k in range(max(1, 6 * ring)):
                wanted = (start[0] + 0.5 * ring * _COS[k % 12], start[1] + 0.5 * ring * _SIN[k % 12])
                free = grid.nearest_free(wanted, 1.0)
                if free is None or self._in_the_way(free):
                    continue
                if all(dist(free, o) >= 0.6 for o in others):
                    return free, None, None
        for free in self._free_anywhere(card, start):
            if all(dist(free, o) >= 0.6 for o in others):
                return free, None, None
        raise CoterieError(
            f"There is no free place for a {card.body} to begin in scene '{self.scene.name}'; take robots out of the "
            "team or a larger scene, like hall."
        )

    def _middle(self) -> Point:
        """Of the room with the work table, or of the first room."""
        table = self.scene.work_table
        name = self.scene.piece[table].room if table is not None else self.scene.rooms[0].name
        room = self.scene.room[name].rect
        return ((room[0] + room[2]) / 2, (room[1] + room[3]) / 2)

    def _in_the_way(self, p: Point) -> bool:
        known = self.scene.in_the_way
        if p not in known:
            known[p] = any(dist(p, s) < 0.35 for s in self.scene.stand_poses.values())
        return known[p]

    def _free_anywhere(self, card: Card, start: Point) -> tuple[Point, ...]:
        """Places to begin when the room of the work table is full: all over the house, the nearest first."""
        planner = self.scene.nav(card, self.scene.closed_doors)
        key = (card.mobility, id(planner), start)
        if key not in self.scene.begin:
            grid = planner.grid
            home = grid.nearest_free(start, 3.0)
            cells = [grid.centre(c) for c in range(0, grid.nx * grid.ny, 2) if not grid.blocked(c)]
            good = [c for c in cells if home is not None and planner.linked(home, c) and not self._in_the_way(c)]
            self.scene.begin[key] = tuple(sorted(good, key=lambda c: (dist(c, start), c)))
        return self.scene.begin[key]

    def remove_robot(self, name: str) -> str | None:
        """Take a robot out; what it held drops where it stood. Returns the dropped thing."""
        held = self.truth["holding", name]
        if held is not None:
            x, y = self.truth["pose", name]
            card, table = self.cards[name], self.scene.work_table
            if card.mobility == "fixed" and table is not None:
                spot = self.fluents.free_spot(self.look, card, (x, y), table)
                self.put(held, table, spot or (x, y, self.scene.piece[table].surface_m))
            else:
                place, spot = self._floor_near((x, y))
                self.put(held, place, spot)
        del self.cards[name]
        for pred in ("pose", "at", "stand", "holding", "used"):
            del self.truth[pred, name]
        self.truth.pop(("felt", name), None)
        self.version += 1
        return held

    def _floor_near(self, p: Point) -> tuple[str, tuple[float, float, float]]:
        """Where a dropped thing comes to rest: the nearest stand pose of furniture that ground robots can visit."""
        low = [f for f in self.scene.places if f.surface_m <= 1.6]
        room = self.scene.room_at(p)
        low = [f for f in low if f.room == room] or low  # not through a wall
        _, name, stand = min((dist(s, p), f.name, s) for f in low for s in f.stands)
        return f"floor@{name}", (*stand, 0.0)


_COS = (1.0, 0.866, 0.5, 0.0, -0.5, -0.866, -1.0, -0.866, -0.5, 0.0, 0.5, 0.866)
_SIN = (0.0, 0.5, 0.866, 1.0, 0.866, 0.5, 0.0, -0.5, -0.866, -1.0, -0.866, -0.5)
