"""Bodies of the household world: tall or small, with an arm or without. Payload and battery are drawn for each."""

from __future__ import annotations

import random
from dataclasses import replace

from coterie.core.action import WAIT
from coterie.core.card import PERSON, Card

TALL_M, SMALL_M = 1.6, 0.9  # heights of the camera
NAMES = ("Alice", "Bob", "Carol", "Dave", "Erin", "Frank", "Grace", "Heidi")  # of a team, in this order
STRANGER = "Zoe"  # of one that comes later
SIGHT_M = 1.5  # how far they tell things apart: what AI2-THOR, in which the paper plays, counts as visible
PAYLOADS_KG, BATTERIES = (0.1, 20.0), (50, 500)

MOVES = ("MoveAhead", "MoveBack", "MoveLeft", "MoveRight", "RotateLeft", "RotateRight", "LookUp", "LookDown")
HANDLES = ("PickUp", "PutDown", "Drop")
STOP, REPORT, KEEP = "Stop", "Report", "Keep"
RESIDENT = "Resident"  # the body of somebody who lives in the house: no robot, and not one of the team


def card(tall: bool, arm: bool, payload_kg: float = 0.0, battery: int | None = None, name: str = "") -> Card:
    """A body; `battery` counts low-level actions, None is one that never runs flat."""
    body = f"{'Tall' if tall else 'Small'}{'Arm' if arm else 'Eye'}"
    skills = (*MOVES, *(HANDLES if arm else ()), REPORT, STOP, WAIT)
    payload = round(payload_kg, 2) if arm else 0.0
    height = TALL_M if tall else SMALL_M
    parts = [f"a {'tall' if tall else 'small'} robot on wheels, camera at {height:g} m"]
    parts.append(f"an arm that lifts {payload:g} kg" if arm else "no arm")
    parts += [f"a battery for {battery} steps"] if battery is not None else []
    return Card(
        body,
        name or body,
        "ground",
        skills,
        f"{', '.join(parts)}.",
        height_m=height,
        reach_m=1.5 if arm else 0.0,
        payload_kg=payload,
        battery_steps=battery,
        camera_m=height,
        fov_deg=90.0,
        sight_m=SIGHT_M,
        tilt_low_deg=-60.0,
        tilt_high_deg=30.0,
    )


def drawn(rng: random.Random, arm: bool | None = None, name: str = "") -> Card:
    """A body as a task draws it: height, arm, payload and battery at random."""
    arm = rng.random() < 0.5 if arm is None else arm
    tall, payload = rng.random() < 0.5, rng.uniform(*PAYLOADS_KG)
    return card(tall, arm, payload, rng.randint(*BATTERIES), name)


def drawn_team(rng: random.Random, size: int) -> list[tuple[str, Card]]:
    """Robots drawn one by one; at least one of them has an arm."""
    arms = [rng.random() < 0.5 for _ in range(size)]
    if not any(arms):
        arms[rng.randrange(size)] = True
    names = [NAMES[i] if i < len(NAMES) else f"Robot{i + 1}" for i in range(size)]
    return [(name, drawn(rng, arm, name)) for name, arm in zip(names, arms)]


HUMAN = replace(
    card(True, True, 20.0, name=PERSON),
    body=PERSON,
    about="a human, who walks, looks around and carries up to 20 kg.",
    sight_m=2 * SIGHT_M,  # what lies on the floor before their feet, too
)
DWELLER = replace(HUMAN, body=RESIDENT, skills=(*HUMAN.skills, KEEP), about="somebody who lives in this house.")
_ROBOTS = (card(tall, arm, 5.0, 500) for tall in (True, False) for arm in (True, False))
USUAL = {c.body: c for c in (*_ROBOTS, HUMAN)}
