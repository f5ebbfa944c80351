"""Houses from TOML files that people write; every complaint names the place and the fix."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from coterie.core.bounds import brief, is_word
from coterie.core.errors import CoterieError
from coterie.core.reader import Reader, load_toml
from coterie.houses.checks import finish
from coterie.houses.model import (
    PERSON,
    Door,
    Furniture,
    Point,
    Rect,
    Room,
    Work,
    door_in_wall,
    furniture_on,
    rect_corners,
)
from coterie.houses.scene import Scene, dist
from coterie.motion import polygons

PERSON_M = 0.4  # the width of a person who stands in the house
SMALLEST_ROOM_M2 = 1.0  # of a polygon
MOST_ROOMS, MOST_PIECES = 200, 500
MOST_CORNERS = 100  # of a polygon
MOST_STANDS = 16  # beside one piece of furniture
MOST_SIDE_M = 20.0  # of a piece of furniture


def load_scene(path: Path) -> Scene:
    r = Reader(load_toml(path, "scene"), str(path))
    name = r.text("name", default=path.stem)
    rooms = tuple(_room(t) for t in r.tables("room", MOST_ROOMS))
    if not rooms:
        raise r.fail("a scene needs at least one [[room]].")
    doors = tuple(_door(t, {x.name: x for x in rooms}) for t in r.tables("door", MOST_PIECES))
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
        return finish(Scene(name, rooms, (), doors, furniture, work=w, split=split, tray=tray))
    except CoterieError as err:
        raise CoterieError(f"{path}: {err}") from None


def read_person(t: Reader, rooms: Iterable[Room]) -> Furniture:
    """A person who stands in the house: a place that things are brought to, as wide as a person."""
    name, (x, y) = t.text("name", required=True), t.numbers("at", 2, required=True)
    inside = [r for r in rooms if r.contains((x, y))]
    if not inside:
        raise t.fail(f"`at` {[x, y]} lies in no room; put the person into one.")
    hand = t.number("hand_m", 1.0, low=0.3, high=1.8)
    t.done()
    half = PERSON_M / 2
    rect = (round(x - half, 3), round(y - half, 3), round(x + half, 3), round(y + half, 3))
    return person(name, inside[0].name, rect, hand, max(hand, 1.7))


def person(name: str, room: str, rect: Rect, hand_m: float, top_m: float) -> Furniture:
    return furniture_on(name, PERSON, room, rect, hand_m, 0.0, top_m)


def _rect(t: Reader) -> Rect:
    x0, y0, x1, y1 = t.numbers("rect", 4, required=True)
    if x1 - x0 < 0.05 or y1 - y0 < 0.05:
        raise t.fail(f"`rect` is [{x0}, {y0}, {x1}, {y1}]; it must be [left, bottom, right, top] in metres.")
    return (x0, y0, x1, y1)


def _room(t: Reader) -> Room:
    name, kind = t.text("name", required=True), t.text("kind", "room")
    corners = t.raw("polygon")
    room = Room(name, kind, rect_corners(_rect(t)) if corners is None else _polygon(t, corners))
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


def _door(t: Reader, rooms: Mapping[str, Room]) -> Door:
    between = t.texts("between", required=True)
    if len(between) != 2:
        raise t.fail('`between` must name two rooms, like ["kitchen", "hall"].')
    for room in between:
        if room not in rooms:
            raise t.fail(f"`between` names the room '{room}', which does not exist. There are: {', '.join(rooms)}.")
    one, two = (rooms[room] for room in between)
    at, width = t.numbers("at", 2, required=True), t.number("width_m", 0.9, low=0.6, high=4.0)
    name, is_open, swings = t.text("name", required=True), t.flag("open", True), t.flag("swings", True)
    door = door_in_wall(name, one, two, at, width, is_open, swings)
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
    f = furniture_on(
        name,
        t.text("kind", name.rstrip("0123456789_")),
        inside[0].name,
        rect,
        height,
        t.number("base_m", 0.0, low=0.0, high=2.5),
        t.number("top_m", None, low=0.05, high=3.0),
        opens=t.flag("opens"),
        is_open=t.flag("open"),
        stands=tuple((float(x), float(y)) for x, y in stands),
        receptacle=not t.flag("obstacle"),
    )
    t.done()
    if not f.receptacle and (f.opens or f.stands):
        raise t.fail("an `obstacle` has no surface and nobody stands at it; leave `opens` and `stands` out.")
    return f


def _is_point(value: object) -> bool:
    if not isinstance(value, list) or len(value) != 2:
        return False
    return all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in value)
