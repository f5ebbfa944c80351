"""Whose places somebody searches who would otherwise have to open something, or who has nothing left."""

from dataclasses import replace

import pytest

from coterie.protocols.rules import Memory
from coterie.protocols.rules.load import BRING, IN_HAND, busy, soonest
from coterie.protocols.rules.mover import _late
from coterie.protocols.rules.share import next_place
from coterie.protocols.shared.absence import Signs
from coterie.protocols.shared.reading import Reading
from tests.protocols.rules.situations import Case, lies, searched, view

BOXES = ("fridge", "dishwasher", "drawer")  # only Alice opens them


def reading(*knows, who="Alice"):
    return Reading(view(Case("", who, (), knows=knows)))


@pytest.mark.parametrize("wait", range(6))
def test_a_place_of_another_comes_first_if_more_is_gained_than_lost(wait):
    """Three boxes wait a step each; the sofa, Lucy's last place but one, is seen sooner by as many as she is late."""
    r = reading(*searched(*BOXES, "wall_top", "sofa"))
    assert next_place(r, False, {"Lucy": wait}) == (("sofa" if wait + 2 > len(BOXES) + 1 else "dishwasher"), True)


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
    assert next_place(r, False) == ("dishwasher", True)
    r = reading(*searched("wall_top", "sofa"))
    assert next_place(r, False) == ("sofa", False)  # what is nobody's next place


def test_who_would_have_it_brought_first_may_be_myself():
    open_boxes = reading(*searched("sofa", *BOXES), *lies("cup_0", "sofa"))
    assert soonest(open_boxes, "cup_0") == "Lucy"
    high = reading(*searched("sofa", "wall_top"), *lies("cup_0", "sofa"))
    assert soonest(high, "cup_0") == "Alice"
