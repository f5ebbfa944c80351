"""A house from above, described from its log: rooms, furniture, platforms, things, the team and where it went."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from coterie.core.errors import CoterieError
from coterie.houses import model
from coterie.houses.checks import WALKER
from coterie.houses.model import Furniture, Room, furniture_on, rect_corners
from coterie.houses.scene import Scene, nearest_in
from coterie.log.state import RobotState, State, ThingState
from coterie.motion.grid import Grid, Planner
from coterie.render.describe import (
    Agent,
    Barrier,
    Door,
    Fixture,
    FloorPlan,
    Frame,
    Item,
    Pin,
    Point,
    Region,
    Trail,
)  # fmt: skip
from coterie.render.pictures import Pictures
from coterie.render.states import agent, colours, frame, subtitle, title


class Routes:
    """The house of a log, and the ways that robots went through it."""

    def __init__(self, scene: dict[str, Any]):
        self.scene = scene
        rooms = tuple(Room(name, kind, _outline(shape)) for name, kind, *shape in scene["rooms"])
        furniture = tuple(map(_piece, scene["furniture"]))
        self.house = Scene(scene.get("name", ""), rooms, (), tuple(map(_door, scene["doors"])), furniture)
        self._found: dict[tuple[Planner, Point, Point], tuple[Point, ...]] = {}  # robots take the same paths again

    def between(self, card: dict[str, Any], a: Point, b: Point) -> tuple[Point, ...]:
        """Corner points from a to b; a straight line where no path is found."""
        if a == b:
            return (a,)
        known = {key: card[key] for key in ("mobility", "height_m", "footprint_m") if key in card}
        planner = self.house.nav(replace(WALKER, **{"height_m": 1.0, **known}))
        key = (planner, a, b)
        if key not in self._found:
            found = planner.path(a, b)
            cells = [planner.grid.centre(c) for c in found[1]] if found is not None else []
            self._found[key] = _pull(planner.grid, [a, *cells[1:-1], b]) if found is not None else (a, b)
        return self._found[key]


def _outline(shape: Sequence[Any]) -> tuple[Point, ...]:
    """Of a room: a rectangle, or the corners that stand behind it."""
    rect, *corners = shape
    return tuple((x, y) for x, y in corners[0]) if corners else rect_corners(tuple(rect))


def _piece(f: dict[str, Any]) -> Furniture:
    stands = tuple((x, y) for x, y in f["stands"])
    high = f["height_m"], f["base_m"], f.get("top_m") or f["height_m"]
    more = {"opens": f["opens"], "stands": stands, "receptacle": not f.get("obstacle")}
    return furniture_on(f["name"], f["kind"], f["room"], tuple(f["rect"]), *high, **more)


def _door(row: Sequence[Any]) -> model.Door:
    """Doors are rectangles through the wall, or any four corners."""
    if len(row) > 4:
        a, b, c, d = row[4]
        return model.Door(row[0], ("", ""), _middle(a, d), _middle(b, c))
    x0, y0, x1, y1 = row[1]
    if x1 - x0 > y1 - y0:
        return model.Door(row[0], ("", ""), (x0, (y0 + y1) / 2), (x1, (y0 + y1) / 2))
    return model.Door(row[0], ("", ""), ((x0 + x1) / 2, y0), ((x0 + x1) / 2, y1))


def _middle(a: Sequence[float], b: Sequence[float]) -> Point:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def _pull(grid: Grid, points: list[Point]) -> tuple[Point, ...]:
    """Pull the staircase of cells tight: keep a corner only where the straight line is blocked."""
    kept, i = [points[0]], 0
    while i < len(points) - 1:
        j = len(points) - 1
        while j > i + 1 and not _clear(grid, points[i], points[j]):
            j -= 1
        kept.append(points[j])
        i = j
    return tuple(kept)


def _clear(grid: Grid, a: Point, b: Point) -> bool:
    n = max(2, math.ceil(math.dist(a, b) / (grid.cell / 2)))
    return all(
        grid.free((a[0] + (b[0] - a[0]) * k / n, a[1] + (b[1] - a[1]) * k / n)) for k in range(1, n)
    )  # fmt: skip


SIZES_M = {"tray": (0.46, 0.24), "board": (0.34, 0.24), "panel": (0.13, 0.13)}
HIGH_M = 1.6  # surfaces above this are out of reach from the ground
TRAIL_STEPS = 3
MOST_MOVES = 1000  # of a robot, its last ones: more lines than that nobody tells apart


class HousePictures(Pictures):
    def __init__(self) -> None:
        self._kept: Routes | None = None

    def plan(self, state: State) -> FloorPlan:
        start, scene = state.start, state.start.scene
        if not scene or not scene.get("rooms"):
            raise CoterieError("This log describes no house, so there is nothing to draw from above.")
        house, table = self._routes(state).house, scene.get("work", {}).get("table")
        table = str(table) if table in house.piece else ""
        rooms = [Region(r.name, r.polygon, r.kind, r.name.replace("_", " ")) for r in house.rooms]
        fixtures = [_fixture(f, table) for f in house.furniture]
        fixtures += [_platform(name, kind, colour, at, table) for name, kind, colour, at in start.platforms]
        return FloorPlan(
            title(start),
            subtitle(start, f"team {start.config['team']}"),
            tuple(rooms),
            tuple((*r.outline, r.outline[0]) for r in rooms),
            tuple(Door(d.name, d.a, d.b) for d in house.doors),
            tuple(fixtures),
            inset=table,
            trail_steps=TRAIL_STEPS,
        )

    def frame(self, state: State, whole: bool = False) -> Frame:
        routes, hue = self._routes(state), colours(state)
        shut = {f.name for f in routes.house.furniture if f.opens and not state.open.get(f.name)}
        shut |= {d.name for d in routes.house.doors if not state.open.get(d.name, True)}
        robots = state.robots.values()
        return frame(
            state,
            whole,
            items=tuple(_items(state, shut)),
            agents=tuple(_agent(state, r, hue[r.name], routes, whole) for r in robots),
            trails=tuple(t for r in robots for t in (_journey(r, routes) if whole else _lately(state, r, routes))),
            pins=tuple(p for r in robots for p in _pins(r)) if whole else (),
            barriers=tuple(_barriers(state, routes.house)),
            shut=frozenset(shut),
        )

    def _routes(self, state: State) -> Routes:
        if self._kept is None or self._kept.scene is not state.start.scene:
            self._kept = Routes(state.start.scene)
        return self._kept


# -- the house ----------------------------------------------------------------------------------------------------
def _fixture(f: Furniture, table: str) -> Fixture:
    look = "person" if f.person else "obstacle" if not f.receptacle else "high" if f.surface_m > HIGH_M else ""
    look = look or ("container" if f.opens else "wood")
    label = "the work table" if f.name == table else ""
    return Fixture(f.name, rect_corners(f.rect), look, f.room, label, f.receptacle, stands=f.stands)


def _platform(name: str, kind: str, colour: str, at: Point, table: str) -> Fixture:
    w, h = SIZES_M.get(kind, SIZES_M["tray"])
    outline = rect_corners((at[0] - w / 2, at[1] - h / 2, at[0] + w / 2, at[1] + h / 2))
    return Fixture(name, outline, f"panel {colour}" if kind == "panel" else kind, on=table)


def _barriers(state: State, house: Scene) -> Iterator[Barrier]:
    for robot, zones in state.closed.items():
        for zone in zones:
            place, _, stand = zone.partition("/")
            yield Barrier(robot, place, house.stand_poses.get((place, stand)))


# -- things -------------------------------------------------------------------------------------------------------
def _items(state: State, shut: set[str]) -> Iterator[Item]:
    """Everything that nobody holds and whose place is known; below a caddy, what is in it."""
    arrived = sorted((t for t in state.things.values() if state.where.get(t.name)), key=lambda t: state.arrived[t.name])
    for place in dict.fromkeys(state.outer(t) for t in arrived):
        if place not in state.robots:
            for thing in state.lying(place):
                where = "" if place.startswith("floor@") else place
                yield _item(state, thing, _spot(state, thing), where, place in shut)


def _item(state: State, thing: ThingState, at: Point, place: str = "", hidden: bool = False) -> Item:
    wanted = thing.name in state.targets
    return Item(thing.name, at, thing.kind, thing.colour, place, thing.name, wanted, hidden)


def _spot(state: State, thing: ThingState) -> Point:
    """Where a thing is shown: its own spot, but things on a platform are spread so that all can be seen."""
    for name, kind, _, (x, y) in state.start.platforms:
        if thing.place == name and kind != "panel":
            w, h = SIZES_M.get(kind, SIZES_M["tray"])
            on = state.at_place(name)
            i, n = on.index(thing), len(on)
            if kind == "board":  # a stack leans back a little, bottom first
                return x, y - 0.2 * h + i * min(0.04, 0.5 * h / n)
            return x - w / 2 + w * (i + 0.75) / (n + 0.5), y
    x, y = thing.spot[:2]
    if thing.place in state.things:  # in a caddy, beside its middle
        turn = 2.4 * state.at_place(thing.place).index(thing)
        return x + 0.06 * math.cos(turn), y + 0.06 * math.sin(turn)
    return x, y


# -- the team -----------------------------------------------------------------------------------------------------
def _agent(state: State, robot: RobotState, colour: str, routes: Routes, whole: bool) -> Agent:
    thing = state.things.get(robot.holding or "")
    more: dict[str, Any] = {"at": robot.pose, "heading_deg": math.degrees(_facing(state, robot, routes.house))}
    more["held"] = None if thing is None else _item(state, thing, (0.0, 0.0))
    if whole:
        return agent(state, robot, colour, whole, note=_journey_words(robot), **more)
    room = routes.house.room_at(robot.pose) if robot.pose is not None else None
    where = f"at {robot.at}" if robot.at else f"in the {room.replace('_', ' ')}" if room else "on its way"
    where += f", holds {robot.holding}" if robot.holding else ""
    if len(robot.trail) > 1 and robot.trail[-1][0] == state.step:
        more["path"] = routes.between(robot.card, robot.trail[-2][1], robot.trail[-1][1])
    return agent(state, robot, colour, whole, where=where, **more)


def _facing(state: State, robot: RobotState, house: Scene) -> float:
    """Towards what a robot works on [rad]."""
    if robot.pose is None:
        return math.pi / 2
    x, y = robot.pose
    if robot.card.get("mobility") == "fixed":
        centres = [p[3] for p in state.start.platforms]
        if not centres:
            return -math.pi / 2
        return math.atan2(*(sum(c[i] for c in centres) / len(centres) - robot.pose[i] for i in (1, 0)))
    f = house.piece.get(robot.at or "")
    if f is None:
        return math.pi / 2
    to_x, to_y = nearest_in(f.rect, robot.pose)
    return math.atan2(to_y - y, to_x - x)


def _lately(state: State, robot: RobotState, routes: Routes) -> Iterator[Trail]:
    """The paths of the last steps."""
    for (_, a), (step, b) in pairwise(robot.trail[-TRAIL_STEPS - 1 :]):
        if state.step - step < TRAIL_STEPS and robot.online:
            yield Trail(robot.name, routes.between(robot.card, a, b), state.step - step)


def _journey(robot: RobotState, routes: Routes) -> Iterator[Trail]:
    """All that a robot went."""
    legs = [routes.between(robot.card, a, b) for (_, a), (_, b) in pairwise(robot.trail[-MOST_MOVES - 1 :])]
    if legs:
        yield Trail(robot.name, tuple(p for leg in legs for p in leg))


def _pins(robot: RobotState) -> Iterator[Pin]:
    """Where it set out, and the numbers of its stops where it stood."""
    if len(robot.trail) > 1:
        yield Pin(robot.trail[0][1], robot.name, "start")
    numbers: dict[Point, list[str]] = {}
    for i, stop in enumerate(robot.stops if robot.card.get("mobility") != "fixed" else (), 1):
        numbers.setdefault(stop.pose, []).append(str(i))
    for pose, which in numbers.items():
        yield Pin(pose, robot.name, "stop", " ".join(which[:6]) + (" …" if len(which) > 6 else ""))


def _journey_words(robot: RobotState) -> str:
    """Its stops, with what it did at each."""
    if robot.card.get("mobility") == "fixed":
        return ", ".join(d for s in robot.stops for d in s.deeds) or "did nothing"
    stops = [f"{i} {s.place}" + (f": {', '.join(s.deeds)}" if s.deeds else "") for i, s in enumerate(robot.stops, 1)]
    return "; ".join(stops) or "stayed where it was"
