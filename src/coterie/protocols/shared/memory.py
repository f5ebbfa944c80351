"""A robot's memory for its prompts: three bounded queues, and what the last change of goal made stale.

`queues` is the paper's memory: the last K actions, outcomes and messages, whatever they were about. `goal-aware` marks
the past that a change of goal made stale: talk and actions about things that are no longer wanted leave the prompt.
Queues drop in blocks, so that the beginning of a prompt stays the same for several calls and can be cached; with a
block of one they hold exactly the last K, as in the paper.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

from coterie.core.action import COMMUNICATE, WAIT, Message, Outcome
from coterie.core.language import Language
from coterie.protocols.shared.replies import names_it

BLOCK = 5
STUCK = 3  # failures of one action: a slip may be tried again, a wall may not
LATELY = 12  # actions in which they count
IDLE = (f"{COMMUNICATE}(", f"{WAIT}(")  # after these everything is as it was
T = TypeVar("T")


class Deed(NamedTuple):
    step: int
    action: str
    ok: bool
    reason: str
    things: frozenset[str]
    clause: str = ""  # what failed, for programs; `reason` is for those who read


class Heard(NamedTuple):
    step: int
    sender: str
    text: str


@dataclass
class Memory:
    length: int = 10  # K
    long: int = 20  # the window of a discussion
    goal_aware: bool = True
    feedback: bool = True
    block: int = BLOCK
    outcome: Outcome | None = None  # the one noted last
    deeds: list[Deed] = field(default_factory=list)
    heard: list[Heard] = field(default_factory=list)
    said: dict[str, int] = field(default_factory=dict)  # own messages, and how often
    goal: Any = None  # the one noted last
    goal_text: str = ""
    goal_step: int = 0
    dropped: tuple[str, ...] = ()  # targets that the last change removed
    targets: tuple[str, ...] = ()
    team: frozenset[str] = frozenset()  # who was there at the beginning
    joined: dict[str, int] = field(default_factory=dict)  # who came later, and when
    signs: dict[str, int] = field(default_factory=dict)  # teammate -> step of its last sign, without a heartbeat

    def note_team(self, online: frozenset[str], step: int) -> None:
        """Note newcomers: they were told nothing of what was found before."""
        if not self.team:
            self.team = online
        for name in sorted(online - self.team - set(self.joined)):
            self.joined[name] = step

    def note_goal(self, goal: Any, step: int) -> None:
        if goal is self.goal:
            return
        text, targets = goal.text(), tuple(goal.targets)
        if self.goal_text and text != self.goal_text:
            self.goal_step = step
            self.dropped = tuple(t for t in dict.fromkeys((*self.dropped, *self.targets)) if t not in targets)
        self.goal, self.goal_text, self.targets = goal, text, targets

    def note_outcome(self, outcome: Outcome | None, step: int, language: Language) -> None:
        if outcome is None or outcome is self.outcome:
            return
        self.outcome, a = outcome, outcome.action
        names = frozenset(str(x) for x in a.args if isinstance(x, str))
        clause = outcome.cause.clause if outcome.cause is not None else ""
        self.deeds.append(Deed(max(0, step - 1), language.remembered(a), outcome.ok, outcome.reason, names, clause))
        if a.skill == COMMUNICATE and outcome.ok:
            self.said[str(a.args[0])] = self.said.get(str(a.args[0]), 0) + 1

    def note_message(self, message: Message, step: int, text: str) -> None:
        self.heard.append(Heard(step, message.sender, text))

    # -- windows --------------------------------------------------------------------------------------------------
    def last_deeds(self, long: bool = False) -> list[Deed]:
        deeds = _window(self.deeds, self.long if long else self.length, self.block)
        return [d for d in deeds if not self._stale(d)] if self._outdates else deeds

    def last_heard(self, long: bool = False) -> list[Heard]:
        heard = _window(self.heard, self.long if long else self.length, self.block)
        if not self._outdates:
            return heard
        return [h for h in heard if not (h.step < self.goal_step and any(names_it(t, h.text) for t in self.dropped))]

    @property
    def _outdates(self) -> bool:
        """True if a change of the goal left anything behind."""
        return self.goal_aware and self.goal_step > 0 and bool(self.dropped)

    def _stale(self, deed: Deed) -> bool:
        return deed.step < self.goal_step and not deed.things.isdisjoint(self.dropped)

    # -- loops ----------------------------------------------------------------------------------------------------
    def loops(self) -> list[str]:
        """Actions that failed more than once lately, and words said more than once; without a memory, none."""
        if self.length <= 0:
            return []
        failed = [d.action for d in self.deeds[-self.length :] if not d.ok and self.feedback]
        repeated = [a for a in dict.fromkeys(failed) if failed.count(a) > 1]
        return repeated + [f'communicate("{t[:60]}")' for t, n in self.said.items() if n > 1]

    def stuck(self) -> tuple[str, ...]:
        """Actions done in vain `STUCK` times, which would be done for ever: those that failed since anything else
        worked, one that is done over and over, the first of two that are done in turn, and talk alone."""
        deeds = self.deeds[-LATELY:] if self.length > 0 else []
        talks = [d.action.startswith(f"{COMMUNICATE}(") for d in deeds[-STUCK:]]
        if len(deeds) - len({d.action for d in deeds}) < STUCK - 1 and not all(talks):  # nothing was done so often
            return ()
        failed = list[str]()
        for deed in reversed(deeds):
            if deed.ok and not deed.action.startswith(IDLE):
                break
            failed += [deed.action] * (not deed.ok)
        vain = [a for a in dict.fromkeys(failed) if failed.count(a) >= STUCK]
        last = [d.action for d in deeds[-STUCK:]]
        if len(last) == STUCK and all(talks):
            vain.append(COMMUNICATE)
        elif len(last) == STUCK and len(set(last)) == 1 and not last[0].startswith(IDLE):
            vain.append(last[0])
        worked = [d.action if d.ok and not d.action.startswith(IDLE) else "" for d in deeds]
        if len(worked) - len(set(worked)) >= 2 * (STUCK - 1):  # so often at least both are done again
            pairs = Counter((a, b) for a, b in pairwise(worked) if a and b and a != b)
            vain += [a for (a, _), times in pairs.items() if times >= STUCK]
        return tuple(dict.fromkeys(vain))


def _window(queue: list[T], length: int, block: int = BLOCK) -> list[T]:
    """The last `length` entries, cut in blocks: between `length` and `length + block - 1` of them."""
    if length <= 0:
        return []
    extra = max(0, len(queue) - length)
    return queue[extra - extra % block :]
