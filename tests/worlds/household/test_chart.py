"""A robot's own chart: where it can go as far as it knows, where the known ends, and the shortest way."""

import math
from collections import deque
from itertools import pairwise

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from coterie.core.area import Patch
from coterie.core.facts import Belief, Fact
from coterie.worlds.household.knowledge.chart import SIDES, Chart, outline
from coterie.worlds.household.perception import BLOCKED, CELL_M


def chart_of(rows, step=0.25, at=(0.25, 0.25)):
    """A chart of a drawing, its last row first: `.` is floor, `#` is blocked, a blank is not known."""
    belief = Belief()
    values = {"#": BLOCKED, ".": 1, "2": 2}
    cells = np.array([[values.get(c, 0) for c in row] for row in reversed(rows)], dtype=np.uint8)
    belief.area.tell(Patch((0, 0), cells))
    chart = Chart(belief, step)
    chart.update((*at, 0, 0))
    return chart


OPEN = ["................"] * 16


def test_a_way_is_a_row_of_neighbours():
    chart = chart_of(OPEN)
    way = chart.way(chart.bit(chart.node(1.5, 0.75)))
    assert len(way) == 1 + 5 + 2
    assert way[0] == chart.here and chart.point(way[-1]) == (1.5, 0.75)
    assert all(abs(a - c) + abs(b - d) == 1 for (a, b), (c, d) in pairwise(way))
    turns = sum((a[0] - b[0]) != (b[0] - c[0]) for a, b, c in zip(way, way[1:], way[2:]))
    assert turns == 1  # it does not zigzag


def test_what_is_not_known_is_gone_through_only_boldly():
    rows = ["......      ...."] * 16
    chart = chart_of(rows)
    goal = chart.bit(chart.node(1.75, 0.25))
    assert chart.way(goal) is None and chart.way(goal, boldly=True) is not None
    assert chart.frontier & chart.bit(chart.node(0.75, 0.75)) and not chart.frontier & chart.bit(chart.node(0.5, 0.75))


def test_who_goes_where_nothing_is_known_turns_as_late_as_it_can():
    chart = chart_of(["....            "] * 16)
    goal = chart.bit(chart.node(1.5, 1.5))
    for heading, along in ((0, 0), (90, 1)):
        chart.update((0.25, 0.25, heading, 0))
        way = chart.way(goal, boldly=True)
        steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(way)]
        assert len(steps) == 10 and all(step[along] == 1 for step in steps[:5])  # straight on, until it must turn


def test_a_wall_is_no_end_of_what_is_known_and_a_gap_of_one_cell_is_none_either():
    walled = ["########" + " " * 8] + ["#......#" + " " * 8] * 14 + ["########" + " " * 8]
    assert chart_of(walled).tight and not chart_of(walled).frontier
    rows = [list("." * 16) for _ in range(16)]
    rows[7][7] = " "
    inner = chart_of(["".join(r) for r in rows])
    assert not inner.frontier & inner.near([(1.0, 1.0)], 0.6)


def test_looking_in_vain_makes_a_place_dull():
    chart = chart_of(["......      ...."] * 16)
    node = chart.node(0.75, 0.75)
    before = chart.frontier
    chart.bore(node)
    assert chart.frontier & chart.bit(node) == 0 and chart.frontier & before


def test_rooms_are_told_apart():
    chart = chart_of(["........22222222"] * 16)
    assert chart.room(1) & chart.bit(chart.node(0.25, 0.5)) and chart.room(2) & chart.bit(chart.node(1.5, 0.5))
    assert not chart.room(2) & chart.bit(chart.node(0.25, 0.5))


def test_furniture_that_was_heard_of_blocks_where_nobody_has_looked():
    chart = chart_of(OPEN)
    belief = chart.belief
    box = (5.0, 1.0, 0.5, 0.5, 0.7, 0, 0.7, 0)
    belief.tell(Fact("box", ("table_0",), box, 1.0, "Bob"))
    chart.update((0.25, 0.25, 0, 0))
    assert not chart.open & chart.bit(chart.node(5.0, 1.0)) and chart.open & chart.bit(chart.node(4.0, 1.0))
    assert chart.near_box(box, 1.0) & chart.bit(chart.node(4.0, 1.0))
    assert not chart.near_box(box, 0.5) & chart.bit(chart.node(4.0, 1.0))
    assert not len(outline((5.0, 1.0, 0.5, 0.5, 2.0, 0, 0, 1.8)))  # a robot goes under it


def test_nodes_lie_where_the_robot_stands():
    chart = chart_of(OPEN, at=(0.37, 0.61))
    assert chart.point(chart.here) == (0.37, 0.61) or np.allclose(chart.point(chart.here), (0.37, 0.61))
    assert chart.way(chart.bit(chart.node(1.37, 1.11)))


@st.composite
def drawings(draw):
    wide, high = draw(st.integers(8, 24)), draw(st.integers(8, 20))
    sides = st.integers(1, 6)
    blot = st.tuples(st.integers(0, wide), st.integers(0, high), sides, sides, st.sampled_from("# "))
    blots = draw(st.lists(blot, max_size=8))
    rows = [["."] * wide for _ in range(high)]
    for x, y, w, h, letter in blots:
        for j in range(y, min(high, y + h)):
            for i in range(x, min(wide, x + w)):
                rows[j][i] = letter
    return ["".join(r) for r in rows]


@settings(max_examples=12)
@given(drawings(), st.integers(0, 60), st.integers(0, 60), st.sampled_from((0.25, 0.2)))
def test_ways_are_as_short_as_a_plain_search_finds_them(rows, i, j, step):
    chart = chart_of(rows, step, at=(3 * CELL_M, 3 * CELL_M))
    free = chart.nodes(chart.tight)
    if not free:
        return
    goal, start = free[i % len(free)], free[j % len(free)]
    way = chart.way(chart.bit(goal), start=start)
    open_, seen, queue = set(free), {start: 0}, deque([start])
    while queue:
        x, y = queue.popleft()
        for dx, dy in SIDES:
            if (x + dx, y + dy) in open_ and (x + dx, y + dy) not in seen:
                seen[x + dx, y + dy] = seen[x, y] + 1
                queue.append((x + dx, y + dy))
    if goal not in seen:
        assert way is None
        return
    assert way is not None and way[0] == start and way[-1] == goal and set(way) <= open_
    roomy = set(chart.nodes(chart.roomy)) | {start}
    if not set(way) <= roomy:  # it keeps to where there is room, if it can
        assert len(way) - 1 == seen[goal]
    else:
        assert len(way) - 1 >= seen[goal]


@settings(max_examples=10)
@given(drawings())
def test_frontiers_are_free_and_beside_the_unknown(rows):
    chart = chart_of(rows)
    tight, unknown = set(chart.nodes(chart.tight)), set(chart.nodes(chart.unknown))
    for x, y in chart.nodes(chart.frontier):
        assert (x, y) in tight and any((x + dx, y + dy) in unknown for dx, dy in SIDES)


@settings(max_examples=10)
@given(
    drawings(),
    st.lists(st.tuples(st.integers(0, 20), st.integers(0, 16), st.integers(1, 9)), max_size=6),
    st.sampled_from((0.25, 0.5, 0.2)),
)
@example(["." * 8] * 8, [(0, 8, 1), (8, 0, 1)], 0.25)  # looks at nothing, too
def test_a_chart_that_fills_up_is_the_chart_of_all_that_is_known(rows, looks, step):
    values = {"#": BLOCKED, ".": 1, " ": 0}
    cells = np.array([[values[c] for c in row] for row in reversed(rows)], dtype=np.uint8)
    pose, belief = (0.25, 0.25, 0, 0), Belief()
    filling = Chart(belief, step)
    for x, y, size in looks:  # windows of what there is, one after the other
        window = cells[y : y + size, x : x + size].copy()
        if window.any() or not window.size:  # a patch that is not empty tells something
            belief.area.tell(Patch((x, y), window))
        filling.update(pose)
        assert filling.frontier & ~filling.tight == 0
    at_once = Chart(belief, step)
    at_once.update(pose)
    at_once_nodes = at_once._nodes
    for name in ("tight", "roomy", "unknown", "open", "frontier"):
        assert getattr(filling, name) == getattr(at_once, name), name
    assert filling.room(1) == at_once.room(1) and np.array_equal(filling.cells, at_once.cells)
    if at_once_nodes.stride:  # bits say the same as counting cells around each node
        at_once_nodes.stride, at_once._sets = 0, {}
        for name in ("tight", "roomy", "unknown", "open", "frontier"):
            assert getattr(filling, name) == getattr(at_once, name), name


@settings(max_examples=12)
@given(st.floats(-3, 6), st.floats(-3, 6), st.sampled_from((0.2, 0.49, 0.75, 2.0)))
def test_nodes_near_a_point_are_those_that_are_near(x, y, radius):
    chart = chart_of(OPEN)
    every = chart.nodes(chart._nodes.every)
    near = {n for n in every if (chart.point(n)[0] - x) ** 2 + (chart.point(n)[1] - y) ** 2 <= radius * radius}
    found = set(chart.nodes(chart.near([(x, y), (float("nan"), y)], radius)))
    assert all(abs(math.dist(chart.point(n), (x, y)) - radius) < 1e-9 for n in found ^ near)
