"""Stand poses for a house that a user described, and whether robots get everywhere in it.

Every complaint names the place and the fix.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from coterie.core.bounds import brief, is_word
from coterie.core.card import Card
from coterie.core.errors import CoterieError
from coterie.houses.model import Door, Furniture, Point, Rect, Room, meet, rect_corners
from coterie.houses.scene import Scene, dist
from coterie.motion import polygons

MOST_AREA_M2 = 10_000.0  # of the rectangle around a house: a million cells of its map, some 100 MB
STAND_GAP_M = 0.4  # from the edge of a piece of furniture to where a robot stands
STAND_RADIUS_M = 0.25  # stand poses are free for bodies of this radius: the widest that they are meant for
WALKER = Card("walker", "walker", "ground", (), "", footprint_m=STAND_RADIUS_M, height_m=1.2)


def finish(scene: Scene, described: bool = True) -> Scene:
    """Compute the stand poses that were left out, then check everything.

    `described`: by a person who can move what overlaps; files of others are taken as they are.
    """
    names = [f.name for f in scene.furniture] + [d.name for d in scene.doors] + [r.name for r in scene.rooms]
    for n in names:
        if names.count(n) > 1:
            raise CoterieError(f"the name '{n}' is used twice; every room, door and piece of furniture needs its own.")
        if not is_word(n):
            raise CoterieError(f"the name {brief(n)} must consist of letters, digits and _, and start with a letter.")
    _check_size(scene)
    if described:
        _check_walls(scene)
        _check_overlap(scene)
    if scene.work is not None and len(scene.places) < 2:
        raise CoterieError("a scene needs furniture besides the work table; add a [[furniture]].")
    if not scene.places:
        raise CoterieError("a scene needs furniture that is no `obstacle`; add a [[furniture]].")
    _check_work(scene)
    table = _with_stands(scene, _hub(scene), lambda p: True)
    planner = scene.nav(WALKER)

    def connected(p: Point) -> bool:
        return planner.linked(table.stands[0], p)

    placed = replace(scene, furniture=tuple(_with_stands(scene, f, connected) for f in scene.furniture), _nav={})
    _check_reachable(placed)
    return placed


def with_people(scene: Scene, people: Iterable[Furniture]) -> Scene:
    """The scene with further people in it, checked like one that a file describes."""
    return finish(replace(scene, furniture=(*scene.furniture, *people), _nav={}, fluents={}, begin={}))


def _hub(scene: Scene) -> Furniture:
    """The furniture from which everything else must be reachable."""
    return scene.piece[scene.work.table] if scene.work is not None else scene.places[0]


def _check_size(scene: Scene) -> None:
    """The map is a raster over all rooms; whatever lies between them counts, too."""
    x0, y0, x1, y1 = scene.box
    if (x1 - x0) * (y1 - y0) > MOST_AREA_M2:
        raise CoterieError(
            f"the rooms lie in a rectangle of {x1 - x0:.0f} x {y1 - y0:.0f} m; the most are {MOST_AREA_M2:,.0f} m2. "
            "Lengths are metres; put rooms that are far apart closer together."
        )


def _check_walls(scene: Scene) -> None:
    rooms = scene.room
    for i, a in enumerate(scene.rooms):
        for b in scene.rooms[i + 1 :]:
            plain = a.is_rect and b.is_rect
            if meet(a.rect, b.rect, -0.02) if plain else polygons.overlap(a.polygon, b.polygon, 0.02):
                what = "`rect`s" if plain else "outlines"
                raise CoterieError(f"the rooms '{a.name}' and '{b.name}' overlap; make their {what} meet at a wall.")
    for door in scene.doors:
        a, b = (rooms[n] for n in door.rooms)
        drawn = not (a.is_rect and b.is_rect)
        if a.wall_at(door.at) is None or b.wall_at(door.at) is None:
            raise CoterieError(
                f"door '{door.name}' at {list(door.at)} does not lie in the wall between '{door.rooms[0]}' and "
                f"'{door.rooms[1]}'; put `at` on the line where their {'outlines' if drawn else '`rect`s'} meet."
            )
        if drawn:
            _check_door_fits(door, (a, b))
    for f in scene.furniture:
        room = rooms[f.room]
        r = room.rect
        if not room.is_rect and not _inside(f.rect, room.polygon):
            raise CoterieError(
                f"furniture '{f.name}' reaches through the wall of '{f.room}': its `rect` {list(f.rect)} must lie "
                "within the room's `polygon`."
            )
        if f.rect[0] < r[0] - 1e-6 or f.rect[1] < r[1] - 1e-6 or f.rect[2] > r[2] + 1e-6 or f.rect[3] > r[3] + 1e-6:
            raise CoterieError(
                f"furniture '{f.name}' reaches through the wall of '{f.room}': its `rect` {list(f.rect)} must lie "
                f"within {list(r)}."
            )
        if f.base_m >= f.surface_m:
            raise CoterieError(f"furniture '{f.name}': `base_m` {f.base_m} must be below `height_m` {f.surface_m}.")


def _check_door_fits(door: Door, rooms: tuple[Room, Room]) -> None:
    for room in rooms:
        wall = room.wall_at(door.at)
        if wall is None or any(polygons.to_segment(p, *wall) > 0.02 for p in (door.a, door.b)):
            raise CoterieError(
                f"door '{door.name}' is {door.width_m} m wide and does not fit into that wall of '{room.name}'; "
                "move `at` away from the corner or lower `width_m`."
            )


def _inside(rect: Rect, polygon: tuple[Point, ...]) -> bool:
    x0, y0, x1, y1 = rect
    if not all(polygons.contains(polygon, c, 1e-6) for c in rect_corners(rect)):
        return False
    inner = (x0 + 1e-6, y0 + 1e-6, x1 - 1e-6, y1 - 1e-6)
    # A side of the room that runs through the rectangle: no point of it may lie inside.
    return not any(
        inner[0] < a[0] + (b[0] - a[0]) * k / 200 < inner[2] and inner[1] < a[1] + (b[1] - a[1]) * k / 200 < inner[3]
        for a, b in polygons.edges(polygon)
        for k in range(201)
    )


def _check_overlap(scene: Scene) -> None:
    for i, a in enumerate(scene.furniture):
        for b in scene.furniture[i + 1 :]:
            same_height = a.base_m < b.top_m and b.base_m < a.top_m
            if same_height and meet(a.rect, b.rect, -0.005):
                raise CoterieError(
                    f"furniture '{a.name}' and '{b.name}' overlap; move one so that their `rect`s do not meet."
                )


def _with_stands(scene: Scene, f: Furniture, connected: Callable[[Point], bool]) -> Furniture:
    if f.stands or not f.receptacle:
        return f
    stands = [p for p in free_sides(scene, f) if connected(p)]
    if not stands:
        raise CoterieError(
            f"furniture '{f.name}' has no free side to stand at that robots can get to: leave "
            f"{STAND_GAP_M + STAND_RADIUS_M + 0.1:.2f} m beside it, or give `stands = [[x, y]]`."
        )
    return replace(f, stands=tuple(stands[:4]))


def free_sides(scene: Scene, f: Furniture) -> list[Point]:
    """Where a robot could stand at a piece of furniture: once at a short side, twice at a long one, if that is free."""
    grid, home, gap = scene.nav(WALKER).grid, scene.room[f.room], STAND_GAP_M
    room = home.rect
    x0, y0, x1, y1 = f.rect

    def along(low: float, high: float) -> list[float]:
        length = high - low
        if length > 1.2:
            return [low + length * q for q in (0.25, 0.75)]
        return [(low + high) / 2]

    sides: list[Point] = []
    for x in along(x0, x1):
        sides += [(x, y0 - gap), (x, y1 + gap)]
    for y in along(y0, y1):
        sides += [(x0 - gap, y), (x1 + gap, y)]
    if f.base_m > WALKER.height_m:
        sides += [(x, y) for x in along(x0, x1) for y in along(y0, y1)]  # below a hanging shelf
    return [
        (round(p[0], 3), round(p[1], 3))
        for p in sides
        if room[0] < p[0] < room[2] and room[1] < p[1] < room[3] and home.contains(p) and grid.free(p)
    ]


def _check_work(scene: Scene) -> None:
    work = scene.work
    if work is None:
        return
    if work.table not in scene.piece:
        raise CoterieError(f"`work.table` names '{work.table}', which is not among the furniture.")
    if not scene.piece[work.table].receptacle:
        raise CoterieError(f"the work table '{work.table}' cannot be an `obstacle`.")
    if scene.piece[work.table].opens:
        raise CoterieError(f"the work table '{work.table}' cannot be a container; leave `opens` out.")
    rect = scene.piece[work.table].rect
    for key, p in (("arm", work.arm), ("platform", work.platform)):
        if not (rect[0] <= p[0] <= rect[2] and rect[1] <= p[1] <= rect[3]):
            raise CoterieError(f"`work.{key}` {list(p)} must lie on '{work.table}', within {list(rect)}.")
    apart = dist(work.arm, work.platform)
    if not 0.25 <= apart <= 0.7:
        raise CoterieError(
            f"`work.platform` {list(work.platform)} is {apart:.2f} m from `work.arm`; put it 0.25 to 0.70 m away, "
            "where the arm reaches it."
        )


def _check_reachable(scene: Scene) -> None:
    """All stand poses must be free and connected when every door is open."""
    planner = scene.nav(WALKER)
    hub = _hub(scene)
    start = hub.stands[0]
    for f in scene.furniture:
        for i, stand in enumerate(f.stands):
            if not planner.grid.free(stand):
                raise CoterieError(
                    f"stand pose {i} of '{f.name}' at {list(stand)} falls on an obstacle or outside the rooms; "
                    f"keep {STAND_RADIUS_M + 0.05:.2f} m away from walls and furniture."
                )
            if not planner.linked(start, stand):
                raise CoterieError(
                    f"stand pose {i} of '{f.name}' at {list(stand)} cannot be reached from '{hub.name}'; "
                    "is a door missing, or a passage narrower than 0.6 m?"
                )
