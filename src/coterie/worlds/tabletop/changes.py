"""Changes during a job: an arm leaves for some rounds, the goal changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from coterie.core.card import Card
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.seeds import rng_of
from coterie.core.task import Change, Trigger
from coterie.worlds.tabletop.job import Job

AWAY = 2  # rounds
#: As people type them: form -> what happens.
FORMS = {
    "leave@ROUND:ROBOT": f"an arm lets go of what it holds, stands still and is back after {AWAY} rounds; without "
    "ROBOT, any",
    "goal@ROUND": "something else is asked for (sandwich, pack-grocery), and all are told",
}
KINDS = tuple(form.partition("@")[0] for form in FORMS)


def changes_of(texts: Sequence[str], job: Job, cards: Mapping[str, Card], seed: int) -> tuple[Change, ...]:
    """The changes that were typed, as the task has them."""
    found: list[Change] = []
    away: dict[str, list[int]] = {}  # robot -> rounds in which it leaves
    for text in texts:
        kind, at, rest = text.partition("@")
        if kind not in KINDS:
            raise unknown_name("kind of change", kind, KINDS)
        step, _, robot = rest.partition(":")
        if not at or not (step.isascii() and step.isdecimal() and len(step) <= 9):
            raise CoterieError(f"'{text}' is not a change: write {kind}@ROUND, like {kind}@2.")
        when = Trigger(step=int(step))
        if kind == "goal":
            found.append(_goal(text, job, robot, when, seed))
        else:
            found += _leave(text, job, cards, robot, int(step), seed, away)
    return tuple(found)


def _goal(text: str, job: Job, robot: str, when: Trigger, seed: int) -> Change:
    if robot:
        raise CoterieError(f"'{text}': a change of the goal takes nothing after the round.")
    if not job.can_change:
        raise CoterieError(f"'{text}': what '{job.name}' asks for stays as it is; leave out --change {text}.")
    return Change(when, "goal", {"choose": {"seed": seed}}, ("all",), awaited=False)


def _leave(
    text: str, job: Job, cards: Mapping[str, Card], robot: str, step: int, seed: int, away: dict[str, list[int]]
) -> list[Change]:
    """A robot leaves and comes back; none leaves while it is away, or in the round in which it is back."""
    here = [n for n in sorted(cards) if all(abs(step - other) > AWAY for other in away.get(n, ()))]
    if robot and robot not in cards:
        raise unknown_name("robot", robot, cards)
    if (robot and robot not in here) or not here:
        raise CoterieError(f"'{text}': {robot or 'every robot'} is away about that round already; name another round.")
    name = robot or rng_of(seed, job.name, "leaves", step).choice(here)
    away.setdefault(name, []).append(step)
    gone = Change(Trigger(step=step), "leave", {"robot": name}, ("all",), awaited=False)
    back = Change(Trigger(step=step + AWAY), "join", {"robot": name, "card": cards[name]}, ("all",), awaited=False)
    return [gone, back]
