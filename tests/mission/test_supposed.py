"""Questions with a condition: it is answered for, or said that it cannot be; never left out in silence."""

import pytest

from coterie.mission.language.guess import guess
from coterie.mission.language.understand import understand
from coterie.mission.planner import MissionPlanner
from coterie.planning.answer import Limits
from coterie.talk.wording import Wording
from coterie.talk.writing import brief
from tests.mission.talkers import Hospital
from tests.mission.words import hospital

READ = {
    "how long will it take if table E is empty?": "ask duration: if empty at tableE",
    "if table E is empty, how long will it take?": "ask duration: if empty at tableE",
    "should table E be empty, how long would it take?": "ask duration: if empty at tableE",
    "when will it be done when table E is empty": "ask duration: if empty at tableE",
    "how long does the medkit take if the alpha door is jammed?": "ask duration: medkit if jammed alphadoor",
    "how likely is it to work without Spot and Temi?": "ask chance: if not able Spot; not able Temi",
    "will it work if the pharmacist is away?": "ask chance: if not present pharmacist",
    "what is the plan unless the alpha door is open?": "ask plan: if not door alphadoor",
    "what do you do when the alpha door is jammed?": "ask plan: if jammed alphadoor",
    "who can open doors without Spot?": "ask who can: open if not able Spot",
    "where is the bandage box if table E is empty?": "ask where: bandagebox if empty at tableE",
    "how long will it take if the moon is full?": "ask duration: (if the moon is full)",
    "how long will it take with two Spots?": "ask duration: (with two spots)",
    "how long will it take without luck?": "ask duration: (without luck)",
}
#: Sentences with such words that are no questions with a condition.
OTHERS = (
    "what if table E is empty",
    "do you know if table E is empty",
    "if table E is empty, bring a painkiller to it",
    "if a grasp fails, try again",
    "when will it be done",
    "bring a medkit to alpha without delay",
)


@pytest.mark.parametrize("sentence", READ)
def test_a_condition_is_heard(sentence):
    vocabulary = hospital()
    found = guess(sentence, vocabulary, sentence.endswith("?"))
    assert brief(found) == READ[sentence]
    again = Wording(vocabulary).sentence(found)
    assert guess(again, vocabulary, True) == found, "what is read back means the same"


@pytest.mark.parametrize("sentence", OTHERS)
def test_other_sentences_with_such_words_mean_what_they_did(sentence):
    vocabulary = hospital()
    found = [x for x in (*understand(sentence, vocabulary), guess(sentence, vocabulary)) if x is not None]
    assert not any(getattr(x, "given", ()) or getattr(x, "unheard", "") for x in found)


def test_the_answer_is_for_the_case_that_was_asked_about(monkeypatch):
    monkeypatch.setattr(MissionPlanner, "usual", Limits(states=5000, tries=1, polish=0))
    monkeypatch.setattr(MissionPlanner, "judges", False)
    talk = Hospital()
    talk.say("teacher", "deliver a medkit to alpha")
    talk.mission.think()
    plain = talk.say("teacher", "how long will it take?")
    found = talk.say("teacher", "how long will it take if table E is empty?")
    assert "If table E is empty, a medkit" in found and "(with another plan) takes about" in found
    assert plain.partition("takes")[2] != found.partition("takes")[2], "asking the pharmacist takes its time"
    assert "no plan" in talk.say("teacher", "how likely is it to work without Spot?")
    still = talk.say("teacher", "how long will it take if table D is empty?")
    assert still.partition("takes")[2] == plain.partition("takes")[2], "it makes no difference to the plan"
    assert "nobody here can open doors" in talk.say("teacher", "who can open doors if Spot is gone?")
    assert "can carry" in talk.say("teacher", "can you deliver a medkit without Spot?")
    for odd in ("if the moon is full", "with two Spots", "without luck"):
        told = talk.say("teacher", f"how long will it take {odd}?")
        assert f"cannot tell what changes {odd.lower()}" in told and "As things are: A medkit" in told
    where = talk.say("teacher", "where is the bandage box if table E is empty?")
    assert "cannot tell what changes if table E is empty" in where and "table E" in where
