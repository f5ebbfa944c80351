"""Scenes from files that people write, checked so that every complaint names the place and the fix."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from coterie.core.bounds import brief, is_word
from coterie.core.card import Card
from coterie.core.errors import CoterieError
from coterie.core.reader import Reader, load_toml
from coterie.motion import polygons
from coterie.motion.grid import Point
from coterie.worlds.indoor.scenes.scene import (
    PERSON,
    STAND_GAP_M,
    STAND_RADIUS_M,
    Door,
    Furniture,
    Rect,
    Room,
    Scene,
    Work,
    dist,
)

#: Stand poses are checked for this body: the widest ground footprint they are meant for.
PERSON_M = 0.4  # how wide somebody is who stands in the house
SMALLEST_ROOM_M2 = 1.0  # of a polygon
MOST_ROOMS, MOST_PIECES = 200, 500
MOST_CORNERS = 100  # of a polygon
MOST_STANDS = 16  # beside one piece of furniture
MOST_SIDE_M = 20.0  # of a piece of furniture
MOST_AREA_M2 = 10_000.0  # of the rectangle around a house: a million cells of its map, some 100 MB
WALKER = Card("walker", "walker", "ground", (), "", footprint_m=STAND_RADIUS_M, height_m=1.2)


def load_scene(path: Path) -> Scene:
    r = Reader(load_toml(path, "scene"), str(path))
    name = r.text("name", default=path.stem)
    rooms = tuple(_room(t) for t in r.tables("room", MOST_ROOMS))
    if not rooms:
        raise r.fail("a scene needs at least one [[room]].")
    doors = tuple(_door(t, [x.name for x in rooms]) for t in r.tables("door", MOST_PIECES))
    furniture = tuple(_furniture(t, rooms) for t in r.tables("furniture", MOST_PIECES))
    furniture += tuple(read_person(t, rooms) for t in r.tables("person", MOST_ROOMS))
    w: Work | None = None
    if r.raw("work") is not None:
        work = r.table("work")
        w = Work(
            work.text("table", required=True),
            work.numbers("arm", 2, required=True),
            work.numbers("platform", 2, required=True),
        )
        work.done()
    split = r.text("split", "test", choices=("train", "dev", "test"))
    tray = r.text("tray", "tray")
    if not is_word(tray):
        raise r.fail(f"`tray` is {brief(tray)}; use letters, digits and _ only.")
    r.done()
    try:
        return finish(Scene(name, rooms, doors, furniture, w, split, tray))
    except CoterieError as err:
        raise CoterieError(f"{path}: {err}") from None


def read_person(t: Reader, rooms: Iterable[Room]) -> Furniture:
    """Somebody who stands in the house: a place that things are brought to, as wide as a person."""
    name, (x, y) = t.text("name", required=True), t.numbers("at", 2, required=True)
    inside = [r for r in rooms if r.contains((x, y))]
    if not inside:
        raise t.fail(f"`at` {[x, y]} lies in no room; put the person into one.")
    hand = t.number("hand_m", 1.0, low=0.3, high=1.8)
    t.done()
    half = PERSON_M / 2
    rect = (round(x - half, 3), round(y - half, 3), round(x + half, 3), round(y + half, 3))
    return Furniture(name, PERSON, inside[0].name, rect, hand, top_m=max(hand, 1.7))


def with_people(scene: Scene, people: Iterable[Furniture]) -> Scene:
    """The scene with further people in it, checked like one that a file describes."""
    return finish(replace(scene, furniture=(*scene.furniture, *people), _nav={}, fluents={}, begin={}))


def _rect(t: Reader) -> Rect:
    x0, y0, x1, y1 = t.numbers("rect", 4, required=True)
    if x1 - x0 < 0.05 or y1 - y0 < 0.05:
        raise t.fail(f"`rect` is [{x0}, {y0}, {x1}, {y1}]; it must be [left, bottom, right, top] in metres.")
    return (x0, y0, x1, y1)


def _room(t: Reader) -> Room:
    name, kind = t.text("name", required=True), t.text("kind", "room")
    corners = t.raw("polygon")
    if corners is None:
        room = Room(name, kind, _rect(t))
    else:
        polygon = _polygon(t, corners)
        room = Room(name, kind, polygons.bounds(polygon), polygon)
    t.done()
    return room


def _polygon(t: Reader, corners: object) -> tuple[Point, ...]:
    if t.raw("rect") is not None:
        raise t.fail("`polygon` and `rect` are both given; leave one out.")
    if isinstance(corners, list) and len(corners) > MOST_CORNERS:
        raise t.fail(f"`polygon` has {len(corners)} corners; the most are {MOST_CORNERS}.")
    if not isinstance(corners, list) or len(corners) < 3 or not all(_is_point(c) for c in corners):
        raise t.fail("`polygon` must be a list of at least three [x, y] corners, in turn.")
    t.near("polygon", (v for corner in corners for v in corner))
    polygon = tuple((float(x), float(y)) for x, y in corners)
    for a, b in polygons.edges(polygon):
        if dist(a, b) < 0.05:
            raise t.fail(f"`polygon` has two corners in one place, {list(a)}; leave one of them out.")
    crossed = polygons.crossing(polygon)
    if crossed is not None:
        a, b = crossed
        raise t.fail(
            f"`polygon` crosses itself: the sides from {list(a)} and from {list(b)} meet; give the corners in turn."
        )
    if polygons.area(polygon) < SMALLEST_ROOM_M2:
        raise t.fail(
            f"`polygon` covers {polygons.area(polygon):.2f} m2, too little for a robot to stand in; "
            f"make it at least {SMALLEST_ROOM_M2:.0f} m2."
        )
    return polygon


def _door(t: Reader, rooms: list[str]) -> Door:
    between = t.texts("between", required=True)
    if len(between) != 2:
        raise t.fail('`between` must name two rooms, like ["kitchen", "hall"].')
    for room in between:
        if room not in rooms:
            raise t.fail(f"`between` names the room '{room}', which does not exist. There are: {', '.join(rooms)}.")
    at = t.numbers("at", 2, required=True)
    width = t.number("width_m", 0.9, low=0.6, high=4.0)
    door = Door(
        t.text("name", required=True), (between[0], between[1]), at, width, t.flag("open", True), t.flag("swings", True)
    )
    t.done()
    return door


def _furniture(t: Reader, rooms: Iterable[Room]) -> Furniture:
    name, rect = t.text("name", required=True), _rect(t)
    centre = ((rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2)
    inside = [r for r in rooms if r.contains(centre)]
    if not inside:
        raise t.fail(f"its centre {centre} lies in no room; move `rect` into one.")
    if max(rect[2] - rect[0], rect[3] - rect[1]) > MOST_SIDE_M:
        raise t.fail(f"`rect` is [{', '.join(f'{v:g}' for v in rect)}]; no side may be longer than {MOST_SIDE_M:g} m.")
    height = t.number("height_m", 0.75, low=0.05, high=2.5)
    stands = t.raw("stands", [])
    if not isinstance(stands, list) or not all(_is_point(s) for s in stands):
        raise t.fail("`stands` must be a list of [x, y] pairs; leave it out to have them computed.")
    t.near("stands", (v for stand in stands for v in stand))
    if len(stands) > MOST_STANDS:
        raise t.fail(f"there are {len(stands)} `stands`; the most are {MOST_STANDS}.")
    f = Furniture(
        name,
        t.text("kind", name.rstrip("0123456789_")),
        inside[0].name,
        rect,
        height,
        t.number("base_m", 0.0, low=0.0, high=2.5),
        t.flag("opens"),
        t.flag("open"),
        t.number("top_m", None, low=0.05, high=3.0),
        tuple((float(x), float(y)) for x, y in stands),
        t.flag("obstacle"),
    )
    t.done()
    if f.obstacle and (f.opens or f.stands):
        raise t.fail("an `obstacle` has no surface and nobody stands at it; leave `opens` and `stands` out.")
    return f


def _is_point(value: object) -> bool:
    if not isinstance(value, list) or len(value) != 2:
        return False
    return all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in value)


def finish(scene: Scene) -> Scene:
    """Compute the stand poses that were left out, then check everything."""
    names = [f.name for f in scene.furniture] + [d.name for d in scene.doors] + [r.name for r in scene.rooms]
    for n in names:
        if names.count(n) > 1:
            raise CoterieError(f"the name '{n}' is used twice; every room, door and piece of furniture needs its own.")
        if not is_word(n):
            raise CoterieError(f"the name {brief(n)} must consist of letters, digits and _, and start with a letter.")
    _check_size(scene)
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


def _hub(scene: Scene) -> Furniture:
    """What everything else must be reachable from."""
    return scene.by_name[scene.work.table] if scene.work is not None else scene.places[0]


def _check_size(scene: Scene) -> None:
    """The map is a raster over all rooms; whatever lies between them counts, too."""
    x0, y0 = (min(r.rect[i] for r in scene.rooms) for i in (0, 1))
    x1, y1 = (max(r.rect[i] for r in scene.rooms) for i in (2, 3))
    if (x1 - x0) * (y1 - y0) > MOST_AREA_M2:
        raise CoterieError(
            f"the rooms lie in a rectangle of {x1 - x0:.0f} x {y1 - y0:.0f} m; the most are {MOST_AREA_M2:,.0f} m2. "
            "Lengths are metres; put rooms that are far apart closer together."
        )


def _check_walls(scene: Scene) -> None:
    rooms = scene.room_by_name
    for i, a in enumerate(scene.rooms):
        for b in scene.rooms[i + 1 :]:
            if not (a.polygon or b.polygon):
                met = _overlap(a.rect, b.rect, 0.02)
            else:
                met = polygons.overlap(a.corners, b.corners, 0.02)
            if met:
                what = "`rect`s" if not (a.polygon or b.polygon) else "outlines"
                raise CoterieError(f"the rooms '{a.name}' and '{b.name}' overlap; make their {what} meet at a wall.")
    for door in scene.doors:
        a, b = (rooms[n] for n in door.rooms)
        drawn = bool(a.polygon or b.polygon)
        on_both = all(r.wall_at(door.at) is not None if drawn else _on_edge(r.rect, door.at) for r in (a, b))
        if not on_both:
            raise CoterieError(
                f"door '{door.name}' at {list(door.at)} does not lie in the wall between '{door.rooms[0]}' and "
                f"'{door.rooms[1]}'; put `at` on the line where their {'outlines' if drawn else '`rect`s'} meet."
            )
        if drawn:
            _check_door_fits(scene, door, (a, b))
    for f in scene.furniture:
        room = rooms[f.room]
        r = room.rect
        if room.polygon and not _inside(f.rect, room.polygon):
            raise CoterieError(
                f"furniture '{f.name}' reaches through the wall of '{f.room}': its `rect` {list(f.rect)} must lie "
                "within the room's `polygon`."
            )
        if f.rect[0] < r[0] - 1e-6 or f.rect[1] < r[1] - 1e-6 or f.rect[2] > r[2] + 1e-6 or f.rect[3] > r[3] + 1e-6:
            raise CoterieError(
                f"furniture '{f.name}' reaches through the wall of '{f.room}': its `rect` {list(f.rect)} must lie "
                f"within {list(r)}."
            )
        if f.base_m >= f.height_m:
            raise CoterieError(f"furniture '{f.name}': `base_m` {f.base_m} must be below `height_m` {f.height_m}.")


def _check_door_fits(scene: Scene, door: Door, rooms: tuple[Room, Room]) -> None:
    ux, uy = scene.door_along(door)
    half = door.width_m / 2
    ends = [(door.at[0] + k * half * ux, door.at[1] + k * half * uy) for k in (-1, 1)]
    for room in rooms:
        wall = room.wall_at(door.at)
        if wall is None or any(polygons.to_segment(p, *wall) > 0.02 for p in ends):
            raise CoterieError(
                f"door '{door.name}' is {door.width_m} m wide and does not fit into that wall of '{room.name}'; "
                "move `at` away from the corner or lower `width_m`."
            )


def _inside(rect: Rect, polygon: tuple[Point, ...]) -> bool:
    x0, y0, x1, y1 = rect
    corners = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    if not all(polygons.contains(polygon, c, 1e-6) for c in corners):
        return False
    inner = (x0 + 1e-6, y0 + 1e-6, x1 - 1e-6, y1 - 1e-6)
    # A side of the room that runs through the rectangle: no point of it may lie inside.
    return not any(
        inner[0] < a[0] + (b[0] - a[0]) * k / 200 < inner[2] and inner[1] < a[1] + (b[1] - a[1]) * k / 200 < inner[3]
        for a, b in polygons.edges(polygon)
        for k in range(201)
    )


def _on_edge(rect: Rect, p: Point) -> bool:
    x0, y0, x1, y1 = rect
    inside = x0 - 0.02 <= p[0] <= x1 + 0.02 and y0 - 0.02 <= p[1] <= y1 + 0.02
    return inside and min(abs(p[0] - x0), abs(p[0] - x1), abs(p[1] - y0), abs(p[1] - y1)) <= 0.02


def _check_overlap(scene: Scene) -> None:
    for i, a in enumerate(scene.furniture):
        for b in scene.furniture[i + 1 :]:
            same_height = a.base_m < b.body_top_m and b.base_m < a.body_top_m
            if same_height and _overlap(a.rect, b.rect, 0.005):
                raise CoterieError(
                    f"furniture '{a.name}' and '{b.name}' overlap; move one so that their `rect`s do not meet."
                )


def _overlap(a: Rect, b: Rect, slack: float) -> bool:
    return a[0] < b[2] - slack and b[0] < a[2] - slack and a[1] < b[3] - slack and b[1] < a[3] - slack


def _with_stands(scene: Scene, f: Furniture, connected: Callable[[Point], bool]) -> Furniture:
    if f.stands or f.obstacle:
        return f
    grid = scene.nav(WALKER).grid
    home = scene.room_by_name[f.room]
    room = home.rect
    x0, y0, x1, y1 = f.rect
    gap = STAND_GAP_M

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
    stands = [
        (round(p[0], 3), round(p[1], 3))
        for p in sides
        if room[0] < p[0] < room[2] and room[1] < p[1] < room[3] and home.contains(p) and grid.free(p) and connected(p)
    ]
    if not stands:
        raise CoterieError(
            f"furniture '{f.name}' has no free side to stand at that robots can get to: leave "
            f"{gap + STAND_RADIUS_M + 0.1:.2f} m beside it, or give `stands = [[x, y]]`."
        )
    return replace(f, stands=tuple(stands[:4]))


def _check_work(scene: Scene) -> None:
    work = scene.work
    if work is None:
        return
    if work.table not in scene.by_name:
        raise CoterieError(f"`work.table` names '{work.table}', which is not among the furniture.")
    if scene.by_name[work.table].obstacle:
        raise CoterieError(f"the work table '{work.table}' cannot be an `obstacle`.")
    if scene.by_name[work.table].opens:
        raise CoterieError(f"the work table '{work.table}' cannot be a container; leave `opens` out.")
    rect = scene.by_name[work.table].rect
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
