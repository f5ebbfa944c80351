"""The low-level actions, and the kinds of names that they speak of; `skills.toml` declares them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from coterie.core.kinds import Kind, Knower, things_known
from coterie.core.skill_file import read_skills
from coterie.houses.model import FLOOR
from coterie.houses.placement import kinds as table


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


ITEM = Kind("item", names=lambda me: [*things_known(me), *_pieces(me)])
THING = Kind("thing", names=things_known, tried=things_named, parent="item", held=True)
PIECE = Kind("piece", names=_pieces, parent="item")
RECEPTACLE = Kind("receptacle", names=_receptacles, parent="piece")
PLACE = Kind("place", names=lambda me: [*_pieces(me), FLOOR], tried=_where_known)
WAY = Kind("way", names=lambda me: ("ahead", "back", "left", "right"), planned=False)
KINDS = (ITEM, THING, PIECE, RECEPTACLE, PLACE, WAY)

SKILLS = read_skills(Path(__file__).with_name("skills.toml")).of("household", KINDS, example="PickUp(mug_0)")
