"""A whole world in one file: a warden unlocks the doors of a corridor, and a mule carries parcels to its end.

    coterie run corridor-haul --load examples/corridor.py --level long --picture corridor.svg
    coterie bench corridor-haul:long --load examples/corridor.py --methods porters,porters+guard --episodes 10

docs/write-a-world.md walks through it from top to bottom.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from coterie.core.action import WAIT, Action
from coterie.core.card import Card
from coterie.core.config import Config
from coterie.core.entry import WorldEntry, worlds
from coterie.core.errors import unknown_name
from coterie.core.expr import Lookup, eq, fl, ne
from coterie.core.fact_world import WAITING, FactWorld
from coterie.core.facts import UNKNOWN, Fact
from coterie.core.protocol import RobotView, SoloProtocol, protocols
from coterie.core.seeds import rng_of
from coterie.core.skill import Clause, Effect, Param, Skill
from coterie.core.task import Progress, Task, goals
from coterie.log.state import State
from coterie.render.describe import Door, FloorPlan, Frame, Item, Region
from coterie.render.pictures import Pictures
from coterie.render.states import agent, colours, frame, subtitle, title

# -- what robots can do, as data ------------------------------------------------------------------------------------
WAYS = {"left": -1, "right": 1}


def _step(way: str) -> Skill:
    return Skill(
        way, (), help=f"go one cell {way}", says="{robot} went to {at(robot)}.",
        when=(
            Clause(ne(fl("next", "?robot", way), None), f"the corridor ends {way} of {{robot}}."),
            Clause(eq(fl("shut", "?robot", way), False), f"the door in {{next(robot, {way})}} is shut."),
        ),
        then=(Effect(fl("at", "?robot"), fl("next", "?robot", way)),),
    )  # fmt: skip


SKILLS = {s.name: s for s in (
    _step("left"),
    _step("right"),
    Skill(
        "unlock", (Param("door", "cell"),), help="open a door beside the robot", says="{robot} opened the door {door}.",
        when=(
            Clause(eq(fl("door", "?door"), True), "there is no door in {door}."),
            Clause(eq(fl("beside", "?robot", "?door"), True), "{robot} does not stand beside {door}."),
        ),
        then=(Effect(fl("open", "?door"), True),), duration_s=2.0,
    ),
    Skill(
        "take", (Param("parcel", "thing"),), help="pick up a parcel that lies here", says="{robot} took {parcel}.",
        when=(
            Clause(eq(fl("holding", "?robot"), None), "{robot} already carries {holding(robot)}."),
            Clause(eq(fl("where", "?parcel"), fl("at", "?robot")), "{parcel} does not lie where {robot} is."),
        ),
        then=(Effect(fl("where", "?parcel"), "?robot"), Effect(fl("holding", "?robot"), "?parcel")),
    ),
    Skill(
        "put", (Param("parcel", "thing"),), help="put the parcel down here", says="{robot} put {parcel} down.",
        when=(Clause(eq(fl("holding", "?robot"), "?parcel"), "{robot} does not carry {parcel}."),),
        then=(Effect(fl("where", "?parcel"), fl("at", "?robot")), Effect(fl("holding", "?robot"), None)),
    ),
    WAITING,
)}  # fmt: skip
WARDEN = Card("Warden", "Wilma", "ground", ("left", "right", "unlock", WAIT), "a robot with keys", speed_mps=1.0)
MULE = Card("Mule", "Moritz", "ground", ("left", "right", "take", "put", WAIT), "a robot with a bed", speed_mps=0.5)


# -- what is to be done, drawn from a seed --------------------------------------------------------------------------
@dataclass(frozen=True)
class Haul:
    """Every parcel lies in the last cell."""

    parcels: tuple[str, ...]
    cell: str
    kind: str = "haul"

    def progress(self, look: Lookup) -> Progress:
        there = sum(look("where", p) == self.cell for p in self.parcels)
        return Progress(there == len(self.parcels), there / len(self.parcels), f"{there} of {len(self.parcels)} there.")

    def text(self) -> str:
        return f"Bring {', '.join(self.parcels)} to {self.cell}."

    def facts(self) -> list[Fact]:
        return [Fact("goal", (), self)]

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "parcels": list(self.parcels), "cell": self.cell}


goals.put("haul", lambda data: Haul(tuple(data["parcels"]), data["cell"]))
LEVELS = {"short": (8, 1), "long": (14, 3)}  # cells; doors, and as many parcels


def draw(config: Config) -> Task:
    """bring parcels through locked doors to the end of a corridor"""
    if config.level not in LEVELS:
        raise unknown_name("level of the corridor", config.level, LEVELS)
    (length, some), rng = LEVELS[config.level], rng_of("corridor", config.seed)
    cells = [f"c{i}" for i in range(length)]
    doors = tuple(sorted(rng.sample(cells[2:-1], some)))
    parcels = {f"parcel_{i}": rng.choice([c for c in cells[:-1] if c not in doors]) for i in range(some)}
    return Task(
        name="corridor-haul",
        goal=Haul(tuple(parcels), cells[-1]),
        setting=(cells, doors, parcels),
        robots=((WARDEN.name, WARDEN), (MULE.name, MULE)),
        step_limit=10 * length,
        seed=config.seed,
        about={"level": config.level, "team": config.team, "scene": config.scene},
    )


# -- the truth, what follows from it, and who sees what of it -------------------------------------------------------
class Corridor(FactWorld):
    skills = SKILLS

    def begin(self, task: Task) -> None:
        self.cells, self.doors, self.parcels = task.setting
        for door in self.doors:
            self.set(("open", door), False)
        for parcel, cell in self.parcels.items():
            self.set(("where", parcel), cell)

    def enter(self, robot: str) -> None:
        self.set(("at", robot), self.cells[0])
        self.set(("holding", robot), None)

    def leave(self, robot: str) -> None:
        if self.get("holding", robot):
            self.set(("where", self.truth["holding", robot]), self.truth["at", robot])

    def took(self, robot: str, skill: Skill) -> float:
        return 1.0 / self.cards[robot].speed_mps if skill.name in WAYS else skill.duration_s

    def derive(self, get: Callable[..., Any], pred: str, *args: Any) -> object:
        """Read over the truth by the world, over a belief by guard rails; what follows from an unknown is unknown."""
        if pred == "door":
            return args[0] in self.doors
        if pred not in ("next", "shut", "beside"):
            return get(pred, *args)
        at = get("at", args[0])
        if at is UNKNOWN:
            return UNKNOWN
        if pred == "beside":
            return args[1] in (self._next(at, way) for way in WAYS)
        there = self._next(at, args[1])
        if pred == "next" or there is None:
            return there
        is_open = get("open", there) if there in self.doors else True
        return UNKNOWN if is_open is UNKNOWN else not is_open

    def _next(self, cell: str, way: str) -> str | None:
        i = self.cells.index(cell) + WAYS[way]
        return self.cells[i] if 0 <= i < len(self.cells) else None

    def distance(self, a: str, b: str) -> float | None:
        """So that a radio can have a range; a cell is one metre long."""
        here, there = self.get("at", a), self.get("at", b)
        return float(abs(self.cells.index(here) - self.cells.index(there))) if here and there else None

    def sees(self, robot: str) -> Iterator[tuple[str, ...]]:
        """Itself and its load, its own cell and the two beside it."""
        at, load = self.truth["at", robot], self.truth["holding", robot]
        yield from (("at", robot), ("holding", robot))
        yield from [("where", load)] if load else []
        for cell in filter(None, (at, *(self._next(at, way) for way in WAYS))):
            yield ("contents", cell)
            yield from [("open", cell)] if cell in self.doors else []

    def map(self) -> Mapping[tuple[str, ...], object]:
        return {("cell", cell): True for cell in self.cells}

    def listings(self) -> Mapping[str, str]:
        return {"contents": "where"}  # to see the contents of a cell is to see where things are, and are not

    def start_data(self) -> dict[str, Any]:
        scene = {"name": "corridor", "cells": self.cells, "locked": self.doors}
        things = [[p, "parcel", "", cell, []] for p, cell in self.parcels.items()]
        return {**super().start_data(), "scene": scene, "things": things}


# -- a mind that thinks for one robot, from what it has seen --------------------------------------------------------
class Porters(SoloProtocol):
    """The warden opens door after door; the mule fetches what it has seen, and looks around while it knows of none."""

    about = "corridor: errands for one robot"

    def act(self, me: RobotView) -> Action:
        goal, here, load = me.look("goal"), str(me.look("at", me.name)), me.look("holding", me.name)
        cells = [key[1] for key in me.belief.base if key[0] == "cell"]
        far = lambda cell: abs(cells.index(cell) - cells.index(here))  # noqa: E731
        if "unlock" in me.skills:
            shut = [c for c in cells if me.look("door", c) and me.look("open", c) is not True]
            if not shut:
                return Action(WAIT, why="every door is open")
            door = min(shut, key=far)
            return Action("unlock", (door,)) if far(door) == 1 else self._walk(me, cells, here, door)
        if load:
            return Action("put", (load,)) if here == goal.cell else self._walk(me, cells, here, goal.cell)
        lying = {p: me.look("where", p) for p in goal.parcels if me.look("where", p) not in (UNKNOWN, goal.cell)}
        for parcel, cell in sorted(lying.items(), key=lambda item: far(item[1])):
            return Action("take", (parcel,)) if cell == here else self._walk(me, cells, here, cell)
        unseen = [c for c in cells if me.look("contents", c) is UNKNOWN]
        return self._walk(me, cells, here, min(unseen, key=far)) if unseen else Action(WAIT, why="all is done")

    def _walk(self, me: RobotView, cells: Sequence[str], here: str, there: str) -> Action:
        way = "right" if cells.index(there) > cells.index(here) else "left"
        shut = me.look("shut", me.name, way) is True
        return Action(WAIT, why="the door is shut") if shut else Action(way, why=f"to {there}")


# -- how it looks ---------------------------------------------------------------------------------------------------
class CorridorPictures(Pictures):
    def plan(self, state: State) -> FloorPlan:
        cells = list(enumerate(state.start.scene["cells"]))
        regions = [Region(c, ((x, 0), (x + 1, 0), (x + 1, 2), (x, 2)), "cell", note=c) for x, c in cells]
        doors = [Door(c, (x, 0), (x, 2)) for x, c in cells if c in state.start.scene["locked"]]
        return FloorPlan(title(state.start), subtitle(state.start), tuple(regions), doors=tuple(doors))

    def frame(self, state: State, whole: bool = False) -> Frame:
        x = {cell: i + 0.5 for i, cell in enumerate(state.start.scene["cells"])}
        things, hue = state.things.values(), colours(state)
        lying = [Item(t.name, (x[t.place] - 0.3 + 0.3 * i, 0.4), t.kind) for i, t in enumerate(things) if t.place in x]
        agents = []
        for i, (name, robot) in enumerate(state.robots.items()):
            held = next((Item(t.name, (0, 0), t.kind) for t in things if t.place == name), None)
            at = (x[str(robot.at)], 1.55 - 0.8 * i)
            agents.append(agent(state, robot, hue[name], whole, at=at, held=held, where=f"at {robot.at}"))
        shut = frozenset(cell for cell in state.start.scene["locked"] if not state.open.get(cell))
        return frame(state, whole, items=tuple(lying), agents=tuple(agents), shut=shut)


# -- where everybody else finds it ----------------------------------------------------------------------------------
class CorridorEntry(WorldEntry):
    name = "corridor"
    about = "a corridor with locked doors; one robot opens them, another carries parcels through"
    place = "corridor"
    protocol = "porters"
    takes = frozenset({"level"})
    usual = {"team": "Warden-Mule", "scene": "corridor", "level": "short"}

    def __init__(self) -> None:
        super().__init__()
        self.tasks.put("corridor-haul", draw)
        for card in (WARDEN, MULE):
            self.bodies.put(card.body, card)
        for skill in SKILLS.values():
            self.skills.put(skill.name, skill)

    def world(self, task: Task, config: Config) -> Corridor:
        return Corridor(task)

    def levels(self) -> Mapping[str, str]:
        return {name: f"{cells} cells, {doors} locked" for name, (cells, doors) in LEVELS.items()}

    def pictures(self) -> Pictures:
        return CorridorPictures()

    def reached(self, goal: Mapping[str, Any], world: Any) -> bool:
        return all(world.truth["where", parcel] == goal["cell"] for parcel in goal["parcels"])


worlds.put(CorridorEntry.name, CorridorEntry())
protocols.put("porters", Porters, "no-model", CorridorEntry.name)
