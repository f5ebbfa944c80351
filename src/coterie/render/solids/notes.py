"""Words on a picture of solids: labels of bodies and a caption."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.render import palette
from coterie.render.labels import shorten, width
from coterie.render.raster import to_image
from coterie.render.shapes import Box, Drawing, Path, Shape, Text

LETTERS, LINE = 12.0, 17
CARD = 17  # [px] height of a card
#: Ways for a card to give way, the shortest first; rather to the sides than up, and rather up than down.
SHIFTS = sorted(
    ((dx, dy) for dx in range(-90, 91, 5) for dy in range(-100, 101, 5)),
    key=lambda d: (d[0] ** 2 + (2 if d[1] < 0 else 4) * d[1] ** 2, d),
)
Area = tuple[float, float, float, float]  # left, top, right, lower
TRIES = 300  # places whose line crosses something, after which the nearest of them will do
STEPS = tuple(n / 10 for n in range(1, 10))  # where a line is looked at
LED = 22.0  # [px] from where it belongs, beyond which a line leads from a card to what it names


class Tag(NamedTuple):
    x: float  # the middle of its lower edge
    y: float
    text: str
    foot: tuple[float, float] | None = None  # the middle of what it names, if that is not where it stands


def caption_height(lines: int) -> int:
    return LINE * lines + 12 if lines else 0


def write(image: Any, caption: str, tags: Sequence[Tag], clear: Sequence[Area] = ()) -> Any:
    """A picture with labels on little cards, which give way to each other and to areas that are to stay clear, and a
    caption along its lower edge."""
    across, height = image.size
    lines = caption.splitlines()
    top = height - caption_height(len(lines))
    drawing = Drawing(across, height)
    taken: list[tuple[float, float, float]] = []
    cards: list[Shape] = []
    for x, y, text, foot in tags:
        half = width(text, LETTERS - 1) / 2 + 6
        end = foot or (x, min(y, top))
        u, v = _free_spot(x, y, half, (across, top), taken, clear, end)
        taken.append((u, v, half))
        if math.hypot(u - x, v - y) > LED:
            drawing.add(Path(((u, v - CARD / 2), end), stroke=palette.INK))
        cards.append(Box(u - half, v - 14, 2 * half, CARD, palette.CARD, palette.FAINT, 1, 5))
        cards.append(Text(u, v - 1.5, text, LETTERS - 1, palette.INK, "middle"))
    drawing.add(*cards)
    if lines:
        _set(drawing, image, lines, top)
    return to_image(drawing, onto=image) if drawing.shapes else image


def captioned(size: tuple[int, int], caption: str, titles: Sequence[tuple[float, float, str]]) -> NDArray[np.uint8]:
    """A caption on paper with room beside it, and small titles where they stand."""
    from PIL import Image

    image, drawing = Image.new("RGB", size, palette.PAPER), Drawing(*size)
    _set(drawing, image, caption.splitlines(), 0)
    drawing.add(*(Text(x, y, words, LETTERS - 1, palette.INK) for x, y, words in titles))
    return np.array(to_image(drawing, onto=image))


def _set(drawing: Drawing, image: Any, lines: Sequence[str], top: int) -> None:
    """Lines of a caption below `top`, the first as a heading."""
    across, height = image.size
    image.paste(palette.PAPER, (0, top, across, height))
    image.paste(palette.FAINT, (0, top, across, top + 1))
    for i, line in enumerate(lines):
        words = shorten(line, LETTERS, across - 24, i == 0)
        drawing.add(Text(12, top + LINE * (i + 1) + 1, words, LETTERS, palette.INK, bold=i == 0))


def _free_spot(
    x: float,
    y: float,
    half: float,
    size: tuple[float, float],
    taken: Sequence[tuple[float, float, float]],
    clear: Sequence[Area] = (),
    foot: tuple[float, float] | None = None,
) -> tuple[float, float]:
    """Where a card can lie without covering another, as near as possible to where it belongs, and so that its line
    crosses nothing that is to stay clear; for want of room it may, or even cover that."""
    across, top = size
    spare: tuple[float, float] | None = None
    crossed: list[tuple[float, float]] = []
    others = [a for a in clear if foot and not _within(foot, a)]

    def inside(u: float, v: float) -> tuple[float, float]:
        return min(max(u, half + 2), across - half - 2), min(max(v, 20.0), top - 4)

    for dx, dy in SHIFTS:
        u, v = inside(x + dx, y + dy)
        if any(abs(u - a) < half + h and abs(v - b) < CARD for a, b, h in taken):
            continue
        if not any(u - half < c and u + half > a and v - 14 < d and v + 3 > b for a, b, c, d in clear):
            led = foot is not None and math.hypot(u - x, v - y) > LED
            if not led or not any(_crosses((u, v - CARD / 2), foot, a) for a in others):
                return u, v
            crossed.append((u, v))
            if len(crossed) == TRIES:
                break
        spare = spare or (u, v)
    return crossed[0] if crossed else spare or inside(x, y)


def _within(point: tuple[float, float], area: Area) -> bool:
    return area[0] <= point[0] <= area[2] and area[1] <= point[1] <= area[3]


def _crosses(begin: tuple[float, float], end: tuple[float, float] | None, area: Area) -> bool:
    """Whether a line leads through an area: some of a few points on it lie there."""
    if end is None:
        return False
    (a, b), (c, d) = begin, end
    return any(_within((a + s * (c - a), b + s * (d - b)), area) for s in STEPS)
