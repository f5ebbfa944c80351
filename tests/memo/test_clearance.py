"""Whether an old way hits something now, judged from positions alone: the borders, one at a time."""

import math

import numpy as np
import pytest

from coterie.memo import Plan
from coterie.memo.before.clearance import Bodies, probe_of
from coterie.memo.legs import Leg
from coterie.memo.trace import promises, sketch

from .made import pack, pack_plan, place, wait


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


class Plainly:
    """The same, point by point and box by box."""

    def __init__(self, case, solids, bodies):
        self.case, self.solids, self.bodies = case, solids, bodies

    def boxed(self, point, solid, more=0.0) -> bool:
        _, x, y, z, yaw, hx, hy, hz = solid
        dx, dy, dz = point[0] - x, point[1] - y, point[2] - z
        c, s = math.cos(yaw), math.sin(yaw)
        along, across = abs(c * dx + s * dy), abs(c * dy - s * dx)
        return along < hx + 0.05 + more and across < hy + 0.05 + more and abs(dz) < hz + 0.05

    def arm(self, point, robot):
        if robot not in self.bodies.arms:
            return []
        _, y, z = self.bodies.arms[robot]
        wrist, base = np.add(point, (0, 0, 0.2)), np.array((point[0], y, z))
        elbow = (wrist + base) / 2 + (0, 0, 0.15)
        return [wrist, wrist + (elbow - wrist) / 3, wrist + (elbow - wrist) * 2 / 3, elbow]

    def bad(self, leg, point) -> bool:
        half = self.bodies.sizes.get(leg.holds)
        wide, deep = (max(half[:2]) - 0.05, 2 * half[2]) if half and max(half[:2]) > 0.05 else (0.0, 0.0)
        for name, thing in self.case.objects.items():
            size = self.bodies.sizes.get(name)
            radius, top = (max(size[:2]) + 0.05, size[2] + 0.05) if size else (0.08, 0.12)
            near = math.hypot(point[0] - thing.x, point[1] - thing.y) < radius + wide
            if name not in (leg.toward, leg.holds) and near and point[2] - deep < thing.z + top:
                return True
        boxes = [s for s in self.solids if s[0] not in (leg.toward, leg.holds) and s[0] not in leg.still]
        parts = [point, *self.arm(point, leg.robot)]
        low = [np.subtract(point, (0, 0, deep))] if deep else []
        return any(self.boxed(p, s) for s in boxes for p in parts) or any(
            self.boxed(low[0], s, wide) for s in boxes if low
        )

    def first(self, leg, points):
        for i, point in enumerate(points):
            if all(math.dist(point, end) > 0.15 for end in (points[0], points[-1])) and self.bad(leg, point):
                return i
        return None


def test_all_boxes_together_say_what_each_says_for_itself():
    rng, answers = np.random.default_rng(3), []
    for _ in range(200):
        at = rng.uniform((-0.8, 0.2, 0.2), (-0.1, 0.8, 0.4), (2, 3))
        case = pack(apple=tuple(at[0]), milk=tuple(at[1]))
        solids = [
            (name, *rng.uniform((-1, 0, 0.1), (1, 1, 0.5)), rng.uniform(-3, 3), *rng.uniform(0.02, 0.15, 3))
            for name in ("bin", "slot", "post")[: rng.integers(0, 4)]
        ]
        arms = {"Alice": (0.0, rng.uniform(-0.5, 0.0), 0.3)} if rng.random() < 0.5 else {}
        sizes = {name: tuple(rng.uniform(0.02, 0.2, 3)) for name in ("apple", "milk") if rng.random() < 0.8}
        ends = rng.uniform((-1, 0.2, 0.2), (1, 0.8, 0.5), (2, 3))
        points = ends[0] + (ends[1] - ends[0]) * np.linspace(0, 1, 40)[:, None]
        still = frozenset(["post"] if rng.random() < 0.3 else [])
        one = Leg(0, "Alice", 0, "PICK", (), rng.choice(["", "apple", "slot"]), rng.choice(["", "milk"]), still)
        answers.append(probe_of(case, solids, Bodies(arms, sizes))(one, points))
        assert answers[-1] == Plainly(case, solids, Bodies(arms, sizes)).first(one, points)
    assert 50 < answers.count(None) < 150


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
