"""An episode as an animated GIF: the map fills up while robots go about, and rests where something was done."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from coterie.core.event import Event
from coterie.log.fold import states
from coterie.log.state import State
from coterie.render.pictures import common_palette, save_film
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
    images, times = _shoot(events)
    reference = common_palette(images)
    return save_film([i.quantize(palette=reference, dither=0) for i in images], times, path)


def _shoot(events: Sequence[Event]) -> tuple[list[Any], list[int]]:
    moments = _few(events)
    plan = Plan.of(moments[-1].start)
    page = Page(plan, max(len(s.robots) for s in moments))  # all pictures of a film have one size
    story = Story.of(plan, events)
    deeds = {step for c in story.carried for step in (c.taken, c.put)}
    ground = blank(moments[-1], plan, page)
    ground.add(*back(plan, page))
    under = to_image(ground, SCALE)
    images, times = [], []
    for state in moments:
        layer = Drawing(page.width, page.height)
        layer.add(*front(state, plan, story.until(state.step), page, whole=False))
        images.append(to_image(layer, SCALE, onto=under.copy()))
        times.append(DEED_MS if state.step in deeds else STEP_MS)
    times[-1] = LAST_MS
    return images, times


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
