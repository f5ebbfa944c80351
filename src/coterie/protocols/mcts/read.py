"""From the pooled beliefs of a party to the model that search plays in."""

from __future__ import annotations

import math
from typing import Any

from coterie.core.facts import UNKNOWN
from coterie.core.protocol import TeamView
from coterie.protocols.mcts.abilities import abilities, reaches
from coterie.protocols.mcts.model import Model
from coterie.protocols.mcts.past import Past
from coterie.protocols.mcts.survey import FLOOR, Survey

MARGIN_M = 0.08  # things lie at least this far from the edge
#: What a goal must have to be pictured; those of the indoor tasks do.
GOAL = ("kind", "targets", "platforms", "home", "text")


def read(team: TeamView, past: Past) -> Model | None:
    """The model of this moment, from pooled views; None where there is no goal that it can picture."""
    goal = next(iter(team.robots.values())).belief.value("goal")
    if not all(hasattr(goal, part) for part in GOAL) or not goal.targets:  # type: ignore[attr-defined]
        return None
    v = Survey(team, past, goal)
    abilities(v)
    _moment(v)
    _guess(v)
    reaches(v)
    v.model.count(v.model.start)
    return v.model


def _moment(v: Survey) -> None:
    """Fill in where everything is believed to be now."""
    s, things = v.model.start, v.things
    s.held = [things.index(h) if h else -1 for h in v.held]
    s.inside = [[things.index(t) for t in p] for p in v.inside]
    s.open = sum(1 << i for i, f in enumerate(v.furniture) if v.belief.value("open", f) is True)
    s.unseen = sum(1 << i for i, f in enumerate(v.furniture) if v.belief.value("contents", f) is UNKNOWN)
    for r, me in enumerate(v.me):
        if me.outcome is not None and me.outcome.ok and me.outcome.action.skill == "navigate":
            s.went |= 1 << r
    for t, thing in enumerate(things):
        on = next((p for p, inside in enumerate(s.inside) if t in inside), -1)
        s.pos.append(on)
        if on >= 0 or t in s.held:
            continue
        place = v.belief.value("where", thing)
        if isinstance(place, str) and place not in v.platforms and v.furniture_of(place) is not None:
            spot = v.belief.value("spot", thing)
            s.pos[t] = v.position(place, spot if isinstance(spot, tuple) else None)
        else:  # nobody knows, or it was with a robot that is gone
            s.hidden |= 1 << t


def _guess(v: Survey) -> None:
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
