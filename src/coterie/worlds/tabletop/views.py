"""From where a job is shown: a camera that no arm stands before, and a close-up of what hands are at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from coterie.core.errors import CoterieError, unknown_name
from coterie.worlds.tabletop.declared import JOBS, in_tuples
from coterie.worlds.tabletop.job import Xyz

CLOSE = "close"
#: Cameras by name, as azimuth and elevation in degrees; seen from the front one looks along +y.
NAMED: Mapping[str, tuple[float, float]] = {
    "front": (90.0, -35.0),
    "back": (-90.0, -35.0),
    "left": (30.0, -35.0),
    "right": (150.0, -35.0),
    "top": (90.0, -80.0),
}


class View(NamedTuple):
    """The whole table, and the close-up: where the result is, which it looks at when all is over, after it went where
    hands work; from where, and how far [m, degrees]."""

    azimuth: float
    elevation: float
    at: Xyz
    distance: float
    from_azimuth: float
    from_elevation: float
    places_close: bool = False  # whether names of places stand in the close-up, where they are too near each other
    stays: bool = False  # whether it stays where hands worked last, since the result is as wide as the table
    stacks: bool = False  # whether things come to lie on each other, and do so for good
    last: tuple[float, float] | None = None  # elevation and distance of the result alone, where these are others


VIEWS = {name: View(**in_tuples(job["view"])) for name, job in JOBS.items()}
ANY = View(90, -35, (0.0, 0.5, 0.2), 1.5, 90, -60)
WIDE = View(90, -52, (0.0, 0.5, 0.2), 0.8, 90, -50, stays=True, last=(-70, 1.95))  # of a job of a file


def view_of(job: str, shown: Mapping[str, Any] = {}) -> View:
    """The view of a job that has a name here, else what its log says of it."""
    if job in VIEWS or not shown:
        return VIEWS.get(job, ANY)
    own = View(*shown["view"]) if shown.get("view") else WIDE
    return own._replace(stacks=bool(shown.get("stacks")))


def angles(text: str, own: View) -> tuple[float, float] | None:
    """The azimuth and elevation that `--camera` asks for; None: the close-up fills the picture."""
    if not text:
        return own.azimuth, own.elevation
    if text == CLOSE:
        return None
    if text in NAMED:
        return NAMED[text]
    first, comma, second = text.partition(",")
    try:
        turn, tilt = float(first), float(second)
    except ValueError:
        if comma:
            raise CoterieError(f"--camera {text}: write AZIMUTH,ELEVATION in degrees, like 60,-40.") from None
        raise unknown_name("camera of a table", text, [*NAMED, CLOSE, "AZIMUTH,ELEVATION"]) from None
    if not (-360 <= turn <= 360 and -89 <= tilt <= -1):
        raise CoterieError(f"--camera {text}: the azimuth lies within 360 degrees, the elevation between -89 and -1.")
    return turn, tilt
