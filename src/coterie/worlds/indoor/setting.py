"""The start of an episode of the indoor world: a scene with platforms and things in it, and rates of accidents."""

from __future__ import annotations

from functools import cached_property

from coterie.core.frozen import frozen
from coterie.core.switches import Rates
from coterie.houses.model import Point
from coterie.houses.scene import Scene


@frozen
class Platform:
    """Something on the work table that things are put on or into."""

    name: str
    kind: str  # "tray", "panel", "board"
    on: str
    centre: Point
    height_m: float
    capacity: int
    colour: str = ""


@frozen
class Thing:
    """Something that robots carry."""

    name: str
    kind: str
    mass_kg: float = 0.2
    colour: str = ""
    shape: str = ""
    holds: int = 0  # how many things can lie in it: a caddy or a tray that is carried


@frozen
class Setting:
    """A scene with the platforms of a task on its work table and things in their first places."""

    scene: Scene
    platforms: tuple[Platform, ...]
    things: tuple[tuple[Thing, str, tuple[float, float, float]], ...]  # (thing, place, spot)
    starts: tuple[tuple[str, Point], ...] = ()  # where mobile robots begin; by default beside the work table

    @cached_property
    def holders(self) -> tuple[tuple[str, int], ...]:
        """Things that hold things, and how many each."""
        return tuple((t.name, t.holds) for t, _, _ in self.things if t.holds)


@frozen
class Noise(Rates):
    """Probabilities, all 0 by default."""

    miss: float = 0.0  # a thing in view is not detected at this look
    misjudge: float = 0.0  # the result of a pick or place is judged wrongly
    slip: float = 0.0  # a grasp slips
    misplace: float = 0.0  # a thing is set down beside its platform
    drift: float = 0.0  # navigation ends off the target pose


#: Rates in the order of what small real teams report; a starting point, not a measurement.
Noise.real = Noise(miss=0.05, misjudge=0.03, slip=0.08, misplace=0.05, drift=0.05)
