"""Seeing by rays: exact against walls and closed doors, and against furniture by its height.

From the camera a fan of rays runs over the floor. Along each the steepest line of sight over what stands there is kept;
what lies below it is hidden. So a tall camera looks over a table that hides the floor from a low one, and a low one
misses what lies far back on a high shelf. What a pose shows of the house does not change, and is kept; things that were
moved and robots are looked for each time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.core.area import Patch
from coterie.houses.model import FLOOR, House
from coterie.worlds.household.perception import (
    CELL_M,
    UPPER,
    Camera,
    Detections,
    Eye,
    Lying,
    Scene,
    Seen,
    Spot,
    Standing,
)
from coterie.worlds.household.perception.casting import Array, Cast, Mark, Rays, side_of

DOOR_M = 1.0  # the height at which a doorway is looked for
MOST_VIEWS = 20_000  # kept of one house
STRIDE = 4  # poses that are cast together, one step ahead of the other
STEP_M = 0.25


class Shown(NamedTuple):
    """The view from a pose in the house as it was furnished."""

    area: Patch
    pieces: tuple[str, ...]
    doors: tuple[str, ...]
    things: tuple[Seen, ...]


class Geometric:
    """The rays of one house."""

    def __init__(self, house: House):
        self.house = house
        self.step_m = STEP_M  # how far robots step: what comes next is cast along
        self.index = {p.name: i + 1 for i, p in enumerate(house.furniture)}
        self._doors = [d for d in house.doors if d.open]
        self._hung = [p for p in house.furniture if p.base_m > 0]
        self._rays = Rays(house, self._marks())
        self._views: dict[tuple[Eye, Camera], Shown] = {}
        self._casts: dict[tuple[Eye, Camera], Cast] = {}  # those that nobody has asked for yet

    def _marks(self) -> list[Mark]:
        """Things where they were at first, doorways, and furniture that hangs on walls."""
        marks = [self._thing(t.name, t.on, t.spot) for t in self.house.things]
        marks += [Mark((d.a[0] + d.b[0]) / 2, (d.a[1] + d.b[1]) / 2, DOOR_M) for d in self._doors]
        return marks + [Mark(*p.centre, p.base_m + p.size[2] / 2) for p in self._hung]

    def _thing(self, name: str, on: str, spot: Spot) -> Mark:
        x, y, z = spot
        own = 0 if on == FLOOR else self.index.get(on, 0)
        known = self.house.thing.get(name)  # of what robots report only the place may be known
        return Mark(x, y, z if known is None else z + UPPER * known.size[2], own, z, True)

    # -- the interface --------------------------------------------------------------------------------------------
    def look(self, scene: Scene, eye: Eye, camera: Camera, me: str = "") -> Detections:
        area, pieces, doors, first = self.view(eye, camera)
        things: Sequence[Seen] = first
        if scene.moved:
            things = [t for t in things if t.name not in scene.moved]
            there = [Seen(n, at.on, at.spot) for n, at in scene.moved.items() if at is not None]
            lying = [t for t in there if _ahead(*t.spot[:2], eye, camera)]
            if lying:
                glance = self._rays.glance(eye, camera)
                things += [t for t in lying if self._rays.sees(glance, self._thing(*t))]
        others = _others(scene, eye, camera, me)
        if not others:
            return Detections(things, pieces, doors, (), area)
        glance = self._rays.glance(eye, camera)
        names = [n for n in others if self._rays.sees(glance, _mark(scene.robots[n]))]
        if not names:  # who is not seen hides nothing that would be
            return Detections(things, pieces, doors, (), area)
        bodies = [scene.robots[n] for n in names]
        if things:
            hidden = _behind(eye, camera, bodies, np.array([t.spot for t in things]))
            things = [t for t, away in zip(things, hidden) if not away]
        return Detections(things, pieces, doors, names, _without(area, eye, camera, bodies))

    def shows(self, scene: Scene, eye: Eye, camera: Camera, points: Sequence[Spot], me: str = "") -> Sequence[bool]:
        for x, y, _ in points:
            if _ahead(x, y, eye, camera):
                break
        else:
            return [False] * len(points)
        glance = self._rays.glance(eye, camera)
        seen = [self._rays.sees(glance, Mark(x, y, z, 0, 0.0, True)) for x, y, z in points]
        bodies = [scene.robots[n] for n in _others(scene, eye, camera, me)]
        if bodies and any(seen):
            hidden = _behind(eye, camera, bodies, np.array(points, dtype=float))
            seen = [ok and not away for ok, away in zip(seen, hidden.tolist())]
        return seen

    def unhidden(self, thing: str, lying: Lying, at: Sequence[tuple[float, float]], height_m: float) -> Sequence[bool]:
        """For each place, True if nothing but robots hides a thing from a camera there that looks straight at it."""
        mark = self._thing(thing, lying.on, lying.spot)
        found = []
        for px, py in at:
            far, down = math.hypot(mark.x - px, mark.y - py), mark.upper - height_m
            heading, tilt = math.atan2(mark.y - py, mark.x - px), math.atan2(down, max(far, 1e-6))
            camera = Camera(height_m, 90.0, math.hypot(far, down) + 1.0)
            glance = self._rays.glance(Eye(px, py, math.degrees(heading), math.degrees(tilt)), camera)
            found.append(self._rays.sees(glance, mark))
        return found

    # -- what does not change -------------------------------------------------------------------------------------
    def view(self, eye: Eye, camera: Camera) -> Shown:
        """The view from a pose in the house as it was furnished; kept."""
        key = (eye, camera)
        shown = self._views.get(key)
        if shown is None:
            if len(self._views) >= MOST_VIEWS:
                self._views.clear()
                self._casts.clear()
            if key not in self._casts:
                self._cast(eye, camera)
            shown = self._views[key] = self._named(self._casts.pop(key), self._rays.points(eye, camera))
        return shown

    def _cast(self, eye: Eye, camera: Camera) -> None:
        """For a pose, and for those that come next if its robot goes on, as far as it can and the rays are the same."""
        (x, y, heading, tilt), start = eye, self._rays.start(eye, camera)
        keys, starts, blocked = [(eye, camera)], [start], self._rays.blocked
        angle = math.radians(heading)
        dx, dy = self.step_m * math.cos(angle), self.step_m * math.sin(angle)
        further = self._rays.further(dx, dy)
        while further is not None and len(keys) < STRIDE:
            x, y, start = round(x + dx, 4), round(y + dy, 4), start.moved(*further)
            key = (Eye(x, y, heading, tilt), camera)
            if blocked[start.cell] or key in self._views:
                break
            keys.append(key)
            starts.append(start)
        self._casts.update(zip(keys, self._rays.cast([key[0] for key in keys], starts, camera)))

    def _named(self, cast: Cast, points: Sequence[int]) -> Shown:
        """A cast and the points in view, by names."""
        house, doors, hung = self.house, self._doors, self._hung
        n, m = len(house.things), len(house.things) + len(doors)
        pieces = [house.furniture[i - 1].name for i in cast.pieces] + [hung[i - m].name for i in points if i >= m]
        things = [Seen(t.name, t.on, t.spot) for t in [house.things[i] for i in points if i < n]]
        return Shown(
            self._rays.patch(cast),
            tuple(pieces),
            tuple([doors[i - n].name for i in points if n <= i < m]),
            tuple(things),
        )


# -- robots -------------------------------------------------------------------------------------------------------
def _ahead(x: float, y: float, eye: Eye, camera: Camera, radius_m: float = 0.0) -> bool:
    """True if a body may be in the picture at all: a quick look before a careful one."""
    dx, dy, reach = x - eye.x, y - eye.y, camera.range_m + radius_m
    if abs(dx) > reach or abs(dy) > reach:
        return False
    far = math.hypot(dx, dy)
    if far > reach or far < 1e-6:
        return False
    aside = abs((math.atan2(dy, dx) - math.radians(eye.heading_deg) + math.pi) % (2 * math.pi) - math.pi)
    return aside <= side_of(eye.tilt_deg, camera.fov_deg) + math.asin(min(1.0, radius_m / far)) + 1e-6


def _others(scene: Scene, eye: Eye, camera: Camera, me: str) -> list[str]:
    """Robots that may be in the picture."""
    (x, y, _, _), far = eye, camera.range_m
    return [
        name
        for name, body in scene.robots.items()
        if abs(body[0] - x) <= far + body[2]
        and abs(body[1] - y) <= far + body[2]
        and name != me
        and _ahead(body[0], body[1], eye, camera, body[2])
    ]


def _mark(body: Standing) -> Mark:
    """A robot, as it is looked for."""
    return Mark(body.x, body.y, UPPER * body.height_m)


def _behind(eye: Eye, camera: Camera, bodies: Sequence[Standing], at: Array) -> NDArray[np.bool_]:
    """True where robots hide points (n, 3)."""
    found = np.zeros(len(at), dtype=bool)
    dx, dy = at[:, 0] - eye.x, at[:, 1] - eye.y
    far = np.maximum(np.hypot(dx, dy), 1e-6)
    for body in bodies:
        bx, by = body.x - eye.x, body.y - eye.y
        along = (bx * dx + by * dy) / far
        aside = np.abs(bx * dy - by * dx) / far
        height = camera.height_m + (at[:, 2] - camera.height_m) * along / far
        found |= (along > 0) & (along < far - body.radius_m) & (aside < body.radius_m) & (height < body.height_m)
    return found


def _without(area: Patch, eye: Eye, camera: Camera, bodies: Sequence[Standing]) -> Patch:
    """The ground without what robots hide of it."""
    rows, columns = area.cells.nonzero()
    if not len(rows):
        return area
    x, y = (columns + area.low[0] + 0.5) * CELL_M, (rows + area.low[1] + 0.5) * CELL_M
    hidden = _behind(eye, camera, bodies, np.stack([x, y, np.zeros(len(x))], axis=-1))
    if not hidden.any():
        return area
    cells = area.cells.copy()
    cells[rows[hidden], columns[hidden]] = 0
    return Patch(area.low, cells)
