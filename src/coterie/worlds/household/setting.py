"""The start of an episode in a house: the house, where robots begin, the length of their steps, and camera noise."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import NamedTuple

from coterie.core.errors import CoterieError
from coterie.core.switches import Rates, switches
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


@dataclass(frozen=True)
class Steps:
    move: float = 0.25  # [m]
    turn: float = 90.0  # [deg]
    tilt: float = 30.0  # [deg]
    reach: float = 1.5  # [m], on the floor, from the middle of a robot to what it takes or where it puts something

    def text(self) -> str:
        """As people type it: what is not as usual."""
        usual = Steps()
        own = [(f.name, getattr(self, f.name)) for f in fields(self) if getattr(self, f.name) != getattr(usual, f.name)]
        return ",".join(f"{name}={value:g}" for name, value in own)


_LIMITS = {
    "move": (0.05, 1.0, "m"),
    "turn": (5.0, 90.0, "degrees"),
    "tilt": (5.0, 90.0, "degrees"),
    "reach": (0.3, 3.0, "m"),
}


def _example(name: str) -> str:
    return f"a number, like {name}={getattr(Steps, name):g}"


def parse_steps(text: str) -> Steps:
    """`"move=0.25,turn=90,tilt=30,reach=1.5"`; what is left out is as usual."""
    given: dict[str, float] = {}
    for name, value, typed in switches("--steps", text, "kind of step", _LIMITS, _example):
        low, high, unit = _LIMITS[name]
        if not low <= value <= high:
            raise CoterieError(f"{typed}: take {low:g} to {high:g} {unit}.")
        given[name] = value
    steps = Steps(**given)
    if abs(90.0 / steps.turn - round(90.0 / steps.turn)) > 1e-9:
        raise CoterieError(
            f"--steps turn={steps.turn:g}: a whole number of turns must make 90 degrees, like 90, 45 or 30."
        )
    return steps


@dataclass(frozen=True)
class Noise(Rates):
    """Error rates of cameras and steps."""

    lengths = {"drift": 0.1}

    miss: float = 0.0  # probability that a thing in view is not detected at a look
    false: float = 0.0  # probability that a look shows a thing that is not there
    drift: float = 0.0  # by how much a step leads a robot to take itself to be elsewhere [m], standard deviation


#: In the order of what small robots with a detector report; a starting point, not a measurement.
Noise.real = Noise(miss=0.1, false=0.01, drift=0.005)
