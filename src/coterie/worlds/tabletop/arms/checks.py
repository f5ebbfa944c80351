"""Checks of a joint action before anything moves: wording first, then reach, then collision."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from coterie.core.action import NOT_ASKED, WAIT, Action
from coterie.core.causes import ARGUMENT_COUNT, ARGUMENT_KIND, ON_CARD
from coterie.worlds.tabletop.job import STAY, Job, Leg, Refusal, Xyz, distance, spoken
from coterie.worlds.tabletop.skills import unknown
from coterie.worlds.tabletop.table import Table

POINTS = 4  # way points of an action in a job that uses them
MOST_ROWS = 2000  # of a motion that is offered


def wording(table: Table, joint: Mapping[str, Action]) -> Refusal | None:
    """Why the actions cannot be read as they are written; None when they can."""
    alone = table.job.all_or_none and any(a.origin == NOT_ASKED for a in joint.values())
    for robot, action in joint.items():
        wrong = _alone(robot, action) if alone else _verb(table, robot, action)
        wrong = wrong or _objects(table, robot, action)
        wrong = wrong or _path(table.job, robot, action) or _hints(robot, action)
        if wrong is not None:
            return wrong
    return _lengths(table.job, joint)


def _alone(robot: str, action: Action) -> Refusal | None:
    """A job that takes all arms waits for those that are away."""
    if action.skill == WAIT and not action.args:
        return None
    words = "this takes all arms together, and not all are here; WAIT until they are"
    return Refusal("all_here", words, ("all_here", (), False)).of(robot)


def _verb(table: Table, robot: str, action: Action) -> Refusal | None:
    verbs = table.job.verbs[robot]
    if action.skill == WAIT and not action.args and action.origin == NOT_ASKED:
        return None  # nobody asked anything of it
    if action.skill not in verbs:
        words = f"{unknown(action.skill[:40])}; {robot} can {', '.join(v.upper() for v in verbs)}"
        return Refusal(ON_CARD, words, ("skills", (robot,), tuple(verbs))).of(robot)
    skill = table.job.skills()[action.skill]
    if len(action.args) != len(skill.params):
        wanted = " ".join(f"<{p.name}>" for p in skill.params)
        words = f"{action.skill.upper()} takes {wanted or 'nothing after it'}"
        return Refusal(ARGUMENT_COUNT, words, ("arguments", (skill.name,), len(action.args))).of(robot)
    for param, arg in zip(skill.params, action.args):
        if not isinstance(arg, str):
            fact = ("kind", (skill.name, param.name), type(arg).__name__)
            return Refusal(ARGUMENT_KIND, f"{str(arg)[:40]} is not a name", fact).of(robot)
    return None


def _objects(table: Table, robot: str, action: Action) -> Refusal | None:
    if action.skill == WAIT or not action.args:
        return None
    name, holds = action.args[0], table.held.get(robot)
    known, held = table.job.graspable(table.layout), ("holding", (robot,), holds)
    if name not in known:
        words = f"there is no {name[:60]}; there are {', '.join(known)}"
        return Refusal("thing", words, ("thing", (name[:60],), False)).of(robot)
    if action.skill in ("pick", "pick_place"):
        if holds:
            return Refusal("holding", f"{robot} already holds {holds}; it must put that down first", held, robot)
        other = table.holder(name)
        if other:
            return Refusal("unheld", f"{name} is held by {other}", ("holder", (name,), other)).of(robot)
    elif action.skill in ("place", "put") and holds != name:
        return Refusal("holds_object", f"{robot} does not hold {name}; it must PICK it first", held, robot)
    elif action.skill == "open" and holds != name:
        return Refusal("holds_object", f"{robot} must PICK {name} before it can OPEN it", held, robot)
    targets = table.job.targets(robot, action.skill)
    if len(action.args) > 1 and targets and action.args[1] not in targets:
        words = f"{action.args[1][:60]} is no target; there are {', '.join(targets)}"
        return Refusal("target", words, ("target", (action.args[1][:60],), False)).of(robot)
    return None


def _path(job: Job, robot: str, action: Action) -> Refusal | None:
    if action.path and not job.paths:
        return Refusal("path_taken", "this task takes no PATH", ("paths", (), False)).of(robot)
    if not job.paths or (action.skill == WAIT and not action.path):
        return None
    points = ("points", (robot,), len(action.path) if action.path else 0)
    if not action.path:
        missing = Refusal("path_given", f"the PATH is missing; give {POINTS} points (x, y, z)", points)
        return None if action.motion is not None else missing.of(robot)
    if not isinstance(action.path, tuple) or len(action.path) != POINTS:
        return Refusal("path_length", f"a PATH has {POINTS} points, not {len(action.path)}", points).of(robot)
    bad = next((k for k, point in enumerate(action.path, 1) if not _is_point(point)), None)
    if bad is None:
        return None
    words = f"point {bad} of the PATH is not three finite numbers"
    return Refusal("path_numbers", words, ("point", (robot, bad), False)).of(robot)


def _is_point(point: Any) -> bool:
    if not isinstance(point, (tuple, list)) or len(point) != 3:
        return False
    return all(isinstance(v, (int, float)) and math.isfinite(v) for v in point)


def _hints(robot: str, action: Action) -> Refusal | None:
    """Advice on motion comes from a memo, and a memo is a file: what is not a list of points is refused in words."""
    if action.motion is None:
        return None
    if not isinstance(action.motion, (tuple, list)):
        return Refusal("motion", "the motion that was offered is no list of legs").of(robot)
    for hint in action.motion:
        if hint is None:
            continue
        lists = isinstance(hint, dict) and _rows(hint.get("knots", ())) and _rows(hint.get("old", ()))
        if not lists or not _rows(hint.get("guide", ()), 3):
            return Refusal("motion", "the motion that was offered is no list of points").of(robot)
    return None


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


def _lengths(job: Job, joint: Mapping[str, Action]) -> Refusal | None:
    if not job.paths:
        return None
    counts = {r: len(a.path) for r, a in joint.items() if a.path}
    if len(set(counts.values())) > 1:
        told = ", ".join(f"{r} has {n}" for r, n in counts.items())
        words = f"all PATHs of a round need the same number of points; {told}"
        return Refusal("path_lengths", words, ("points", tuple(counts), tuple(counts.values())))
    return None


def unevenness(job: Job, robot: str, start: Xyz, leg: Leg) -> Refusal | None:
    """Paths whose steps are of very different length make arms wait for each other; planners are told so."""
    if not leg.path:
        return None
    points = [start, *leg.path, leg.at]
    steps = [distance(a, b) for a, b in pairwise(points)]
    if float(np.std(steps)) <= job.path_std:
        return None
    k, m = int(np.argmax(steps)), int(np.argmin(steps))
    words = (
        f"the steps of the PATH are too uneven; the longest is from {spoken(points[k])} to "
        f"{spoken(points[k + 1])}, the shortest from {spoken(points[m])} to {spoken(points[m + 1])}"
    )
    return Refusal("path_even", words, ("longest_step", (robot,), k + 1)).of(robot)


def expand(table: Table, joint: Mapping[str, Action]) -> dict[str, list[Leg]] | Refusal:
    """The legs of all robots, made equally many; only those who wait or move may be stretched."""
    legs: dict[str, list[Leg]] = {}
    for robot, action in joint.items():
        made = [STAY] if action.skill == WAIT else table.job.legs(table, robot, action)
        if isinstance(made, Refusal):
            return made.of(robot)
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
            words = f"while others need {most} motions, it can only {' or '.join(table.job.stretch).upper()}"
            return Refusal("equal_motions", words, ("motions", (robot,), len(legs[robot]))).of(robot)
        legs[robot] = [*legs[robot], *[STAY] * short]
    return legs


def out_of_reach(job: Job, legs: Mapping[str, Leg]) -> Refusal | None:
    """Hands have to stay in their boxes."""
    far = {r: spoken(leg.at) for r, leg in legs.items() if not leg.stay and not job.boxes[r].holds(leg.at)}
    if not far:
        return None
    words = f"Out of reach: {'; '.join(f'{r} {at}' for r, at in far.items())}"
    return Refusal("reach", words, ("reaches", tuple(far), False), next(iter(far)) if len(far) == 1 else "")
