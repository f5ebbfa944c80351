"""The colours of all pictures."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any

from coterie.core.files import tables

PAPER = "#faf8f4"
INK = "#2b2b33"
GREY = "#75757f"
FAINT = "#b9b7b0"
RULE = "#e2ded5"
CARD = "#ffffff"
WALL = "#5f616e"
GOOD = "#2e8b57"
BAD = "#c8443c"
NEWS = "#b7791f"
NEWS_GROUND = "#fdf3dc"
GOLD = "#e3a008"

WOOD, WOOD_EDGE = "#e6d6bb", "#a98e66"
METAL, METAL_EDGE = "#ccd5dd", "#6d7d8c"
INSIDE = "#f4f7f9"
HIGH, HIGH_EDGE = "#eadff0", "#9479a8"


_TABLES = tables(__package__, "colours.toml")
_NAMED: Mapping[str, str] = _TABLES["things"]
#: How fixtures look: fill and edge.
LOOKS: Mapping[str, tuple[str, str]] = {name: tuple(both) for name, both in _TABLES["looks"].items()}

#: By what a body is, so that a robot has the same colour in every team; a second of its kind takes a spare one.
BODIES = {"fixed": "#dd7420", "ground arm": "#2f6bd8", "air": "#9a3fb5", "ground": "#188f6b"}
SPARE = ("#c93a57", "#0f7f97", "#7a6a12", "#6b4c3a")

_THINGS = ("#d9534f", "#f0ad4e", "#5cb85c", "#3fa7c4", "#8064c8", "#d16fa8", "#a3763d", "#6f8fa8", "#b4bf3a", "#4f6fbf")


def floor(kind: str) -> str:
    floors: Mapping[str, str] = _TABLES["floors"]
    return floors.get(kind, floors["else"])


def robots(cards: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """A colour for every robot, in the order in which they came."""
    chosen: dict[str, str] = {}
    taken: set[str] = set()
    for name, card in cards.items():
        kind = str(card.get("mobility", "ground"))
        if kind == "ground" and card.get("payload_kg", 0) > 0:
            kind = "ground arm"
        colour = BODIES.get(kind, SPARE[0])
        chosen[name] = next((c for c in (colour, *SPARE) if c not in taken), colour)
        taken.add(chosen[name])
    return chosen


def thing(kind: str, colour: str) -> str:
    """Its own colour where it has one, else one that its kind always gets."""
    if colour in _NAMED:
        return _NAMED[colour]
    first = kind.split("_")[0]
    return _NAMED.get(first) or _THINGS[zlib.crc32(kind.encode()) % len(_THINGS)]


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of `#rrggbb`."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mix(colour: str, other: str, share: float) -> str:
    """A colour moved towards another; 0 is the first, 1 the second."""
    return "#" + "".join(f"{round(x + (y - x) * share):02x}" for x, y in zip(rgb(colour), rgb(other)))
