"""What is wanted as well, what is denied, and "the" and "it" where one is under way or two could be meant."""

import pytest

from tests.mission.ward import MEDKIT, WOUNDKIT, A, Ward, with_medkit

pytestmark = pytest.mark.usefixtures("quick")


@pytest.fixture
def ward():
    return with_medkit()


@pytest.mark.parametrize("said", [
    "Actually, deliver a woundkit to gamma as well.", "Actually, also deliver a woundkit to gamma.",
    "Actually, we also need a woundkit in gamma.", "Actually, deliver a woundkit to gamma, too.",
])  # fmt: skip
def test_what_is_wanted_as_well_replaces_nothing(ward, said):
    if "Do you mean" in ward.talk((A, said)):
        ward.talk((A, "Yes."))
    assert ward.goals() == [f"{MEDKIT} at alpha", f"{WOUNDKIT} at gamma"]


def test_a_thing_that_is_wanted_as_well_goes_where_the_first_went(ward):
    assert "This stays: Deliver a medkit to alpha." in ward.talk((A, "No, also a woundkit."))
    ward.talk((A, "Yes."))
    assert ward.goals() == [f"{MEDKIT} at alpha", f"{WOUNDKIT} at alpha"]


@pytest.mark.parametrize("said", [
    "No wait, a woundkit I mean.", "It was supposed to be a woundkit.", "Actually, deliver a woundkit to gamma.",
    "Actually, put a painkiller on table C.",
])  # fmt: skip
def test_what_would_replace_an_order_says_so_first(ward, said):
    assert "That is instead of: Deliver a medkit to alpha." in ward.talk((A, said))
    assert ward.goals() == [f"{MEDKIT} at alpha"]
    ward.talk((A, "Yes."))
    assert len(ward.goals()) == 1 and ward.goals() != [f"{MEDKIT} at alpha"]


@pytest.mark.parametrize("said", [
    "I didn't mean beta.", "Alpha is wrong.", "I refuse to deliver a medkit to alpha.", "Beta is the wrong room.",
    "Not to alpha!", "Nobody should go near beta, I just cleaned it.", "No one must go to gamma.",
])  # fmt: skip
def test_what_is_denied_is_not_read_back_as_an_order(ward, said):
    reply = ward.talk((A, said))
    assert "Do you mean: Deliver" not in reply and ward.goals() == [f"{MEDKIT} at alpha"]
    ward.talk((A, "Yes."))
    assert ward.goals() == [f"{MEDKIT} at alpha"]


def test_what_is_wrong_in_an_order_is_asked_about(ward):
    assert "What do you want instead of: Deliver a medkit to alpha." in ward.talk((A, "Alpha is wrong."))
    if "Do you mean" in ward.talk((A, "No, beta.")):
        ward.talk((A, "Yes."))
    assert ward.goals() == [f"{MEDKIT} at beta"]


def test_where_nobody_is_to_go_is_closed_whatever_the_reason(ward):
    assert "beta is closed" in ward.talk((A, "Nobody should go near beta, I just cleaned it."))


@pytest.mark.parametrize("said", ["Deliver the medkit to beta.", "Drop the medkit at beta."])
def test_the_kit_that_is_on_its_way_is_meant_or_another_one(ward, said):
    assert "For another one, say: Deliver another medkit to beta." in ward.talk((A, said))
    assert ward.goals() == [f"{MEDKIT} at alpha"]
    ward.talk((A, "Yes."))
    assert ward.goals() == [f"{MEDKIT} at beta"]


def test_another_kit_is_another_one(ward):
    ward.talk((A, "Deliver the medkit to beta."), (A, "Deliver another medkit to beta."))
    assert ward.goals() == [f"{MEDKIT} at alpha", f"{MEDKIT} at beta"]


def test_the_kit_that_goes_there_already_is_not_made_twice(ward):
    assert "under way already" in ward.talk((A, "Deliver the medkit to alpha."))
    assert ward.goals() == [f"{MEDKIT} at alpha"]


def test_the_kit_of_several_is_asked_about(ward):
    ward.talk((A, "Deliver a medkit to beta."))
    assert "more than once" in ward.talk((A, "Deliver the medkit to gamma."))
    assert ward.goals() == [f"{MEDKIT} at alpha", f"{MEDKIT} at beta"]


def test_it_behind_two_things_is_asked_about():
    ward = Ward()
    said = "Bring the gloves and the antiseptic to table C and then put it on table F."
    assert "Which do you mean: the gloves or the antiseptic?" in ward.talk((A, said)) and not ward.goals()
    ward.talk((A, "The gloves."))
    assert ward.goals() == ["1 gloves at table C", "1 antiseptic at table C", "1 gloves at table F"]


@pytest.mark.parametrize("said", ["Where is the medkit?", "What happened to my medkit?", "Is the medkit at alpha?"])
def test_where_a_kit_is_tells_how_far_it_is(ward, said):
    assert "A medkit" in (reply := ward.talk((A, said))) and "to come" in reply
    ward.end()
    assert f"The last one: {MEDKIT} at alpha is reached." in ward.talk((A, said))


def test_what_a_word_points_at_is_not_asked_for_ever():
    ward = Ward()
    assert "Which thing do you mean?" in ward.talk((A, "Deliver it to beta."))
    assert "Which thing" not in ward.talk((A, "Deliver a medkit to alpha."))
    assert ward.goals() == [f"{MEDKIT} at alpha"]


def test_what_a_word_points_at_is_left_after_two_other_sentences():
    ward = Ward()
    ward.talk((A, "Deliver it to beta."), (A, "It was alpha after all."))
    assert "Which thing" not in ward.talk((A, "It was alpha after all."))


@pytest.mark.parametrize("said, goal", [
    ("It is not alpha but beta.", f"{MEDKIT} at beta"),
    ("I did not mean a medkit, I meant a woundkit.", f"{WOUNDKIT} at alpha"),
])  # fmt: skip
def test_what_is_named_beside_what_is_denied_is_read_back_instead(ward, said, goal):
    assert "That is instead of: Deliver a medkit to alpha." in ward.talk((A, said))
    ward.talk((A, "Yes."))
    assert ward.goals() == [goal]


def test_it_behind_an_order_of_two_things_is_asked_about():
    ward = Ward()
    reply = ward.talk((A, "Bring the gloves and the antiseptic to table C."), (A, "Put it on table F."))
    assert "Which do you mean: the gloves or the antiseptic?" in reply and len(ward.goals()) == 2
