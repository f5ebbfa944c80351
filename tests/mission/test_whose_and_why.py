"""Orders of others, short whys, places that may be full, all but something, and lessons that have ended."""

import pytest

from coterie.mission.language.understand import understand
from coterie.talk import meanings as m
from coterie.talk.wording import Wording
from tests.mission.ward import A, B, with_medkit
from tests.mission.words import hospital

pytestmark = pytest.mark.usefixtures("quick")
ALPHA, GAMMA = (f"a medkit (2 painkillers, 1 bandage box) at {room}" for room in ("alpha", "gamma"))


@pytest.fixture(scope="module")
def ward():
    return with_medkit()


# -- orders of others -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "said", ["Deliver another medkit to gamma.", "Deliver a medkit to gamma.", "A medkit to gamma."]
)
def test_another_medkit_is_a_second_one(said):
    ward = with_medkit()
    ward.talk((B, "Bring the medkit to gamma."), (B, said))
    assert ward.goals() == [ALPHA, GAMMA]


def test_the_medkit_of_somebody_else_is_told_of_before_there_is_another(ward):
    reply = ward.talk((B, "Bring the medkit to gamma."))
    assert f"{ALPHA} for instructor" in reply and "For another one, say:" in reply and ward.goals() == [ALPHA]


# -- whys -------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("said, told", [
    ("Why alpha?", f"You want {ALPHA}."), ("Why a medkit?", f"You want {ALPHA}."), ("Why beta?", "Nobody wants"),
    ("Why table E?", "It is planned: "), ("Why Spot?", "Spot goes"), ("Why not Spot?", "I do count on Spot"),
    ("Why not gamma?", "Nobody wants anything with gamma. Under way: a medkit"), ("Why not?", "Nothing has failed"),
])  # fmt: skip
def test_a_short_why_is_about_what_is_under_way(ward, said, told):
    assert told in ward.talk((A, said)) and ward.goals() == [ALPHA]


@pytest.mark.parametrize("about", ["why that", "why not"])
@pytest.mark.parametrize(
    "field, name", [("where", "beta"), ("where", "tableE"), ("what", "medkit"), ("what", "gloves")]
)
def test_a_short_why_is_worded_as_it_is_read(about, field, name):
    asked = m.Ask(about, **{field: name})
    assert understand(Wording(hospital()).sentence(asked), hospital()) == [asked]


# -- lessons ----------------------------------------------------------------------------------------------------------
LESSON = ("Define a new kit 'burnkit'.", "A medical caddy.", "Two antiseptics.")


def test_a_fact_that_was_read_back_and_said_again_is_kept(talk):
    said = (*LESSON, "Table E seems to be empty today.", "Table E is empty.", "Nothing else.")
    replies = [talk.say(B, words) for words in said]
    assert "I have not taken that up" not in "".join(replies) and "Yes" in talk.say(B, "Is table E empty?")
