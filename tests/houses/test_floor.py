"""The floor in cells: against slow and obvious ways to compute the same."""

from __future__ import annotations

import heapq
from dataclasses import replace

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis.extra import numpy as arrays

from coterie.houses.floor import Floor, floor_of, labels, nearest_on
from coterie.houses.lattice import FAR, Lattice
from coterie.houses.model import Furniture, House, Room
from coterie.houses.procthor.generate import generated
from coterie.houses.procthor.load import house_from
from coterie.houses.repair import fitted, repaired
from tests.worlds.household.plans import thing, two_rooms

SQUARE = Room("kitchen_0", "Kitchen", ((0.0, 0.0), (0.0, 4.0), (4.0, 4.0), (4.0, 0.0)))


def room_with(*pieces: Furniture) -> House:
    return House("h", (SQUARE,), (), (), pieces, ())


@given(arrays.arrays(bool, st.tuples(st.integers(1, 12), st.integers(1, 12))))
def test_regions_are_those_of_a_flood(mask: np.ndarray):
    found = labels(mask)
    assert (found > 0).tolist() == mask.tolist()
    seen = np.zeros_like(mask)
    sizes = []
    for start in zip(*np.nonzero(mask), strict=True):
        if seen[start]:
            continue
        flood, todo = set(), [start]
        while todo:
            r, c = todo.pop()
            if (r, c) in flood or not (0 <= r < mask.shape[0] and 0 <= c < mask.shape[1]) or not mask[r, c]:
                continue
            flood.add((r, c))
            todo += [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]
        assert len({int(found[cell]) for cell in flood}) == 1
        for cell in flood:
            seen[cell] = True
        sizes.append((int(found[start]), len(flood)))
    assert sorted(n for n, _ in sizes) == list(range(1, len(sizes) + 1))
    by_number = [size for _, size in sorted(sizes)]
    assert by_number == sorted(by_number, reverse=True)


@pytest.mark.parametrize("offset", [0.0, 0.01, 0.02, 0.03, 0.04])
def test_a_robot_goes_through_what_is_as_wide_as_it_is(offset: float):
    """However cells lie: 2 cm more than the robot between two walls, and a row of cells in the middle of that."""
    data = two_rooms()
    data["doors"][0]["holePolygon"] = [{"x": 1.74, "y": 0}, {"x": 2.26, "y": 2}]
    for one in data["rooms"]:
        for corner in one["floorPolygon"]:
            corner["x"] += offset
    for one in data["walls"]:
        for corner in one["polygon"]:
            corner["x"] += offset
    data["objects"] = []
    house = house_from(data)
    assert not house.notes and not fitted(floor_of(house)).cut


def test_where_steps_miss_a_narrow_way_the_house_is_moved_by_less_than_a_cell():
    """Two shelves leave a way of 52 cm before the door, in the middle of which no row of cells lies."""
    data = two_rooms()
    data["objects"] = []
    low = Furniture("shelf_0", "ShelvingUnit", "kitchen_0", (3.4, 0.884), (1.0, 1.768, 1.0))
    high = Furniture("shelf_1", "ShelvingUnit", "kitchen_0", (3.4, 3.144), (1.0, 1.712, 1.0))
    house = repaired(replace(house_from(data), furniture=(low, high)))
    assert len(house.furniture) == 2 and not house.notes and not fitted(floor_of(house)).cut
    assert round(house.moved[1] * 80) % 4


@settings(max_examples=12)
@given(
    st.floats(0.6, 3.4), st.floats(0.6, 3.4), st.floats(0.2, 1.5), st.floats(0.2, 1.5), st.integers(0, 359),
    st.sampled_from([0.15, 0.25, 0.4]),
)  # fmt: skip
def test_a_robot_that_stands_free_touches_nothing(
    x: float, y: float, w: float, d: float, yaw: int, radius: float
) -> None:
    piece = Furniture("p_0", "Sofa", "kitchen_0", (x, y), (w, d, 0.5), float(yaw), receptacle=True)
    floor = Floor(room_with(piece))
    rows, columns = np.nonzero(floor.free(radius))
    at = np.stack([floor.xs[columns], floor.ys[rows]], axis=-1)
    gap = np.hypot(*(nearest_on(piece, at) - at).T)
    edge = np.minimum.reduce([at[:, 0], at[:, 1], 4 - at[:, 0], 4 - at[:, 1]])
    slack = 0.051  # a cell: this house has no walls, and ends where its cells do
    assert (gap > radius - 1e-3).all() and (edge > radius - slack).all()
    # and stands are free, near, and sorted by how near
    stands = floor.stands(piece, radius, reach_m=0.8)
    assert floor.free(radius)[stands[:, 0], stands[:, 1]].all()
    at = np.stack([floor.xs[stands[:, 1]], floor.ys[stands[:, 0]]], axis=-1)
    gap = np.hypot(*(nearest_on(piece, at) - at).T)
    assert (gap <= 0.8).all() and (np.diff(gap) >= -1e-9).all()


def test_what_hangs_higher_than_a_robot_does_not_block_it():
    low = Furniture("tv_0", "Television", "kitchen_0", (2.0, 2.0), (1.0, 0.2, 0.6), base_m=1.2)
    assert Floor(room_with(low)).blocked[Floor(room_with(low)).cell((2.0, 2.0))]
    high = replace(low, base_m=1.7)
    assert not Floor(room_with(high)).blocked[Floor(room_with(high)).cell((2.0, 2.0))]


def test_nobody_reaches_through_a_wall():
    data = two_rooms()
    data["objects"] = [data["objects"][0] | {"position": {"x": 3.0, "y": 0.47, "z": 0.6}, "children": []}]
    house = house_from(data)
    floor = floor_of(house)
    (counter,) = house.furniture
    cells = floor.stands(counter, 0.25, 1.5)
    beyond = [floor.middle(r, c) for r, c in cells if floor.room[r, c] == 1]
    assert 0 < len(beyond) < len(cells) / 2
    for at in beyond:  # through the doorway, from y=1.5 to 2.5
        x, y = nearest_on(counter, np.array([at]))[0]
        assert 1.49 < at[1] + (y - at[1]) * (4.0 - at[0]) / (x - at[0]) < 2.51


def test_a_closed_door_is_a_wall():
    data = two_rooms()
    data["doors"].append(data["doors"][0] | {"id": "d", "holePolygon": [{"x": 0.1, "y": 0}, {"x": 1.2, "y": 2}]})
    data["doors"][1]["openness"] = 0
    floor = floor_of(house_from(data))
    assert floor.walls[floor.cell((4.0, 3.3))] and not floor.walls[floor.cell((4.0, 2.0))]


def test_what_cannot_be_used_is_told():
    box = [Furniture(f"s_{i}", "Sofa", "kitchen_0", c, (1.2, 1.2, 1)) for i, c in enumerate(((1.8, 0.6), (0.6, 1.8)))]
    corner = Furniture("bin_0", "GarbageCan", "kitchen_0", (0.3, 0.3), (0.3, 0.3, 0.5), receptacle=True)
    assert [p.name for p in Floor(room_with(corner, *box)).unusable(0.25, 0.5)] == ["bin_0"]


def test_what_nobody_can_use_is_no_receptacle():
    """Beds divide the kitchen; behind them stands a counter."""
    data = two_rooms()
    data["objects"] = [
        thing("Fridge_1", "f", 0.5, 0.5, 1),
        *(thing("Bed_1", f"b{i}", x, 2.0, 0.5) for i, x in enumerate((0.7, 2.1, 3.3))),
    ]
    data["doors"][0]["holePolygon"] = [{"x": 0.2, "y": 0}, {"x": 1.2, "y": 2}]
    house = house_from(data)
    fridge = house.piece["fridge_0"]
    assert not fridge.receptacle and any(t.startswith("fridge_0 cannot be used") for t in house.notes)
    assert floor_of(house).unusable() == []


# -- places and steps -------------------------------------------------------------------------------------------------
def test_steps_end_where_it_is_free():
    floor = floor_of(generated(3, 5))
    lattice = Lattice(floor)
    for way, (dx, dy) in enumerate(((1, 0), (0, 1), (-1, 0), (0, -1))):
        for place in np.nonzero(lattice.ways[way])[0][::7]:
            x, y = lattice.point(int(place))
            assert floor.is_free((x, y), 0.25) and floor.is_free((x + dx * 0.25, y + dy * 0.25), 0.25)
            there = lattice.place((x + dx * 0.25, y + dy * 0.25))
            assert lattice.ways[(way + 2) % 4, there]  # and back again
    assert lattice.place(lattice.point(77)) == 77


@settings(max_examples=10)
@given(st.integers(0, 10_000), st.integers(0, 60))
def test_distances_are_those_of_a_search(seed: int, charge: int):
    """One place for nothing, one with a charge: every state takes the cheaper."""
    lattice = Lattice(floor_of(generated(1, 2)))
    rng = np.random.default_rng(seed)
    one, two = rng.choice(np.nonzero(lattice.main)[0], 2)
    start = np.full((4, lattice.size), FAR, np.int32)
    start[1, one], start[2, two] = 0, charge
    found = lattice.spread(start)
    expected = np.full((4, lattice.size), FAR)
    todo = [(0, 1, int(one)), (charge, 2, int(two))]
    while todo:
        cost, heading, place = heapq.heappop(todo)
        if cost >= expected[heading, place]:
            continue
        expected[heading, place] = cost
        for turn in (1, 3):
            heapq.heappush(todo, (cost + 1, (heading + turn) % 4, place))
        for way, step in enumerate((1, lattice.columns, -1, -lattice.columns)):
            if lattice.ways[way, place]:
                heapq.heappush(todo, (cost + 1, heading, place + step))
    assert (found == expected).all()


def test_a_house_is_moved_so_that_steps_fit_between_its_furniture():
    """A gap of 0.6 m, 0.15 m off the usual places."""
    data = two_rooms()
    data["objects"] = [
        thing("Countertop_I_6x2", "a", 2.0, 1.15 - 0.611 / 2, 0.47),
        thing("Countertop_I_6x2", "b", 2.0, 1.75 + 0.611 / 2, 0.47),
        *(thing("Fridge_20", f"f{i}", 2.0, y, 0.9) for i, y in enumerate((0.1, 2.8, 3.6))),
    ]
    house = house_from(data)
    assert house.moved != (0.0, 0.0) and house.notes == ()
    assert {house.room[n].kind for n in house.room} == {"Kitchen", "Bathroom"}
    x, y = house.furniture[0].centre
    assert (round(x - house.moved[0], 3), round(y - house.moved[1], 3)) == (2.0, round(1.15 - 0.3055, 3))
    lattice = Lattice(floor_of(house))
    assert lattice.main[lattice.place((0.5, 1.5))] and lattice.main[lattice.place((3.3, 1.5))]
