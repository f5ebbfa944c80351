"""Room on furniture: never inside another thing, never over the edge, and some as long as there is any."""

from __future__ import annotations

import math

import hypothesis.strategies as st
from hypothesis import given

from coterie.houses.model import Furniture, Thing, has_room, spots_on, width_of


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
