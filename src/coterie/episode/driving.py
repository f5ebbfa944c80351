"""Carry out actions: in the world, or by a robot's own driver, whose end is not known beforehand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast, get_args

from coterie.core.action import Action, Outcome, Status
from coterie.core.causes import called_off
from coterie.core.errors import CoterieError
from coterie.core.world import FarDriver, Twin, World
from coterie.episode.agent import Agent
from coterie.episode.inputs import BELL, DRIVEN, ENDED, Driven, Ended, Stood, Stop, as_logged, from_json, to_json
from coterie.episode.roster import Roster
from coterie.log.file import Log

Bell = Callable[[], str]  # says who has stopped everybody; empty: nobody has
POLL_S = 1.0  # simulated time between two questions to a driver


class Driving:
    def __init__(self, world: World, roster: Roster, log: Log, bell: Bell | None = None):
        self.world, self.roster, self.log, self.bell = world, roster, log, bell

    # -- drivers that outlive the run -------------------------------------------------------------------------------
    def begin(self) -> None:
        """Tell far drivers the name of the run: a new one, or that of the log that is gone on with."""
        far = {name: d for name, d in self.roster.drivers.items() if isinstance(d, FarDriver)}
        if not far:
            return
        import secrets  # only here

        recorded = self.log.recorded("input", now=True)
        known = recorded is not None and recorded["kind"] == DRIVEN
        run = str(recorded["run"]) if recorded is not None and known else secrets.token_hex(8)
        self.log.add("input", "", to_json(Driven(run, tuple(far))))
        self.log.flush()
        for driver in far.values():
            driver.begin(run)

    def news(self) -> Iterator[Stood | Stop]:
        """Robots that have come into or gone out of contact, or were stopped or released, since it was last asked."""
        if self.log.replaying:  # what was news then comes from the log
            return
        if self.bell is None and not self.roster.drivers and not self.roster.rung:
            return
        by = self.bell() if self.bell is not None else ""
        if by != self.roster.rung:
            yield Stop(by or self.roster.rung, ("all",), bool(by), BELL)
        for agent in self.roster:
            if agent.driver is not None and isinstance(agent.driver, FarDriver):
                now = agent.driver.standing(agent.name)
                if now[:2] != agent.standing[:2]:
                    yield Stood(agent.name, now.there, now.stopped, now.why)

    def stopped_now(self) -> bool:
        """Return whether the stop bell rang since inputs were last taken in, now or when the log was written."""
        recorded = self.log.recorded("input", now=True)
        if recorded is not None:
            return recorded["kind"] == "stop" and recorded.get("via") == BELL
        return self.bell is not None and not self.log.replaying and self.bell() != self.roster.rung

    def _poll_s(self) -> float:
        return min((float(getattr(a.driver, "poll_s", POLL_S)) for a in self.abroad()), default=POLL_S)

    # -- actions ----------------------------------------------------------------------------------------------------
    def start(self, joint: Mapping[str, Action]) -> None:
        inside = joint
        if self.roster.drivers:
            inside = {n: a for n, a in joint.items() if self.roster.agents[n].driver is None}
        if inside:
            self.world.start(inside)

    def abroad(self) -> list[Agent]:
        """Agents that act under a driver of their own."""
        if not self.roster.drivers:
            return []
        return [a for a in self.roster if a.driver is not None and a.doing is not None]

    def advance(self, until: float | None) -> list[Outcome]:
        """To the next end of an action, or the next moment at which drivers are asked."""
        if not self.abroad():
            return self.world.advance(until)
        soon = self.world.now + self._poll_s()
        ended = self.world.advance(soon if until is None else min(soon, until))
        for agent in self.abroad():
            outcome = self._poll(agent)
            if outcome is not None:
                ended.append(outcome)
        return ended

    def _poll(self, agent: Agent) -> Outcome | None:
        """Ask a driver, unless the log knows the answer. A resumed run starts what was under way when the log ends."""
        self.log.t = round(self.world.now, 6)
        recorded = self._recorded(agent)
        if recorded is not None:
            return self._ended(agent, recorded)
        if self.log.replaying:
            return None
        assert agent.driver is not None and agent.doing is not None
        if agent.running is None:
            self.log.flush()  # whoever takes over after a kill must know of everything that was begun
            agent.running = agent.driver.start(agent.name, agent.doing, agent.began)
        said = agent.running.poll(self.world.now)
        return None if said is None else self._ended(agent, _told(said))

    def _recorded(self, agent: Agent) -> Ended | None:
        """The end of a robot's action that the log holds at this point."""
        recorded = self.log.recorded("input", now=True)
        if recorded is None or recorded["kind"] != ENDED or recorded["robot"] != agent.name:
            return None
        return cast(Ended, from_json(recorded))

    def _ended(self, agent: Agent, end: Ended) -> Outcome:
        assert agent.doing is not None
        if end.status not in get_args(Status):
            raise CoterieError(f"The driver of {agent.name} ended with the status {end.status!r}.")
        self.log.add("input", agent.name, to_json(end))
        took, status = self.world.now - agent.began, cast(Status, end.status)
        whole: dict[str, Any] = {"facts": end.facts, "cause": end.cause}
        ended = Outcome(agent.name, agent.doing, status, end.reason, agent.began, took, **whole)
        known = cast(Twin, self.world).accept(ended)
        return known._replace(facts=(*end.facts, *known.facts)) if end.facts and known.facts != end.facts else known

    def cancel(self, agent: Agent) -> Outcome | None:
        """Stop what a robot does; None if it did nothing."""
        if agent.doing is None:
            return None
        if agent.driver is None:
            return self.world.cancel(agent.name)
        self.log.t = round(self.world.now, 6)
        too_late = self._recorded(agent)
        if agent.running is not None:
            said = agent.running.cancel(self.world.now)
            if said is not None and said.ok:
                too_late = _told(said)
        if too_late is not None:  # it was done before the word to stop came
            return self._ended(agent, too_late)
        took = self.world.now - agent.began
        words = "The action was cancelled."
        return Outcome(agent.name, agent.doing, "cancelled", words, agent.began, took, cause=called_off(agent.name))


def _told(outcome: Outcome) -> Ended:
    said = Ended(outcome.robot, outcome.status, outcome.reason, outcome.cause, tuple(outcome.facts))
    return cast(Ended, as_logged(said))
