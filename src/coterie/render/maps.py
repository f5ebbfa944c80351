"""Metres as pixels: a rectangle of ground on a page."""

from __future__ import annotations

from collections.abc import Sequence

from coterie.render.labels import Area


class Map:
    """Metres (y upwards) to pixels (y downwards) of a rectangle on the page."""

    def __init__(
        self, low: Sequence[float], high: Sequence[float], area: Area, most: float = 1e9, centred: bool = False
    ):
        self.scale = min(area.w / (high[0] - low[0]), area.h / (high[1] - low[1]), most)
        self.w, self.h = (high[0] - low[0]) * self.scale, (high[1] - low[1]) * self.scale
        self.x, self.y = area.x, area.y
        if centred:
            self.x, self.y = area.x + (area.w - self.w) / 2, area.y + (area.h - self.h) / 2
        self._low, self._top = low, high[1]

    def at(self, p: Sequence[float]) -> tuple[float, float]:
        return (self.x + (p[0] - self._low[0]) * self.scale, self.y + (self._top - p[1]) * self.scale)

    def area(self, rect: Sequence[float]) -> Area:
        x, y = self.at((rect[0], rect[3]))
        return Area(x, y, (rect[2] - rect[0]) * self.scale, (rect[3] - rect[1]) * self.scale)

    @property
    def whole(self) -> Area:
        return Area(self.x, self.y, self.w, self.h)
