"""Furniture and things of a house file: kinds and sizes from assets, each in a room, each on something."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import cache
from math import cos, radians, sin

from coterie.core.bounds import brief
from coterie.houses.model import FLOOR, Furniture, Point, Room, Thing
from coterie.houses.placement import Kind, Size, assets, kinds, surface_m
from coterie.houses.procthor.items import Item, listed, snake, spun, turned
from coterie.motion import polygons

MOST_CHILDREN = 200
MOST_WORDS = 3  # of a kind
COUNTER_M = 0.61  # how deep a kitchen counter is
SHORTEST_LEG_M = 0.3
TIPPED_DEG = 20.0
_HASH = re.compile(r"[0-9a-fA-F-]{16,}")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
OUTSIDE_M = 0.5  # so far from a room something still counts as standing in it: boxes reach into walls


class Furnisher:
    """Collects pieces and things; what is odd is told."""

    def __init__(self, rooms: tuple[Room, ...], told: list[str]):
        self.rooms, self.told = rooms, told
        self.pieces: list[Furniture] = []
        self.things: list[Thing] = []
        self.named: dict[str, str] = {}  # by their ids in the file
        self._counts: Counter[str] = Counter()
        self._hung: Counter[str] = Counter()

    def furnish(self, objects: list[Item]) -> None:
        for item in objects:
            self._place(item, None)
        for kind, count in sorted(self._hung.items()):
            self.told.append(f"{count} of kind {kind} hang on the walls and are left out.")

    def _place(self, item: Item, parent: Furniture | None) -> None:
        kind, size = self._kind(item)
        if kind is None:
            self.told.append(f"{item.words} has the unknown asset {brief(item.text('assetId'))}; it is left out.")
            return
        if kind.hung:
            self._hung[kind.name] += 1
            return
        at, turn = item.part("position"), item.part("rotation")
        tip = [turn.number(axis, 0.0) % 180.0 for axis in ("x", "z")]
        if any(TIPPED_DEG < t < 180 - TIPPED_DEG for t in tip):
            size = spun(size, *tip)
        centre, base = at.point(), at.number("y", size[2] / 2) - size[2] / 2
        if kind.thing:
            self._thing(item, kind, size, centre, base, parent)
            return
        room = self._room(centre) if parent is None else parent.room
        if not room:
            self.told.append(f"{item.words} stands in no room; it is left out.")
            return
        base = 0.0 if abs(base) < 0.05 else round(max(base, 0.0), 3)
        children = listed(item, "children", MOST_CHILDREN)
        # Whatever the file puts things on is a receptacle, whether or not the table knows of any that belong there.
        receptacle = kind.receptacle or (parent is None and bool(children))
        surface = round(base + surface_m(kind.name, size[2]), 3) if receptacle else 0.0
        yaw = turned(turn.number("y", 0.0))
        whole = Furniture("", kind.name, room, centre, size, yaw, base, receptacle, surface)
        legs = [replace(leg, name=self._name(kind.name)) for leg in legs_of(item.text("assetId"), whole)]
        self.pieces += legs
        self.named[item.text("id")] = legs[0].name
        for child in children:
            self._place(child, legs[0] if len(legs) == 1 else min(legs, key=lambda leg: _gap(leg, child)))

    def _thing(self, item: Item, kind: Kind, size: Size, centre: Point, base: float, parent: Furniture | None) -> None:
        if listed(item, "children", MOST_CHILDREN):
            self.told.append(f"{item.words} is carried itself; what lies in it is left out.")
        if parent is not None and not parent.receptacle:
            self.told.append(f"{item.words} lies on a {parent.kind}, which is no receptacle; it is left out.")
            return
        if parent is None and not self._room(centre):
            self.told.append(f"{item.words} lies in no room; it is left out.")
            return
        # Their physics lets things sink in and float; nothing lies below the floor or above the furniture.
        top = parent.base_m + parent.size[2] if parent else 0.0
        height = round(min(max(base, 0.0), max(top, 0.0)), 3)
        spot = (round(centre[0], 3), round(centre[1], 3), height)
        on = parent.name if parent else FLOOR
        small = (round(size[0], 3), round(size[1], 3), round(size[2], 3))
        name = self.named[item.text("id")] = self._name(kind.name)
        self.things.append(Thing(name, kind.name, on, spot, small, kind.mass_kg))

    def _kind(self, item: Item) -> tuple[Kind | None, Size]:
        asset = item.text("assetId")
        known = assets().get(asset)
        if known is not None and known[0] in kinds():
            return kinds()[known[0]], known[1]
        said = item.text("objectType") or item.text("object_name")
        name = guessed(said) if said else guessed(item.text("id").split("|")[0]) or guessed(asset)
        if not name:
            return None, (0.0, 0.0, 0.0)
        self.told.append(f"{item.words} has the unknown asset {brief(asset)}; it is taken for a usual {name}.")
        return kinds()[name], kinds()[name].size_m

    def _room(self, p: Point) -> str:
        inside = next((r for r in self.rooms if polygons.contains(r.polygon, p)), None)
        if inside is not None:
            return inside.name
        gap, nearest = min((polygons.to_edge(r.polygon, p), r.name) for r in self.rooms)
        return nearest if gap <= OUTSIDE_M else ""

    def _name(self, kind: str) -> str:
        name = f"{snake(kind)}_{self._counts[kind]}"
        self._counts[kind] += 1
        return name


def legs_of(asset: str, whole: Furniture) -> list[Furniture]:
    """Counters in the shape of an L or a C are several boxes: one along the back, one or two at the sides.

    So robots get into the corner, and reach what lies there. Anything else is one box.
    """
    shape = re.match(r"Countertop_([LC])_", asset)
    width, depth = whole.size[:2]
    rest = depth - COUNTER_M
    if shape is None or rest < SHORTEST_LEG_M:
        return [_box(whole, 0.0, 0.0, width, depth)]
    side, ahead = (width - COUNTER_M) / 2, COUNTER_M / 2
    legs = [_box(whole, 0.0, -rest / 2, width, COUNTER_M), _box(whole, side, ahead, COUNTER_M, rest)]
    return legs if shape[1] == "L" else [*legs, _box(whole, -side, ahead, COUNTER_M, rest)]


def _box(whole: Furniture, x: float, y: float, width: float, depth: float) -> Furniture:
    """A part of a piece: where it is in the piece's own frame, and how large."""
    c, s = cos(radians(whole.yaw_deg)), sin(radians(whole.yaw_deg))
    centre = (round(whole.centre[0] + x * c - y * s, 3), round(whole.centre[1] + x * s + y * c, 3))
    return replace(whole, centre=centre, size=(round(width, 3), round(depth, 3), whole.size[2]))


def _gap(leg: Furniture, child: Item) -> float:
    at = child.part("position").point()
    return 0.0 if polygons.contains(leg.corners, at) else polygons.to_edge(leg.corners, at)


@cache
def guessed(name: str) -> str:
    """The kind that the words of a name say, empty where they say none: Dining_Table_Oak_7 is a DiningTable.

    Of several the last counts (a Bathtub_Faucet is a Faucet), unless another noun follows (a Bed_Lamp is no Bed).
    """
    words, (known, nouns) = words_of(name), _known()
    for end in range(len(words), 0, -1):
        said = ("".join(words[start:end]) for start in range(max(0, end - MOST_WORDS), end))  # the longest first
        kind = next((known[run] for run in said if run in known), "")
        if kind or words[end - 1] in nouns:
            return kind
    return ""


@cache
def _known() -> tuple[dict[str, str], set[str]]:
    """Kinds by their words, written as one, and the nouns in which they end."""
    return {kind.lower(): kind for kind in kinds()}, {words_of(kind)[-1] for kind in kinds()}


def words_of(name: str) -> list[str]:
    """The words of an asset's name, in small letters: without numbers, and without hashes, which have digits inside."""
    parts = re.split(r"[^A-Za-z0-9]+", _HASH.sub(" ", name))
    plain = [part.rstrip("0123456789") for part in parts]
    return [word.lower() for part in plain if part.isalpha() for word in _WORD.findall(part)]
