"""Points of a PATH are never asked for over a bar that hands have to get over."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.protocols.rounds.oracle.ways import OFF_M, line, off_the_bar

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
