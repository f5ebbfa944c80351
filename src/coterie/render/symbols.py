"""The symbols for things and robots. A robot is fixed or mobile, with or without an arm, or flies."""

from __future__ import annotations

import math
from collections.abc import Iterator

from coterie.render import palette
from coterie.render.shapes import Box, Disc, Path, Point, Shape, line

DARK = "#33343c"


def thing(at: Point, r: float, kind: str, colour: str, wanted: bool = False, hidden: bool = False) -> list[Shape]:
    """A dot in the thing's colour; a golden ring for targets, hollow for what lies in a closed container."""
    x, y = at
    fill = palette.thing(kind, colour)
    shapes: list[Shape] = []
    if wanted:
        shapes.append(Disc(x, y, r + 2.6, "#ffffff", palette.GOLD, 1.8))
    if hidden:
        shapes.append(Disc(x, y, r - 0.8, "#ffffff", fill, 1.8))
    elif kind in ("cube", "block", "prism", "book", "notebook", "phone", "tablet", "bread_slice", "cheese", "toast"):
        shapes.append(
            Box(x - r * 0.9, y - r * 0.9, r * 1.8, r * 1.8, fill, palette.mix(fill, "#000000", 0.35), 1.1, 1.5)
        )
    elif kind in ("cone", "pyramid", "star"):
        corners = ((x, y - r * 1.1), (x + r, y + r * 0.8), (x - r, y + r * 0.8))
        shapes.append(Path(corners, fill, palette.mix(fill, "#000000", 0.35), 1.1, closed=True))
    else:
        shapes.append(Disc(x, y, r, fill, palette.mix(fill, "#000000", 0.35), 1.1))
    return shapes


def robot(
    at: Point, r: float, colour: str, facing: float, mobility: str = "ground", arm: bool = False, base: str = "wheels"
) -> list[Shape]:
    """The sign of a body; `facing` is where its hand or camera points [rad, y upwards]."""
    if mobility == "air":
        return list(_drone(at, r, colour))
    if mobility == "fixed":
        return list(_arm(at, r, colour, facing))
    if base == "person":
        return person(at, r, colour)
    return [*_under(at, r, base), *_base(at, r, colour, facing, arm)]


def _under(at: Point, r: float, base: str) -> Iterator[Shape]:
    x, y = at
    if base == "legs":
        for sx, sy in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
            yield line((x + sx * r * 0.55, y + sy * r * 0.55), (x + sx * r * 1.12, y + sy * r * 0.95), DARK, r * 0.26)
    elif base == "wheels":
        for side in (-1, 1):
            yield Box(x + side * r * 0.92 - r * 0.17, y - r * 0.62, r * 0.34, r * 1.24, DARK, radius=r * 0.12)


def hand(at: Point, r: float, mobility: str, facing: float) -> Point:
    """Where a robot holds what it carries."""
    if mobility == "air":
        return at
    reach = r * (2.0 if mobility == "fixed" else 1.45)
    return (at[0] + reach * math.cos(facing), at[1] - reach * math.sin(facing))


def _drone(at: Point, r: float, colour: str) -> Iterator[Shape]:
    x, y = at
    d = r * 0.72
    for sx, sy in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
        yield line((x, y), (x + sx * d, y + sy * d), DARK, 3.0)
    for sx, sy in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
        yield Disc(x + sx * d, y + sy * d, r * 0.46, palette.mix(colour, "#ffffff", 0.72), colour, 1.6)
        yield Disc(x + sx * d, y + sy * d, r * 0.1, DARK)
    yield Disc(x, y, r * 0.46, colour, "#ffffff", 1.6)


def _base(at: Point, r: float, colour: str, facing: float, arm: bool) -> Iterator[Shape]:
    x, y = at
    yield Box(x - r * 0.85, y - r * 0.85, r * 1.7, r * 1.7, colour, "#ffffff", 1.6, r * 0.42)
    if not arm:
        yield Disc(x, y, r * 0.42, "#ffffff")
        yield Disc(x, y, r * 0.22, DARK)
        return
    end = (x + r * 1.25 * math.cos(facing), y - r * 1.25 * math.sin(facing))
    yield line(at, end, "#ffffff", r * 0.52)
    yield line(at, end, DARK, r * 0.28)
    yield Disc(x, y, r * 0.38, "#ffffff", DARK, 1.4)
    yield from _gripper(end, r * 0.34, facing)


def _arm(at: Point, r: float, colour: str, facing: float) -> Iterator[Shape]:
    x, y = at
    elbow = (x + r * 1.1 * math.cos(facing + 0.55), y - r * 1.1 * math.sin(facing + 0.55))
    end = hand(at, r * 0.93, "fixed", facing)
    yield Path((at, elbow, end), stroke="#ffffff", width=r * 0.56)
    yield Path((at, elbow, end), stroke=colour, width=r * 0.34)
    yield Box(x - r * 0.62, y - r * 0.62, r * 1.24, r * 1.24, DARK, "#ffffff", 1.4, r * 0.2)
    yield Disc(x, y, r * 0.44, colour, "#ffffff", 1.2)
    yield Disc(*elbow, r * 0.2, "#ffffff", colour, 1.6)
    yield from _gripper(end, r * 0.34, facing)


def _gripper(at: Point, r: float, facing: float) -> Iterator[Shape]:
    for side in (-1, 1):
        a = facing + side * 1.25
        b = facing + side * 0.55
        first = (at[0] + r * math.cos(a), at[1] - r * math.sin(a))
        tip = (at[0] + r * 1.9 * math.cos(b), at[1] - r * 1.9 * math.sin(b))
        yield Path((at, first, tip), stroke=DARK, width=max(1.6, r * 0.4))


def person(at: Point, r: float, cloth: str = "#6d7fa8") -> list[Shape]:
    """A person from above: shoulders and a head."""
    x, y = at
    skin = "#e9c6a4"
    edge = palette.mix(cloth, "#000000", 0.35)
    return [
        Box(x - r * 1.1, y - r * 0.6, r * 2.2, r * 1.2, cloth, edge, 1.4, r * 0.55),
        Disc(x, y, r * 0.5, skin, palette.mix(skin, "#000000", 0.35), 1.2),
    ]


def no_entry(at: Point, r: float, colour: str) -> list[Shape]:
    """Closed to the robot of this colour."""
    x, y = at
    d = r * 0.62
    return [Disc(x, y, r, "#ffffff", colour, 2.6), line((x - d, y + d), (x + d, y - d), colour, 2.6)]


def tick(at: Point, status: str) -> list[Shape]:
    """A check mark, a cross, or dots while something is under way."""
    x, y = at
    if status == "done":
        return [Path(((x, y), (x + 3.5, y + 4), (x + 10, y - 5)), stroke=palette.GOOD, width=2.2)]
    if status:
        return [
            line((x, y - 4.5), (x + 9, y + 4.5), palette.BAD, 2.2),
            line((x, y + 4.5), (x + 9, y - 4.5), palette.BAD, 2.2),
        ]
    return [Disc(x + k * 5, y, 1.5, palette.GREY) for k in range(3)]
