"""One robot in one episode, the party whose chain decides for it, and its small steps in one line of the log.

Worlds whose steps are many and small say so (`brief`); all others write a line for what was seen, one for the beginning
of an action and one for its end.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from coterie.core.action import Action, Outcome
from coterie.core.area import Patch
from coterie.core.protocol import Mind, Option, Party, RobotView, TeamProtocol
from coterie.core.world import Driver, Running, Standing


class Link:
    """One link of the chain that decides for a party: one mind for all its robots, or one for each, as it sees."""

    def __init__(self, make: Mind):
        self.make = make
        self.shared: TeamProtocol | None = None
        self.own: dict[str, TeamProtocol] = {}

    def enter(self, robot: str) -> None:
        mind = self.make()
        if mind.sees == "own":
            self.own[robot] = mind
        elif self.shared is None:
            self.shared = mind

    def leave(self, robot: str) -> None:
        self.own.pop(robot, None)

    def mind(self, robot: str) -> TeamProtocol:
        mind = self.own.get(robot, self.shared)
        assert mind is not None  # made when the first of its robots came
        return mind

    def minds(self, robots: list[str]) -> dict[int, tuple[TeamProtocol, list[str]]]:
        """Each mind with those of the robots that it decides for."""
        groups: dict[int, tuple[TeamProtocol, list[str]]] = {}
        for name in robots:
            mind = self.mind(name)
            groups.setdefault(id(mind), (mind, []))[1].append(name)
        return groups


class Side:
    """A party in a running episode."""

    def __init__(self, party: Party):
        self.party, self.name = party, party.name
        self.before = [Link(make) for make in party.before]
        self.protocol = Link(party.make)

    @property
    def links(self) -> list[Link]:
        return [*self.before, self.protocol]


@dataclass
class Agent:
    """One robot in one episode: its view, what it does and what it waits for. It could live in another process."""

    view: RobotView
    side: Side
    option: Option | None = None  # what it goes on with until that ends or is interrupted
    doing: Action | None = None  # under way
    begun: int = -1  # the event that started it
    began: float = 0.0  # and when
    planned: Action | None = None  # decided, but the thinking about it takes until `ready`
    ready: float = 0.0
    order: int = 0
    think_s: float = 0.0  # of this decision so far
    logged: int = 0  # how much of its belief is in the log
    mapped: int = 0  # and of the ground it knows
    read: int = 0  # how many messages of its inbox it had when it last decided
    stirred: int = 0  # how many messages of its inbox were handed to its mind's `hear`
    heard: int = 0  # how many of them it was last asked about while it was busy
    driver: Driver | None = None  # of its own; None: the world carries its actions out
    running: Running | None = field(default=None, repr=False)
    standing: Standing = field(default_factory=Standing)  # what its driver says of it
    stopped: str = ""  # who has stopped it within the episode
    name: str = field(init=False)
    held: bool = field(init=False)  # it is out of contact or stopped: nobody decides for it

    def __post_init__(self) -> None:
        self.name = self.view.name
        self.stand()

    def stand(self, standing: Standing | None = None, stopped: str | None = None) -> None:
        """Note how it stands now: what its driver says, and who has stopped it within the episode."""
        self.standing = self.standing if standing is None else standing
        self.stopped = self.stopped if stopped is None else stopped
        self.held = bool(self.stopped or self.standing.stopped or not self.standing.there)

    @property
    def busy(self) -> bool:
        return self.doing is not None or self.planned is not None


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
