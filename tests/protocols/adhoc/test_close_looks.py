"""What was seen from near, and where to look from: a robot's own looks, and nothing else."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from coterie.protocols.adhoc.close_looks import LEAST_M, LookCloser, Looks, grid, in_picture, reach_of
from coterie.protocols.adhoc.irot import oracle
from coterie.protocols.adhoc.viewpoints import HEADINGS, MOST_M, Views, _fan, best_view
from coterie.worlds.household.bodies import card
from coterie.worlds.household.knowledge.chart import chart_of
from tests.protocols.adhoc.test_stranger import arm, eye, joined, said


class Eyes:
    """Who has nothing but a body."""

    def __init__(self, tall):
        self.card = card(tall, False)


def zoe(limit, sight=5.0):
    """What Zoe sees at the end of an episode beside Ann, and her mind."""
    *_, episode = joined((arm(),), arm("Zoe", sight=sight), limit=limit)
    return next((a.view, a.side.protocol.mind("Zoe")) for a in episode.roster if a.name == "Zoe")


def test_high_eyes_never_tell_apart_what_lies_on_the_floor_and_low_ones_what_lies_above_them():
    assert reach_of(Eyes(True), 0.0) == 0.0 and reach_of(Eyes(False), 0.0) > 1.0
    assert reach_of(Eyes(False), 0.95) == 0.0 and reach_of(Eyes(True), 0.95) > 1.0


@given(st.floats(-3, 3), st.floats(-3, 3), st.sampled_from(HEADINGS), st.floats(0.0, 1.5), st.booleans())
def test_what_is_in_the_picture_is_near_enough_and_ahead(x, y, heading, z, tall):
    me = Eyes(tall)
    if in_picture(me, (0.0, 0.0, float(heading), -30.0), (x, y, z)):
        assert math.hypot(x, y) <= reach_of(me, z) <= me.card.sight_m
        assert x * math.cos(math.radians(heading)) + y * math.sin(math.radians(heading)) > 0 or math.hypot(x, y) < 0.9


@given(st.floats(0.1, 3.0), st.floats(0.1, 3.0), st.floats(0, 359))
def test_points_of_a_surface_lie_on_it(wide, deep, yaw):
    box = (1.0, 2.0, wide, deep, 0.8, yaw, 0.8, 0.0)
    points = list(grid(box))
    assert points and len(set(points)) == len(points)
    assert all(math.dist(p, (1.0, 2.0)) <= math.hypot(wide, deep) / 2 + 1e-2 for p in points)


def test_a_look_shows_a_quarter_and_turns_with_the_robot():
    for heading in HEADINGS:
        for dx, dy in _fan(0.25, heading):
            ahead = dx * math.cos(math.radians(heading)) + dy * math.sin(math.radians(heading))
            assert 0 < ahead <= MOST_M / 0.25 + 1e-9
    assert len({len(_fan(0.25, h)) for h in HEADINGS}) == 1


def test_a_stranger_that_has_looked_around_has_less_left_and_never_more_than_it_knows():
    me, mind = zoe(limit=60)
    looks, fresh = mind.looks, Looks()
    seen, known = looks._seen(chart_of(me)), chart_of(me).cells > 0
    assert seen.any() and not (seen & ~known).any()  # nothing is near that is not known
    fresh.update(me)
    assert int(fresh._seen(chart_of(me)).sum()) <= int(seen.sum())
    for room in ("room_1", "room_2"):
        for place in looks.places(me, room):
            far = reach_of(me, place.points[0][2])
            assert far >= LEAST_M and place.stands


def test_a_view_shows_what_is_not_known_from_where_a_robot_can_be():
    me, _ = zoe(limit=4)
    chart = chart_of(me)
    view = best_view(me, chart, chart.frontier, 0)
    assert view is not None and chart.bit(chart.node(*view.at)) & chart.tight
    for x, y in view.shows:
        assert chart.bit(chart.node(x, y)) & chart.unknown
        assert math.dist((x, y), view.at) <= MOST_M + 1e-6
    assert np.isfinite(view.at).all()
    option = Views("")
    assert option.worthwhile(me) and option.step(me) is not None
    assert not LookCloser(Looks(), "room_9").worthwhile(me)


def test_tops_that_were_not_seen_from_near_draw_a_look():
    me, mind = zoe(limit=30, sight=1.5)
    option = Views("")
    option.looks = mind.looks
    left = option._sights(me)
    assert left and all(mind.looks.undone(s.piece) and s.far >= LEAST_M for s in left)
    view = best_view(me, chart_of(me), 0, 0, left)
    assert view is not None and view.sights and not view.shows  # no floor was asked for
    pose = (*view.at, float(view.heading), chart_of(me).pose[3])
    assert all(in_picture(me, pose, s.at) for s in view.sights)
    mind.looks.hidden.update(s.at[:2] for s in left)
    assert not option._sights(me)  # what was looked for in vain draws nobody


def test_a_room_is_told_to_be_explored_by_eyes_that_see_its_floor_alone(monkeypatch):
    monkeypatch.setattr(oracle.Outlook, "alone", False)  # it searches on after the other one has stopped
    told = {}
    for name, tall in (("low", False), ("high", True)):
        *_, log, _ = joined((arm(sight=1.5),), eye("Zoe", tall=tall, sight=1.5), limit=330)
        words = [line for e in said(log, "Zoe") for line in e.data["text"].splitlines()]
        told[name] = [line for line in words if line.startswith("explored: ")]
    assert told["low"] and not told["high"]
