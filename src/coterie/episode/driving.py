"""Who carries actions out: the world, or a driver of a robot's own, whose end nobody knows beforehand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast, get_args

from coterie.core.action import Action, Outcome, Status
from coterie.core.causes import called_off
from coterie.core.errors import CoterieError
from coterie.core.world import Twin, World
from coterie.episode.agent import Agent
from coterie.episode.inputs import ENDED, Ended, from_json, to_json
from coterie.episode.roster import Roster
from coterie.log.file import Log

POLL_S = 1.0  # simulated time between two questions to a driver


class Driving:
    def __init__(self, world: World, roster: Roster, log: Log):
        self.world, self.roster, self.log = world, roster, log

    def start(self, joint: Mapping[str, Action]) -> None:
        inside = {n: a for n, a in joint.items() if self.roster.agents[n].driver is None}
        if inside:
            self.world.start(inside)

    def abroad(self) -> list[Agent]:
        """Agents that act under a driver of their own."""
        return [a for a in self.roster if a.driver is not None and a.doing is not None]

    def advance(self, until: float | None) -> list[Outcome]:
        """To the next end of an action, or the next moment at which drivers are asked."""
        if not self.abroad():
            return self.world.advance(until)
        soon = self.world.now + POLL_S
        ended = self.world.advance(soon if until is None else min(soon, until))
        for agent in self.abroad():
            outcome = self._poll(agent)
            if outcome is not None:
                ended.append(outcome)
        return ended

    def _poll(self, agent: Agent) -> Outcome | None:
        """Ask a driver, unless the log knows the answer. A resumed run starts what was under way when the log ends."""
        self.log.t = round(self.world.now, 6)
        recorded = self.log.recorded("input", now=True)
        if recorded is not None and recorded["kind"] == ENDED and recorded["robot"] == agent.name:
            answer = from_json(recorded)
        elif self.log.replaying:
            return None
        else:
            assert agent.driver is not None and agent.doing is not None
            if agent.running is None:
                agent.running = agent.driver.start(agent.name, agent.doing, agent.began)
            said = agent.running.poll(self.world.now)
            if said is None:
                return None
            answer = Ended(agent.name, said.status, said.reason)
        assert isinstance(answer, Ended) and agent.doing is not None
        if answer.status not in get_args(Status):
            raise CoterieError(f"The driver of {agent.name} ended with the status {answer.status!r}.")
        self.log.add("input", agent.name, to_json(answer))
        took = self.world.now - agent.began
        ended = Outcome(agent.name, agent.doing, cast(Status, answer.status), answer.reason, agent.began, took)
        return cast(Twin, self.world).accept(ended)

    def cancel(self, agent: Agent) -> Outcome | None:
        """Stop what a robot does; None if it did nothing."""
        if agent.doing is None:
            return None
        if agent.driver is None:
            return self.world.cancel(agent.name)
        if agent.running is not None:
            agent.running.cancel(self.world.now)
        took = self.world.now - agent.began
        words = "The action was cancelled."
        return Outcome(agent.name, agent.doing, "cancelled", words, agent.began, took, cause=called_off(agent.name))
