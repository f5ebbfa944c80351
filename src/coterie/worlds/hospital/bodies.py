"""The robots of the hospital: what each can do, where it may stand and what it may carry, all as data."""

from __future__ import annotations

from coterie.core.action import WAIT
from coterie.core.card import PERSON, Card
from coterie.worlds.hospital.scene import KITTING, OPEN

FETCH = Card(
    "Fetch",
    "Fetch",
    "ground",
    ("goto", "perceiveobject", "pickup", "putdown", "putin", "takeout", "handover", WAIT),
    "a kitting robot: an arm on wheels that packs caddies at the tables of the pharmacy",
    speed_mps=0.5,
    reach_m=0.9,
    payload_kg=4.0,
)
TEMI = Card(
    "Temi",
    "Temi",
    "ground",
    ("goto", "passdoor", "deliverkit", WAIT),
    "a delivery robot with a tray; it has no arm and cannot open doors",
    speed_mps=0.7,
    reach_m=0.3,  # what is laid on its tray
    payload_kg=3.0,
)
SPOT = Card(
    "Spot",
    "Spot",
    "ground",
    ("goto", "passdoor", "perceiveobject", "pickup", "putdown", "receiveitem", "opendoor", WAIT),
    "a helper on four legs with a gripper, which opens doors and carries single items",
    speed_mps=0.8,
    reach_m=0.7,
    payload_kg=2.0,
)
HUMAN = Card(
    PERSON,
    PERSON,
    "ground",
    ("goto", "passdoor", "lookat", "perceiveobject", "pickup", "putdown", "receiveitem", "give", "opendoor",
     "deliverkit", WAIT),
    "somebody who works with the robots",
    speed_mps=1.2,
    reach_m=0.8,
    payload_kg=10.0,
)  # fmt: skip
BODIES = (FETCH, TEMI, SPOT)
REACTS_S = 4.0  # until a person of the team begins what was asked


def zones_of(card: Card) -> tuple[str, ...]:
    """Zones of poses where a robot may stand: whoever packs at the tables, whoever passes doors everywhere else."""
    packs, moves = "putin" in card.skills, "passdoor" in card.skills
    return (*([KITTING] if packs else []), *([OPEN] if moves or not packs else []))


def carries_of(card: Card) -> tuple[str, ...]:
    """Kinds of things that a robot may carry."""
    some = {"item": ("pickup", "receiveitem"), "caddy": ("putin", "deliverkit")}
    return tuple(kind for kind, skills in some.items() if any(skill in card.skills for skill in skills))
