"""An episode for a page on which the team moves: what stands still in a step, and signs that somebody else moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from coterie.render import palette, tokens
from coterie.render.labels import Area
from coterie.render.shapes import Box, Disc, Point, Shape, Text
from coterie.render.text import width

TAG, HELD = 11.0, 10.5
ROW = 17.0


class Sign(NamedTuple):
    """A robot: where it is, how it looks around its own middle, and the way it took in this step."""

    at: Point
    shapes: tuple[Shape, ...]
    way: tuple[Point, ...] = ()  # from where it was; empty: straight


class Stage(NamedTuple):
    """One state: what lies within an area [px], which is the same for all states of an episode."""

    area: Area
    under: Sequence[Shape]
    signs: Mapping[str, Sign] = {}
    over: Sequence[Shape] = ()  # names that must stay legible
    trail: int = 3  # steps for which a way is still shown
    ground: str = palette.PAPER


def sign(
    r: float, card: Mapping[str, Any], name: str, colour: str, facing: float, held: Sequence[Any] = ()
) -> tuple[Shape, ...]:
    """The body, its name on a plate and, below, what it holds: (name, kind, colour, whether it is wanted)."""
    shapes: list[Shape] = []
    if card.get("mobility") != "fixed":
        shapes.append(Disc(0.0, 0.0, r * 1.28, palette.mix(colour, "#ffffff", 0.82)))
    shapes += tokens.robot((0.0, 0.0), r, dict(card), colour, facing)
    if held:
        shapes += tokens.thing(tokens.hand((0.0, 0.0), r, dict(card), facing), 5.5, held[1], held[2], held[3])
    shapes += plates(1.35 * r, name, colour, held)
    return tuple(shapes)


def plates(top: float, name: str, colour: str, held: Sequence[Any] = ()) -> list[Shape]:
    w = width(name, TAG, True) + 12
    shapes: list[Shape] = []
    if held:
        wide = width(str(held[0]), HELD) + 22
        shapes.append(Box(-wide / 2, top + ROW - 2, wide, ROW, "#ffffff", colour, 1.2, 5))
        shapes.append(Disc(-wide / 2 + 9, top + ROW + 6.5, 3.6, palette.thing(held[1], held[2])))
        shapes.append(Text(-wide / 2 + 16, top + ROW + 10.3, str(held[0]), HELD, palette.INK))
    shapes.append(Box(-w / 2, top, w, ROW, colour, "#ffffff", 1.2, 5))
    shapes.append(Text(0.0, top + 12.5, name, TAG, "#ffffff", "middle", bold=True))
    return shapes
