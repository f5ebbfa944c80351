"""The rays of a camera, made once for each heading and tilt: where they run, and which slopes are in the picture."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.worlds.household.perception import CELL_M, Camera

Array = NDArray[np.float64]
Cells = NDArray[np.intp]

SAMPLE_M = 0.1  # between two looks along a ray
FAN_M = 0.1  # between two rays at the end of their range
UNDER = 2  # cells of the ground to each side of a robot's middle on which it stands


class Fan(NamedTuple):
    """Rays from one place in a cell, counted from that cell: the same wherever in the house the place is."""

    cos: Array  # (rays,)
    sin: Array
    cells: Cells  # (samples, rays): steps from the cell of the camera, in a floor of `columns`
    window: Cells  # (samples, rays): the cell of the ground, in a window around the camera
    low: tuple[int, int]  # where that window begins, in columns and rows from the cell of the camera
    shape: tuple[int, int]  # and its rows and columns
    far: Array  # (samples, 1)
    per_m: NDArray[np.float32]  # (samples, 1): one over the distance
    least: NDArray[np.float32]  # (rays,): between these slopes a ray is in the picture
    most: NDArray[np.float32]
    floor: NDArray[np.bool_]  # (samples, rays): whether the floor there is in the picture
    under: NDArray[np.uint8]  # (cells of the window,): 1 where the robot stands
    reach: tuple[float, float, float, float]  # from x to x and from y to y, from the camera: no ray leads further
    strips: dict[tuple[int, int], Strip]  # those that were asked for

    def strip(self, looks: int, step: int) -> Strip:
        """The rays of several looks, each so many cells of the floor further on; made once."""
        found = self.strips.get((looks, step))
        if found is None:
            found = self.strips[looks, step] = Strip.of(self, looks, step)
        return found


class Strip(NamedTuple):
    """The rays of several looks side by side, so that all of them are one row: what a robot sees from here, and a few
    steps further on. Windows lie one after the other."""

    cos: Array  # (looks * rays,)
    sin: Array
    cells: Cells  # (samples, looks * rays): steps from the cell of the first camera
    window: Cells  # (samples * looks * rays,)
    number: Cells  # (looks * rays,): from 0
    least: NDArray[np.float32]  # (looks * rays,)
    most: NDArray[np.float32]
    floor: NDArray[np.bool_]  # (samples, looks * rays)

    @classmethod
    def of(cls, fan: Fan, looks: int, step: int) -> Strip:
        look = np.arange(looks)[:, None]
        cells, window = fan.cells[:, None] + look * step, fan.window[:, None] + look * fan.under.size
        row = looks * len(fan.cos)
        cos, sin, floor = np.tile(fan.cos, looks), np.tile(fan.sin, looks), np.tile(fan.floor, (1, looks))
        least, most = np.tile(fan.least, looks), np.tile(fan.most, looks)
        return cls(cos, sin, cells.reshape(-1, row), window.reshape(-1), np.arange(row), least, most, floor)


@lru_cache(maxsize=256)
def width_of(fov_deg: float) -> float:
    """Half the picture's width at a distance of one."""
    return math.tan(math.radians(min(fov_deg, 170.0)) / 2)


@lru_cache(maxsize=256)
def side_of(tilt_deg: float, fov_deg: float) -> float:
    """How far to each side of the heading the corners of the picture look [rad]."""
    tilt, wide = math.radians(tilt_deg), width_of(fov_deg)
    return math.atan2(wide, math.cos(tilt) - abs(math.sin(tilt)) * wide)


def slopes(cos: Array, sin: Array, tilt_deg: float, fov_deg: float) -> tuple[Array, Array]:
    """The slopes (height over distance on the floor) between which directions, told against the heading, are in the
    picture."""
    tilt, wide = math.radians(tilt_deg), width_of(fov_deg)
    c, s = math.cos(tilt), math.sin(tilt)
    least, most = np.full(cos.shape, -np.inf), np.full(cos.shape, np.inf)
    # Each side of the picture is a plane through the eye: factor * slope <= bound. The last is what lies ahead at all.
    sides = (
        (c - wide * s, cos * (wide * c + s)),
        (-c - wide * s, cos * (wide * c - s)),
        (-wide * s, cos * wide * c - np.abs(sin)),
        (-s, cos * c),
    )
    for factor, bound in sides:
        if factor > 1e-9:
            np.minimum(most, bound / factor, out=most)
        elif factor < -1e-9:
            np.maximum(least, bound / factor, out=least)
        else:
            most[bound < 0] = -np.inf
    return least, most


def fan_of(
    look: tuple[float, float], camera: Camera, phase: tuple[float, float], on_ground: tuple[float, float],
    cell_m: float, columns: int,
) -> Fan:  # fmt: skip
    """The rays of a look (heading, tilt) from a place `phase` into a cell of a floor with cells of `cell_m` in so many
    columns, and `on_ground` into one of the ground."""
    fan, rows = _fan(look, camera, phase, on_ground, cell_m)
    return fan._replace(cells=rows * columns + fan.cells, strips={})


@lru_cache(maxsize=512)
def _fan(
    look: tuple[float, float], camera: Camera, phase: tuple[float, float], on_ground: tuple[float, float], cell_m: float
) -> tuple[Fan, Cells]:
    """What is the same in every house: rays whose `cells` are columns, and their rows."""
    (heading, tilt), (height, fov, range_m) = look, camera
    half = side_of(tilt, fov)
    aside = np.linspace(-half, half, max(3, math.ceil(2 * half * range_m / FAN_M)))
    least, most = slopes(np.cos(aside), np.sin(aside), tilt, fov)
    some = least < most
    angle = math.radians(heading) + aside[some]
    far = np.arange(SAMPLE_M / 2, range_m + 1e-9, SAMPLE_M)
    cos, sin = np.cos(angle), np.sin(angle)
    far = far[:, None]
    dx, dy = cos * far, sin * far
    rows = np.floor(phase[1] + dy / cell_m).astype(np.intp)
    columns = np.floor(phase[0] + dx / cell_m).astype(np.intp)
    right = np.floor(on_ground[0] + dx / CELL_M).astype(np.intp)
    up = np.floor(on_ground[1] + dy / CELL_M).astype(np.intp)
    # one cell more on each side, for the walls at which rays end; and where the robot stands is in it
    low = min(int(right.min()) - 1, -UNDER), min(int(up.min()) - 1, -UNDER)
    shape = max(int(up.max()) + 2, UNDER) - low[1], max(int(right.max()) + 2, UNDER) - low[0]
    window = (up - low[1]) * shape[1] + right - low[0]
    least, most, down = least[some], most[some], -height / far
    floor = (down >= least) & (down <= most)
    own = np.arange(-UNDER, UNDER)
    near = (own + 0.5 - on_ground[1])[:, None] ** 2 + (own + 0.5 - on_ground[0]) ** 2 < UNDER**2
    under = np.zeros(shape[0] * shape[1], dtype=np.uint8)
    under[((own - low[1])[:, None] * shape[1] + own - low[0])[near]] = 1
    per_m, between = (1 / far).astype(np.float32), (least.astype(np.float32), most.astype(np.float32))
    far = far.astype(np.float32).astype(np.float64)  # as exact as slopes, as wide as what walls are told in
    most_m = range_m + 0.12  # a little more than walls are looked for
    sides = [float(v) for along in (cos, sin) for v in (min(along.min(), 0.0), max(along.max(), 0.0))]
    reach = sides[0] * most_m - 0.02, sides[1] * most_m + 0.02, sides[2] * most_m - 0.02, sides[3] * most_m + 0.02
    return Fan(cos, sin, columns, window, low, shape, far, per_m, *between, floor, under, reach, {}), rows
