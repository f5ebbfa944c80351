"""The promise of a stored plan: the alpha it would have if nothing collided.

Before collisions, the reuse ratio of a motion depends on its two ends alone. They are kept as a few numbers beside
every plan, so that the promise of many plans is known in about a millisecond. Collisions only lower alpha: the exact
test begins with the most promising and stops when nothing left can be better.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from coterie.memo.case import Case
from coterie.memo.geometry import SHORT_M
from coterie.memo.plan import Plan

_FIXED = -1  # the number of a place that does not move
_ENDS = 7  # numbers per motion: x, y of its start and its end, which things these go with, its subtask
Ends = tuple[np.ndarray, np.ndarray]  # where motions start and where they end, (..., 2) each


def follow(parts: Iterable[tuple[str, str, str]]) -> Iterator[tuple[str, str]]:
    """For every (robot, toward, holds) in the order of time: the things whose places its start and its end depend on.

    A hand is where it last went; a thing that was carried lies where its new place lies. Empty: a fixed place.
    """
    hand: dict[str, str] = {}
    lies: dict[str, str] = {}  # where a thing lies is where this one lay at the beginning
    for robot, toward, holds in parts:
        begin, end = hand.get(robot, ""), lies.get(toward, toward)
        hand[robot] = end
        if holds:
            lies[holds] = end
        yield begin, end


def sketch(case: Case, plan: Plan) -> bytes:
    """The numbers that a promise is computed from: counts, the poses of things, and the ends of every motion that leads
    somewhere."""
    names = _names(case)
    number = {name: i for i, name in enumerate(names)}
    motions = list(plan.motions())
    ends = follow((robot, motion.toward, motion.holds) for _, robot, _, _, motion in motions)
    subtasks: dict[tuple[int, str], int] = {}
    rows = []
    for (i, robot, _, _, motion), (begin, end) in zip(motions, ends):
        if motion.toward and len(motion.ee):
            subtask = subtasks.setdefault((i, robot), len(subtasks))
            things = (number.get(begin, _FIXED), number.get(end, _FIXED))
            rows.append((*motion.ee[0][:2], *motion.ee[-1][:2], *things, subtask))
    poses = [case.pose(name) for name in names]
    flat = [float(len(poses)), float(len(rows)), *(v for p in poses if p for v in p), *(v for r in rows for v in r)]
    return np.array(flat, dtype="<f8").tobytes()


def promises(sketches: Sequence[bytes], cur: Case, axis: str) -> np.ndarray:
    """The mean reuse ratio (Eq. 2, 3) of every plan after back checking alone; -1 for a sketch that cannot be read."""
    now = np.array([cur.pose(name) for name in _names(cur)]).reshape(-1, 4)
    out = np.full(len(sketches), -1.0)
    ends, then, owner = [], [], []
    for i, data in enumerate(sketches):
        read = _read(data, len(now))
        if read is not None:
            poses, rows = read
            out[i] = 1.0  # where nobody goes anywhere, everything fits
            then.append(poses)
            ends.append(rows)
            owner += [i]
    if not ends or not sum(map(len, ends)):
        return out
    of = np.repeat(np.arange(len(ends)), [len(r) for r in ends])
    rows, poses = np.concatenate(ends), np.stack(then)
    left, length = _stretches(rows, poses, now, of, axis)
    subtasks = [int(r[:, 6].max()) + 1 if len(r) else 0 for r in ends]  # they are numbered from 0 in every plan
    first = np.concatenate([[0], np.cumsum(subtasks)])
    number = first[of] + rows[:, 6].astype(int)
    alphas, plans = _ratios(left, length, number, np.repeat(np.arange(len(ends)), subtasks))
    count = np.bincount(plans, minlength=len(ends))
    mean = np.bincount(plans, alphas, minlength=len(ends)) / np.maximum(1, count)
    out[np.array(owner)[count > 0]] = mean[count > 0]
    return out


def _names(case: Case) -> list[str]:
    return sorted({*case.objects, *case.obstacles})


def _read(data: bytes, things: int) -> tuple[np.ndarray, np.ndarray] | None:
    """The poses (things, 4) and the motions (n, 7) of a sketch that is whole, of as many things as there are now."""
    if not isinstance(data, bytes) or len(data) % 8 or len(data) < 16:
        return None
    values = np.frombuffer(data, dtype="<f8")
    if not np.isfinite(values).all() or values[0] != things or len(values) != 2 + 4 * values[0] + _ENDS * values[1]:
        return None
    rows = values[2 + 4 * things :].reshape(-1, _ENDS)
    things_of, subtask = rows[:, 4:6], rows[:, 6]
    if len(rows) and (things_of.max() >= things or things_of.min() < _FIXED):
        return None
    if len(rows) and (subtask.max() >= len(rows) or subtask.min() < 0):
        return None
    return values[2 : 2 + 4 * things].reshape(things, 4), rows


def _stretches(
    rows: np.ndarray, then: np.ndarray, now: np.ndarray, of: np.ndarray, axis: str
) -> tuple[np.ndarray, np.ndarray]:
    """For every motion: how much of the old way lies between its start and goal of now, and how far these are [m]."""
    start = _carried(rows[:, 0:2], rows[:, 4].astype(int), then, now, of)
    goal = _carried(rows[:, 2:4], rows[:, 5].astype(int), then, now, of)
    left, length = covered((rows[:, 0:2], rows[:, 2:4]), (start, goal), axis)
    return left, np.where(length >= SHORT_M, length, 0.0)


def covered(old: Ends, now: Ends, axis: str = "line") -> tuple[np.ndarray, np.ndarray]:
    """How much of old ways lies between the start and the goal of now, and how far these are [m]; many at once."""
    (first, last), (start, goal) = old, now
    to = goal - start
    if axis == "x":
        to[..., 1] = 0.0
    length = np.hypot(to[..., 0], to[..., 1])
    unit = to / np.maximum(length, 1e-12)[..., None]
    begun = np.clip(((first - start) * unit).sum(axis=-1), 0.0, length)
    ended = np.clip(((last - start) * unit).sum(axis=-1), 0.0, length)
    return np.maximum(0.0, ended - begun), length


def _carried(points: np.ndarray, thing: np.ndarray, then: np.ndarray, now: np.ndarray, of: np.ndarray) -> np.ndarray:
    """Points (n, 2) that go with things, where the things are now."""
    out = points.copy()
    go = thing >= 0
    a, b = then[of[go], thing[go]], now[thing[go]]
    angle = b[:, 3] - a[:, 3]
    dx, dy, c, s = points[go, 0] - a[:, 0], points[go, 1] - a[:, 1], np.cos(angle), np.sin(angle)
    out[go] = np.stack([b[:, 0] + c * dx - s * dy, b[:, 1] + s * dx + c * dy], axis=1)
    return out


def _ratios(
    left: np.ndarray, length: np.ndarray, subtask: np.ndarray, plan_of: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Alpha of every subtask that leads somewhere, and whose plan it belongs to."""
    ref = np.bincount(subtask, np.where(length > 0, left, 0.0), minlength=len(plan_of))
    goal = np.bincount(subtask, length, minlength=len(plan_of))
    far = goal > 0
    return np.clip(ref[far] / goal[far], 0.0, 1.0), plan_of[far]
