"""A house of others as a scene: stand poses where robots find some, and a work table for the fixed arm.

ProcTHOR's files name neither. Furniture that nobody can stand at becomes an obstacle, and the largest table of a usual
height with room to stand on two sides becomes the work table. What lies about in the house is left out: tasks bring
their own things.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from coterie.core.errors import CoterieError
from coterie.houses.checks import WALKER, finish, free_sides
from coterie.houses.model import Furniture, House, Point, Work
from coterie.houses.procthor.items import snake
from coterie.houses.scene import Scene

OPENABLE = frozenset({"Fridge", "Safe", "WashingMachine", "ClothesDryer"})
TABLES = ("DiningTable", "Desk", "CounterTop", "CoffeeTable", "SideTable", "TVStand", "Dresser")  # the better first
LOWEST_M, HIGHEST_M = 0.4, 1.1  # of a surface that the arm works on
LEAST_M, NARROWEST_M = 1.0, 0.55  # of its sides
ARM_M, TRAY_M = 0.15, 0.2  # from the edge of the table
NEEDS = (
    f"a table along the walls' directions, {LEAST_M:g} x {NARROWEST_M:g} m or larger and {LOWEST_M:g} to "
    f"{HIGHEST_M:g} m high, that robots can stand at from two sides"
)


def scene_from(house: House) -> Scene:
    """The scene of a house that was read from ProcTHOR's JSON or generated in that format."""
    doors = tuple(d for d in house.doors if d.rooms[1])
    rooms = tuple(replace(r, kind=snake(r.kind).replace("_", " ")) for r in house.rooms)
    scene = Scene.of(replace(house, rooms=rooms, doors=doors, furniture=_named(house), things=()))
    reached = _together(scene, {f.name: free_sides(scene, f) for f in scene.furniture if f.receptacle})
    if not any(reached.values()):
        raise CoterieError(f"The house '{house.name}' has no furniture that a robot could stand at.")
    furniture = tuple(
        replace(f, receptacle=bool(reached.get(f.name)), stands=tuple(reached.get(f.name, ())[:4]))
        for f in scene.furniture
    )
    lost = [name for name, poses in reached.items() if not poses]
    notes = list(house.notes)
    notes += [f"Robots cannot stand at {name}; nothing lies there, and they go round it." for name in lost]
    if house.things:
        notes.append(f"The {len(house.things)} things of the house are left out: the task brings its own.")
    table = _table(house, scene, reached)
    work = _work(table) if table is not None else None
    return finish(replace(Scene.of(scene), furniture=furniture, notes=tuple(notes), work=work), described=False)


def _together(scene: Scene, stands: Mapping[str, Sequence[Point]]) -> dict[str, list[Point]]:
    """The stand poses that robots can go between: those of the region with the most furniture."""
    planner, regions = scene.nav(WALKER), list[dict[str, list[Point]]]()
    for name, poses in stands.items():
        for p in poses:
            own = next((r for r in regions if planner.linked(next(iter(r.values()))[0], p)), None)
            if own is None:
                regions.append(own := {})
            own.setdefault(name, []).append(p)
    largest = max(regions, key=len, default={})
    return {name: largest.get(name, []) for name in stands}


def _named(house: House) -> tuple[Furniture, ...]:
    """Furniture with its kind in words, and whether it opens."""
    return tuple(
        replace(f, kind=snake(f.kind).replace("_", " "), opens=f.receptacle and f.kind in OPENABLE)
        for f in house.furniture
    )


def _table(house: House, scene: Scene, stands: Mapping[str, Sequence[Point]]) -> Furniture | None:
    """The best work table: by kind first, then by size."""
    found = []
    for f in scene.furniture:
        kind, (short, long) = house.piece[f.name].kind, sorted(f.size[:2])
        fits = f.square and short >= NARROWEST_M and long >= LEAST_M and LOWEST_M <= f.surface_m <= HIGHEST_M
        if fits and kind in TABLES and len(stands.get(f.name, ())) >= 2:
            found.append((TABLES.index(kind), -short * long, f.name))
    return scene.piece[min(found)[2]] if found else None


def _work(table: Furniture) -> Work:
    """The arm at a quarter of the long side, the tray across from it and a little further along."""
    x0, y0, x1, y1 = table.rect
    along_x = x1 - x0 >= y1 - y0
    low, high, near, far = (x0, x1, y0, y1) if along_x else (y0, y1, x0, x1)
    arm = (low + (high - low) / 4, far - ARM_M)
    tray = (min(arm[0] + 0.4, high - TRAY_M), max(near + TRAY_M, arm[1] - 0.45))
    points = [tuple(round(v, 3) for v in (p if along_x else p[::-1])) for p in (arm, tray)]
    return Work(table.name, (points[0][0], points[0][1]), (points[1][0], points[1][1]))
