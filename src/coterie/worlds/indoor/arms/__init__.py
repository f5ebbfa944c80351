"""Arms that plan: whether a posture and a path lead to a thing, among what stands around it."""

from __future__ import annotations

from typing import NamedTuple

FREE, NO_POSTURE, NO_FREE_POSTURE, NO_PATH = "a path", "no posture", "no free posture", "no path"


class Found(NamedTuple):
    """The result of planning an arm's path to a thing or a place."""

    what: str  # one of the four above
    touches: str = ""  # what is in the way of the posture
    spot: tuple[float, float, float] | None = None  # where a placed thing comes to lie
