"""Declarations of the hospital: kinds of names, fluents, and how a plan reads what follows from others.

Things are counted: `stock(painkiller, tableB) = 2` is two of them, and a caddy is a thing of which there is one. What
does not change (which pose overlooks which table, who may stand where) is on the map; all else is perceived.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from coterie.core.expr import Expr, fl, ge
from coterie.core.fluents import BOOL, NUMBER, Declared
from coterie.core.kinds import Kind, Knower

KIND = "kind"  # on the map: of what kind a name is
EXPECTED = "expected"  # on the map: what was said of a fluent before anybody looked


def _of(*kinds: str) -> Callable[[Knower], Sequence[str]]:
    """The names of these kinds on the map."""
    return lambda me: [key[1] for key, value in me.belief.base.items() if key[0] == KIND and value in kinds]


KINDS = (
    Kind("place", _of("table", "room")),  # where things are
    Kind("table", _of("table"), parent="place"),
    Kind("room", _of("room"), parent="place"),
    Kind("pose", _of("pose")),  # where robots stand, one at a time
    Kind("door", _of("door")),
    Kind("person", _of("person")),
    Kind("thing", _of("item", "caddy"), held=True),
    Kind("item", _of("item"), parent="thing"),
    Kind("caddy", _of("caddy"), parent="thing"),
    Kind("robot", lambda me: list(me.heartbeat)),
)


def _f(name: str, *args: str, value: str = BOOL, hoped: bool = False) -> Declared:
    return Declared(name, args, value, {BOOL: None, NUMBER: 0}.get(value), hoped=hoped)


#: What robots change and perceive.
CHANGING = (
    _f("at", "robot", value="pose"),
    _f("holding", "robot", value="thing"),
    _f("stock", "thing", "place", value=NUMBER),
    _f("amount", "caddy", "item", value=NUMBER),
    _f("perceived", "thing", "table"),
    _f("delivered", "caddy", "room"),
    _f("seen", "table"),  # somebody has looked at what is on it
    _f("has", "person", "item", value=NUMBER),  # that robots gave them
    _f("open", "door"),
    _f("jammed", "door"),
    _f("free", "pose", hoped=True),
    _f("graspable", "robot", "thing", hoped=True),
    _f("answers", "person", hoped=True),
)
#: What is on the map and stays as it is.
FIXED = (
    _f("room_of", "pose", value="room"),
    _f("beside", "pose", "door"),  # the door opens on the room of the pose
    _f("reaches", "pose", "door"),  # near enough to open it
    _f("overlooks", "pose", "table"),
    _f("near", "pose", "person"),
    _f("meets", "pose", "pose"),  # two robots there can hand things over
    _f("supplies", "person", "item"),
    _f("belongs", "item", "table"),  # it is usual there
)
#: What follows from the body of a robot.
OF_BODIES = (_f("may", "robot", "pose"), _f("carries", "robot", "thing"))
FLUENTS = (*CHANGING, *FIXED, *OF_BODIES, _f("objectAt", "thing", "place"))

READINGS: dict[str, Expr | None] = {"objectAt": ge(fl("stock", "?0", "?1"), 1)}
