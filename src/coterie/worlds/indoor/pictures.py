"""A house from above, described from its log: rooms, furniture, platforms, things, the team and where it went."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from coterie.core.errors import CoterieError
from coterie.log.state import RobotState, State, ThingState
from coterie.motion import polygons
from coterie.motion.grid import Grid, Planner
from coterie.render.describe import (
    Agent,
    Barrier,
    Door,
    Fixture,
    FloorPlan,
    Frame,
    Item,
    Outline,
    Pin,
    Point,
    Region,
    Trail,
)  # fmt: skip
from coterie.render.pictures import Pictures
from coterie.render.states import agent, colours, frame, subtitle, title

_WALL_M = 0.1


class Routes:
    def __init__(self, scene: dict[str, Any]):
        self.scene = scene
        self._planners: dict[tuple[float, float, float], Planner] = {}
        self._found: dict[tuple[Planner, Point, Point], tuple[Point, ...]] = {}  # robots take the same paths again

    def between(self, card: dict[str, Any], a: Point, b: Point) -> tuple[Point, ...]:
        """Corner points from a to b; a straight line where no path is found."""
        if a == b:
            return (a,)
        planner = self._planner(card)
        key = (planner, a, b)
        if key not in self._found:
            found = planner.path(a, b)
            cells = [planner.grid.centre(c) for c in found[1]] if found is not None else []
            self._found[key] = _pull(planner.grid, [a, *cells[1:-1], b]) if found is not None else (a, b)
        return self._found[key]

    def _planner(self, card: dict[str, Any]) -> Planner:
        height, radius = float(card.get("height_m", 1.0)), float(card.get("footprint_m", 0.25))
        low, high = (height - 0.1, height + 0.2) if card.get("mobility") == "air" else (0.0, height)
        key = (low, high, radius)
        if key not in self._planners:
            self._planners[key] = Planner(self._floor(low, high).inflate(radius))
        return self._planners[key]

    def _floor(self, low: float, high: float) -> Grid:
        rects = [room[2] for room in self.scene["rooms"]]
        grid = Grid(
            (min(r[0] for r in rects) - 0.2, min(r[1] for r in rects) - 0.2),
            (max(r[2] for r in rects) + 0.2, max(r[3] for r in rects) + 0.2),
        )
        for _, _, (x0, y0, x1, y1), *outline in self.scene["rooms"]:
            if outline:
                grid.fill_polygon([(x, y) for x, y in outline[0]], False, _WALL_M)
            else:
                grid.fill((x0 + _WALL_M, y0 + _WALL_M, x1 - _WALL_M, y1 - _WALL_M), False)
        for door in self.scene["doors"]:
            if len(door) > 4:
                grid.fill_polygon([(x, y) for x, y in door[4]], False)
            else:
                grid.fill(tuple(door[1]), False)
        for f in self.scene["furniture"]:
            if f["base_m"] < high and (f.get("top_m") or f["height_m"]) > low:
                grid.fill(tuple(f["rect"]), True)
        return grid


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
        rooms = [Region(name, _outline(rest), kind, name.replace("_", " ")) for name, kind, *rest in scene["rooms"]]
        table = _table(state)
        fixtures = [_fixture(f, table) for f in scene["furniture"]]
        fixtures += [_platform(name, kind, colour, at, table) for name, kind, colour, at in start.platforms]
        return FloorPlan(
            title(start),
            subtitle(start, f"team {start.config['team']}"),
            tuple(rooms),
            tuple((*r.outline, r.outline[0]) for r in rooms),
            tuple(_door(row) for row in scene["doors"]),
            tuple(fixtures),
            inset=table,
            trail_steps=TRAIL_STEPS,
        )

    def frame(self, state: State, whole: bool = False) -> Frame:
        scene, routes, hue = state.start.scene, self._routes(state), colours(state)
        containers = {f["name"] for f in scene["furniture"] if f["opens"]}
        shut = {name for name in containers if not state.open.get(name)}
        shut |= {row[0] for row in scene["doors"] if not state.open.get(row[0], True)}
        robots = state.robots.values()
        return frame(
            state,
            whole,
            items=tuple(_items(state, shut)),
            agents=tuple(_agent(state, r, hue[r.name], routes, whole) for r in robots),
            trails=tuple(t for r in robots for t in (_journey(r, routes) if whole else _lately(state, r, routes))),
            pins=tuple(p for r in robots for p in _pins(r)) if whole else (),
            barriers=tuple(_barriers(state)),
            shut=frozenset(shut),
        )

    def _routes(self, state: State) -> Routes:
        if self._kept is None or self._kept.scene is not state.start.scene:
            self._kept = Routes(state.start.scene)
        return self._kept


# -- the house ----------------------------------------------------------------------------------------------------
def _rect(x0: float, y0: float, x1: float, y1: float) -> Outline:
    return (x0, y0), (x1, y0), (x1, y1), (x0, y1)


def _outline(shape: Sequence[Any]) -> Outline:
    """Of a room: a rectangle, or the corners that stand behind it."""
    rect, *corners = shape
    return tuple((x, y) for x, y in corners[0]) if corners else _rect(*rect)


def _table(state: State) -> str:
    """The work table, if there is one."""
    scene = state.start.scene
    name = scene.get("work", {}).get("table")
    return str(name) if any(f["name"] == name for f in scene["furniture"]) else ""


def _fixture(f: dict[str, Any], table: str) -> Fixture:
    obstacle = bool(f.get("obstacle"))
    look = "person" if f["kind"] == "person" else "obstacle" if obstacle else "high" if f["height_m"] > HIGH_M else ""
    look = look or ("container" if f["opens"] else "wood")
    label, stands = "the work table" if f["name"] == table else "", tuple((x, y) for x, y in f["stands"])
    return Fixture(f["name"], _rect(*f["rect"]), look, f["room"], label, not obstacle, stands=stands)


def _platform(name: str, kind: str, colour: str, at: Point, table: str) -> Fixture:
    w, h = SIZES_M.get(kind, SIZES_M["tray"])
    outline = _rect(at[0] - w / 2, at[1] - h / 2, at[0] + w / 2, at[1] + h / 2)
    return Fixture(name, outline, f"panel {colour}" if kind == "panel" else kind, on=table)


def _door(row: Sequence[Any]) -> Door:
    """Doors are rectangles through the wall, or any four corners."""
    if len(row) > 4:
        a, b, c, d = row[4]
        return Door(row[0], _middle(a, d), _middle(b, c))
    x0, y0, x1, y1 = row[1]
    if x1 - x0 > y1 - y0:
        return Door(row[0], (x0, (y0 + y1) / 2), (x1, (y0 + y1) / 2))
    return Door(row[0], ((x0 + x1) / 2, y0), ((x0 + x1) / 2, y1))


def _middle(a: Sequence[float], b: Sequence[float]) -> Point:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def _barriers(state: State) -> Iterator[Barrier]:
    stands = {f["name"]: f["stands"] for f in state.start.scene["furniture"]}
    for robot, zones in state.closed.items():
        for zone in zones:
            place, _, stand = zone.partition("/")
            at = stands[place][int(stand.rsplit("_", 1)[1])] if stand and place in stands else None
            yield Barrier(robot, place, None if at is None else (at[0], at[1]))


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
    more: dict[str, Any] = {"at": robot.pose, "heading_deg": math.degrees(_facing(state, robot))}
    more["held"] = None if thing is None else _item(state, thing, (0.0, 0.0))
    if whole:
        return agent(state, robot, colour, whole, note=_journey_words(robot), **more)
    where = f"at {robot.at}" if robot.at else _room_words(robot, state)
    where += f", holds {robot.holding}" if robot.holding else ""
    if len(robot.trail) > 1 and robot.trail[-1][0] == state.step:
        more["path"] = routes.between(robot.card, robot.trail[-2][1], robot.trail[-1][1])
    return agent(state, robot, colour, whole, where=where, **more)


def _facing(state: State, robot: RobotState) -> float:
    """Towards what a robot works on [rad]."""
    if robot.pose is None:
        return math.pi / 2
    x, y = robot.pose
    if robot.card.get("mobility") == "fixed":
        centres = [p[3] for p in state.start.platforms]
        if not centres:
            return -math.pi / 2
        return math.atan2(*(sum(c[i] for c in centres) / len(centres) - robot.pose[i] for i in (1, 0)))
    f = next((f for f in state.start.scene["furniture"] if f["name"] == robot.at), None)
    if f is None:
        return math.pi / 2
    x0, y0, x1, y1 = f["rect"]
    return math.atan2(min(max(y, y0), y1) - y, min(max(x, x0), x1) - x)


def _room_words(robot: RobotState, state: State) -> str:
    if robot.pose is not None:
        for name, _, *shape in state.start.scene["rooms"]:
            if polygons.contains(_outline(shape), robot.pose):
                return f"in the {name.replace('_', ' ')}"
    return "on its way"


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
