"""Camera views of a house: the one interface between the world and the back ends that stand in for its eyes.

The geometric back end casts rays (`geometric.py`); others render pictures and read them. All of them are told how the
house stands now and from where it is looked at, and give `Detections`. Angles in degrees: a heading of 0 looks along x,
90 along y; a tilt is positive upwards. Positions are true ones: a robot that takes itself to be elsewhere moves them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from coterie.core.area import NOTHING, Patch
from coterie.core.card import Card
from coterie.houses.model import House

Spot = tuple[float, float, float]

CELL_M = 0.125  # of the ground that robots know; cell (x, y) reaches from x * CELL_M to (x + 1) * CELL_M
BLOCKED = 255  # the number of a cell through which nobody goes: a wall, furniture
FIRST_ROOM = 1  # the number of a cell of the first room's floor; that of the second is one more, and so on
MOST_ROOMS = BLOCKED - FIRST_ROOM - 1
UPPER = 0.75  # of the height of a thing or a robot: what of it must be seen


class Eye(NamedTuple):
    """Where a camera stands and looks."""

    x: float
    y: float
    heading_deg: float
    tilt_deg: float


class Camera(NamedTuple):
    """The camera of a robot."""

    height_m: float
    fov_deg: float  # as wide as high
    range_m: float  # things are told apart so far from the lens; the ground is known so far on the floor


def camera_of(card: Card) -> Camera:
    """The camera on a card; the usual one where it says nothing."""
    return Camera(card.camera_m or 1.6, card.fov_deg or 90.0, card.sight_m or 5.0)


class Lying(NamedTuple):
    """Where a thing lies that is not where the house had it."""

    on: str  # a piece, or FLOOR
    spot: Spot  # the middle of its underside


class Standing(NamedTuple):
    """A robot as others see it: an upright cylinder."""

    x: float
    y: float
    radius_m: float
    height_m: float


class Scene(NamedTuple):
    """The house as it stands now. `moved` are things that are not at their first place; None: in a hand."""

    house: House
    moved: Mapping[str, Lying | None]
    robots: Mapping[str, Standing]

    def lying(self, thing: str) -> Lying | None:
        """Where a thing lies; None for one in a hand."""
        if thing in self.moved:
            return self.moved[thing]
        first = self.house.thing[thing]
        return Lying(first.on, first.spot)


class Seen(NamedTuple):
    """A thing as it was detected."""

    name: str
    on: str  # the piece it lies on, or FLOOR
    spot: Spot


class Detections(NamedTuple):
    """The result of one look. Names are the house's; `area` is the floor and what blocks it, cell by cell."""

    things: Sequence[Seen] = ()
    pieces: Sequence[str] = ()
    doors: Sequence[str] = ()
    robots: Sequence[str] = ()
    area: Patch = NOTHING


class Perception(Protocol):
    """A back end: made once for a house, asked at every step."""

    def look(self, scene: Scene, eye: Eye, camera: Camera, me: str = "") -> Detections:
        """The detections of a camera; `me` is the robot that carries it, which does not see itself."""

    def shows(self, scene: Scene, eye: Eye, camera: Camera, points: Sequence[Spot], me: str = "") -> Sequence[bool]:
        """For each point, True if it would be seen: what is not there any more is noticed so."""
