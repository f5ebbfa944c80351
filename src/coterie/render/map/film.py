"""An episode as an animated GIF: robots move along their paths, then a step rests long enough to be read."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from coterie.render.describe import FloorPlan, Frame, Point
from coterie.render.files import MOST_SHOTS, common_palette, each, save_film
from coterie.render.map.draw import back, draw, front, sheet_for
from coterie.render.map.layout import Sheet
from coterie.render.raster import to_image
from coterie.render.shapes import Drawing

SCALE = 0.8
TWEENS = 5  # pictures on the way from one frame to the next, where there is room for them
TWEEN_MS, READ_MS, LAST_MS = 90, 1700, 3000
REST_MS, SHORTEST_MS, ALL_MS = 700, 110, 20_000  # a frame rests as long as that fits into twenty seconds

Shot = tuple[Drawing, Drawing | None, int]  # what is behind, what moves over it, and how long it is shown [ms]


def save_map_film(plan: FloorPlan, frames: Sequence[Frame], path: Path) -> Path:
    sheet = sheet_for(plan, list(frames))
    some = [to_image(draw(plan, frames[i * (len(frames) - 1) // 5], sheet), SCALE) for i in range(6)]
    reference = common_palette(some)
    images: list[Any] = []
    times: list[int] = []
    behind: tuple[Any, Any] = (None, None)  # a drawing, and its pixels
    for under, over, ms in each(shots(plan, frames, sheet), count(frames)):
        if over is None:
            image = to_image(under, SCALE)
        else:
            behind = behind if behind[0] is under else (under, to_image(under, SCALE))
            image = to_image(over, SCALE, onto=behind[1].copy())
        images.append(image.quantize(palette=reference, dither=0))  # at once: a third of the memory
        times.append(ms)
    return save_film(images, [*times[:-1], LAST_MS], path)


def count(frames: Sequence[Frame]) -> int:
    """How many pictures a film of these frames has."""
    moving = sum(bool(_paths(before, after)) for before, after in itertools.pairwise(frames))
    return len(frames) + moving * _tweens(frames)


def _tweens(frames: Sequence[Frame]) -> int:
    """How many pictures there are on the way from one frame to the next."""
    return max(0, min(TWEENS, MOST_SHOTS // len(frames) - 2))


def shots(plan: FloorPlan, frames: Sequence[Frame], sheet: Sheet) -> Iterator[Shot]:
    rest = max(SHORTEST_MS, min(REST_MS, ALL_MS // len(frames)))
    read = READ_MS if rest == REST_MS else max(rest, READ_MS // 2)
    for before, frame in zip([None, *frames], frames):
        if before is not None:
            yield from _on_the_way(plan, before, frame, sheet, _tweens(frames))
        yield draw(plan, frame, sheet), None, read if frame.busy else rest


def _on_the_way(plan: FloorPlan, before: Frame, after: Frame, sheet: Sheet, tweens: int) -> Iterator[Shot]:
    paths = _paths(before, after)
    if not paths or not tweens:
        return
    still = under_way(before, after)
    behind = back(plan, still, sheet)
    for k in range(1, tweens + 1):
        share = 0.5 - 0.5 * math.cos(math.pi * k / (tweens + 1))  # slow, fast, slow
        agents = [replace(a, at=along(paths[a.name], share)) if a.name in paths else a for a in still.agents]
        layer = Drawing(behind.drawing.width, behind.drawing.height)
        layer.add(*front(plan, replace(still, agents=tuple(agents)), sheet, behind))
        yield behind.drawing, layer, TWEEN_MS


def under_way(before: Frame, after: Frame) -> Frame:
    """The step while it goes on: news and decisions of the new frame, but hands and places as they were."""
    was = {a.name: a for a in before.agents}
    agents = []
    for a in after.agents:
        old = was.get(a.name)
        now = replace(a, said="", held=old.held if old is not None and a.online else None)
        if old is not None:
            now = replace(now, at=old.at, where="" if a.at != old.at else a.where)
        if old is None or (a.doing, a.note) != (old.doing, old.note) or a.at != old.at:
            now = replace(now, status="")
        agents.append(now)
    trails = tuple(t for t in before.trails if t.age == 0) if before.step >= 0 else ()
    held = {a.held.name for a in agents if a.held is not None}
    items = tuple(i for i in before.items if i.name not in held)
    dropped = tuple(i for i in after.items if i.name not in held and all(i.name != b.name for b in before.items))
    return replace(
        before, when=after.when, news=after.news, fresh=after.fresh, agents=tuple(agents), trails=trails,
        items=(*items, *dropped), barriers=after.barriers,
    )  # fmt: skip


def _paths(before: Frame, after: Frame) -> dict[str, tuple[Point, ...]]:
    """The paths of those who move between two frames."""
    was = {a.name: a.at for a in before.agents}
    found = {}
    for a in after.agents:
        start = was.get(a.name) or (a.path[0] if a.path else None)  # a newcomer begins where it was first seen
        if start is not None and a.at is not None and a.at != start:
            found[a.name] = a.path or (start, a.at)
    return found


def along(points: Sequence[Point], share: float) -> Point:
    """The point at a share (0 to 1) of a path's length."""
    lengths = [math.dist(p, q) for p, q in itertools.pairwise(points)]
    left = share * sum(lengths)
    for p, q, length in zip(points, points[1:], lengths):
        if left <= length and length > 0:
            k = left / length
            return (p[0] + (q[0] - p[0]) * k, p[1] + (q[1] - p[1]) * k)
        left -= length
    return points[-1]
