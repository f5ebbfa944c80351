"""What can be understood and not acted on yet: for each such part of a meaning one honest sentence, in `forms.toml`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from coterie.talk import meanings as m
from coterie.talk.forms import forms
from coterie.talk.meanings import Meaning


def cannot(meaning: Meaning, robots: Sequence[str], can: Collection[str] = ()) -> str:
    """What cannot be done of a meaning, behind "I cannot"; empty where it can be acted on. `can` are kinds of wants
    that robots of this place bring about."""
    inner = meaning.instead if isinstance(meaning, m.Correct) else meaning
    kind, rows = type(inner).__name__, forms()["cannot"]
    for want in getattr(inner, "wants", ()) if isinstance(inner, (m.Order, m.Policy)) else ():
        if want.kind in rows["wants"] and want.kind not in can:
            return str(rows["wants"][want.kind])
    if isinstance(inner, m.Order) and set(inner.without) - set(robots):
        return "leave things out of one order alone; take them out of the kit instead"
    if isinstance(inner, m.Approve) and inner.what and not inner.what.isdigit():
        return "tell which that is; say yes with the plan's number"
    values = [getattr(inner, part, "") for part in ("about", "how", "then")]
    values += [c.kind for c in inner.claims] if isinstance(inner, m.Tell) else []
    parts = [part for part in rows.get(kind, {}) if getattr(inner, part, None) or part in values]
    return str(rows[kind][parts[0]]) if parts else ""


def adapted(meaning: Meaning, robots: Sequence[str]) -> Meaning:
    """A meaning in the terms that can be acted on: robots by name where some are excepted, a danger at a place as that
    place closed, enough of a thing as some that were brought."""
    if isinstance(meaning, (m.Stop, m.Zone, m.Steer)) and meaning.but:
        return replace(meaning, robots=tuple(r for r in robots if r not in meaning.but), but=())
    claims = meaning.claims if isinstance(meaning, m.Tell) else ()
    if len(claims) == 1 and claims[0].kind == m.HAZARD and claims[0].where:
        return m.Zone(claims[0].where, holds=claims[0].holds)
    if len(claims) == 1 and claims[0].kind == m.LOW and claims[0].what and not claims[0].holds:
        return m.Tell((replace(claims[0], kind=m.BROUGHT, holds=True),))
    return meaning
