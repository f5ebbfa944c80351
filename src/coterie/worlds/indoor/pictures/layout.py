"""The page: where the map, the close-up, the roster and the captions go, and metres as pixels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coterie.render.labels import Area

WIDTH = 1240.0
MARGIN = 20.0
HEADER = 110.0
FOOTER = 62.0
PANEL = 372.0  # the column at the right
GAP = 18.0
CLOSE_UP = 190.0  # height of the close-up of the work table
CARD_H = 100.0  # of one robot in the roster
MAP_W = WIDTH - PANEL - GAP - 2 * MARGIN
MAP_H = 664.0


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


class Page:
    """The size of a page for a scene and a number of robots."""

    def __init__(self, scene: dict[str, Any], robots: int):
        rects = [r for _, _, r in scene["rooms"]]
        low = (min(r[0] for r in rects) - 0.08, min(r[1] for r in rects) - 0.08)
        high = (max(r[2] for r in rects) + 0.08, max(r[3] for r in rects) + 0.08)
        self.map = Map(low, high, Area(MARGIN, HEADER, MAP_W, MAP_H))
        self.seats = robots
        self.room_names: dict[str, Area] = {}  # where they stand, once found
        self.panel_x = WIDTH - MARGIN - PANEL
        self.roster_y = HEADER + CLOSE_UP + 12
        body = max(self.map.h, CLOSE_UP + 12 + robots * CARD_H - 8)
        self.footer_y = HEADER + body + 14
        self.height = self.footer_y + FOOTER
        self.close_up = Area(self.panel_x, HEADER, PANEL, CLOSE_UP)
