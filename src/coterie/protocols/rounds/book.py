"""A planner's record of past rounds: what was done, what was refused or failed in execution, what a memo said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from coterie.core.protocol import RobotView
from coterie.protocols.rounds.parse import Plan, tidy, written
from coterie.protocols.shared.replies import quoted

MEMO = "memo"  # who tells that a remembered plan was tried first
MOST_MEMOS = 2
MOST_MEMO = 2000  # characters
MOST_FAILED = 5


class Attempt(NamedTuple):
    """A plan that was refused or failed, and why."""

    plan: str
    reason: str


class Done(NamedTuple):
    """A round that is over."""

    step: int
    words: str
    talk: str = ""
    failed: bool = False  # in execution


@dataclass
class Book:
    rounds: list[Done] = field(default_factory=list)
    failed: list[Attempt] = field(default_factory=list)  # in execution, since something last went well
    refused: list[Attempt] = field(default_factory=list)  # in rounds in which no plan passed, since then, too
    memos: list[str] = field(default_factory=list)
    _under_way: tuple[int, Plan | None, str] | None = None  # step, plan (None: nobody moves), talk

    def began(self, step: int, plan: Plan, talk: str = "") -> None:
        self._under_way = (step, plan, talk)

    def spent(self, step: int, attempts: Sequence[Attempt]) -> None:
        """No plan of a round passed its checks; the next round, with all as before, is told which and why."""
        self._under_way = (step, None, "")
        self.refused = list({a.plan: a for a in (*self.refused, *attempts)}.values())[-MOST_FAILED:]

    def settle(self, views: Mapping[str, RobotView], step: int) -> None:
        """Take in what became of the last round, and what a memo said since."""
        heard = [m.text for v in views.values() for m in v.inbox if m.sender == MEMO]
        for text in dict.fromkeys(heard):
            self.memos = [*self.memos, tidy(text, MOST_MEMO)][-MOST_MEMOS:]
        last, self._under_way = self._under_way, None
        if last is None or last[0] != step - 1:
            return  # another decider, such as a memo, decided for that round
        began, plan, talk = last
        outcomes = [v.outcome for v in views.values() if v.outcome is not None]
        outcome = next((o for o in outcomes if o.status != "failed"), None)
        mishaps = [o.reason for o in outcomes if o.status == "failed"]
        if plan is None:
            self.rounds.append(Done(began, "no plan passed the checks; nobody moved"))
        elif mishaps:
            self.failed, self.refused = [], []
            self.rounds.append(Done(began, f"{_line(plan)}. But: {' '.join(mishaps)}", talk))
        elif outcome is not None and not outcome.ok:
            self.failed = [*self.failed, Attempt(plan.text(), outcome.reason)][-MOST_FAILED:]
            self.rounds.append(Done(began, "the plan failed to execute; all is as before", failed=True))
        else:
            self.failed, self.refused = [], []
            self.rounds.append(Done(began, _line(plan), talk))


def _line(plan: Plan) -> str:
    return "; ".join(f"{r}: {written(a._replace(path=()))}" for r, a in plan.joint.items())


def talk_of(lines: Sequence[tuple[str, str]], most: int) -> str:
    """A talk in short."""
    return "\n".join(f"{who} said: {quoted(text, most) or '(silence)'}" for who, text in lines)
