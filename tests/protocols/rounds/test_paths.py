"""Points of a PATH are never asked for over a bar that hands have to get over, or beside a post behind them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.protocols.rounds.oracle.paths import OFF_M, line, off_the_bar, past_the_posts

BAR = (0.05, 0.5, 0.54)


@given(st.floats(-0.9, -0.17), st.floats(0.2, 0.8), st.floats(0.17, 0.7), st.floats(0.2, 0.8), st.booleans())
def test_points_lie_before_the_bar_or_behind_it_and_on_their_way(x0, y0, x1, y1, back):
    start, end = ((x1, y1, 0.5), (x0, y0, 0.5)) if back else ((x0, y0, 0.5), (x1, y1, 0.5))
    points = off_the_bar(start, line(start, end, 0.55), BAR)
    assert all(abs(x - BAR[0]) >= OFF_M - 1e-9 for x, _, _ in points)
    for x, y, z in points:
        assert z == 0.55
        assert (y - start[1]) * (end[0] - start[0]) == pytest.approx((end[1] - start[1]) * (x - start[0]), abs=1e-6)


def test_without_a_bar_points_stay_and_a_first_point_over_it_goes_to_the_other_side():
    start, end = (-0.05, 0.4, 0.5), (0.45, 0.58, 0.5)
    points = line(start, end, 0.55)
    assert off_the_bar(start, points, None) == points
    assert off_the_bar(start, points, BAR)[0][0] == pytest.approx(BAR[0] + OFF_M)


def test_a_hand_keeps_off_the_posts_on_its_side_and_another_one_does_not_mind_them():
    at = {"post1": (-0.27, 0.86, 0.61), "post2": (0.07, 0.88, 0.65), "wall": (-0.45, 0.8, 0.54)}
    bob, alice, end = (0.05, 1.1, 0.62), (0.09, -0.07, 0.51), (-0.68, 0.6, 0.26)
    points = line(bob, end, 0.52)
    assert any(abs(x - at["post1"][0]) < OFF_M for x, _, _ in points)
    way = past_the_posts(bob, points, at, [alice])
    assert all(abs(x - at[post][0]) >= OFF_M - 1e-9 for post in ("post1", "post2") for x, _, _ in way)
    assert way[-1] == points[-1]
    own = line(alice, end, 0.52)
    assert past_the_posts(alice, own, at, [bob]) == own
