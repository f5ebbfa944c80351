"""The radio between robots, and the heartbeat by which they know that teammates are alive.

A message goes out to each of its hearers by itself. What was not acknowledged is sent again at the next chance (the
next round of talk, the next step), a bounded number of times; numbers on messages keep copies from being heard twice.
With `resend=0` the radio is a bare one: what is lost is lost, and copies are heard. All of it is drawn from the seed.

A `full` heartbeat names exactly those who are here. With a range it names those who are that near, and `off` nobody:
then a robot knows who has been of its team (all who were there when it came, and those that joined since), and has to
find out for itself who is not there any more.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
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


FULL, OFF = "full", "off"


def parse_heartbeat(text: str) -> float:
    """`"full"`, `"off"` or a range in metres, as the range it has; empty is full."""
    if text in ("", FULL):
        return math.inf
    if text == OFF:
        return 0.0
    try:
        range_m = float(text)
    except ValueError:
        range_m = -1.0
    if not 0.0 < range_m <= 1e6:
        raise CoterieError(f"--heartbeat {text:.40}: write off, full, or how far it reaches in metres, like 6.")
    return range_m


def check_heartbeat(range_m: float, world: object) -> None:
    if 0.0 < range_m < math.inf and not isinstance(world, Placed):
        raise CoterieError(
            "This world does not say how far robots are apart: write --heartbeat off or full, or give it a method "
            "distance(a, b)."
        )


def felt(range_m: float, world: object, robot: str, here: Sequence[str]) -> tuple[str, ...]:
    """Return the teammates whose heartbeat a robot receives now."""
    if range_m <= 0.0 or not isinstance(world, Placed):
        return ()
    far: Callable[[str, str], float | None] = world.distance
    return tuple(n for n in here if (apart := far(robot, n)) is not None and apart <= range_m)


def known(before: Sequence[str], here: Sequence[str]) -> tuple[str, ...]:
    """Return the team as a robot knows it without a full heartbeat: departures are not announced."""
    have = set(before)
    new = [n for n in here if n not in have]
    return (*before, *new)
