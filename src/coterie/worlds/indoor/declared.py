"""Declarations of the house: kinds of names, fluents, and how a plan reads those that geometry decides."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from coterie.core.expr import Expr, all_of, any_of, eq, fl, no
from coterie.core.fluents import ANY, BOOL, LISTING, NUMBER, TEXT, Declared
from coterie.core.kinds import ROBOTS, Kind, Knower, alternatives, number, things_known
from coterie.core.kinds import TEXT as WORDS

STAND = "stand_pose_"


# -- kinds ------------------------------------------------------------------------------------------------------------
def _furniture(me: Knower) -> Sequence[str]:
    return me.look("all_furniture") or ("nothing",)  # type: ignore[return-value]


def _places(me: Knower) -> Sequence[str]:
    return (*_furniture(me), *(me.look("platforms") or ()))  # type: ignore[misc]


def _goals(me: Knower) -> str:
    """Where one can go: furniture, and doors that are believed to be closed, to open them."""
    places: Any = me.look("all_furniture")
    shut: Any = me.look("shut_doors")
    return alternatives((*places, *sorted(shut)))


def _platforms(me: Knower) -> str:
    """Besides furniture: what the task laid out, and things that hold things and that something belongs into."""
    goal: Any = me.belief.value("goal")
    homes = dict.fromkeys([goal.home(t) for t in getattr(goal, "targets", ())])
    laid_out: Any = me.look("platforms")
    return alternatives((*laid_out, *[h for h in homes if me.look("holder", h)]))


def _wanted_too(me: Knower) -> str:
    """Things of the goal can be named before they are found."""
    goal = me.belief.value("goal")
    return alternatives(sorted({*things_known(me), *getattr(goal, "targets", ())}))


def _sides(me: Knower) -> str:
    most: Any = me.look("most_stands")
    return f"[0-{max(0, most - 1)}]"


def _stands(me: Knower, furniture: str) -> Sequence[str]:
    """The stand poses of one piece: there is no fourth side where there are two."""
    return me.look("all_stands", furniture)  # type: ignore[return-value]


def places_known(me: Knower, before: tuple[Any, ...] = ()) -> Sequence[str]:
    """Furniture, doors, platforms and things that hold things."""
    return list(dict.fromkeys([k[1] for k in me.belief.base if k[0] in ("destination", "platform")]))


def things_named(me: Knower, before: tuple[Any, ...] = ()) -> Sequence[str]:
    """Things of the goal, and those it has heard of, whether it knows where they are or not."""
    goal = me.belief.value("goal")
    return list(dict.fromkeys([*getattr(goal, "targets", ()), *(f.args[0] for f in me.belief.facts("where"))]))


def _stands_tried(me: Knower, before: tuple[Any, ...]) -> Sequence[str]:
    stands = me.look("all_stands", before[-1])
    return stands if isinstance(stands, tuple) else ()


def _read_side(text: str) -> str:
    digits = re.findall(r"[0-9]+", text)
    return f"{STAND}{digits[-1] if digits else 0}"


_EITHER = "(place | platform)"
KINDS = (
    WORDS,
    Kind("location"),  # where a thing can be: a place, or a robot that holds it
    Kind("place", parent="location"),
    Kind("furniture", _furniture, parent="platform", rule="place", gbnf=_goals, tried=places_known, usual=True),
    Kind("container", _furniture, parent="furniture", rule="place", gbnf=_goals, tried=places_known, usual=True),
    Kind(
        "platform", _places, parent="place", form="(place | platform)", gbnf=_platforms, tried=places_known, usual=True
    ),
    Kind("thing", things_known, gbnf=_wanted_too, tried=things_named, usual=True, held=True),
    Kind(
        "stand",
        lambda me: [f"{STAND}{i}" for i in range(4)],
        rule="side",
        gbnf=_sides,
        beside=_stands,
        tried=_stands_tried,
        usual=True,
        read=_read_side,
        write=lambda v: str(v).removeprefix(STAND),
        planned=False,
    ),
    ROBOTS,
    Kind("robot", lambda me: list(me.heartbeat), parent="location"),
    number("metres", -0.8, 0.8),
)


# -- fluents ----------------------------------------------------------------------------------------------------------
def _f(name: str, *args: str, value: str = BOOL, hoped: bool = False, more: bool = False) -> Declared:
    return Declared(name, args, value, hoped=hoped, more=more)


STORED = (
    _f("at", "robot", value="place"),
    _f("stand", "robot", value="stand"),
    _f("pose", "robot", value=ANY),
    _f("holding", "robot", value="thing"),
    _f("used", "robot", value=NUMBER),
    _f("where", "thing", value="location"),
    _f("spot", "thing", value=ANY),
    _f("open", "location"),
    _f("allowed", "robot", "location", hoped=True),
    _f("stand_allowed", "robot", "location", "stand", hoped=True),
    _f("may_place", "robot", "location", hoped=True),
    _f("contents", "location", value=LISTING),
    _f("robots", value=LISTING),
    _f("card", "robot", value=ANY),
    _f("mass", "thing", value=NUMBER),
    _f("hearers", "robot", "robots", value=LISTING),
    _f("heard_by", "robot", "robots", value=TEXT),
    _f("goal", value=ANY),
)
MAPPED = (
    *(_f(name, "location") for name in ("furniture", "fixture", "openable", "platform", "destination")),
    _f("has_stand", "location", "stand"),
    _f("stand_pose", "location", "stand", value=ANY),
    _f("part_of", "location", value="place"),
    _f("stands", "location", value=TEXT),
    _f("all_stands", "location", value=LISTING),
    _f("height", "location", value=NUMBER),
    _f("rect", "location", value=ANY),
    _f("room", "location", value=TEXT),
    _f("all_furniture", value=LISTING),
    _f("platforms", value=LISTING),
    _f("work_table", value="furniture"),
)
COMPUTED = (
    *(_f(name, "robot", value=NUMBER) for name in ("reach", "payload")),
    *(_f(name, "robot") for name in ("fixed", "flat", "start_free")),
    _f("level_ok", "robot", "location", hoped=True),
    *(_f(name, "robot", "location", "stand") for name in ("goal_free", "path")),
    _f("occupant", "robot", "location", "stand", value="robot"),
    _f("lay_spot", "robot", "location", "stand", value=ANY),
    _f("shut_door", "robot", "location", "stand", value="location"),
    _f("closed_room", "robot", "location", "stand", value="location"),
    _f("put_words", "robot", "thing", "location", value=TEXT),
    _f("short_move", "metres", "metres"),
    _f("moved", "robot", "metres", "metres", value=ANY),
    _f("move_free", "robot", "metres", "metres"),
    _f("still_at", "robot", "metres", "metres", value="place"),
    _f("in_doorway", "location"),
    *(_f(name, "robot", "thing") for name in ("in_view", "height_ok")),
    _f("gap", "robot", "thing", value=NUMBER),
    _f("gap_to", "robot", "location", value=NUMBER),
    _f("offset", "robot", "thing", value=TEXT),
    _f("cover", "thing", value="thing"),
    _f("room_on", "robot", "location"),
    _f("sight", "location", value=TEXT),
    _f("arm_finds", "robot", "thing", value=TEXT),
    _f("arm_finds_to", "robot", "thing", "location", value=TEXT),
    _f("arm_touches", "robot", "thing", value=TEXT, more=True),
    _f("liftable", "robot", "thing", hoped=True),  # of plans alone: whether a card's payload allows it
)
FLUENTS = (*STORED, *MAPPED, *COMPUTED)

# -- planning ---------------------------------------------------------------------------------------------------------
_THERE = fl("where", "?1")

#: How a plan reads what the world computes: a condition on what it knows, or None for what execution judges.
READINGS: dict[str, Expr | None] = {
    **dict.fromkeys((
        "destination", "fixture", "platform", "has_stand", "stand_allowed", "start_free", "goal_free", "shut_door",
        "closed_room", "path", "occupant", "flat", "cover", "height_ok", "room_on", "stand", "pose", "gap", "arm_finds",
        "arm_finds_to", "in_doorway", "short_move", "move_free", "spot", "hearers",
    )),
    "in_view": all_of(
        eq(fl("at", "?0"), fl("part_of", _THERE)), any_of(no(fl("openable", _THERE)), fl("open", _THERE))
    ),
    "gap_to": eq(fl("at", "?0"), fl("part_of", "?1")),
    "mass": fl("liftable", "?1", "?0"),
}  # fmt: skip
