"""Writes meanings in brief: `order: kit medkit at alpha`. `brief.parse` reads them back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from coterie.talk import meanings as m
from coterie.talk.forms import filled, forms
from coterie.talk.meanings import Claim, Meaning, Want


def brief(x: Meaning | m.Unclear) -> str:
    """A meaning in the names of the world."""
    kind = type(x).__name__
    if isinstance(x, m.Ask):
        return _ask(x)
    if kind in forms()["brief"]:
        return filled("brief", kind, _slots(x), getattr(x, "holds", True))
    return " ".join([kind.lower(), *(str(v) for v in vars(x).values() if v != "")])


def briefs(found: Iterable[Meaning | m.Unclear]) -> str:
    return "; ".join(map(brief, found))


def _slots(x: Any) -> dict[str, str]:
    """The fields of something as they are written; empty where there is nothing."""
    found = {name: _written(name, value) for name, value in vars(x).items()}
    if isinstance(x, m.Order):
        found["any_of"] = ", ".join(map(want, x.wants)) if x.any_of else ""
    if isinstance(x, m.Things):
        found["counted"] = ", ".join(f"{count} {name}" for name, count in x.items)
    if isinstance(x, m.Steer):
        found["off"] = found["robots"] if x.what and x.how == "cancel" else ""
    if isinstance(x, m.Time) and x.how == "daily":
        found["how"] = "daily at"
    return {**found, "number": str(getattr(x, "count", ""))}


def _written(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return {"hedged": "maybe"}.get(name, name) if value else ""
    if isinstance(value, tuple) and name == "extra":
        return ", ".join(f"{count} {thing}" if count != 1 else thing for thing, count in value)
    if isinstance(value, tuple):
        parts = [want(v) if isinstance(v, Want) else claim(v) if isinstance(v, Claim) else str(v) for v in value]
        return ("; " if value and not isinstance(value[0], str) else ", ").join(parts)
    if isinstance(value, m.Time):
        return filled("brief", "Time", _slots(value))
    return brief(value) if isinstance(value, Meaning) else str(value or "")


def _ask(x: m.Ask) -> str:
    more = [x.robot, x.skill, x.what, f"at {x.where}" if x.where else "", x.right, claims(x.claims)]
    if x.about == "may":
        more = [x.what, x.right]
    elif x.skill and x.what:
        more = [x.robot, x.skill, x.what]
    more += [want(w) for w in x.wants]
    return f"ask {x.about}{': ' if any(more) else ''}{' '.join(p for p in more if p)}"


def want(w: Want) -> str:
    some = f"{w.count} {w.what}".strip() if w.count != 1 else w.what
    return filled("brief", w.kind if w.kind in forms()["brief"] else "Want", {**_slots(w), "some": some}, w.holds)


def claims(found: Iterable[Claim]) -> str:
    return "; ".join(map(claim, found))


def claim(c: Claim) -> str:
    some = f"{c.count} {c.what}".strip() if c.count is not None else c.what
    return filled("brief", "Claim", {**_slots(c), "some": some}, c.holds)
