"""An episode as an animated GIF: the map fills up while robots go about, and rests where something was done."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from coterie.core.event import Event
from coterie.log.fold import states
from coterie.log.state import State
from coterie.render.pictures import common_palette, save_film
from coterie.render.progress import each
from coterie.render.raster import need_pillow, to_image
from coterie.render.shapes import Drawing
from coterie.worlds.household.pictures.draw import back, blank, front
from coterie.worlds.household.pictures.layout import Page
from coterie.worlds.household.pictures.plan import Plan
from coterie.worlds.household.pictures.story import Story

SCALE = 0.72
MOST_FRAMES = 120
STEP_MS, DEED_MS, LAST_MS = 110, 900, 3000


def save_household_film(events: Sequence[Event], path: Path) -> Path:
    need_pillow()
    moments = _few(events)
    reel = _Reel(events, moments)
    some = [reel.still(moments[i * (len(moments) - 1) // 5]) for i in range(6)]
    reference = common_palette(some)
    images, times = [], []
    for state in each(moments, len(moments)):
        images.append(reel.still(state).quantize(palette=reference, dither=0))  # at once: a third of the memory
        times.append(DEED_MS if state.step in reel.deeds else STEP_MS)
    return save_film(images, [*times[:-1], LAST_MS], path)


class _Reel:
    """What all pictures of a film have in common: one size, the floors, and the story."""

    def __init__(self, events: Sequence[Event], moments: Sequence[State]):
        self.plan = Plan.of(moments[-1].start)
        self.page = Page(self.plan, max(len(s.robots) for s in moments))
        self.story = Story.of(self.plan, events)
        self.deeds = {step for c in self.story.carried for step in (c.taken, c.put)}
        ground = blank(moments[-1], self.plan, self.page)
        ground.add(*back(self.plan, self.page))
        self._under = to_image(ground, SCALE)

    def still(self, state: State) -> Any:
        layer = Drawing(self.page.width, self.page.height)
        layer.add(*front(state, self.plan, self.story.until(state.step), self.page, whole=False))
        return to_image(layer, SCALE, onto=self._under.copy())


def _few(events: Sequence[Event]) -> list[State]:
    """Some moments of an episode: evenly spaced, and those in which something was taken or laid down."""
    last = max((e.step for e in events), default=0)
    every = max(1, -(-last // MOST_FRAMES))
    kept: list[State] = []
    held: dict[str, Any] = {}
    for state in states(events):
        now = {name: robot.holding for name, robot in state.robots.items()}
        if state.step % every == 0 or state.step < 0 or now != held or state.end is not None:
            kept.append(state.copy())
        held = now
    return kept
