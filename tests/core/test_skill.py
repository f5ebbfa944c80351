"""Skills as data: binding, and the words that come out of them."""

import pytest

from coterie.core.expr import eq, fl
from coterie.core.facts import UNKNOWN
from coterie.core.judge import Failure, first_failure
from coterie.core.skill import Clause, Param, Rule, Skill, fill

FACTS = {
    ("gap", "Alice", "cup"): 1.23456,
    ("holding", "Alice"): None,
    ("home",): "table",
    ("near", "Alice", "left"): "Bob",
}


def look(*key):
    return FACTS.get(key, UNKNOWN)


@pytest.mark.parametrize(("words", "said"), [
    ("{object} is gone.", "cup is gone."),
    ("{gap(robot, object):.2f} m away", "1.23 m away"),
    ("{gap(robot,object)} m", "1.23456 m"),
    ("it holds {holding(robot)}", "it holds None"),
    ("bring it {home()}", "bring it table"),
    ("{near(robot, left)} is there", "Bob is there"),  # a word that is no parameter stands for itself
    ("{gap(robot, table):.2f} m", "unknown m"),
    ("{nothing}", "{nothing}"),  # a slot that nobody fills stays visible
    ("{object:.2f}", "cup"),  # a format that does not fit is left out
    ("no slots", "no slots"),
    ("{not a slot}", "{not a slot}"),
])  # fmt: skip
def test_fill(words, said):
    assert fill(words, {"robot": "Alice", "object": "cup"}, look) == said


def test_what_is_filled_in_is_not_filled_again():
    assert fill("{object}", {"robot": "Alice", "object": "{robot}"}, look) == "{robot}"


SKILL = Skill(
    "take",
    (Param("object", "thing"),),
    when=(
        Clause(eq(fl("holding", "?robot"), None), "{robot} holds {holding(robot)}."),
        Clause(eq(fl("where", "?object"), "here"), "{object} is {where(object)}."),
    ),
)


def test_bind_counts_arguments():
    assert SKILL.signature == "take(object)"
    assert SKILL.bind("Alice", ("cup",)) == {"robot": "Alice", "object": "cup"}
    assert SKILL.bind("Alice", ()) is None
    assert SKILL.bind("Alice", ("cup", "ball")) is None


def judge(facts, rules=()):
    return first_failure(SKILL, {"robot": "Alice", "object": "cup"}, lambda *k: facts.get(k, UNKNOWN), rules)


def test_the_first_false_clause_speaks():
    far = {("holding", "Alice"): None, ("where", "cup"): "there"}
    assert judge(far) == Failure(SKILL.when[1], "cup is there.")
    assert judge({**far, ("holding", "Alice"): "ball"}) == Failure(SKILL.when[0], "Alice holds ball.")
    assert judge({("holding", "Alice"): None, ("where", "cup"): "here"}) is None


def test_false_beats_unknown_and_unknown_beats_true():
    assert judge({("holding", "Alice"): None}) is UNKNOWN
    assert judge({("where", "cup"): "there"}).words == "cup is there."


def test_rules_are_judged_after_the_skill_and_only_on_their_own():
    here = {("holding", "Alice"): None, ("where", "cup"): "here"}
    forbidden = Rule("no cups", "take", Clause(eq("?object", "ball"), "{object} is forbidden."))
    other = Rule("no gifts", "give", Clause(eq("?object", "ball"), "{object} is no gift."))
    assert judge(here, [other]) is None
    assert judge(here, [other, forbidden]).words == "cup is forbidden."
