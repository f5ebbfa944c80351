"""The table of what belongs where."""

from __future__ import annotations

import pytest

from coterie.houses.model import FLOOR, ROOM_KINDS
from coterie.houses.placement import belongs, homes, kinds, usual


@pytest.mark.parametrize(
    ("thing", "receptacle", "room", "expected"),
    [
        ("Mug", "CounterTop", "Kitchen", True),
        ("Mug", "Bathtub", "Bathroom", False),
        ("Mug", "Toilet", "Kitchen", False),
        ("Mug", FLOOR, "Kitchen", False),
        ("Plunger", FLOOR, "Bathroom", True),
        ("Plunger", FLOOR, "Kitchen", False),
        ("Pillow", "Bed", "Bedroom", True),
        ("Pillow", "Bed", "Kitchen", False),
        ("Egg", "Fridge", "Kitchen", True),
        ("Unicorn", "Bed", "Bedroom", False),
        ("Mug", "CounterTop", "Cellar", False),
    ],
)
def test_commonsense(thing: str, receptacle: str, room: str, expected: bool):
    assert belongs(thing, receptacle, room) is expected


def test_homes_are_where_it_belongs_the_most_usual_first():
    assert homes("Mug")[0] == ("DiningTable", "Kitchen")
    assert ("Bathtub", "Bathroom") not in homes("Mug")
    assert homes("Unicorn") == ()
    for thing in (k.name for k in kinds().values() if k.thing):
        for receptacle, room in homes(thing):
            assert belongs(thing, receptacle, room)
            assert receptacle == FLOOR or usual(receptacle, room)


def test_every_row_makes_sense():
    table = kinds()
    assert len([k for k in table.values() if k.thing]) == 62
    for kind in table.values():
        assert len(kind.size_m) == 3 and all(0 < s < 5 for s in kind.size_m)
        assert len(kind.rooms) == len(ROOM_KINDS) and set(kind.rooms) <= {0, 1, 2}
        assert all(on == FLOOR or table[on].receptacle for on in kind.on)
        assert (0 < kind.mass_kg < 10) == kind.thing
        assert 0 < kind.surface <= 1
        assert not (kind.thing and kind.receptacle)
    assert kinds()["Dumbbell"].mass_kg == 4.54
