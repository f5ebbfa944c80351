"""Whom rule minds ask for a thing: who has the least to do before it, places that nobody else could search included."""

from coterie.protocols.rules.search_shares import BRING, IN_HAND, helper_for, load
from coterie.protocols.shared.reading import Reading
from tests.protocols.rules.situations import PACK, STACK, Case, lies, searched, view

BOXES = ("fridge", "dishwasher", "drawer")  # only Alice opens them
HIGH = ("wall_top", "cabinet_top")  # only Lucy gets there


def reading(*knows, who="David", goal=PACK, thing="cup_0"):
    others = tuple(n for n in ("Alice", "Bob", "David", "Lucy") if n != who)
    return Reading(view(Case("", who, (), others=others, goal=goal, knows=(*lies(thing, "sofa"), *knows))))


def test_who_is_asked_for_help():
    everything = searched("sofa", "bed")
    assert helper_for(reading(*everything), "cup_0") == "Lucy"  # Alice is spared for what is shut
    assert helper_for(reading(*everything, ("job", "book_0", "Lucy")), "cup_0") == "Alice"
    assert helper_for(reading(*everything, ("where", "book_0", "Lucy")), "cup_0") == "Alice"
    assert helper_for(reading(*everything, ("job", "egg_0", "Lucy")), "cup_0") == "Lucy"  # not a thing of this goal
    assert helper_for(reading(*everything, ("job", "book_0", "Alice")), "cup_0", {"Lucy": 2}) == "Alice"
    closed = (("allowed", "Alice", "sofa", False), ("allowed", "Lucy", "sofa", False))
    assert helper_for(reading(*closed), "cup_0") is None
    assert helper_for(reading(who="Lucy"), "cup_0") == "Alice"  # never myself


def test_who_alone_could_search_places_is_busy_while_something_is_to_be_found():
    only_high = reading(*searched("sofa", *HIGH))
    assert [load(only_high, n, "cup_0") for n in ("Alice", "Lucy")] == [0, 2]
    assert helper_for(only_high, "cup_0") == "Alice"
    only_boxes = reading(*searched("sofa", *BOXES))
    assert [load(only_boxes, n, "cup_0") for n in ("Alice", "Lucy")] == [6, 0]
    nothing_lost = reading(*searched("sofa", *HIGH), *lies("book_0", "bed"))
    assert load(nothing_lost, "Lucy", "cup_0") == 0


def test_things_in_hand_and_asked_for_count_and_what_lies_above_in_a_stack_does_not():
    known = (*searched("sofa"), *lies("bread_0", "bed"), ("job", "bread_0", "Lucy"))
    r = reading(*known, goal=STACK, thing="ham_0")
    assert [load(r, "Lucy", t) for t in ("ham_0", "bread_0")] == [BRING, 0]
    r = reading(*searched("sofa"), ("where", "bread_1", "Lucy"), goal=STACK, thing="ham_0")
    assert load(r, "Lucy", "ham_0") == IN_HAND
