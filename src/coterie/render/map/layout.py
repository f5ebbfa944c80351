"""The sheet: where the map, the inset, the roster, the sections, the timeline and the captions go."""

from __future__ import annotations

import math

from coterie.render.describe import FloorPlan
from coterie.render.labels import Area
from coterie.render.maps import Map

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
