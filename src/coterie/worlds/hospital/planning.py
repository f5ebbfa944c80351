"""The hospital as a planning problem: what a lookup knows, and conditions to be brought about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from coterie.core.expr import Expr, eq, fl, ge
from coterie.worlds.hospital.goals import DOOR, GIVE, HOLD, KIT, LOOK, Wish
from coterie.worlds.hospital.scene import Key
from coterie.worlds.hospital.skills import KIND


def objects(chart: Mapping[Key, object], robots: Iterable[str]) -> dict[str, str]:
    """Every name with its kind."""
    return {**dict.fromkeys(robots, "robot"), **{k[1]: str(kind) for k, kind in chart.items() if k[0] == KIND}}


def goal_of(wish: Wish, caddy: str = "", items: Iterable[str] = ()) -> list[Expr]:
    """A wish as conditions; a kit is to be in this caddy, with nothing else in it."""
    if wish.kind == DOOR:
        return [eq(fl("open", wish.what), True)]
    if wish.kind == HOLD:
        return [eq(fl("holding", wish.where), wish.what)]
    if wish.kind == GIVE:
        return [ge(fl("has", wish.where, wish.what), wish.count)]
    if wish.kind == LOOK:
        return [eq(fl("perceived", wish.what, wish.where), True)]
    if wish.kind != KIT:
        return [ge(fl("stock", wish.what, wish.where), wish.count)]
    wanted = dict(wish.contents)
    packed: list[Expr] = [eq(fl("amount", caddy, item), wanted.get(item, 0)) for item in items]
    return [*packed, *([eq(fl("delivered", caddy, wish.where), True)] if wish.where else [])]
