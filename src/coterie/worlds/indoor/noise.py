"""Switches for what goes wrong on real robots (perception, judgement, grasp, placement, navigation)."""

from __future__ import annotations

from dataclasses import fields
from functools import cached_property

from coterie.core.frozen import frozen
from coterie.core.switches import probabilities


@frozen
class Noise:
    """Probabilities, all 0 by default."""

    miss: float = 0.0  # a thing in view is not detected at this look
    misjudge: float = 0.0  # the result of a pick or place is judged wrongly
    slip: float = 0.0  # a grasp slips
    misplace: float = 0.0  # a thing is set down beside its platform
    drift: float = 0.0  # navigation ends off the target pose

    @cached_property
    def any(self) -> bool:
        return any(getattr(self, f.name) > 0 for f in fields(self))


#: Rates in the order of what small real teams report; a starting point, not a measurement.
REAL = Noise(miss=0.05, misjudge=0.03, slip=0.08, misplace=0.05, drift=0.05)


def parse_noise(text: str) -> Noise:
    """`"slip=0.1,miss=0.05"`, `"real"` or `"none"`."""
    if text in ("", "none"):
        return Noise()
    if text == "real":
        return REAL
    rates = probabilities(text, (f.name for f in fields(Noise)))
    return Noise(**rates)
