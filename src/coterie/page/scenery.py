"""The map as data: every shape once, what changes between steps, and where the robots are."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.event import Event
from coterie.core.visible import visible
from coterie.log.fold import states
from coterie.page.pool import Pool, edits
from coterie.render.map.stage import Stage
from coterie.render.png import to_png
from coterie.render.shapes import Bitmap, Box, Disc, Path, Shape

MOST_STILLS_BYTES = 3_400_000  # as base64 that is 4.5 MB


def scenery(pictures: Any, events: Sequence[Event], steps: Sequence[int]) -> dict[str, Any]:
    """What the page shows as a picture: `{"map": ...}`, `{"stills": ...}`, or `{"none": why}`."""
    try:
        stills = list(_small(pictures.stills(events), steps))
        return {"stills": stills} if stills else {"map": moving(pictures.stages(states(events)))}
    except CoterieError as err:  # a page without pictures tells all the rest
        return {"none": visible(str(err))}


# -- pictures ---------------------------------------------------------------------------------------------------------
def _small(stills: Iterable[tuple[int, bytes]], steps: Sequence[int]) -> Iterator[list[str]]:
    """For every step of the page its pictures in order; what does not fit into a file to mail is left out evenly."""
    by_step: dict[int, list[bytes]] = {}
    for step, data in stills:
        by_step.setdefault(step, []).append(data)
    if not by_step:
        return
    while sum(len(d) for shown in by_step.values() for d in shown) > MOST_STILLS_BYTES and _thin(by_step):
        pass
    for step in steps:
        yield [f"data:image/jpeg;base64,{base64.b64encode(d).decode('ascii')}" for d in by_step.get(step, ())]


def _thin(by_step: dict[int, list[bytes]]) -> bool:
    """Half the moments of every step, the last one always; if there is but one, half the steps."""
    if any(len(shown) > 1 for shown in by_step.values()):
        for step, shown in by_step.items():
            by_step[step] = shown[::-1][::2][::-1]
        return True
    gone = sorted(by_step)[1:-1:2]
    for step in gone:
        del by_step[step]
    return bool(gone)


# -- shapes -----------------------------------------------------------------------------------------------------------
def moving(stages: Iterable[Stage]) -> dict[str, Any]:
    shapes, signs, frames = Pool(), Pool(), []
    layers: tuple[list[int], list[int]] = ([], [])
    at: dict[str, Any] = {}
    first: Stage | None = None
    for stage in stages:
        first = first or stage
        frame: dict[str, Any] = {}
        for key, layer, now in (("u", layers[0], stage.under), ("o", layers[1], stage.over)):
            ids = [_id(shapes, s) for s in now]
            if ids != layer:
                frame[key] = edits(layer, ids)
                layer[:] = ids
        there = {}
        for name, sign in stage.signs.items():
            look = tuple(_id(shapes, s) for s in sign.shapes)
            there[name] = [_n(sign.at[0]), _n(sign.at[1]), signs.id(look)]
        moved: dict[str, Any] = {name: row for name, row in there.items() if at.get(name) != row}
        for name, row in moved.items():
            path = stage.signs[name].path
            if len(path) > 2:  # else it is straight
                row = [*row, *(_n(v) for p in path[1:-1] for v in p)]
            moved[name] = row
        moved |= {name: 0 for name in at if name not in there}
        if moved:
            frame["r"] = moved
        at = there
        frames.append(frame)
    if first is None:
        raise CoterieError("The log has no state to draw.")
    return {
        "box": [_n(v) for v in first.area],
        "ground": first.background,
        "trail": first.trail,
        "shapes": shapes.items,
        "signs": signs.items,
        "frames": frames,
    }


def _n(value: float) -> float:
    """A tenth of a pixel is fine enough."""
    short = round(float(value), 1)
    return int(short) if short == int(short) else short


def _id(pool: Pool, s: Shape) -> int:
    key = (s.x, s.y, s.pixels.tobytes()) if isinstance(s, Bitmap) else s
    return pool.id((type(s).__name__, key), lambda: _written(s))


def _written(s: Shape) -> list[Any]:
    """A shape as a row that the page knows how to draw."""
    if isinstance(s, Bitmap):
        data = f"data:image/png;base64,{base64.b64encode(to_png(s.pixels)).decode('ascii')}"
        return ["i", _n(s.x), _n(s.y), _n(s.w), _n(s.h), data, int(s.smooth)]
    if isinstance(s, Box):
        return ["b", _n(s.x), _n(s.y), _n(max(0.0, s.w)), _n(max(0.0, s.h)), _n(s.radius), *_paint(s)]
    if isinstance(s, Disc):
        return ["d", _n(s.x), _n(s.y), _n(s.r), *_paint(s)]
    if isinstance(s, Path):
        points = " ".join(f"{_n(x)},{_n(y)}" for x, y in s.points)
        return ["p", points, int(s.closed), f"{s.dash[0]} {s.dash[1]}" if s.dash else "", *_paint(s)]
    place = [_n(s.x), _n(s.y), visible(s.text), _n(s.size), visible(s.fill)]
    return ["t", *place, s.anchor, int(s.bold), visible(s.halo)]


def _paint(s: Box | Disc | Path) -> list[Any]:
    """Colours may come from a stranger's log."""
    return [visible(str(s.fill)), visible(str(s.stroke)), _n(s.width)] if s.stroke else [visible(str(s.fill))]
