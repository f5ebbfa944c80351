"""The ways of seeing, by name, as `--camera` has them."""

from __future__ import annotations

from collections.abc import Callable

from coterie.core.errors import CoterieError, unknown_name
from coterie.core.looking import VISION, VISION_JUDGED
from coterie.houses.model import House
from coterie.worlds.household.perception import MOST_ROOMS, Perception
from coterie.worlds.household.perception.geometric import Geometric
from coterie.worlds.household.perception.rendered import Rendered

USUAL = "geometric"
CAMERAS: dict[str, Callable[[House], Perception]] = {
    USUAL: Geometric,
    "rendered": Rendered,
    VISION: Rendered,
    VISION_JUDGED: Rendered,
}


def check_camera(name: str) -> str:
    """The name of a way of seeing; the usual one where nothing is said."""
    if name and name not in CAMERAS:
        raise unknown_name("camera", name, CAMERAS)
    return name or USUAL


def sight_of(house: House, camera: str = "") -> Perception:
    """Eyes for a house, made once and kept with it: `geometric` casts rays over the floor, `rendered` takes pictures
    and reads them."""
    name = check_camera(camera)
    kept: dict[str, Perception] = house.__dict__.setdefault("_sight", {})
    if len(house.rooms) > MOST_ROOMS:
        raise CoterieError(f"The house '{house.name}' has {len(house.rooms)} rooms; robots tell {MOST_ROOMS} apart.")
    if name not in kept:
        kept[name] = CAMERAS[name](house)
    return kept[name]
