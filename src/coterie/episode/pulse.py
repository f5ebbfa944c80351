"""The heartbeat: which teammates a robot knows to be alive, for free and at every moment.

`full` names exactly those who are here. With a range it names those who are that near, and `off` nobody: then a robot
knows who has been of its team (all who were there when it came, and whoever joined since), and has to find out for
itself who is not there any more.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from coterie.core.errors import CoterieError
from coterie.core.world import Placed

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
