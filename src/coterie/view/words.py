"""What the log says, in words a person reads: goals, changes, actions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from coterie.core.action import COMMUNICATE
from coterie.core.errors import CoterieError


def goal_words(goal: dict[str, Any]) -> str:
    """The sentence for a goal as it stands in a log; a kind that is not known here is shown as it is."""
    from coterie.tasks.goals import goal_from_json  # the tasks load the planner; pictures of other worlds need not

    try:
        return goal_from_json(goal).text()
    except (CoterieError, KeyError, TypeError, ValueError):
        return json.dumps(goal, ensure_ascii=False)


def change_words(data: dict[str, Any]) -> str:
    kind = data["kind"]
    if kind == "goal":
        return f"The goal changes: {goal_words(data['goal'])}"
    if kind == "zones":
        closed = [f"{zone_words(zone)} to {robot}" for robot, zones in data["closed"].items() for zone in zones]
        return f"Zones are closed: {'; '.join(closed) or 'none'}."
    if kind == "join":
        return f"{data['robot']} ({data['card']['body']}) joins the team."
    if kind == "leave":
        dropped = f"; {data['dropped']} is dropped" if data.get("dropped") else ""
        return f"{data['robot']} is gone{dropped}."
    if kind == "door":
        return f"{data['door']} is now {'open' if data['open'] else 'closed'}."
    return f"Change: {kind}."


def zone_words(zone: str) -> str:
    place, _, stand = zone.partition("/")
    return f"{stand} of {place}" if stand else place


def action_words(skill: str, args: Sequence[Any]) -> str:
    """`pick(apple_0)`; words that are said are left out, since they are shown as speech."""
    if skill == COMMUNICATE and len(args) == 2:
        return f"{skill}(to {_one(args[1])})"
    return f"{skill}({', '.join(_one(a) for a in args)})" if args else skill


def _one(arg: Any) -> str:
    if isinstance(arg, (list, tuple)):
        return ", ".join(_one(a) for a in arg)
    return f"{arg:.2f}" if isinstance(arg, float) else str(arg)
