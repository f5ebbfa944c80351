"""Writes meanings in brief: `order: kit medkit at alpha`. `brief.parse` reads them back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from coterie.talk import meanings as m
from coterie.talk.meanings import Claim, Meaning, Want


def brief(x: Meaning | m.Unclear) -> str:
    """A meaning in the names of the world."""
    write = _WRITERS.get(type(x))
    if write is not None:
        return write(x)
    values = [str(v) for v in vars(x).values() if v != ""]
    return " ".join([type(x).__name__.lower(), *values])


def briefs(found: Iterable[Meaning | m.Unclear]) -> str:
    return "; ".join(map(brief, found))


def _order(x: m.Order) -> str:
    who = f" {', '.join(x.robots)}" if x.robots else ""
    if not x.wants:  # of a correction: another robot, or none of these
        return f"order{who}: without {', '.join(x.without)}" if x.without else f"order{who}"
    wants = f"any of {', '.join(map(want, x.wants))}" if x.any_of else "; ".join(map(want, x.wants))
    mods = [
        "urgent" if x.urgent else "",
        f"when {claims(x.when)}" if x.when else "",
        f"without {', '.join(x.without)}" if x.without else "",
        f"with {_amounts(x.extra)}" if x.extra else "",
        _time(x.time) if x.time is not None else "",
        "later" if x.later else "",
    ]
    return f"{'maybe ' if x.hedged else ''}order{who}: {_joined(wants, *mods)}"


def _time(time: m.Time) -> str:
    how = "daily at" if time.how == "daily" else time.how
    return f"{how} {time.clock}" if time.clock else f"{how} {time.minutes} min"


def _tell(x: m.Tell) -> str:
    return f"{'maybe ' if x.hedged else ''}tell: {claims(x.claims)}"


def _ask(x: m.Ask) -> str:
    more = [x.robot, x.skill, x.what, f"at {x.where}" if x.where else "", x.right, claims(x.claims)]
    if x.about == "may":
        more = [x.what, x.right]
    elif x.skill and x.what:
        more = [x.robot, x.skill, x.what]
    more += [want(w) for w in x.wants]
    return f"ask {x.about}{': ' if any(more) else ''}{_joined(*more)}"


def _things(x: m.Things) -> str:
    unknown = f" ? {', '.join(x.unknown)}" if x.unknown else ""
    return f"things: {', '.join(f'{count} {name}' for name, count in x.items)}{unknown}"


def _correct(x: m.Correct) -> str:
    return f"correct: {brief(x.instead)}{f', not {x.wrong}' if x.wrong else ''}"


def _policy(x: m.Policy) -> str:
    then = _joined(x.then, x.person, str(x.count) if x.count else "", "; ".join(map(want, x.wants)))
    return f"policy: {claims(x.trigger) or 'any failure'} -> {then}"


def _permit(x: m.Permit) -> str:
    time = f"{x.minutes} min" if x.minutes else ""
    return _joined(f"{'permit' if x.holds else 'forbid'} {x.person}: {x.right}", x.robot, time)


def _alter(x: m.Alter) -> str:
    if x.how == "swap":
        return f"alter {x.kit}: swap {x.item} for {x.other}"
    return f"alter {x.kit}: {x.how} {x.count} {x.item}"


def _steer(x: m.Steer) -> str:
    if x.but:
        return f"{x.how} all but {', '.join(x.but)}"
    robots = f"{'for ' if x.what and x.how == 'cancel' else ''}{', '.join(x.robots)}" if x.robots else ""
    return _joined(x.how, x.level, x.what, f"at {x.where}" if x.where else "", robots)


def _zone(x: m.Zone) -> str:
    return _joined(
        f"{'close' if x.holds else 'reopen'} {x.where}",
        f"for {', '.join(x.robots)}" if x.robots else "",
        f"but {', '.join(x.but)}" if x.but else "",
        f"{x.minutes} min" if x.minutes else "",
        f"until {x.until}" if x.until else "",
    )


def _stop(x: m.Stop) -> str:
    return f"stop all but {', '.join(x.but)}" if x.but else f"stop {', '.join(x.robots) or 'all'}"


_WRITERS: dict[type, Callable[[Any], str]] = {
    m.Order: _order, m.Tell: _tell, m.Ask: _ask, m.Things: _things, m.Correct: _correct, m.Policy: _policy,
    m.Permit: _permit, m.Alter: _alter, m.Steer: _steer, m.Zone: _zone, m.Stop: _stop,
    m.Unclear: lambda x: "unclear", m.Remark: lambda x: "none",
}  # fmt: skip


def want(w: Want) -> str:
    count = f"{w.count} " if w.count != 1 else ""
    if w.kind in _BETWEEN:
        return f"{w.kind} {count}{w.what} {_BETWEEN[w.kind]} {w.where}"
    if w.kind in (m.CLEAR, m.TIDY):
        return _joined(w.kind, w.where)
    where, source = f"at {w.where}" if w.where else "", f"from {w.source}" if w.source else ""
    return _joined(w.kind, f"{count}{w.what}".strip(), where, source, "" if w.holds else "shut")


_BETWEEN = {m.PUT: "into", m.TAKE_OUT: "out of", m.GIVE: "to"}


def claims(found: Iterable[Claim]) -> str:
    return "; ".join(map(claim, found))


def claim(c: Claim) -> str:
    count = f"{c.count} " if c.count is not None else ""
    return _joined("" if c.holds else "not", c.kind, f"{count}{c.what}".strip(), f"at {c.where}" if c.where else "")


def _amounts(items: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{count} {name}" if count != 1 else name for name, count in items)


def _joined(*parts: str) -> str:
    return " ".join(p for p in parts if p)
