"""The life of a goal: its states, and from which to which it may go."""

from __future__ import annotations

from typing import Literal

State = Literal["submitted", "planned", "waiting", "running", "paused", "recovering", "done", "failed", "cancelled"]

#: What each state means, for people.
STATES: dict[str, str] = {
    "submitted": "waits for a plan",
    "planned": "has a plan, and waits for robots",
    "waiting": "waits for approval",
    "running": "is being worked on",
    "paused": "rests",
    "recovering": "failed, and a way out is looked for",
    "done": "is reached",
    "failed": "was given up",
    "cancelled": "was called off",
}
OVER: frozenset[str] = frozenset({"done", "failed", "cancelled"})

#: Where a goal may go from each state. What is over stays so; a paused goal goes back to where it can be taken up.
NEXT: dict[str, frozenset[str]] = {
    "submitted": frozenset({"planned", "recovering", "paused", "done", "failed", "cancelled"}),
    "planned": frozenset({"submitted", "waiting", "running", "recovering", "paused", "done", "failed", "cancelled"}),
    "waiting": frozenset({"submitted", "planned", "recovering", "paused", "done", "failed", "cancelled"}),
    "running": frozenset({"submitted", "planned", "recovering", "paused", "done", "failed", "cancelled"}),
    "paused": frozenset({"submitted", "planned", "waiting", "recovering", "failed", "cancelled"}),
    "recovering": frozenset({"submitted", "planned", "waiting", "running", "paused", "done", "failed", "cancelled"}),
    "done": frozenset(),
    "failed": frozenset(),
    "cancelled": frozenset(),
}
