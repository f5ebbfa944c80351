"""A world whose truth is a table of facts: clock, judgement, effects, messages and snapshots are here.

A subclass says what there is at the start, what follows from what, and what a robot sees. Skills are data: when an
action ends, its conditions are read against the truth of that moment, and if they hold its effects become true. Worlds
of geometry or physics, where more than that happens, stand on the interface itself (`coterie.core.world`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from coterie.core.action import COMMUNICATE, WAIT, Action, Cause, Message, Outcome, Verdict
from coterie.core.card import Card
from coterie.core.causes import PRESENT, called_off
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.event import Event
from coterie.core.expr import Lookup, fl
from coterie.core.facts import Belief, Fact, stamped
from coterie.core.judge import Flaw, flaw_of
from coterie.core.skill import Clause, Param, Rule, Skill, fill, outcome_of
from coterie.core.task import Change, Goal, Progress, Task
from coterie.core.wire import carry_record, pack, unpack
from coterie.core.world import Observation

Key = tuple[str, ...]  # a predicate and its arguments
CHANGES = ("goal", "join", "leave")


#: Skills that most worlds have, to be put beside a world's own.
TALKING = Skill(
    COMMUNICATE,
    (Param("content", "text"), Param("recipients", "robots")),
    help="send a message to one teammate, to several, or to all",
    when=(Clause(fl("hearers", "?robot", "?recipients"), "nobody named {recipients} is there to hear it."),),
    duration_s=0.5,
    says="{robot} sent the message.",
)
WAITING = Skill(WAIT, (), help="do nothing for a second", says="{robot} waited.")


class Underway(NamedTuple):
    action: Action
    begun: float
    due: float
    early: bool = False  # it could not have been done from the beginning


carry_record(Underway, "underway")


class Acting:
    """Robots that begin and end actions, come and go, whatever the truth of their world is made of."""

    free_check = False
    now: float
    goal: Goal
    cards: dict[str, Card]
    underway: dict[str, Any]  # by robot: a record with its `action` and when it has `begun`

    def _flaw(self, robot: str, action: Action) -> Flaw | None:
        """Why an action cannot be done now."""
        raise NotImplementedError

    def _begun(self, robot: str, action: Action) -> Any:
        """The record of an action that begins now."""
        raise NotImplementedError

    def _enter(self, robot: str, card: Card, data: Mapping[str, Any]) -> None:
        """A robot comes in, as a change `join` says."""
        raise NotImplementedError

    def _leave(self, robot: str) -> Mapping[str, Any]:
        """A robot vanishes; what the log tells of that besides its name."""
        raise NotImplementedError

    def robots(self) -> Mapping[str, Card]:
        return self.cards

    def map(self) -> Mapping[Key, object]:
        """Return the static facts that all robots know."""
        return {}

    def listings(self) -> Mapping[str, str]:
        """Predicates that enumerate all that is at a place (see `Belief`)."""
        return {}

    def check(self, joint: Mapping[str, Action]) -> Mapping[str, Verdict]:
        """Each action by itself, on the truth of now."""
        return {robot: self._verdict(robot, action) for robot, action in joint.items()}

    def _verdict(self, robot: str, action: Action) -> Verdict:
        if robot not in self.cards:
            return Verdict(False, f"'{robot}' is not here.", Cause(PRESENT, ("robots", (), tuple(self.cards))))
        flaw = self._flaw(robot, action)
        return Verdict(True) if flaw is None else Verdict(False, *flaw)

    def start(self, joint: Mapping[str, Action]) -> None:
        for robot in joint:
            if robot not in self.cards:
                raise unknown_name("robot", robot, self.cards)
            if robot in self.underway:
                raise CoterieError(f"{robot} is still busy with {self.underway[robot].action}.")
        for robot, action in joint.items():
            self.underway[robot] = self._begun(robot, action)

    def cancel(self, robot: str) -> Outcome | None:
        if robot not in self.underway:
            return None
        action, begun, *_ = self.underway.pop(robot)
        return Outcome(robot, action, "cancelled", "it was stopped.", begun, self.now - begun, cause=called_off(robot))

    def apply(self, change: Change) -> list[Event]:
        data, more = dict(change.data), []
        if change.kind == "goal":
            self.goal = data["goal"]
        elif change.kind == "leave":
            if data["robot"] not in self.cards:
                raise unknown_name("robot", data["robot"], self.cards)
            data |= self._leave(data["robot"])
        elif change.kind == "join":
            self._join(data["robot"], data["card"], data)
            about = {"card": data["card"], "party": data.get("party", "")}
            more = [Event(-1, 0, self.now, "join", data["robot"], about)]
        else:
            raise unknown_name("kind of change", change.kind, CHANGES)
        return [Event(-1, 0, self.now, "change", change.source, {"kind": change.kind, **data}), *more]

    def _join(self, name: str, card: Card, data: Mapping[str, Any]) -> None:
        if name in self.cards:
            raise CoterieError(f"There is already a robot named '{name}'; let the newcomer have another name.")
        self._enter(name, card, data)


class FactWorld(Acting):
    """Override `begin`, `enter`, `sees` and `start_data`; `derive`, `leave`, `took` and `map` where there is a need.

    Facts know no metres: a world over which a radio is to have a range adds `distance(a, b)` (`core.world.Placed`).
    """

    skills: Mapping[str, Skill] = {}

    def __init__(self, task: Task):
        self.goal = task.goal
        self.rules: tuple[Rule, ...] = task.rules
        self.now = 0.0
        self.cards = {}
        self.truth: dict[Key, Any] = {}
        self.underway: dict[str, Any] = {}
        self.news: dict[Key, None] = {}  # what has become true since it was last asked for
        self._seen: dict[Key, tuple[str, tuple[str, ...], Any]] = {}  # what was looked at since anything happened
        self.look = self._over(self.get)
        self.begin(task)
        for name, card in task.robots:
            self._join(name, card, {})
        self.news.clear()

    # -- what a world says ----------------------------------------------------------------------------------------
    def begin(self, task: Task) -> None:
        """Set what is true before anybody is there."""

    def enter(self, robot: str) -> None:
        """Set what is true of a robot that comes in: where it is, what it holds. Such facts vanish with it."""

    def leave(self, robot: str) -> None:
        """A robot is about to vanish: what it leaves behind."""

    def sees(self, robot: str) -> Iterator[Key]:
        """Return the facts that a robot perceives now. It always perceives its goal."""
        yield from (key for key in self.truth if key[1:] == (robot,))

    def derive(self, get: Callable[..., Any], pred: str, *args: Any) -> object:
        """The value of a fluent, from the facts that `get` gives: the truth, or a belief, which may say UNKNOWN."""
        return get(pred, *args)

    def took(self, robot: str, skill: Skill) -> float:
        """How long a robot needs [s]."""
        return skill.duration_s

    def start_data(self) -> dict[str, Any]:
        """Return the `scene` and the `things` for the first line of the log."""
        return {"robots": {n: {"card": c, "at": self.truth.get(("at", n))} for n, c in self.cards.items()}}

    def set(self, key: Key, value: Any) -> None:
        """Something becomes true."""
        self.truth[key] = value
        self.news[key] = None
        self._seen.clear()

    def get(self, pred: str, *args: Any) -> object:
        """A fact of the truth; None where there is none. What is at a place follows from where everything is."""
        if pred == "hearers":
            return self._hearers(*args)
        listed = self.listings().get(pred)
        if listed is None:
            return self.truth.get((pred, *args))
        return tuple(key[1] for key, value in self.truth.items() if key[0] == listed and (value,) == args)

    # -- looking --------------------------------------------------------------------------------------------------
    def _over(self, get: Callable[..., Any]) -> Lookup:
        return lambda pred, *args: self.derive(get, pred, *args)

    def lookup(self, belief: Belief) -> Lookup:
        return self._over(belief.value)

    def skill(self, name: str) -> Skill | None:
        return self.skills.get(name)

    def observe(self, robot: str) -> Observation:
        seen = self._seen
        rows = [seen.get(k) or seen.setdefault(k, (k[0], k[1:], self.look(*k))) for k in self.sees(robot)]
        facts = [Fact(*row, self.now, robot) for row in rows]
        facts += [fact._replace(time=self.now) for fact in self.goal.facts()]
        return Observation(robot, self.now, tuple(facts), tuple(n for n in self.cards if n != robot))

    # -- acting ---------------------------------------------------------------------------------------------------
    def _begun(self, robot: str, action: Action) -> Any:
        skill = self.skills.get(action.skill)
        took = self.took(robot, skill) if skill is not None else 1.0
        return Underway(action, self.now, self.now + took, self._flaw(robot, action) is not None)

    def advance(self, until: float | None = None) -> list[Outcome]:
        self._seen.clear()
        robot = min(self.underway, key=lambda r: (self.underway[r].due, r), default=None)
        if robot is None or (until is not None and self.underway[robot].due > until):
            self.now = self.now if until is None else max(self.now, until)
            return []
        ended = self.underway.pop(robot)
        self.now = ended.due
        return [self._ended(robot, ended)]

    def _ended(self, robot: str, ended: Any) -> Outcome:
        action, begun, took, flaw = ended.action, ended.begun, self.now - ended.begun, self._flaw(robot, ended.action)
        if flaw is not None:
            cause = flaw.cause.at("before" if ended.early else "after")
            return Outcome(robot, action, "failed", flaw.words, begun, took, cause=cause)
        skill = self.skills[action.skill]
        bound = skill.bind(robot, action.args) or {}
        for key, value in outcome_of(skill, bound, self.look).items():
            self.set(key, value)
        says, message = fill(skill.says, bound, self.look), None
        if skill.name == COMMUNICATE:
            facts = stamped(action.facts, self.now)
            message = Message(robot, self._hearers(robot, action.args[1]), action.args[0], facts, self.now)
        return Outcome(robot, action, "done", says, begun, took, message=message)

    def _flaw(self, robot: str, action: Action) -> Flaw | None:
        able = self.cards[robot].skills
        return flaw_of(robot, able, action, self.skills.get(action.skill), self.look, self.rules)

    def _hearers(self, robot: str, recipients: str | tuple[str, ...]) -> tuple[str, ...]:
        wanted = (recipients,) if isinstance(recipients, str) else recipients
        return tuple(n for n in self.cards if n != robot and ("all" in wanted or n in wanted))

    # -- coming and going -----------------------------------------------------------------------------------------
    def _enter(self, robot: str, card: Card, data: Mapping[str, Any]) -> None:
        self.cards[robot] = card
        self.enter(robot)

    def _leave(self, robot: str) -> Mapping[str, Any]:
        self.leave(robot)
        self.underway.pop(robot, None)
        del self.cards[robot]
        for key in [key for key in self.truth if key[1:] == (robot,)]:
            del self.truth[key]
        self._seen.clear()
        return {}

    # -- judging, logging, taking back ----------------------------------------------------------------------------
    def progress(self) -> Progress:
        return self.goal.progress(self.look)

    def trace(self) -> list[list[Any]]:
        changed = [[key[0], list(key[1:]), self.truth[key]] for key in self.news if key in self.truth]
        self.news.clear()
        return changed

    def snapshot(self) -> bytes:
        return pack((self.goal, self.rules, self.now, self.cards, self.truth, self.underway, self.news))

    def restore(self, data: bytes) -> None:
        self.goal, self.rules, self.now, self.cards, self.truth, self.underway, self.news = unpack(data)
        self._seen.clear()
