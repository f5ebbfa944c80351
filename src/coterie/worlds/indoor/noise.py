"""Switches for what goes wrong on real robots (perception, judgement, grasp, placement, navigation)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property

from coterie.core.errors import CoterieError, unknown_name


@dataclass(frozen=True)
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
    rates: dict[str, float] = {}
    known = [f.name for f in fields(Noise)]
    for part in filter(None, text.split(",")):
        key, _, value = part.partition("=")
        if key not in known:
            raise unknown_name("kind of noise", key, [*known, "real", "none"])
        try:
            rates[key] = float(value)
        except ValueError:
            raise CoterieError(f"--noise {part}: write a probability, like {key}=0.1.") from None
        if not 0.0 <= rates[key] <= 1.0:
            raise CoterieError(f"--noise {part}: a probability lies between 0 and 1.")
    return Noise(**rates)
