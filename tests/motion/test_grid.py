"""Ways on a grid: shortest, and the same whatever was asked before."""

import math
from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.motion.grid import Grid, Planner


def grid_of(rows: list[list[bool]]) -> Grid:
    grid = Grid((0.0, 0.0), (len(rows[0]) * 0.1, len(rows) * 0.1), 0.1)
    grid.blocked = np.array(rows, dtype=bool)
    return grid


SIDE = 8
ROWS = st.lists(st.sampled_from([False, False, False, True]), min_size=SIDE, max_size=SIDE)
GRIDS = st.lists(ROWS, min_size=SIDE, max_size=SIDE)
CELLS = st.integers(0, SIDE * SIDE - 1)


@settings(max_examples=60)
@given(GRIDS, st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=6), CELLS, CELLS)
def test_a_way_does_not_depend_on_what_was_asked_before(rows, before, a, b):
    grid = grid_of(rows)
    start, goal = grid.centre(a), grid.centre(b)
    used = Planner(grid)
    for c, d in [*before, (b, a)]:
        used.path(grid.centre(c), grid.centre(d))
    assert used.path(start, goal) == Planner(grid).path(start, goal)


@settings(max_examples=60)
@given(GRIDS, CELLS, CELLS)
def test_a_way_leads_through_free_cells_and_is_there_where_cells_are_linked(rows, a, b):
    grid = grid_of(rows)
    planner = Planner(grid)
    found = planner.path(grid.centre(a), grid.centre(b))
    assert (found is not None) == planner.linked(grid.centre(a), grid.centre(b))
    assert (found is None) == (planner.around(grid.centre(a), grid.centre(b), ()) is None)  # which looks everywhere
    if found is not None:
        length, cells = found
        assert cells[0] == a and cells[-1] == b and not any(grid.blocked.flat[c] for c in cells)
        walked = sum(math.dist(grid.centre(c), grid.centre(d)) for c, d in pairwise(cells))
        assert math.isclose(length, walked, abs_tol=1e-9)
