"""Houses for tests, written by hand in ProcTHOR's JSON: two rooms side by side with a door between them."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]


def two_rooms() -> Json:
    """A kitchen of 4 x 4 m with a counter and a mug, a bathroom of 3 x 4 m with a toilet; a door from y=1.5 to 2.5."""
    return {
        "rooms": [
            {"id": "room|2", "roomType": "Kitchen", "floorPolygon": corners((0, 0), (0, 4), (4, 4), (4, 0))},
            {"id": "room|3", "roomType": "Bathroom", "floorPolygon": corners((4, 0), (4, 4), (7, 4), (7, 0))},
        ],
        "walls": [
            wall(2, (0, 0), (0, 4)),
            wall(2, (0, 4), (4, 4)),
            wall(2, (4, 4), (4, 0)),
            wall(2, (4, 0), (0, 0)),
            wall(3, (4, 0), (4, 4)),
            wall(3, (4, 4), (7, 4)),
            wall(3, (7, 4), (7, 0)),
            wall(3, (7, 0), (4, 0)),
        ],
        "doors": [door("room|2", "room|3", wall(2, (4, 4), (4, 0)), wall(3, (4, 0), (4, 4)), 1.5, 2.5)],
        "windows": [],
        "objects": [
            {
                **thing("Countertop_I_6x2", "CounterTop|2|0", 1.0, 3.6, 0.937 / 2, turn=180),
                "children": [thing("Mug_1", "Mug|2|1", 0.8, 3.6, 0.99)],
            },
            thing("Toilet_1", "Toilet|3|2", 6.5, 0.5, 0.496),
        ],
        "metadata": {"agent": {"position": {"x": 2, "y": 0.95, "z": 2}}, "schema": "1.0.0"},
    }


def corners(*points: tuple[float, float]) -> list[Json]:
    return [{"x": x, "y": 0, "z": y} for x, y in points]


def wall(room: int, a: tuple[float, float], b: tuple[float, float], **more: Any) -> Json:
    polygon = [{"x": x, "y": up, "z": y} for up in (0, 2.5) for x, y in (a, b)]
    return {"id": f"wall|{room}|{a}|{b}", "roomId": f"room|{room}", "polygon": polygon, **more}


def door(room0: str, room1: str, wall0: Json, wall1: Json, low: float, high: float, **more: Any) -> Json:
    return {
        "id": f"door|{room0[-1]}|{room1[-1]}",
        "assetId": "Doorway_2",
        "room0": room0,
        "room1": room1,
        "wall0": wall0["id"],
        "wall1": wall1["id"],
        "holePolygon": [{"x": low, "y": 0, "z": 0}, {"x": high, "y": 2.1, "z": 0}],
        "openable": True,
        "openness": 1,
        **more,
    }


def thing(asset: str, name: str, x: float, y: float, up: float, turn: float = 0) -> Json:
    return {
        "assetId": asset,
        "id": name,
        "position": {"x": x, "y": up, "z": y},
        "rotation": {"x": 0, "y": turn, "z": 0},
    }
