"""The robots of the hospital: what each can do (`cards/`), where it may stand and what it may carry."""

from __future__ import annotations

from pathlib import Path

from coterie.core.card import Card
from coterie.core.reader import Reader, load_toml, read_card
from coterie.worlds.hospital.scene import KITTING, OPEN
from coterie.worlds.hospital.skills import SKILLS


def load_card(path: Path) -> Card:
    """The card of a robot for places of missions."""
    return read_card(Reader(load_toml(path, "robot card"), str(path)), SKILLS)


FETCH, TEMI, SPOT, HUMAN, STRETCH = (
    load_card(Path(__file__).parent / "cards" / f"{body}.toml")
    for body in ("fetch", "temi", "spot", "human", "stretch")
)
BODIES = (FETCH, TEMI, SPOT)
REACTS_S = 4.0  # until a person of the team begins what was asked


def zones_of(card: Card) -> tuple[str, ...]:
    """Zones of poses where a robot may stand: at tables for those that pack, elsewhere for those that pass doors."""
    packs, moves = "putin" in card.skills, "passdoor" in card.skills
    return (*([KITTING] if packs else []), *([OPEN] if moves or not packs else []))


def carries_of(card: Card) -> tuple[str, ...]:
    """Kinds of things that a robot may carry."""
    some = {"item": ("pickup", "receiveitem"), "caddy": ("putin", "deliverkit")}
    return tuple(kind for kind, skills in some.items() if any(skill in card.skills for skill in skills))
