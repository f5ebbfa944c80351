"""A robot card: what a body can do. It drives the simulation, the allocation and the prompt."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from coterie.core.frozen import frozen
from coterie.core.lazy import lazy

MOBILITIES = ("fixed", "ground", "air")
MOST_ABOUT = 300
PERSON = "Person"  # the body of a human in the team
_CAMERA = ("camera_m", "fov_deg", "sight_m", "tilt_low_deg", "tilt_high_deg")  # written only where there is one


@frozen
class Card:
    """A robot card: the abilities of a body."""

    body: str
    name: str  # the name a team gives this body unless told otherwise
    mobility: str  # one of MOBILITIES
    skills: tuple[str, ...]
    about: str  # one sentence for people and prompts; prompts show MOST_ABOUT characters of it
    footprint_m: float = 0.25  # radius
    height_m: float = 1.0  # of the body on the ground; of flight in the air
    speed_mps: float = 0.8
    reach_m: float = 0.0  # from the shoulder to what is taken; 0 without an arm
    reach_low_m: float = 0.0
    reach_high_m: float = 1.3
    shoulder_m: float = 0.8  # height of the arm's base above the floor
    payload_kg: float = 0.0  # the heaviest thing it takes up; 0: it takes none
    camera_high_m: float = 1.7  # highest surface it can look onto
    battery_steps: int | None = None  # actions before the battery is flat; None: as long as it takes
    camera_m: float | None = None  # height of the camera above the floor, in worlds that look through one; and of it:
    fov_deg: float | None = None  # the field of view, as wide as high
    sight_m: float | None = None  # how far it tells things apart
    tilt_low_deg: float | None = None  # how far it looks down, as a negative angle,
    tilt_high_deg: float | None = None  # and up

    @lazy
    def manipulates(self) -> bool:
        """Whether it takes things up, by whatever skill its world has for that."""
        return self.payload_kg > 0

    @property
    def person(self) -> bool:
        """Whether it is that of a human in the team, who is asked for every step and does it in their own time."""
        return self.body == PERSON

    @lazy
    def moves(self) -> bool:
        return self.mobility != "fixed"

    def gap(self, pose: tuple[float, float], spot: tuple[float, float, float]) -> float:
        """From the shoulder, with the base at `pose`, to a point [m]."""
        return math.sqrt((pose[0] - spot[0]) ** 2 + (pose[1] - spot[1]) ** 2 + (self.shoulder_m - spot[2]) ** 2)

    def to_json(self) -> dict[str, Any]:
        return dict(self._json)

    @lazy
    def _json(self) -> dict[str, Any]:
        """Made once: cards stand in every log, and `asdict` looks into everything."""
        return {k: v for k, v in asdict(self).items() if v is not None or k not in _CAMERA}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Card:
        """A card from what its `to_json` gave."""
        return cls(**{**data, "skills": tuple(data["skills"])})
