"""The radio between robots: how far it reaches, what it loses, and what it sends again.

A message goes out to each of its hearers by itself. What was not acknowledged is sent again at the next chance (the
next round of talk, the next step), a bounded number of times; numbers on messages keep copies from being heard twice.
With `resend=0` the radio is a bare one: what is lost is lost, and copies are heard. All of it is drawn from the seed.
"""

from __future__ import annotations

from dataclasses import fields

from coterie.core.errors import CoterieError
from coterie.core.frozen import frozen
from coterie.core.switches import switches
from coterie.core.world import Placed

NONE = "none"
MOST_TRIES = 1000
_WHOLE = {"resend": 2, "text": 1}  # properties that are whole numbers, with one that makes sense


@frozen
class Radio:
    """How messages between robots are lost, delayed or heard twice."""

    range: float = 0.0  # [m] beyond which nothing is heard; 0: it reaches everywhere
    loss: float = 0.0  # probability that a message, or its acknowledgement, is lost on one way
    delay: float = 0.0  # [s] that a message is under way
    duplicate: float = 0.0  # probability that a message arrives twice
    resend: int = 8  # how often what was not acknowledged is sent again
    text: int = 0  # 1: words alone travel, and no facts with them

    @property
    def sure(self) -> bool:
        """All that is said is heard, and at once: silence means that nothing was said."""
        return not (self.range or self.loss or self.delay)


def check_range(radio: Radio | None, world: object) -> None:
    if radio is not None and radio.range and not isinstance(world, Placed):
        raise CoterieError(
            "This world does not say how far robots are apart: leave range= out of --radio, or give it a method "
            "distance(a, b)."
        )


def _example(name: str) -> str:
    return f"a whole number, like {name}={_WHOLE[name]}" if name in _WHOLE else f"a number, like {name}=0.3"


def parse_radio(text: str) -> Radio | None:
    """`"loss=0.3,range=6"`, or `"none"` for one that never fails."""
    if text in ("", NONE):
        return None
    given: dict[str, float] = {}
    known = (f.name for f in fields(Radio))
    for name, value, typed in switches("--radio", text, "property of a radio", known, _example, (NONE,), _WHOLE):
        most = {"loss": 1.0, "duplicate": 1.0, "resend": MOST_TRIES, "text": 1}.get(name, 1e6)
        if not 0 <= value <= most:
            raise CoterieError(f"{typed}: it lies between 0 and {most:g}.")
        given[name] = value
    return Radio(**given)  # type: ignore[arg-type]
