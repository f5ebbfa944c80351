"""Requests and results: an action, its outcome, a verdict before it, a message."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal, NamedTuple

from coterie.core.facts import UNKNOWN, Fact
from coterie.core.frozen import frozen

Status = Literal["done", "failed", "refused", "rewound", "cancelled"]
WAIT = "wait"
COMMUNICATE = "communicate"
STAGE, PERSON = "stage", "person"  # further ways of a message: talk inside a decision, words of a person


#: Whose idea an action was, where it was not simply its mind's: one used again, what stands in for a reply that could
#: not be read, and that of an arm that was told nothing.
MEMO, UNREAD, NOT_ASKED = "memo", "unread", "not asked"


class Action(NamedTuple):
    """One request to one robot: `Action("pick", ("apple_0",))`.

    `why` is the reasoning behind it; `facts` travel with a `communicate` and reach the hearers' beliefs. Arms take two
    kinds of advice on how to move: points on the `path` of the hand, and a `motion` that served before, leg by leg.
    """

    skill: str
    args: tuple[Any, ...] = ()
    why: str = ""
    facts: tuple[Fact, ...] = ()
    path: tuple[tuple[float, ...], ...] = ()
    motion: Any = None
    origin: str = ""  # one of those above, for programs; `why` is for people

    def __str__(self) -> str:
        return f"{self.skill}({', '.join([a if type(a) is str else _show(a) for a in self.args])})"


def _show(arg: Any) -> str:
    if isinstance(arg, tuple):
        return "[" + ", ".join(_show(a) for a in arg) + "]"
    if isinstance(arg, float):
        return f"{arg:.2f}"
    return str(arg)


class Message(NamedTuple):
    """Words from one to others. Only `facts` enter a belief; unparsed text never does."""

    sender: str
    to: tuple[str, ...]
    text: str
    facts: tuple[Fact, ...] = ()
    time: float = 0.0
    via: str = COMMUNICATE  # costs a step; STAGE is talk inside a decision, PERSON the words of somebody outside


Moment = Literal["before", "during", "after"]


@frozen
class Cause:
    """Why something failed, as data. Words are made from it, and never the other way round.

    `clause` names the condition that did not hold (`Clause.name`), or what else went wrong; `fact` is what it turned
    on, as predicate, arguments and value; `moment` is before anything was done, during it, or after it had ended.
    """

    clause: str
    fact: tuple[str, tuple[Any, ...], Any] | None = None
    moment: Moment = "before"

    def at(self, moment: Moment) -> Cause:
        return replace(self, moment=moment)

    def to_json(self) -> dict[str, Any]:
        return {"clause": self.clause, "fact": _readable(self.fact), "moment": self.moment}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Cause:
        """A cause from the line of a log."""
        fact = data.get("fact")
        return cls(data["clause"], None if fact is None else (fact[0], tuple(fact[1]), fact[2]), data["moment"])


def _readable(value: Any) -> Any:
    """As every reader of JSON can read it: what a model made up may be no number, and an unknown is written `?`."""
    if isinstance(value, (tuple, list)):
        return [_readable(v) for v in value]
    if value is UNKNOWN:
        return "?"
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


class Outcome(NamedTuple):
    """The result of an action. `reason` is exactly what the robot's mind reads."""

    robot: str
    action: Action
    status: Status
    reason: str
    start: float = 0.0
    duration: float = 0.0
    facts: tuple[Fact, ...] = ()  # what the robot learns from the result alone
    message: Message | None = None  # what was said, for `communicate`
    cause: Cause | None = None  # of what is not done

    @property
    def ok(self) -> bool:
        return self.status == "done"


class Verdict(NamedTuple):
    """The answer of a free check. `ok` is None when it cannot be known beforehand."""

    ok: bool | None
    reason: str = ""
    cause: Cause | None = None
