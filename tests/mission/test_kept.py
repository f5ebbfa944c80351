"""What was brought for somebody is not taken for a later order, unless there is nothing else; then they are told."""

import pytest

from coterie.core.facts import Fact
from tests.mission.ward import A, B, Ward

pytestmark = pytest.mark.usefixtures("quick")
NOBODY_HAS_ANY = (
    ("pharmacist", "I have no painkillers."), (B, "The pharmacist is away."), (B, "The nurse is away."),
)  # fmt: skip


def picked_up(ward, goal, thing):
    """Where the plan for a goal takes things of a kind from."""
    items = [i for i in ward.mission.agenda if ward.mission.name_of(ward.mission.goals[i.goal]).startswith(goal)]
    return [i.action.args[1] for i in items if i.action.skill == "pickup" and i.action.args[0] == thing]


@pytest.fixture
def ward():
    ward = Ward()
    ward.talk((B, "Put a painkiller on table C."))
    return ward


@pytest.mark.parametrize("person", [A, B])
def test_a_later_order_takes_something_else(ward, person):
    ward.talk((person, "Deliver a medkit to beta."))
    assert picked_up(ward, "1 painkiller", "painkiller") == ["tableB"]
    assert picked_up(ward, "a medkit", "painkiller") and "tableC" not in picked_up(ward, "a medkit", "painkiller")
    assert "take away" not in "\n".join(ward.told(B))


def test_so_do_parts_of_one_order():
    ward = Ward()
    ward.talk((B, "Take two gloves to table F, a painkiller to table C, and a medkit to beta."))
    assert len(ward.goals()) == 3 and "tableC" not in picked_up(ward, "a medkit", "painkiller")


def test_where_there_is_nothing_else_it_is_taken_and_both_are_told(ward):
    ward.talk(*NOBODY_HAS_ANY, (A, "Deliver a medkit to beta."))
    assert "tableC" in picked_up(ward, "a medkit", "painkiller")
    assert "so I take away what I brought for you: 1 painkiller at table C." in "\n".join(ward.told(B))
    assert "than to take away what I brought: 1 painkiller at table C." in "\n".join(ward.told(A))


def test_what_is_there_beyond_it_is_free(ward):
    ward.talk((B, "There are three painkillers on table C."), *NOBODY_HAS_ANY, (A, "Deliver a medkit to beta."))
    assert "take away" not in "\n".join(ward.told(B) + ward.told(A))


def test_who_orders_the_same_once_more_may_mean_that_one(ward):
    ward.talk((B, "There are no painkillers on table B."))
    ward.end()
    ward.talk(*NOBODY_HAS_ANY, (B, "There is one painkiller on table C."), (B, "Put a painkiller on table D."))
    assert picked_up(ward, "1 painkiller at table D", "painkiller") == ["tableC"]
    assert "take away" not in "\n".join(ward.told(B))


def test_another_of_the_same_for_the_same_person_leaves_the_first(ward):
    ward.talk((B, "Put a painkiller on table D."))
    assert "tableC" not in picked_up(ward, "1 painkiller at table D", "painkiller")


def test_what_is_moved_again_is_the_very_one(ward):
    ward.end()
    ward.mission.agenda.drop()
    there = (("tableC", 1), ("tableB", 1))
    ward.mission.knowledge.tell(*(Fact("stock", ("painkiller", table), n, 0.0, B) for table, n in there))
    ward.talk((B, "Put it on table D."))
    assert picked_up(ward, "1 painkiller at table D", "painkiller") == ["tableC"]
    assert "take away" not in "\n".join(ward.told(B))
