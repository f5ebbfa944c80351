"""The difficulty formula, by hand."""

import pytest

from coterie.worlds.indoor.tasks.difficulty import difficulty, level_of, location_factor, number_factor


def test_factors():
    assert location_factor([0, 0, 0]) == 0
    assert location_factor([1]) == pytest.approx(0.5)
    assert location_factor([2, 0]) == pytest.approx(0.8 + 0.2 * 0.5)
    assert number_factor(1) == 0
    assert number_factor(5) == 1


@pytest.mark.parametrize(
    ("locations", "helpers", "d", "level"),
    [
        ([0], 0, 0.0, "easy"),
        ([0] * 5, 0, 0.2, "easy"),
        ([1], 1, 0.4, "medium"),
        ([1, 0, 0, 0, 0], 1, 0.568, "medium"),
        ([1] * 5, 1, 0.6, "hard"),
        ([2], 1, 0.6, "hard"),
        ([2, 2, 2, 2, 2], 2, 1.0, "hard"),
    ],
)
def test_levels(locations, helpers, d, level):
    assert difficulty(locations, helpers) == pytest.approx(d)
    assert level_of(difficulty(locations, helpers)) == level
