"""Seeing by pictures: depth and whose each pixel is, turned into a cloud of points with names, put into voxels and
flattened into the map from above.

What it takes for something to be detected is pixels. So a pen at the other end of the room is missed, a chair of which
a leg shows is seen, and what stands on a table hides what lies behind it, where rays over the floor know better or
worse. Which thing a pixel shows is known, as with every segmentation that a simulator gives; where the thing lies is
then taken from the house, as the other back end does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.core.area import Patch
from coterie.houses.floor import TALLEST_M, floor_of
from coterie.houses.model import House
from coterie.worlds.household.perception import (
    BLOCKED,
    CELL_M,
    FIRST_ROOM,
    Camera,
    Detections,
    Eye,
    Scene,
    Seen,
    Spot,
)
from coterie.worlds.household.perception.casting import UNDER
from coterie.worlds.household.perception.image import FIRST, GROUND, PIXELS, WALL, Image, Studio

LEAST_PIXELS = 4  # for something to be detected
VOXEL_M = 0.1  # the height of a voxel; on the floor it is as wide as a cell of the ground
LEVELS = math.ceil(TALLEST_M / VOXEL_M)  # what is higher is in no robot's way
BEYOND_M = 0.02  # points on a face count to what is behind it: to the middle of a wall, and a hair more
DOOR_M = 1.0  # the height at which a doorway is looked for
MOST_KEPT = 24  # pictures of one house: one of 300 x 300 takes half a megabyte
COARSE, SHORT_M = 3, 2.0  # of cameras that see no further, one of so many rows and columns makes the map
NEAR_M = 0.05  # in front of a point nothing hides it any more


@dataclass(frozen=True)
class Cloud:
    """Points of a picture within the camera's range, each with its owner (see `image.py`)."""

    points: NDArray[np.float32]  # (3, n)
    owner: NDArray[np.integer]  # (n,)
    names: Sequence[str]


class Voxels(NamedTuple):
    """Space in cells: the floor that was seen, and what stands in the way, level by level."""

    low: tuple[int, int]  # column and row of the first cell of the ground
    floor: NDArray[np.bool_]  # (rows, columns)
    solid: NDArray[np.bool_]  # (levels, rows, columns)

    def flat(self) -> NDArray[np.bool_]:
        """The cells of the ground above which something stands in a robot's way."""
        return np.asarray(self.solid.any(axis=0))


class Rendered:
    """The pictures of one house."""

    def __init__(self, house: House, pixels: int = PIXELS):
        self.house, self.pixels = house, pixels
        self.studio = Studio(house)
        self._floor = floor_of(house)
        n, m = FIRST + len(house.furniture), FIRST + len(house.furniture) + len(house.doors)
        self._pieces, self._things = range(FIRST, n), range(m, m + len(house.things))
        self._open = [d.name for d in house.doors if d.open]
        self._middles = np.array(
            [((d.a[0] + d.b[0]) / 2, (d.a[1] + d.b[1]) / 2, DOOR_M) for d in house.doors if d.open]
        )
        passes = [n + i for i, d in enumerate(house.doors) if d.open]
        self._solid = np.zeros(m + 1, bool)  # by owner: walls, furniture and closed doors; the last stands for the rest
        self._solid[WALL:m] = True
        self._solid[passes] = False
        self._kept: dict[tuple[Any, ...], Image] = {}  # the last ones: a robot that waits sees the same again
        self._read: dict[tuple[Any, ...], Detections] = {}

    # -- the interface --------------------------------------------------------------------------------------------
    def look(self, scene: Scene, eye: Eye, camera: Camera, me: str = "") -> Detections:
        key = _key(scene, eye, camera, me)
        found = self._read.get(key)
        if found is None:
            found = self._read[key] = self._seen(scene, self.image(scene, eye, camera, me))
            _shorten(self._read)
        return found

    def _seen(self, scene: Scene, image: Image) -> Detections:
        flat, whole = image.reach()
        within, lens = flat <= image.camera.range_m, whole <= image.camera.range_m
        count = np.bincount(image.owner[within], minlength=len(image.names) + FIRST)
        near = np.bincount(image.owner[lens], minlength=len(count))
        count[self._things.start : self._things.stop] = near[self._things.start : self._things.stop]
        cloud = self.cloud(image, COARSE if image.camera.range_m <= SHORT_M else 1, within)
        seen = np.flatnonzero(count >= LEAST_PIXELS).tolist()
        names = {i: image.names[i - FIRST] for i in seen if i >= FIRST}
        things = []
        for i in seen:
            if i in self._things:
                where = scene.lying(names[i])
                assert where is not None  # what is in a hand is not in the picture
                things.append(Seen(names[i], where.on, where.spot))
        return Detections(
            tuple(things),
            tuple(names[i] for i in seen if i in self._pieces),
            self._doorways(image),
            tuple(names[i] for i in seen if i >= self._things.stop),
            self.area(self.voxels(cloud, image.eye)),
        )

    def shows(self, scene: Scene, eye: Eye, camera: Camera, points: Sequence[Spot], me: str = "") -> Sequence[bool]:
        if not points:
            return ()
        image = self.image(scene, eye, camera, me)
        at = np.asarray(points, float)
        return [bool(ok) for ok in image.shows(at, NEAR_M) & self._near(at, eye, camera)]

    @staticmethod
    def _near(points: NDArray[np.floating], eye: Eye, camera: Camera) -> NDArray[np.bool_]:
        """True where things at points (n, 3) are near enough to the lens to be told apart."""
        away = points - np.array([eye.x, eye.y, camera.height_m])
        return np.asarray((away * away).sum(axis=1) <= camera.range_m**2)

    def _doorways(self, image: Image) -> tuple[str, ...]:
        """Open doors through the middle of which one looks. Of their frames, some pixels are seen from everywhere."""
        if not self._open:
            return ()
        return tuple(name for name, ok in zip(self._open, image.shows(self._middles, NEAR_M)) if ok)

    # -- from pixels to a map -------------------------------------------------------------------------------------
    def image(self, scene: Scene, eye: Eye, camera: Camera, me: str = "") -> Image:
        """The image of a camera."""
        key = _key(scene, eye, camera, me)
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = self.studio.take(scene, eye, camera, me, self.pixels)
            _shorten(self._kept)
        return found

    def cloud(self, image: Image, step: int = 1, within: NDArray[np.bool_] | None = None) -> Cloud:
        """The points of a picture that lie within the camera's range; with a `step`, of every so many pixels."""
        near = (image.reach()[0] <= image.camera.range_m if within is None else within)[::step, ::step]
        return Cloud(image.points(step)[:, near], image.owner[::step, ::step][near], image.names)

    def voxels(self, cloud: Cloud, eye: Eye) -> Voxels:
        """A cloud in cells, and the floor on which the robot stands. Points on the face of something count to the cell
        behind the face."""
        solid = self._solid[np.minimum(cloud.owner, len(self._solid) - 1)]
        x, y, z = cloud.points[:, solid]
        dx, dy = x - np.float32(eye.x), y - np.float32(eye.y)
        behind = 1 + np.float32(BEYOND_M) / np.maximum(np.hypot(dx, dy), np.float32(1e-3))
        level = (z * np.float32(1 / VOXEL_M)).astype(np.intp)
        level[cloud.owner[solid] == WALL] = 0  # a wall goes down to the floor, whatever is seen of it
        floor = np.concatenate([_cells(*cloud.points[:2, cloud.owner == GROUND]), _under(eye)], axis=1)
        stands = _cells(eye.x + dx * behind, eye.y + dy * behind)
        every = np.concatenate([floor, stands], axis=1)
        left, down = int(every[0].min()), int(every[1].min())
        wide, high = int(every[0].max()) - left + 1, int(every[1].max()) - down + 1
        found = np.zeros((high, wide), bool)
        found[floor[1] - down, floor[0] - left] = True
        space = np.zeros((LEVELS + 1, high, wide), bool)  # all that is too high in one level more
        space[np.clip(level, 0, LEVELS), stands[1] - down, stands[0] - left] = True
        return Voxels((left, down), found, space[:LEVELS])

    def area(self, voxels: Voxels) -> Patch:
        """The map from above: rooms where the floor was seen, and what blocks the way."""
        rows, columns = np.nonzero(voxels.floor)
        cells = np.zeros(voxels.floor.shape, np.uint8)
        xs, ys = (columns + voxels.low[0] + 0.5) * CELL_M, (rows + voxels.low[1] + 0.5) * CELL_M
        cells[rows, columns] = self._rooms(xs, ys)
        cells[voxels.flat()] = BLOCKED
        return Patch(voxels.low, cells)

    def _rooms(self, xs: NDArray[np.floating], ys: NDArray[np.floating]) -> NDArray[np.uint8]:
        """The numbers of the rooms that points lie in; 0 outside the house."""
        f = self._floor
        columns, rows = ((v - low) / f.cell_m for v, low in ((xs, f.low[0]), (ys, f.low[1])))
        inside = (columns >= 0) & (rows >= 0) & (columns < f.shape[1]) & (rows < f.shape[0])
        index = f.room[np.where(inside, rows, 0).astype(int), np.where(inside, columns, 0).astype(int)]
        return np.where(inside & (index >= 0), index + FIRST_ROOM, 0).astype(np.uint8)


def _key(scene: Scene, eye: Eye, camera: Camera, me: str) -> tuple[Any, ...]:
    """All that a picture depends on; who is far away is not in it."""
    far = camera.range_m + 1.0
    near = [(n, b) for n, b in scene.robots.items() if n != me and math.hypot(b.x - eye.x, b.y - eye.y) < far]
    return eye, camera, tuple(near), tuple(scene.moved.items())


def _shorten(kept: dict[Any, Any]) -> None:
    if len(kept) > MOST_KEPT:
        del kept[next(iter(kept))]


def _under(eye: Eye) -> NDArray[np.intp]:
    """The cells on which a robot stands, (2, n): it need not see them."""
    x, y = eye.x / CELL_M, eye.y / CELL_M
    left, down = math.floor(x + 1e-6) - UNDER, math.floor(y + 1e-6) - UNDER
    columns, rows = np.meshgrid(left + np.arange(2 * UNDER), down + np.arange(2 * UNDER))
    near = (columns + 0.5 - x) ** 2 + (rows + 0.5 - y) ** 2 < UNDER**2
    return np.stack([columns[near], rows[near]])


def _cells(x: NDArray[np.float32], y: NDArray[np.float32]) -> NDArray[np.intp]:
    """Columns and rows of the ground, (2, n)."""
    return np.floor(np.stack([x, y]) * np.float32(1 / CELL_M)).astype(np.intp)
