"""What an episode of the indoor world starts from: a scene with a task's platforms and things in it."""

from __future__ import annotations

from functools import cached_property

from coterie.core.frozen import frozen
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
