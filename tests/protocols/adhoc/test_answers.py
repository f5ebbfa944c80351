"""Replies of models, read tolerantly; sub-tasks and sub-skills in any clothes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.core.kinds import Misread
from coterie.protocols.adhoc.irot import answers
from coterie.protocols.adhoc.irot.page import messages
from coterie.protocols.adhoc.subtasks import Phrase, read_subskill, read_subtask
from coterie.protocols.adhoc.teammates import Said

MUG = Phrase("Re-place", ("mug_0", "CounterTop", "Kitchen"))
ROOM = Phrase("Explore", ("room_2",))


@pytest.mark.parametrize(
    "text",
    ["Re-place <mug_0> <CounterTop> <Kitchen>", "1. Re-place <mug_0> <CounterTop> <Kitchen>",
     "Replace mug_0, CounterTop, Kitchen", "**Re-place** <mug_0> <CounterTop> <Kitchen>",
     "re-place(mug_0, CounterTop, Kitchen)", "RE-PLACE <mug 0> <Counter Top> <Kitchen>"],
)  # fmt: skip
def test_sub_tasks_are_read(text):
    assert read_subtask(text) == MUG
    for other in ("", "Fly <room_2>", "Re-place <mug_0>", "explored", "I would explore"):
        assert read_subtask(other) is None


def test_sub_skills_are_read():
    assert read_subskill("PutObject <mug_0> <counter_top_0> <room_4>") == Phrase(
        "PutObject", ("mug_0", "counter_top_0", "room_4")
    )
    assert read_subskill("GoToPoint <1.5> <-2>") == Phrase("GoToPoint", ("1.5", "-2"))
    assert read_subskill("Explore") == Phrase("Explore") and read_subskill("Stop.") == Phrase("Stop")


@pytest.mark.parametrize(
    "reply",
    ["[analysis] a\n[result]\n1. Explore <room_2>\n2. Re-place <mug_0> <CounterTop> <Kitchen>\n3. Stop",
     "<think>1. Stop</think>[result] \n1) Explore <room_2>\n2) Re-place <mug_0> <CounterTop> <Kitchen>\n3) Stop",
     "**Result:**\n- Explore <room_2>\n- Re-place <mug_0> <CounterTop> <Kitchen>\n- Explore <room_2>\n- Stop",
     "Explore <room_2>\nRe-place <mug_0> <CounterTop> <Kitchen>\nStop"],
)  # fmt: skip
def test_candidates(reply):
    assert answers.candidates(reply, free=False) == [ROOM, MUG, Phrase("Stop")]
    plants = "[result]\n1. Water the plants"
    assert answers.candidates(f"{plants}\n2. Explore <room_2>", free=True) == [Phrase("Water the plants"), ROOM]
    assert isinstance(answers.candidates(plants, free=False), Misread)


def test_a_ranking_keeps_to_what_was_given():
    given_ = [ROOM, MUG]
    assert answers.ranking("[result]\n1. Stop\n2. Re-place <mug_0> <CounterTop> <Kitchen>", given_, False) == [
        MUG,
        ROOM,
    ]
    assert isinstance(answers.ranking("[result]\n1. Stop", given_, False), Misread)


@pytest.mark.parametrize(
    ("reply", "found"),
    [("[analysis] no doubt\n[judgement] yes", True), ("[judgement]: No.", False), ("yes", True),
     ("Judgement: no, Bob is there", False)],
)  # fmt: skip
def test_judgements(reply, found):
    assert answers.judgement(reply) is found
    assert isinstance(answers.judgement("[judgement] perhaps"), Misread)


def test_misplaced_names_are_those_that_were_asked_about():
    names = ["mug_0", "plate_1"]
    assert answers.misplaced("[misplaced] mug_0, spoon_4", names) == ["mug_0"]
    assert answers.misplaced("[misplaced] none", names) == []
    assert isinstance(answers.misplaced("[misplaced] hm", names), Misread)


@settings(max_examples=20)
@given(st.text(max_size=300))
def test_no_reply_breaks_a_reader(text):
    answers.candidates(text, True)
    answers.ranking(text, [ROOM, MUG], False)
    answers.judgement(text)
    answers.subskill(text)
    answers.misplaced(text, ["mug_0"])


@settings(max_examples=20)
@given(st.lists(st.text(min_size=1, max_size=40), max_size=12), st.integers(0, 300))
def test_messages_are_cut_from_the_oldest(texts, room):
    said = [Said(i, "Ann", f"{i}!{text}") for i, text in enumerate(texts)]
    found = messages(said, room)
    assert found == "none" or len(found) <= room
    kept = [i for i in range(len(texts)) if f"step {i} Ann: {i}!" in found]
    assert kept == list(range(len(texts) - len(kept), len(texts)))
