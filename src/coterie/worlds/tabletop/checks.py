"""What is asked of a joint action before anything moves: words first, then reach, then collision."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from coterie.core.action import WAIT, Action
from coterie.worlds.tabletop.job import STAY, STILL, Job, Leg, Refusal, Xyz, distance, spoken
from coterie.worlds.tabletop.table import Table

POINTS = 4  # way points of an action in a job that uses them
MOST_ROWS = 2000  # of a motion that is offered


def wording(table: Table, joint: Mapping[str, Action]) -> str:
    """What is wrong with the actions as they are written; empty when nothing is."""
    for robot, action in joint.items():
        words = _verb(table, robot, action) or _objects(table, robot, action)
        words = words or _path(table.job, robot, action) or _hints(robot, action)
        if words:
            return words
    return _lengths(table.job, joint)


def _verb(table: Table, robot: str, action: Action) -> str:
    verbs = table.job.verbs[robot]
    if action.skill == WAIT and not action.args and action.why == STILL:
        return ""  # nobody asked anything of it
    if action.skill not in verbs:
        return f"{robot}: unknown action {action.skill[:40].upper()}; {robot} can {', '.join(v.upper() for v in verbs)}"
    skill = table.job.skills()[action.skill]
    if len(action.args) != len(skill.params):
        wanted = " ".join(f"<{p.name}>" for p in skill.params)
        return f"{robot}: {action.skill.upper()} takes {wanted or 'nothing after it'}"
    bad = [a for a in action.args if not isinstance(a, str)]
    return f"{robot}: {str(bad[0])[:40]} is not a name" if bad else ""


def _objects(table: Table, robot: str, action: Action) -> str:
    if action.skill == WAIT or not action.args:
        return ""
    name, holds = action.args[0], table.held.get(robot)
    known = table.job.graspable(table.layout)
    if name not in known:
        return f"{robot}: there is no {name[:60]}; there are {', '.join(known)}"
    if action.skill in ("pick", "pick_place"):
        if holds:
            return f"{robot} already holds {holds}; it must put that down first"
        other = table.holder(name)
        if other:
            return f"{robot}: {name} is held by {other}"
    elif action.skill in ("place", "put") and holds != name:
        return f"{robot} does not hold {name}; it must PICK it first"
    elif action.skill == "open" and holds != name:
        return f"{robot} must PICK {name} before it can OPEN it"
    targets = table.job.targets(robot, action.skill)
    if len(action.args) > 1 and targets and action.args[1] not in targets:
        return f"{robot}: {action.args[1][:60]} is no target; there are {', '.join(targets)}"
    return ""


def _path(job: Job, robot: str, action: Action) -> str:
    if action.path and not job.paths:
        return f"{robot}: this task takes no PATH"
    if not job.paths or (action.skill == WAIT and not action.path):
        return ""
    if not action.path:
        return "" if action.motion is not None else f"{robot}: the PATH is missing; give {POINTS} points (x, y, z)"
    if not isinstance(action.path, tuple) or len(action.path) != POINTS:
        return f"{robot}: a PATH has {POINTS} points, not {len(action.path)}"
    bad = next((k for k, point in enumerate(action.path, 1) if not _is_point(point)), None)
    return f"{robot}: point {bad} of the PATH is not three finite numbers" if bad is not None else ""


def _is_point(point: Any) -> bool:
    if not isinstance(point, (tuple, list)) or len(point) != 3:
        return False
    return all(isinstance(v, (int, float)) and math.isfinite(v) for v in point)


def _hints(robot: str, action: Action) -> str:
    """Advice on motion comes from a memo, and a memo is a file: what is not a list of points is refused in words."""
    if action.motion is None:
        return ""
    if not isinstance(action.motion, (tuple, list)):
        return f"{robot}: the motion that was offered is no list of legs"
    for hint in action.motion:
        if hint is None:
            continue
        if not isinstance(hint, dict) or not _rows(hint.get("knots", ())) or not _rows(hint.get("guide", ()), 3):
            return f"{robot}: the motion that was offered is no list of points"
    return ""


def _rows(rows: Any, width: int | None = None) -> bool:
    if not isinstance(rows, (tuple, list)) or len(rows) > MOST_ROWS:
        return False
    try:
        array = np.array(rows, dtype=float)
    except (TypeError, ValueError):
        return False
    if not len(rows):
        return True
    return array.ndim == 2 and width in (None, array.shape[1]) and bool(np.isfinite(array).all())


def _lengths(job: Job, joint: Mapping[str, Action]) -> str:
    if not job.paths:
        return ""
    counts = {r: len(a.path) for r, a in joint.items() if a.path}
    if len(set(counts.values())) > 1:
        told = ", ".join(f"{r} has {n}" for r, n in counts.items())
        return f"all PATHs of a round need the same number of points; {told}"
    return ""


def unevenness(job: Job, robot: str, start: Xyz, leg: Leg) -> str:
    """Paths whose steps are of very different length make arms wait for each other; planners are told so."""
    if not leg.path:
        return ""
    points = [start, *leg.path, leg.at]
    steps = [distance(a, b) for a, b in pairwise(points)]
    if float(np.std(steps)) <= job.path_std:
        return ""
    k, m = int(np.argmax(steps)), int(np.argmin(steps))
    return (
        f"{robot}: the steps of the PATH are too uneven; the longest is from {spoken(points[k])} to "
        f"{spoken(points[k + 1])}, the shortest from {spoken(points[m])} to {spoken(points[m + 1])}"
    )


def expand(table: Table, joint: Mapping[str, Action]) -> dict[str, list[Leg]] | str:
    """The legs of all robots, made equally many; only those who wait or move may be stretched."""
    legs: dict[str, list[Leg]] = {}
    for robot, action in joint.items():
        made = [STAY] if action.skill == WAIT else table.job.legs(table, robot, action)
        if isinstance(made, Refusal):
            return f"{robot}: {made.words}"
        if action.path and made:
            made[0] = replace(made[0], path=tuple((x, y, z) for x, y, z in action.path))
        for k, hint in enumerate(action.motion or ()):
            if k < len(made) and hint is not None:
                made[k] = replace(made[k], hint=hint)
        legs[robot] = made
    most = max(len(v) for v in legs.values())
    for robot, action in joint.items():
        short = most - len(legs[robot])
        if short and action.skill not in table.job.stretch:
            return f"{robot}: while others need {most} motions, it can only {' or '.join(table.job.stretch).upper()}"
        legs[robot] = [*legs[robot], *[STAY] * short]
    return legs


def out_of_reach(job: Job, legs: Mapping[str, Leg]) -> str:
    """Hands have to stay in their boxes."""
    far = [f"{r} {spoken(leg.at)}" for r, leg in legs.items() if not leg.stay and not job.boxes[r].holds(leg.at)]
    return f"Out of reach: {'; '.join(far)}" if far else ""
