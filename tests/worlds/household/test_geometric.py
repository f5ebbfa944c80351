"""Seeing by rays: what hides what, for cameras high and low."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.core.errors import CoterieError
from coterie.houses.floor import floor_of
from coterie.houses.model import House, Room
from coterie.houses.names import house as generated
from coterie.worlds.household.perception import BLOCKED, CELL_M, FIRST_ROOM, Camera, Eye, Lying, Scene, Standing
from coterie.worlds.household.perception.backends import sight_of
from coterie.worlds.household.perception.geometric import Geometric
from tests.worlds.household.made import LOW, TALL, crosses, names, piece, thing, two_rooms


def look(house, eye, camera=TALL, moved=None, robots=None, me=""):
    return Geometric(house).look(Scene(house, moved or {}, robots or {}), Eye(*eye), camera, me)


def box(spot, name="box_0"):
    """Told apart from afar."""
    return thing(name, "Box", spot=spot, size=(0.4, 0.4, 0.1))


def cell(seen, x, y):
    """What is told of the ground at a point."""
    column, row = math.floor(x / CELL_M) - seen.area.low[0], math.floor(y / CELL_M) - seen.area.low[1]
    rows, columns = seen.area.cells.shape
    return int(seen.area.cells[row, column]) if 0 <= row < rows and 0 <= column < columns else 0


def test_what_lies_ahead_is_seen_and_nothing_behind():
    house = two_rooms(things=[box((3.2, 2.0, 0.0))])
    assert names(look(house, (1.0, 2.0, 0, 0))) == {"box_0"}
    for heading in (90, 180, 270):
        assert not names(look(house, (1.0, 2.0, heading, 0)))


def test_walls_and_closed_doors_hide_and_open_doors_do_not():
    there = box((5.0, 2.0, 0.0))
    seen = look(two_rooms(things=[there, box((5.0, 0.6, 0.0), "box_1")]), (2.5, 2.0, 0, 0), LOW)
    assert names(seen) == {"box_0"} and seen.doors == ("door_0",)
    assert cell(seen, 5.0, 2.0) == FIRST_ROOM + 1 and cell(seen, 3.9, 3.0) == FIRST_ROOM
    assert cell(seen, 5.0, 0.6) == 0
    shut = look(two_rooms(things=[there], opened=False), (2.5, 2.0, 0, 0), LOW)
    assert not names(shut) and not shut.doors and cell(shut, 5.0, 2.0) == 0


def test_what_is_low_and_close_is_below_the_picture_of_a_tall_camera():
    house = two_rooms(things=[box((2.2, 2.0, 0.0))])
    at = (1.0, 2.0, 0)
    assert not names(look(house, (*at, 0), TALL))
    assert names(look(house, (*at, 0), LOW)) == {"box_0"}
    assert names(look(house, (*at, -30), TALL)) == {"box_0"}
    assert cell(look(house, (*at, 0), TALL), 2.2, 2.0) == 0
    assert cell(look(house, (*at, 0), LOW), 2.2, 2.0) == FIRST_ROOM


def test_a_tall_camera_looks_over_a_table_that_hides_the_floor_from_a_low_one():
    table = piece("table_0", "DiningTable", (2.0, 2.0), (0.6, 1.6, 0.6))
    house = two_rooms([table], [box((3.3, 2.0, 0.0))])
    tall, low = look(house, (0.5, 2.0, 0, 0), TALL), look(house, (0.5, 2.0, 0, 0), LOW)
    assert names(tall) == {"box_0"} and not names(low)
    assert cell(tall, 3.6, 2.0) == FIRST_ROOM and cell(low, 3.6, 2.0) == 0
    assert tall.pieces == low.pieces == ("table_0",)
    assert cell(low, 1.75, 2.0) == BLOCKED


def test_a_low_camera_misses_what_lies_far_back_on_a_high_shelf():
    shelf = piece("shelf_0", "ShelvingUnit", (3.6, 2.0), (0.7, 1.5, 1.5))
    house = two_rooms([shelf], [thing("bowl_0", "Bowl", "shelf_0", (3.85, 2.0, 1.5), (0.3, 0.3, 0.08))])
    assert names(look(house, (1.9, 2.0, 0, 0), TALL)) == {"bowl_0"}
    assert not names(look(house, (2.4, 2.0, 0, 0), LOW))


def test_a_thing_in_a_tall_piece_is_seen_and_hidden_by_others():
    fridge = piece("fridge_0", "Fridge", (3.6, 2.0), (0.7, 0.7, 1.9))
    milk = thing("milk_0", "Milk", "fridge_0", (3.4, 2.0, 0.6), (0.2, 0.2, 0.3))
    assert names(look(two_rooms([fridge], [milk]), (1.5, 2.0, 0, 0))) == {"milk_0"}
    wardrobe = piece("wardrobe_0", "Wardrobe", (2.5, 2.0), (0.3, 1.0, 1.9), receptacle=False)
    seen = look(two_rooms([fridge, wardrobe], [milk]), (1.5, 2.0, 0, 0))
    assert not names(seen) and seen.pieces == ("wardrobe_0",)


def test_what_hangs_on_a_wall_hides_nothing():
    shelf = piece("shelf_0", "Shelf", (3.9, 2.0), (0.2, 0.8, 0.1), base=1.4)
    house = two_rooms([shelf], [box((3.7, 2.0, 0.0))])
    seen = look(house, (1.0, 2.0, 0, 0))
    assert seen.pieces == ("shelf_0",) and names(seen) == {"box_0"}


def test_things_that_were_moved_are_seen_where_they_are():
    house = two_rooms(things=[box((3.2, 2.0, 0.0))])
    geometric = Geometric(house)
    eye, there = Eye(1.0, 2.0, 0, 0), Lying("floor", (2.8, 1.5, 0.0))
    (seen,) = geometric.look(Scene(house, {"box_0": there}, {}), eye, TALL).things
    assert seen.spot == there.spot
    assert not geometric.look(Scene(house, {"box_0": None}, {}), eye, TALL).things
    assert names(geometric.look(Scene(house, {}, {}), eye, TALL)) == {"box_0"}
    assert geometric.shows(Scene(house, {}, {}), eye, TALL, [(3.2, 2.0, 0.02), (0.5, 2.0, 0.02)]) == [True, False]


def test_robots_are_seen_and_hide_what_is_behind_them():
    house = two_rooms(things=[box((3.5, 2.0, 0.0))])
    bob = {"Bob": Standing(2.5, 2.0, 0.25, 1.6), "Me": Standing(1.0, 2.0, 0.25, 0.9)}
    seen = look(house, (1.0, 2.0, 0, 0), LOW, robots=bob, me="Me")
    assert list(seen.robots) == ["Bob"] and not names(seen)
    assert cell(seen, 3.5, 2.0) == 0 and cell(look(house, (1.0, 2.0, 0, 0), LOW), 3.5, 2.0) == FIRST_ROOM
    small = {"Bob": Standing(2.0, 2.0, 0.25, 0.3)}
    assert names(look(house, (1.0, 2.0, 0, 0), TALL, robots=small)) == {"box_0"}


def test_the_ground_under_the_robot_is_known():
    seen = look(two_rooms(), (2.0, 2.0, 0, 30))
    for dx in (-0.1, 0.1):
        assert cell(seen, 2.0 + dx, 2.0) == FIRST_ROOM and cell(seen, 2.0, 2.0 + dx) == FIRST_ROOM


def test_other_back_ends_and_more_rooms_than_robots_tell_apart_are_refused():
    with pytest.raises(CoterieError, match=r"No camera 'sonar'\..* geometric, rendered, vision"):
        sight_of(two_rooms(), "sonar")
    rooms = tuple(Room(f"room {i}", "Kitchen", ((i, 0), (i + 1, 0), (i + 1, 1), (i, 1))) for i in range(300))
    with pytest.raises(CoterieError, match="300 rooms"):
        sight_of(House("palace", rooms, (), (), (), ()))


POSES = st.tuples(st.integers(0, 10_000), st.sampled_from((0, 90, 180, 270)), st.sampled_from((-60, -30, 0, 30)))


@settings(max_examples=12)
@given(POSES, st.sampled_from((TALL, LOW)), st.sampled_from(("rooms:3:5", "rooms:2:9")))
def test_nothing_is_seen_through_walls_and_all_floor_is_floor(pose, camera, name):
    house = generated(name)
    floor = floor_of(house)
    rows, columns = np.nonzero(floor.free(0.25))
    at, heading, tilt = pose
    x, y = floor.middle(int(rows[at % len(rows)]), int(columns[at % len(rows)]))
    seen = Geometric(house).look(Scene(house, {}, {}), Eye(x, y, heading, tilt), camera)
    lines = [*house.walls, *(d for d in house.doors if not d.open)]
    for found in seen.things:
        assert not any(crosses((x, y), found.spot[:2], w.a, w.b, away=0.02) for w in lines), found
        assert math.dist((x, y), found.spot[:2]) <= camera.range_m + 1e-6
    rows, columns = np.nonzero((seen.area.cells > 0) & (seen.area.cells < BLOCKED))
    for row, column in list(zip(rows.tolist(), columns.tolist()))[::7]:
        px, py = (column + seen.area.low[0] + 0.5) * CELL_M, (row + seen.area.low[1] + 0.5) * CELL_M
        index = int(floor.room[floor.cell((px, py))])
        assert seen.area.cells[row, column] == index + FIRST_ROOM


@settings(max_examples=10)
@given(POSES, st.sampled_from((Camera(1.6, 90.0, 1.5), Camera(0.9, 90.0, 1.5), LOW)))
def test_poses_that_are_cast_together_see_what_each_sees_alone(pose, camera):
    house = generated("rooms:3:5")
    at, heading, tilt = pose
    free = np.argwhere(floor_of(house).free(0.25)[::5, ::5])
    row, column = free[at % len(free)] * 5
    x, y = (round(v, 2) for v in floor_of(house).middle(int(row), int(column)))
    together, alone = Geometric(house), Geometric(house)
    together.view(Eye(x, y, heading, tilt), camera)
    for eye, _ in list(together._casts):
        one, other = together.view(eye, camera), alone._rays.cast([eye], [alone._rays.start(eye, camera)], camera)[0]
        area = alone._rays.patch(other)
        assert one.area.low == area.low and np.array_equal(one.area.cells, area.cells)
        assert set(one.pieces) >= {house.furniture[i - 1].name for i in other.pieces}
