"""Surfaces and floor that a robot has seen from so near that it would have told things apart, by its own looks alone.

Eyes know the floor further off than they tell a pen on it apart, and furniture is known long before anybody saw what
lies on it. So a room can be explored, and yet a thing in it was never seen. `Looks` keeps, look by look, which floor
and which surfaces were near enough and in the picture; `LookCloser` goes to where the next of the others are.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.core.action import Action
from coterie.core.area import Area, Patch
from coterie.core.protocol import RobotView
from coterie.worlds.household.fluents import to_box
from coterie.worlds.household.knowledge.chart import Chart, chart_of
from coterie.worlds.household.knowledge.graph import number_of, room_at, survey_of
from coterie.worlds.household.navigation.walking import Walk
from coterie.worlds.household.options import SubSkill, Until, look_at
from coterie.worlds.household.perception import BLOCKED, CELL_M

FLAT_M = 0.02  # above what it lies on: what has to be seen of a thing that is flat
LEAST_M = 0.45  # who would have to go nearer than that does not look
GRID_M, EDGE_M = 0.35, 0.08  # between points of a surface that are looked at, and from its edge
ENOUGH = 0.75  # of the points of a surface: then it counts as looked at
CLOSER_M = 0.12  # than its eyes reach a robot goes
PATCH_M = 0.22  # around a node: so much floor is looked at or not
FEW = 3  # nodes of floor that hang together: fewer are not worth a way
MOST_STEPS = 40  # of one look


class Place(NamedTuple):
    """Something that was not looked at from near."""

    name: str  # a piece, or empty: floor
    room: str
    stands: int  # where one could look from, as a set of nodes
    points: tuple[tuple[float, float, float], ...]


def stands_of(places: Iterable[Place]) -> int:
    return reduce(or_, (place.stands for place in places), 0)


class Looks:
    def __init__(self) -> None:
        self.floor = Area()  # cells that were seen from near
        self.left: dict[str, list[tuple[float, float]]] = {}  # piece -> points of its surface that were not seen
        self.whole: dict[str, int] = {}  # piece -> how many points it has
        self.hidden: set[tuple[float, float]] = set()  # points that were looked for in vain
        self._at: tuple[Any, ...] = ()

    # -- looking ------------------------------------------------------------------------------------------------------
    def update(self, me: RobotView) -> None:
        """Take in what is in the picture now."""
        chart = chart_of(me)
        if me.now is None or (chart.pose, me.now.time) == self._at:
            return
        self._at = (chart.pose, me.now.time)
        far = reach_of(me, 0.0)
        if far >= LEAST_M and me.now.area is not None:
            self.floor.tell(_within(me.now.area, chart.pose, far))
        room = room_at(me.belief, *chart.pose[:2])
        for piece, (_, inside) in survey_of(me).pieces.items():
            if inside != room:
                continue
            box: Any = me.belief.value("box", piece)
            if not isinstance(box, tuple) or not box[6]:
                continue
            if piece not in self.left:
                self.left[piece] = list(grid(box))
                self.whole[piece] = len(self.left[piece])
            if self.left[piece] and to_box(chart.pose[0], chart.pose[1], box) <= (me.card.sight_m or 5.0):
                self.left[piece] = [p for p in self.left[piece] if not in_picture(me, chart.pose, (*p, box[6]))]

    def undone(self, piece: str) -> bool:
        """True if too little of a surface was seen from near."""
        left = [p for p in self.left.get(piece, ()) if p not in self.hidden]
        return len(left) > (1.0 - ENOUGH) * self.whole.get(piece, 1)

    # -- what is left -------------------------------------------------------------------------------------------------
    def places(self, me: RobotView, room: str) -> list[Place]:
        """Places in a room that this robot's camera could tell apart, and that it has not looked at from near."""
        chart, survey = chart_of(me), survey_of(me)
        inside = chart.room(number_of(room)) & chart.tight if number_of(room) else 0
        found = []
        for piece, (_, where) in survey.pieces.items():
            box: Any = me.belief.value("box", piece)
            if where != room or not self.undone(piece) or not isinstance(box, tuple):
                continue
            far = reach_of(me, box[6])
            points = [p for p in self.left[piece] if p not in self.hidden]
            if far >= LEAST_M:
                stands = chart.near(points, far - CLOSER_M) & inside
                if stands:
                    found.append(Place(piece, room, stands, tuple((*p, box[6]) for p in points)))
        far = reach_of(me, 0.0)
        if far >= LEAST_M and inside:
            found += self._floor(chart, room, inside, far - CLOSER_M)
        return found

    def _floor(self, chart: Chart, room: str, inside: int, far: float) -> Iterator[Place]:
        cells = chart.cells == number_of(room)
        seen = self._seen(chart)
        every, some = chart.counts(cells, PATCH_M), chart.counts(cells & ~seen, PATCH_M)
        left = chart.all_of((some >= 0.6 * np.maximum(every, 1)) & (every >= 4))
        for point in self.hidden:
            left &= ~chart.bit(chart.node(*point))
        while left:
            part = grown = left & -left
            while grown:
                grown = chart.beside(part) & left & ~part
                part |= grown
            left &= ~part
            if part.bit_count() < FEW:
                continue
            points = [chart.point(node) for node in chart.nodes(part)]
            stands = part
            for _ in range(math.floor(far / chart.step_m)):
                stands = (stands | chart.beside(stands)) & chart.room(number_of(room))
            if stands & inside:
                yield Place("", room, stands & inside, tuple((*p, 0.0) for p in points))

    def _seen(self, chart: Chart) -> NDArray[np.bool_]:
        """The cells of a chart that were seen from near."""
        (rows, columns), (high, wide) = chart.cells.shape, self.floor.cells.shape
        x, y = self.floor.low[0] - chart.low[0], self.floor.low[1] - chart.low[1]
        found = np.zeros((rows, columns), dtype=bool)
        x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + wide, columns), min(y + high, rows)
        if x0 < x1 and y0 < y1:
            found[y0:y1, x0:x1] = self.floor.cells[y0 - y : y1 - y, x0 - x : x1 - x] > 0
        return found


class LookCloser(SubSkill):
    """To where something of a room can be told apart that was seen from afar alone, one place after the other."""

    def __init__(self, looks: Looks, room: str, until: Until | None = None):
        super().__init__(f"Explore({room})", until)
        self.looks, self.room = looks, room
        self.place: Place | None = None

    def step(self, me: RobotView) -> Action | None:
        self.looks.update(me)
        for _ in range(4):
            self.steps += 1
            if (self.place is None or self.walk is None or self._seen(me)) and not self.worthwhile(me):
                return self.end(True, "nothing is left to look at from near")
            action = self._look(me)
            if action is not None and self.steps <= MOST_STEPS:
                return action
            self.looks.hidden.update(p[:2] for p in self.place.points)  # type: ignore[union-attr]
            self.place = None
        return self.end(True, "nothing is left to look at from near")

    def _seen(self, me: RobotView) -> bool:
        assert self.place is not None
        if self.place.name:
            return not self.looks.undone(self.place.name)
        x, y, _ = self.place.points[0]
        return bool(self.looks.floor.at(math.floor(x / CELL_M), math.floor(y / CELL_M)))

    def worthwhile(self, me: RobotView) -> bool:
        """True if there is a way to something that is left; the first place is chosen."""
        chart, self.place, self.steps = chart_of(me), None, 0
        found = self.looks.places(me, self.room)
        goals = stands_of(found)
        way = chart.way(goals) if goals else None
        if way is None:
            return False
        place = next(p for p in found if p.stands & chart.bit(way[-1]))
        at = chart.point(way[-1])
        points = sorted(place.points, key=lambda p: (round(math.dist(p[:2], at), 3), p))
        self.place = place._replace(points=tuple(points))
        self.walk = Walk(lambda chart: chart.bit(chart.node(*at)), face=True)
        return True

    def _look(self, me: RobotView) -> Action | None:
        """The next action towards the place; None: it was in vain."""
        assert self.place is not None and self.walk is not None
        action = self.walk.step(me)
        if action is not None or self.walk.failed:
            return action
        points = self.place.points if self.place.name else self.place.points[:1]
        if self.place.name:
            left = set(self.looks.left[self.place.name])
            points = tuple(p for p in points if p[:2] in left)
        for point in points:
            far = math.dist(point[:2], chart_of(me).pose[:2])
            if far <= reach_of(me, point[2]):
                return look_at(me, *point)
        return None


# -- eyes -------------------------------------------------------------------------------------------------------------
def reach_of(me: RobotView, z: float) -> float:
    """From how far on the floor this robot tells apart what lies flat at a height; 0: never."""
    sight, down = me.card.sight_m, (me.card.camera_m or 1.6) - z - FLAT_M
    if down < 0.0:  # the edge is before it
        return 0.0
    return 3.0 if sight is None else math.sqrt(max(0.0, sight * sight - down * down))


def in_picture(me: RobotView, pose: tuple[float, float, float, float], point: tuple[float, float, float]) -> bool:
    dx, dy, dz = point[0] - pose[0], point[1] - pose[1], point[2] + FLAT_M - (me.card.camera_m or 1.6)
    if dz > 0.0 or math.hypot(dx, dy) > reach_of(me, point[2]):
        return False
    heading, tilt = math.radians(pose[2]), math.radians(pose[3])
    ahead, aside = dx * math.cos(heading) + dy * math.sin(heading), dy * math.cos(heading) - dx * math.sin(heading)
    deep = ahead * math.cos(tilt) + dz * math.sin(tilt)
    wide = math.tan(math.radians((me.card.fov_deg or 90.0) / 2)) * deep
    return abs(aside) <= wide and abs(dz * math.cos(tilt) - ahead * math.sin(tilt)) <= wide


def grid(box: tuple[float, ...]) -> Iterator[tuple[float, float]]:
    """Points all over a surface."""
    c, s = math.cos(math.radians(box[5])), math.sin(math.radians(box[5]))
    for u in _row(box[2]):
        for v in _row(box[3]):
            yield round(box[0] + u * c - v * s, 3), round(box[1] + u * s + v * c, 3)


def _row(side: float) -> list[float]:
    half = max(0.0, side / 2 - EDGE_M)
    count = max(1, math.ceil(2 * half / GRID_M) + 1) if half > GRID_M / 4 else 1
    return [0.0] if count == 1 else [-half + 2 * half * i / (count - 1) for i in range(count)]


def _within(area: Patch, pose: tuple[float, ...], far: float) -> Patch:
    """The floor of a look that is not further off than that."""
    rows, columns = area.cells.shape
    x = (np.arange(columns) + area.low[0] + 0.5) * CELL_M - pose[0]
    y = ((np.arange(rows) + area.low[1] + 0.5) * CELL_M - pose[1])[:, None]
    near = (x * x + y * y <= far * far) & (area.cells > 0) & (area.cells < BLOCKED)
    return Patch(area.low, np.where(near, area.cells, 0).astype(np.uint8))
