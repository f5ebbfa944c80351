"""A yes after words that nobody understood is asked what it is for; whoever was asked for a thing may have none."""

import pytest

from coterie.mission.base import Request
from coterie.mission.dialogue.as_it_stands import AsItStands
from coterie.mission.dialogue.thread import US, Threads
from coterie.mission.journal import Journal
from coterie.mission.language.asides import may_be_about, not_them, of_what_was_asked
from coterie.mission.language.understand import understand
from coterie.talk import meanings as m
from coterie.talk.writing import brief
from tests.mission.ward import A, B, Ward, with_medkit
from tests.mission.words import hospital

pytestmark = pytest.mark.usefixtures("quick")
N, P = "nurse", "pharmacist"


@pytest.fixture
def ward(quick):
    """The instructor is asked for a yes to another way."""
    ward = with_medkit()
    ward.fail()
    assert ward.mission.partner.proposed(A)
    return ward


def waits(ward):
    return list(ward.states().values()) == ["waiting"]


@pytest.mark.parametrize("said", [
    "Leave out the bandage box this time, please.", "Leave out the bandage box.", "Go the long way round the ward.",
    "Ask for the large blue boxes.", "Could you do it without the box?", "Better take the long corridor.",
    "Don't ask the pharmacist, ask the nurse.",
])  # fmt: skip
def test_a_yes_after_words_that_were_not_understood_is_asked_about(ward, said):
    ward.talk((A, said))
    reply = ward.talk((A, "Yes please."))
    assert "Do you mean my proposal as it stands?" in reply and said.rstrip(".?") in reply and waits(ward)


def test_to_wait_with_it_is_no_no_and_the_yes_of_somebody_else_is_their_own(ward):
    for said in (
        "Don't do it yet.",
        "No, don't ask the pharmacist yet.",
        "Don't start just yet.",
        "Don't do that now.",
    ):
        assert "that waits" in ward.talk((A, said)) and waits(ward)
    ward.talk((A, "Better take the long corridor."))
    assert "as it stands" not in ward.talk((B, "Yes.")), "the teacher has said nothing of the kind"
    assert waits(ward), "and is told first what it is about"


def test_not_to_ask_somebody_is_a_no_where_that_is_proposed(ward, monkeypatch):
    partner, asked = ward.mission.partner, "I could ask the pharmacist. Do you want me to do it?"
    said = []
    monkeypatch.setattr(partner, "proposed", lambda person: asked)
    monkeypatch.setattr(partner, "act", lambda thread, meaning: said.append(meaning) or "All right.")
    ward.talk((A, "Don't bother the nurse."))
    assert not said
    ward.talk((A, "Don't bother the pharmacist, he's busy."))
    assert said == [m.Refuse()]


def test_a_second_yes_approves(ward):
    ward.talk((A, "Better take the long corridor."), (A, "Yes."))
    ward.talk((A, "Lovely weather today."), (A, "How likely is that?"))  # which are about nothing that waits
    assert ward.talk((A, "Yes.")) == "All right, I do it."


def test_whoever_is_asked_says_that_there_is_none(monkeypatch):
    ward = with_medkit()
    mission, given_up = ward.mission, []
    goal = mission.goals.live()[0]
    monkeypatch.setattr(mission, "_no_help", lambda goal, person: given_up.append(person))

    def says(words):
        mission.wanted_of(goal).request = Request(N, 1e9, ("stock", ("bandagebox", "tableE"), 1), [])
        return ward.say(N, words)

    assert "Say done when it is" in says("I do have bandage boxes, just come by.") and not given_up
    assert "say done when it is" in says("Sure, come over.") and not given_up
    assert "I look for another way" in says("Sorry, I don't have any bandage boxes left.") and given_up == [N]
    assert "I look for another way" in says("Sorry, I can't, I have none.") and given_up == [N, N]
    assert "another way" not in says("I don't have any gloves left.") and given_up == [N, N]


def test_it_is_known_after_a_restart_from_what_was_said(tmp_path):
    journal = Journal(tmp_path / "journal")
    threads = Threads(journal)
    proposed = "I could ask. Do you want me to do it?"
    for by, to, text, meaning in [
        (US, A, f"It failed. {proposed}", ""), (A, US, "Leave the box out, mate.", "unclear"),
        (US, A, "I did not understand 'Leave the box out, mate'.", ""), (A, US, "Yes.", "approve"),
    ]:  # fmt: skip
        threads.said(by, to, text, meaning)

    class Partner:
        vocabulary = hospital()

        def proposed(self, person):
            return proposed

    asks = AsItStands()
    asks.partner = Partner()
    journal.close()
    again = Threads(Journal(tmp_path / "journal"))
    assert "Leave the box out" in asks._yes_to_what(again.of(A), m.Approve())
    assert not asks._yes_to_what(again.of(A), m.Approve("2")) and not asks._yes_to_what(again.of(B), m.Approve())
    again.said(US, A, f"Do you mean my proposal as it stands? {proposed}")
    assert not asks._yes_to_what(again.of(A), m.Approve())


def test_what_was_read_back_is_asked_again_at_words_that_are_no_answer():
    ward = Ward()
    ward.talk((A, "Deliver a medkit to alpha the moment the nurse shows up."))
    for said in ("the blue ones from over there", "What a lovely morning we have.", "Hello?", "Thanks."):
        assert "Do you mean: Deliver a medkit" in ward.talk((A, said)) and not ward.goals()
    assert "All right" in ward.talk((A, "Yes.")) and ward.goals()


def test_not_to_turn_to_somebody():
    for said in (
        "No, don't bother the pharmacist.", "Don't ask the pharmacist, he's busy.",
        "Please don't disturb the pharmacist.",
        "Leave the pharmacist alone, she has enough to do.", "No need to ask the pharmacist for that.",
        "I'd rather you didn't ask the pharmacist.", "Let's not bother the pharmacist again.", "Not the pharmacist.",
    ):  # fmt: skip
        assert not_them(said, hospital()) == P, said
    for said in (
        "Don't ask the pharmacist, ask the nurse.", "Don't ask the pharmacist?", "Ask the pharmacist.",
        "The pharmacist.",
        "Don't ask the pharmacist before noon.", "Don't go to the office.", "Why not ask the pharmacist?",
        "No, Spot.",
        "Don't forget to ask the pharmacist.", "The pharmacist is busy.",
        "Don't ask the pharmacist for gloves on table C.",
    ):  # fmt: skip
        assert not not_them(said, hospital()), said


def test_what_somebody_has_who_was_asked():
    v = hospital()
    for said in ("I don't have any bandage boxes left.", "I have no more bandage boxes.", "I'm out of bandage boxes.",
                 "Sorry, I have no bandage boxes left.", "I have run out of bandage boxes."):  # fmt: skip
        assert [brief(x) for x in understand(said, v)] == ["tell: not supply bandagebox at @me"], said
    for said in ("I do have bandage boxes.", "I have bandage boxes left, you can get them."):
        assert [brief(x) for x in understand(said, v)] == ["tell: supply bandagebox at @me"], said
    assert [of_what_was_asked(s) for s in ("Sorry, I can't, I have none.", "We're out of them.",
    "Sure, just come by.",
            "I have some, come over.", "Do I have any?", "I have gloves.", "Come to alpha.", "I can't see you.")
    ] == [False, False, True, True, None, None, None, None]  # fmt: skip


def test_what_may_be_about_it():
    v = hospital()
    for said in ("Use the small ones.", "the blue ones", "It should be quicker.", "But only if it's quick.",
                 "Not with that.",
                 "My colleague wants it otherwise.", "The gloves were wet."):  # fmt: skip
        assert may_be_about(said, v), said
    for said in ("Why is that so odd?", "what is for lunch", "I had a lovely weekend.", "Hmm.", "Well, let me see.",
                 "The weather is nice.",
                 "Is he in today", "What a day!"):  # fmt: skip
        assert not may_be_about(said, v), said
