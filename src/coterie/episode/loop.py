"""One episode: changes, observation, decision, guard rails, action, outcome, record.

`episode` is a generator of model requests, so that many episodes can share one model; `run` drives one with a model.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, NamedTuple, cast

from coterie.core.action import PERSON, STAGE, Action, Message, Outcome
from coterie.core.causes import called_off, stopped
from coterie.core.errors import CoterieError, ReplayMismatch, unknown_name
from coterie.core.facts import Fact
from coterie.core.frozen import frozen
from coterie.core.protocol import Ask, Party, Reply, RobotView, TeamProtocol
from coterie.core.task import Change, Progress, Task
from coterie.core.world import ACCIDENT, Driver, RealWorld, Standing, World
from coterie.episode.agent import Agent, Side, did_in_brief, seen_in_brief
from coterie.episode.clock import Clock
from coterie.episode.deciding import Asked, Asking, Deciding, Guard, as_json
from coterie.episode.driving import Bell, Driving
from coterie.episode.inputs import (
    AT_START,
    BELL,
    DRIVEN,
    LATE,
    REFUSED,
    Came,
    Cancellation,
    Input,
    Inputs,
    Sensed,
    Stood,
    Stop,
    Utterance,
    to_json,
    who,
)
from coterie.episode.post import Post
from coterie.episode.radio import Radio, check_heartbeat, felt, known
from coterie.episode.roster import Roster
from coterie.log.file import Log

HELD_S = 0.05  # on the clock, between two looks at robots that are stopped or out of contact


@frozen
class Settings:
    """How an episode is run. Thinking costs declared simulated time, never wall time."""

    seed: int = 0
    synchronous: bool = True  # a barrier: all robots act, then all decide again
    guard: Guard | None = None  # refuses, before execution and at no cost, what a robot knows to be impossible
    think_call_s: float = 0.0
    think_token_s: float = 0.0
    radio: Radio | None = None  # one that fails; None: everything that is said is heard
    heartbeat_m: float = math.inf  # how far robots feel that others are alive; 0: they do not (see `pulse`)
    step_s: float = 6.0  # asynchronous only: simulated time that counts as one step of limits and triggers


class Result(NamedTuple):
    success: bool
    partial: float
    steps: int
    time_s: float
    status: str  # "done", "lost", "step limit", "time limit"


def run(
    world: World,
    task: Task,
    parties: Sequence[Party],
    log: Log,
    answer: Callable[[Sequence[Ask]], Sequence[Reply]],
    settings: Settings | None = None,
    watch: Callable[[Episode], None] | None = None,
    inputs: Inputs | None = None,
    drivers: Mapping[str, Driver] | None = None,
    bell: Bell | None = None,
) -> Result:
    """Run one episode with a model; `watch` is called after every step, `inputs` come in from outside."""
    steps = episode(world, task, parties, log, settings or Settings(), watch, inputs, drivers, bell)
    try:
        asks = next(steps)
        while True:
            asks = steps.send(answer(asks))
    except StopIteration as end:
        result: Result = end.value
        return result
    finally:
        log.flush()


def episode(
    world: World,
    task: Task,
    parties: Sequence[Party],
    log: Log,
    settings: Settings,
    watch: Callable[[Episode], None] | None = None,
    inputs: Inputs | None = None,
    drivers: Mapping[str, Driver] | None = None,
    bell: Bell | None = None,
) -> Generator[list[Ask], Sequence[Reply], Result]:
    """One episode, read aloud."""
    e = Episode(world, task, parties, log, settings, inputs, drivers, bell)
    e.begin()
    while not e.over():
        e.apply_changes()
        yield from e.look()
        e.observe()
        decided = yield from e.decide()
        e.start(decided)
        yield from e.interrupt()
        e.hear(e.advance())
        e.record()
        if watch is not None:
            watch(e)
    return e.end()


class Episode:
    """A running episode: who is in it, what each believes, what is under way."""

    def __init__(
        self,
        world: World,
        task: Task,
        parties: Sequence[Party],
        log: Log,
        settings: Settings,
        inputs: Inputs | None = None,
        drivers: Mapping[str, Driver] | None = None,
        bell: Bell | None = None,
    ):
        check_heartbeat(settings.heartbeat_m, world)
        self.world, self.task, self.log, self.settings = world, task, log, settings
        self.inputs = inputs or Inputs()
        self.clock = Clock(task, settings.synchronous, settings.step_s)
        sure = settings.radio is None or settings.radio.sure
        self.roster = Roster(world, task, parties, settings.seed, drivers, sure)
        self.post = Post(self.roster, log, world, settings.radio, settings.seed)
        self.driving = Driving(world, self.roster, log, bell, drivers)
        asking, costs = Asking(log, settings.seed), (settings.think_call_s, settings.think_token_s)
        self.deciding = Deciding(
            world, self.roster, self.post, asking, log, settings.guard, costs, lambda side, why: self._rewind(side, why)
        )
        self.small = bool(getattr(world, "brief", False))  # steps are many and small: what is seen is told in brief,
        self.brief = self.small and settings.synchronous  # and what is done, where all steps end together
        self._trace: list[list[Any]] = []  # what has become true in this step and is not in the log yet
        self._order = 0
        self._stamped = (math.nan, 0.0)  # a moment, and how the log writes it
        self._status: Progress | None = None
        self._first_state = b""

    @property
    def step(self) -> int:
        return self.clock.step

    @property
    def views(self) -> dict[str, RobotView]:
        return {a.name: a.view for a in self.roster}

    def mind(self, robot: str) -> TeamProtocol:
        """The mind whose protocol decides for a robot."""
        return self.roster.agents[robot].side.protocol.mind(robot)

    # -- from outside ---------------------------------------------------------------------------------------------
    def inject(self, change: Change) -> None:
        """Let something happen, as a person or a fault would; it is taken in before the next decision."""
        self.inputs.put(change)

    def say(self, person: str, text: str, to: Sequence[str] = ("all",)) -> None:
        """Words of a person, which robots hear also while they act."""
        if person in self.roster.side_of:
            raise CoterieError(f"'{person}' is a robot; nobody else speaks in its name.")
        self.inputs.put(Utterance(person, text, tuple(to)))

    def cancel(self, robot: str, by: str = "person") -> None:
        """A robot is to stop what it does, and decide anew."""
        if robot not in self.roster.side_of:
            raise unknown_name("robot", robot, self.roster.agents)
        self.inputs.put(Cancellation(robot, by))

    def stop(self, by: str, robots: Sequence[str] = ("all",), on: bool = True) -> None:
        """Robots are to stand still until they are released. (Drivers in other processes are stopped directly:
        `coterie.link.stopping`; the episode then hears of it.)"""
        for robot in robots:
            if robot != "all" and robot not in self.roster.side_of:
                raise unknown_name("robot", robot, self.roster.agents)
        self.inputs.put(Stop(by, tuple(robots), on))

    def take_inputs(self) -> None:
        """Take in what has come from outside since; the log keeps it, and gives it back to a run that is resumed."""
        self._stamp()
        for news in self.driving.news():
            self.inputs.put(news)
        for side, mind in self.roster.shared() if not self.log.replaying else ():
            for what in mind.arrived():
                self.inputs.put(Came(side.name, what))
        self._take_words()

    def _take_words(self, when: str = "") -> bool:
        """Take in all that waits, if anything does; the log keeps `when`, so that a resumed run takes it there."""
        some = False
        while (item := self.inputs.take(self.log, when)) is not None:
            some = True
            seq = self.log.add("input", who(item), to_json(item, when))
            before = self.world.snapshot() if isinstance(item, Change) else b""
            try:
                self._take_in(item)
            except CoterieError as err:  # what was asked for cannot be: that is said, and nothing else happens
                if isinstance(err, ReplayMismatch) or not isinstance(item, Change):
                    raise
                self.world.restore(before)
                self.roster.sync({})
                self.log.add("input", who(item), {"kind": REFUSED, "reason": str(err)}, (seq,))
            self.log.flush()
        return some

    def _take_in(self, item: Input) -> None:
        if isinstance(item, Change):
            self._apply(item)
            if item.data.get(DRIVEN):
                self.driving.admit(str(item.data["robot"]))
        elif isinstance(item, Utterance):
            words = Message(item.person, item.to, item.text, (), self.world.now, via=PERSON)
            self.post.deliver(words)
            if not self.roster.agents:
                self.deciding.unheard.append(words)
        elif isinstance(item, Cancellation):
            agent = self.roster.agents.get(item.robot)
            if agent is not None:
                self._stop(agent)
        elif isinstance(item, Stood):
            agent = self.roster.agents.get(item.robot)
            if agent is not None:  # what it did ends in its driver's own words
                agent.stand(Standing(item.there, item.stopped, item.why))
                if agent.held:
                    self._forget_plans(agent)
        elif isinstance(item, Sensed):
            cast(RealWorld, self.world).sense(item.robot, item.sight)
            self._note_status()
        elif isinstance(item, Stop):
            self._stand_still(item)
        elif isinstance(item, Came):
            for side, mind in self.roster.shared():
                if side.name == item.party:
                    mind.came(item.what, self.world.now)

    def _stand_still(self, item: Stop) -> None:
        """Stop robots, or release them."""
        if "all" in item.names:
            self.roster.stopped = item.by if item.on else ""
        if item.via == BELL:
            self.roster.rung = item.by if item.on else ""
        for agent in [a for a in self.roster if "all" in item.names or a.name in item.names]:
            agent.stand(stopped=item.by if item.on else "")
            if item.on:
                self._forget_plans(agent)
                outcome = self.driving.cancel(agent)
                if outcome is not None and not outcome.ok:
                    words = f"{agent.name} was stopped by {item.by}."
                    outcome = outcome._replace(reason=words, cause=stopped(agent.name, item.by))
                self.hear([] if outcome is None else [outcome])

    def _stop(self, agent: Agent) -> None:
        """End what a robot does or is about to do; it is idle then."""
        self._forget_plans(agent)
        outcome = self.driving.cancel(agent)
        if outcome is not None:
            self.hear([outcome])

    def _forget_plans(self, agent: Agent) -> None:
        """Drop the action that a robot was about to begin."""
        planned, agent.option, agent.planned = agent.planned, None, None
        if planned is not None:
            self._called_off(agent, planned)

    def _called_off(self, agent: Agent, action: Action) -> None:
        """Its mind counts on an action that was decided and never begun: it must not take the end of an earlier or a
        later one for its end."""
        by = agent.stopped or agent.standing.stopped
        words = f"{agent.name} was stopped by {by}." if by else "The action was cancelled."
        cause = stopped(agent.name, by) if by else called_off(agent.name)
        agent.view.outcome = Outcome(agent.name, action, "cancelled", words, self.world.now, cause=cause)

    # -- the beginning --------------------------------------------------------------------------------------------
    def begin(self) -> None:
        self.roster.sync({})
        self._stamp()
        self.driving.begin()
        self._status = progress = self.world.progress()
        self.log.add("status", data={"done": progress.done, "partial": progress.partial, "text": progress.text})
        if any(s.before for s in self.roster.sides):
            self._first_state = self.world.snapshot()  # a plan that failed may have to be begun again

    def _rewind(self, side: Side, why: str) -> None:
        """Everything is as it was at first, but later: what robots see now is newer than what they saw before."""
        now = self.world.now
        self.log.add("rewind", side.name, {"why": why})
        getattr(self.world, "begin_again", self.world.restore)(self._first_state)
        self.world.advance(now)
        self.world.trace()  # the first picture is in the log already
        self.post.forget()
        for view in self.roster.members(side).values():
            view.outcome = None  # a robot that starts from scratch knows nothing of it
        self.observe()

    def _stamp(self) -> None:
        now = self.world.now
        if now != self._stamped[0]:
            self._stamped = now, round(now, 6)
        self.log.step, self.log.t = self.clock.step, self._stamped[1]

    # -- one step -------------------------------------------------------------------------------------------------
    def over(self) -> bool:
        self.take_inputs()
        return self.settled or self.clock.out_of_steps() or self.clock.out_of_time(self.world.now)

    @property
    def settled(self) -> bool:
        """True if the goal is lost, or reached and nothing more is to come."""
        status = self._status
        return status is not None and (status.lost or (status.done and not self.clock.awaits()))

    def apply_changes(self) -> None:
        for change in self.clock.due(self.world.now):
            self._stamp()
            self._apply(change)

    def _apply(self, change: Change) -> None:
        """Apply a change now, whether it was scheduled, comes from a person, or is a fault."""
        events = self.world.apply(change)
        cause = -1
        for event in events:
            cause = self.log.add(event.kind, event.who, event.data, (cause,) if cause >= 0 else ())
        self.roster.sync({e.who: e.data.get("party", "") for e in events if e.kind == "join"})
        for event in events:
            if event.kind == "message" and event.who not in self.roster.side_of:  # nobody speaks in a robot's name
                rows = event.data.get("facts", ())
                facts = tuple(Fact(p, tuple(a), v, event.t, event.who) for p, a, v, _ in rows)
                self.post.deliver(
                    Message(event.who, tuple(event.data["to"]), event.data["text"], facts, event.t, STAGE)
                )
        self._note_status()
        told = [a for a in self.roster if "all" in change.told or a.name in change.told]
        minds = [a.side.protocol.mind(a.name) for a in told]
        for mind in {id(m): m for m in minds}.values():
            mind.told(change)

    def look(self) -> Asked:
        """Where a model says what robots see, it is asked before they look."""
        looks = getattr(self.world, "looks", None)
        if looks is None:
            return
        self._stamp()
        resting = self.roster.resting
        awake = [a.name for a in self.roster if a.standing.there and a.name not in resting]
        asking = self.deciding.asking
        asks = [asking.seeded(ask) for ask in looks(awake, self.clock.step)]
        if asks:
            judged = self.world.looked(asks, (yield from asking.answer(asks)))  # type: ignore[attr-defined]
            for name, outcome in (judged or {}).items():  # as its robot hears of it; the log has what is true
                self.roster.agents[name].view.outcome = outcome

    def observe(self) -> None:
        self._stamp()
        self.post.again()
        step, observe = self.clock.step, self.world.observe
        away = [a.name for a in self.roster.agents.values() if not a.standing.there]
        resting = self.roster.resting
        parties, full = len(self.roster.sides) > 1, self.settings.heartbeat_m == math.inf
        for name, agent in self.roster.agents.items():
            if name in away or name in resting:  # of those away nothing is known; those at rest look at nothing
                continue
            view = agent.view
            obs = observe(name)
            view.step, view.time, view.now = step, obs.time, obs
            belief = view.belief
            belief.tell_all(obs.facts)
            for fact in obs.gone:
                belief.deny(fact)
            if obs.area is not None:
                belief.area.tell(obs.area)
            heartbeat = obs.heartbeat
            if away:
                heartbeat = tuple(n for n in heartbeat if n not in away)
            if parties:
                heartbeat = self.roster.teammates(agent, heartbeat)
            if not full:
                view.pulse = felt(self.settings.heartbeat_m, self.world, name, heartbeat)
                heartbeat = known(view.heartbeat, heartbeat)
            if heartbeat != view.heartbeat:
                for other in view.heartbeat:
                    if other not in heartbeat:
                        belief.tell(Fact("online", (other,), False, obs.time, name))
                for other in heartbeat:
                    belief.tell(Fact("online", (other,), True, obs.time, name))
                view.heartbeat = heartbeat
            if self.small:
                news = seen_in_brief(agent)
                if news:
                    (self.log.hold if self.brief else self.log.add)("see", name, news)
                continue
            if len(belief.history) > agent.logged:
                new = belief.since(agent.logged)
                agent.logged = belief.cursor
                self.log.add("see", name, {"facts": [[pred, args, value, by] for pred, args, value, _, by in new]})

    def decide(self) -> Generator[list[Ask], Sequence[Reply], dict[str, Action]]:
        return (yield from self.deciding.decide(self.clock.step))

    def start(self, joint: Mapping[str, Action]) -> None:
        """Hand actions over, after the time their thinking took."""
        now, agents = self.world.now, self.roster.agents
        bell = self.driving.stopped_now()
        if bell:  # while minds thought
            self.take_inputs()
        if bell or self._take_words(AT_START):
            for name in [n for n in joint if agents[n].held]:
                self._called_off(agents[name], joint[name])
            joint = {name: action for name, action in joint.items() if not agents[name].held}
        if self.settings.synchronous:
            delay = max((agents[n].think_s for n in joint), default=0.0)
            if delay > 0:
                self.world.advance(now + delay)
            self._launch(joint)
            return
        ready: dict[str, Action] = {}
        for name, action in joint.items():
            agent = agents[name]
            if agent.think_s > 0:
                self._order += 1
                agent.planned, agent.ready, agent.order = action, now + agent.think_s, self._order
            else:
                ready[name] = action
        self._launch(ready)

    def _launch(self, joint: Mapping[str, Action]) -> None:
        if not joint:
            return
        self._stamp()
        for name, action in joint.items():
            agent = self.roster.agents[name]
            agent.planned, agent.doing, agent.running = None, action, None
            agent.began = self.world.now
            if not self.brief or agent.driver is not None:
                agent.begun = self.log.add("act", name, as_json(action))
        self.driving.start(joint)

    def interrupt(self) -> Asked:
        """Robots that act hear, too: where they do not wait for each other, their minds may let them stop."""
        if self.settings.synchronous:
            return
        self.take_inputs()  # what was said while minds thought: a stop comes before the first move
        while True:
            instead = yield from self.deciding.between(self.clock.step)
            for name in instead:
                self._stop(self.roster.agents[name])
            self._launch(instead)
            if not self._take_words(LATE):  # and so does one that was said while they thought about that
                return

    def advance(self) -> list[Outcome]:
        """Synchronous: until every robot is done. Asynchronous: to the next end, start, change or limit."""
        clock, now = time.monotonic(), self.world.now
        self.log.show()
        ended = self._advance_together() if self.settings.synchronous else self._advance_freely()
        if self.roster.someone_held and not self.log.replaying:
            self._keep_time(clock + self.world.now - now)
        return ended

    def _keep_time(self, until: float) -> None:
        """While a robot is stopped or out of contact simulated time does not run ahead of the clock: people who have to
        release or repair it live by the clock. Input from outside ends the wait."""
        while time.monotonic() < until and not self.inputs.waiting and not self.driving.has_news():
            self.inputs.wait(min(HELD_S, until - time.monotonic()))

    def _soon(self, until: float | None) -> float | None:
        """Return a moment not far ahead, for when no robot acts because of a stop."""
        return until if until is None or not self.roster.someone_held else min(until, self.world.now + 1.0)

    def _advance_together(self) -> list[Outcome]:
        acting = len([a for a in self.roster if a.doing is not None])
        if not acting:
            until = self.clock.next(self.world.now, default=self.world.now + 1.0)
            self.world.advance(self._soon(until))  # nobody is here
        ended: list[Outcome] = []
        while self.driving.abroad():  # drivers take their own time, in which people may step in
            self.log.show()
            self.hear(self.driving.advance(None))
            self.take_inputs()
            acting = sum(a.doing is not None for a in self.roster)
        while len(ended) < acting:
            some = self.world.advance(None)
            if not some:
                break
            ended.extend(some)
        return ended

    def _advance_freely(self) -> list[Outcome]:
        thinking = [a for a in self.roster if a.planned is not None]
        nobody = not thinking and all(a.doing is None for a in self.roster)
        due = [*(a.ready for a in thinking), *(m.wakes for _, m in self.roster.shared() if m.wakes < math.inf)]
        until = self.clock.next(self.world.now, due, default=self.world.now + 1.0 if nobody else None)
        if nobody and until is not None and self.deciding.speaks_alone():
            until = min(until, self.world.now + 1.0)  # people may have something to say to a mind without robots
        ended = self.driving.advance(self._soon(until) if nobody else until)
        able = [a for a in self.roster if a.planned is not None and a.ready <= self.world.now + 1e-9]
        ready = {a.name: a.planned for a in sorted(able, key=lambda a: (a.ready, a.order)) if a.planned is not None}
        self.hear(ended)
        self._launch(ready)
        return []

    def hear(self, outcomes: Sequence[Outcome]) -> None:
        self._stamp()
        if self.brief:
            self._trace += self.world.trace()
        for o in outcomes:
            agent = self.roster.agents.get(o.robot)
            cause = -1
            if agent is not None:
                cause, agent.begun, agent.doing, agent.running = agent.begun, -1, None, None
                if cause < 0 and self.brief:
                    if o.ok and o.message is None:
                        self.log.add("did", o.robot, did_in_brief(agent, o, self._trace, self.log.held(o.robot)))
                        continue
                    cause = self.log.add("act", o.robot, as_json(o.action))
            data: dict[str, Any] = {
                "action": str(o.action),
                "status": o.status,
                "reason": o.reason,
                "took": round(o.duration, 3),
            }
            if o.cause is not None:
                data["cause"] = o.cause
            seq = self.log.add("outcome", o.robot, data, (cause,))
            if agent is not None:
                agent.view.outcome = o
                if o.facts:
                    agent.view.belief.tell_all(o.facts)
            if o.message is not None:
                self.post.send("message", o.message, (seq,))

    def record(self) -> None:
        """Close the step: what is now true, for pictures and replay, and how far the task has come."""
        trace, self._trace = [*self._trace, *self.world.trace()], []
        if trace:
            self.log.add("truth", data={"facts": trace})
        for words in (value for pred, _, value in trace if pred == ACCIDENT):
            self.log.add("change", data={"kind": "news", "text": words})
        held = self.roster.someone_held and all(a.held for a in self.roster)
        if not (self.settings.synchronous and held):
            self.clock.tick(self.world.now)  # a team that was stopped takes no step
        self._stamp()
        self._note_status()
        self.log.flush()

    def _note_status(self) -> None:
        progress = self.world.progress()
        if progress != self._status:
            self._status = progress
            self.log.add("status", data={"done": progress.done, "partial": progress.partial, "text": progress.text})

    def end(self) -> Result:
        progress = self.world.progress()
        if progress.done:
            status = "done"
        elif progress.lost:
            status = "lost"
        elif self.clock.out_of_steps():
            status = "step limit"
        else:
            status = "time limit"
        if not self.settings.synchronous:  # a step that was begun counts
            self.clock.step = math.ceil(self.world.now / self.settings.step_s - 1e-9)
        result = Result(progress.done, progress.partial, self.step, round(self.world.now, 6), status)
        self._stamp()
        self.log.release()
        self.log.add("end", data={**result._asdict(), "unfired": [c.kind for c in self.clock.pending]})
        self.log.finish()
        return result
