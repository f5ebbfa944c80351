"""Meanings of sentences as typed data. Sentences are read into them and made from them (`brief.py`, `wording.py`).

Names are those of the world. References to something said before stay as they are (`@it`, `@other table`); the
dialogue resolves them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields, is_dataclass
from typing import Any, ClassVar, TypeGuard

#: Kinds of what a person can want to be so, or say is so. `what` and `where` are names; see `Want` and `Claim`.
KIT, STOCK, DOOR, AT, HOLD, LOOK, TASK = "kit", "stock", "door", "at", "hold", "look", "task"
PUT, TAKE_OUT, GIVE, DROP, FOLLOW, CLEAR, TIDY = "put", "take", "give", "drop", "follow", "clear", "tidy"
HOME, CHARGE, MESSAGE, SAME = "home", "charge", "message", "@same"
JAMMED, EMPTY, SUPPLY, ABLE, PRESENT = "jammed", "empty", "supply", "able", "present"
HAZARD, LOW = "hazard", "low"  # something dangerous at a place; few of a thing are left
BROUGHT = "brought"  # so many of a thing were put somewhere by whoever says it, besides those that were there
CLOSED = "closed"  # a place, to the robot `what` or to all: only supposed; who wants it so closes a zone


@dataclass(frozen=True)
class Want:
    """Something to be brought about.

    kit: a `what` packed, and delivered at `where` if that is named; stock: `count` of `what` at `where`; door: `what`
    open (or shut, if not `holds`); at: the robot at `where`; hold: the robot with `what`, from `where`; look: `what`
    looked for at `where`; task: what was taught as `what`; put: `what` into `where`; take: `what` out of `where`; give:
    `what` handed to `where`; drop: `what` let go; follow: the person `what`; clear: nothing left on `where`; tidy:
    things in order at `where`; home, charge: the robot goes there; message: the person `what` is told what was said;
    @same: the want of the order before.
    """

    kind: str
    what: str = ""
    where: str = ""
    count: int = 1
    holds: bool = True
    source: str = ""  # where a thing is to come from: a place or a person
    definite: bool = field(default=False, compare=False)  # "the medkit": one that there is, and no new one
    more: bool = field(default=False, compare=False)  # "two more": besides those that are there


@dataclass(frozen=True)
class Claim:
    """Something that is so, or is not if not `holds`. A `count` of None: some."""

    kind: str
    what: str = ""
    where: str = ""
    count: int | None = None
    holds: bool = True
    more: bool = field(default=False, compare=False)  # "two more": besides those that were known to be there


class Meaning:
    """Base of everything that can be meant. `commands` says whether robots would move because of it; `negative` whether
    it says no to something, leaves something out, or waits for something."""

    commands: ClassVar[bool] = False

    @property
    def negative(self) -> bool:
        return any(not getattr(part, "holds", True) for part in parts_of(self))

    def to_json(self) -> dict[str, Any]:
        return {"means": type(self).__name__, **asdict(self)}  # type: ignore[call-overload]


def parts_of(x: object) -> Iterator[object]:
    """A meaning and everything in it, down to names and numbers."""
    yield x
    inner = x if isinstance(x, (tuple, list)) else ()
    if is_dataclass(x):
        inner = tuple(getattr(x, f.name) for f in fields(x))
    for part in inner:
        yield from parts_of(part)


@dataclass(frozen=True)
class Time:
    """When an order is due: `how` is at, by, within, after, every or daily; a `clock` as "14:30", or `minutes`."""

    how: str
    clock: str = ""
    minutes: int = 0


@dataclass(frozen=True)
class Order(Meaning):
    """Do something; by these robots if any are named; once something is so, if `when` says what."""

    commands = True
    wants: tuple[Want, ...]
    robots: tuple[str, ...] = ()
    when: tuple[Claim, ...] = ()
    urgent: bool = False
    without: tuple[str, ...] = ()  # robots that have no part in it, and things and places that are left out this once
    extra: tuple[tuple[str, int], ...] = ()  # things that go with it this once, with their amounts
    time: Time | None = None
    later: bool = False  # not now
    any_of: bool = False  # one of the wants is enough
    hedged: bool = False  # "maybe we should ..."

    @property
    def negative(self) -> bool:
        return super().negative or bool(self.without or self.when or self.later)


@dataclass(frozen=True)
class Tell(Meaning):
    claims: tuple[Claim, ...]
    hedged: bool = False  # "I think ..."


YES, NO = "yes", "no"


@dataclass(frozen=True)
class Ask(Meaning):
    about: str  # one of the asks of `forms.toml`, which say what can be asked
    what: str = ""
    where: str = ""
    robot: str = ""
    skill: str = ""
    claims: tuple[Claim, ...] = ()
    wants: tuple[Want, ...] = ()
    right: str = ""


@dataclass(frozen=True)
class Approve(Meaning):
    """Yes: to what was asked or proposed last. It moves robots only where a proposal waits."""

    what: str = ""


LATER = "later"
LEAVE = "leave"
LESSON = "lesson"


@dataclass(frozen=True)
class Refuse(Meaning):
    """No; `what` later: not now, and it may still be a yes; leave: nothing of it, "never mind"; lesson: no more of
    the lesson, and of nothing else."""

    negative = True
    what: str = ""


@dataclass(frozen=True)
class Stop(Meaning):
    """Stop at once, for anybody. No robots: all, but for those in `but`."""

    robots: tuple[str, ...] = ()
    but: tuple[str, ...] = ()


@dataclass(frozen=True)
class Steer(Meaning):
    """Change what happens to a goal: pause, resume, cancel (with `level` all: every goal; mine: the speaker's own),
    prioritise (with `level`: high, low, or before), keep (do not cancel it), retry, slow (more carefully); help is
    another plan for robots that are stuck."""

    commands = True
    negative = True
    how: str
    what: str = ""
    level: str = ""
    robots: tuple[str, ...] = ()
    where: str = ""  # the place that the goal is about
    but: tuple[str, ...] = ()  # robots that it is not about


def only_waits(meaning: object) -> TypeGuard[Steer]:
    """True if a person says "Wait!" and no more, to all or to some robots."""
    return (
        isinstance(meaning, Steer) and meaning.how == "pause" and not (meaning.what or meaning.where or meaning.level)
    )


def cancels_all(meaning: object) -> TypeGuard[Steer]:
    """True if a person says "Cancel everything.", and not only what is being asked."""
    return isinstance(meaning, Steer) and meaning.how == "cancel" and meaning.level == "all"


@dataclass(frozen=True)
class Teach(Meaning):
    """Begin to teach: a kit, a task (a goal state), a skill (steps), an object, or a policy; nothing: that is asked."""

    what: str
    label: str = ""


@dataclass(frozen=True)
class Alter(Meaning):
    """Change what a kit holds: `how` is add, remove, set, or swap (`item` goes, `other` comes)."""

    kit: str
    how: str
    item: str
    count: int = 1
    other: str = ""

    @property
    def negative(self) -> bool:
        return self.how in ("remove", "swap", "set")


@dataclass(frozen=True)
class Forget(Meaning):
    """Undo what was taught, or the last change if nothing is named."""

    label: str = ""


@dataclass(frozen=True)
class Policy(Meaning):
    """When something goes wrong, do this. `trigger` is a claim or a kind of failure; `then` is what to do."""

    trigger: tuple[Claim, ...]
    then: str  # ask, retry, bring, other robot, give up, wait, wants
    person: str = ""
    wants: tuple[Want, ...] = ()
    count: int = 0  # of retries; 0: as many as usual


@dataclass(frozen=True)
class Permit(Meaning):
    """Give a person a right, or take it away if not `holds`: command, teach, approve ... 0 `minutes`: for good."""

    person: str
    right: str
    holds: bool = True
    minutes: int = 0
    robot: str = ""  # for one robot alone


@dataclass(frozen=True)
class Zone(Meaning):
    """A place is closed for robots (all, if none are named), or open again if not `holds`. 0 `minutes`: for good."""

    negative = True
    where: str
    robots: tuple[str, ...] = ()
    holds: bool = True
    minutes: int = 0
    until: str = ""  # a clock time
    but: tuple[str, ...] = ()  # robots that it stays open for


@dataclass(frozen=True)
class Things(Meaning):
    """An answer that names things: "two painkillers and a bandage box"; of a kind that nobody knows, too."""

    items: tuple[tuple[str, int], ...]
    unknown: tuple[str, ...] = ()
    more: bool = field(default=False, compare=False)  # "three more gloves": besides those that were ordered


@dataclass(frozen=True)
class Somewhere(Meaning):
    """An answer that names a place or a person."""

    where: str


@dataclass(frozen=True)
class Nothing(Meaning):
    """An answer: that is all."""


@dataclass(frozen=True)
class Number(Meaning):
    """An answer or a correction: "no, two"."""

    count: int
    what: str = ""


@dataclass(frozen=True)
class Correct(Meaning):
    """Not what was understood, but this; `wrong` is the part of it that was named as wrong."""

    negative = True
    instead: Meaning
    wrong: str = ""


@dataclass(frozen=True)
class Show(Meaning):
    """An example of what something looks like: "this is one", "here it is"."""

    what: str = ""
    seen: tuple[tuple[str, str], ...] = field(default=(), compare=False)  # robots that may see it, and on what


@dataclass(frozen=True)
class Greet(Meaning):
    """Hello, thanks, goodbye, no worries, unstopped (nothing needs to stop): answered and forgotten."""

    how: str = "hello"


@dataclass(frozen=True)
class Repeat(Meaning):
    """Say that again."""


@dataclass(frozen=True)
class Unknown(Meaning):
    """Speaks of something that does not exist here: "Bring the hoverboard." """

    name: str


@dataclass(frozen=True)
class Ambiguous(Meaning):
    """A wish that cannot be done without asking which one is meant."""


@dataclass(frozen=True)
class Remark(Meaning):
    """Nothing is to be done: small talk, a story, a quote, words to another person."""


@dataclass(frozen=True)
class Unclear:
    """No meaning: what was not understood, and its words that nobody knows."""

    text: str
    unknown: tuple[str, ...] = ()
