"""The table of what belongs where, and room on furniture: never inside another thing, never over the edge."""

from __future__ import annotations

import math

import hypothesis.strategies as st
import pytest
from hypothesis import given

from coterie.houses.model import FLOOR, ROOM_KINDS, Furniture, Thing, has_room, spots_on, width_of
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


# -- room on furniture ----------------------------------------------------------------------------------------------
def thing(width: float, name: str = "mug_0") -> Thing:
    return Thing(name, "Mug", "table_0", (0.0, 0.0, 0.7), (width, width / 2, 0.1), 1.0)


@given(
    st.floats(0.3, 2.0), st.floats(0.3, 2.0), st.integers(0, 359), st.floats(0.02, 0.6),
    st.lists(st.tuples(st.floats(-0.5, 0.5), st.floats(-0.5, 0.5), st.floats(0.05, 0.4)), max_size=5),
)  # fmt: skip
def test_things_lie_beside_each_other_on_the_surface(
    w: float, d: float, yaw: int, width: float, others: list[tuple[float, float, float]]
) -> None:
    piece = Furniture("table_0", "DiningTable", "kitchen_0", (1.0, 2.0), (w, d, 0.7), float(yaw), receptacle=True)
    c, s = math.cos(math.radians(yaw)), math.sin(math.radians(yaw))
    lying = [
        (thing(wide, f"cup_{i}"), (1.0 + u * w * c - v * d * s, 2.0 + u * w * s + v * d * c))
        for i, (u, v, wide) in enumerate(others)
    ]
    mine = thing(width)
    spots = list(spots_on(piece, mine, lying))
    assert (spots or lying) and has_room(piece, mine, lying) == bool(spots)
    for x, y in spots:
        u, v = (x - 1.0) * c + (y - 2.0) * s, (y - 2.0) * c - (x - 1.0) * s
        assert abs(u) <= max(0.0, (w - width_of(mine)) / 2) + 1e-9
        assert abs(v) <= max(0.0, (d - width_of(mine)) / 2) + 1e-9
        for other, at in lying:
            assert math.dist((x, y), at) >= (width_of(mine) + width_of(other)) / 2


def test_a_chair_holds_one_pillow():
    chair = Furniture("chair_0", "Chair", "kitchen_0", (0.0, 0.0), (0.45, 0.45, 0.9), receptacle=True)
    pillow = thing(0.45, "pillow_0")
    assert has_room(chair, pillow, []) and not has_room(chair, thing(0.45, "pillow_1"), [(pillow, (0.0, 0.0))])
