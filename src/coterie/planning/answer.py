"""Answers of a planner as data: a plan, a proof that there is none, or a limit that was reached."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from coterie.core.action import Cause
from coterie.planning.question import Key, Step

Status = Literal["plan", "none", "limit", "cancelled", "broken"]

#: How it is known that there is no plan: some condition cannot be reached even if nothing that was once true ever
#: ceased to be; there is less of something than the goal asks for; every state was visited; or somebody is gone before
#: what only they can do can be over.
Proof = Literal["", "unreachable", "counted", "exhausted", "late"]


EARLIER = "earlier_plan"  # (number) -> the steps of a plan that was carried out before, as JSON
CAN = "can"  # can(opendoor): whether any robot has a skill; can(opendoor, Temi): whether that one has it


@dataclass(frozen=True)
class Unmet:
    """A condition that no robot can bring about.

    `pred(*args)` should be `wanted` (compared by `op`) and is `value`. `clause` names the clause of `skill` that asks
    for it; for a part of the goal itself both are empty.
    """

    pred: str
    args: tuple[Any, ...]
    op: str
    wanted: Any
    value: Any
    skill: str = ""
    clause: str = ""
    robot: str = ""
    fact: tuple[str, tuple[Any, ...], Any] | None = None  # in the words of the clause, where a plan reads it otherwise

    @property
    def cause(self) -> Cause:
        """As data, in the terms of the skill that asks for it: `objectAt(bandagebox, tableE)` is false."""
        plain = (self.pred, self.args, self.value)
        return Cause(self.clause or self.pred, self.fact if self.fact and self.fact[0] != self.pred else plain)

    @property
    def condition(self) -> str:
        """As in `not open(door)`, `at(Temi) == alpha`, `amount(shelf, bandage) >= 1`."""
        fluent = f"{self.pred}({', '.join(str(a) for a in self.args)})"
        if isinstance(self.wanted, bool) and self.op == "==":
            return fluent if self.wanted else f"not {fluent}"
        return f"{fluent} {self.op} {'none' if self.wanted is None else self.wanted}"

    @property
    def words(self) -> str:
        if self.pred == CAN:
            return f"{self.args[1]} cannot {self.args[0]}." if self.args[1:] else f"No robot here can {self.args[0]}."
        by = f", which {self.skill} of {self.robot} needs" if self.skill and self.robot else ""
        return f"No robot can bring about {self.condition}{by}."


@dataclass(frozen=True)
class Why:
    """Why there is no plan: from a part of the goal down to the condition where it ends, each needed by the one before.

    `others` are conditions that would have to change as well, where changing the last one alone is not enough.
    """

    proof: Proof
    chain: tuple[Unmet, ...] = ()
    others: tuple[Unmet, ...] = ()

    @property
    def root(self) -> Unmet | None:
        """The condition that no robot can bring about, and on which the others hang."""
        return self.chain[-1] if self.chain else None

    @property
    def cause(self) -> Cause | None:
        return self.root.cause if self.root is not None else None

    @property
    def words(self) -> str:
        if self.root is None:
            return "Every way was tried, and none leads to the goal."
        goal = self.chain[0]
        end = "" if goal == self.root else f" Without it the goal {goal.condition} cannot be reached."
        return self.root.words + end


@dataclass(frozen=True)
class Use:
    """The facts that a step reads and those that it changes, as keys.

    Of numbers among them: `needs` says how much has to be there, where nothing else is asked of it; `adds` how much is
    added or (below zero) taken, where nothing else is done to it.
    """

    reads: frozenset[Key] = frozenset()
    writes: frozenset[Key] = frozenset()
    needs: Mapping[Key, float] = field(default_factory=dict)
    adds: Mapping[Key, float] = field(default_factory=dict)

    def disturbs(self, other: Use) -> bool:
        """Whether the two cannot go on at the same time, nor change places."""
        return bool(self.writes & (other.reads | other.writes) or self.reads & other.writes)


@dataclass(frozen=True)
class Answer:
    """`steps` is the plan, in an order in which it can be done one by one. `after[i]` are the steps that must be over
    before step i begins; whatever is not ordered can go on at the same time. `uses[i]` says what step i counts on.

    `none` is said only where it is proven; an engine that gave up says `limit`. `broken` is an engine that died or gave
    a plan that the validator refused; `words` say so. `wall_s` and `effort` are for benchmarks, not for logs.
    """

    status: Status
    steps: tuple[Step, ...] = ()
    after: tuple[frozenset[int], ...] = ()
    uses: tuple[Use, ...] = ()
    why: Why | None = None
    engine: str = ""
    said: str = ""
    effort: Mapping[str, Any] = field(default_factory=dict, compare=False)
    wall_s: float = field(default=0.0, compare=False)

    @property
    def found(self) -> bool:
        return self.status == "plan"

    @property
    def words(self) -> str:
        if self.status == "plan":
            return f"A plan of {len(self.steps)} steps."
        if self.status == "none" and self.why is not None:
            return self.why.words
        return self.said or {"limit": "No plan was found within the limit.", "cancelled": "Planning was stopped."}.get(
            self.status, "There is no plan."
        )


@dataclass(frozen=True)
class Limits:
    """How long to look. States are counted, so that the same question gives the same answer on any machine; the wall
    clock is a safety net, and ends in `limit` with the words saying so."""

    states: int = 100_000
    wall_s: float = 60.0
    tries: int = 2  # ways to share the work that are compared, where there is work to share
    polish: int = 250  # states for making a plan shorter in time once there is one
