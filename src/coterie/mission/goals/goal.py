"""A goal as data: what is wanted, by whom, and all that was tried for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from coterie.core.action import Cause
from coterie.core.errors import CoterieError
from coterie.core.expr import Expr, Lookup, compile_expr
from coterie.core.facts import UNKNOWN
from coterie.core.files import tables
from coterie.core.fluents import Declared, check_condition
from coterie.core.wire import carry_record
from coterie.planning.forms import params, parts

# -- states -----------------------------------------------------------------------------------------------------------
# The life of a goal: its states, and from which to which it may go.
State = Literal["submitted", "planned", "waiting", "running", "paused", "recovering", "done", "failed", "cancelled"]

_STATES = tables(__package__, "states.toml")
STATES: dict[str, str] = {name: row["words"] for name, row in _STATES.items()}
NEXT: dict[str, frozenset[str]] = {name: frozenset(row["next"]) for name, row in _STATES.items()}
OVER = frozenset(name for name, later in NEXT.items() if not later)


#: When a plan failed: while it was made, before an action, in it, or because its effect was not seen.
Stage = Literal["PLAN", "PRECONDITION", "EXECUTION", "EFFECT"]


@dataclass(frozen=True)
class Failure:
    """Why an attempt ended, as data. `cause` holds the fact it turned on; words are made from it."""

    stage: Stage
    cause: Cause | None = None
    robot: str = ""
    skill: str = ""
    args: tuple[Any, ...] = ()
    words: str = ""


class Moved(NamedTuple):
    """A goal went from one state to another: when [s], by whom, why."""

    time: float
    old: str
    new: str
    by: str
    why: str = ""


@dataclass(frozen=True)
class Attempt:
    """One plan that was tried. `steps` in any form that has a wire form."""

    number: int
    begun_s: float
    steps: tuple[Any, ...] = ()
    ended_s: float | None = None
    result: str = ""  # done, failed, stopped; empty while it lasts
    failure: Failure | None = None


class Vote(NamedTuple):
    time: float
    person: str
    yes: bool
    why: str = ""


@dataclass(frozen=True)
class Proposal:
    """A plan that waits for approval. Silence is never a yes."""

    number: int
    words: str
    steps: tuple[Any, ...] = ()
    chance: float | None = None
    duration_s: float | None = None
    until_s: float | None = None
    votes: tuple[Vote, ...] = ()
    expired: bool = False

    @property
    def last_votes(self) -> dict[str, Vote]:
        """The last vote of each person."""
        return {v.person: v for v in self.votes}

    @property
    def approved(self) -> bool:
        """True if a person has said yes, and nobody no."""
        last = self.last_votes.values()
        return not self.expired and any(v.yes for v in last) and all(v.yes for v in last)


@dataclass(frozen=True)
class Goal:
    """A goal of a person: a condition, usually a conjunction of fluents and comparisons, with its whole history."""

    id: str
    what: Expr
    by: str
    name: str = ""  # for people: "a medkit at alpha"
    priority: int = 0  # more is sooner
    parent: str = ""  # the goal for whose recovery it is
    submitted_s: float = 0.0
    state: State = "submitted"
    rested_from: str = ""  # of a paused goal
    preempted_by: str = ""
    robots: tuple[str, ...] = ()
    proposal: Proposal | None = None
    proposed: int = 0  # how many plans were put before people so far
    attempts: tuple[Attempt, ...] = ()
    history: tuple[Moved, ...] = ()

    @property
    def over(self) -> bool:
        return self.state in OVER

    @property
    def failures(self) -> list[Failure]:
        return [a.failure for a in self.attempts if a.failure is not None]

    def __str__(self) -> str:
        return f"{self.id} ({self.name or self.what})"

    def holds(self, look: Lookup) -> bool | None:
        """True if the goal is reached, as far as `look` knows; None where that is not known."""
        found = compile_expr(self.what)(look, {})
        return None if found is UNKNOWN else bool(found)

    def missing(self, look: Lookup) -> list[Expr]:
        """The parts of the conjunction that do not hold, or are not known to."""
        found = []
        for part in parts(self.what):
            value = compile_expr(part)(look, {})
            if value is UNKNOWN or not value:
                found.append(part)
        return found


def check_goal(what: Any, known: Mapping[str, Declared] | None = None) -> None:
    """Refuse what is no condition, has free names, or could be neither true nor false by what is declared."""
    if not isinstance(what, Expr):
        raise CoterieError(
            f"{what!r} is no goal; write a condition such as eq(fl('amount', 'caddy', 'painkiller'), 2)."
        )
    if known:
        check_condition(what, known)
    free = sorted(f"?{name}" for name in params(what))
    if free:
        raise CoterieError(f"A goal is about named things, and {', '.join(free)} in '{what}' could be anything.")


for _cls in (Failure, Moved, Attempt, Vote, Proposal):
    carry_record(_cls, _cls.__name__.lower())
