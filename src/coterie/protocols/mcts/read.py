"""From the pooled beliefs of a party to the model that search plays in."""

from __future__ import annotations

from coterie.core.facts import UNKNOWN
from coterie.core.protocol import TeamView
from coterie.protocols.mcts.abilities import abilities, reaches
from coterie.protocols.mcts.guess import guess
from coterie.protocols.mcts.model import Model
from coterie.protocols.mcts.past import Past
from coterie.protocols.mcts.survey import Survey

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
    guess(v)
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
