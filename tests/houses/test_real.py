"""Real ProcTHOR houses, from the folder that COTERIE_HOUSES names."""

from __future__ import annotations

import os

import pytest

from coterie.houses.floor import floor_of
from coterie.houses.model import FLOOR, House
from coterie.houses.names import real_houses
from coterie.houses.placement import belongs
from coterie.houses.procthor.load import load_house
from coterie.houses.repair import fitted
from coterie.houses.work_table import scene_from

FOLDER = os.environ.get("COTERIE_HOUSES", "")
pytestmark = pytest.mark.skipif(
    not FOLDER, reason="COTERIE_HOUSES names no folder with real ProcTHOR houses (.json, .jsonl.gz)"
)


@pytest.fixture(scope="module")
def houses() -> list[House]:
    found = [load_house(name) for name in real_houses()]
    assert found, f"There is no house in {FOLDER}."
    return found


def test_every_room_is_reached_and_every_receptacle_used(houses: list[House]):
    """What nobody can stand near, since furniture divides a room, is told and counts as no receptacle."""
    lost = 0
    for house in houses:
        floor = floor_of(house)
        assert not fitted(floor).cut and fitted(floor).shift == (0.0, 0.0), house.name
        assert not floor.unusable(), house.name
        lost += sum("cannot be used" in told for told in house.notes)
    assert lost <= 0.01 * sum(p.receptacle for house in houses for p in house.furniture)


def test_each_is_a_scene_with_a_work_table(houses: list[House]):
    found = [scene_from(house) for house in houses]
    assert all(s.work is not None and len(s.places) > 1 for s in found)


def test_everything_is_where_it_belongs(houses: list[House]):
    """The table that misplacement is judged by agrees with those who made the houses."""
    count, wrong = 0, []
    for house in houses:
        floor = floor_of(house)
        for thing in house.things:
            piece = house.piece.get(thing.on)
            room = house.room[piece.room if piece else floor.room_at(thing.spot[:2])]
            if not belongs(thing.kind, piece.kind if piece else FLOOR, room.kind):
                wrong.append((house.name, thing))
            count += 1
    assert count > 10 * len(houses) and len(wrong) <= 0.002 * count, wrong  # a pen on a stand of a television


def test_doors_are_where_one_can_pass(houses: list[House]):
    """Holes are read from the right end of their walls: furniture hardly ever stands in one."""
    blocked, count = 0, 0
    for house in houses:
        floor = floor_of(house)
        for door in (d for d in house.doors if d.open):
            cell = floor.cell(((door.a[0] + door.b[0]) / 2, (door.a[1] + door.b[1]) / 2))
            assert not floor.walls[cell], (house.name, door)
            blocked += bool(floor.furniture[cell])
            count += 1
    assert blocked <= 0.05 * count
