"""Less than whole tasks: what was done when things stood like this, and what came of it.

A transition is one round, or what that round did to one thing, with the state it began in. States are words without
numbers, so that the same transition is found again wherever things lie. Rounds of all episodes are kept, since a failed
one may lead from a state to another; of failed ones a good beginning is marked: up to the round that brought most
progress, without rounds that led back to a state that had been there. A transition that was tried again and did not
lead where it had led once is no longer offered after a while.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeVar

from coterie.memo.case import Case
from coterie.memo.plan import Step

T = TypeVar("T")
WHOLE = ""  # the thing of a transition that is a whole round
DONE = "done"  # the state in which a goal is reached
ASIDE = -1  # the number of a round that is no part of a good beginning
STIRRED = 1e-3  # what a thing that is no longer as it was at first counts beside progress: less than any progress
READY = " | "  # in the state of a thing, before the hands that stand ready


class Situation(NamedTuple):
    """How things stand, in words without numbers: all of it, and of each thing what concerns it alone."""

    whole: str
    things: Mapping[str, str]


class Round(NamedTuple):
    """A round that was carried out, and how far the task had come before and after it (0 to 1, see `achieved`)."""

    before: Situation
    after: str  # the whole situation; empty where nobody looked any more
    case: Case  # where things lay
    step: Step
    had: float
    partial: float
    led: Mapping[str, str] = {}  # things as they were after it; empty where nobody looked any more


class Transition(NamedTuple):
    """The actions done in a state."""

    episode: str
    round: int  # of the episode
    number: int  # in its good beginning; ASIDE: it is no part of that
    thing: str  # to which it was done; WHOLE: all of a round
    state: str
    after: str  # of a thing: its plain state; empty where nobody looked any more
    had: float
    partial: float
    won: bool  # the episode reached its goal
    left: int  # rounds of the good beginning that came after it
    case: Case
    step: Step

    def words(self) -> str:
        return said(self.step)


def said(step: Step) -> str:
    return "; ".join(f"{robot} {act}" for robot, act in step.items())


def job_of(case: Case, thing: str = WHOLE) -> str:
    """The key that transitions must share: the world, the task and, for whole rounds, what it asks for. Robots may be
    others, and what was done to a thing may serve another goal: the checks say whether it does."""
    text = json.dumps([case.world, case.task, *(() if thing else (case.content,))])
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def transitions_of(rounds: Sequence[Round], won: bool, episode: str) -> list[Transition]:
    """Everything worth keeping of an episode: whole rounds, and what the good ones did to single things."""
    every = list(enumerate(rounds))
    count = len(rounds) if won else promising(rounds)
    good = straight(every[:count], [r.before.whole for r in rounds])
    order = {n: k for k, (n, _) in enumerate(good)}
    end = rounds[count].before.things if count < len(rounds) else {} if won else last_seen(rounds)

    def transition(n: int, r: Round, thing: str, state: str, after: str, step: Step) -> Transition:
        left = len(good) - 1 - order.get(n, 0)
        return Transition(
            episode, n, order.get(n, ASIDE), thing, state, after, r.had, r.partial, won, left, r.case, step
        )  # fmt: skip

    found = [transition(n, r, WHOLE, r.before.whole, r.after, r.step) for n, r in every]
    for thing in sorted({t for _, r in good for t in r.before.things}):
        there = [(n, r) for n, r in good if thing in r.before.things and about(r.step, thing)]
        mine = [(n, r) for n, r in there if not alike(r.before.things[thing], end.get(thing))]  # or nothing came of it
        for n, r in straight(mine, [r.before.things[thing] for _, r in mine]):
            after = plain(r.led.get(thing, ""))
            found.append(transition(n, r, thing, r.before.things[thing], after, about(r.step, thing)))
    return found


def last_seen(rounds: Sequence[Round]) -> dict[str, str]:
    """How things were when an episode ended: as before its last round, but for those to which that did something."""
    return {t: s for r in rounds[-1:] for t, s in r.before.things.items() if not about(r.step, t)}


def alike(state: str, other: str | None) -> bool:
    """A thing is in both states as it was, whatever hands stand ready at it."""
    return other is not None and plain(state) == plain(other)


def plain(state: str) -> str:
    """The state of a thing without the hands that stand ready at it."""
    return state.partition(READY)[0]


def achieved(partial: float, first: Situation, now: Situation | None) -> float:
    """Progress, and where that is equal how many things are no longer as they were at first."""
    if now is None:
        return partial
    return partial + STIRRED * sum(not alike(first.things.get(t, ""), s) for t, s in now.things.items())


def promising(rounds: Sequence[Round]) -> int:
    """How many rounds at the beginning of a failed episode brought it as far as it came; 0 where nothing was gained."""
    began = rounds[0].had if rounds else 0.0
    best = max((r.partial for r in rounds), default=began)
    if best <= began + 1e-9:
        return 0
    return 1 + next(i for i, r in enumerate(rounds) if r.partial >= best - 1e-9)


def straight(items: Sequence[T], states: Sequence[str]) -> list[T]:
    """Without what led back: where a state comes again, all that was done since it was there first is left out."""
    out: list[T] = []
    at: list[str] = []
    for item, state in zip(items, states):
        if state in at:
            first = at.index(state)
            del out[first:], at[first:]
        out.append(item)
        at.append(state)
    return out


def about(step: Step, thing: str) -> Step:
    """The actions of a round on one thing: those that name it first."""
    return {robot: act for robot, act in step.items() if act.args and act.args[0] == thing}


class Edge(NamedTuple):
    """A round as a step between two states."""

    key: int
    state: str
    after: str
    had: float
    partial: float


def way(edges: Sequence[Edge], state: str) -> tuple[list[int], int]:
    """The rounds that lead from a state, over others if need be, to where most was achieved, by the fewest rounds; and
    how many that takes.

    None where the state is the best that can be reached from it: then others have to get farther.
    """
    leads: dict[str, list[Edge]] = {}
    worth: dict[str, float] = {}
    for e in edges:
        leads.setdefault(e.state, []).append(e)
        worth[e.state] = max(worth.get(e.state, 0.0), e.had)
        after = e.after or f"round {e.key}"  # nobody saw it, and nobody comes by
        worth[after] = max(worth.get(after, 0.0), e.partial)
    first: dict[str, list[int]] = {state: []}  # state -> by which rounds one sets out for it
    far, ring = {state: 0}, [state]
    while ring:
        new: dict[str, list[int]] = {}
        for here in ring:
            for e in leads.get(here, ()):
                after = e.after or f"round {e.key}"
                if after not in far:
                    new.setdefault(after, []).extend(first[here] or [e.key])
        for after in new:
            far[after] = far[ring[0]] + 1
        first |= {after: list(dict.fromkeys(keys)) for after, keys in new.items()}
        ring = list(new)
    gained = {s: worth[s] for s in far if worth.get(s, 0.0) > worth.get(state, 0.0) + 1e-9}
    if not gained:
        return [], 0
    best = max(gained, key=lambda s: (gained[s], -far[s]))
    return first[best], far[best]
