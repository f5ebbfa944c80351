"""A small step in one line of the log: what a robot saw, did, and noticed of itself.

Worlds whose steps are many and small say so (`brief`); all others write a line for what was seen, one for the beginning
of an action and one for its end.
"""

from __future__ import annotations

from typing import Any

from coterie.core.action import Outcome
from coterie.core.area import Patch
from coterie.episode.agent import Agent


def seen_in_brief(agent: Agent) -> dict[str, Any]:
    """Return what is new in a belief since the last line of the log: the area, and facts by predicate and name."""
    belief, name = agent.view.belief, agent.name
    news: dict[str, Any] = {}
    if agent.logged < belief.cursor:
        saw: dict[str, dict[str, Any]] = {}
        told: dict[str, dict[str, dict[str, Any]]] = {}
        rows = []
        for fact in belief.since(agent.logged):
            if len(fact.args) != 1:
                rows.append([fact.pred, fact.args, fact.value, fact.source])
                continue
            group = saw if fact.source == name else told.setdefault(fact.source, {})
            group.setdefault(fact.pred, {})[fact.args[0]] = fact.value
        agent.logged = belief.cursor
        news = {k: v for k, v in (("facts", rows), ("saw", saw), ("told", told)) if v}
    if agent.mapped < belief.area.cursor:
        news["area"] = Patch.joined(belief.area.since(agent.mapped)).text
        agent.mapped = belief.area.cursor
    return news


def did_in_brief(agent: Agent, outcome: Outcome, trace: list[list[Any]], seen: dict[str, Any] | None) -> dict[str, Any]:
    """An action that was done. What the robot noticed of itself and is true is told here, and taken out of `trace`;
    what it noticed otherwise than it is, its next look tells."""
    action, name, belief = outcome.action, agent.name, agent.view.belief
    agent.view.outcome = outcome
    before = belief.cursor
    belief.tell_all(outcome.facts)
    noticed = {f.pred: f.value for f in belief.since(before) if f.args == (name,)}
    now, mine, rest = {}, [name], []
    for row in trace:
        if row[1] == mine and row[0] in noticed and row[2] == noticed[row[0]]:
            now[row[0]] = row[2]
        else:
            rest.append(row)
    trace[:] = rest
    if agent.logged == before and len(now) == belief.cursor - before:
        agent.logged = belief.cursor  # nothing else is new
    data: dict[str, Any] = {"skill": action.skill}
    more = (("args", action.args), ("why", action.why), ("origin", action.origin), ("now", now), ("see", seen))
    for key, value in more:
        if value:
            data[key] = value
    return data
