"""What is drawn is misplaced, within reach, with a home; robots begin where they can go everywhere."""

from __future__ import annotations

import math

import numpy as np
import pytest

from coterie.core.errors import CoterieError
from coterie.core.seeds import rng_of
from coterie.houses.floor import floor_of
from coterie.houses.model import FLOOR, House, Thing
from coterie.houses.placement import belongs
from coterie.houses.procthor.generate import generated
from coterie.houses.procthor.load import house_from
from coterie.worlds.household.tasks.draw import REACH_M, homes_in, lattice_of, mislaid, starts_in, tidied
from tests.worlds.household.plans import thing as item
from tests.worlds.household.plans import two_rooms


def right(house: House, thing: Thing) -> bool:
    piece = house.piece.get(thing.on)
    room = house.room[piece.room if piece else floor_of(house).room_at(thing.spot[:2])]
    return belongs(thing.kind, piece.kind if piece else FLOOR, room.kind)


@pytest.mark.parametrize(("rooms", "count"), [(1, 5), (3, 2), (8, 4)])
def test_so_many_things_lie_astray_and_no_others(rooms: int, count: int):
    first = generated(rooms, 20 + count)
    house, astray = mislaid(first, count, rng_of("astray", rooms, count))
    assert len(astray) == count
    for before, thing in zip(first.things, house.things, strict=True):
        assert right(house, thing) == (thing.name not in astray)
        assert (thing == before) == (thing.name not in astray)
        if thing.name in astray:
            assert homes_in(house, thing)
            lattice = lattice_of(house)
            gaps = np.hypot(*(lattice.points[lattice.main] - np.array(thing.spot[:2])).T)
            assert gaps.min() <= REACH_M


def test_things_come_to_lie_on_the_floor_and_on_furniture():
    house = generated(6, 21)
    drawn = [mislaid(house, 5, rng_of("many", i)) for i in range(6)]
    places = [h.thing[t].on == FLOOR for h, astray in drawn for t in astray]
    assert 0.25 < sum(places) / len(places) < 0.75
    for found, astray in drawn:
        for name in astray:
            thing = found.thing[name]
            if thing.on != FLOOR:
                piece = found.piece[thing.on]
                assert thing.spot[2] == pytest.approx(piece.surface_m, abs=0.01)
    one, two = (mislaid(house, 3, rng_of("same")) for _ in range(2))
    assert one == two


def test_a_house_that_was_not_in_order_is_tidied_first():
    data = two_rooms()
    data["objects"][1]["children"] = [item("Mug_2", "astray", 6.5, 0.5, 1.0)]
    house = house_from(data)
    assert [t.kind for t in house.things] == ["Mug", "Mug"]
    assert [t.on for t in tidied(house).things] == ["counter_top_0"]
    assert tidied(tidied(house)) == tidied(house)


def test_more_than_there_is_cannot_be_mislaid():
    with pytest.raises(CoterieError, match="has 1 things that could be misplaced, not 2; take a lower level"):
        mislaid(house_from(two_rooms()), 2, rng_of("x"))


def test_robots_begin_apart_on_places_from_which_they_get_everywhere():
    house = generated(1, 3)
    names = [f"r{i}" for i in range(8)]
    starts = starts_in(house, names, rng_of("starts"))
    assert [n for n, _ in starts] == names
    lattice = lattice_of(house)
    for i, (_, one) in enumerate(starts):
        place = lattice.place((one.x, one.y))
        assert lattice.main[place] and lattice.point(place) == (one.x, one.y)
        assert all(math.hypot(one.x - two.x, one.y - two.y) >= 0.5 for _, two in starts[:i])
    with pytest.raises(CoterieError, match="no room for 300 robots"):
        starts_in(house, [f"r{i}" for i in range(300)], rng_of("starts"))


def test_what_may_stand_on_a_floor_is_dropped_on_another():
    data = two_rooms()
    data["objects"].append(item("Plunger_1", "p", 5.0, 3.5, 0.2))
    house = house_from(data)
    assert [t.kind for t in house.things] == ["Mug", "Plunger"]
    for seed in range(5):
        found, astray = mislaid(house, 2, rng_of("floor", seed))
        assert len(astray) == 2 and not any(right(found, found.thing[name]) for name in astray)
