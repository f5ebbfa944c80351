"""Houses from files in ProcTHOR's JSON: as they are, with what is odd repaired or left out, and noted.

What cannot be a house ends in a sentence that names the item. `FILE.json` holds one house, `FILE.jsonl` and
`FILE.jsonl.gz` one a line: `FILE.jsonl.gz#3` is the fourth. In the file y is up and angles run clockwise.
"""

from __future__ import annotations

import gzip
import io
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from coterie.core.bounds import MB, brief, load_json, open_plain
from coterie.core.errors import CoterieError
from coterie.houses.model import DOOR_HEIGHT_M, ROOM_KINDS, WALL_HEIGHT_M, Door, House, Point, Room, Wall
from coterie.houses.procthor import walls
from coterie.houses.procthor.furnish import Furnisher
from coterie.houses.procthor.items import Item, items, listed, snake
from coterie.motion import polygons

MOST_FILE, MOST_FILE_LINES = 500 * MB, 100_000  # of many houses, unpacked
MOST_HOUSE = 20 * MB  # one house; real ones have some 100 KB
MOST_ROOMS, MOST_WALLS, MOST_OBJECTS = 300, 20_000, 10_000
MOST_CORNERS = 200
MOST_AREA_M2 = 10_000.0  # of the rectangle around the house: four million cells of its floor
SMALLEST_ROOM_M2 = 0.5
NARROWEST_M = 0.3  # of a door


def load_house(where: str | Path) -> House:
    """The house in a file, FILE#N for one of many; repaired so that steps of robots lead everywhere."""
    return _repaired(read_house(where))


def house_from(data: Any, where: str = "the house", name: str = "house") -> House:
    """The same from its JSON, already read."""
    return _repaired(parse_house(data, where, name))


def _repaired(house: House) -> House:
    from coterie.houses.repair import repaired  # reading alone needs no numpy

    return repaired(house)


def read_house(where: str | Path) -> House:
    """The house in a file as it stands there."""
    text = str(where)
    path, _, line = text.rpartition("#") if "#" in text and not Path(text).exists() else (text, "", "")
    name = Path(path).name.split(".")[0] + (f"_{line}" if line else "")
    return parse_house(read_json(Path(path), line), text, name)


def parse_house(data: Any, where: str = "the house", name: str = "house") -> House:
    top = Item(where, data)
    told: list[str] = []
    rooms = _rooms(top, told)
    sides = _sides(top)
    doors, holes = _doors(top, rooms, sides, told)
    stand, passages = walls.standing(sides.values(), holes)
    doors += _passages(passages, tuple(rooms.values()))
    furnisher = Furnisher(tuple(rooms.values()), told)
    furnisher.furnish(items(top, "objects", MOST_OBJECTS))
    start = _start(top)
    pieces, things = tuple(furnisher.pieces), tuple(furnisher.things)
    return House(name, tuple(rooms.values()), stand, tuple(doors), pieces, things, start, tuple(told))


# -- files ------------------------------------------------------------------------------------------------------------
def houses_in(path: Path) -> list[str]:
    """The names of the houses in a file: its own, or FILE#0 and so on where it holds one a line."""
    if not _holds_many(path):
        return [str(path)]
    with _unpacked(path) as stream:
        count = sum(1 for text in _lines(stream, path) if text.strip())
    return [f"{path}#{n}" for n in range(count)]


def _holds_many(path: Path) -> bool:
    return ".jsonl" in path.suffixes


@contextmanager
def _unpacked(path: Path) -> Iterator[io.BufferedIOBase]:
    """The bytes of a file, unpacked; what cannot be read of it is a sentence."""
    with open_plain(path, "house") as file:
        packed = file.peek(2)[:2] == b"\x1f\x8b"
        try:
            yield gzip.GzipFile(fileobj=file) if packed else file
        except (OSError, EOFError, zlib.error) as err:
            verb = "unpack" if packed else "read"
            raise CoterieError(f"Cannot {verb} the house '{path}': {err}.") from None


def _lines(stream: io.BufferedIOBase, path: Path) -> Iterator[bytes]:
    size = 0
    for number, text in enumerate(iter(lambda: _bounded(stream.readline(MOST_HOUSE + 1), path), b""), 1):
        size += len(text)
        if number > MOST_FILE_LINES or size > MOST_FILE:
            raise CoterieError(
                f"'{path}' holds more than is read, {MOST_FILE_LINES:,} lines or {MOST_FILE / MB:g} MB unpacked; "
                "houses before that are found by their number."
            )
        yield text


def read_json(path: Path, line: str = "", most: int = MOST_HOUSE) -> Any:
    """The JSON in a file, or in one of its lines."""
    with _unpacked(path) as stream:
        text = _line_of(stream, path, line) if _holds_many(path) else _whole(stream, path, line, most)
    try:
        return load_json(text.decode("utf-8"))
    except ValueError as err:
        raise CoterieError(f"The house '{path}' is no JSON: {err}.") from None


def _whole(stream: io.BufferedIOBase, path: Path, line: str, most: int) -> bytes:
    if line:
        raise CoterieError(f"'{path}' holds one house; leave out '#{line}', which counts the lines of a .jsonl file.")
    return _bounded(stream.read(most + 1), path, most)


def _line_of(stream: io.BufferedIOBase, path: Path, line: str) -> bytes:
    """The N-th line that holds something. A file with a single house needs no number."""
    if line and not line.isdecimal():
        raise CoterieError(f"'#{line}' is no line of '{path}'; write '{path}#0' for its first house.")
    wanted, found, count = int(line[:9] or 0), b"", 0
    for text in _lines(stream, path):
        if text.strip():
            found = text if count == wanted else found
            count += 1
        if count > wanted and line:
            break
    if count <= wanted:
        raise CoterieError(f"'{path}' has {count} houses, counted from 0; there is no '#{wanted}'.")
    if count > 1 and not line:
        raise CoterieError(f"'{path}' has {count} houses; write '{path}#0' for the first, up to '#{count - 1}'.")
    return found


def _bounded(text: bytes, path: Path, most: int = MOST_HOUSE) -> bytes:
    if len(text) > most:
        raise CoterieError(f"A house in '{path}' is larger than {most / MB:g} MB; that is more than is read.")
    return text


# -- rooms ------------------------------------------------------------------------------------------------------------
def _rooms(top: Item, told: list[str]) -> dict[str, Room]:
    """By their ids in the file."""
    found: dict[str, Room] = {}
    counts: Counter[str] = Counter()
    for item in items(top, "rooms", MOST_ROOMS):
        kind = item.text("roomType") or "LivingRoom"
        if kind not in ROOM_KINDS:
            told.append(f"{item.words} is a {brief(kind)}, which no table knows; it is taken for a LivingRoom.")
            kind = "LivingRoom"
        polygon = _polygon(item)
        key = item.text("id") or f"rooms[{len(found)}]"
        if key in found:
            raise item.fail("has the id of another room")
        found[key] = Room(f"{snake(kind)}_{counts[kind]}", kind, polygon)
        counts[kind] += 1
    if not found:
        raise CoterieError(f"{top.where} has no rooms; a house needs at least one in `rooms`.")
    corners = [p for room in found.values() for p in room.polygon]
    x0, y0, x1, y1 = polygons.bounds(corners)
    if (x1 - x0) * (y1 - y0) > MOST_AREA_M2:
        raise CoterieError(
            f"{top.where} is {x1 - x0:.0f} x {y1 - y0:.0f} m large; at most {MOST_AREA_M2:g} square metres are taken."
        )
    return found


def _polygon(item: Item) -> tuple[Point, ...]:
    corners = [p.point() for p in listed(item, "floorPolygon", MOST_CORNERS)]
    if len(corners) > 1 and corners[0] == corners[-1]:
        corners.pop()
    if len(corners) < 3:
        raise item.fail(f"needs a `floorPolygon` of three corners or more, not {len(corners)}")
    if polygons.area(corners) < SMALLEST_ROOM_M2:
        raise item.fail(f"has a `floorPolygon` of less than {SMALLEST_ROOM_M2} square metres")
    return tuple(corners)


def room_at(rooms: tuple[Room, ...], p: Point) -> Room | None:
    return next((r for r in rooms if polygons.contains(r.polygon, p)), None)


# -- walls and doors --------------------------------------------------------------------------------------------------
def _sides(top: Item) -> dict[str, walls.Side]:
    found: dict[str, walls.Side] = {}
    for item in items(top, "walls", MOST_WALLS):
        corners = [(p.point(), p.number("y", 0.0)) for p in listed(item, "polygon", MOST_CORNERS)]
        if not corners:
            raise item.fail("needs a `polygon`")
        (ax, ay), _ = corners[0]
        # The second lower corner is the one farthest away as seen from above, whatever the order of the rest.
        b = max((p for p, _ in corners), key=lambda p: (p[0] - ax) ** 2 + (p[1] - ay) ** 2)
        height = max(z for _, z in corners) or WALL_HEIGHT_M
        side = walls.Side(item.text("id"), (ax, ay), b, height, bool(item.data.get("empty")))
        if side.length_m > walls.SHORTEST_M:
            found[side.name or f"walls[{len(found)}]"] = side
    return found


def _doors(
    top: Item, rooms: dict[str, Room], sides: dict[str, walls.Side], told: list[str]
) -> tuple[list[Door], list[tuple[Point, Point]]]:
    """Doors, and the holes they make: in the wall of either room, which may stand a little apart."""
    found: list[Door] = []
    holes: list[tuple[Point, Point]] = []
    for item in items(top, "doors", MOST_WALLS):
        side = sides.get(item.text("wall0"))
        if side is None:
            told.append(f"{item.words} is in a wall that is not there ({brief(item.text('wall0'))}); it is left out.")
            continue
        ids = [item.text("room0"), item.text("room1")]
        nowhere = [i for i in ids if i not in rooms]
        if nowhere:
            told.append(f"{item.words} leads nowhere: there is no room {brief(nowhere[0])}; it is left out.")
            continue
        low, high, height = _hole(item)
        low, high = max(low, 0.0), min(high, side.length_m)
        if high - low < NARROWEST_M:
            told.append(f"{item.words} is less than {NARROWEST_M} m wide, or not in its wall; it is left out.")
            continue
        first, second = rooms[ids[0]].name, rooms[ids[1]].name
        leaf = "openness" in item.data or bool(item.data.get("openable"))
        open_ = not leaf or item.number("openness", 0.0) > 0
        a, b = side.at(low), side.at(high)
        outside = first == second
        names = (first, "") if outside else (first, second)
        found.append(Door(f"door_{len(found)}", names, a, b, height, open_, leaf))
        holes.append((a, b))
        other = sides.get(item.text("wall1"))
        if other is not None:
            holes.append((_onto(other, a), _onto(other, b)))
    return found, holes


def _hole(item: Item) -> tuple[float, float, float]:
    """From where to where it reaches along its wall, and how high."""
    corners = listed(item, "holePolygon", MOST_CORNERS)
    if not corners and isinstance(item.data.get("boundingBox"), dict):  # an older way to say it
        box = item.part("boundingBox")
        corners = [box.part("min"), box.part("max")]
    if len(corners) < 2:
        raise item.fail("needs a `holePolygon` of two corners")
    along = [c.number("x") for c in corners]
    return min(along), max(along), max(c.number("y", 0.0) for c in corners) or DOOR_HEIGHT_M


def _onto(side: walls.Side, p: Point) -> Point:
    (ax, ay), (bx, by) = side.a, side.b
    t = ((p[0] - ax) * (bx - ax) + (p[1] - ay) * (by - ay)) / side.length_m**2
    return ax + t * (bx - ax), ay + t * (by - ay)


def _passages(gaps: list[Wall], rooms: tuple[Room, ...]) -> list[Door]:
    """Open passages as doors without a leaf, where there is a room on either side."""
    found: list[Door] = []
    for gap in gaps:
        (ax, ay), (bx, by) = gap.a, gap.b
        x, y = (ax + bx) / 2, (ay + by) / 2
        scale = 0.1 / max(((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5, 1e-9)
        dx, dy = (ay - by) * scale, (bx - ax) * scale
        one, two = room_at(rooms, (x + dx, y + dy)), room_at(rooms, (x - dx, y - dy))
        if one and two and one is not two:
            names = (one.name, two.name)
            found.append(Door(f"passage_{len(found)}", names, gap.a, gap.b, gap.height_m, swings=False))
    return found


def _start(top: Item) -> Point | None:
    agent = top.part("metadata").part("agent")
    return agent.part("position").point() if isinstance(agent.data.get("position"), dict) else None
