"""The sheet: where the map, the inset, the roster, the sections, the timeline and the captions go."""

from __future__ import annotations

import math
from collections.abc import Sequence

from coterie.render.describe import FloorPlan
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


LEAST_W, MOST_W = 1040.0, 1240.0
MARGIN = 20.0
HEADER = 110.0
FOOTER = 62.0
PANEL = 372.0  # the column at the right
GAP = 18.0
INSET = 190.0  # height of the inset
CARD_H = 96.0  # of one robot in the roster
LEAST_WORDS, MOST_WORDS = 130.0, 480.0  # height of the sections
MOST_BESIDE = 6  # robots in the column at the right; of a larger team the cards go below the map
COLUMNS = 3
MAP_W, MAP_H = MOST_W - PANEL - GAP - 2 * MARGIN, 680.0
MOST_SCALE = 120.0  # pixels a metre
TIME_ROW = 26.0  # of the timeline


class Sheet:
    """The size of a picture of a floor plan with a number of robots; pictures of a film share one."""

    def __init__(self, plan: FloorPlan, robots: int, times: int = 0, words: float = LEAST_WORDS):
        x0, y0, x1, y1 = plan.bounds
        low, high = (x0 - 0.1, y0 - 0.1), (x1 + 0.1, y1 + 0.1)
        drawn = Map(low, high, Area(MARGIN, HEADER, MAP_W, MAP_H), most=MOST_SCALE)
        self.width = max(LEAST_W, drawn.w + GAP + PANEL + 2 * MARGIN)
        left = self.width - PANEL - GAP - 2 * MARGIN  # a narrow house stands in the middle of what is left
        self.map = Map(low, high, Area(MARGIN + (left - drawn.w) / 2, HEADER, drawn.w, drawn.h), most=MOST_SCALE)
        self.panel_x = self.width - MARGIN - PANEL
        self.inset = Area(self.panel_x, HEADER, PANEL, INSET) if plan.inset else None
        self.below = robots > MOST_BESIDE
        self.roster_y = HEADER + (INSET + 12 if plan.inset else 0)
        words_y = self.roster_y + (0 if self.below else robots * CARD_H)
        end = max(HEADER + self.map.h, words_y + words)
        self.words = Area(self.panel_x, words_y, PANEL, end - words_y)
        if self.below:
            self.roster_y = end + 14
            end = self.roster_y + math.ceil(robots / COLUMNS) * CARD_H - 8
        self.times_y = end + 14
        self.footer_y = self.times_y + (times * TIME_ROW + 46 if times else 0)
        self.height = self.footer_y + FOOTER
        self.room_names: dict[str, Area] = {}  # where they stand, once found

    def card(self, i: int) -> Area:
        """Where the card of a robot goes."""
        if not self.below:
            return Area(self.panel_x, self.roster_y + i * CARD_H, PANEL, CARD_H - 8)
        w = (self.width - 2 * MARGIN + GAP) / COLUMNS
        row, column = divmod(i, COLUMNS)
        return Area(MARGIN + column * w, self.roster_y + row * CARD_H, w - GAP, CARD_H - 8)
