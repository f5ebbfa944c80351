"""The page: where the map, the roster, the story and the captions go."""

from __future__ import annotations

from coterie.render.labels import Area
from coterie.render.maps import Map
from coterie.worlds.household.pictures.plan import Plan

LEAST_W, MOST_W = 1040.0, 1240.0
MARGIN = 20.0
HEADER = 110.0
FOOTER = 34.0
PANEL = 372.0  # the column at the right
GAP = 18.0
CARD_H = 82.0  # of one robot in the roster
MAP_W, MAP_H = MOST_W - PANEL - GAP - 2 * MARGIN, 700.0
MOST_SCALE = 120.0  # pixels a metre
LEAST_STORY = 150.0
MOST_BESIDE = 6  # robots in the column at the right; of a larger team the rest is only on the map


class Page:
    """The size of a page for a house and a number of robots."""

    def __init__(self, plan: Plan, robots: int):
        x0, y0, x1, y1 = plan.bounds
        low, high = (x0 - 0.1, y0 - 0.1), (x1 + 0.1, y1 + 0.1)
        drawn = Map(low, high, Area(MARGIN, HEADER, MAP_W, MAP_H), most=MOST_SCALE)
        self.width = max(LEAST_W, drawn.w + GAP + PANEL + 2 * MARGIN)
        left = self.width - PANEL - GAP - 2 * MARGIN  # a narrow house stands in the middle of what is left
        self.map = Map(low, high, Area(MARGIN + (left - drawn.w) / 2, HEADER, drawn.w, drawn.h), most=MOST_SCALE)
        self.seats = min(robots, MOST_BESIDE)
        self.panel_x = self.width - MARGIN - PANEL
        self.story_y = HEADER + self.seats * CARD_H
        self.body_end = max(HEADER + self.map.h, self.story_y + LEAST_STORY)
        self.footer_y = self.body_end + 14
        self.room_names: dict[str, Area] = {}  # where they stand, once found
        self.height = self.footer_y + FOOTER

    def card(self, i: int) -> Area:
        return Area(self.panel_x, HEADER + i * CARD_H, PANEL, CARD_H - 8)

    @property
    def story(self) -> Area:
        return Area(self.panel_x, self.story_y, PANEL, self.body_end - self.story_y)
