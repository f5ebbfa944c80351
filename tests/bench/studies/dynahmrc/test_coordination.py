from __future__ import annotations

from coterie.bench.studies.dynahmrc.columns import columns
from tests.bench.made import Made, failed, held, laid

GO = ("navigate", "fridge", "stand_pose_0")


def test_coming_back_is_redundant_but_bringing_a_target_is_not():
    table = ("navigate", "table", "stand_pose_0")
    made = Made().step(Alice=table).step(Alice=GO).step(held("Alice", "bowl_0"), Alice=("pick", "bowl_0"))
    assert columns(made.step(Alice=table).events())["redundant"] == 0
    made = Made().step(Alice=table).step(Alice=GO).step(Alice=table).step(Alice=GO)
    assert columns(made.events())["redundant"] == 2


def test_carrying_something_else_to_the_table_is_redundant():
    table = ("navigate", "table", "stand_pose_0")
    made = Made().step(Alice=table).step(held("Alice", "fork_0"), Alice=("pick", "fork_0")).step(Alice=table)
    assert columns(made.events())["redundant"] == 1


def test_a_place_that_was_not_reached_was_not_visited():
    blocked = (*GO, failed("no path leads there"))
    m = columns(Made().step(Alice=blocked).step(Alice=GO).events())
    assert m["redundant"] == 0


def test_conflicts_are_on_one_object_in_one_step():
    pick = ("pick", "book_0")
    m = columns(Made().step(Alice=pick, Lucy=pick).step(Alice=GO, David=GO).events())
    assert (m["conflicting"], m["conflicting_things"]) == (2, 1)


def test_no_conflict_at_the_work_table_nor_in_words_nor_over_nothing():
    table, say = ("navigate", "table", "stand_pose_0"), ("communicate", "bowl_0", ["all"])
    made = Made().step(Alice=table, Lucy=table).step(Alice=say, Lucy=say)
    made.step(Alice=("pick", "ghost"), Lucy=("pick", "ghost")).step(Alice=("pick", "book_0")).step(
        Lucy=("pick", "book_0")
    )
    assert columns(made.events())["conflicting"] == 0


def test_a_dropped_thing_is_no_longer_held():
    made = Made().step(held("Alice", "bowl_0"), Alice=("pick", "bowl_0"))
    made.step(laid("Alice", "bowl_0", "table"), Alice=("place", "bowl_0", "table"))
    table = ("navigate", "table", "stand_pose_0")
    assert columns(made.step(Alice=table).step(Alice=table).events())["redundant"] == 1
