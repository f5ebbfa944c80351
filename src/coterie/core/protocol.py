"""How a set of robots decides together: the only thing a new idea has to write.

A protocol is a generator: it yields requests to a model (a list, possibly empty), is resumed with the replies, and
returns what each idle robot does. It never calls a model itself; the runner answers the requests of all robots and all
episodes together, records them and replays them.

`sees` is enforced by the loop:

- `"own"`: one instance and one generator per robot; `team.robots` holds that robot alone. The generators run in lock
  step, and what a robot says with `me.say` reaches the others when they are next resumed, so `yield []` is a barrier at
  which talk arrives.
- `"pooled"`: one generator for the party, which sees the beliefs of all its robots.
- `"truth"`: the same, and `team.world` is the world itself. Upper bounds and search use it.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from coterie.core.action import WAIT, Action, Message, Outcome, Verdict
from coterie.core.bounds import MOST_INT, brief
from coterie.core.errors import CoterieError
from coterie.core.expr import Lookup
from coterie.core.facts import Belief, Fact, stamped
from coterie.core.frozen import frozen
from coterie.core.judge import ruled_out
from coterie.core.kinds import Able, Kind
from coterie.core.language import Language, language_of
from coterie.core.registry import Registry
from coterie.core.skill import Rule, Skill
from coterie.core.task import Change, Task
from coterie.core.world import Observation, World

Sees = Literal["own", "pooled", "truth"]
Prompt = tuple[tuple[str, str], ...]  # (role, text) pairs


class Ask(NamedTuple):
    """One request to a model. Its seed is a hash of the run's seed, robot, stage, step and attempt."""

    robot: str
    stage: str
    step: int
    attempt: int
    prompt: Prompt
    choices: Any = None  # a grammar, a JSON schema or a list of strings the reply is held to
    seed: int = 0


class Reply(NamedTuple):
    """The reply of a model; `error` says why there is no text."""

    text: str
    tokens_in: int = 0
    tokens_out: int = 0
    error: str = ""
    served: str = ""  # which model it was, where a server says so


def sound_reply(found: object) -> Reply:
    """Return the reply of a model; complain where it is none, or holds values that none has."""
    if not isinstance(found, Reply):
        raise CoterieError(f"A model gave {brief(found)}, which is no Reply.")
    for name, value in found._asdict().items():
        counts = name in ("tokens_in", "tokens_out")
        good = type(value) is int and 0 <= value < MOST_INT if counts else isinstance(value, str)
        if not good:
            kind = "a number of tokens" if counts else "a text"
            raise CoterieError(f"A reply of a model has {brief(value)} as its `{name}`, which has to be {kind}.")
    return found


@dataclass
class RobotView:
    """A robot as its own mind sees it."""

    name: str
    card: Any
    belief: Belief
    look: Lookup  # the belief, and the fluents that follow from it
    rules: tuple[Rule, ...] = ()  # public ones
    skills: Mapping[str, Any] = field(default_factory=dict)  # name -> Skill, those on the card
    step: int = 0
    time: float = 0.0
    step_limit: int | None = None
    seed: int = 0  # the run's; for protocols that sample
    inbox: list[Message] = field(default_factory=list)  # new since this robot last decided
    outcome: Outcome | None = None  # of its last action
    heartbeat: tuple[str, ...] = ()  # teammates: those alive, or where the heartbeat is not full all it knows of
    pulse: tuple[str, ...] | None = None  # those of them that it knows to be alive at this moment; None: all
    now: Observation | None = None  # what it perceives at this moment; its belief has taken that in
    refusals: list[tuple[Action, str]] = field(default_factory=list)  # by guard rails, at this decision
    outbox: list[Message] = field(default_factory=list)
    sure: bool = True  # all that is said on its radio is heard at once: no range, no loss, no delay

    @property
    def language(self) -> Language:
        """How this robot's actions are written and read."""
        return language_of(self.skills)

    def legal(self, numbers: int = 3) -> list[Action]:
        """Return the actions that this robot may try now: those it does not know to be impossible."""
        return legal_actions(self, numbers)

    def say(self, text: str, to: Sequence[str] = ("all",), facts: Sequence[Fact] = ()) -> None:
        """Talk inside a decision; heard when the others are next resumed. It costs no step and is logged.

        Facts without a time are news of this moment; older news never overwrites what a hearer saw later.
        """
        self.outbox.append(Message(self.name, tuple(to), text, stamped(facts, self.time), self.time, via="stage"))


class Option(ABC):
    """A decision that runs over many low-level actions and may be interrupted."""

    name: str = "option"

    @abstractmethod
    def step(self, me: RobotView) -> Action | None:
        """The next action, or None when the option has come to its end."""

    def interrupted(self, me: RobotView) -> str | None:
        """Words for why the option should stop now, or None to go on."""
        return None


Decision = Action | Option
Asking = Generator[list[Ask], Sequence[Reply], Mapping[str, Decision]]


@dataclass
class TeamView:
    """The view of a party that a protocol has when it decides."""

    robots: Mapping[str, RobotView]
    step: int
    time: float
    task: Task | None = None  # only for protocols that see the truth
    world: World | None = None  # likewise
    checker: Callable[[Mapping[str, Action]], Mapping[str, Verdict]] | None = None
    lookup: Callable[[Belief], Lookup] | None = None  # for beliefs that a party pools
    notes: list[Mapping[str, Any]] = field(default_factory=list)  # for the log; `words` among them reach the robots
    can_rewind: bool = False  # whether everything may be taken back to the beginning: where no other party is
    rewound: str = ""  # why it is to be

    @property
    def me(self) -> RobotView:
        if len(self.robots) != 1:
            raise CoterieError("`team.me` exists only for protocols that see one robot (sees = 'own').")
        return next(iter(self.robots.values()))

    def rewind(self, why: str) -> None:
        """Let the world begin again when this decision is made; time goes on, and the log says so."""
        if not self.can_rewind:
            raise CoterieError("Another party is here, for which nothing may be taken back.")
        self.rewound = why

    def check(self, joint: Mapping[str, Action]) -> Mapping[str, Verdict]:
        """Ask the world, for free, what a joint action would do; only where the world offers that."""
        if self.checker is None:
            raise CoterieError("This world gives no free check of joint actions; act and read the outcome.")
        return self.checker(joint)


class TeamProtocol(ABC):
    """Base class of all protocols."""

    sees: Sees = "own"
    about: str = ""  # one line for `coterie list protocols`
    goals: frozenset[str] = frozenset()  # the kinds of goals that it can work towards; none named: any
    body: str = ""  # of a newcomer that it decides for; none named: whichever is drawn
    prompts: str = ""  # the folder of its prompt templates, where it has some
    replies: Mapping[str, int] = {}  # the most tokens of a reply at each stage at which it asks a model
    long_replies: Mapping[str, int] = {}  # the same with `full` prompts, for which a model may think aloud
    stages: Mapping[str, str] = {}  # what each of those stages is for, in a word or two
    together: tuple[str, ...] = ()  # stages at which all robots are asked at once; at others one after the other
    pending: bool = False  # of what is asked before a protocol: it wants to be asked again after it
    ruled: bool = False  # a rule mind answers what it asks, and may read the tables of the world; no model may
    thinks: bool = True  # its requests cost the time that thinking takes
    wakes: float = math.inf  # when it wants to be asked `between`, whether anything new has reached its robots or not

    @abstractmethod
    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        """Yield model requests; return an action or option for every idle robot."""

    def between(self, team: TeamView, busy: Sequence[str]) -> Asking:
        """Asked while robots act, when something new has reached them and they act without waiting for each other.

        Return an action for a robot that is to stop what it does and do that instead; nothing for those that go on.
        """
        return {}
        yield []  # makes this a generator

    def hear(self, me: RobotView, new: Sequence[Message]) -> None:  # noqa: B027 - most read their inbox when they decide
        """Words have reached a robot while it or another one decides. It may answer with
        `me.say`, which is heard before the next barrier is over; what it does is not decided here.

        Each message is handed over once. It is for minds that see their own robot alone (`sees = "own"`).
        """

    def alone(self, time: float, said: Sequence[Message]) -> Sequence[Mapping[str, Any]]:
        """Every robot of the party is gone, so nobody asks it to decide: notes for the log of what it makes of that,
        and of what people have said since. It is for minds that decide for all robots of a party."""
        return ()

    def arrived(self) -> Sequence[str]:
        """The names of what it waited for outside of the episode and is there. The log keeps that it came, and when;
        `came` is told then, also in a run that is resumed. It is for minds that decide for all robots of a party."""
        return ()

    def came(self, what: str, time: float) -> None:  # noqa: B027 - most protocols wait for nothing outside
        """Take in what `arrived` named."""

    def told(self, change: Change) -> None:  # noqa: B027 - most protocols learn of changes through beliefs
        """A change that this party was told of in words."""


class SoloProtocol(TeamProtocol):
    """For minds without a model: one method from a robot's own view to its next action."""

    sees = "own"

    @abstractmethod
    def act(self, me: RobotView) -> Decision: ...

    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        me = team.me
        decision = self.act(me)
        if decision is None:
            raise CoterieError(
                f"{type(self).__name__}.act returned nothing for {me.name}; return an Action or an Option."
            )
        return {me.name: decision}
        yield []  # makes this a generator


Mind = Callable[[], TeamProtocol]


@frozen
class Party:
    """A protocol over some robots. An episode has one or more: a team, a stranger, people.

    What decides is a chain: those of `before` are asked first, in their order (a memo of solved tasks), and the
    protocol decides for the robots for which they returned nothing. Parties share nothing but what they say
    to each other.
    """

    name: str
    make: Mind
    robots: tuple[str, ...]
    before: tuple[Mind, ...] = ()


#: Ways to decide, by name. Tags: the worlds a protocol is for (without one, any world), and "model" or "no-model"
#: where its `replies` do not tell whether it asks a model.
protocols: Registry[Callable[[], TeamProtocol]] = Registry("protocol")


def asks_model(name: str) -> bool:
    """Whether a protocol asks a model: its tags say so, or else the stages that it declares in `replies`."""
    tags = protocols.tags(name)
    return "model" in tags or ("no-model" not in tags and bool(protocols.get(name)().replies))


def stage_words(name: str, stage: str) -> str:
    """Describe what a stage of a protocol is for; empty where the protocol is unknown or does not say."""
    try:
        return protocols.get(name)().stages.get(stage, "") if name in protocols else ""
    except CoterieError:  # it lacks what it needs to decide
        return ""


# -- actions that may be tried now ------------------------------------------------------------------------------------
# The actions that a robot may try now: all calls of its skills that it does not know to be impossible.
Args = tuple[Any, ...]


def legal_actions(me: Able, numbers: int = 3) -> list[Action]:
    """Every action that guard rails would not refuse, skill by skill; `numbers` values of a distance are offered.

    Free words stand as an empty text, to be filled in, and go to all. Waiting is always possible.
    """
    found = []
    for name, skill in me.skills.items():
        calls = [args for args in _calls(me, skill, numbers) if not args or any(a != 0.0 for a in args)]
        found += [Action(name, args) for args, no in zip(calls, ruled_out(me, skill, calls)) if not no]
    return found if WAIT in me.skills else [*found, Action(WAIT)]


def _calls(me: Able, skill: Skill, numbers: int, before: Args = ()) -> Iterator[Args]:
    if len(before) == len(skill.params):
        yield before
        return
    param = skill.params[len(before)]
    if pred := skill.stated(param):
        value = me.look(pred, me.name)
        values: Sequence[Any] = (value,) if isinstance(value, str) else ()
    else:
        values = _values(me, language_of(me.skills).kind(param.kind), numbers, before)
    for value in values:
        yield from _calls(me, skill, numbers, (*before, value))


def _values(me: Able, kind: Kind, numbers: int, before: Args) -> Sequence[Any]:
    if kind.span is not None:
        low, high = kind.span
        return [round(low + (high - low) * i / max(1, numbers - 1), 3) for i in range(numbers)]
    if kind.quoted:
        return ("",)
    if kind.many:
        return (("all",),)
    return list(dict.fromkeys(kind.tried(me, before) if kind.tried is not None else kind.names(me)))
