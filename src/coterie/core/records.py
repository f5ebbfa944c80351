"""Typed records of the events of a log, one class for each kind.

    act = ActEvent.from_event(event)            # from a file or from memory
    act.skill, act.args, act.why
    log.add("act", "Bob", ActEvent("pick", ("cup",)).data())

The line on disk is what `data()` gives. `raw` is the data as it stood in the log: keys that are not known here are kept
in it and written again, and kinds that are not known here stay plain events. A key with a default may be missing; a
line that lacks one without is damaged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from types import MappingProxyType
from typing import Any, Self

from coterie.core.action import Cause
from coterie.core.event import Event
from coterie.core.frozen import frozen
from coterie.core.record import Raw, Record, Rows, read, tuples
from coterie.core.record import made as _made

_NONE: Any = MappingProxyType({})  # shared by all lines that lack a table


@frozen
class StartEvent(Record):
    """the configuration, the goal, and what the world says of itself: robots with their cards, scene, things"""

    WHO = ""
    SPARSE = frozenset({"robots", "scene", "platforms", "things"})

    version: str = ""
    world: str = ""
    task: str = ""
    config: Raw = field(default_factory=dict)
    sees: str = "own"
    prompts: str = ""
    goal: Raw = field(default_factory=dict)
    goal_text: str = ""
    limit: int | None = None
    about: Raw = field(default_factory=dict)
    rules: Sequence[Raw] = ()
    robots: Mapping[str, Raw] = field(default_factory=dict)
    scene: Raw = field(default_factory=dict)
    platforms: Rows = ()
    things: Rows = ()


@frozen
class StatusEvent(Record):
    """the status line that every robot reads; written when it changes"""

    WHO = ""

    done: bool
    partial: float
    text: str


Groups = Mapping[str, Mapping[str, Any]]  # facts about one name each: predicate -> name -> value


@frozen
class SeeEvent(Record):
    """what is new in the belief of a robot, as rows of pred, args, value, source, or by predicate and name

    The second, with the `area` that is new to it, is how worlds of many small steps write it.
    """

    SPARSE = frozenset({"facts", "saw", "told", "area"})

    facts: Rows = ()
    saw: Groups = field(default_factory=dict)
    told: Mapping[str, Groups] = field(default_factory=dict)  # by source
    area: str = ""  # a `core.area.Patch` as text

    @classmethod
    def from_event(cls, event: Event) -> Self:
        return cls.of(event.data)

    @classmethod
    def of(cls, data: Raw) -> Self:
        """From the data of a line, which say one thing at least."""
        if not data.keys() & cls.SPARSE:
            raise KeyError("facts")
        brief = {"saw": data.get("saw", _NONE), "told": data.get("told", _NONE), "area": data.get("area", "")}
        return _made(cls, {"facts": data.get("facts", ()), **brief, "raw": data})

    def rows(self, robot: str) -> Rows:
        """All facts as rows, however they are written; `robot` is who saw them."""
        if not (self.saw or self.told):
            return self.facts
        groups = [(robot, self.saw), *self.told.items()]
        brief = [(p, (n,), v, who) for who, group in groups for p, named in group.items() for n, v in named.items()]
        return [*self.facts, *brief]


@frozen
class AskEvent(Record):
    """the exact request to a model"""

    stage: str
    attempt: int = 0
    prompt: Sequence[Sequence[str]] = ()  # (role, text)
    seed: int = 0


@frozen
class ReplyEvent(Record):
    """the exact reply; its cause is the request"""

    text: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    error: str = ""


@frozen
class OptionEvent(Record):
    """a decision over many actions has begun, ended or been interrupted"""

    SPARSE = frozenset({"why"})

    name: str
    state: str
    why: str | None = ""


@frozen
class RefusedEvent(Record):
    """an action that guard rails stopped, and why; `again`: the robot decides once more"""

    SPARSE = frozenset({"cause"})

    action: Raw  # as in `act`
    reason: str
    again: bool = False
    cause: Cause | None = None

    @property
    def skill(self) -> str:
        return str(self.action["skill"])

    @property
    def args(self) -> tuple[Any, ...]:
        return tuples(self.action["args"])


@frozen
class ActEvent(Record):
    """an action begins; `path` and `motion` are advice to an arm; `origin`: memo, unread or not asked"""

    SPARSE = frozenset({"why", "path", "motion", "origin"})

    skill: str
    args: tuple[Any, ...]
    why: str = ""
    path: Rows = ()
    motion: Any = None
    origin: str = ""


@frozen
class OutcomeEvent(Record):
    """an action has ended: done, failed, rewound or cancelled, after `took` simulated seconds; its cause is the act"""

    SPARSE = frozenset({"cause"})

    action: str
    status: str
    reason: str
    took: float = 0.0
    cause: Cause | None = None


@frozen
class DidEvent(Record):
    """an action begun and done, in worlds of many small steps: what it changed of the robot, and what that saw before

    `now` is true, and what the robot noticed; `see` is what was new to it when it decided.
    """

    SPARSE = frozenset({"args", "why", "origin", "now", "see"})

    skill: str
    args: tuple[Any, ...] = ()
    why: str = ""
    origin: str = ""
    now: Raw = field(default_factory=dict)  # predicate -> value
    see: Raw = field(default_factory=dict)

    @property
    def seen(self) -> SeeEvent | None:
        """Return what was new to the robot before it acted, if anything."""
        return SeeEvent.of(self.see) if self.see else None


@frozen
class MessageEvent(Record):
    """what a `communicate` said to whom, with facts as rows of pred, args, value, time; its cause is the outcome"""

    to: Sequence[str]
    text: str
    facts: Rows = ()


@frozen
class SayEvent(MessageEvent):
    """talk inside a decision, with facts as in a message"""


@frozen
class RadioEvent(Record):
    """the robots that did not hear a message at once, and why; or the one that heard it at last, after so many tries

    Its cause is the message. Without a radio that fails there are none of these.
    """

    SPARSE = frozenset({"missed", "twice", "heard", "tries"})

    missed: Mapping[str, Sequence[str]] = field(default_factory=dict)  # why -> who
    twice: Sequence[str] = ()  # who hears it two times
    heard: str = ""  # whose message came at last
    tries: int = 0


_NEEDED = {"goal": ("goal",), "zones": ("closed",), "join": ("robot",), "leave": ("robot",), "door": ("door", "open")}


@frozen
class ChangeEvent(Record):
    """something happens to the task; what else there is depends on the kind: goal, zones, join, leave, door, news

    `who` of the event is the source. `bites`: whether the best remaining plan broke.
    """

    WHO = "source"
    SPARSE = frozenset({"bites", "robot", "goal", "text", "closed", "opened", "card", "dropped", "door", "open"})

    kind: str
    bites: bool = False
    robot: str = ""
    goal: Raw = field(default_factory=dict)
    text: str = ""
    closed: Mapping[str, Sequence[str]] = field(default_factory=dict)
    card: Raw = field(default_factory=dict)
    dropped: str | None = None
    door: str = ""
    open: bool = False
    opened: Mapping[str, Sequence[str]] = field(default_factory=dict)  # zones that are free again

    @classmethod
    def from_event(cls, event: Event) -> Self:
        for name in _NEEDED.get(event.data["kind"], ()):
            if name not in event.data:
                raise KeyError(name)
        return super().from_event(event)


@frozen
class JoinEvent(Record):
    """a robot has come"""

    SPARSE = frozenset({"card"})

    card: Raw = field(default_factory=dict)
    party: str = ""


@frozen
class LeaveEvent(Record):
    """a robot has gone, in worlds that write no `change` for it"""

    dropped: str | None = None


@frozen
class TruthEvent(Record):
    """what became true in the step, as rows of pred, args, value"""

    WHO = ""

    facts: Rows


@frozen
class MemoEvent(Record):
    """what a memo of solved tasks found, or how using one of them failed; `words` reach the robots"""

    WHO = ""
    SPARSE = frozenset({"found", "why", "episode", "prior", "failed", "reason", "words", "text"})

    found: bool = False
    why: str = ""
    episode: str = ""
    prior: bool = False
    failed: int | None = None  # the round of the remembered plan that went wrong
    reason: str = ""
    words: str = ""
    text: str = ""


@frozen
class MissionEvent(Record):
    """what a mission decided or told people: goal, plan, failure, proposal, tell and so on; the rest depends on that"""

    WHO = ""

    what: str


@frozen
class InputEvent(Record):
    """what came from outside, by its kind: change, utterance, cancel, stop; of drivers: driven, standing, ended

    `driven`: robots that are driven elsewhere, and the name of the run by which their drivers know it; `standing`: one
    of them can or cannot be reached, or was stopped; `ended`: how an action came to its end.
    """

    WHO = "source"
    SPARSE = frozenset(
        {"change", "source", "told", "awaited", "person", "text", "to", "robot", "by", "status", "reason"}
        | {"cause", "facts", "there", "stopped", "why", "names", "on", "via", "run"}
    )

    kind: str
    change: str = ""  # its kind; its data stand under `data` in `raw`
    source: str = ""
    told: Sequence[str] = ()
    awaited: bool = True
    person: str = ""
    text: str = ""
    to: Sequence[str] = ()
    robot: str = ""
    by: str = ""
    status: str = ""
    reason: str = ""
    cause: Cause | None = None
    facts: Rows = ()  # that a robot found out, as rows of pred, args, value, time, source
    there: bool = True
    stopped: str = ""  # by whom
    why: str = ""
    names: Sequence[str] = ()
    on: bool = True  # stopped, or released
    via: str = ""
    run: str = ""


@frozen
class RewindEvent(Record):
    """everything is as it was at first, but later, because a party wants to begin again"""

    WHO = "party"

    why: str = ""


@frozen
class EndEvent(Record):
    """how the episode ended: done, lost, step limit or time limit, and the kinds of the changes that never came"""

    WHO = ""

    success: bool
    partial: float
    steps: int
    time_s: float = 0.0
    status: str = ""
    unfired: Sequence[str] = ()


#: Every kind that Coterie writes, in the order in which a log is likely to hold them.
KINDS: dict[str, type[Record]] = {
    cls.__name__.removesuffix("Event").lower(): cls
    for cls in (
        StartEvent, StatusEvent, InputEvent, ChangeEvent, JoinEvent, LeaveEvent, SeeEvent, MemoEvent, RewindEvent,
        MissionEvent, SayEvent, AskEvent, ReplyEvent, OptionEvent, RefusedEvent, ActEvent, OutcomeEvent, DidEvent,
        MessageEvent, RadioEvent, TruthEvent, EndEvent,
    )
}  # fmt: skip


def typed(event: Event) -> Record | Event:
    """An event by name; one of a kind that is not known here stays as it is."""
    cls = KINDS.get(event.kind)
    return event if cls is None else read(cls, event)
