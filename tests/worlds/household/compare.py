"""Where two ways of seeing differ, name by name, and why: rays over the floor and pictures.

Rays look for one point of a thing, past walls, robots and furniture that stands on the floor. Pictures count pixels
behind everything there is. Every reason is checked at the point or the pixels that it speaks of: what hides the point
in the picture is asked of the picture, and a difference that no reason fits is `UNEXPLAINED`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.houses.model import Furniture, House
from coterie.worlds.household.perception import Camera, Detections, Eye, Scene
from coterie.worlds.household.perception.geometric import UPPER, Geometric
from coterie.worlds.household.perception.image import Image, Studio
from coterie.worlds.household.perception.rendered import DOOR_M, FIRST, LEAST_PIXELS, NEAR_M, Rendered

RAYS, PICTURES = "rays", "pictures"
SMALL, BEHIND, RAISED, INSIDE, PART, ROUNDED, PICTURE_EDGE, RANGE_EDGE, UNEXPLAINED = (
    "few pixels", "behind a thing or a robot", "behind what stands on furniture or hangs",
    "behind the furniture it lies on", "its point is hidden", "past an edge of furniture",
    "at the edge of the picture", "at the edge of the range", "unexplained",
)  # fmt: skip
REASONS = (SMALL, BEHIND, RAISED, INSIDE, PART, ROUNDED, PICTURE_EDGE, RANGE_EDGE, UNEXPLAINED)
ROUND_M = 0.1  # rays look along their way so often, into cells half as wide
WHAT = ("things", "pieces", "doors", "robots")


class Difference(NamedTuple):
    what: str  # one of WHAT
    name: str
    seen_by: str  # RAYS or PICTURES
    why: str  # one of REASONS


class Compared(NamedTuple):
    """One look: how many names of each kind both ways see, and where they part."""

    both: dict[str, int]
    differ: list[Difference]
    cells: tuple[int, int, int, int]  # told alike, by rays alone, by pictures alone, told differently


class Comparer:
    """Looks at one house in both ways."""

    def __init__(self, house: House):
        self.house = house
        self.rays, self.pictures = Geometric(house), Rendered(house)

    def look(self, scene: Scene, eye: Eye, camera: Camera, me: str = "") -> Compared:
        one, two = (way.look(scene, eye, camera, me) for way in (self.rays, self.pictures))
        image = self.pictures.image(scene, eye, camera, me)
        both, differ = {}, []
        for what in WHAT:
            a, b = _names(one, what), _names(two, what)
            both[what] = len(a & b)
            for name in sorted(a ^ b):
                by = RAYS if name in a else PICTURES
                differ.append(Difference(what, name, by, self._why(scene, what, name, by, image)))
        return Compared(both, differ, _cells(one, two))

    def _why(self, scene: Scene, what: str, name: str, seen_by: str, image: Image) -> str:
        eye, camera = image.eye, image.camera
        gaps = [math.dist(p, (eye.x, eye.y)) for p in self._outline(scene, what, name)]
        if what == "things":  # these from the lens
            where = scene.lying(name)
            assert where is not None
            low, high = (
                where.spot[2] - camera.height_m,
                where.spot[2] + self.house.thing[name].size[2] - camera.height_m,
            )
            least = 0.0 if low < 0 < high else min(abs(low), abs(high))
            gaps = [math.hypot(min(gaps), least), math.hypot(max(gaps), max(abs(low), abs(high)))]
        if min(gaps) <= camera.range_m <= max(gaps):
            return RANGE_EDGE
        point = self._point(scene, what, name)
        if point is None:
            return self._why_piece(scene, name, seen_by, image)
        empty = Image(eye, camera, np.full_like(image.depth, np.inf), image.owner, ())
        if not empty.shows(point, NEAR_M)[0]:
            return PICTURE_EDGE
        if not image.shows(point, NEAR_M)[0]:
            return PART if seen_by == PICTURES else self._hidden_by(scene, name, image, point)
        if seen_by == PICTURES:  # nothing is before the point, and rays took something to be
            return ROUNDED if self._nearly(image, point, hidden=True) else UNEXPLAINED
        if int(image.owned(name).sum()) >= LEAST_PIXELS:
            return UNEXPLAINED
        return PICTURE_EDGE if self._is_cut(scene, name, image) else SMALL

    def _why_piece(self, scene: Scene, name: str, seen_by: str, image: Image) -> str:
        """Of furniture that stands on the floor rays see what the highest line over it leaves, without a point."""
        whole = alone(self.house, scene, name, image).owned(name)
        mine = image.owned(name)
        if self._is_cut(scene, name, image):
            return PICTURE_EDGE
        if seen_by == PICTURES:  # more than a few pixels, and no ray meets it
            return PART if mine.sum() < whole.sum() else UNEXPLAINED
        if whole.sum() < 3 * LEAST_PIXELS:
            return SMALL
        hiders = Counter(image.owner[whole & ~mine].tolist())
        return self._kind_of(image, hiders.most_common(1)[0][0]) if hiders else UNEXPLAINED

    def _hidden_by(self, scene: Scene, name: str, image: Image, point: NDArray[np.float64]) -> str:
        """What stands before a point that rays see."""
        owner = owner_at(image, point[0])
        why = self._kind_of(image, owner)
        if why != ROUNDED:
            return why
        hider = image.names[owner - FIRST] if owner >= FIRST else ""
        lying = scene.lying(name) if name in self.house.thing else None
        if lying is not None and lying.on == hider:
            return INSIDE
        piece = self.house.piece.get(hider)
        near = self._nearly(image, point, hidden=False) if piece is None else _grazes(image, point[0], piece)
        return ROUNDED if near else UNEXPLAINED

    def _kind_of(self, image: Image, owner: int) -> str:
        """The reason why something hides what rays see past it."""
        name = image.names[owner - FIRST] if owner >= FIRST else ""
        piece = self.house.piece.get(name)
        if piece is not None and piece.base_m > 0:
            return RAISED
        return ROUNDED if piece is not None or owner < FIRST else BEHIND

    @staticmethod
    def _nearly(image: Image, point: NDArray[np.float64], hidden: bool) -> bool:
        """Whether a point that shows is as near to one that is hidden as rays look, or the other way round."""
        steps = (-ROUND_M, 0.0, ROUND_M)
        near = point + np.array([(i, j, k) for i in steps for j in steps for k in (0.0, *steps[::2])])
        return bool((image.shows(near, NEAR_M) != hidden).any())

    def _is_cut(self, scene: Scene, name: str, image: Image) -> bool:
        """Whether only a part of something is in the picture, however little hides it."""
        rows, columns = np.nonzero(alone(self.house, scene, name, image).owned(name))
        return (
            not len(rows)
            or min(rows.min(), columns.min()) == 0
            or max(rows.max(), columns.max()) == len(image.depth) - 1
        )

    def _point(self, scene: Scene, what: str, name: str) -> NDArray[np.float64] | None:
        """The point of a thing, a robot, a doorway or raised furniture that is looked for, (1, 3)."""
        if what == "pieces":
            piece = self.house.piece[name]
            return np.array([[*piece.centre, piece.base_m + piece.size[2] / 2]]) if piece.base_m > 0 else None
        if what == "doors":
            (ax, ay), (bx, by) = self._outline(scene, what, name)
            return np.array([[(ax + bx) / 2, (ay + by) / 2, DOOR_M]])
        if what == "robots":
            body = scene.robots[name]
            return np.array([[body.x, body.y, UPPER * body.height_m]])
        if what == "things":
            where = scene.lying(name)
            assert where is not None
            x, y, z = where.spot
            return np.array([[x, y, z + UPPER * self.house.thing[name].size[2]]])
        return None

    def _outline(self, scene: Scene, what: str, name: str) -> Iterator[tuple[float, float]]:
        """Corners on the floor of what has a name."""
        if what == "pieces":
            yield from self.house.piece[name].corners
        elif what == "doors":
            door = next(d for d in self.house.doors if d.name == name)
            yield from (door.a, door.b)
        elif what == "robots":
            body = scene.robots[name]
            yield from ((body.x + i * body.radius_m, body.y + j * body.radius_m) for i in (-1, 1) for j in (-1, 1))
        else:
            where, size = scene.lying(name), self.house.thing[name].size
            assert where is not None
            x, y, _ = where.spot
            yield from ((x + i * size[0] / 2, y + j * size[1] / 2) for i in (-1, 1) for j in (-1, 1))


def _grazes(image: Image, point: NDArray[np.float64], piece: Furniture) -> bool:
    """Whether the line to a point passes a piece of furniture so closely that rays miss it, which look along their way
    every ROUND_M, into cells of half that."""
    start = np.array([image.eye.x, image.eye.y, image.camera.height_m])
    way = point - start
    far = math.hypot(way[0], way[1])
    c, s = math.cos(math.radians(piece.yaw_deg)), math.sin(math.radians(piece.yaw_deg))
    inside = []  # distances on the floor at which the line is over the piece
    for gap in np.arange(0.0, far, 0.005):
        dx, dy = start[:2] + way[:2] * gap / far - piece.centre
        if abs(dx * c + dy * s) <= piece.size[0] / 2 and abs(dy * c - dx * s) <= piece.size[1] / 2:
            inside.append(gap)
    miss = ROUND_M * (1 + 0.5 * math.sqrt(2))
    if not inside or inside[-1] - inside[0] < miss:
        return True
    # the line is lowest over the edge by which it comes in, or by which it goes out
    edge = inside[0] + miss if way[2] > 0 else inside[-1] - miss
    return bool(start[2] + way[2] * edge / far >= piece.size[2])


def _names(seen: Detections, what: str) -> set[str]:
    return {t.name for t in seen.things} if what == "things" else set(getattr(seen, what))


def _cells(one: Detections, two: Detections) -> tuple[int, int, int, int]:
    patches = [p for p in (one.area, two.area) if p.cells.size]
    if not patches:
        return 0, 0, 0, 0
    low = [min(p.low[i] for p in patches) for i in (0, 1)]
    high = [max(p.low[i] + p.cells.shape[1 - i] for p in patches) for i in (0, 1)]
    maps = []
    for patch in (one.area, two.area):
        told = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
        rows, columns = patch.cells.shape
        r, c = patch.low[1] - low[1], patch.low[0] - low[0]
        if patch.cells.size:
            told[r : r + rows, c : c + columns] = patch.cells
        maps.append(told)
    a, b = maps
    known = (a > 0) & (b > 0)
    alike = int((known & (a == b)).sum())
    return alike, int(((a > 0) & (b == 0)).sum()), int(((a == 0) & (b > 0)).sum()), int(known.sum()) - alike


def owner_at(image: Image, point: NDArray[np.float64]) -> int:
    """Whose the pixel is in which a point lies, or would if nothing were before it."""
    _, _, rows, columns = image._pixels(point[None])
    return int(image.owner[rows[0], columns[0]])


def alone(house: House, scene: Scene, name: str, image: Image) -> Image:
    """The same picture if there were nothing but a piece, a thing, a door or a robot."""
    pieces, doors, things = (
        tuple(x for x in some if x.name == name) for some in (house.furniture, house.doors, house.things)
    )
    rest = replace(house, walls=(), furniture=pieces, doors=doors, things=things)
    robots = {n: b for n, b in scene.robots.items() if n == name}
    moved = {n: where for n, where in scene.moved.items() if n == name}
    return Studio(rest).take(Scene(rest, moved, robots), image.eye, image.camera)
