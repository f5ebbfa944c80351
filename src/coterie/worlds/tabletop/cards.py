"""Cards of the arms around the table. Their names belong to their bodies."""

from __future__ import annotations

from coterie.core.card import Card
from coterie.worlds.tabletop.job import Job

ARMS: dict[str, Card] = {
    c.body: c
    for c in (
        Card("UR5e", "Alice", "fixed", (), "a six-joint arm with a two-finger gripper, on a rail", reach_m=0.85, payload_kg=5.0),
        Card("Panda", "Bob", "fixed", (), "a seven-joint arm with a two-finger gripper, on a rail", reach_m=0.855, payload_kg=3.0),
        Card("UR5eSuction", "Chad", "fixed", (), "a six-joint arm with a suction cup, on a rail", reach_m=0.85, payload_kg=5.0),
        Card("Humanoid", "Dave", "fixed", (), "the right arm of a humanoid with a bending torso, on a rail", reach_m=0.75, payload_kg=2.0),
    )
}  # fmt: skip
BODY = {"ur5e": "UR5e", "panda": "Panda", "ur5e-suction": "UR5eSuction", "humanoid": "Humanoid"}


def cards_of(job: Job) -> tuple[tuple[str, Card], ...]:
    """The robots of a job, each with the actions that the job gives it."""
    from dataclasses import replace

    return tuple((m.name, replace(ARMS[BODY[m.body]], skills=job.verbs[m.name])) for m in job.mounts)
