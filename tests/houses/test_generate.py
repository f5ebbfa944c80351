"""Houses from seeds: in ProcTHOR's format, alike for the same seed, all of them reached, used and tidy."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from coterie.core.errors import CoterieError
from coterie.core.seeds import rng_of
from coterie.houses.floor import floor_of
from coterie.houses.generate import split_of
from coterie.houses.model import FLOOR, House
from coterie.houses.placement import belongs
from coterie.houses.procthor.generate import generate, generated
from coterie.houses.procthor.layout import OUTSIDE, PLANS, lay_out, outline
from coterie.houses.procthor.load import house_from
from coterie.motion import polygons
from coterie.worlds.household.tasks.tidy import suite_houses

SAMPLE = [(rooms, rooms + (10_000 if rooms % 2 else 40)) for rooms in PLANS]


@pytest.fixture(scope="module", params=SAMPLE, ids=lambda p: f"rooms:{p[0]}:{p[1]}")
def house(request: pytest.FixtureRequest) -> House:
    return generated(*request.param)


def test_it_has_the_rooms_asked_for(house: House):
    rooms = int(house.name.split(":")[1])
    assert len(house.rooms) == rooms
    kinds = sorted(room.kind for room in house.rooms)
    assert kinds in [sorted(plan) for plan in PLANS[rooms]]


def test_every_room_is_reached_and_every_receptacle_used(house: House):
    assert house.notes == ()
    floor = floor_of(house)
    assert floor.unusable() == []
    reached = floor.reachable(0.25)
    for i in range(len(house.rooms)):
        mine = floor.room == i
        assert (reached & mine).sum() > 0.15 * mine.sum()


def test_everything_is_where_it_belongs(house: House):
    floor = floor_of(house)
    for thing in house.things:
        piece = house.piece.get(thing.on)
        room = house.room[piece.room] if piece else house.room[floor.room_at(thing.spot[:2])]
        assert belongs(thing.kind, piece.kind if piece else FLOOR, room.kind)
        if piece is not None:
            assert polygons.contains(piece.corners, thing.spot[:2], slack=0.01)


def test_furniture_stands_in_its_room_and_not_in_other_furniture(house: House):
    stand = [p for p in house.furniture if p.base_m == 0.0]
    for piece in stand:
        polygon = house.room[piece.room].polygon
        assert all(polygons.contains(polygon, corner, slack=0.01) for corner in piece.corners), piece.name
    for i, one in enumerate(stand):
        for two in stand[i + 1 :]:
            if "Chair" in (one.kind, two.kind):
                continue  # they are pushed under tables
            x0, y0, x1, y1 = polygons.bounds(one.corners)
            a0, b0, a1, b1 = polygons.bounds(two.corners)
            assert min(x1, a1) - max(x0, a0) < 0.01 or min(y1, b1) - max(y0, b0) < 0.01, (one.name, two.name)


def test_a_seed_fixes_the_house():
    one, two = (json.dumps(generate(5, 77)) for _ in range(2))
    assert one == two and one != json.dumps(generate(5, 78))
    assert house_from(json.loads(one), name="rooms:5:77") == generated(5, 77)


def test_the_format_is_procthors():
    data = generate(4, 10)
    assert set(data) == {"rooms", "walls", "doors", "windows", "objects", "proceduralParameters", "metadata"}
    walls = {w["id"]: w for w in data["walls"]}
    rooms = {r["id"] for r in data["rooms"]}
    assert len(walls) == len(data["walls"])
    for door in data["doors"]:
        assert {door["room0"], door["room1"]} <= rooms and {door["wall0"], door["wall1"]} <= set(walls)
    closed = [d for d in data["doors"] if not d.get("openness", 1)]
    assert len(closed) == 1 and closed[0]["room0"] == closed[0]["room1"]
    assert all("exterior" in w["id"] or w["roomId"] in rooms for w in data["walls"])
    assert all(set(o) >= {"assetId", "id", "position", "rotation", "kinematic"} for o in data["objects"])


def test_plans_are_not_all_rectangles():
    shapes: Counter[bool] = Counter()
    for seed in range(15):
        layout = lay_out(rng_of("plans", seed), 5)
        if layout is None:
            continue
        for room in range(5):
            xs, ys = zip(*(e.a for e in layout.edges if e.room == room), strict=True)
            area = sum(e.a[0] * e.b[1] - e.b[0] * e.a[1] for e in outline(layout.grid, room)) / -2
            assert area == (layout.grid == room).sum()  # the outline runs clockwise, once around
            shapes[area == (max(xs) - min(xs)) * (max(ys) - min(ys))] += 1
        # every wall between rooms is in the outline of both, the other way round
        inner = {(e.room, e.other, e.a, e.b) for e in layout.edges if e.other != OUTSIDE}
        assert inner == {(o, r, b, a) for r, o, a, b in inner}
    assert shapes[False] > 10 and shapes[True] > 25


def test_seeds_and_names():
    assert [split_of(s) for s in (2, 3, 10_000)] == ["train", "dev", "test"]
    names = suite_houses()
    assert len(names) == len(set(names)) == 90 and names[0] == "rooms:1:10000" and names[-1] == "rooms:10:10009"
    with pytest.raises(CoterieError, match="not of 11"):
        generate(11, 1)
