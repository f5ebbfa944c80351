"""A house as a model for MuJoCo (MJCF): walls, doors on hinges, furniture with compartments, things with mass.

Metres, kilograms and seconds; z is up. The model is text, and only `unsettled` needs MuJoCo. Things stand where the
house has them. What stands so close together that boxes would overlap is made narrower, and a thing that sticks out of
a compartment lower, so that nothing is pushed away when the simulation begins; `Exported` counts how many.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from xml.etree import ElementTree as Xml

from coterie.houses.model import WALL_HEIGHT_M, Door, Furniture, House, Point, Thing
from coterie.houses.work_table import OPENABLE
from coterie.motion import polygons
from coterie.motion.needs import mujoco

WALL_HALF_M, BOARD_M, LEAF_M = 0.02, 0.02, 0.04  # of walls, the sides of compartments, door leaves
LEAST_M = 0.15  # between the surface and the top of what can be a compartment
LEVEL_M = 0.05  # between heights that count as one
APART_M = 0.002  # between things, and between things and what they stand on or in
NARROWEST = 0.25  # of its width: so much is left of a thing at least
OPEN_DEG = 90.0
TOP_M, LEG_M = 0.04, 0.03  # of tables: how thick the top is, and half a leg
FELL_M, PUSHED_M, TIPPED = 0.05, 0.15, 0.9  # from when a thing has not stayed where it was
LEAF_KG, SHUTTER_KG = 15.0, 5.0
COLOURS = {
    "floor": "0.82 0.80 0.76 1", "wall": "0.93 0.92 0.89 1", "leaf": "0.62 0.48 0.34 1",
    "furniture": "0.72 0.62 0.50 1", "compartment": "0.86 0.87 0.89 1", "thing": "0.35 0.52 0.70 1",
}  # fmt: skip
#: Bodies that do not move touch those that move, and nothing else: a leaf may stand in a piece of furniture.
STILL = {"contype": "0", "conaffinity": "1"}


class Exported(NamedTuple):
    """The model, and what it holds."""

    xml: str
    walls: int
    doors: int  # with leaves on hinges
    furniture: int
    compartments: int  # pieces that open, or have shelves
    things: int
    narrowed: int


class Moved(NamedTuple):
    """A thing that did not stay where the house has it."""

    thing: str
    sunk_m: float
    shifted_m: float
    upright: float  # 1: as at first; 0: on its side


def unsettled(house: House, xml: str, seconds: float = 2.0) -> list[Moved]:
    """Let the things of an exported house come to rest in MuJoCo; those that fell, tipped over or were pushed away."""
    mj = mujoco()
    model = mj.MjModel.from_xml_string(xml)
    data = mj.MjData(model)
    mj.mj_forward(model, data)
    begun = data.xpos.copy()
    for _ in range(round(seconds / model.opt.timestep)):
        mj.mj_step(model, data)
    found = []
    for thing in house.things:
        body = model.body(thing.name).id
        dx, dy, dz = (data.xpos[body] - begun[body]).tolist()
        moved = Moved(thing.name, -dz, math.hypot(dx, dy), float(data.xmat[body][8]))
        if abs(moved.sunk_m) > FELL_M or moved.shifted_m > PUSHED_M or moved.upright < TIPPED:
            found.append(moved)
    return found


class _Box(NamedTuple):
    """A thing as a box: its middle, half its size, and how it is turned."""

    thing: Thing
    at: tuple[float, float, float]
    half: tuple[float, float, float]
    yaw_deg: float
    narrowed: bool


def to_mjcf(house: House) -> Exported:
    """The house as an MJCF document."""
    root = Xml.Element("mujoco", model=house.name)
    _add(root, "compiler", angle="degree", autolimits="true")
    _add(root, "option", timestep="0.004", integrator="implicitfast", cone="elliptic", impratio="10")
    default = _add(root, "default")
    _add(default, "geom", friction="0.8 0.02 0.002", condim="4")
    visual = _add(root, "visual")
    _add(visual, "global", offwidth="1280", offheight="960")
    _add(visual, "headlight", ambient="0.5 0.5 0.5", diffuse="0.22 0.22 0.22", specular="0 0 0")
    sky = {"rgb1": "0.93 0.95 0.97", "rgb2": "0.80 0.85 0.91", "width": "8", "height": "48"}
    _add(_add(root, "asset"), "texture", type="skybox", builtin="gradient", **sky)
    world = _add(root, "worldbody")
    x0, y0, x1, y1 = house.box
    middle = ((x0 + x1) / 2, (y0 + y1) / 2)
    for way, bright in (("0.4 0.6 -1", "0.36 0.36 0.36"), ("-0.6 -0.35 -0.6", "0.24 0.24 0.24")):
        light = _add(world, "light", type="directional", pos=_n(*middle, 8), dir=way)
        light.attrib.update(castshadow="false", diffuse=bright, specular="0 0 0")
    size = _n((x1 - x0) / 2 + 1, (y1 - y0) / 2 + 1, 0.1)
    floor = {"type": "plane", "size": size, "pos": _n(*middle, 0), "rgba": COLOURS["floor"]}
    _add(world, "geom", name="floor", **floor)
    names = _Names()
    for wall in house.walls:
        _slab(world, names("wall"), wall.a, wall.b, 0.0, wall.height_m or WALL_HEIGHT_M, "wall")
    high = max((w.height_m for w in house.walls), default=WALL_HEIGHT_M)
    for door in house.doors:
        if high > door.height_m + 0.01:
            _slab(world, names("lintel"), door.a, door.b, door.height_m, high, "wall")
    leaves = [d for d in house.doors if d.swings]
    for door in leaves:
        _leaf(world, names(door.name), door, house)
    lying = {f.name: [t for t in house.things if t.on == f.name] for f in house.furniture}
    levels = {f.name: _levels(f, lying[f.name]) for f in house.furniture if f.receptacle or f.opens or lying[f.name]}
    for f in house.furniture:
        _furniture(world, names(f.name), f, levels.get(f.name, [f.top_m]), house)
    hollow = [f for f in house.furniture if is_hollow(f) or len(levels.get(f.name, ())) > 1]
    boxes = _boxes(house, levels)
    for box in boxes:
        body = _add(world, "body", name=names(box.thing.name), pos=_n(*box.at), euler=_n(0, 0, box.yaw_deg))
        _add(body, "freejoint")
        _add(body, "geom", type="box", size=_n(*box.half), mass=_n(_mass(box)), rgba=COLOURS["thing"])
    Xml.indent(root)
    text = Xml.tostring(root, encoding="unicode") + "\n"
    narrowed = sum(b.narrowed for b in boxes)
    return Exported(text, len(house.walls), len(leaves), len(house.furniture), len(hollow), len(boxes), narrowed)


def _add(parent: Xml.Element, tag: str, **attributes: str) -> Xml.Element:
    return Xml.SubElement(parent, tag, attributes)


def _mass(box: _Box) -> float:
    """In kilograms; by its size where nothing is known, since nothing that moves weighs nothing."""
    return box.thing.mass_kg or max(0.01, 200.0 * 8 * math.prod(box.half))


def _n(*numbers: float) -> str:
    return " ".join(f"{v:.5g}" for v in numbers)


class _Names:
    """Names of bodies, each once."""

    def __init__(self) -> None:
        self.used: dict[str, int] = {}

    def __call__(self, name: str) -> str:
        self.used[name] = count = self.used.get(name, 0) + 1
        return name if count == 1 and name not in ("wall", "lintel") else f"{name}_{count}"


def _slab(world: Xml.Element, name: str, a: Point, b: Point, low: float, high: float, look: str) -> None:
    """An upright piece of wall."""
    length, turn = math.dist(a, b), math.degrees(math.atan2(b[1] - a[1], b[0] - a[0]))
    if length > 0.005:
        at = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (low + high) / 2)
        size = _n(length / 2, WALL_HALF_M, (high - low) / 2)
        turned = {"pos": _n(*at), "euler": _n(0, 0, turn), "size": size, "rgba": COLOURS[look]}
        _add(world, "geom", name=name, type="box", **turned, **STILL)


# -- doors ------------------------------------------------------------------------------------------------------------
def _leaf(world: Xml.Element, name: str, door: Door, house: House) -> None:
    """A door leaf that hangs at one end of its hole, as open as the door is; it opens to where there is more room."""
    turn, way = leaf_deg(door, house)
    now = way * OPEN_DEG if door.open else 0.0
    body = _add(world, "body", name=name, pos=_n(*door.a, 0), euler=_n(0, 0, turn + now))
    _hinge(body, name, way, now)
    half = (door.width_m - 0.02) / 2
    leaf = {"pos": _n(half + 0.01, 0, door.height_m / 2), "size": _n(half, LEAF_M / 2, door.height_m / 2 - 0.01)}
    _add(body, "geom", name=f"{name}_leaf", type="box", mass=_n(LEAF_KG), rgba=COLOURS["leaf"], **leaf, **STILL)


def leaf_deg(door: Door, house: House) -> tuple[float, int]:
    """Where a closed leaf points to from its hinge, and to which side it opens."""
    turn = math.degrees(math.atan2(door.b[1] - door.a[1], door.b[0] - door.a[0]))
    return turn, min((1, -1), key=lambda sign: _crowded(house, door.a, turn + sign * OPEN_DEG, door.width_m))


def _hinge(body: Xml.Element, name: str, way: int, now: float) -> None:
    """Angles count from where the leaf is now."""
    low, high = sorted((-now, way * OPEN_DEG - now))
    joint = _add(body, "joint", name=f"{name}_hinge", type="hinge", axis="0 0 1", range=_n(low, high))
    joint.attrib.update(damping="1", frictionloss="0.5")


def _crowded(house: House, hinge: Point, turn_deg: float, width_m: float) -> int:
    """How many points along an open leaf are in furniture."""
    c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    points = [(hinge[0] + c * width_m * k / 8, hinge[1] + s * width_m * k / 8) for k in range(1, 9)]
    return sum(polygons.contains(f.corners, p) for p in points for f in house.furniture)


# -- furniture --------------------------------------------------------------------------------------------------------
def is_hollow(f: Furniture) -> bool:
    """True if a piece is made with sides, a top and a door."""
    return (f.opens or (f.receptacle and f.kind in OPENABLE)) and f.top_m - f.surface_m >= LEAST_M


def _has_legs(f: Furniture) -> bool:
    """Tables and desks: chairs stand under them."""
    return f.receptacle and any(word in f.kind.lower() for word in ("table", "desk"))


def _levels(f: Furniture, things: Sequence[Thing]) -> list[float]:
    """The heights at which things lie on or in a piece, lowest first: its surface, and shelves where the house has
    things elsewhere. What is nearly as high lies at the same height."""
    found: list[list[float]] = []
    for z in sorted([f.surface_m, *(t.spot[2] for t in things)]):
        if found and z - found[-1][0] <= LEVEL_M:
            found[-1].append(z)
        else:
            found.append([z])
    return [f.surface_m if f.surface_m in zs else sum(zs) / len(zs) for zs in found]


def _furniture(world: Xml.Element, name: str, f: Furniture, levels: Sequence[float], house: House) -> None:
    """A block up to where things lie lowest, or a board on legs, and a board for every height above; what can be opened
    has sides, a back, a top and a door."""
    body = _add(world, "body", name=name, pos=_n(*f.centre, 0), euler=_n(0, 0, f.yaw_deg))
    w, d = f.size[0] / 2, f.size[1] / 2
    hollow = is_hollow(f)
    look = COLOURS["compartment" if hollow else "furniture"]
    low, high, b = levels[0], f.top_m if hollow else levels[-1], BOARD_M / 2

    def block(into: Xml.Element, at: Sequence[float], half: Sequence[float]) -> None:
        _add(into, "geom", type="box", pos=_n(*at), size=_n(*half), rgba=look, **STILL)

    foot = min(f.base_m, low)
    if _has_legs(f) and low - foot > 2 * TOP_M:
        for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            at = (x * (w - LEG_M), y * (d - LEG_M), (foot + low - TOP_M) / 2)
            block(body, at, (LEG_M, LEG_M, (low - TOP_M - foot) / 2))
        foot = low - TOP_M
    block(body, (0, 0, (foot + low) / 2), (w, d, max(0.005, (low - foot) / 2)))
    for level in levels[1:]:
        block(body, (0, 0, level - b), (w, d, b))
    turn = front_deg(f, house)  # in its own frame the front is at -y, or wherever one stands to use it
    deep, wide = (d, w) if turn % 180 == 0 else (w, d)
    inner = _add(body, "body", name=f"{name}_inside", euler=_n(0, 0, turn)) if high > low else body
    if high - low > BOARD_M:
        block(inner, (0, deep - b, (low + high) / 2), (wide, b, (high - low) / 2))
    if not hollow:
        return
    block(inner, (-wide + b, 0, (low + high) / 2), (b, deep, (high - low) / 2))
    block(inner, (wide - b, 0, (low + high) / 2), (b, deep, (high - low) / 2))
    block(inner, (0, 0, high - b), (wide, deep, b))
    now = -OPEN_DEG if f.open else 0.0
    door = _add(inner, "body", name=f"{name}_door", pos=_n(-wide, -deep - BOARD_M, low), euler=_n(0, 0, now))
    _hinge(door, name, -1, now)
    size = _n(wide - 0.002, b, (high - low) / 2 - 0.002)
    leaf = {"pos": _n(wide, 0, (high - low) / 2), "size": size}
    _add(door, "geom", type="box", mass=_n(SHUTTER_KG), rgba=look, **leaf, **STILL)


def front_deg(f: Furniture, house: House) -> float:
    """By how much the front of a compartment is turned against -y of the piece: 0, 90, 180 or 270 degrees."""
    room = house.room.get(f.room)
    x, y = f.stands[0] if f.stands else _middle(room.polygon) if room is not None else f.centre
    angle = math.degrees(math.atan2(y - f.centre[1], x - f.centre[0])) - f.yaw_deg + 90.0
    return (round(angle / 90.0) * 90.0) % 360.0


def _middle(polygon: Iterable[Point]) -> Point:
    points = list(polygon)
    return sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)


# -- things -----------------------------------------------------------------------------------------------------------
def _boxes(house: House, levels: Mapping[str, Sequence[float]]) -> list[_Box]:
    """Things as boxes, turned as what they lie on, none of which reaches into another or through a board."""
    groups: dict[tuple[str, int], list[Thing]] = {}
    for thing in house.things:
        heights = levels.get(thing.on, (0.0,))
        nearest = min(range(len(heights)), key=lambda k: abs(heights[k] - thing.spot[2]))
        groups.setdefault((thing.on, nearest), []).append(thing)
    boxes: list[_Box] = []
    for (on, k), things in groups.items():
        piece = house.piece.get(on)
        yaw = piece.yaw_deg if piece is not None else 0.0
        heights = levels.get(on, (0.0,))
        above = heights[k + 1] if k + 1 < len(heights) else math.inf
        if piece is not None and is_hollow(piece):
            above = min(above, piece.top_m)
        places = [turned(t.spot[0], t.spot[1], yaw) for t in things]
        for i, thing in enumerate(things):
            usual = tuple(max(0.005, v / 2) for v in thing.size)
            w, d, h = usual
            for j, other in enumerate(things):
                if j != i:
                    w, d = _beside(places[i], (w, d), places[j], other)
            h = max(0.005, min(h, (above - BOARD_M - heights[k]) / 2 - APART_M))
            if piece is not None and (is_hollow(piece) or len(heights) > 1):
                w, d = _within(piece, places[i], (w, d))
            at = (thing.spot[0], thing.spot[1], (heights[k] if on in levels else thing.spot[2]) + h + APART_M / 2)
            boxes.append(_Box(thing, at, (w, d, h), yaw, (w, d, h) != usual))
    return boxes


def turned(x: float, y: float, yaw_deg: float) -> Point:
    """A point in a frame that is turned."""
    c, s = math.cos(math.radians(yaw_deg)), math.sin(math.radians(yaw_deg))
    return x * c + y * s, y * c - x * s


def _beside(at: Point, half: Point, there: Point, other: Thing) -> tuple[float, float]:
    """Half the width and depth that leave room for a neighbour: both give way alike, where they overlap less."""
    (w, d), (ow, od) = half, (other.size[0] / 2, other.size[1] / 2)
    dx, dy = abs(at[0] - there[0]), abs(at[1] - there[1])
    if dx >= w + ow + APART_M or dy >= d + od + APART_M:
        return w, d
    if dx / (w + ow) >= dy / (d + od):
        return max(NARROWEST * w, min(w, (dx - APART_M) * w / (w + ow))), d
    return w, max(NARROWEST * d, min(d, (dy - APART_M) * d / (d + od)))


def _within(piece: Furniture, at: Point, half: Point) -> tuple[float, float]:
    """Half the width and depth that fit between the sides of a compartment."""
    middle = turned(*piece.centre, piece.yaw_deg)
    found = []
    for k in (0, 1):
        room = piece.size[k] / 2 - BOARD_M - abs(at[k] - middle[k]) - APART_M
        found.append(max(NARROWEST * half[k], min(half[k], room)))
    return found[0], found[1]
