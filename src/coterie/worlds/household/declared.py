"""What skills of the household world speak of: kinds of names, and fluents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coterie.core.facts import UNKNOWN
from coterie.core.fluents import ANY, NUMBER, TEXT, Declared, fluent
from coterie.core.kinds import Kind, Knower
from coterie.houses.model import FLOOR
from coterie.houses.placement import kinds as table


def _things(me: Knower) -> Sequence[str]:
    return [f.args[0] for f in me.belief.facts("where") if f.value is not UNKNOWN]


def things_named(me: Knower, before: tuple[Any, ...] = ()) -> Sequence[str]:
    """Things of the goal, and those it has heard of, whether it knows where they are or not."""
    goal = me.belief.value("goal")
    return list(dict.fromkeys([*getattr(goal, "things", ()), *(f.args[0] for f in me.belief.facts("where"))]))


def _where_known(me: Knower, before: tuple[Any, ...]) -> Sequence[str]:
    where = me.belief.value("where", before[-1])
    return (where,) if isinstance(where, str) else ()


def _pieces(me: Knower) -> Sequence[str]:
    return [f.args[0] for f in me.belief.facts("box")]


def _receptacles(me: Knower) -> Sequence[str]:
    known = table()
    kinds = ((p, me.belief.value("kind", p)) for p in _pieces(me))
    return [p for p, kind in kinds if kind in known and known[str(kind)].receptacle]


ITEM = Kind("item", names=lambda me: [*_things(me), *_pieces(me)])
THING = Kind("thing", names=_things, tried=things_named, parent="item", held=True)
PIECE = Kind("piece", names=_pieces, parent="item")
RECEPTACLE = Kind("receptacle", names=_receptacles, parent="piece")
PLACE = Kind("place", names=lambda me: [*_pieces(me), FLOOR], tried=_where_known)
WAY = Kind("way", names=lambda me: ("ahead", "back", "left", "right"), planned=False)
KINDS = (ITEM, THING, PIECE, RECEPTACLE, PLACE, WAY)

FLUENTS: tuple[Declared, ...] = (
    # of robots
    fluent("pose", "robot", value=ANY),  # x, y [m], heading, tilt [deg]
    fluent("holding", "robot", value="thing"),
    fluent("battery", "robot", value=NUMBER),  # actions that are left; none: no end to it
    fluent("stopped", "robot"),
    fluent("arm", "robot"),
    fluent("payload", "robot", value=NUMBER),
    fluent("reach", "robot", value=NUMBER),
    # of things and furniture
    fluent("kind", "item", value=TEXT),
    fluent("where", "thing", value="place"),
    fluent("spot", "thing", value=ANY),
    fluent("mass", "thing", value=NUMBER),
    fluent("reported", "thing", value="place"),
    # what follows from that
    fluent("clear", "robot", "way"),
    fluent("moved", "robot", "way", value=ANY),
    fluent("in_way", "robot", "way", value=TEXT),
    fluent("turned", "robot", "way", value=ANY),
    fluent("tilts", "robot", "way"),
    fluent("tilted", "robot", "way", value=ANY),
    fluent("in_view", "robot", "item"),
    fluent("gap", "robot", "item", value=NUMBER),
    fluent("receptacle", "piece"),
    fluent("free_spot", "robot", "piece", value=ANY),
    fluent("drop_spot", "robot", value=ANY),
    fluent("place", "place"),
)
