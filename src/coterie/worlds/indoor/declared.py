"""The kinds of names that the skills of the house speak of, and what `skills/built_in.toml` declares."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from coterie.core.kinds import ROBOTS, TEXT, Kind, Knower, alternatives, number, things_known
from coterie.core.skill_file import read_skills

STAND = "stand_pose_"


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


KINDS = (
    TEXT,
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

DECLARED = read_skills(Path(__file__).with_name("skills") / "built_in.toml")
