"""The page: where the map, the close-up, the roster and the captions go, and metres as pixels."""

from __future__ import annotations

import math
from typing import Any

from coterie.render.labels import Area
from coterie.render.maps import Map

WIDTH = 1240.0
MARGIN = 20.0
HEADER = 110.0
FOOTER = 62.0
PANEL = 372.0  # the column at the right
GAP = 18.0
CLOSE_UP = 190.0  # height of the close-up of the work table
CARD_H = 100.0  # of one robot in the roster
MOST_BESIDE = 10  # robots in the column at the right; of a larger team the cards go below the map
COLUMNS = 3
MAP_W = WIDTH - PANEL - GAP - 2 * MARGIN
MAP_H = 664.0


class Page:
    """The size of a page for a scene and a number of robots."""

    def __init__(self, scene: dict[str, Any], robots: int):
        rects = [room[2] for room in scene["rooms"]]
        low = (min(r[0] for r in rects) - 0.08, min(r[1] for r in rects) - 0.08)
        high = (max(r[2] for r in rects) + 0.08, max(r[3] for r in rects) + 0.08)
        self.map = Map(low, high, Area(MARGIN, HEADER, MAP_W, MAP_H))
        self.seats = robots
        self.room_names: dict[str, Area] = {}  # where they stand, once found
        self.panel_x = WIDTH - MARGIN - PANEL
        self.roster_y = HEADER + CLOSE_UP + 12
        self.below = robots > MOST_BESIDE  # a large team has its roster below the map, in columns
        body = max(self.map.h, CLOSE_UP + 12 + (0 if self.below else robots * CARD_H - 8))
        self.words_y = self.roster_y + (0 if self.below else robots * CARD_H)  # where there is room for what was said
        self.words_end = HEADER + body
        if self.below:
            self.roster_y = HEADER + body + 14
            body = self.roster_y + math.ceil(robots / COLUMNS) * CARD_H - 8 - HEADER
        self.footer_y = HEADER + body + 14
        self.height = self.footer_y + FOOTER
        self.close_up = Area(self.panel_x, HEADER, PANEL, CLOSE_UP)

    def card(self, i: int) -> Area:
        """Where the card of a robot goes."""
        if not self.below:
            return Area(self.panel_x, self.roster_y + i * CARD_H, PANEL, CARD_H - 8)
        w = (WIDTH - 2 * MARGIN + GAP) / COLUMNS
        row, column = divmod(i, COLUMNS)
        return Area(MARGIN + column * w, self.roster_y + row * CARD_H, w - GAP, CARD_H - 8)
