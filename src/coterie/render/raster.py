"""A drawing as pixels, with Pillow: PNG and the frames of an animated GIF."""

from __future__ import annotations

import importlib.util
import itertools
import math
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path as File
from typing import Any

import numpy as np

from coterie.core.errors import CoterieError
from coterie.render.shapes import Bitmap, Box, Disc, Drawing, Path, Point, Text

FINER = 3  # shapes are drawn so many times larger and scaled down, which smooths their edges


def need_pillow() -> None:
    if importlib.util.find_spec("PIL") is None:
        raise CoterieError("Pictures but SVG need Pillow: pip install 'coterie[plots]'.")


def to_image(drawing: Drawing, scale: float = 1.0, onto: Any = None) -> Any:
    """The drawing as a Pillow image, new or over another one.

    Letters are set at the final size, since scaling them down would blur them.
    """
    need_pillow()
    from PIL import Image, ImageDraw

    size = (round(drawing.width * scale), round(drawing.height * scale))
    image = Image.new("RGB", size, drawing.ground) if onto is None else onto
    run: list[Any] = []
    for shape in drawing.shapes:
        if isinstance(shape, Text):
            image = _flush(image, run, scale)
            _text(ImageDraw.Draw(image), shape, scale)
        elif isinstance(shape, Bitmap):
            image = _flush(image, run, scale)
            _bitmap(image, shape, scale)
        else:
            run.append(shape)
    return _flush(image, run, scale)


def _flush(image: Any, run: list[Any], scale: float) -> Any:
    """Draw the shapes collected so far, smoothly, on the part of the image that they touch."""
    if not run:
        return image
    from PIL import Image, ImageDraw

    x0, y0, x1, y1 = _bounds(run, scale, image.size)
    if x1 > x0 and y1 > y0:
        part = image.crop((x0, y0, x1, y1)).resize(((x1 - x0) * FINER, (y1 - y0) * FINER), Image.Resampling.NEAREST)
        pen = _Pen(ImageDraw.Draw(part), scale * FINER, (x0 * FINER, y0 * FINER))
        for shape in run:
            pen.draw(shape)
        image.paste(part.resize((x1 - x0, y1 - y0), Image.Resampling.BOX), (x0, y0))
    run.clear()
    return image


def _bounds(run: list[Any], scale: float, size: tuple[int, int]) -> tuple[int, int, int, int]:
    xs: list[float] = []
    ys: list[float] = []
    for s in run:
        if isinstance(s, Box):
            xs += [s.x - s.width, s.x + s.w + s.width]
            ys += [s.y - s.width, s.y + s.h + s.width]
        elif isinstance(s, Disc):
            xs += [s.x - s.r - s.width, s.x + s.r + s.width]
            ys += [s.y - s.r - s.width, s.y + s.r + s.width]
        else:
            xs += [v for x, _ in s.points for v in (x - s.width, x + s.width)]
            ys += [v for _, y in s.points for v in (y - s.width, y + s.width)]
    return (
        max(0, math.floor(min(xs) * scale) - 1),
        max(0, math.floor(min(ys) * scale) - 1),
        min(size[0], math.ceil(max(xs) * scale) + 1),
        min(size[1], math.ceil(max(ys) * scale) + 1),
    )


class _Pen:
    """Shapes in pixels of the enlarged image."""

    def __init__(self, draw: Any, k: float, origin: tuple[float, float]):
        self.d, self.k, self.origin = draw, k, origin

    def at(self, p: Point) -> Point:
        return (p[0] * self.k - self.origin[0], p[1] * self.k - self.origin[1])

    def draw(self, s: Box | Disc | Path) -> None:
        if isinstance(s, Box):
            self._box(s)
        elif isinstance(s, Disc):
            self._disc(s)
        else:
            self._path(s)

    def _box(self, s: Box) -> None:
        half = s.width / 2 if s.stroke else 0.0  # strokes run along the middle of the edge, as in SVG
        x0, y0 = self.at((s.x - half, s.y - half))
        x1, y1 = self.at((s.x + s.w + half, s.y + s.h + half))
        if x1 - x0 < 1 or y1 - y0 < 1:
            return
        self.d.rounded_rectangle(
            (x0, y0, x1 - 1, y1 - 1),
            min((s.radius + half) * self.k if s.radius else 0, (x1 - x0) / 2, (y1 - y0) / 2),
            fill=s.fill or None,
            outline=s.stroke or None,
            width=max(1, round(s.width * self.k)) if s.stroke else 1,
        )

    def _disc(self, s: Disc) -> None:
        r = s.r + (s.width / 2 if s.stroke else 0.0)
        x0, y0 = self.at((s.x - r, s.y - r))
        x1, y1 = self.at((s.x + r, s.y + r))
        wide = max(1, round(s.width * self.k))
        self.d.ellipse((x0, y0, x1, y1), fill=s.fill or None, outline=s.stroke or None, width=wide)

    def _path(self, s: Path) -> None:
        points = [self.at(p) for p in s.points]
        if s.fill and s.closed:
            self.d.polygon(points, fill=s.fill)
        if not s.stroke:
            return
        if s.closed:
            points.append(points[0])
        wide = max(1, round(s.width * self.k))
        pieces = _dashes(points, s.dash[0] * self.k, s.dash[1] * self.k) if s.dash else iter([points])
        for piece in pieces:
            self.d.line(piece, fill=s.stroke, width=wide, joint="curve")
            for x, y in (piece[0], piece[-1]):  # round ends
                self.d.ellipse((x - wide / 2, y - wide / 2, x + wide / 2, y + wide / 2), fill=s.stroke)


def _dashes(points: list[Point], on: float, off: float) -> Iterator[list[Point]]:
    left, drawn, piece = on, True, [points[0]]
    for a, b in itertools.pairwise(points):
        length, done = math.dist(a, b), 0.0
        while length - done > left:
            done += left
            p = (a[0] + (b[0] - a[0]) * done / length, a[1] + (b[1] - a[1]) * done / length)
            if drawn:
                yield [*piece, p]
            piece, drawn = [p], not drawn
            left = on if drawn else off
        left -= length - done
        piece.append(b)
    if drawn and len(piece) > 1:
        yield piece


def _bitmap(image: Any, s: Bitmap, scale: float) -> None:
    from PIL import Image

    x0, y0, x1, y1 = (round(v * scale) for v in (s.x, s.y, s.x + s.w, s.y + s.h))
    how = Image.Resampling.BILINEAR if s.smooth else Image.Resampling.NEAREST
    part = Image.fromarray(np.ascontiguousarray(s.pixels), "RGBA").resize((max(1, x1 - x0), max(1, y1 - y0)), how)
    image.paste(part, (x0, y0), part)


def _text(pen: Any, s: Text, scale: float) -> None:
    font = _font(round(s.size * scale, 1), s.bold)
    anchor = {"start": "ls", "middle": "ms", "end": "rs"}[s.anchor]
    halo = {"stroke_width": max(1, round(1.5 * scale)), "stroke_fill": s.halo} if s.halo else {}
    words = "".join(c if c.isprintable() else " " for c in s.text)
    pen.text((s.x * scale, s.y * scale), words, fill=s.fill, font=font, anchor=anchor, **halo)


@lru_cache(maxsize=64)
def _font(size: float, bold: bool) -> Any:
    """DejaVu Sans comes with matplotlib and with most systems; Pillow's own font stands in for it."""
    from PIL import ImageFont

    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    spec = importlib.util.find_spec("matplotlib")
    places = (
        [File(p) / "mpl-data" / "fonts" / "ttf" / name for p in (spec.submodule_search_locations or ())] if spec else []
    )
    for place in [*(str(p) for p in places if p.is_file()), name]:
        try:
            return ImageFont.truetype(place, size)
        except OSError:
            continue
    return ImageFont.load_default(size)
