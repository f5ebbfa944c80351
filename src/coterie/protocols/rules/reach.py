"""How much of a piece of furniture arms reach: what is to be brought lies where a robot can take it."""

from __future__ import annotations

from typing import Any

from coterie.core.card import Card
from coterie.protocols.shared.reading import Reading

PARTS = 5  # of a surface to each side


def within_reach(r: Reading, card: Card, furniture: str, stand: str) -> frozenset[int]:
    """The parts of a piece of furniture that an arm reaches from one of its sides."""

    def parts() -> frozenset[int]:
        rect: Any = r.look("rect", furniture)
        pose: Any = r.look("stand_pose", furniture, stand)
        height: Any = r.look("height", furniture)
        x0, y0, x1, y1 = rect
        middles = [(i + 0.5) / PARTS for i in range(PARTS)]
        spots = [(x0 + a * (x1 - x0), y0 + b * (y1 - y0), height) for a in middles for b in middles]
        return frozenset(i for i, spot in enumerate(spots) if card.gap(pose, spot) <= card.reach_m)

    found: frozenset[int] = r.places.worked_out(("reached", id(card), furniture, stand), card, parts)
    return found


def at_once(r: Reading, robot: str, furniture: str) -> float:
    """The share of a piece of furniture that a robot's arm reaches from its best side."""
    card = r.cards[robot]
    if not card.manipulates:
        return 0.0
    return max([len(within_reach(r, card, furniture, s)) for s, _ in r.places.stands[furniture]], default=0) / PARTS**2


def likely(r: Reading, furniture: str) -> float:
    """The share of a piece of furniture that a robot of the team reaches from one side or another; all of it where
    nobody is there who takes anything."""
    cards = [r.cards[n] for n in r.carriers]

    def share() -> float:
        height, sides = r.places.height[furniture], r.places.stands[furniture]
        able = [c for c in cards if c.reach_low_m <= height <= min(c.reach_high_m, c.camera_high_m)]
        return len({part for c in able for s, _ in sides for part in within_reach(r, c, furniture, s)}) / PARTS**2

    return r.places.worked_out(("likely", tuple(map(id, cards)), furniture), cards, share) if cards else 1.0
