"""Freer words that are understood, read back or answered, and near ones that change nothing."""

import pytest

from coterie.mission.language.denied import closed
from coterie.mission.language.guess import guess
from coterie.mission.language.understand import understand, without_ok
from coterie.talk import meanings as m
from tests.mission.ward import A, B, Ward, with_medkit
from tests.mission.words import hospital

pytestmark = pytest.mark.usefixtures("quick")
ALPHA, BETA = (f"a medkit (2 painkillers, 1 bandage box) at {room}" for room in ("alpha", "beta"))


@pytest.mark.parametrize("said, sent", [
    ("Sorry, I said alpha but beta is where it should go.", "Deliver a medkit to beta."),
    ("It was beta after all.", "Deliver a medkit to beta."),
    ("Oh dear, it was a woundkit, not a medkit.", "Deliver a woundkit to alpha."),
])  # fmt: skip
def test_a_correction_in_other_words_is_read_back(said, sent):
    ward = with_medkit()
    reply = ward.talk((A, said))
    assert sent in reply and "That is instead of: Deliver a medkit to alpha." in reply and ward.goals() == [ALPHA]


@pytest.mark.parametrize(
    "said", ["Was it beta after all?", "Beta was nice.", "The nurse said alpha but I do not know."]
)
def test_what_puts_nothing_right_changes_nothing(said):
    ward = with_medkit()
    assert "Deliver a medkit to beta" not in ward.talk((A, said)) and ward.goals() == [ALPHA]


def test_what_is_left_as_it_is_needs_no_yes():
    ward = with_medkit()
    ward.talk((A, "And make it two."))
    assert ward.talk((A, "No, leave it at one.")) == "All right, that stays as it is: Deliver a medkit to alpha."
    assert "nothing to say yes to" in ward.talk((A, "Yes.")) and ward.goals() == [ALPHA]


def test_a_robot_in_the_place_of_another_is_told_why_not():
    ward = with_medkit()
    assert "Spot cannot do that" in ward.talk((A, "Let Spot take it instead of Temi.")) and ward.goals() == [ALPHA]


@pytest.mark.parametrize("said, meant", [
    ("Is anybody moving?", m.Ask("doing")), ("What am I getting?", m.Ask("goals")),
    ("Who changed my order?", m.Ask("history")), ("Did you find the gloves?", m.Ask("where", what="gloves")),
    ("Why aren't you using Spot to carry it?", m.Ask("why not", robot="Spot")),
    ("I'm back.", m.Greet()), ("Is everything there that I ordered?", m.Ask("progress")),
])  # fmt: skip
def test_a_question_in_other_words_is_answered(said, meant):
    assert guess(said, hospital(), said.endswith("?")) == meant


def test_why_a_robot_is_needed_is_asked_of_any_robot():
    for robot in ("Fetch", "Spot"):
        assert understand(f"Why do you need {robot}?", hospital()) == [m.Ask("why that", robot=robot)]


def test_who_ordered_what_was_called_off_is_told():
    ward = with_medkit()
    ward.talk((B, "Deliver the medkit to beta."), (B, "Yes."))
    assert f"What you ordered, {ALPHA}, was called off." in ward.talk((A, "What happened to my medkit?"))
    ward.talk((B, "Cancel that."))
    assert f"The last was {BETA} for teacher, which was called off." in ward.talk((A, "Who ordered the medkit?"))


# -- going on ---------------------------------------------------------------------------------------------------------
def test_an_ok_before_something_else_is_no_yes_where_nothing_was_asked():
    ward = with_medkit()
    ward.talk(("nurse", "Stop!"))
    assert "goes on" in ward.talk((A, "ok go on")) and ward.moves()
    ward.fail()
    assert "I have not taken that for a yes" in ward.talk((A, "ok, who can open doors?"))


@pytest.mark.parametrize("said", ["ok", "ok table C", "ok, two", "okay, yes", "ok, if you must", "oklahoma"])
def test_an_ok_stays_where_the_rest_is_no_sentence(said):
    assert without_ok(said, hospital()) == said


def test_only_one_robot_may_go_on():
    ward = with_medkit()
    ward.talk(("nurse", "Stop!"))
    assert "Fetch and Spot would go on, too." in ward.talk((A, "Temi may go on."))
    ward.talk((A, "No."))
    reply = ward.talk((A, "Only Temi may go on."))
    assert (
        "Do you mean: Temi continue." in reply and "leaves out what you said with 'only'" in reply and not ward.moves()
    )
    assert not [x for x in understand("Can Temi go on?", hospital()) if isinstance(x, m.Steer)]


# -- closed places ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("said, zone", [
    ("Don't let anybody near table C.", m.Zone("tableC")), ("Spot, leave table C alone.", m.Zone("tableC", ("Spot",))),
    ("Table C is dry now, you can use it again.", m.Zone("tableC", holds=False)),
    ("Nobody should go near beta, I just cleaned it.", m.Zone("beta")), ("Let anybody near table C.", None),
    ("Is table C dry, can you use it again?", None), ("Table C is wet, you cannot use it again.", None),
    ("Leave table C.", None), ("Don't let anybody near table C and table D.", None), ("Table C is dry now.", None),
])  # fmt: skip
def test_a_place_that_is_kept_or_free_again(said, zone):
    assert closed(said, hospital()) == zone


# -- what "it" is -----------------------------------------------------------------------------------------------------
def test_it_may_be_what_was_not_understood_and_is_read_back():
    ward = Ward()
    ward.talk((A, "I think we need a medkit in alpha... or was it beta?"))
    assert ward.talk((A, "Beta. Deliver it to beta.")) == "Do you mean: Deliver a medkit to beta." and not ward.goals()
    ward.talk((A, "Yes."))
    assert ward.goals() == [BETA]


def test_it_is_nothing_where_nothing_was_spoken_of():
    assert "Which thing do you mean?" in Ward().talk((A, "Deliver it to beta."))


def test_what_is_not_wanted_at_a_place_is_called_off_after_a_question():
    ward = Ward()
    ward.talk((A, "Bring gloves to table C."))
    assert "Do you mean: Cancel bringing gloves to table C." in ward.talk(
        (A, "I don't want the gloves on table C any more.")
    )
    assert ward.goals() and ward.talk((A, "Yes."), (A, "No.")) is not None and not ward.goals()
