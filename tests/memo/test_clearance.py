"""Whether an old way hits something now, judged from positions alone: the borders, one at a time."""

import math

import numpy as np
import pytest

from coterie.memo import Plan, Pose
from coterie.memo.before.clearance import _inside, probe_of
from coterie.memo.legs import Leg, by_halves
from coterie.memo.trace import promises, sketch

from .made import pack, pack_plan, place, wait

BOX = ("bin", 1.0, 2.0, 0.5, 0.0, 0.3, 0.2, 0.1)  # half sizes; 5 cm are kept around it


@pytest.mark.parametrize(
    ("point", "inside"),
    [
        ((1.0, 2.0, 0.5), True),
        ((1.34, 2.0, 0.5), True),
        ((1.36, 2.0, 0.5), False),
        ((0.66, 2.0, 0.5), True),
        ((0.64, 2.0, 0.5), False),
        ((1.0, 2.24, 0.5), True),
        ((1.0, 2.26, 0.5), False),
        ((1.0, 1.74, 0.5), False),
        ((1.0, 2.0, 0.64), True),
        ((1.0, 2.0, 0.66), False),
        ((1.0, 2.0, 0.34), False),
        ((1.3, 2.2, 0.6), True),
    ],
)
def test_a_box_and_its_margin(point, inside):
    assert bool(_inside(np.array([point]), BOX)[0]) is inside


def test_a_turned_box():
    turned = (*BOX[:4], math.pi / 2, *BOX[5:])
    assert _inside(np.array([(1.0, 2.34, 0.5), (1.34, 2.0, 0.5)]), turned).tolist() == [True, False]
    aslant = (*BOX[:4], math.pi / 4, *BOX[5:])
    assert _inside(np.array([(1.22, 2.22, 0.5), (1.22, 1.78, 0.5)]), aslant).tolist() == [True, False]


def leg(toward="", holds=""):
    return Leg(0, "Alice", 0, "PICK", (), toward, holds)


def way(y=0.4, z=0.3):
    """From left to right past the apple at x = -0.5, a point every 10 cm."""
    return np.array([(x / 10, y, z) for x in range(-10, 11)])


def test_a_thing_in_the_way_is_hit_where_the_way_comes_near():
    probe = probe_of(pack(milk=(5.0, 5.0, 0.3)), [])
    assert probe(leg(), way()) == 5
    assert probe(leg(toward="apple"), way()) is None
    assert probe(leg(holds="apple"), way()) is None
    assert probe(leg(), way(y=0.4 + 0.079)) == 5
    assert probe(leg(), way(y=0.4 + 0.081)) is None
    assert probe(leg(), way(z=0.3 + 0.119)) == 5
    assert probe(leg(), way(z=0.3 + 0.121)) is None
    assert probe(leg(), way()[:0]) is None


def test_at_its_ends_the_hand_has_business_with_what_it_meets():
    probe = probe_of(pack(milk=(5.0, 5.0, 0.3)), [])
    begin = np.array([(-0.64 + 0.011 * i, 0.4, 0.3) for i in range(60)])
    assert probe(leg(), begin) == 14  # the first point more than 15 cm from the start that is nearer than 8 cm
    assert probe(leg(), np.array([(-0.5, 0.4, 0.3), (0.5, 0.4, 0.3)])) is None


def test_furniture_in_the_way():
    far = pack(apple=(5.0, 5.0, 0.3), milk=(6.0, 5.0, 0.3))
    box = ("bin", 0.0, 0.4, 0.3, 0.0, 0.1, 0.1, 0.1)
    assert probe_of(far, [box])(leg(), way()) == 9
    assert probe_of(far, [box])(leg()._replace(still=frozenset(["bin"])), way()) is None  # it stood there then, too
    assert probe_of(far, [])(leg(), way()) is None


@pytest.mark.parametrize("first", range(1, 9))
def test_halving_finds_the_first_point_that_collides(first):
    points = np.zeros((9, 3))
    probe = by_halves(lambda _, some: len(some) <= first)
    assert probe(leg(), points) == first
    assert by_halves(lambda _, some: True)(leg(), points) is None


def test_promises_of_many_plans_are_those_of_each():
    ref = pack()
    cur = pack(apple=(-0.75, 0.35, 0.3), milk=(-0.4, 0.65, 0.3))
    plans = [
        pack_plan(ref),
        Plan(({"Alice": wait(), "Bob": wait()},)),
        pack_plan(ref, ("apple", "milk")),
        Plan(({"Alice": place("apple", ref.objects["apple"][2:5]), "Bob": wait()},)),
        Plan(()),
        pack_plan(ref, ("milk",)),
    ]
    sketches = [*(sketch(ref, p) for p in plans), b"broken"]
    together = promises(sketches, cur, "line")
    alone = [float(promises([s], cur, "line")[0]) for s in sketches]
    assert together.tolist() == pytest.approx(alone)
    assert (together[1], together[4], together[6]) == (1.0, 1.0, -1.0)
    assert 0 < together[0] < 1
    assert len(set(np.round(together[[0, 2, 3, 5]], 6))) == 4


def test_where_a_thing_is():
    case = pack(obstacles={"bin": Pose(1.0, 2.0, 0.5, 0.3)})
    assert case.pose("bin") == Pose(1.0, 2.0, 0.5, 0.3)
    assert case.pose("apple") == Pose(-0.5, 0.4, 0.3)
    assert case.pose("slot") is None
    assert case.vector.tolist() == pytest.approx([-0.5, 0.4, 0.3, -0.25, 0.6, 0.3, 1.0, 2.0, 0.5])
