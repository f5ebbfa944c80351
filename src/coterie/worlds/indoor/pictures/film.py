"""An episode as an animated GIF: robots move along their ways, then the step rests long enough to be read."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from coterie.log.state import RobotState, State
from coterie.render.labels import Labels
from coterie.render.pictures import MOST_SHOTS, common_palette, save_film
from coterie.render.progress import each
from coterie.render.raster import need_pillow, to_image
from coterie.render.shapes import Drawing, Point
from coterie.worlds.indoor.pictures import panel
from coterie.worlds.indoor.pictures.draw import back, front, moving_front, new_page
from coterie.worlds.indoor.pictures.layout import Page
from coterie.worlds.indoor.pictures.routes import Routes, along

SCALE = 0.8
TWEENS = 5
MOST_STILLS = MOST_SHOTS // 2  # one takes as long to draw as two on the way
TWEEN_MS, REST_MS, READ_MS, LAST_MS = 90, 700, 1700, 3000


def save_house_film(states: Sequence[State], path: Path) -> Path:
    need_pillow()
    page, routes = _stage(states)
    some = [i * (len(states) - 1) // 5 for i in range(6)]
    drawn = {i: _still(states[i], page, routes) for i in sorted(set(some))}
    reference = common_palette([drawn[i] for i in some])
    images: list[Any] = []
    times: list[int] = []
    for image, ms in each(_shoot(states, page, routes, drawn)):
        images.append(image.quantize(palette=reference, dither=0))  # at once: a third of the memory
        times.append(ms)
    return save_film(images, [*times[:-1], LAST_MS], path)


def _stage(states: Sequence[State]) -> tuple[Page, Routes]:
    seats = max(len(s.robots) for s in states)  # all pictures of a film have one size
    return new_page(states[-1], seats), Routes(states[0].start.scene)


def _shoot(
    states: Sequence[State], page: Page, routes: Routes, drawn: dict[int, Any] | None = None
) -> Iterator[tuple[Any, int]]:
    """The pictures, each with its time [ms]; those that are drawn already are taken as they are."""
    drawn = drawn or {}
    tweens = min(TWEENS, MOST_SHOTS // len(states) - 2)
    for i, state in enumerate(states):
        for image in _tweens(states[i - 1], state, page, routes, tweens) if i and tweens > 0 else ():
            yield image, TWEEN_MS
        news = bool(state.changes) and state.changes[-1][0] == state.step
        spoken = any(r.said is not None and r.said.step == state.step for r in state.robots.values())
        yield drawn.pop(i, None) or _still(state, page, routes), READ_MS if news or spoken else REST_MS


def _still(state: State, page: Page, routes: Routes) -> Any:
    labels = Labels(page.map.whole)
    when = panel.ending(state) if state.end is not None else panel.when(state)
    drawing, names = back(state, page, routes, labels, when)
    drawing.add(*front(state, page, labels, names))
    return to_image(drawing, SCALE)


def _tweens(before: State, after: State, page: Page, routes: Routes, count: int) -> list[Any]:
    ways: dict[str, tuple[Point, ...]] = {}
    for name, robot in after.robots.items():
        start = _start(before.robots.get(name), robot)
        if robot.online and start is not None and robot.pose is not None and start != robot.pose:
            ways[name] = routes.between(robot.card, start, robot.pose)
    if not ways:
        return []
    during = _during(before, after)
    drawing, names = back(during, page, routes, Labels(page.map.whole), panel.when(during))
    ground = to_image(drawing, SCALE)
    images = []
    for k in range(1, count + 1):
        share = 0.5 - 0.5 * math.cos(math.pi * k / (count + 1))  # slow, fast, slow
        layer = Drawing(drawing.width, drawing.height)
        layer.add(*moving_front(during, page, {name: _part(way, share) for name, way in ways.items()}, names))
        images.append(to_image(layer, SCALE, onto=ground.copy()))
    return images


def _start(before: RobotState | None, after: RobotState) -> Point | None:
    if before is not None:
        return before.pose
    return after.trail[0][1] if after.trail else None  # a newcomer begins where it was first seen


def _during(before: State, after: State) -> State:
    """The step under way: news and decisions of the new state, but hands, places and words still as they were."""
    state = after.copy()
    state.t, state.talk, state.end = before.t, before.talk, None
    for key in [key for key in state.true if key[0] in _STILL]:
        if key in before.true:
            state.true[key] = before.true[key]
    state.arrived = dict(before.arrived)
    state.done, state.partial, state.status_text = before.done, before.partial, before.status_text
    for name, robot in state.robots.items():
        was = before.robots.get(name)
        robot.holding = was.holding if was is not None and robot.online else None
        if was is not None:
            robot.trail, robot.at = was.trail, robot.at if robot.pose == was.pose else None
            robot.pose = was.pose
        if robot.act is not None and robot.act.step == state.step:
            robot.act.status = robot.act.reason = ""
    held = {r.holding for r in state.robots.values()}
    for name, thing in after.things.items():  # what a vanished robot held has dropped by now
        if state.things[name].place in before.robots and name not in held:
            state.true["where", name], state.true["spot", name] = thing.place, thing.spot
            state.arrived[name] = after.arrived[name]
    return state


_STILL = ("where", "spot", "open")  # what is not yet otherwise while robots are on their way


def _part(way: tuple[Point, ...], share: float) -> tuple[Point, ...]:
    """The first share of a way."""
    end = along(way, share)
    whole = sum(math.dist(a, b) for a, b in itertools.pairwise(way)) * share
    kept, done = [way[0]], 0.0
    for a, b in itertools.pairwise(way):
        done += math.dist(a, b)
        if done >= whole:
            break
        kept.append(b)
    return (*kept, end)
