"""Pictures from a robot's camera: what is in them, what is read from them, and how that compares with rays."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.houses.floor import floor_of
from coterie.houses.model import FLOOR
from coterie.houses.names import house
from coterie.worlds.household.perception import BLOCKED, CELL_M, Camera, Eye, Lying, Scene, Standing
from coterie.worlds.household.perception.casting import Rays
from coterie.worlds.household.perception.geometric import Geometric
from coterie.worlds.household.perception.image import FIRST, GROUND, WALL, WALL_M, Studio
from coterie.worlds.household.perception.rendered import COARSE, LEAST_PIXELS, SHORT_M, Rendered
from tests.worlds.household import made
from tests.worlds.household.made import LOW, TALL, names, two_rooms


def table(name="table_0", at=(2.5, 2.0), size=(0.8, 0.8, 0.7), surface=None):
    return made.piece(name, "DiningTable", at, size, surface=surface)


def mug(on="table_0", spot=(2.5, 2.0, 0.7), size=(0.1, 0.1, 0.1), name="mug_0"):
    return made.thing(name, "Mug", on, spot, size)


# -- pictures ---------------------------------------------------------------------------------------------------------
def test_the_middle_of_the_picture_is_as_far_as_the_wall():
    h = two_rooms()
    image = Studio(h).take(Scene(h, {}, {}), Eye(3.0, 1.0, 180.0, 0.0), TALL)
    assert image.depth.shape == (300, 300)
    assert image.depth[150, 150] == pytest.approx(3.0 - WALL_M, abs=0.01)
    assert image.owner[150, 150] == WALL and image.owner[299, 150] == GROUND
    x, y, z = image.points()[:, 299, 150]
    assert (y, z) == (pytest.approx(1.0, abs=0.02), pytest.approx(0.0, abs=1e-4))
    assert x == pytest.approx(3.0 - 1.6 / math.tan(math.radians(44.9)), abs=0.02)


def test_a_wall_beside_and_behind_the_camera_fills_its_side_of_the_picture():
    h = two_rooms()
    image = Studio(h).take(Scene(h, {}, {}), Eye(2.0, 0.3, 0.0, 0.0), TALL)
    assert (image.owner[100:200, 299] == WALL).all(), "to the right, half a metre ahead, and it goes on behind"
    assert image.depth[150, 299] == pytest.approx(0.3, abs=0.02)
    x, y, _ = image.points()[:, 150, 200:]
    assert np.abs(y[x < 3.9]).max() < 0.02


def test_a_door_that_is_closed_is_a_wall():
    eye = Eye(2.0, 2.0, 0.0, 0.0)
    for opened, far in ((True, 6.0), (False, 2.0)):
        h = two_rooms(opened=opened)
        image = Studio(h).take(Scene(h, {}, {}), eye, Camera(1.6, 90.0, 10.0))
        assert image.depth[150, 150] == pytest.approx(far, abs=0.03)
        seen = Rendered(h).look(Scene(h, {}, {}), eye, TALL)
        assert seen.doors == (("door_0",) if opened else ())


def test_a_thing_shows_on_the_seat_but_not_from_below_it():
    """It lies lower than the piece is high: one looks onto it from above, and not through the front."""
    sofa = table(size=(0.8, 0.8, 0.9), surface=0.4)
    h = two_rooms([sofa], [mug(spot=(2.5, 2.0, 0.4))])
    look = Rendered(h).look
    assert "mug_0" in names(look(Scene(h, {}, {}), Eye(1.0, 2.0, 0.0, -30.0), TALL))
    assert "mug_0" not in names(look(Scene(h, {}, {}), Eye(1.0, 2.0, 0.0, 0.0), Camera(0.05, 90.0, 5.0)))


def test_moved_things_and_robots_are_where_they_are_now():
    h = two_rooms([table()], [mug()])
    eye, look = Eye(1.0, 1.0, 0.0, -30.0), Rendered(h).look
    assert names(look(Scene(h, {"mug_0": None}, {}), eye, TALL)) == set(), "in a hand"
    lying = Lying(FLOOR, (2.0, 1.0, 0.0))
    (found,) = look(Scene(h, {"mug_0": lying}, {}), eye, TALL).things
    assert found == ("mug_0", FLOOR, lying.spot)
    bob = {"Bob": Standing(1.6, 1.0, 0.25, 1.6), "me": Standing(1.0, 1.0, 0.25, 1.6)}
    seen = look(Scene(h, {"mug_0": lying}, bob), eye, TALL, "me")
    assert seen.robots == ("Bob",) and not seen.things, "it stands before the mug"


def test_few_pixels_are_no_detection():
    h = two_rooms((), [mug(FLOOR, (3.9, 2.0, 0.0), (0.03, 0.03, 0.03), "dice_0")])
    back = Rendered(h)
    for x, seen in ((3.0, True), (0.5, False)):
        eye = Eye(x, 2.0, 0.0, -30.0)
        pixels = int(back.image(Scene(h, {}, {}), eye, LOW).owned("dice_0").sum())
        assert pixels > 20 if seen else 0 < pixels < LEAST_PIXELS
        assert ("dice_0" in names(back.look(Scene(h, {}, {}), eye, LOW))) is seen


def test_the_map_has_rooms_and_what_blocks_the_way():
    h = two_rooms([table()])
    area = Rendered(h).look(Scene(h, {}, {}), Eye(1.0, 2.0, 0.0, 0.0), TALL).area
    at = {tuple(round((v + 0.5) * CELL_M, 4) for v in cell): told for cell, told in cells_of(area).items()}
    assert at[2.5625, 2.0625] == BLOCKED, "the table"
    assert at[3.4375, 1.0625] == 1 and at[5.0625, 2.1875] == 2, "the rooms, the second through the door"
    assert (5.0625, 3.5625) not in at, "behind the wall"
    assert sum(v == BLOCKED for v in at.values()) > 50


def test_points_that_are_shown():
    h = two_rooms([table()])
    back, eye = Rendered(h), Eye(1.0, 2.0, 0.0, 0.0)
    points = [(2.5, 2.0, 0.75), (2.5, 2.0, 0.3), (3.5, 2.0, 1.0), (0.5, 2.0, 1.0), (5.0, 0.5, 1.0), (7.5, 2.0, 1.0)]
    seen = back.shows(Scene(h, {}, {}), eye, TALL, points)
    assert seen == [True, False, True, False, False, False], "on, in, beyond, behind me, behind the wall, too far"
    assert back.shows(Scene(h, {}, {}), eye, TALL, []) == ()


@settings(max_examples=6)
@given(st.integers(1, 4), st.integers(0, 50), st.integers(0, 10**6))
def test_every_point_lies_on_what_it_belongs_to(rooms, seed, draw):
    """Depth, owner and pose agree: the point of each pixel lies on the box, the wall or the floor that owns it."""
    h = house(f"rooms:{rooms}:{seed}")
    floor, rng = floor_of(h), np.random.default_rng(draw)
    rows, columns = np.nonzero(floor.reachable(0.25))
    x, y = floor.middle(*(int(v[rng.integers(len(rows))]) for v in (rows, columns)))
    eye = Eye(x, y, float(rng.integers(360)), float(rng.integers(-60, 31)))
    image = Studio(h).take(Scene(h, {}, {}), eye, Camera(1.2, 90.0, 6.0), pixels=80)
    points = image.points()
    some = np.isfinite(points).all(axis=0) & (np.hypot(points[0] - x, points[1] - y) < 8)
    assert np.abs(points[2][some & (image.owner == GROUND)]).max(initial=0.0) < 0.01
    checked = 0
    for i, thing in enumerate(h.things):
        mine = points[:, image.owner == FIRST + len(h.furniture) + len(h.doors) + i]
        low = np.array(thing.spot) - (thing.size[0] / 2, thing.size[1] / 2, 0)
        high = low + np.maximum(thing.size, 0.002)
        assert ((mine.T - low) > -0.02).all() and ((mine.T - high) < 0.02).all()
        checked += mine.shape[1]
    for i, piece in enumerate(h.furniture):
        mine = points[:, image.owner == FIRST + i]
        c, s = math.cos(math.radians(piece.yaw_deg)), math.sin(math.radians(piece.yaw_deg))
        dx, dy = mine[0] - piece.centre[0], mine[1] - piece.centre[1]
        own = np.stack([dx * c + dy * s, dy * c - dx * s, mine[2] - piece.base_m - piece.size[2] / 2])
        gap = np.abs(own) - np.array(piece.size)[:, None] / 2
        assert np.abs(gap.max(axis=0)).max(initial=0.0) < 0.03, "on the surface"
        checked += mine.shape[1]


# -- both ways --------------------------------------------------------------------------------------------------------
def drawn(name, far, count=25):
    """Looks from places drawn at random, with another robot about."""
    h, rng = house(name), np.random.default_rng(5)
    floor = floor_of(h)
    rows, columns = np.nonzero(floor.reachable(0.25))
    for _ in range(count):
        (x, y), (u, v) = (floor.middle(rows[k], columns[k]) for k in rng.integers(len(rows), size=2))
        scene = Scene(h, {}, {"Bob": Standing(u, v, 0.25, 1.6)} if math.dist((x, y), (u, v)) > 0.5 else {})
        eye = Eye(x, y, 90.0 * int(rng.integers(4)), float(rng.choice([-60, -30, 0, 30])))
        yield scene, eye, Camera(float(rng.choice([0.9, 1.6])), 90.0, far)


def agreement(name, far):
    """Of all looks: how many names both ways see, which share of the names that either sees, and the same of cells."""
    rays, pictures = Geometric(house(name)), Rendered(house(name))
    both, either, alike, known = Counter(), 0, 0, 0
    for look in drawn(name, far):
        one, two = rays.look(*look), pictures.look(*look)
        for what in ("things", "pieces", "doors", "robots"):
            a, b = ({getattr(x, "name", x) for x in getattr(seen, what)} for seen in (one, two))
            both[what], either = both[what] + len(a & b), either + len(a | b)
        a, b = (cells_of(seen.area) for seen in (one, two))
        alike, known = alike + len(a.items() & b.items()), known + len(a.keys() | b.keys())
    return both, both.total() / either, alike / known


def cells_of(patch):
    return {(x + patch.low[0], y + patch.low[1]): int(patch.cells[y, x]) for y, x in zip(*patch.cells.nonzero())}


@pytest.mark.parametrize("name, far, least, alike", [("rooms:2:7", 5.0, 100, 0.87), ("rooms:5:11", 1.5, 20, 0.77)])
def test_rays_and_pictures_agree(name, far, least, alike):
    """One point and four pixels part at the edges of the picture and of the range."""
    both, names_alike, cells_alike = agreement(name, far)
    assert both.total() >= least and len(both) == 4
    assert names_alike > alike and cells_alike > 0.83


def test_rays_through_furniture_would_be_noticed(monkeypatch):
    monkeypatch.setattr(Rays, "_over", lambda *args: True)
    _, names_alike, _ = agreement("rooms:2:7", 5.0)
    assert names_alike < 0.84


def test_a_short_sighted_camera_makes_the_same_map_from_a_part_of_the_pixels():
    where = house("rooms:3:7")
    sight, scene, camera = Rendered(where), Scene(where, {}, {}), Camera(1.6, 90.0, SHORT_M - 0.5)
    alike = told = 0
    for x, y in floor_of(where).steps(0.25, 1.0):
        image = sight.image(scene, Eye(x, y, 90.0 * (told % 4), -30.0), camera)
        patches = (sight.area(sight.voxels(sight.cloud(image, step), image.eye)) for step in (COARSE, 1))
        one, other = (set(cells_of(patch).items()) for patch in patches)
        told, alike = told + len(one | other), alike + len(one & other)
    assert told > 1000 and alike / told > 0.98
