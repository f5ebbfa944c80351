"""Cards of the arms around the table. Their names belong to their bodies."""

from __future__ import annotations

from dataclasses import replace

from coterie.core.card import Card
from coterie.worlds.tabletop.job import Job

_ARMS = (
    ("UR5e", "Alice", "a six-joint arm with a two-finger gripper, on a rail", 0.85, 5.0),
    ("Panda", "Bob", "a seven-joint arm with a two-finger gripper, on a rail", 0.855, 3.0),
    ("UR5eSuction", "Chad", "a six-joint arm with a suction cup, on a rail", 0.85, 5.0),
    ("Humanoid", "Dave", "the right arm of a humanoid that bends and turns, on a rail", 0.75, 2.0),
)
_VERBS = {  # all that some job asks of a body
    "UR5e": ("pick", "pick_place", "place", "put", "open", "move", "dump", "wait"),
    "Panda": ("pick", "pick_place", "place", "put", "open", "move", "sweep", "wait"),
    "UR5eSuction": ("pick", "pick_place", "put", "open", "wait"),
    "Humanoid": ("pick", "put", "wait"),
}
ARMS: dict[str, Card] = {
    body: Card(body, name, "fixed", _VERBS[body], about, reach_m=reach, payload_kg=payload)
    for body, name, about, reach, payload in _ARMS
}
BODY = {"ur5e": "UR5e", "panda": "Panda", "ur5e-suction": "UR5eSuction", "humanoid": "Humanoid"}


def cards_of(job: Job) -> tuple[tuple[str, Card], ...]:
    """The robots of a job, each with the actions that the job gives it."""
    return tuple((m.name, replace(ARMS[BODY[m.body]], skills=job.verbs[m.name])) for m in job.mounts)
