"""Words on a picture of solids: labels of bodies and a caption."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coterie.render import palette
from coterie.render.raster import to_image
from coterie.render.shapes import Box, Drawing, Text
from coterie.render.text import shorten, width

LETTERS, LINE = 12.0, 17
CARD = 17  # [px] height of a card
#: Ways for a card to give way, the shortest first; rather to the sides than up, and rather up than down.
SHIFTS = sorted(
    ((dx, dy) for dx in range(-90, 91, 5) for dy in range(-100, 101, 5)),
    key=lambda d: (d[0] ** 2 + (2 if d[1] < 0 else 4) * d[1] ** 2, d),
)
Tag = tuple[float, float, str]  # the middle of its lower edge, and what it says


def caption_height(lines: int) -> int:
    return LINE * lines + 12 if lines else 0


def write(image: Any, caption: str, tags: Sequence[Tag]) -> Any:
    """A picture with labels on little cards, which give way to each other, and a caption along its lower edge."""
    across, height = image.size
    lines = caption.splitlines()
    top = height - caption_height(len(lines))
    drawing = Drawing(across, height)
    taken: list[tuple[float, float, float]] = []
    for x, y, text in tags:
        half = width(text, LETTERS - 1) / 2 + 6
        x, y = _free_spot(x, y, half, (across, top), taken)
        taken.append((x, y, half))
        drawing.add(Box(x - half, y - 14, 2 * half, 17, palette.CARD, palette.FAINT, 1, 5))
        drawing.add(Text(x, y - 1.5, text, LETTERS - 1, palette.INK, "middle"))
    if lines:
        image.paste(palette.PAPER, (0, top, across, height))
        image.paste(palette.FAINT, (0, top, across, top + 1))
    for i, line in enumerate(lines):
        words = shorten(line, LETTERS, across - 24, i == 0)
        drawing.add(Text(12, top + LINE * (i + 1) + 1, words, LETTERS, palette.INK, bold=i == 0))
    return to_image(drawing, onto=image) if drawing.shapes else image


def _free_spot(
    x: float, y: float, half: float, size: tuple[float, float], taken: Sequence[tuple[float, float, float]]
) -> tuple[float, float]:
    """Where a card can lie without covering another, as near as possible to where it belongs."""
    across, top = size

    def inside(u: float, v: float) -> tuple[float, float]:
        return min(max(u, half + 2), across - half - 2), min(max(v, 20.0), top - 4)

    for dx, dy in SHIFTS:
        u, v = inside(x + dx, y + dy)
        if not any(abs(u - a) < half + h and abs(v - b) < CARD for a, b, h in taken):
            return u, v
    return inside(x, y)
