"""Whose places somebody searches who would otherwise have to open something, or who has nothing left."""

from dataclasses import replace

import pytest

from coterie.protocols.rules import Memory
from coterie.protocols.rules.mover import _late
from coterie.protocols.rules.search_shares import (
    BRING,
    IN_HAND,
    at_once,
    busy,
    helper_for,
    likely,
    load,
    next_place,
    shares,
    soonest,
)
from coterie.protocols.shared.hearing import Signs
from coterie.protocols.shared.reading import Reading
from tests.protocols.rules.situations import PACK, STACK, Case, lies, searched, view

BOXES = ("fridge", "dishwasher", "drawer")  # only Alice opens them
HIGH = ("wall_top", "cabinet_top")  # only Lucy gets there


def reading(*knows, who="Alice"):
    return Reading(view(Case("", who, (), knows=knows)))


@pytest.mark.parametrize("wait", range(6))
def test_a_place_of_another_comes_first_if_more_is_gained_than_lost(wait):
    """Three boxes wait a step each; the sofa, Lucy's last place but one, is seen sooner by as many as she is late."""
    r = reading(*searched(*BOXES, "wall_top", "sofa"))
    assert next_place(r, False, {"Lucy": wait}) == (("sofa" if wait + 2 > len(BOXES) + 1 else "drawer"), True)


def test_where_the_owner_goes_next_it_is_left_alone_unless_it_is_late():
    r = reading(*searched("sofa"))
    assert next_place(r, False, {}) == ("sofa", False)  # nothing else is left at all
    r = reading(*searched("fridge", "sofa"))
    assert next_place(r, False, {}) == ("fridge", True)
    assert next_place(r, False, {"Lucy": 9}) == ("sofa", True)
    r = reading(*searched("sofa", "bed"), ("hunch", "sofa", 0.5))  # there Lucy goes first
    assert next_place(r, False, {}) == ("bed", False)


def test_who_brings_something_and_who_is_silent_is_late():
    r = reading(*lies("cup_0", "sofa"), ("job", "cup_0", "Lucy"))
    assert busy(r, "Lucy") == BRING == _late(r, Memory())["Lucy"]
    r = reading(("where", "cup_0", "Lucy"))
    assert busy(r, "Lucy") == IN_HAND == _late(r, Memory())["Lucy"]
    r = Reading(replace(view(Case("", "Alice", ())), pulse=frozenset()))
    heard = Memory(signs=Signs(alive=(("Lucy", 4),)))
    assert [_late(r, heard)["Lucy"], _late(r, Memory())["Lucy"]] == [0, 4]  # step 6: two steps are no news
    assert _late(r, Memory(silent=True)) is None  # where nobody talks, silence says nothing
    assert _late(Reading(replace(r.me, sure=False)), heard) is None  # nor where not all is heard


def test_where_it_cannot_be_told_who_is_late_everybody_does_its_own_share_first():
    r = reading(*searched(*BOXES, "wall_top", "sofa"))
    assert next_place(r, False) == ("drawer", True)
    r = reading(*searched("wall_top", "sofa"))
    assert next_place(r, False) == ("sofa", False)  # what is nobody's next place


def test_who_would_have_it_brought_first_may_be_myself():
    open_boxes = reading(*searched("sofa", *BOXES), *lies("cup_0", "sofa"))
    assert soonest(open_boxes, "cup_0") == "Lucy"
    high = reading(*searched("sofa", "wall_top"), *lies("cup_0", "sofa"))
    assert soonest(high, "cup_0") == "Alice"


def test_how_much_arms_reach_is_told_by_the_map():
    r = reading(who="David")  # nobody needs to have been there
    assert at_once(r, "Alice", "bed") < at_once(r, "Alice", "sofa") < at_once(r, "Alice", "book_case") == 1
    assert at_once(r, "Lucy", "sofa") == 1 and at_once(r, "David", "book_case") == 0  # who has no arm reaches nothing
    assert likely(r, "bed") > at_once(r, "Lucy", "bed") > 0.5 and likely(r, "wall_top") == 1
    alone = Reading(view(Case("", "Alice", (), others=("Bob",))))
    assert likely(alone, "wall_top") == 0 < likely(alone, "bed") < 0.5
    nobody = Reading(view(Case("", "David", (), others=("Bob",))))
    assert likely(nobody, "wall_top") == likely(nobody, "bed") == 1


def test_a_carrier_gets_what_it_could_take_at_once_and_what_nobody_reaches_is_looked_at_last():
    division = shares(reading())
    assert set(division["Alice"]) == {*BOXES, "book_case"} and division["Lucy"][-1] == "bed"
    scout = Case("", "David", (), others=("Alice", "Bob"))
    assert shares(Reading(view(scout)))["David"][-2:] == ["sofa", "bed"]
    assert shares(Reading(view(replace(scout, sure=False))))["David"][0] == "bed"  # where not all is heard, by name


# -- whom to ask for a thing: who has the least to do before it, places that nobody else could search included --------
def asked_of(*knows, who="David", goal=PACK, thing="cup_0"):
    others = tuple(n for n in ("Alice", "Bob", "David", "Lucy") if n != who)
    return Reading(view(Case("", who, (), others=others, goal=goal, knows=(*lies(thing, "sofa"), *knows))))


def test_who_is_asked_for_help():
    everything = searched("sofa", "bed")
    assert helper_for(asked_of(*everything), "cup_0") == "Lucy"  # Alice is spared for what is shut
    assert helper_for(asked_of(*everything, ("job", "book_0", "Lucy")), "cup_0") == "Alice"
    assert helper_for(asked_of(*everything, ("where", "book_0", "Lucy")), "cup_0") == "Alice"
    assert helper_for(asked_of(*everything, ("job", "egg_0", "Lucy")), "cup_0") == "Lucy"  # not a thing of this goal
    assert helper_for(asked_of(*everything, ("job", "book_0", "Alice")), "cup_0", {"Lucy": 2}) == "Alice"
    closed = (("allowed", "Alice", "sofa", False), ("allowed", "Lucy", "sofa", False))
    assert helper_for(asked_of(*closed), "cup_0") is None
    assert helper_for(asked_of(who="Lucy"), "cup_0") == "Alice"  # never myself


def test_who_alone_could_search_places_is_busy_while_something_is_to_be_found():
    only_high = asked_of(*searched("sofa", *HIGH))
    assert [load(only_high, n, "cup_0") for n in ("Alice", "Lucy")] == [0, 2]
    assert helper_for(only_high, "cup_0") == "Alice"
    only_boxes = asked_of(*searched("sofa", *BOXES))
    assert [load(only_boxes, n, "cup_0") for n in ("Alice", "Lucy")] == [6, 0]
    nothing_lost = asked_of(*searched("sofa", *HIGH), *lies("book_0", "bed"))
    assert load(nothing_lost, "Lucy", "cup_0") == 0


def test_things_in_hand_and_asked_for_count_and_what_lies_above_in_a_stack_does_not():
    known = (*searched("sofa"), *lies("bread_0", "bed"), ("job", "bread_0", "Lucy"))
    r = asked_of(*known, goal=STACK, thing="ham_0")
    assert [load(r, "Lucy", t) for t in ("ham_0", "bread_0")] == [BRING, 0]
    r = asked_of(*searched("sofa"), ("where", "bread_1", "Lucy"), goal=STACK, thing="ham_0")
    assert load(r, "Lucy", "ham_0") == IN_HAND
