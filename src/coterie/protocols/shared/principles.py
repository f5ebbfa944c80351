"""Skills and principles of a body as text: in a few sentences for small models, in seven for large ones. The principles
stand in `principles.toml`, by style and kind of body."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any

from coterie.protocols.shared.reading import Reading


def skills(r: Reading) -> str:
    def lines() -> str:
        return "\n".join(r.me.language.line(r.me.skills[s]) for s in r.card.skills)

    return r.keep("skills in words", (r.card,), lines)


@cache
def _written() -> dict[str, dict[str, Any]]:
    return tomllib.loads((resources.files(__package__) / "principles.toml").read_text(encoding="utf-8"))


def principles(r: Reading, style: str, planned: bool = True) -> str:
    """Those of a body in a style; `planned`: where a plan says who searches what."""
    told = _written()[style]
    carries = "opener" if "open" in r.card.skills and "opener" in told else "carrier"
    body = carries if r.card.manipulates else "eye"
    if not r.card.moves:
        body = "house-arm" if r.brings and "house-arm" in told else "arm"
    rows = told[body] if isinstance(told[body], list) else [told[body]]
    if style != "paper":
        words = _written()[f"{style}-words"]
        fetch = words["fetch"]["house" if r.brings else "table"].format(arm=r.arm or "the arm")
        doors = words.get(f"{body}-doors", "") if r.brings else ""
        order = words["order"]["planned" if planned else "free"]
        rows = [row.format(order=order, fetch=fetch, doors=doors) for row in (*rows, *told.get("all", ()))]
    return rows[0] if style == "compact" else "\n".join(f"{i}. {row}" for i, row in enumerate(rows, 1))
