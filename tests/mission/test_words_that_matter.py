"""No word that matters is dropped on the way to an action: what is understood as an order, a fact, a rule or a yes is
not done at once any more when a no, a condition, a time, or the word or the name of somebody else
stands beside it."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.mission.listener import Listener
from tests.mission.test_language import ROWS

BEFORE = (
    "she said", "the doctor told me to", "should we", "I dreamed that", "Maria,", "do you think", "unless", "never",
    "my colleague thinks", "tomorrow", "if the doctor agrees,", "it would be wrong to", "who said", "imagine",
    "perhaps", "yesterday", "I hope", "nobody said",
)  # fmt: skip
AFTER = (
    "unless the patient sleeps", "except on Sundays", "if the doctor agrees", "tomorrow", "yesterday", "at noon",
    "but not yet", "said the doctor", "or not", "in an hour", "next week", "only if Maria says so", "with Bob",
    "I was told", "in the film", "tonight", "after lunch", "until noon", "before the nurse is back", "when I say so",
    "if Anna agrees, that is",
)  # fmt: skip
WITHIN = ("not", "never", "almost", "unless")
NAMED = ("teach", "forget", "things")  # what follows may be a name, and nothing moves


@cache
def listener():
    return Listener()


@cache
def actions():
    """Sentences of the page that something is done about at once."""
    rows = [(text, meant) for text, meant in ROWS if not meant.startswith(("ask", "greet", "repeat", *NAMED))]
    found = [(text, tuple(listener().take(text).done)) for text, _ in rows]
    return [row for row in found if row[1]]


def spoilt(text, kind, word, at):
    body = text.rstrip(".!?")
    if kind == "before":
        named = body.split()[0].rstrip(",") in ("Fetch", "Spot", "Temi")
        return f"{word} {body if named else body[0].lower() + body[1:]}."
    if kind == "after":
        return f"{body} {word}."
    words = body.split()
    at = 1 + at % max(len(words) - 1, 1)
    return " ".join([*words[:at], word, *words[at:]]) + "."


WORDS = st.one_of(
    *(st.tuples(st.just(kind), st.sampled_from(words))
      for kind, words in (("before", BEFORE), ("after", AFTER), ("within", WITHIN)))
)  # fmt: skip


@settings(max_examples=120, deadline=None, derandomize=True)
@given(st.integers(0, 10**6), WORDS, st.integers(0, 10))
def test_a_word_that_matters_is_never_dropped_on_the_way_to_an_action(which, added, at):
    text, done = actions()[which % len(actions())]
    kind, word = added
    said = spoilt(text, kind, word, at)
    taken = listener().take(said)
    told = word.removeprefix("except ") in taken.told  # a stop stops what it leaves out, too, and says so
    assert not set(taken.done) & set(done) or (told and "stop all" in done), (said, taken.done)


@pytest.mark.parametrize("text", [
    "The medkit is ready?", "Make sure that table E is empty.", "Perhaps table E is empty.", "Table E was empty.",
    "Betadoor should be shut.", "Yes, if the nurse agrees.", "Yes. But wait for the nurse.", "Open alphadoor. Just "
                                                                                             "kidding.",
    "I told her to stop Spot.", "What would happen if I told Spot to stop?", "Stop Spot?", "Do you think Temi should "
                                                                                           "stop?",
    "Open alphadoor?", "The nurse may approve?",
])  # fmt: skip
def test_what_is_asked_told_wished_or_taken_back_is_not_done(text):
    taken = listener().take(text)
    assert not taken.done, taken


@pytest.mark.parametrize("text", ["Spot, for heaven's sake stop!", "Please make everything stop at once!", "STOP SPOT "
                                                                                                           "NOW",
                                  "I want you to stop, Temi!"])  # fmt: skip
def test_a_stop_in_any_words_is_honoured_at_once(text):
    assert any(x.startswith("stop") for x in listener().take(text).done)


def test_what_comes_first_is_done_first_however_it_is_told():
    one = "order: door alphadoor; kit medkit at alpha"
    for text in ("First open the door to alpha, then take the medkit in there.",
                 "Take the medkit to alpha, but open the alpha door first.",
                 "Before you carry the medkit to alpha, open alphadoor.",
                 "Take the medkit to alpha and open the alpha door first."):  # fmt: skip
        taken = listener().take(text)
        assert [*taken.done, *([taken.back] if taken.back else [])] == [one], text
