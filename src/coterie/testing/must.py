"""Small functions that all contract checks share."""

from __future__ import annotations

import json
from typing import Any

from coterie.core.event import Event, to_line
from coterie.core.world import World


def must(holds: object, words: str) -> None:
    if not holds:
        raise AssertionError(words)


def short(value: object, limit: int = 80) -> str:
    text = repr(value)
    return text if len(text) <= limit else f"{text[:limit]}..."


def must_be_json(value: Any, what: str) -> None:
    """The log writes it, and any reader of the log can read it: no objects without `to_json`, no NaN."""

    def plain(part: Any) -> Any:
        if hasattr(part, "to_json"):
            return part.to_json()
        raise TypeError(f"{short(part)} is a {type(part).__name__}")

    try:
        json.dumps(value, default=plain, allow_nan=False)
    except (TypeError, ValueError) as err:
        raise AssertionError(f"{what} cannot be written as JSON: {err}.") from err


def face(world: World) -> str:
    """All that can be seen of a world from outside: two worlds with one face are the same for every robot."""
    seen = {name: world.observe(name) for name in world.robots()}
    data = {
        "robots": dict(world.robots()),
        "seen": {name: [list(obs.facts), obs.heartbeat] for name, obs in seen.items()},
        "progress": world.progress(),
    }
    return to_line(Event(0, 0, world.now, "face", "", data))


def first_difference(one: list[str], two: list[str]) -> str:
    for i, (a, b) in enumerate(zip(one, two)):
        if a != b:
            k = next((k for k, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
            left = max(0, k - 60)
            return f"line {i + 1}: first ...{a[left : k + 60]}..., then ...{b[left : k + 60]}..."
    return f"one has {len(one)} lines, the other {len(two)}"
