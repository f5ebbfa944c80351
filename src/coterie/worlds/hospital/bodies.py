"""The robots of the hospital: what each can do, where it may stand and what it may carry, all as data."""

from __future__ import annotations

from typing import NamedTuple

from coterie.core.action import WAIT
from coterie.core.card import Card
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
BODIES = (FETCH, TEMI, SPOT)


class Limits(NamedTuple):
    """Limits of a body: zones of poses where it may stand, and kinds of things it may carry."""

    zones: tuple[str, ...] = (OPEN,)
    carries: tuple[str, ...] = ()


LIMITS = {
    "Fetch": Limits((KITTING,), ("item", "caddy")),
    "Temi": Limits((OPEN,), ("caddy",)),
    "Spot": Limits((OPEN,), ("item",)),
}
