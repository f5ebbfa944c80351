"""Where things may be that nobody has seen: the belief that every simulation draws from."""

from __future__ import annotations

import math
from typing import Any

from coterie.protocols.mcts.survey import FLOOR, Survey

MARGIN_M = 0.08  # things lie at least this far from the edge


def guess(v: Survey) -> None:
    """A target whose place is unknown may lie on or in any furniture that nobody has looked at, anywhere on it.

    What a robot held that is gone has dropped where it stood. When every place has been looked at, things have been
    moved since, so that all places count again, but those that a robot stands at.
    """
    m, s = v.model, v.model.start
    lattice: dict[int, list[int]] = {}
    for thing in m.bits(s.hidden):
        positions = _dropped(v, m.things[thing])
        if not positions:
            if not s.unseen:
                every = range(len(v.furniture))
                watched = {m.loc_furniture[k] for k in s.loc}
                s.unseen = sum(1 << f for f in every if f not in watched) or sum(1 << f for f in every)
            for f in m.bits(s.unseen):
                if f not in lattice:
                    lattice[f] = _lattice(v, f)
                positions += lattice[f]
        m.guesses.append((thing, tuple(positions), tuple(float(i + 1) for i in range(len(positions)))))


def _lattice(v: Survey, f: int) -> list[int]:
    """Nine positions all over a surface: what can be reached from a stand pose depends on where a thing lies."""
    rect: Any = v.look("rect", v.furniture[f])
    height: Any = v.look("height", v.furniture[f])
    x0, y0, x1, y1 = rect
    xs = (x0 + MARGIN_M, (x0 + x1) / 2, x1 - MARGIN_M)
    ys = (y0 + MARGIN_M, (y0 + y1) / 2, y1 - MARGIN_M)
    return [v.position(v.furniture[f], (x, y, height)) for x in xs for y in ys]


def _dropped(v: Survey, thing: str) -> list[int]:
    """The floor beside the furniture that a robot was nearest to when it was last heard of, if nobody looked since."""
    m = v.model
    fact = v.belief.fact("where", thing)
    pose = v.belief.value("pose", fact.value) if fact is not None and isinstance(fact.value, str) else None
    if fact is None or not isinstance(pose, tuple):
        return []
    stands = [k for k, stand in enumerate(m.loc_stand) if stand is not None]
    near = min(stands, key=lambda k: math.dist(m.loc_pose[k], pose))
    floor = FLOOR + v.furniture[m.loc_furniture[near]]
    looked = v.belief.fact("contents", floor)
    if looked is not None and looked.time > fact.time:
        return []
    return [v.position(floor, (*m.loc_pose[near], 0.0))]
