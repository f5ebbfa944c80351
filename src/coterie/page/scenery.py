"""The map as data: every shape once, what changes between steps, and where the robots are."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.visible import visible
from coterie.render.map.draw import Stage
from coterie.render.shapes import Bitmap, Box, Disc, Path, Shape
from coterie.render.svg import to_png


class Pool:
    """Items in the order in which they first came."""

    def __init__(self) -> None:
        self.items: list[Any] = []
        self._ids: dict[Any, int] = {}

    def id(self, key: Any, item: Callable[[], Any] | None = None) -> int:
        """The number of what has this key; `item` makes what is written, where that is not the key itself."""
        if key not in self._ids:
            self._ids[key] = len(self.items)
            self.items.append(key if item is None else item())
        return self._ids[key]


def edits(old: Sequence[int], new: Sequence[int]) -> list[list[int]]:
    """How a list becomes another: [where, how many go, those that come ...], from the end to the beginning, so that no
    edit moves what another one speaks of."""
    found = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [[i, j - i, *new[k:n]] for tag, i, j, k, n in reversed(found) if tag != "equal"]


MOST_STILLS_BYTES = 3_400_000  # as base64 that is 4.5 MB


# -- pictures ---------------------------------------------------------------------------------------------------------
def small(stills: Iterable[tuple[int, bytes]], steps: Sequence[int]) -> Iterator[list[str]]:
    """For every step of the page its pictures in order; what does not fit into a file to mail is left out evenly."""
    by_step: dict[int, list[bytes]] = {}
    for step, data in stills:
        by_step.setdefault(step, []).append(data)
    if not by_step:
        return
    while sum(len(d) for shown in by_step.values() for d in shown) > MOST_STILLS_BYTES and _thin(by_step):
        pass
    for step in steps:
        yield [jpeg(d) for d in by_step.get(step, ())]


def jpeg(data: bytes) -> str:
    return f"data:image/jpeg;base64,{base64.b64encode(data).decode('ascii')}"


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
class Moving:
    """A map on which the team moves, frame by frame; each frame says what is other than in the one before."""

    def __init__(self) -> None:
        self.shapes, self.signs = Pool(), Pool()
        self.frames: list[dict[str, Any]] = []
        self.first: Stage | None = None
        self._layers: tuple[list[int], list[int]] = ([], [])
        self._at: dict[str, Any] = {}

    def add(self, stage: Stage) -> dict[str, Any]:
        """The next frame."""
        self.first = self.first or stage
        shapes, at, frame = self.shapes, self._at, dict[str, Any]()
        for key, layer, now in (("u", self._layers[0], stage.under), ("o", self._layers[1], stage.over)):
            ids = [_id(shapes, s) for s in now]
            if ids != layer:
                frame[key] = edits(layer, ids)
                layer[:] = ids
        there = {}
        for name, sign in stage.signs.items():
            look = tuple(_id(shapes, s) for s in sign.shapes)
            there[name] = [_n(sign.at[0]), _n(sign.at[1]), self.signs.id(look)]
        moved: dict[str, Any] = {name: row for name, row in there.items() if at.get(name) != row}
        for name, row in moved.items():
            path = stage.signs[name].path
            if len(path) > 2:  # else it is straight
                row = [*row, *(_n(v) for p in path[1:-1] for v in p)]
            moved[name] = row
        moved |= {name: 0 for name in at if name not in there}
        if moved:
            frame["r"] = moved
        self._at = there
        self.frames.append(frame)
        return frame

    def ground(self) -> dict[str, Any]:
        """The part of the map that stays the same."""
        if self.first is None:
            raise CoterieError("The log has no state to draw.")
        return {"box": [_n(v) for v in self.first.area], "ground": self.first.background, "trail": self.first.trail}

    def whole(self) -> dict[str, Any]:
        return {**self.ground(), "shapes": self.shapes.items, "signs": self.signs.items, "frames": self.frames}


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
