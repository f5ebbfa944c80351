"""Colours of houses, from above and through a camera."""

from __future__ import annotations

from coterie.houses.model import House
from coterie.render import palette
from coterie.render.map.floor import look

_LOOKS = {
    "white": {"Fridge", "Sink", "SinkBasin", "Toilet", "Bathtub", "BathtubBasin", "WashingMachine", "Microwave",
              "Stove", "StoveBurner", "Dishwasher", "Faucet", "GarbageCan", "Toaster", "CoffeeMachine"},
    "cloth": {"Bed", "Sofa", "ArmChair", "Ottoman", "DogBed", "Chair", "Stool", "LaundryHamper"},
    "plant": {"HousePlant"},
    "dark": {"Television", "Desktop", "Laptop", "DeskLamp", "FloorLamp", "Safe", "RoomDecor", "VacuumCleaner"},
}  # fmt: skip


def look_of(kind: str) -> str:
    """How furniture of a kind looks (`render.map.floor.LOOKS`)."""
    return next((name for name, kinds in _LOOKS.items() if kind in kinds), "wood")


def paint(house: House, robots: dict[str, str]) -> dict[str, tuple[float, float, float]]:
    """What a camera paints everything with."""
    found = {"ground": "#e9e2d3", "wall": "#f1ece1"}
    found |= {p.name: palette.mix(*look(look_of(p.kind)), 0.25) for p in house.furniture}
    found |= {d.name: "#b08d62" for d in house.doors}
    found |= {t.name: palette.thing(t.kind, "") for t in house.things}
    found |= robots
    return {name: _share(palette.rgb(colour)) for name, colour in found.items()}


def _share(colour: tuple[int, int, int]) -> tuple[float, float, float]:
    r, g, b = colour
    return r / 255, g / 255, b / 255
