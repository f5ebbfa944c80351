"""Ways on a grid: shortest, and the same whatever was asked before."""

import math
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.motion.grid import Grid, Planner


def grid_of(rows: list[list[bool]]) -> Grid:
    grid = Grid((0.0, 0.0), (len(rows[0]) * 0.1, len(rows) * 0.1), 0.1)
    grid.rows = [sum(blocked << ix for ix, blocked in enumerate(row)) for row in rows]
    return grid


SIDE = 8
ROWS = st.lists(st.sampled_from([False, False, False, True]), min_size=SIDE, max_size=SIDE)
GRIDS = st.lists(ROWS, min_size=SIDE, max_size=SIDE)
CELLS = st.integers(0, SIDE * SIDE - 1)


@settings(max_examples=25)
@given(GRIDS, st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=6), CELLS, CELLS)
def test_a_way_does_not_depend_on_what_was_asked_before(rows, before, a, b):
    grid = grid_of(rows)
    start, goal = grid.centre(a), grid.centre(b)
    used = Planner(grid)
    for c, d in [*before, (b, a)]:
        used.path(grid.centre(c), grid.centre(d))
    assert used.path(start, goal) == Planner(grid).path(start, goal)


@settings(max_examples=25)
@given(GRIDS, CELLS, CELLS)
def test_a_way_leads_through_free_cells_and_is_there_where_cells_are_linked(rows, a, b):
    grid = grid_of(rows)
    planner = Planner(grid)
    found = planner.path(grid.centre(a), grid.centre(b))
    assert (found is not None) == planner.linked(grid.centre(a), grid.centre(b))
    assert (found is None) == (planner.around(grid.centre(a), grid.centre(b), ()) is None)  # which looks everywhere
    if found is not None:
        length, cells = found
        assert cells[0] == a and cells[-1] == b and not any(grid.blocked(c) for c in cells)
        walked = sum(math.dist(grid.centre(c), grid.centre(d)) for c, d in pairwise(cells))
        assert math.isclose(length, walked, abs_tol=1e-9)


@settings(max_examples=25)
@given(GRIDS, st.integers(0, 45))
def test_an_inflated_grid_keeps_off_what_is_blocked_and_off_its_edge(rows, radius):
    """Against every pair of cells, those around the grid too."""
    grid, r = grid_of(rows), radius / 10
    wide = grid.inflate(r * grid.cell)
    around = range(-5, SIDE + 5)
    taken = [(x, y) for x in around for y in around if not (0 <= x < SIDE and 0 <= y < SIDE) or rows[y][x]]
    for cell in range(SIDE * SIDE):
        y, x = divmod(cell, SIDE)
        assert wide.blocked(cell) == any((x - a) ** 2 + (y - b) ** 2 <= r * r + 1e-12 for a, b in taken)


@settings(max_examples=25)
@given(GRIDS, st.tuples(st.floats(-0.2, 1.0), st.floats(-0.2, 1.0)), st.floats(0.0, 1.0))
def test_the_nearest_free_cell_is_the_nearest_of_all(rows, p, within):
    grid = grid_of(rows)
    free = [grid.centre(c) for c in range(SIDE * SIDE) if not grid.blocked(c)]
    near = [c for c in free if math.dist(c, p) <= within]
    found = grid.nearest_free(p, within)
    assert (found is None) == (not near) or min(abs(math.dist(c, p) - within) for c in free) < 1e-9
    if found is not None:
        assert found in free and math.isclose(math.dist(found, p), min(math.dist(c, p) for c in free), abs_tol=1e-12)


def test_rectangles_and_polygons_fill_the_same_cells():
    one, other = (Grid((0.0, 0.0), (2.0, 1.0)) for _ in range(2))
    one.fill((0.33, 0.18, 1.71, 0.77), False)
    other.fill_polygon([(0.33, 0.18), (1.71, 0.18), (1.71, 0.77), (0.33, 0.77)], False)
    assert one.rows == other.rows and not one.blocked(5 * one.nx + 5) and one.blocked(0)
    one.fill((0.9, 0.0, 1.1, 1.0), True)
    labels = one.labels()
    assert len(set(labels)) == 3 and labels[5 * one.nx + 5] != labels[5 * one.nx + 15] != 0 == labels[0]
