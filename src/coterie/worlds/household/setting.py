"""What an episode in a house starts from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from coterie.houses.model import House


class Start(NamedTuple):
    """Where a robot begins, and which way it looks."""

    x: float
    y: float
    heading_deg: float = 0.0


@dataclass(frozen=True)
class Setting:
    """A house with every thing where it lies at first, and who begins where.

    `misplaced` are the things that lie where they do not belong. Nobody is told which, nor how many.
    """

    house: House
    starts: tuple[tuple[str, Start], ...] = ()  # robots that are not named begin anywhere
    misplaced: tuple[str, ...] = ()
