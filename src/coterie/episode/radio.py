"""The radio between robots: how far it reaches, what it loses, and what it sends again.

A message goes out to each of its hearers by itself. What was not acknowledged is sent again at the next chance (the
next round of talk, the next step), a bounded number of times; numbers on messages keep copies from being heard twice.
With `resend=0` the radio is a bare one: what is lost is lost, and copies are heard. All of it is drawn from the seed.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from coterie.core.errors import CoterieError, unknown_name
from coterie.core.world import Placed

NONE = "none"
MOST_TRIES = 1000


@dataclass(frozen=True)
class Radio:
    range: float = 0.0  # [m] beyond which nothing is heard; 0: it reaches everywhere
    loss: float = 0.0  # probability that a message, or its acknowledgement, is lost on one way
    delay: float = 0.0  # [s] that a message is under way
    duplicate: float = 0.0  # probability that a message arrives twice
    resend: int = 8  # how often what was not acknowledged is sent again


def check_range(radio: Radio | None, world: object) -> None:
    if radio is not None and radio.range and not isinstance(world, Placed):
        raise CoterieError(
            "This world does not say how far robots are apart: leave range= out of --radio, or give it a method "
            "distance(a, b)."
        )


def parse_radio(text: str) -> Radio | None:
    """`"loss=0.3,range=6"`, or `"none"` for one that never fails."""
    if text in ("", NONE):
        return None
    known = [f.name for f in fields(Radio)]
    given: dict[str, float] = {}
    for part in filter(None, text.split(",")):
        key, _, value = part.partition("=")
        if key not in known:
            raise unknown_name("property of a radio", key, [*known, NONE])
        try:
            given[key] = int(value) if key == "resend" else float(value)
        except ValueError:
            kind = "a whole number" if key == "resend" else "a number"
            raise CoterieError(f"--radio {part}: write {kind}, like {key}={2 if key == 'resend' else 0.3}.") from None
        most = {"loss": 1.0, "duplicate": 1.0, "resend": MOST_TRIES}.get(key, 1e6)
        if not 0 <= given[key] <= most:
            raise CoterieError(f"--radio {part}: it lies between 0 and {most:g}.")
    return Radio(**given)  # type: ignore[arg-type]
