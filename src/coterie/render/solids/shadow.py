"""Soft shadows on flat ground: what stands above a floor or a table top, projected along the light and blurred."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.render.solids.light import Array, Ints

CELLS = 256  # along the longer side of the ground
SHARP, SOFT = 0.4, 0.22  # how dark a shadow is under a thing that touches the ground, and under one far above it
CLEAR = 0.12  # metres above the ground at which a shadow has only its soft part
SIDES = 20
_TURN = np.arange(SIDES) * (2 * np.pi / SIDES)
ROUND = np.stack([np.cos(_TURN), np.sin(_TURN)], axis=1)


@dataclass
class Ground:
    """A level surface, and the pixels at which it is seen."""

    geom: int
    z: float
    low: Array  # the corner of the part that can be dark, x and y
    size: Array
    pixels: Ints  # flat, in the picture
    cells: Ints  # of those pixels, flat, in the picture of shadows

    @staticmethod
    def shape(size: Array) -> tuple[int, int]:
        """Columns and rows of the picture of shadows."""
        cell = float(size.max()) / CELLS
        return max(1, round(size[0] / cell)), max(1, round(size[1] / cell))


def make_ground(
    geom: int, z: float, low: Array, size: Array, rows_cols: tuple[Ints, Ints], across: int, xy: Array
) -> Ground:
    """`xy`: where on the ground each pixel lies.

    Four neighbours, which become one pixel in the end, look at four places within a cell, so that cells are not seen.
    """
    cols, rows = Ground.shape(size)
    aside = np.stack([rows_cols[1] % 2, rows_cols[0] % 2], axis=1) / 2 - 0.25
    pixels = rows_cols[0] * across + rows_cols[1]
    place = np.floor((xy - low) / size * (cols, rows) + aside)
    inside = (place >= 0).all(axis=1) & (place < (cols, rows)).all(axis=1)
    place = place[inside].astype(np.intp)
    return Ground(geom, z, low, size, pixels[inside], place[:, 1] * cols + place[:, 0])


def darkness(ground: Ground, points: Array, radii: Array, sun: Array) -> NDArray[np.uint8] | None:
    """How dark every cell of a ground is, flat; None where nothing stands on it.

    A solid is the hull of its `points` (n, k, 3), made thicker by its radius. Each is drawn twice: sharp, as far as it
    is near the ground, and soft.
    """
    from PIL import Image, ImageChops, ImageDraw, ImageFilter

    above = points[:, :, 2] - ground.z
    rises = (above.max(axis=1) + radii > 0.002) & np.isfinite(radii)
    points, radii, above = points[rises], radii[rises], np.maximum(above[rises], 0)
    if not len(points):
        return None
    flat = points[:, :, :2] - above[:, :, None] * (sun[:2] / sun[2])
    cols, rows = Ground.shape(ground.size)
    hull = (_hulls(flat, radii) - ground.low) / ground.size * (cols, rows)
    touching = np.clip(1 - (above.min(axis=1) - radii) / CLEAR, 0, 1)
    cell = float(ground.size.max()) / CELLS
    dark = None
    for amount, blur, most in ((touching, 0.009, SHARP), (1 - 0.6 * touching, 0.035, SOFT)):
        layer = Image.new("L", (cols, rows), 0)
        pen = ImageDraw.Draw(layer)
        for i in np.argsort(amount, kind="stable"):  # the darkest comes last
            if amount[i] > 0.01:
                pen.polygon(hull[i].ravel().tolist(), fill=int(255 * most * amount[i]))
        layer = layer.filter(ImageFilter.GaussianBlur(max(blur / cell, 1.2)))
        dark = layer if dark is None else ImageChops.screen(dark, layer)
    fine: Any = dark
    return np.asarray(fine).ravel()


def _hulls(flat: Array, radii: Array) -> Array:
    """The outline of each heap of points: the farthest one in each direction, moved outwards by the radius."""
    far = (flat @ ROUND.T).argmax(axis=1)
    corners: Array = np.take_along_axis(flat, far[:, :, None], axis=1)
    return corners + radii[:, None, None] * ROUND
