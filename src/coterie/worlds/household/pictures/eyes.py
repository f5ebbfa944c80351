"""Camera images of a robot at a moment, in colour, with the names of the things in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from coterie.core.card import Card
from coterie.houses.model import House
from coterie.log.state import State
from coterie.render import palette
from coterie.render.labels import Area, Labels, around, width
from coterie.render.map.floor import look
from coterie.render.shapes import Bitmap, Box, Shape, Text
from coterie.worlds.household.perception import Camera, Eye, camera_of
from coterie.worlds.household.perception.image import FIRST, GROUND, Image, Studio
from coterie.worlds.household.perception.rendered import LEAST_PIXELS
from coterie.worlds.household.pictures.plan import Plan, room_words

_LOOKS = {
    "white": {"Fridge", "Sink", "SinkBasin", "Toilet", "Bathtub", "BathtubBasin", "WashingMachine", "Microwave",
              "Stove", "StoveBurner", "Dishwasher", "Faucet", "GarbageCan", "Toaster", "CoffeeMachine"},
    "cloth": {"Bed", "Sofa", "ArmChair", "Ottoman", "DogBed", "Chair", "Stool", "LaundryHamper"},
    "plant": {"HousePlant"},
    "dark": {"Television", "Desktop", "Laptop", "DeskLamp", "FloorLamp", "Safe", "RoomDecor", "VacuumCleaner"},
}  # fmt: skip


def look_of(kind: str) -> str:
    """How furniture of a kind looks (`render.palette.LOOKS`)."""
    return next((name for name, kinds in _LOOKS.items() if kind in kinds), "wood")


def paint(house: House, robots: dict[str, str]) -> dict[str, tuple[float, float, float]]:
    """The colours of a camera image, by name."""
    found = {"ground": "#e9e2d3", "wall": "#f1ece1"}
    found |= {p.name: palette.mix(*look(look_of(p.kind)), 0.25) for p in house.furniture}
    found |= {d.name: "#b08d62" for d in house.doors}
    found |= {t.name: palette.thing(t.kind, "") for t in house.things}
    found |= robots
    return {name: (r / 255, g / 255, b / 255) for name, colour in found.items() for r, g, b in [palette.rgb(colour)]}


PIXELS = 420
MOST_NAMES = 14
_CEILING = "#f7f5f0"


def camera(robot: Mapping[str, object]) -> Camera:
    return camera_of(Card.from_json(robot))


def photograph(state: State, plan: Plan, name: str, hue: Mapping[str, str], pixels: int = PIXELS) -> Image:
    """The picture that a robot's camera takes."""
    x, y, heading, tilt = (float(v) for v in state.true["pose", name])
    studio = Studio(plan.house, paint(plan.house, dict(hue)))
    return studio.take(plan.scene(state), Eye(x, y, heading, tilt), camera(state.robots[name].card), name, pixels)


def shown(image: Image, plan: Plan, marked: bool = True) -> NDArray[np.uint8]:
    """The pixels to be looked at: floors in the colours of their rooms; `marked`: lines where one thing ends, and what
    is too far away pale."""
    assert image.colour is not None
    pixels = image.colour.astype(np.float32)
    pixels[image.owner == 0] = palette.rgb(_CEILING)
    ground = image.owner == GROUND
    if ground.any():
        pixels[ground] = _floors(image, plan, ground)
    pixels *= _grain(image, plan)[..., None]
    if marked:
        edge = np.zeros(image.owner.shape, bool)
        edge[:, 1:] |= image.owner[:, 1:] != image.owner[:, :-1]
        edge[1:] |= image.owner[1:] != image.owner[:-1]
        pixels[edge] *= 0.62
        beyond = _beyond(image)
        pixels[beyond] = 0.45 * pixels[beyond] + 0.55 * np.array(palette.rgb(palette.PAPER))
    out = np.full((*image.owner.shape, 4), 255, np.uint8)
    out[..., :3] = np.clip(pixels, 0, 255)
    return out


def _floors(image: Image, plan: Plan, ground: NDArray[np.bool_]) -> NDArray[np.float32]:
    low, rooms = plan.ground
    x, y, _ = image.points()[:, ground]
    columns, rows = (np.floor(v / plan.cell_m).astype(int) - low[i] for i, v in ((0, x), (1, y)))
    inside = (columns >= 0) & (rows >= 0) & (columns < rooms.shape[1]) & (rows < rooms.shape[0])
    index = np.where(inside, rooms[np.where(inside, rows, 0), np.where(inside, columns, 0)], -1)
    table = [palette.mix(palette.floor(room_words(r.kind)), "#8a7f6a", 0.16) for r in plan.house.rooms]
    rgb = np.array([*(palette.rgb(c) for c in table), palette.rgb("#d8d4ca")], np.float32)
    wet = np.array([*(r.kind in ("Kitchen", "Bathroom") for r in plan.house.rooms), True])[index]
    tiles = (np.floor(x / 0.5) + np.floor(y / 0.5)) % 2  # half a metre each: a measure of distance
    row = np.floor(y / 0.125)
    boards = (row * 5 + np.floor((x + row % 4 * 0.5) / 2)) % 3 / 2  # 12.5 cm wide, 2 m long
    return rgb[index] * (1 - np.where(wet, 0.07 * tiles, 0.1 * boards))[:, None].astype(np.float32)


@np.errstate(invalid="ignore")  # rays that meet nothing
def _grain(image: Image, plan: Plan) -> NDArray[np.float32]:
    """How bright each pixel is by what is there: veins of wood, threads of cloth, and walls with a skirting board."""
    x, y, z = image.points()
    made = ["", "", "wall", *(look_of(p.kind) for p in plan.house.furniture), *("wood" for _ in plan.house.doors)]
    made += [""] * (FIRST + len(image.names) - len(made))
    veins = 0.05 * np.sin(70 * (y + z) + 3 * np.sin(5 * x + 3 * y))
    threads = 0.04 * np.sin(80 * (x + z)) * np.sin(80 * (y + z))
    skirting = np.where(z < 0.08, -0.25, 0.04 * np.minimum(z, 2.0) - 0.05)
    rough = np.zeros(image.owner.shape, np.float32)
    for what, by in (("wood", veins), ("cloth", threads), ("wall", skirting)):
        here = np.array([m == what for m in made])[image.owner]
        rough[here] = by[here]
    return 1 + rough * np.clip(1.5 / image.depth, 0, 1)  # what is far away blurs


def _beyond(image: Image) -> NDArray[np.bool_]:
    """The pixels beyond the range of the camera."""
    points = image.points()
    away = np.hypot(points[0] - image.eye.x, points[1] - image.eye.y)
    return (image.owner > 0) & ~(away <= image.camera.range_m)


def detected(image: Image, names: set[str]) -> dict[str, tuple[int, float, float]]:
    """Of some names, how many pixels each has in the picture and the middle of them (column, row)."""
    within = ~_beyond(image)
    found = {}
    for i in np.flatnonzero(np.bincount(image.owner[within], minlength=1) >= LEAST_PIXELS).tolist():
        if i >= FIRST and image.names[i - FIRST] in names:
            rows, columns = np.nonzero((image.owner == i) & within)
            found[image.names[i - FIRST]] = (len(rows), float(columns.mean()), float(rows.mean()))
    return found


def view(image: Image, plan: Plan, box: Area, marked: set[str]) -> Iterator[Shape]:
    """The picture in a frame, with names on things, those that matter first."""
    yield Bitmap(*box, shown(image, plan), smooth=True)
    things = {t.name for t in plan.house.things} | (
        set(image.names) - set(plan.house.piece) - {d.name for d in plan.house.doors}
    )
    found = detected(image, things)
    order = sorted(found, key=lambda n: (n not in marked, -found[n][0]))[:MOST_NAMES]
    labels, scale = Labels(box), box.w / image.owner.shape[1]
    for name in order:
        _, column, row = found[name]
        x, y = box.x + column * scale, box.y + row * scale
        w, h = width(name, 9.5, name in marked) + 4, 12.0
        spots = [c for gap in (3, 12) for c in around(Area(x - 4, y - 4, 8, 8), w, h, gap)]
        if name not in marked and min(labels.cost(Area(*c, w, h)) for c in spots) > 1:
            continue
        area = labels.place(w, h, spots, gap=0)
        yield Text(area.x + 2, area.y + 9.5, name, 9.5, palette.INK, bold=name in marked, halo="#ffffff")
    yield Box(*box, "", palette.WALL, 1.6, 2)
