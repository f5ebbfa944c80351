"""One of several orders, a part of one, a rule, or an order that was refused, put right in few words."""

import pytest

from tests.mission.ward import A, V

GLOVES, WARM = "1 gloves at table G", "1 thermometer at table C"


# -- orders -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("said", [
    "Cancel the one to table G.", "Cancel the delivery to table G.", "Cancel the one with the gloves.",
    "Not the gloves.", "Drop the one going to table G.", "Scrap the gloves.",
])  # fmt: skip
def test_one_of_several_orders_is_called_off_by_where_it_goes_or_what_it_is_of(ward, said):
    ward.talk((A, "Put the gloves on table G."), (A, "Put a thermometer on table C."), (A, said))
    assert ward.goals() == [WARM]


def test_whether_another_robot_could_do_it_is_answered_and_orders_nothing(ward):
    assert "What do you mean" in ward.talk((A, "Couldn't Temi do it?"))
    ward.talk((A, "Open the side door."))
    before = ward.goals()
    assert "Temi cannot do that" in ward.talk((A, "Couldn't Temi do it?"))
    told = ward.talk((V, "Can Spot do it?"))
    assert told.startswith("Yes, with Spot") and told.endswith("say: Let Spot do it.")
    assert "By their skills Spot could." in ward.talk((A, "Who else could do it?"))
    assert ward.goals() == before


def test_an_order_in_vain_is_put_right_by_what_follows_it_at_once(ward):
    ward.talk((A, "Put the gloves on table G."))
    assert "Spot could" in ward.talk((A, "Temi, open the alpha door."))
    ward.talk((A, "Sorry, I meant Spot."))
    assert ward.goals() == [GLOVES, "the door of alpha open"]
    ward.talk((A, "Temi, open the side door."), (A, "What is going on?"), (A, "No, table D."))
    assert "the side door open" not in ward.goals()


def test_why_not_is_answered_with_what_was_refused(ward):
    ward.talk((V, "Open the side door."))
    assert "may not give commands" in ward.talk((V, "Why not?"))


# -- rules ------------------------------------------------------------------------------------------------------------
def policies(ward):
    return [x.words.split(": ", 1)[1] for x in ward.mission.lessons if x.kind == "policy"]


def test_a_proposal_is_answered_and_no_rule_changed(ward):
    ward.talk((A, "Deliver a medkit to alpha."), (A, "If a grasp fails, ask me first."))
    ward.fail()
    ward.talk((A, "No, ask the nurse."))
    assert all("nurse" not in p for p in policies(ward)) and "waiting" in ward.states().values()
