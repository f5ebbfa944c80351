"""What is read back says what was said: where a thing is and is not, who may go where, how many, what comes next."""

import pytest

from coterie.mission.language.fragments import wanted_too
from coterie.mission.language.guess import guess, told_step
from coterie.mission.language.listing import called_so, listing
from coterie.mission.language.understand import understand
from coterie.mission.language.unsaid import unsaid
from coterie.talk.wording import Wording
from coterie.talk.writing import brief
from tests.mission.ward import A, B, Ward
from tests.mission.words import hospital

pytestmark = pytest.mark.usefixtures("quick")
V = hospital()


def read(said):
    """What a sentence means by the grammar, or else what it is guessed to mean."""
    found = understand(said, V)
    if [brief(x) for x in found] != ["unclear"]:
        return "; ".join(brief(x) for x in found)
    guessed = guess(said, V, said.endswith("?"))
    return f"perhaps {brief(guessed)}" if guessed is not None else ""


MOVED = "tell: stock gloves at tableC; not stock gloves at tableE"
NO_TEMI, TEMI = "close gamma for Temi", "reopen gamma for Temi"


@pytest.mark.parametrize("means, said", [
    (MOVED, ["The gloves are on table C, not on table E.", "The gloves are not on table E but on table C.",
             "There are gloves on table C, not on table E.", "The gloves are on table C and not table E.",
             "The gloves are on table C instead of table E.", "The gloves aren't on table E, they are on table C.",
             "The gloves are now on table C, no longer on table E.",
             "There are no gloves on table E, only on table C."]),
    (TEMI, ["Temi is allowed into gamma again.", "Temi may go into gamma again.", "Temi can go back into gamma.",
            "Let Temi into gamma again.", "Gamma is open for Temi again.", "Temi is allowed to enter gamma now.",
            "Temi is welcome in gamma again.", "Lift the ban on gamma for Temi.",
            "It's fine for Temi to go into gamma again."]),
    (NO_TEMI, ["Never let Temi go into gamma.", "Don't let Temi into gamma.", "Don't allow Temi to enter gamma.",
               "Temi must never go into gamma.", "Never send Temi to gamma.", "Temi is not allowed into gamma.",
               "Temi may no longer go into gamma.", "I don't want Temi in gamma.",
               "Make sure Temi never enters gamma.", "Temi is not supposed to enter gamma.",
               "Could Temi stay away from gamma?", "Would Temi stay out of gamma, please?"]),
    ("ask duration: feverkit at beta", ["How long would a feverkit to beta take?",
                                        "How long does a feverkit to beta take?",
                                        "How long will it take to deliver a feverkit to beta?"]),
    ("ask can: kit 3 medkit", ["Can you make three medkits?", "Can you pack 3 medkits?"]),
    ("perhaps order: stock 6 gloves at tableF", ["Put three pairs of gloves on table F.",
                                                 "I need three pairs of gloves on table F."]),
    ("nothing", ["That should be everything.", "I think that is all.", "That should be it.", "That's the lot."]),
])  # fmt: skip
def test_the_sense_is_kept(means, said):
    for words in said:
        assert read(words) == means, words


@pytest.mark.parametrize("means, said", [
    ("tell: stock gloves at tableC", "The gloves are on table C."), ("tell: at Temi at gamma", "Temi is at gamma."),
    ("tell: not stock gloves at tableE", "The gloves are not on table E."),
    ("reopen gamma for Temi", "Open gamma for Temi."),
    ("tell: stock gloves at tableC; stock antiseptic at tableE",
     "The gloves are on table C and an antiseptic is on table E."),
    ("ask can: pack medkit", "Can you make a medkit?"), ("ask duration: medkit", "How long will the medkit take?"),
    ("order: kit 3 medkit", "Could you make three medkits?"),
    ("order: stock 2 gloves from nurse", "Get a pair of gloves from the nurse."),
    ("perhaps tell: at Temi at gamma", "Temi went to gamma."), ("", "I moved the gloves from table E to table C."),
    ("ask is it so: not closed Temi at gamma", "Is Temi allowed into gamma?"), ("", "Temi is near gamma."),
    ("perhaps ask duration: medkit at alpha", "How long would two medkits to alpha take?"),
    ("", "The ban on Temi in gamma is lifted."),
    ("perhaps order Temi: at at gamma", "Could Temi go to gamma?"),
    ("perhaps ask is it so: at Temi at gamma", "Will Temi go to gamma?"),
    ("tell: stock gloves at tableC; stock gloves at tableD", "There are gloves on table C and table D."),
    ("", "There are two gloves on table C and table D."), ("", "Keep our Spot well out of beta, will you?"),
    ("order Temi: at at gamma", "Temi should go to gamma."),
    ("close gamma", "Nobody goes into gamma."), ("order: kit medkit at beta", "Please deliver a medkit to beta."),
    ("order: stock 30 gloves at tableF", "Put thirty gloves on table F."),
    ("tell: not able Temi", "Temi is out of order."),
])  # fmt: skip
def test_neighbours_mean_what_they_meant(means, said):
    assert read(said) == means


def test_what_follows_an_order_without_a_verb_is_another_order():
    for said in (
        "And one painkiller on table F.",
        "Also a thermometer on table G.",
        "Plus two painkillers on table C.",
    ):
        assert brief(wanted_too(said, guess(said, V))).startswith("order: stock"), said
    for said in ("And there are two painkillers on table C.", "The gloves are on table F.", "No gloves on table F.",
                 "Two painkillers on table C now.", "Temi is at gamma."):  # fmt: skip
        found = guess(said, V) or understand(said, V)[0]
        assert wanted_too(said, found) is found, said


@pytest.mark.parametrize("said, means", [
    ("Then it opens the beta door.", "order @it: door betadoor"), ("Spot goes to beta.", "order Spot: at at beta"),
    ("And finally Spot goes to the pharmacy.", "order Spot: at at pharmacy"),
    ("Afterwards he goes to alpha.", "order @it: at at alpha"),
    ("Next, the robot opens the beta door.", "order @it: door betadoor"),
    ("Spot then goes to gamma.", "order Spot: at at gamma"),
    ("Lastly Temi brings gloves to table F.", "order Temi: stock gloves at tableF"),
])  # fmt: skip
def test_a_step_may_be_told_of_whoever_did_the_last_one(said, means):
    assert brief(told_step(said, V)) == means


def test_what_tells_of_no_step_is_none():
    for said in (
        "It opens at nine, the bakery.",
        "The nurse goes to beta.",
        "Does it open the beta door?",
        "Mother goes home.",
    ):
        assert told_step(said, V) is None, said


def test_a_name_is_given_in_any_words_where_one_is_asked_for():
    for said in ("evening check", "Let's call it evening check.", "It's called evening check.",
                 "We'll call it evening check.",
                 "Its name is 'evening check'."):  # fmt: skip
        assert called_so(said, V) == "evening check", said
    for said in ("Spot goes to beta.", "What do you mean?", "I am not sure.", "It is nice.", "a medkit", "Never mind."):
        assert not called_so(said, V), said
    assert dict(listing("two pairs of gloves and a thermometer", V).items) == {"gloves": 4, "thermometer": 1}


@pytest.mark.parametrize("said, lost", [
    ("Make sure that the beta door gets opened by Spot at half past six", ["6"]),
    ("Two medkits ought to be brought over to alpha, would you", []),
    ("It would be lovely if a medkit could be brought to alpha by Temi", []),
])  # fmt: skip
def test_names_and_numbers_that_a_guess_leaves_out_are_named(said, lost):
    found = guess(said, V)
    assert found is not None and unsaid(said, found, V) == lost
    assert "6" not in Wording(V).sentence(found)


def test_in_a_ward():
    ward = Ward()
    ward.talk((A, "Put one painkiller on table C."))
    assert "Do you mean: Bring two gloves to table F." in ward.talk((A, "And one pair of gloves on table F."))
    assert "2 of the 3" in ward.talk((A, "Can you make three medkits?"))
    assert "To bring a feverkit to beta takes about" in ward.talk((A, "How long would a feverkit to beta take?"))
    assert "leaves out what you said with 'at half past six'.\n" in ward.talk(
        (A, "Let a medkit be brought to alpha at half past six.")
    )
    ward.talk((A, "Temi may not go into gamma."))
    assert "open again" in ward.talk((A, "Okay, Temi is allowed into gamma again."))
    told = ["Let me teach you a new skill.", "Let's call it evening check.", "Spot goes to beta.",
            "Then it opens the beta door.", "And finally Spot goes to the pharmacy."]  # fmt: skip
    ward.talk(*((B, words) for words in told))
    assert "evening check with 3 steps" in ward.talk((B, "That should be everything."))
