"""Cards of the arms around the table. Their names belong to their bodies, or to their places."""

from __future__ import annotations

import copy
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from coterie.core.card import Card
from coterie.core.errors import CoterieError, unknown_name
from coterie.worlds.tabletop.declared import JOBS
from coterie.worlds.tabletop.skills import VERBS

if TYPE_CHECKING:
    from coterie.worlds.tabletop.job import Job

_ARMS = (
    ("UR5e", "Alice", "a six-joint arm with a two-finger gripper, on a rail", 0.85, 5.0),
    ("Panda", "Bob", "a seven-joint arm with a two-finger gripper, on a rail", 0.855, 3.0),
    ("UR5eSuction", "Chad", "a six-joint arm with a suction cup, on a rail", 0.85, 5.0),
    ("Humanoid", "Dave", "the right arm of a humanoid that bends and turns, on a rail", 0.75, 2.0),
)
WELDED = "welded"  # among the names of `--arms`: fingers do not hold by friction
BODY = {"ur5e": "UR5e", "panda": "Panda", "ur5e-suction": "UR5eSuction", "humanoid": "Humanoid"}
_ASKED = [(BODY[arm["body"]], set(arm["verbs"])) for job in JOBS.values() for arm in job["arms"]]
ARMS: dict[str, Card] = {}
for _body, _name, _about, _reach, _payload in _ARMS:  # each can do all that some job asks of it
    _able = tuple(v for v in VERBS if any(v in verbs for body, verbs in _ASKED if body == _body))
    ARMS[_body] = Card(_body, _name, "fixed", _able, _about, reach_m=_reach, payload_kg=_payload)


def cards_of(job: Job) -> tuple[tuple[str, Card], ...]:
    """The robots of a job, each with the actions that the job gives it."""
    return tuple((m.name, replace(card_of(m.body), skills=job.verbs[m.name])) for m in job.mounts)


def card_of(body: str) -> Card:
    if body in BODY:
        return ARMS[BODY[body]]
    from coterie.motion.bodies.card import load

    arm = load(body)
    return Card(arm.body, arm.body, "fixed", (), arm.about, reach_m=arm.reach_m, payload_kg=arm.payload_kg)


def named_arms(text: str, seats: int, task: str) -> tuple[str, ...]:
    """The bodies that `--arms` names, one for each place; one name alone stands for all of them. `welded` may stand
    beside them, or alone for the job's own."""
    given = [name.strip() for name in text.split(",")]
    welded = (WELDED,) if WELDED in given else ()
    names = tuple(name for name in given if name != WELDED)
    names = names * seats if len(names) == 1 else names
    if len(names) != seats and (names or not welded):
        raise CoterieError(f"--arms {text}: '{task}' has {seats} arms, and {len(names)} are named.")
    for name in names:
        if name not in BODY and not name.endswith(".toml"):
            raise unknown_name("arm (or a card: FILE.toml)", name, [*BODY, WELDED])
        card_of(name)
    return (*names, *welded)


@lru_cache(maxsize=64)
def job_with(job: Job, arms: tuple[str, ...]) -> Job:
    """A job with other arms in its places. Each waits where the hand of the job's own arm does, as far as it can."""
    from coterie.worlds.tabletop.layouts.feasibility import waiting

    if not arms or arms == tuple(m.body for m in job.mounts):
        return job
    other = copy.copy(job)
    other.welded = WELDED in arms
    if arms == (WELDED,):
        return other
    other.mounts = tuple(m if m.body == body else waiting(m, body) for m, body in zip(job.mounts, arms))
    return other
