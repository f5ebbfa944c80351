"""Furniture for the rooms of a plan, and things on it.

Furniture stands along the walls with its front free, tables in the middle with chairs around; each kind of room has a
list of what is usual there, about as often as in real ProcTHOR houses. Things lie where they belong by the placement
table, about as often as in ProcTHOR.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from coterie.houses.model import FLOOR, Furniture, Rect, meet
from coterie.houses.placement import Kind, Size, assets, furniture, kinds, surface_m, usual
from coterie.houses.procthor.furnish import legs_of
from coterie.houses.procthor.layout import FIRST_ROOM, Edge, Layout

WALL_GAP_M = 0.04  # between furniture and the wall behind it
FRONT_M = 0.7  # that stays free before furniture
AROUND_M = 0.65  # that stays free around a table
DOOR_M = 0.9  # that stays free on either side of a door
TRIES = 24


class Usual(NamedTuple):
    kind: str
    chance: float
    widest_m: float = 9.0  # of its assets


MIDDLE = frozenset({"DiningTable", "CoffeeTable"})
WITH_CHAIRS = {"DiningTable": (2, 5), "Desk": (1, 1)}
ANY_WAY = frozenset({"HousePlant", "FloorLamp", "GarbageBag", "GarbageCan", "Stool", "DogBed"})  # no front to be free


@dataclass
class Placed:
    """A piece of furniture of the plan. Its front looks along `yaw_deg`, counter-clockwise from y."""

    asset: str
    kind: str
    room: int
    x: float
    y: float
    size: Size
    yaw_deg: int
    children: list[dict[str, object]] = field(default_factory=list)

    @property
    def rect(self) -> Rect:
        w, d = self.size[:2] if self.yaw_deg % 180 == 0 else (self.size[1], self.size[0])
        return self.x - w / 2, self.y - d / 2, self.x + w / 2, self.y + d / 2


class Fitter:
    """Fills the rooms one after the other; keeps doorways and fronts free."""

    def __init__(self, rng: random.Random, layout: Layout, doors: Sequence[Rect]):
        self.rng, self.layout = rng, layout
        self.placed: list[Placed] = []
        self._taken: list[Rect] = []
        self._kept = list(doors)  # free for good

    def fill(self, room: int) -> None:
        kind = self.layout.kinds[room]
        for common in (Usual(*row) for row in furniture("procthor")[kind]):
            if self.rng.random() < common.chance:
                self._place(room, common)

    def _place(self, room: int, common: Usual) -> None:
        ways = [self._middle] * TRIES if common.kind in MIDDLE else []
        for way in ways + [self._along] * TRIES:
            asset, size = self.rng.choice(_choices(common))
            placed = way(room, common.kind, asset, size)
            if placed is not None:
                self.placed.append(placed)
                self._taken.append(placed.rect)
                self._chairs(placed)
                return

    # -- where --------------------------------------------------------------------------------------------------------
    def _along(self, room: int, kind: str, asset: str, size: Size) -> Placed | None:
        """With its back to a wall, in a corner as often as not."""
        edge = self._edge(room)
        c = self.layout.cell_m
        length, (w, d) = edge.length * c, size[:2]
        if length < w + 2 * WALL_GAP_M:
            return None
        low, high = w / 2 + WALL_GAP_M, length - w / 2 - WALL_GAP_M
        t = self.rng.choice((low, high)) if self.rng.random() < 0.5 else self.rng.uniform(low, high)
        ux, uy = (edge.b[0] - edge.a[0]) / edge.length, (edge.b[1] - edge.a[1]) / edge.length
        nx, ny = uy, -ux  # into the room
        off = WALL_GAP_M + d / 2
        x, y = edge.a[0] * c + ux * t + nx * off, edge.a[1] * c + uy * t + ny * off
        yaw = round(math.degrees(math.atan2(-nx, ny))) % 360
        placed = Placed(asset, kind, room, round(x, 3), round(y, 3), size, yaw)
        if kind in ANY_WAY:
            return placed if self._fits(placed.rect, room) else None
        fx, fy = x + nx * (d + FRONT_M) / 2, y + ny * (d + FRONT_M) / 2
        half_w, half_d = (w / 2, FRONT_M / 2) if ny else (FRONT_M / 2, w / 2)
        front = (fx - half_w, fy - half_d, fx + half_w, fy + half_d)
        if not self._fits(placed.rect, room) or not self._inside(front, room) or _hits(front, self._taken):
            return None
        self._kept.append(front)
        return placed

    def _middle(self, room: int, kind: str, asset: str, size: Size) -> Placed | None:
        """Somewhere in the room with space to walk around it."""
        c, rng = self.layout.cell_m, self.rng
        cells = _cells(self.layout, room)
        column, row = rng.choice(cells)
        yaw = rng.choice((0, 90))
        placed = Placed(asset, kind, room, round((column + 0.5) * c, 3), round((row + 0.5) * c, 3), size, yaw)
        chair = 0.45 if kind in WITH_CHAIRS else 0.0
        around = _grown(placed.rect, AROUND_M + chair)
        if not self._inside(around, room) or _hits(around, self._taken) or _hits(placed.rect, self._kept):
            return None
        self._kept.append(_grown(placed.rect, AROUND_M))
        return placed

    def _chairs(self, table: Placed) -> None:
        """Around a table, a little under it; before a desk."""
        if table.kind not in WITH_CHAIRS:
            return
        count = self.rng.randint(*WITH_CHAIRS[table.kind])
        if table.kind == "Desk" and self.rng.random() < 0.4:
            return
        asset, size = self.rng.choice(_choices(Usual("Chair", 1.0)))
        w, d = table.size[:2]
        under = 0.12
        seats = [(0.0, d / 2, 0), (0.0, -d / 2, 180), (w / 2, 0.0, 270), (-w / 2, 0.0, 90)]
        if w > 1.5:
            seats[0:2] = [(w / 4, d / 2, 0), (-w / 4, d / 2, 0), (w / 4, -d / 2, 180), (-w / 4, -d / 2, 180)]
        free = seats[:1] if table.kind == "Desk" else self.rng.sample(seats, min(count, len(seats)))
        s, c = math.sin(math.radians(table.yaw_deg)), math.cos(math.radians(table.yaw_deg))
        for x, y, out in free:
            a = math.radians(out)
            off = size[1] / 2 - under
            x, y = x - math.sin(a) * off, y + math.cos(a) * off
            at = (round(table.x + x * c - y * s, 3), round(table.y + x * s + y * c, 3))
            chair = Placed(asset, "Chair", table.room, *at, size, (table.yaw_deg + out + 180) % 360)
            others = [r for r in self._taken if r != table.rect]
            if self._inside(chair.rect, table.room) and not _hits(chair.rect, others):
                self.placed.append(chair)
                self._taken.append(chair.rect)

    def spot(self, room: int, size: Size) -> tuple[float, float] | None:
        """A place on the floor for something small, out of the way."""
        for _ in range(TRIES):
            column, row = self.rng.choice(_cells(self.layout, room))
            x, y = ((i + self.rng.random()) * self.layout.cell_m for i in (column, row))
            half = max(size[:2]) / 2 + 0.05
            rect = (x - half, y - half, x + half, y + half)
            if self._inside(rect, room) and not _hits(rect, self._taken):
                return round(x, 3), round(y, 3)
        return None

    # -- whether ------------------------------------------------------------------------------------------------------
    def _edge(self, room: int) -> Edge:
        edges = [e for e in self.layout.edges if e.room == room]
        return self.rng.choices(edges, [e.length for e in edges])[0]

    def _inside(self, rect: Rect, room: int) -> bool:
        c, grid = self.layout.cell_m, self.layout.grid
        x0, y0, x1, y1 = (math.floor(v / c + e) for v, e in zip(rect, (1e-6, 1e-6, -1e-6, -1e-6), strict=True))
        if min(x0, y0) < 0 or y1 >= grid.shape[0] or x1 >= grid.shape[1]:
            return False
        return bool((grid[y0 : y1 + 1, x0 : x1 + 1] == room).all())

    def _fits(self, rect: Rect, room: int) -> bool:
        return self._inside(rect, room) and not _hits(rect, self._taken) and not _hits(rect, self._kept)


def door_zones(a: tuple[float, float], b: tuple[float, float]) -> Rect:
    """The rectangle that stays free around a door, on both sides."""
    along_x = abs(a[1] - b[1]) < abs(a[0] - b[0])
    dx, dy = (0.1, DOOR_M) if along_x else (DOOR_M, 0.1)
    return min(a[0], b[0]) - dx, min(a[1], b[1]) - dy, max(a[0], b[0]) + dx, max(a[1], b[1]) + dy


@cache
def _choices(common: Usual) -> list[tuple[str, Size]]:
    """Assets of a kind that are not too wide. Plants on the floor are tall ones, and sinks those that stand on it."""
    many = [(name, size) for name, (kind, size) in assets().items() if kind == common.kind]
    tall = {"HousePlant": 0.6, "Sink": 0.6}.get(common.kind, 0.0)
    return [(n, s) for n, s in many if max(s[:2]) <= common.widest_m and s[2] >= tall]


def _cells(layout: Layout, room: int) -> list[tuple[int, int]]:
    rows, columns = (layout.grid == room).nonzero()
    return list(zip(columns.tolist(), rows.tolist(), strict=True))


def _grown(rect: Rect, by: float) -> Rect:
    return rect[0] - by, rect[1] - by, rect[2] + by, rect[3] + by


def _hits(rect: Rect, others: Sequence[Rect]) -> bool:
    return any(meet(rect, other) for other in others)


MORE = 0.14  # added to every chance but for seats, so that there is about as much as in real houses
SEATS = frozenset({"Chair", "ArmChair", "Stool"})
MOST_ALIKE = 3  # of one kind on one receptacle
SMALL_PLANT_M = 0.75
ON_FLOOR = {"Plunger": 0.8}  # how often in a room where it is usual; all else SELDOM
SELDOM = 0.12
LAY_TRIES = 8
Json = dict[str, object]
EDGE_M = 0.03


class Stocker:
    def __init__(self, rng: random.Random, fitter: Fitter):
        self.rng, self.fitter = rng, fitter
        self.bias = -0.3 + 0.4 * rng.betavariate(3.5, 1.9)  # some houses are full, some nearly empty
        self._count = 0

    def stock(self, placed: Placed) -> None:
        """Puts things onto a receptacle."""
        room = self.fitter.layout.kinds[placed.room]
        base = self.bias + (0.0 if placed.kind in SEATS else MORE)
        lying: list[tuple[int, float, float, float, float]] = []
        could = [k for k in _lie_on(placed.kind) if usual(k.name, room)]
        groups = [k for k in could if self.rng.random() < k.on[placed.kind] + base]
        self.rng.shuffle(groups)
        if placed.kind in ("TVStand", "Sink"):  # they are made for something
            made_for = kinds()["Television" if placed.kind == "TVStand" else "Faucet"]
            groups = [made_for, *(k for k in groups if k is not made_for)]
        for kind in groups:
            for i in range(MOST_ALIKE):
                if i and self.rng.random() > kind.on.get(placed.kind, 0.0):
                    break
                self._lay(placed, kind, lying)

    def _lay(self, placed: Placed, kind: Kind, lying: list[tuple[int, float, float, float, float]]) -> None:
        asset, size = self.rng.choice(_small(kind.name))
        yaw = placed.yaw_deg if not kind.thing else self.rng.choice((0, 90, 180, 270))
        piece = Furniture("", placed.kind, "", (placed.x, placed.y), placed.size, placed.yaw_deg)
        legs = legs_of(placed.asset, piece)
        turned = yaw % 180 != 0
        w, d = (size[1], size[0]) if turned else size[:2]
        for _ in range(LAY_TRIES):
            n = self.rng.randrange(len(legs))
            xs, ys = zip(*legs[n].corners, strict=True)
            x0, x1, y0, y1 = min(xs) + EDGE_M, max(xs) - EDGE_M, min(ys) + EDGE_M, max(ys) - EDGE_M
            if x1 - x0 < w or y1 - y0 < d:
                if kind.thing or len(legs) > 1:
                    continue
                x, y = placed.x, placed.y  # a television may be wider than its stand
            else:
                x, y = self.rng.uniform(x0 + w / 2, x1 - w / 2), self.rng.uniform(y0 + d / 2, y1 - d / 2)
            rect = (n, x - w / 2, y - d / 2, x + w / 2, y + d / 2)
            if any(n == m and rect[1] < c and a < rect[3] and rect[2] < e and b < rect[4] for m, a, b, c, e in lying):
                continue
            lying.append(rect)
            height = surface_m(placed.kind, placed.size[2]) + size[2] / 2
            placed.children.append(self.item(asset, kind.name, placed.room, x, y, height, yaw))
            return

    def on_floor(self, room: int) -> list[Json]:
        """Things that may stand on the floor, such as boots and a box."""
        found = []
        where = self.fitter.layout.kinds[room]
        for kind in (k for k in kinds().values() if k.thing and FLOOR in k.on and usual(k.name, where)):
            if self.rng.random() < ON_FLOOR.get(kind.name, SELDOM):
                asset, size = self.rng.choice(_small(kind.name))
                spot = self.fitter.spot(room, size)
                if spot is not None:
                    found.append(self.item(asset, kind.name, room, *spot, size[2] / 2, 0))
        return found

    def item(self, asset: str, kind: str, room: int, x: float, y: float, height: float, yaw: float) -> Json:
        """As ProcTHOR writes it: y up, clockwise."""
        self._count += 1
        return {
            "assetId": asset,
            "id": f"{kind}|{room + FIRST_ROOM}|{self._count}",
            "kinematic": not kinds()[kind].thing,
            "layer": f"Procedural{room % 4}",
            "position": {"x": round(x, 3), "y": round(height, 3), "z": round(y, 3)},
            "rotation": {"x": 0, "y": -yaw % 360, "z": 0},
        }


@cache
def _lie_on(receptacle: str) -> tuple[Kind, ...]:
    return tuple(k for k in kinds().values() if receptacle in k.on)


@cache
def _small(kind: str) -> tuple[tuple[str, Size], ...]:
    """Assets of a kind that go onto furniture."""
    many = tuple((name, size) for name, (k, size) in assets().items() if k == kind)
    return tuple(m for m in many if m[1][2] < SMALL_PLANT_M) if kind == "HousePlant" else many
