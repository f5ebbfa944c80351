"""Giving way: a planner that always goes on from the same beginning is never lucky with a better one.

What was followed in vain, again and again, is left to the planner now and then. Half of the episodes follow it all the
same; the others leave one round of it out, drawn from the episode's name, or rather do what else is known there. Where
nothing else is, the planner begins anew there: the memo is silent until a thing is no longer as it was, but for a few
rounds at most. What is found so is known from then on, and the shorter way is the one that is followed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coterie.core.event import Event
from coterie.core.seeds import rng_of
from coterie.memo import Case, Round, Situation, Store, Transition
from coterie.memo.before.cases import MEMO
from coterie.memo.file.transitions import Followed
from coterie.memo.transitions import alike

ANEW = "anew"  # in answers: the planner should begin anew; in requests: it has
ALONE, OVER = "alone", "over"  # and is left alone, or was
LOYAL = 0.5  # of the episodes, which follow whatever failed
ROUNDS = 3  # in which a planner that begins anew is left alone


def trusted(store: Store, transitions: Sequence[Transition], case: Case, episode: str, step: int) -> list[Transition]:
    """The transitions that may be followed in this round of an episode. A transition that itself gained something is
    not to blame."""
    bad = [d for d in transitions if d.partial <= d.had + 1e-9 and store.in_vain(case, d, episode)]
    if not bad or not _draws(episode, step, 1 + max(d.left for d in bad)):
        return list(transitions)
    return [d for d in transitions if all(d is not b for b in bad)]


def _draws(episode: str, step: int, rounds: int) -> bool:
    """Whether this is the round that is left out; each of those to come is as likely."""
    if rng_of(episode, "loyal").random() < LOYAL:
        return False
    return rng_of(episode, "anew", step).random() * rounds < 1


class Anew:
    """Once in an episode, a planner that is left alone for a while."""

    def __init__(self) -> None:
        self._since: Situation | None = None
        self._left = 0  # rounds

    def begin(self, now: Situation) -> dict[str, Any]:
        """A note for the log."""
        self._since, self._left = now, ROUNDS
        return {ANEW: True, "why": "What is known here was followed in vain: the planner begins anew."}

    def told(self, now: Situation) -> dict[str, str]:
        """For the request of a round."""
        if self._since is None:
            return {}
        self._left = self._left - 1 if _as_it_was(self._since, now) else 0
        return {ANEW: ALONE if self._left > 0 else OVER}


def _as_it_was(then: Situation, now: Situation) -> bool:
    return all(alike(state, then.things.get(thing)) for thing, state in now.things.items())


def followed(events: Sequence[Event], rounds: Sequence[tuple[int, Round]], won: bool) -> list[Followed]:
    """The advice that was followed, and whether that was worth it: the goal was reached, or something was gained after
    all that the memo knew had been done."""
    used: list[tuple[int, Any]] = [(e.step, e.data["deed"]) for e in events if e.kind == MEMO and e.data.get("deed")]
    last = max((step for step, _ in used), default=-1)
    led = max((r.partial for n, r in rounds if n <= last), default=0.0)
    gained = any(r.partial > led + 1e-9 for _, r in rounds)
    return [(whose, number, thing, won or gained) for _, rows in used for whose, number, thing, _ in rows]
