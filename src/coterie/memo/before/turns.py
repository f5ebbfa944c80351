"""Turns of an old plan in another order, for tasks in which things may be done in any.

A turn is what robots do from empty hands at rest to empty hands at rest, such as fetching a thing and putting it away.
Where two hands would meet in one round, each robot still does what it did, beside another turn of the other's.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product

from coterie.memo import Draft, DraftAct, Drafted
from coterie.memo.before.clearance import HANDS_M, crowded, ends_apart

SAME_M = 0.05  # [m] hands that begin a turn this close to where they began the first begin at rest
MOST = 4  # turns; more have too many orders to look at

Order = tuple[int, ...]
Turns = list[list[DraftAct]]  # of one robot: its acts, turn by turn


def exchanged(plan: Draft) -> Iterator[Draft]:
    """The plan with its turns in other orders, in none of which hands come too close; those that keep most of the old
    rounds come first, and no two begin with the same round."""
    turns = _turns(plan)
    if turns is None:
        return
    robots = list(turns)
    count = len(turns[robots[0]])
    near = _nearest(plan)
    begun: set[Order] = set()
    every = permutations(range(count))
    for orders in sorted(product(every, repeat=len(robots)), key=lambda o: _torn(o, count)):
        first = tuple(order[0] for order in orders)
        if first in begun or all(order == tuple(range(count)) for order in orders):
            continue
        new = _told(turns, dict(zip(robots, orders)), near)
        if new is not None:
            begun.add(first)
            yield new


def _turns(plan: Draft) -> dict[str, Turns] | None:
    """Every robot's turns; None where they cannot change places."""
    steps = plan.steps
    if not steps or any(step.keys() != steps[0].keys() or not all(a.motions for a in step.values()) for step in steps):
        return None
    begin = [n for n, step in enumerate(steps) if all(_at_rest(act, steps[0][r]) for r, act in step.items())]
    length = len(steps) // max(1, len(begin))
    if not 2 <= len(begin) <= MOST or begin != list(range(0, len(steps), length)) or len(steps) % length:
        return None
    return {r: [[steps[i][r] for i in range(n, n + length)] for n in begin] for r in steps[0]}


def _at_rest(act: DraftAct, first: DraftAct) -> bool:
    begins = act.motions[0]
    return not begins.old.holds and math.dist(begins.start, first.motions[0].start) < SAME_M


def _torn(orders: Sequence[Order], count: int) -> tuple[int, int]:
    """How many rounds are not what they were, and how many come at another time."""
    rounds = list(zip(*orders))
    return sum(len(set(r)) > 1 for r in rounds), sum(r != (n,) * len(orders) for n, r in enumerate(rounds))


def _nearest(plan: Draft) -> float:
    """How near to each other hands worked when it went well; no nearer than they ever need to be."""
    pairs = [p for step in plan.steps for a, b in combinations(step.values(), 2) for p in zip(a.motions, b.motions)]
    return min((far for p in pairs if (far := ends_apart(*p)) is not None), default=HANDS_M)


def _told(turns: dict[str, Turns], orders: dict[str, Order], near: float) -> Draft | None:
    """The plan in these orders; None where hands would come too close."""
    steps: list[dict[str, DraftAct]] = []
    for numbers in zip(*orders.values()):
        old = len(set(numbers)) == 1
        acts = {r: turns[r][n] for r, n in zip(turns, numbers)}
        for k in range(len(next(iter(acts.values())))):
            step = {r: own[k] if old else _apart(own[k]) for r, own in acts.items()}
            if crowded(Draft((step,))) if old else _too_near(step, near):
                return None
            steps.append(step)
    return Draft(tuple(steps))


def _too_near(step: dict[str, DraftAct], near: float) -> bool:
    return any(
        (far := ends_apart(mine, theirs, now=True)) is not None and far < min(near, HANDS_M)
        for a, b in combinations(step.values(), 2)
        for mine, theirs in zip(a.motions, b.motions)
    )


def _apart(act: DraftAct) -> DraftAct:
    """Motions that were not done beside these of the others can but guide them."""
    return act._replace(motions=tuple(map(_guiding, act.motions)))


def _guiding(motion: Drafted) -> Drafted:
    return motion._replace(how="guide") if motion.how == "reuse" and len(motion.points) else motion
