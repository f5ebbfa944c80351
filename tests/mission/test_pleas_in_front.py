"""A plea behind a courtesy, a reason or a while; orders that rest for a reason; what only sounds so."""

import pytest

from coterie.mission.language.guess import guess
from coterie.mission.language.stops.ahead import resting
from coterie.mission.language.stops.first import stop_first
from coterie.talk import meanings as m
from tests.mission.ward import A, V, Ward, with_medkit

pytestmark = pytest.mark.usefixtures("quick")

STOPS = (
    "Before anything happens to the kids, please halt.", "Before he gets hurt, stop!", "Hands off table E!",
    "My son has his hand in the door, stop stop stop!",
    "My mom is on crutches, so please let her pass before you go on.",
    "I'm afraid I must ask you all to stop, sir has collapsed.", "Let her pass before you go on.", "stp plese",
    "Sorry to bother you, but could the machines please stand still while the doctor comes through?",
    "If you could just stop for a bit, that'd be great, we have an emergency in here.", "Interrupt what you're doing.",
    "Easy, easy, there are people here!", "Can somebody pull the plug on this thing?", "Before you hurt her, stop.",
    "Due to the fire drill, please stop all robots.", "With all these people around, could you please stop?",
    "Nothing leaves the pharmacy until I've counted.", "Let this gentleman pass, please.",
    "How about you stop for a second?",
    "Would you be a dear and stop?", "I'd be grateful if you would stop.",
    "If you wouldn't mind stopping, it'd be great.",
    "Could you please not drive just now, my daughter is scared.", "Could you please not drive right now?",
    "I'm stuck between two of them, help!", "The fire alarm is going off, everybody stop.",
)  # fmt: skip
WAITS = (
    "Please don't drive through here.", "Please don't drive just now, my daughter is scared.",
    "While the stretcher goes through, please wait.", "While I get by, please wait.",
    "When the bed comes through, please wait.", "Seeing that the lift is stuck, would you please hold it for now.",
    "Given that alpha is being disinfected, please hold the delivery until I'm done.",
    "Because my father just fell down in the hall, please hold everything.", "We need to put this on hold.",
    "Put this on hold until the ward round is over.", "Please hold the delivery until I'm done.",
    "Excuse me, would you mind waiting until we've gone by?", "I'm talking to you, please wait.",
    "Can the robots hold off for a minute?", "Let's take a break, everyone.", "Take five, everyone.",
    "I mean pause it.", "Please pause everything for lunch.", "Please pause for lunch.", "Please wait outside alpha.",
    "Come back later please.", "Hold the second one for now.", "Don't pack the painkillers yet.",
    "The nurse says it is not safe, so please wait.", "I think it's better to wait.", "The delivery will have to wait.",
    "Might I ask you to pause for a moment?", "Postpone the delivery, please.", "Don't deliver anything for now.",
    "If the robots could wait a bit, that would be lovely.", "Would you hold on, my father needs to get by?",
)  # fmt: skip
ONE = (
    "Fetch, please don't do anything for the moment.", "Fetch must not leave the pharmacy yet.",
    "Fetch isn't allowed to leave just yet.",
    "Fetch should stay in the pharmacy for the time being.",
    "Could Fetch please wait, the pharmacist is working at table E?",
)  # fmt: skip
NOBODY = (
    "No need to stop.", "No need to halt!", "No need to stop, I can walk around you.", "No need to stop, Spot.",
    "When you are at beta, wait.", "When Temi is at beta, stop.", "If somebody comes in, stop.",
    "When the nurse comes, stand still.", "The nurse said, please stop.", "Before I forget, where is Spot?",
    "Go to beta, then wait.",
    "Stop worrying, you're doing fine.", "Stop fretting.", "Argh, I mixed up the names.", "Argh, wrong patient.",
    "Fetch should stay in the pharmacy.", "While I was asleep, somebody brought flowers.", "My mother is on crutches.",
    "Excuse me, where is Spot?", "If you could bring gloves to table F, that'd be great.", "Come back soon!",
    "We stopped for lunch.", "Hold the thermometer like this.", "Wait, which table has the gloves?",
)  # fmt: skip


@pytest.fixture(scope="module")
def ward():
    return with_medkit()


@pytest.fixture(scope="module")
def words(ward):
    return ward.mission.partner.vocabulary


@pytest.mark.parametrize("said", STOPS + WAITS + ONE)
def test_a_plea_is_one_behind_whatever_stands_in_front_of_it(words, said):
    first = stop_first(said, words)
    assert first is not None and not first.rest
    assert isinstance(first.meaning, m.Stop) or (m.only_waits(first.meaning) and said not in STOPS)
    assert first.meaning.robots == (("Fetch",) if said in ONE else ())


@pytest.mark.parametrize("said", NOBODY)
def test_a_rule_for_later_a_slip_or_comfort_is_none(words, said):
    assert stop_first(said, words) is None


@pytest.mark.parametrize("said", ["Argh!", "Argh, my foot!", "Stop worrying and stop everything!"])
def test_pain_and_a_stop_beside_comfort_count(words, said):
    assert stop_first(said, words).meaning == m.Stop()


def test_what_is_told_in_front_is_heard_too(words):
    assert stop_first("Table C is empty, so wait.", words).rest == "Table C is empty"
    assert stop_first("Until he is dressed, nobody enters alpha, so wait.", words).rest == "nobody enters alpha"
    found = stop_first("Wait, I've found two painkillers, they're on table B.", words)
    assert found.rest == "I've found two painkillers, they're on table B."


@pytest.mark.parametrize("said", ["Don't take anything from table E right now.", "Nobody takes anything off table E."])
def test_a_table_from_which_nobody_is_to_take_anything_is_closed(words, said):
    assert stop_first(said, words).meaning == m.Zone("tableE")


@pytest.mark.parametrize(("said", "alone"), [
    ("Let the medkit wait a moment, the corridor is full of beds.", "pause the medkit."),
    ("Let's do the medkit later.", "pause the medkit."),
    ("We need to put the medkit on hold.", "put the medkit on hold."),
    ("Cancel the medkit, they don't need it in alpha any more.", "Cancel the medkit."),
    ("Please drop the medkit for alpha, the patient has been moved.", "Please cancel the medkit to alpha."),
    ("The patient in alpha has gone home, so forget about the medkit.", "forget about the medkit."),
    ("Drop the medkit for alpha, the patient needs it.", None), ("We don't need the medkit, please cancel it.", None),
])  # fmt: skip
def test_an_order_rests_or_is_called_off_for_a_reason_on_either_side(words, said, alone):
    assert resting(said, words) == (alone or said)


@pytest.mark.parametrize("said", [
    "Can Spot hold a box?", "Let me hold the door for Temi.", "Is the stop button on Temi working?", "Stop fretting.",
    "Ok, I'll hold the door open because Spot seems slow.", "Nice to see them move so carefully.",
    "Just a sec, which table has plasters?", "How do I stop Temi?",
])  # fmt: skip
def test_a_harmless_line_is_not_taken_for_a_wait_or_a_greeting(words, said):
    assert guess(said, words, said.endswith("?")) is None


def test_a_question_behind_a_moment_is_the_question(words):
    assert guess("Just a sec, which table has the gloves?", words, True) == m.Ask("where", what="gloves")


# -- while robots move ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("said", ["Not now!", "Not now please, the doctor is with the patient.", "Don't start yet."])
def test_not_now_stops_robots_where_nothing_was_asked_or_ordered(ward, said):
    assert ward.moves() and "Everything stops." in ward.talk((V, said)) and not ward.moves()
    ward.talk((A, "Continue."))
    assert ward.moves()


def test_not_now_of_whoever_ordered_is_asked_about():
    ward = with_medkit()
    assert "Do you want me to wait with" in ward.talk((A, "Not now!")) and ward.moves()


def test_whoever_only_thinks_stops_nobody_and_not_now_is_no_stop_where_nothing_moves(ward):
    assert "nothing to say no to" in ward.talk((V, "Let me think.")) and ward.moves()
    assert "nothing to say no to" in Ward().talk((V, "Not now!"))
