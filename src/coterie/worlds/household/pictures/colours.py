"""Colours of houses, from above and through a camera."""

from __future__ import annotations

from coterie.houses.model import House
from coterie.render import palette

UNSEEN = "#8b8d98"
UNSEEN_EDGE = "#6f717c"
WHITE_GOODS, WHITE_EDGE = "#dfe6ec", "#7f8f9c"
CLOTH, CLOTH_EDGE = "#d5dbe9", "#7d86a6"
PLANT, PLANT_EDGE = "#cfe3c6", "#6f9463"
DARK, DARK_EDGE = "#b9bcc6", "#5b5f6e"

_WHITE = {"Fridge", "Sink", "SinkBasin", "Toilet", "Bathtub", "BathtubBasin", "WashingMachine", "Microwave", "Stove",
          "StoveBurner", "Dishwasher", "Faucet", "GarbageCan", "Toaster", "CoffeeMachine"}  # fmt: skip
_CLOTH = {"Bed", "Sofa", "ArmChair", "Ottoman", "DogBed", "Chair", "Stool", "LaundryHamper"}
_PLANT = {"HousePlant"}
_DARK = {"Television", "Desktop", "Laptop", "DeskLamp", "FloorLamp", "Safe", "RoomDecor", "VacuumCleaner"}
_FLOORS = {"Kitchen": "kitchen", "LivingRoom": "living room", "Bedroom": "bedroom", "Bathroom": "bathroom"}


def floor(kind: str) -> str:
    return palette.floor(_FLOORS.get(kind, kind))


def furniture(kind: str) -> tuple[str, str]:
    """Fill and edge."""
    if kind in _WHITE:
        return WHITE_GOODS, WHITE_EDGE
    if kind in _CLOTH:
        return CLOTH, CLOTH_EDGE
    if kind in _PLANT:
        return PLANT, PLANT_EDGE
    if kind in _DARK:
        return DARK, DARK_EDGE
    return palette.WOOD, palette.WOOD_EDGE


def rgb(colour: str) -> tuple[int, int, int]:
    r, g, b = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return r, g, b


def paint(house: House, robots: dict[str, str]) -> dict[str, tuple[float, float, float]]:
    """What a camera paints everything with."""
    found = {"ground": "#e9e2d3", "wall": "#f1ece1"}
    found |= {p.name: palette.mix(*furniture(p.kind), 0.25) for p in house.furniture}
    found |= {d.name: "#b08d62" for d in house.doors}
    found |= {t.name: palette.thing(t.kind, "") for t in house.things}
    found |= robots
    return {name: _share(rgb(colour)) for name, colour in found.items()}


def _share(colour: tuple[int, int, int]) -> tuple[float, float, float]:
    r, g, b = colour
    return r / 255, g / 255, b / 255
