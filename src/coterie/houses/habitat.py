"""Houses of Habitat (HSSD, ReplicaCAD) from their scene files, and episodes of Habitat and PARTNR in them.

`SCENE.scene_instance.json`, `SCENE.semantic_config.json` (its rooms) and tables of assets (`*.csv` with a column `id`)
are looked for in the folder of the episodes, those below it, and those of COTERIE_HABITAT. In the files y is up: their
x and -z are our x and y. What the files do not tell is told: sizes are those that are usual, doors are made.
"""

from __future__ import annotations

import csv
import math
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from coterie.core.bounds import brief
from coterie.core.errors import CoterieError
from coterie.core.frozen import frozen
from coterie.houses.model import (
    FLOOR,
    WALL_HEIGHT_M,
    Door,
    Furniture,
    House,
    Point,
    Room,
    Thing,
    rect_corners,
    spots_on,
)
from coterie.houses.placement import kinds
from coterie.houses.procthor import walls
from coterie.houses.procthor.furnish import COUNTER_M, Furnisher
from coterie.houses.procthor.items import Item, items, snake
from coterie.houses.procthor.load import MOST_FILE, read_json
from coterie.houses.repair import repaired
from coterie.houses.stock import furniture_kind, room_kind
from coterie.motion import polygons

SCENE, ROOMS, FOLDERS = ".scene_instance.json", ".semantic_config.json", "COTERIE_HABITAT"
EXAMPLE = Path(__file__).parent / "built_in" / "habitat" / "episodes.json"
MOST = 100_000  # members of a list
GAP_M, WIDE_M, NARROW_M = 0.45, 1.0, 0.7  # between rooms that a passage joins; how wide it is, and at least
STOREY_M, LOW_M, HIGH_M = (
    1.5,
    0.9,
    2.2,
)  # floors nearer to each other are one; what is so far below or above is not on it
RECEPTACLE, THING = "SideTable", "Cup"  # for what an episode needs and no table knows
MALFORMED = (TypeError, ValueError, KeyError, IndexError, AttributeError)  # what files of another form lead to


@frozen
class Episode:
    house: House
    named: Mapping[str, str]  # things and furniture by their handles, rooms by their names in the file
    data: Mapping[str, Any] = field(compare=False)  # as in the file


def all_episodes() -> list[str]:
    """The episodes of the files in the folders of COTERIE_HABITAT: FILE#0 and so on; of the shipped one without any."""
    folders = os.environ.get(FOLDERS, "").split(os.pathsep) if os.environ.get(FOLDERS) else [str(EXAMPLE.parent)]
    files = (file for folder in folders for file in sorted(Path(folder).glob("*.json*")))
    own = [file for file in files if not file.name.endswith((SCENE, "_config.json"))]
    return [f"{file}#{n}" for file in own for n in range(len(_rows(str(file))))]


@lru_cache(maxsize=32)
def load_episode(where: str) -> Episode:
    """An episode by file and number, FILE#N. Episodes are kept."""
    path, _, number = where.rpartition("#") if "#" in where else (where, "", "0")
    if ".json" not in path:
        raise CoterieError(f"'{where}' is no episode; write FILE.json.gz#3 for the fourth of a file (docs/habitat.md).")
    rows = _rows(path)
    if not number.isdecimal() or int(number[:9]) >= len(rows):
        raise CoterieError(f"'{path}' has {len(rows)} episodes; write '{path}#0' for the first of them.")
    return _episode(Path(path), rows[int(number)], f"{Path(path).name.split('.')[0]}_{number}")


@lru_cache(maxsize=2)
def _rows(path: str) -> list[Item]:
    found = items(Item(path, read_json(Path(path), most=MOST_FILE)), "episodes", MOST)
    if not found:
        raise CoterieError(f"'{path}' has no `episodes`; a file of Habitat or PARTNR has a list of them.")
    return found


def _episode(path: Path, row: Item, name: str) -> Episode:
    scene = Path(row.text("scene_id")).name.removesuffix(SCENE)
    file = _find(path.parent, scene + SCENE)
    if file is None:
        raise CoterieError(
            f"{row.words} of '{path}' plays in the scene {brief(scene)}, and there is no '{scene}{SCENE}' beside it; "
            f"set {FOLDERS} to the folder of the scene dataset (hssd-hab, replica_cad)."
        )
    dataset = file.parent.parent if file.parent.name.startswith("scenes") else file.parent
    told, known = list[str](), _categories(dataset)
    on = {thing: str(place).split("|")[0] for thing, place in row.part("name_to_receptacle").data.items()}
    needed = {*on.values(), *(pair[0] for pair in row.data.get("goal_receptacles") or ())}
    for proposition in row.data.get("evaluation_propositions") or ():
        needed.update(proposition["args"].get("receptacle_handles") or ())
    top = Item(str(file), read_json(file))
    objects = [o.data for key in ("object_instances", "articulated_object_instances") for o in items(top, key, MOST)]
    handles = _handles([(o["template_name"], o) for o in objects])
    rooms, named, level = _rooms(dataset, scene, [_at(o["translation"]) for o in objects], told)
    pieces, loose, others = dict[str, dict[str, Any]](), list[Any](), 0

    def kind_of(handle: str, stand_in: str, things: bool) -> str:
        asset = handle.rpartition("_:")[0]
        kind = furniture_kind(known.get(asset, asset))
        if stand_in and not (kind and (kinds()[kind].thing if things else kinds()[kind].receptacle)):
            told.append(f"{handle} is a {brief(known.get(asset, asset))}, for which a {stand_in} stands in.")
            return stand_in
        return kind

    for handle, data in handles:
        kind = kind_of(handle, RECEPTACLE if handle in needed else "", False)
        x, y, z = _at(data["translation"])
        if kind and not kinds()[kind].thing and level - LOW_M < z < level + HIGH_M:
            yaw = _yaw(data.get("rotation") or (1, 0, 0, 0))
            pieces[handle] = _object(handle, kind, (x, y), kinds()[kind].size_m[2] / 2, yaw)
        others += handle not in pieces
    for handle, transform in _handles(row.data["rigid_objs"]):
        needed.add(handle)
        x, y, z = _at([line[3] for line in transform[:3]])
        if not level - LOW_M < z < level + HIGH_M:
            continue
        home = pieces.get(on.get(handle, FLOOR))
        one = _object(handle, kind_of(handle, THING, True), (x, y), z if home else 0.0, 0.0)
        (home["children"] if home else loose).append(one)
    furnisher = Furnisher(rooms, told)
    furnisher.furnish([Item(str(file), o) for o in (*pieces.values(), *loose)])
    named |= furnisher.named
    usual = [t for t in told if "taken for a usual" in t]
    told = [t for t in told if t not in usual]
    told.append(f"{len(usual)} objects have the usual size of their kind, which the files do not tell.")
    told.append(f"{others} objects of the scene are no furniture of this storey that a table knows; they are left out.")
    sides = [walls.Side("", a, b, WALL_HEIGHT_M, False) for r in rooms for a, b in polygons.edges(r.polygon)]
    rooms, doors, holes = _joined(rooms)
    told.append(f"The files tell of no doors; {len(doors)} passages join rooms that meet.")
    stand = walls.standing(sides, holes)[0]
    house = House(name, rooms, stand, doors, tuple(_inside(p, rooms) for p in furnisher.pieces), notes=tuple(told))
    for thing in furnisher.things:
        house = replace(house, things=(*house.things, _laid(house, thing)))
    house = repaired(house)
    named = {handle: n for handle, n in named.items() if n in {*house.piece, *house.thing, *house.room}}
    lost = sorted(needed - named.keys() - {FLOOR})
    told = [*house.notes, *(f"{brief(handle)}, which the episode needs, is not in the scene here." for handle in lost)]
    return Episode(replace(house, notes=tuple(told)), named, row.data)


# -- files ------------------------------------------------------------------------------------------------------------
def _folders(near: Path) -> list[Path]:
    return [near, *(Path(folder) for folder in os.environ.get(FOLDERS, "").split(os.pathsep) if folder)]


def _find(near: Path, name: str) -> Path | None:
    return next((found for folder in _folders(near) for found in sorted(folder.rglob(name))), None)


@lru_cache(maxsize=8)
def _categories(near: Path) -> dict[str, str]:
    """Of assets, by the tables of a dataset."""
    found: dict[str, str] = {}
    for path in (p for folder in _folders(near) for p in sorted(folder.rglob("*.csv"))):
        with path.open(encoding="utf-8", errors="replace", newline="") as file:
            for row in csv.DictReader(file):
                said = row.get("main_category") or row.get("clean_category") or row.get("category")
                if row.get("id") and said:
                    found.setdefault(row["id"], said)
    return found


# -- what lies where --------------------------------------------------------------------------------------------------
def _handles(rows: list[Any]) -> list[tuple[str, Any]]:
    """Objects by the names that their simulator gives them: of the asset, counted."""
    seen: Counter[str] = Counter()
    found = []
    for template, data in rows:
        asset = Path(template).name.split(".object_config")[0]
        found.append((f"{asset}_:{seen[asset]:04d}", data))
        seen[asset] += 1
    return found


def _at(place: Any) -> tuple[float, float, float]:
    """Their x, y, z as our x, y and height."""
    x, y, z = (Item("a place", {"it": v}).number("it") for v in place)
    return round(x, 3), round(-z, 3), round(y, 3)


def _yaw(turn: Any) -> float:
    """About the vertical, clockwise as ProcTHOR counts [deg], by a quaternion w, x, y, z."""
    w, x, y, z = turn
    return round(-math.degrees(math.atan2(2 * (w * y + x * z), 1 - 2 * (x * x + y * y))), 2)


def _object(handle: str, kind: str, at: Point, height_m: float, yaw: float) -> dict[str, Any]:
    """An object as ProcTHOR writes it."""
    position = {"x": at[0], "y": height_m, "z": at[1]}
    return {"id": handle, "objectType": kind, "position": position, "rotation": {"y": yaw}, "children": []}


def _inside(piece: Furniture, rooms: tuple[Room, ...]) -> Furniture:
    """A piece that would reach out of its room, as its size is only the usual one, pushed in."""
    if piece.kind == "CounterTop":  # the usual one has a corner
        piece = replace(piece, size=(piece.size[0], COUNTER_M, piece.size[2]))
    (x, y), (x0, y0, x1, y1) = piece.centre, piece.rect
    a, b, c, d = next(r.rect for r in rooms if r.name == piece.room)
    dx, dy = max(a - x0, 0.0) or min(c - x1, 0.0), max(b - y0, 0.0) or min(d - y1, 0.0)
    return replace(piece, centre=(round(x + dx, 3), round(y + dy, 3)))


def _laid(house: House, thing: Thing) -> Thing:
    """A thing where there is room for it, nearest to where the file puts it: furniture is only about as large here."""
    piece = house.piece.get(thing.on)
    if piece is None:
        return replace(thing, spot=(*thing.spot[:2], 0.0))
    spots = list(spots_on(piece, thing, [(t, t.spot[:2]) for t in house.things if t.on == piece.name]))
    x, y = min(spots or [piece.centre], key=lambda s: math.dist(s, thing.spot[:2]))
    return replace(thing, spot=(round(x, 3), round(y, 3), round(piece.surface_m, 3)))


# -- rooms ------------------------------------------------------------------------------------------------------------
def _rooms(dataset: Path, scene: str, at: list[Any], told: list[str]) -> tuple[tuple[Room, ...], dict[str, str], float]:
    """The rooms of the storey that has most of them, what they are called here, and how high its floor is."""
    path = _find(dataset, scene + ROOMS)
    regions = [r.data for r in items(Item(str(path), read_json(path)), "region_annotations", MOST)] if path else []
    shapes = [(r, [_at(corner) for corner in r["poly_loop"]]) for r in regions]
    if not shapes:
        told.append(f"There is no '{scene}{ROOMS}' that tells of rooms; the house is one LivingRoom.")
        x0, y0, x1, y1 = polygons.bounds([p[:2] for p in at])
        around = rect_corners((x0 - 1, y0 - 1, x1 + 1, y1 + 1))
        shapes = [({"name": "", "label": "LivingRoom"}, [(x, y, 0.0) for x, y in around])]
    storey = Counter(round(s[0][2] / STOREY_M) for _, s in shapes).most_common(1)[0][0]
    found, named, counts = list[Room](), dict[str, str](), Counter[str]()
    for region, shape in shapes:
        if round(shape[0][2] / STOREY_M) != storey:
            told.append(f"{brief(region['name'])} is on another storey; it is left out.")
            continue
        kind = room_kind(region["label"].split("/")[0], region["name"], told)
        corners = tuple(p[:2] for p in shape)
        area = sum(a[0] * b[1] - b[0] * a[1] for a, b in polygons.edges(corners))
        named[region["name"]] = f"{snake(kind)}_{counts[kind]}"
        found.append(Room(named[region["name"]], kind, corners if area > 0 else corners[::-1]))
        counts[kind] += 1
    return tuple(found), named, storey * STOREY_M


def _joined(rooms: tuple[Room, ...]) -> tuple[tuple[Room, ...], tuple[Door, ...], list[Any]]:
    """Rooms that meet are joined in the longest stretch of wall that they share; the first of the two reaches through
    the wall. With the passages, and the holes that they leave in walls."""
    doors, holes, out = list[Door](), list[tuple[Point, Point]](), dict[tuple[str, Point], list[Any]]()
    for i, one in enumerate(rooms):
        for two in rooms[i + 1 :]:
            best = max(_shared(one, two), default=None)
            if best is None:
                continue
            length, a, (ux, uy), low, gap = best
            half = min(WIDE_M, length) / 2
            t = low + length / 2
            p, q = ((a[0] + s * ux, a[1] + s * uy) for s in (t - half, t + half))
            beyond = [(x + gap * uy, y - gap * ux) for x, y in (p, q)]
            holes += [(p, q), (beyond[0], beyond[1])]
            doors.append(Door(f"passage_{len(doors)}", (one.name, two.name), p, q, swings=False))
            if gap > 0.02:
                far = [(x + (gap + 0.05) * uy, y - (gap + 0.05) * ux) for x, y in (p, q)]
                out.setdefault((one.name, a), []).append((t, [p, *far, q]))
    found = []
    for room in rooms:
        bumps = [[p, *(q for _, bump in sorted(out.get((room.name, p), ())) for q in bump)] for p in room.polygon]
        found.append(replace(room, polygon=tuple(p for side in bumps for p in side)))
    return tuple(found), tuple(doors), holes


def _shared(one: Room, two: Room) -> Iterator[tuple[float, Point, Point, float, float]]:
    """Stretches in which two rooms meet: how long, the corner of the first from which its side runs and where to, how
    far on it they begin, and how far outwards the other room is."""
    for a, b in polygons.edges(one.polygon):
        length = math.dist(a, b) or 1.0
        ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
        for side in polygons.edges(two.polygon):
            along = sorted((x - a[0]) * ux + (y - a[1]) * uy for x, y in side)
            gaps = [(x - a[0]) * uy - (y - a[1]) * ux for x, y in side]
            low, high = max(0.0, along[0]) + 0.1, min(length, along[1]) - 0.1
            if high - low >= NARROW_M and max(map(abs, gaps)) <= GAP_M and abs(gaps[0] - gaps[1]) <= 0.1:
                yield round(high - low, 3), a, (ux, uy), low, sum(gaps) / 2
