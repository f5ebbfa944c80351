"""Rules: choosing what a question can touch gives the answers that all facts together give."""

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from coterie.core.errors import CoterieError
from coterie.core.facts import Fact
from coterie.mission.knowledge.atoms import Facts
from coterie.mission.knowledge.rules import Contradiction, Rules
from coterie.mission.knowledge.view import View
from tests.mission import drawn


def asked(rules, known, question, sure="certain", most_steps=100_000):
    view = View(Facts(known), Rules(rules, most_steps))
    return sorted(tuple(str(row[n]) for n in drawn.used(question)) for row in view.ask(question, sure=sure))


@settings(max_examples=400, deadline=None)
@given(st.integers(0, 2**40), st.sampled_from([100_000, 3]))
def test_what_a_question_can_touch_is_enough(seed, most_steps):
    """As clingo answers with all facts and all rules. With few steps the way is cut off, and all is given to it."""
    rules, known, question, sure = drawn.scenario(seed)
    whole = drawn.all_at_once(rules, known, question, sure)
    if whole is None:  # all contradicts all there; here a question is answered by what it depends on
        event("contradiction")
        try:
            asked(rules, known, question, sure, most_steps)
        except Contradiction:
            event("also here")
    else:
        event("rows" if whole else "no rows")
        assert asked(rules, known, question, sure, most_steps) == whole
