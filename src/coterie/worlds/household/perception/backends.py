"""The ways of seeing, by name, as `--camera` has them."""

from __future__ import annotations

from collections.abc import Callable

from coterie.core.errors import unknown_name
from coterie.worlds.household.house import House
from coterie.worlds.household.perception import Perception
from coterie.worlds.household.perception.geometric import Geometric
from coterie.worlds.household.perception.rendered import Rendered

CAMERAS: dict[str, Callable[[House], Perception]] = {"geometric": Geometric, "rendered": Rendered}


def back_end(name: str, house: House) -> Perception:
    """Eyes for a house: `geometric` casts rays over the floor, `rendered` takes pictures and reads them."""
    if name not in CAMERAS:
        raise unknown_name("camera", name, CAMERAS)
    return CAMERAS[name](house)
