"""One episode: changes, observation, decision, guard rails, action, outcome, record.

`episode` is a generator of model requests, so that many episodes can share one model; `run` drives one with a model.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from coterie.core.action import WAIT, Action, Message, Outcome, Verdict
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.event import Event
from coterie.core.facts import Belief, Fact
from coterie.core.protocol import Ask, Decision, Option, Party, Reply, RobotView, TeamProtocol, TeamView
from coterie.core.seeds import seed_of
from coterie.core.task import Change, Progress, Task
from coterie.core.world import World
from coterie.log.file import Log

Guard = Callable[[RobotView, Action], Verdict]
Asking = Generator[list[Ask], Sequence[Reply], Any]


@dataclass(frozen=True)
class Settings:
    """How an episode is run. Thinking costs declared simulated time, never wall time."""

    seed: int = 0
    synchronous: bool = True  # a barrier: all robots act, then all decide again
    guard: Guard | None = None  # refuses, before execution and at no cost, what a robot knows to be impossible
    think_call_s: float = 0.0
    think_token_s: float = 0.0
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
) -> Result:
    """Run one episode with a model; `watch` is called after every step."""
    steps = episode(world, task, parties, log, settings or Settings(), watch)
    replies: Sequence[Reply] = ()
    try:
        asks = next(steps)
        while True:
            replies = answer(asks)
            asks = steps.send(replies)
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
) -> Generator[list[Ask], Sequence[Reply], Result]:
    """One episode, read aloud."""
    e = Episode(world, task, parties, log, settings)
    e.begin()
    while not e.over():
        e.apply_changes()
        e.observe()
        decided = yield from e.decide()
        e.start(decided)
        e.hear(e.advance())
        e.record()
        if watch is not None:
            watch(e)
    return e.end()


class Episode:
    """A running episode: who is in it, what each believes, what is under way."""

    def __init__(self, world: World, task: Task, parties: Sequence[Party], log: Log, settings: Settings):
        self.world, self.task, self.log, self.settings = world, task, log, settings
        self.parties = list(parties)
        self.views: dict[str, RobotView] = {}
        self.party_of: dict[str, Party] = {}
        self.minds: dict[str, TeamProtocol] = {}  # robot name (sees own) or "party:NAME" -> instance
        self.recalls: dict[str, TeamProtocol] = {}  # party name -> what is asked first
        self.options: dict[str, Option] = {}
        self.acting: dict[str, tuple[Action, int]] = {}  # robot -> action under way, and the event that started it
        self.thinking: list[tuple[float, int, str, Action]] = []  # (start time, order, robot, action)
        self.pending = list(task.changes)
        self.fired: list[Change] = []
        self.step = 0
        self._logged: dict[str, int] = {}  # belief cursor up to which facts are in the log
        self._order = 0
        self._think: dict[str, float] = {}
        self._asked: dict[tuple[str, str, int, int], int] = {}
        self._read: dict[str, int] = {}  # how many messages of its inbox a robot had when it last decided
        self._status: Progress | None = None
        self._first_state = b""

    # -- the roster -----------------------------------------------------------------------------------------------
    def begin(self) -> None:
        self._sync_roster({})
        self._stamp()
        progress = self.world.progress()
        self._status = progress
        self.log.add("status", data={"done": progress.done, "partial": progress.partial, "text": progress.text})
        if any(p.first is not None for p in self.parties):
            self._first_state = self.world.snapshot()  # a plan that failed may have to be begun again

    def _sync_roster(self, new_party: Mapping[str, str]) -> None:
        online = self.world.robots()
        for name in [n for n in self.views if n not in online]:
            del self.views[name]
            self.options.pop(name, None)
            self.acting.pop(name, None)
            self.minds.pop(name, None)
        self.thinking = [item for item in self.thinking if item[2] in online]
        heapq.heapify(self.thinking)
        for name, card in online.items():
            if name in self.views:
                continue
            party = self._find_party(name, new_party.get(name))
            belief = Belief(self.world.map(), self.world.listings())
            skills = {s: self.world.skill(s) for s in card.skills}
            self.views[name] = RobotView(
                name,
                card,
                belief,
                self.world.lookup(belief),
                rules=tuple(r for r in self.task.rules if r.public),
                skills=skills,
                step_limit=self.task.step_limit,
                seed=self.settings.seed,
            )
            self.party_of[name] = party
            self._logged[name] = 0
            mind = party.make()
            if mind.sees == "own":
                self.minds[name] = mind
            else:
                self.minds.setdefault(f"party:{party.name}", mind)

    def _find_party(self, name: str, wanted: str | None) -> Party:
        if wanted:
            named = {p.name: p for p in self.parties}
            if wanted not in named:
                raise unknown_name("party", wanted, named)
            return named[wanted]
        return next((p for p in self.parties if name in p.robots), self.parties[0])

    def mind(self, robot: str) -> TeamProtocol:
        return self.minds.get(robot) or self.minds[f"party:{self.party_of[robot].name}"]

    def _stamp(self) -> None:
        self.log.step, self.log.t = self.step, round(self.world.now, 6)

    # -- one step -------------------------------------------------------------------------------------------------
    def over(self) -> bool:
        if self._status is not None and self._status.lost:
            return True
        progress_done = self._status is not None and self._status.done
        if progress_done and not any(self._reachable(c) for c in self.pending):
            return True
        if self.task.step_limit is not None and self.step >= self.task.step_limit:
            return True
        return self.task.time_limit_s is not None and self.world.now >= self.task.time_limit_s - 1e-9

    def _reachable(self, change: Change) -> bool:
        """Will this change still come within the limits? No episode ends before one that will."""
        at, task = change.at, self.task
        if at.step is not None:
            return task.step_limit is None or at.step < task.step_limit
        return at.time is not None and (task.time_limit_s is None or at.time < task.time_limit_s)

    def apply_changes(self) -> None:
        due = [c for c in self.pending if c.at.due(self.step, self.world.now)]
        if not due:
            return
        self._stamp()
        for change in due:
            self.pending.remove(change)
            self.inject(change)

    def inject(self, change: Change) -> None:
        """Apply a change now, whether it was scheduled, comes from a person, or is a fault."""
        events = self.world.apply(change)
        cause = -1
        for event in events:
            cause = self.log.add(event.kind, event.who, event.data, (cause,) if cause >= 0 else ())
        self._sync_roster({e.who: e.data.get("party", "") for e in events if e.kind == "join"})
        for event in events:
            if event.kind == "message":
                self._deliver(_message_of(event))
        self.fired.append(change)
        self._note_status()
        told = list(self.views) if "all" in change.told else [n for n in change.told if n in self.views]
        for mind in {id(m): m for m in map(self.mind, told)}.values():
            mind.told(change)

    def observe(self) -> None:
        self._stamp()
        for name, view in self.views.items():
            obs = self.world.observe(name)
            view.step, view.time = self.step, obs.time
            belief = view.belief
            for fact in obs.facts:
                belief.tell(fact)
            if obs.heartbeat != view.heartbeat:
                for other in view.heartbeat:
                    if other not in obs.heartbeat:
                        belief.tell(Fact("online", (other,), False, obs.time, name))
                for other in obs.heartbeat:
                    belief.tell(Fact("online", (other,), True, obs.time, name))
                view.heartbeat = obs.heartbeat
            new = belief.since(self._logged[name])
            if new:
                self._logged[name] = belief.cursor
                self.log.add("see", name, {"facts": [[f.pred, f.args, f.value, f.source] for f in new]})

    def decide(self) -> Generator[list[Ask], Sequence[Reply], dict[str, Action]]:
        """Every idle robot gets an action; options go on by themselves until they end or are interrupted."""
        waiting = {item[2] for item in self.thinking}
        free = [n for n in self.views if n not in self.acting and n not in waiting]
        self._think = dict.fromkeys(free, 0.0)
        joint: dict[str, Action] = {}
        idle = [n for n in free if not self._continue_option(n, joint)]
        first = True
        while idle:
            decisions = (yield from self._recall(idle)) if first else {}
            decisions.update((yield from self._ask_minds([n for n in idle if n not in decisions])))
            if first and any(r.pending for r in self.recalls.values()):
                decisions.update((yield from self._recall(idle)))  # a search that went on while the minds thought
            again = []
            for name in idle:
                decision = decisions.get(name, Action(WAIT, why="no decision"))
                refused = len(self.views[name].refusals)
                if isinstance(decision, Option):
                    self.options[name] = decision
                    self.log.add("option", name, {"name": decision.name, "state": "begun"})
                    inbox = self._take_inbox(name)
                    if self._continue_option(name, joint, again=first):
                        continue
                    if first and len(self.views[name].refusals) > refused:
                        self.views[name].inbox[:0] = inbox
                        again.append(name)
                    else:
                        joint[name] = Action(WAIT, why=f"{decision.name} ended at once")
                    continue
                if not isinstance(decision, Action):
                    raise CoterieError(f"The protocol returned {decision!r} for {name}; return an Action or an Option.")
                decision = _settled(decision)
                if self._refuses(name, decision, again=first) is None:
                    joint[name] = decision
                elif first:
                    again.append(name)  # with its messages: it decides anew
                    continue
                else:
                    joint[name] = Action(WAIT, why="refused twice")
                self._take_inbox(name)
            idle, first = again, False
        self._deliver_stage_talk()  # also what was said within options
        for view in self.views.values():
            view.refusals.clear()
        return {n: joint[n] for n in free}

    def _take_inbox(self, name: str) -> list[Message]:
        """The messages that a robot had when it decided; what came since stays for the next decision."""
        inbox, read = self.views[name].inbox, self._read.pop(name, 0)
        taken = inbox[:read]
        del inbox[:read]
        return taken

    def _refuses(self, name: str, action: Action, again: bool) -> str | None:
        """Why guard rails refuse an action, if they do."""
        view = self.views[name]
        verdict = self.settings.guard(view, action) if self.settings.guard else None
        if verdict is None or verdict.ok is not False:
            return None
        told: dict[str, Any] = {"action": _json(action), "reason": verdict.reason, "again": again}
        if verdict.cause is not None:
            told["cause"] = verdict.cause
        self.log.add("refused", name, told)
        view.outcome = Outcome(name, action, "refused", verdict.reason, self.world.now, cause=verdict.cause)
        view.refusals.append((action, verdict.reason))
        return verdict.reason

    def _continue_option(self, name: str, joint: dict[str, Action], again: bool = True) -> bool:
        option = self.options.get(name)
        if option is None:
            return False
        view = self.views[name]
        why = option.interrupted(view)
        action = None if why is not None else option.step(view)
        if action is not None:
            action = _settled(action)
            why = self._refuses(name, action, again)
        if action is None or why is not None:
            del self.options[name]
            self.log.add("option", name, {"name": option.name, "state": "interrupted" if why else "ended", "why": why})
            return False
        joint[name] = action
        return True

    def _recall(self, idle: Sequence[str]) -> Generator[list[Ask], Sequence[Reply], dict[str, Decision]]:
        """What solved tasks offer, party by party, before anybody thinks."""
        found: dict[str, Decision] = {}
        for party in self.parties:
            names = [n for n in idle if self.party_of[n] is party]
            if party.first is None or not names:
                continue
            if party.name not in self.recalls:
                self.recalls[party.name] = party.first()
            team = self._view_of(self._members(party))
            asking = self.recalls[party.name].decide(team, names)
            try:
                asks = next(asking)
                while True:
                    answers = yield from self._answer([self._seeded(a) for a in asks])
                    asks = asking.send(answers)
            except StopIteration as end:
                found.update({n: d for n, d in (end.value or {}).items() if n in names})
            for note in team.notes:
                self.log.add("memo", data=dict(note))
                if note.get("restart"):
                    self._restart(team.robots)
                if note.get("words"):
                    facts = tuple(Fact(p, tuple(a), v, self.world.now, "memo") for p, a, v in note.get("facts", ()))
                    self._deliver(Message("memo", tuple(names), str(note["words"]), facts, self.world.now, via="stage"))
        return found

    def _restart(self, robots: Mapping[str, RobotView]) -> None:
        """Everything is as it was at first, but later: what robots see now is newer than what they saw before."""
        now = self.world.now
        self.world.restore(self._first_state)
        self.world.advance(now)
        self.world.trace()  # the first picture is in the log already
        for view in robots.values():
            view.outcome = None  # whoever starts from scratch knows nothing of it
        self.observe()

    def _ask_minds(self, idle: Sequence[str]) -> Generator[list[Ask], Sequence[Reply], dict[str, Decision]]:
        """Run the generators of all minds in lock step, answering their requests together."""
        groups: dict[str, list[str]] = {}
        for name in idle:
            key = name if name in self.minds else f"party:{self.party_of[name].name}"
            groups.setdefault(key, []).append(name)
        running: dict[str, tuple[Any, list[str]]] = {}
        for key, names in groups.items():
            running[key] = (self.minds[key].decide(self._team_view(key, names), names), names)
        decisions: dict[str, Decision] = {}
        replies: dict[str, list[Reply] | None] = dict.fromkeys(running)
        while running:
            batch: list[tuple[str, Ask]] = []
            for key in list(running):
                generator, names = running[key]
                try:
                    answer = replies[key]
                    asks = next(generator) if answer is None else generator.send(answer)
                except StopIteration as end:
                    decisions.update({n: d for n, d in (end.value or {}).items() if n in names})
                    del running[key]
                    for n in names:
                        self._read[n] = len(self.views[n].inbox)
                    continue
                batch.extend((key, self._seeded(a)) for a in asks)
                replies[key] = []
            self._deliver_stage_talk()
            answers = yield from self._answer([a for _, a in batch])
            for (key, ask), reply in zip(batch, answers):
                if key in running:
                    replies[key].append(reply)  # type: ignore[union-attr]
                    cost = self.settings.think_call_s + self.settings.think_token_s * reply.tokens_out
                    payers = [ask.robot] if ask.robot in self._think else running[key][1]
                    for n in payers:  # a request in nobody's name holds up all it is made for
                        self._think[n] += cost
        return decisions

    def _seeded(self, ask: Ask) -> Ask:
        """A seed from who asks, when and how often; asynchronous robots may ask several times within one step."""
        key = (ask.robot, ask.stage, ask.step, ask.attempt)
        again = self._asked.get(key, 0)
        self._asked[key] = again + 1
        return ask._replace(seed=seed_of(self.settings.seed, *key, *([again] if again else [])))

    def _team_view(self, key: str, names: Sequence[str]) -> TeamView:
        if key in self.views:
            robots: Mapping[str, RobotView] = {key: self.views[key]}
        else:
            robots = self._members(self.party_of[names[0]])
        return self._view_of(robots, truth=self.minds[key].sees == "truth")

    def _members(self, party: Party) -> dict[str, RobotView]:
        return {n: v for n, v in self.views.items() if self.party_of[n] is party}

    def _view_of(self, robots: Mapping[str, RobotView], truth: bool = False) -> TeamView:
        checker = self.world.check if self.world.free_check else None
        return TeamView(
            robots,
            self.step,
            self.world.now,
            self.task if truth else None,
            self.world if truth else None,
            checker,
            self.world.lookup,
        )

    def _answer(self, asks: list[Ask]) -> Generator[list[Ask], Sequence[Reply], list[Reply]]:
        if not asks:
            return []
        causes = []
        for ask in asks:
            data = {"stage": ask.stage, "attempt": ask.attempt, "prompt": ask.prompt, "seed": ask.seed}
            causes.append(self.log.add("ask", ask.robot, data))
        replies: list[Reply] = []
        while len(replies) < len(asks):  # a resumed run answers itself as far as its log goes
            recorded = self.log.recorded_reply()
            if recorded is None:
                break
            replies.append(Reply(**recorded))
            self._log_reply(asks[len(replies) - 1], replies[-1], causes[len(replies) - 1])
        if len(replies) < len(asks):
            rest = asks[len(replies) :]
            fresh = yield rest
            if len(fresh) != len(rest):
                raise CoterieError(f"The model gave {len(fresh)} replies to {len(rest)} requests.")
            for ask, reply in zip(rest, fresh):
                self._log_reply(ask, reply, causes[len(replies)])
                replies.append(reply)
            self.log.flush()
        return replies

    def _log_reply(self, ask: Ask, reply: Reply, cause: int) -> None:
        self.log.add("reply", ask.robot, reply._asdict(), (cause,))

    def start(self, joint: Mapping[str, Action]) -> None:
        """Hand actions to the world, after the time their thinking took."""
        now = self.world.now
        if self.settings.synchronous:
            delay = max(self._think.values(), default=0.0)
            if delay > 0:
                self.world.advance(now + delay)
            self._launch(joint)
            return
        ready: dict[str, Action] = {}
        for name, action in joint.items():
            if self._think[name] > 0:
                self._order += 1
                heapq.heappush(self.thinking, (now + self._think[name], self._order, name, action))
            else:
                ready[name] = action
        self._launch(ready)

    def _launch(self, joint: Mapping[str, Action]) -> None:
        if not joint:
            return
        self._stamp()
        for name, action in joint.items():
            self.acting[name] = (action, self.log.add("act", name, _json(action)))
        self.world.start(joint)

    def advance(self) -> list[Outcome]:
        """Synchronous: until every robot is done. Asynchronous: to the next end, start, change or limit."""
        if self.settings.synchronous and not self.acting:
            self.world.advance(self._next_time(default=self.world.now + 1.0))  # nobody is here; time passes
            return []
        if self.settings.synchronous:
            outcomes: list[Outcome] = []
            while len(outcomes) < len(self.acting):
                ended = self.world.advance(None)
                if not ended:
                    break
                outcomes.extend(ended)
            return outcomes
        idle_s = None if self.acting or self.thinking else self.world.now + 1.0
        ended = self.world.advance(self._next_time(default=idle_s))
        ready: dict[str, Action] = {}
        while self.thinking and self.thinking[0][0] <= self.world.now + 1e-9:
            _, _, name, action = heapq.heappop(self.thinking)
            ready[name] = action
        self.hear(ended)
        self._launch(ready)
        return []

    def _next_time(self, default: float | None) -> float | None:
        """The next moment at which something is due besides the end of an action."""
        times = [c.at.time for c in self.pending if c.at.time is not None]
        if self.thinking:
            times.append(self.thinking[0][0])
        if self.task.time_limit_s is not None:
            times.append(self.task.time_limit_s)
        if not self.settings.synchronous:  # there, steps are spans of time
            steps = [c.at.step for c in self.pending if c.at.step is not None]
            steps += [self.task.step_limit] if self.task.step_limit is not None else []
            times += [step * self.settings.step_s for step in steps]
        return min((t for t in times if t > self.world.now + 1e-9), default=default)

    def hear(self, outcomes: Sequence[Outcome]) -> None:
        self._stamp()
        for o in outcomes:
            _, cause = self.acting.pop(o.robot, (None, -1))
            data: dict[str, Any] = {
                "action": str(o.action),
                "status": o.status,
                "reason": o.reason,
                "took": round(o.duration, 3),
            }
            if o.cause is not None:
                data["cause"] = o.cause
            seq = self.log.add("outcome", o.robot, data, (cause,))
            view = self.views.get(o.robot)
            if view is not None:
                view.outcome = o
                view.belief.tell_all(o.facts)
            if o.message is not None:
                self._log_message("message", o.message, (seq,))
                self._deliver(o.message)

    def _log_message(self, kind: str, m: Message, causes: tuple[int, ...] = ()) -> None:
        facts = [[f.pred, f.args, f.value, f.time] for f in m.facts]
        self.log.add(kind, m.sender, {"to": m.to, "text": m.text, "facts": facts}, causes)

    def _deliver(self, message: Message) -> None:
        to = [n for n in self.views if n != message.sender] if "all" in message.to else message.to
        for name in to:
            view = self.views.get(name)
            if view is not None and name != message.sender:
                view.inbox.append(message)
                view.belief.tell_all(f._replace(source=message.sender) for f in message.facts)

    def _deliver_stage_talk(self) -> None:
        for view in self.views.values():
            if view.outbox:
                for message in view.outbox:
                    self._log_message("say", message)
                    self._deliver(message)
                view.outbox.clear()

    def record(self) -> None:
        """Close the step: what is now true, for pictures and replay, and how far the task has come."""
        trace = self.world.trace()
        if trace:
            self.log.add("truth", data={"facts": trace})
        if self.settings.synchronous:
            self.step += 1
        else:
            self.step = int((self.world.now + 1e-9) / self.settings.step_s)
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
        elif self.task.step_limit is not None and self.step >= self.task.step_limit:
            status = "step limit"
        else:
            status = "time limit"
        if not self.settings.synchronous:  # a step that was begun counts
            self.step = math.ceil(self.world.now / self.settings.step_s - 1e-9)
        result = Result(progress.done, progress.partial, self.step, round(self.world.now, 6), status)
        self._stamp()
        self.log.add("end", data={**result._asdict(), "unfired": [c.kind for c in self.pending]})
        self.log.finish()
        return result


def _json(action: Action) -> dict[str, Any]:
    data: dict[str, Any] = {"skill": action.skill, "args": action.args}
    if action.why:
        data["why"] = action.why
    if action.path:
        data["path"] = action.path
    if action.motion is not None:
        data["motion"] = action.motion
    return data


def _settled(action: Action) -> Action:
    """Arguments become part of facts: lists from a parser become tuples, tables their text."""
    frozen = tuple(_frozen(a) for a in action.args)
    return action if frozen == action.args else action._replace(args=frozen)


def _frozen(arg: Any) -> Any:
    if isinstance(arg, (list, tuple)):
        return tuple(_frozen(a) for a in arg)
    return str(arg) if isinstance(arg, dict) else arg


def _message_of(event: Event) -> Message:
    facts = tuple(Fact(p, tuple(a), v, event.t, event.who) for p, a, v, _ in event.data.get("facts", ()))
    return Message(event.who, tuple(event.data["to"]), event.data["text"], facts, event.t, via="stage")
