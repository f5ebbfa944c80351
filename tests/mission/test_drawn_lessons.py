"""The same teaching with other nouns, numbers and order of answers: whatever is drawn is learnt as it was meant."""

import pytest

from tests.mission.drawn_lessons import drawn, expected
from tests.mission.talkers import Hospital


@pytest.mark.parametrize("first", range(0, 50, 10))
def test_what_is_drawn_is_learnt(first):
    wrong = []
    for seed in range(first, first + 10):
        lesson, talk = drawn(seed), Hospital()
        replies = [[talk.say("teacher", text)] for text in lesson.lines]
        talk.say("instructor", f"Deliver a {lesson.label} to {lesson.room}.")
        wishes = [talk.mission.wanted_of(g).wish for g in talk.mission.goals.all()]
        if [dict(w.contents) for w in wishes] != [lesson.contents] or not expected(lesson, replies):
            wrong.append((seed, lesson, replies, wishes))
    assert not wrong
