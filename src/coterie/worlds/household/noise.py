"""Switches for what goes wrong with robots' eyes: what is there is missed, what is not is seen, odometry drifts."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property

from coterie.core.errors import CoterieError, unknown_name


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
    known = [f.name for f in fields(Noise)]
    for part in filter(None, text.split(",")):
        key, _, value = part.partition("=")
        if key not in known:
            raise unknown_name("kind of noise", key, [*known, "real", "none"])
        try:
            rates[key] = float(value)
        except ValueError:
            raise CoterieError(f"--noise {part}: write a number, like {key}=0.01.") from None
        most, what = (0.1, "metres a step") if key == "drift" else (1.0, "as a probability")
        if not 0.0 <= rates[key] <= most:
            raise CoterieError(f"--noise {part}: take 0 to {most:g}, {what}.")
    return Noise(**rates)
