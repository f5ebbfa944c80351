"""Carry out actions: in the world, or by a robot's own driver, whose end is not known beforehand."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast, get_args

from coterie.core.action import COMMUNICATE, WAIT, Action, Outcome, Status
from coterie.core.card import Card
from coterie.core.causes import called_off
from coterie.core.errors import CoterieError
from coterie.core.task import Change, Trigger
from coterie.core.world import (
    Driver,
    FarDriver,
    GuidingWorld,
    NotingDriver,
    OpenFleet,
    RealWorld,
    SensingDriver,
    Twin,
    World,
)
from coterie.episode.agent import Agent
from coterie.episode.inputs import (
    AT_END,
    AT_FIRST,
    BELL,
    DRIVEN,
    ENDED,
    SENSED,
    Driven,
    Ended,
    Sensed,
    Stood,
    Stop,
    as_logged,
    from_json,
    to_json,
)
from coterie.episode.roster import Roster
from coterie.log.file import Log

Bell = Callable[[], str]  # says who has stopped everybody; empty: nobody has
HERE = (WAIT, COMMUNICATE)  # actions that move nothing: a driver never hears of them
FIRST_S = 10.0  # for a robot to say where it is
POLL_S = 1.0  # simulated time between two questions to a driver


class Driving:
    def __init__(
        self,
        world: World,
        roster: Roster,
        log: Log,
        bell: Bell | None = None,
        fleet: Mapping[str, Driver] | None = None,
    ):
        self.world, self.roster, self.log, self.bell = world, roster, log, bell
        self.fleet = fleet if isinstance(fleet, OpenFleet) else None
        self._seen: deque[Sensed] = deque()  # what robots have perceived, and nobody has taken in
        self._runs: list[Driven] = []  # under which drivers know what they are asked for, oldest first
        self._count: Counter[str] = Counter()  # actions of each robot so far
        self._old = False  # the log is gone on with, and nobody has asked yet whether drivers know more than it does

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
        self._add_run(Driven(run, tuple(far)))
        self._old = known
        for driver in far.values():
            driver.begin(run)
        if isinstance(self.world, RealWorld):
            self._sense_first(list(far))

    def admit(self, name: str) -> None:
        """A robot has joined that has a driver of its own."""
        if self.fleet is None or not self._runs:
            raise CoterieError(f"{name} joined with a driver of its own, and robots of this run have none.")
        driver = self.fleet.admit(name)
        self.roster.drivers[name] = self.roster.agents[name].driver = driver
        driver.begin(self._runs[0].run)
        if isinstance(self.world, RealWorld):
            self._sense_first([name])

    def _add_run(self, run: Driven) -> None:
        self._runs.append(run)
        self.log.add("input", "", to_json(run))
        self.log.flush()

    def _catch_up(self) -> None:
        """Where the end of a log was lost, drivers have notes of what came after it, and would take what they are asked
        for now for that: from here on it is another run to them."""
        recorded = self.log.recorded("input", now=True)
        if recorded is not None and recorded["kind"] == DRIVEN:
            self._add_run(Driven(str(recorded["run"]), tuple(recorded["names"]), int(recorded["since"])))
        if self.log.replaying or not self._old:
            return
        self._old = False
        first, end = self._runs[0], len(self.log.past)
        noting = [(a, a.driver) for a in self.roster if isinstance(a.driver, NotingDriver)]
        if any(driver.is_ahead(self._count[a.name] - (a.begun >= end)) for a, driver in noting):  # of the log's last
            self._add_run(Driven(f"{first.run}.{len(self._runs)}", first.names, end))

    def _sense_first(self, names: list[str]) -> None:
        """Nobody decides before every real robot has said where it is."""
        for name in names:
            if not self._take_sensed(name, AT_FIRST, FIRST_S):
                raise CoterieError(
                    f"{name} has not said where it is within {FIRST_S:g} s: a run with --real knows what robots "
                    "report, and nothing else. Let its driver return a Sight from `sense` (docs/drivers.md)."
                )

    def _take_sensed(self, name: str, when: str, wait_s: float = 0.0) -> int:
        """Take in what a robot has perceived, now or when the log was written; how many reports that is."""
        if not isinstance(self.world, RealWorld):
            return 0
        count = 0
        while (recorded := self.log.recorded("input", now=True)) is not None:
            if recorded["kind"] != SENSED or recorded["robot"] != name or recorded.get("when") != when:
                break
            self.take_sensed(cast(Sensed, from_json(recorded)), when)
            count += 1
        driver = self.roster.drivers.get(name)
        if not self.log.replaying and isinstance(driver, SensingDriver):
            before = [s for s in self._seen if s.robot == name]
            self._seen = deque(s for s in self._seen if s.robot != name)
            found = [Sensed(name, sight) for sight in driver.sensed(name, 0.0 if count else wait_s)]
            for item in (*before, *found):
                self.take_sensed(cast(Sensed, as_logged(item)), when)
                count += 1
        return count

    def take_sensed(self, item: Sensed, when: str) -> None:
        self.log.add("input", item.robot, to_json(item, when))
        cast(RealWorld, self.world).sense(item.robot, item.sight)

    def news(self) -> Iterator[Stood | Stop | Sensed | Change]:
        """Robots that have come into or gone out of contact, were stopped or released, have perceived something, or
        want to join, since it was last asked."""
        yield from self._stood()
        joining: Sequence[tuple[str, Card]] = (
            self.fleet.newcomers() if self.fleet is not None and not self.log.replaying else ()
        )
        for name, card in [(n, c) for n, c in joining if n not in self.roster.side_of]:
            data = {"robot": name, "card": card, DRIVEN: True}
            yield Change(Trigger(step=0), "join", data, ("all",), "drivers", awaited=False)
        self._gather()
        while self._seen:
            yield self._seen.popleft()

    def has_news(self) -> bool:
        """True if `news` has something; nothing of it is lost by asking."""
        self._gather()
        return bool(self._seen) or any(self._stood())

    def _stood(self) -> Iterator[Stood | Stop]:
        if self.log.replaying:  # what was news then comes from the log
            return
        by = self.bell() if self.bell is not None else ""
        if by != self.roster.rung:
            yield Stop(by or self.roster.rung, ("all",), bool(by), BELL)
        for agent in self.roster if self.roster.drivers else ():
            if agent.driver is not None and isinstance(agent.driver, FarDriver):
                now = agent.driver.standing(agent.name)
                if now[:2] != agent.standing[:2]:
                    yield Stood(agent.name, now.there, now.stopped, now.why)

    def _gather(self) -> None:
        """Take what robots have perceived from their drivers."""
        if self.log.replaying or not isinstance(self.world, RealWorld):
            return
        for agent in self.roster:
            if isinstance(agent.driver, SensingDriver):
                self._seen.extend(Sensed(agent.name, sight) for sight in agent.driver.sensed(agent.name))

    def stopped_now(self) -> bool:
        """Return whether the stop bell rang since inputs were last taken in, now or when the log was written."""
        recorded = self.log.recorded("input", now=True)
        if recorded is not None:
            return recorded["kind"] == "stop" and recorded.get("via") == BELL
        return self.bell is not None and not self.log.replaying and self.bell() != self.roster.rung

    # -- actions ----------------------------------------------------------------------------------------------------
    def start(self, joint: Mapping[str, Action]) -> None:
        inside = joint
        if self.roster.drivers:
            self._count.update(joint.keys())
            agents = self.roster.agents
            inside = {n: a for n, a in joint.items() if agents[n].driver is None or a.skill in HERE}
        if inside:
            self.world.start(inside)

    def abroad(self) -> list[Agent]:
        """Agents that act under a driver of their own."""
        if not self.roster.drivers:
            return []
        return [a for a in self.roster if a.driver is not None and a.doing is not None and a.doing.skill not in HERE]

    def advance(self, until: float | None) -> list[Outcome]:
        """To the next end of an action, or the next moment at which drivers are asked."""
        acting = (a.driver is not None and a.doing is not None for a in self.roster)  # if only waiting
        if not self.roster.drivers or not (isinstance(self.world, RealWorld) or any(acting)):
            return self.world.advance(until)
        # As the driver that is asked most often, also while all wait.
        soon = self.world.now + min(float(getattr(d, "poll_s", POLL_S)) for d in self.roster.drivers.values())
        ended = self.world.advance(soon if until is None else min(soon, until))
        if not self.abroad() and not self.log.replaying:  # nobody else waits for the clock
            for driver in self.roster.drivers.values():
                if isinstance(driver, SensingDriver):
                    driver.keep_pace(self.world.now)
        for agent in self.abroad():
            outcome = self._poll(agent)
            if outcome is not None:
                ended.append(outcome)
        return ended

    def _poll(self, agent: Agent) -> Outcome | None:
        """Ask a driver, unless the log knows the answer. A resumed run starts what was under way when the log ends."""
        self.log.t = round(self.world.now, 6)
        self._catch_up()
        if self.log.replaying:
            self._take_sensed(agent.name, AT_END)
        recorded = self._recorded(agent)
        if recorded is not None:
            return self._ended(agent, recorded)
        if self.log.replaying:
            return None
        assert agent.driver is not None and agent.doing is not None
        if agent.running is None:
            self.log.flush()  # a process that takes over after a kill must know of everything that was begun
            action = agent.doing
            if isinstance(self.world, GuidingWorld):
                action = action._replace(facts=self.world.guide(agent.name, action))
            if isinstance(agent.driver, NotingDriver):
                run = next(r.run for r in reversed(self._runs) if r.since <= agent.begun)
                agent.driver.act_for(run, self._count[agent.name])
            agent.running = agent.driver.start(agent.name, action, agent.began)
        said = agent.running.poll(self.world.now)
        if said is None:
            return None
        self._take_sensed(agent.name, AT_END)
        return self._ended(agent, _told(said))

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
        if agent.driver is None or agent.doing.skill in HERE:
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
