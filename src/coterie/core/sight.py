"""A robot's report of what it perceives: where it is, what it sees, what it holds.

Positions are in the frame of the map [m].
"""

from __future__ import annotations

import base64
import math
import struct
from typing import Any, NamedTuple

from coterie.core.bounds import MOST_WORD, brief
from coterie.core.errors import CoterieError

MOST_THINGS = 500
MOST_PICTURE = 400_000  # characters
FAR_M = 1e5  # no house is that large


class Detection(NamedTuple):
    """One thing that a robot sees."""

    kind: str  # like "bowl"
    at: tuple[float, float, float]
    name: str = ""  # which one of its kind, where the robot can tell (a tag on it)
    mass_kg: float | None = None


class Picture(NamedTuple):
    """A picture of a robot's camera, and where that was."""

    png: str  # base64
    at: tuple[float, float, float]  # of the camera, in the frame of the map [m]
    heading_deg: float  # counter-clockwise from the x axis
    tilt_deg: float = 0.0  # down: negative
    fov_deg: float = 60.0  # from its left edge to its right
    places: tuple[str, ...] = ()  # furniture that it shows whole: what is not named there is not there

    def size(self) -> tuple[int, int]:
        """How wide and high it is [pixels]; (0, 0) for what is not a PNG."""
        try:
            head = base64.b64decode(self.png[:32], validate=True)
        except ValueError:
            return (0, 0)
        return struct.unpack(">II", head[16:24]) if head.startswith(b"\x89PNG\r\n\x1a\n") else (0, 0)

    def is_sound(self) -> bool:
        angles = (self.heading_deg, self.tilt_deg, self.fov_deg)
        text = isinstance(self.png, str) and len(self.png) <= MOST_PICTURE and self.png.isascii()
        numbers = _is_point(self.at, 3) and all(_is_number(a, 360.0) for a in angles) and 0 < self.fov_deg < 180
        places = isinstance(self.places, tuple) and all(_is_word(place) for place in self.places)
        return text and numbers and places and min(self.size()) > 0


class Sight(NamedTuple):
    """The perception of a robot at one moment. Fields that are left out say nothing: the last report stands."""

    pose: tuple[float, float] | None = None
    things: tuple[Detection, ...] = ()
    places: tuple[str, ...] = ()  # furniture seen whole: what is not among `things` is not there; floor@NAME: beside it
    open: tuple[tuple[str, bool], ...] = ()  # containers and doors
    holds: str | None = None  # the kind or name of what is in the gripper; "": nothing; None: it cannot tell
    battery: float | None = None  # what is left, from 0 to 1
    people: tuple[tuple[str, tuple[float, float]], ...] = ()  # who, and where
    picture: Picture | None = None  # for a model that says what it shows (--camera vision)
    heading_deg: float | None = None  # where it looks, counter-clockwise from the x axis, and how far up
    tilt_deg: float | None = None

    def check(self) -> Sight:
        """This report, if it is one that can be believed; a sentence says what is wrong with it."""
        if self.pose is not None and not _is_point(self.pose, 2):
            raise CoterieError(f"A pose is two numbers [m], not {brief(self.pose)}.")
        if not all(a is None or _is_number(a, 360.0) for a in (self.heading_deg, self.tilt_deg)):
            raise CoterieError("A heading and a tilt are numbers of degrees.")
        if len(self.things) > MOST_THINGS:
            raise CoterieError(f"A robot reports {len(self.things)} things at once; at most {MOST_THINGS} are heard.")
        for thing in self.things:
            if not isinstance(thing, Detection) or not _is_word(thing.kind) or not _is_point(thing.at, 3):
                raise CoterieError(f"A thing has a kind and a position of three numbers [m]: {brief(thing)}.")
            if thing.name and not _is_word(thing.name):
                raise CoterieError(f"{brief(thing.name)} is not the name of a thing.")
            if thing.mass_kg is not None and not _is_number(thing.mass_kg, 1e4):
                raise CoterieError(f"{brief(thing.mass_kg)} is not a mass [kg].")
        if not all(_is_word(place) for place in self.places):
            raise CoterieError("Places are names of furniture.")
        if not all(_is_pair(row) and isinstance(row[1], bool) for row in self.open):
            raise CoterieError("What is open is a name with True or False.")
        if self.holds and not _is_word(self.holds):
            raise CoterieError(f"{brief(self.holds)} is not the kind or name of a thing.")
        if self.battery is not None and not (_is_number(self.battery, 1.0) and self.battery >= 0):
            raise CoterieError(f"{brief(self.battery)} is not the share of a battery, from 0 to 1.")
        if not all(_is_pair(row) and _is_point(row[1], 2) for row in self.people):
            raise CoterieError("People are names with two numbers [m].")
        if self.picture is not None and not (isinstance(self.picture, Picture) and self.picture.is_sound()):
            raise CoterieError(f"A picture is a PNG of at most {MOST_PICTURE:,} characters of base64, with a camera.")
        return self

    def like(self, other: Sight, far_m: float) -> bool:
        """Whether two reports say the same, but for positions that differ by less than `far_m`."""
        if self._replace(pose=None, things=()) != other._replace(pose=None, things=()):
            return False
        if (self.pose is None) != (other.pose is None) or len(self.things) != len(other.things):
            return False
        if self.pose is not None and other.pose is not None and math.dist(self.pose, other.pose) >= far_m:
            return False
        return all(
            (a.kind, a.name, a.mass_kg) == (b.kind, b.name, b.mass_kg) and math.dist(a.at, b.at) < far_m
            for a, b in zip(sorted(self.things), sorted(other.things), strict=True)
        )

    def to_json(self) -> dict[str, Any]:
        """The fields that say something, as the log keeps them."""
        said = {**self._asdict(), "things": tuple([tuple(t) for t in self.things])}
        return {k: v for k, v in said.items() if v is not None and v != ()}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Sight:
        try:
            tuples = {k: _tuples(v) for k, v in data.items()}
            if "picture" in tuples:
                tuples["picture"] = Picture(*tuples["picture"])
            return cls(**{**tuples, "things": tuple(Detection(*t) for t in tuples.get("things", ()))}).check()
        except TypeError as err:
            raise CoterieError(f"What a robot perceived cannot be read: {brief(data)}.") from err


def _tuples(value: Any) -> Any:
    return tuple(_tuples(v) for v in value) if isinstance(value, (list, tuple)) else value


def _is_word(text: Any) -> bool:
    return isinstance(text, str) and 0 < len(text) <= MOST_WORD and text.isprintable()


def _is_number(value: Any, most: float) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and -most <= value <= most


def _is_point(value: Any, size: int) -> bool:
    return isinstance(value, tuple) and len(value) == size and all(_is_number(v, FAR_M) for v in value)


def _is_pair(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and _is_word(value[0])
