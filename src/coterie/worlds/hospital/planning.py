"""The hospital as a planning problem: what a lookup knows, and conditions to be brought about."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from coterie.core.expr import Expr, Lookup, eq, fl, ge
from coterie.planning.problem import Planning
from coterie.worlds.hospital.declared import EXPECTED, KIND
from coterie.worlds.hospital.goals import DOOR, HOLD, KIT, LOOK, Wish
from coterie.worlds.hospital.scene import Key
from coterie.worlds.hospital.skills import SKILLS


def planning(
    look: Lookup, chart: Mapping[Key, object], able: Mapping[str, Collection[str]], goal: Iterable[Expr]
) -> Planning:
    """`chart` is the map of the world; `able` says which robot has which skills."""
    return Planning(SKILLS, look, objects(chart, able), able, goal)


def objects(chart: Mapping[Key, object], robots: Iterable[str]) -> dict[str, str]:
    """Every name with its kind."""
    return {**dict.fromkeys(robots, "robot"), **{k[1]: str(kind) for k, kind in chart.items() if k[0] == KIND}}


def said(chart: Mapping[Key, object]) -> dict[Key, object]:
    """Expectations about the place: which things are where, which doors are open."""
    return {key[1:]: value for key, value in chart.items() if key[0] == EXPECTED}


def goal_of(wish: Wish, caddy: str = "", items: Iterable[str] = ()) -> list[Expr]:
    """A wish as conditions; a kit is to be in this caddy, with nothing else in it."""
    if wish.kind == DOOR:
        return [eq(fl("open", wish.what), True)]
    if wish.kind == HOLD:
        return [eq(fl("holding", wish.where), wish.what)]
    if wish.kind == LOOK:
        return [eq(fl("perceived", wish.what, wish.where), True)]
    if wish.kind != KIT:
        return [ge(fl("stock", wish.what, wish.where), wish.count)]
    wanted = dict(wish.contents)
    packed: list[Expr] = [eq(fl("amount", caddy, item), wanted.get(item, 0)) for item in items]
    return [*packed, *([eq(fl("delivered", caddy, wish.where), True)] if wish.where else [])]
