"""To drop or return a thing is no order to bring one; forgetting a kit is not calling off its order."""

import pytest

from tests.mission.ward import MEDKIT, A, B, V, with_medkit

pytestmark = pytest.mark.usefixtures("quick")
FEVERKIT = "a feverkit (1 thermometer, 1 painkiller)"


@pytest.mark.parametrize("said", [
    "drop the medkit", "Please drop the medkit.", "Drop the feverkit.", "drop the gloves", "drop a medkit",
    "drop two medkits", "drop the painkiller and open the side door", "ditch the woundkit", "lose the medkit",
])  # fmt: skip
def test_to_drop_something_without_a_place_orders_nothing(ward, said):
    reply = ward.talk((B, said))
    assert ward.goals() == [] and "All right" not in reply and "Where should I bring" not in reply


@pytest.mark.parametrize("said", ["Drop the medkit.", "Could you drop the medkit?", "Please drop the medkit."])
def test_to_drop_what_is_under_way_calls_it_off(said):
    ward = with_medkit()
    assert f"{MEDKIT} at alpha is called off" in ward.talk((A, said))
    assert ward.goals() == []


# -- forgetting -------------------------------------------------------------------------------------------------------
def lesson(ward):
    ward.talk(
        (B, "Define a new kit 'bluekit'."), (B, "A medical caddy."), (B, "Two painkillers."), (B, "Nothing else.")
    )
    return ward


def known(ward):
    return set(ward.mission.speech.kit_names())


def test_forgetting_a_kit_that_is_under_way_asks_whether_the_order_or_the_kit_is_meant():
    ward = with_medkit()
    for _ in range(2):  # said again it is no yes
        reply = ward.talk((B, "Forget the medkit."))
        assert "The order goes on then." in reply and "Cancel the order for a medkit." in reply
        assert "medkit" in known(ward) and ward.goals() == [f"{MEDKIT} at alpha"]
    ward.talk((B, "Cancel the order for a medkit."))
    assert "medkit" in known(ward) and ward.goals() == []


@pytest.mark.parametrize("answer, stays", [("Yes.", False), ("No.", True), ("What is in a medkit?", True)])
def test_a_kit_that_nobody_has_taught_is_forgotten_after_a_question(ward, answer, stays):
    assert "forget for everybody what a medkit is?" in ward.talk((B, "Forget the medkit."))
    ward.talk((B, answer))
    assert ("medkit" in known(ward)) is stays


def test_a_kit_that_was_taught_is_forgotten_at_once_and_one_that_was_changed_is_as_before(ward):
    assert "All right, I forget bluekit." in lesson(ward).talk((B, "Forget the bluekit."))
    ward.talk((B, "Add gloves to the medkit."), (B, "Forget the medkit."))
    assert "bluekit" not in known(ward)
    assert ward.mission.speech.kit_names()["medkit"][1] == {"painkiller": 2, "bandagebox": 1}


def test_whoever_may_not_teach_is_refused_and_not_asked(ward):
    assert "may not teach" in ward.talk((V, "Forget the medkit."))
