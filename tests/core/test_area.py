"""An area that fills up: what is told only adds, and its news survive as text."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.core.area import BLOCK, NOTHING, Area, Patch
from coterie.core.facts import UNKNOWN, Belief, Fact
from coterie.core.wire import from_wire, to_wire

CELLS = st.lists(st.tuples(st.integers(-70, 70), st.integers(-70, 70), st.integers(1, 255)), max_size=60)


def patch(cells):
    return Patch.of([c[0] for c in cells], [c[1] for c in cells], [c[2] for c in cells])


def greatest(*told):
    found = {}
    for x, y, value in (cell for cells in told for cell in cells):
        found[x, y] = max(value, found.get((x, y), 0))
    return found


def known(area):
    rows, columns = np.nonzero(area.cells)
    return {(int(c) + area.low[0], int(r) + area.low[1]): int(area.cells[r, c]) for r, c in zip(rows, columns)}


@given(CELLS)
def test_a_patch_survives_as_text_and_over_a_wire(cells):
    told = patch(cells)
    again = Patch.read(told.text)
    assert again == told and len(again) == len(greatest(cells))
    area = Area()
    area.tell(again)
    assert known(area) == greatest(cells)
    assert from_wire(to_wire(told)) == told


@given(st.integers(1, 400), st.integers(-90, 90), st.integers(-90, 90))
def test_long_runs_and_far_cells_survive(length, x, y):
    told = patch([(x + i, y, 7) for i in range(length)])
    assert Patch.read(told.text) == told
    assert len(told.text) < 20


@given(CELLS, CELLS, CELLS)
def test_the_order_of_news_is_of_no_matter_nor_how_often_it_comes(a, b, c):
    one, other = Area(), Area()
    for cells in (a, b, c):
        one.tell(patch(cells))
    for cells in (c, c, a, b, a):
        other.tell(patch(cells))
    assert known(one) == known(other) == greatest(a, b, c)


@given(CELLS, CELLS)
def test_news_are_what_was_not_known(a, b):
    area = Area()
    area.tell(patch(a))
    cursor = area.cursor
    new = area.tell(patch(b))
    old = greatest(a)
    fresh = {cell: v for cell, v in greatest(b).items() if v > old.get(cell, 0)}
    assert (new is None) == (not fresh)
    told = Area()
    told.tell(Patch.joined(area.since(cursor)))
    assert known(told) == fresh


def test_it_grows_in_blocks_and_keeps_what_it_knows():
    area = Area()
    area.tell(patch([(5, 5, 1)]))
    assert area.cells.shape == (BLOCK, BLOCK)
    area.tell(patch([(-100, 40, 2)]))
    assert area.at(5, 5) == 1 and area.at(-100, 40) == 2 and area.at(0, 0) == 0 and area.at(9999, 9999) == 0
    assert len(area) == 2


@pytest.mark.parametrize("text", ["~", "é", Patch.of([3], [4], [5]).text[:-1], "|NsC0|NsC0|NsC0|NsC0|NsC0"])
def test_text_that_is_no_patch_is_refused(text):
    with pytest.raises(ValueError):
        Patch.read(text)


def test_nobody_knows_an_area_without_end():
    with pytest.raises(ValueError):
        Patch.of([0, 9_000_000], [0, 9_000_000], [1, 1])
    area = Area()
    area.tell(patch([(0, 0, 1)]))
    with pytest.raises(ValueError):
        area.tell(Patch((9_000_000, 9_000_000), np.ones((1, 1), dtype=np.uint8)))
    assert len(area) == 1


# -- in a belief ------------------------------------------------------------------------------------------------------
def test_a_fact_with_a_patch_spreads_into_the_area_and_is_not_kept():
    belief = Belief()
    assert belief.tell(Fact("area", ("Bob",), patch([(1, 2, 3)]), 5.0, "Bob"))
    assert not belief.tell(Fact("area", ("Bob",), patch([(1, 2, 3)]), 6.0, "Bob"))
    assert belief.area.at(1, 2) == 3 and belief.value("area", "Bob") is UNKNOWN
    far = Patch((9_000_000, 9_000_000), np.ones((1, 1), dtype=np.uint8))
    assert not belief.tell(Fact("area", ("Eve",), far, 7.0, "Eve"))
    assert not belief.tell(Fact("area", ("Eve",), NOTHING, 7.0, "Eve"))


def test_what_is_seen_not_to_be_so_is_let_go_of_by_who_believed_it():
    belief = Belief()
    assert not belief.deny(Fact("where", ("mug_0",), "table_0", 3.0, "Bob"))  # it never heard of the mug
    assert belief.value("where", "mug_0") is UNKNOWN and belief.cursor == 0
    belief.tell(Fact("where", ("mug_0",), "table_0", 3.0, "Bob"))
    assert not belief.deny(Fact("where", ("mug_0",), "sofa_0", 4.0, "Bob"))
    assert not belief.deny(Fact("where", ("mug_0",), "table_0", 2.0, "Bob"))  # an older look
    assert belief.deny(Fact("where", ("mug_0",), "table_0", 4.0, "Bob"))
    assert belief.value("where", "mug_0") is UNKNOWN
    belief.tell(Fact("where", ("mug_0",), "table_0", 3.5, "Eve"))  # older news
    assert belief.value("where", "mug_0") is UNKNOWN
