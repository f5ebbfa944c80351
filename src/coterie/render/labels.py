"""The places of labels: each takes the candidate that covers least. The width of words is guessed, without a font."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import NamedTuple

# Widths of DejaVu Sans in hundredths of the font size; fonts that stand in for it are narrower.
_GROUPS = {
    28: "'Iijl", 33: " ,.", 35: "/:;\\|f-", 40: "!()[]tr", 46: '"', 51: "*_`szc?", 57: "FLk", 60: "PTYaovxye",
    64: "$0123456789{}ESbdghnpqu", 69: "AVBRXZCK", 76: "DGHNUO&Q", 84: "#+<=>^~w", 87: "M", 97: "m%", 100: "@W",
}  # fmt: skip
_WIDTH = {c: w / 100 for w, chars in _GROUPS.items() for c in chars}
_BOLD = 1.13
_NARROWEST = min(_WIDTH.values())


def width(text: str, size: float, bold: bool = False) -> float:
    return sum(map(_em, text)) * size * (_BOLD if bold else 1.0)


def _em(c: str) -> float:
    return _WIDTH.get(c) or (0.64 if ord(c) < 0x2E80 else 1.0)


def shorten(text: str, size: float, room: float, bold: bool = False) -> str:
    """The text, or as much of its beginning as fits, with an ellipsis."""
    text = " ".join(text.split())
    if len(text) * size * _NARROWEST <= room and width(text, size, bold) <= room:
        return text
    unit, em, end = size * (_BOLD if bold else 1.0), _em("…"), 0
    while end < len(text) and (em := em + _em(text[end])) * unit <= room:
        end += 1
    return text[:end].rstrip() + "…"


def wrap(text: str, size: float, room: float, lines: int, bold: bool = False) -> list[str]:
    """At most so many lines; what does not fit ends in an ellipsis."""
    words = deque(text.split())
    out: list[str] = []
    while words and len(out) < lines - 1:
        row = words.popleft()
        while words and width(f"{row} {words[0]}", size, bold) <= room:
            row = f"{row} {words.popleft()}"
        out.append(shorten(row, size, room, bold))
    if words:
        out.append(shorten(" ".join(words), size, room, bold))
    return out


class Area(NamedTuple):
    x: float
    y: float
    w: float
    h: float

    def grown(self, by: float) -> Area:
        return Area(self.x - by, self.y - by, self.w + 2 * by, self.h + 2 * by)

    def covers(self, other: Area) -> float:
        """The area [px²] that two share."""
        return shared(self, (other,))


def shared(area: Area, others: Iterable[Area]) -> float:
    """The area [px²] that one shares with each of the others, in all; pictures ask for it a million times."""
    x, y, w, h = area
    right, low = x + w, y + h
    total = 0.0
    for ox, oy, ow, oh in others:
        if x < ox + ow and ox < right and y < oy + oh and oy < low:
            total += (min(right, ox + ow) - max(x, ox)) * (min(low, oy + oh) - max(y, oy))
    return total


def near(areas: Iterable[Area], whole: Area) -> list[Area]:
    """Those that share something with `whole`: no others matter to what lies inside it."""
    return [a for a in areas if whole.covers(a)]


class Labels:
    """Areas that are taken, and those one would rather leave free."""

    def __init__(self, bounds: Area):
        self.bounds = bounds
        self.taken: list[Area] = []
        self.rather_not: list[Area] = []

    def copy(self) -> Labels:
        other = Labels(self.bounds)
        other.taken, other.rather_not = list(self.taken), list(self.rather_not)
        return other

    def near(self, whole: Area) -> Labels:
        """The same for areas inside `whole`, and quicker where many of them are tried."""
        other = Labels(self.bounds)
        other.taken, other.rather_not = near(self.taken, whole), near(self.rather_not, whole)
        return other

    def cost(self, area: Area, within: Area | None = None) -> float:
        outside = area.w * area.h - area.covers(within or self.bounds)
        return 2.0 * shared(area, self.taken) + 0.05 * shared(area, self.rather_not) + 6.0 * outside

    def place(
        self, w: float, h: float, corners: Sequence[tuple[float, float]], within: Area | None = None, gap: float = 2.0
    ) -> Area:
        """Choose among upper left corners (earlier ones are preferred a little) and mark the place as taken."""

        left, top = min(x for x, _ in corners), min(y for _, y in corners)
        right, low = max(x for x, _ in corners) + w, max(y for _, y in corners) + h
        here = self.near(Area(left, top, right - left, low - top).grown(2 * gap))  # more than enough

        def price(i: int) -> float:
            x, y = corners[i]
            return here.cost(Area(x, y, w, h).grown(gap), within) + 4.0 * i

        best = corners[min(range(len(corners)), key=price)]
        area = Area(*best, w, h)
        self.taken.append(area)
        return area


def around(area: Area, w: float, h: float, gap: float) -> list[tuple[float, float]]:
    """Corners for a label of this size beside an area: below, above, right, left, and shifted along each side."""
    cx, cy = area.x + (area.w - w) / 2, area.y + (area.h - h) / 2
    below, above = area.y + area.h + gap, area.y - h - gap
    right, left = area.x + area.w + gap, area.x - w - gap
    low, end = area.y + area.h - h, area.x + area.w - w
    return [
        (cx, below), (cx, above), (right, cy), (left, cy),
        (area.x, below), (end, below), (area.x, above), (end, above),
        (right, area.y), (right, low), (left, area.y), (left, low),
        (right, below), (left, below), (right, above), (left, above),
    ]  # fmt: skip


def inside(area: Area, w: float, h: float, margin: float) -> list[tuple[float, float]]:
    """Corners for a label inside an area, if it fits there."""
    if w > area.w - 2 * margin or h > area.h - 2 * margin:
        return []
    xs = (area.x + (area.w - w) / 2, area.x + margin, area.x + area.w - w - margin)
    ys = (area.y + (area.h - h) / 2, area.y + margin, area.y + area.h - h - margin)
    return [(x, y) for y in ys for x in xs]


def raster(area: Area, w: float, h: float, step: float) -> Iterable[tuple[float, float]]:
    """Corners all over an area, from its upper left."""
    y = area.y
    while y + h <= area.y + area.h:
        x = area.x
        while x + w <= area.x + area.w:
            yield (x, y)
            x += step
        y += step
