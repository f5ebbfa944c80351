"""Switches for what goes wrong with robots' eyes: what is there is missed, what is not is seen, odometry drifts."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property

from coterie.core.errors import CoterieError
from coterie.core.switches import switches


@dataclass(frozen=True)
class Noise:
    """All 0 by default."""

    miss: float = 0.0  # probability that a thing in view is not detected at a look
    false: float = 0.0  # probability that a look shows a thing that is not there
    drift: float = 0.0  # by how much a step leads a robot to take itself to be elsewhere [m], standard deviation

    @cached_property
    def any(self) -> bool:
        return any(getattr(self, f.name) > 0 for f in fields(self))


#: In the order of what small robots with a detector report; a starting point, not a measurement.
REAL = Noise(miss=0.1, false=0.01, drift=0.005)


def parse_noise(text: str) -> Noise:
    """`"miss=0.1,drift=0.01"`, `"real"` or `"none"`."""
    if text in ("", "none"):
        return Noise()
    if text == "real":
        return REAL
    rates: dict[str, float] = {}
    known, example = (f.name for f in fields(Noise)), "a number, like {}=0.01".format
    for name, value, typed in switches("--noise", text, "kind of noise", known, example, also=("real", "none")):
        most, what = (0.1, "metres a step") if name == "drift" else (1.0, "as a probability")
        if not 0.0 <= value <= most:
            raise CoterieError(f"{typed}: take 0 to {most:g}, {what}.")
        rates[name] = value
    return Noise(**rates)
