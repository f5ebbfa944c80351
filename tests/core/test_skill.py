"""Skills as data: binding, and the words that come out of them."""

import pytest

from coterie.core.action import Action, Cause, Verdict
from coterie.core.expr import all_of, any_of, eq, fl, le, ne, no
from coterie.core.facts import UNKNOWN, Belief, Fact
from coterie.core.judge import Failure, first_failure, known_verdict, lesson
from coterie.core.protocol import RobotView
from coterie.core.skill import Clause, Param, Skill, fill

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
    cause = Cause("where", ("where", ("cup",), "there"))
    assert judge(far) == Failure(SKILL.when[1], "cup is there.", cause)
    cause = Cause("holding", ("holding", ("Alice",), "ball"))
    assert judge({**far, ("holding", "Alice"): "ball"}) == Failure(SKILL.when[0], "Alice holds ball.", cause)
    assert judge({("holding", "Alice"): None, ("where", "cup"): "here"}) is None


def test_false_beats_unknown_and_unknown_beats_true():
    assert judge({("holding", "Alice"): None}) is UNKNOWN
    assert judge({("where", "cup"): "there"}).words == "cup is there."


# -- names and causes -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("expr", "name"), [
    (fl("in_view", "?robot", "?object"), "in_view"),
    (no(fl("flat", "?robot")), "flat"),
    (le(fl("gap", "?robot", "?object"), fl("reach", "?robot")), "gap"),
    (eq("?object", fl("holding", "?robot")), "holding"),
    (all_of(ne("?robot", "?object"), eq(fl("joined", "?robot"), True)), "joined"),
    (eq("?object", "ball"), ""),
])  # fmt: skip
def test_a_clause_is_named_after_what_it_turns_on(expr, name):
    assert Clause(expr, "It failed.").name == name
    assert Clause(expr, "It failed.", name="own").name == "own"


def told(expr, words, value):
    skill = Skill("take", (Param("object", "thing"),), when=(Clause(expr, words),))
    failure = first_failure(skill, {"robot": "Alice", "object": "cup"}, lambda *k: value)
    return failure.cause.fact, failure.told.fact


@pytest.mark.parametrize(("expr", "words", "value", "given"), [
    (eq(fl("where", "?object"), "here"), "{object} is not here.", "there", UNKNOWN),  # not here does not say where
    (eq(fl("where", "?object"), "here"), "{object} is {where(object)}.", "there", "there"),
    (eq(fl("where", "?object"), "here"), "{object} is not {where(robot)}.", "there", UNKNOWN),  # of somebody else
    (ne(fl("where", "?object"), "here"), "{object} is not away.", "here", "here"),
    (eq(fl("where", "?object"), True), "{object} is not here.", False, False),
    (fl("where", "?object"), "{object} is nowhere.", None, None),
    (no(fl("where", "?object")), "{object} is somewhere.", "there", True),
    (le(fl("where", "?object"), 1.0), "{object} is too far off.", 1.5, UNKNOWN),
])  # fmt: skip
def test_a_robot_is_told_no_more_than_the_words_give_away(expr, words, value, given):
    assert told(expr, words, value) == (("where", ("cup",), value), ("where", ("cup",), given))


def test_a_condition_that_weighs_several_facts_turns_on_none():
    two = any_of(no(fl("where", "?object")), eq(fl("where", "?object"), "here"))
    assert told(two, "{object} is not here.", "there") == (None, None)


def test_guard_rails_tell_what_is_believed():
    belief = Belief({})
    belief.tell_all([Fact("holding", ("Alice",), "ball", 0.0, "Alice")])
    me = RobotView("Alice", None, belief, belief.value, skills={"take": SKILL})
    holding = Cause("holding", ("holding", ("Alice",), "ball"))
    assert known_verdict(me, Action("take", ("cup",))) == Verdict(False, "Alice holds ball.", holding)
    count = Cause("argument_count", ("arguments", ("take",), 0))
    assert known_verdict(me, Action("take")) == Verdict(False, "take(object) takes 1 arguments, not 0.", count)
    card = Cause("on_card", ("skills", ("Alice",), ("take",)))
    assert known_verdict(me, Action("fly")) == Verdict(False, "Alice has no skill fly; it has take.", card)
    belief.tell_all([Fact("holding", ("Alice",), None, 1.0, "Alice")])
    assert known_verdict(me, Action("take", ("cup",))) == Verdict(None)  # not known to be impossible
    belief.tell_all([Fact("where", ("cup",), "here", 1.0, "Alice")])
    assert known_verdict(me, Action("take", ("cup",))) == Verdict(True)


def test_a_lesson_is_the_fact_that_the_failure_turned_on():
    failure = judge({("holding", "Alice"): None, ("where", "cup"): "there"})
    assert lesson(failure, 2.0, "Alice", {"where"}) == (Fact("where", ("cup",), "there", 2.0, "Alice"),)
    assert lesson(failure, 2.0, "Alice", {"holding"}) == ()
