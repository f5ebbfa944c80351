"""Skills are checked against what a world declares; effects add, subtract and list."""

import pytest

from coterie.core.errors import CoterieError
from coterie.core.expr import compile_expr, eq, fl, fluents, ge, gt, le, lt, minus, plus
from coterie.core.facts import UNKNOWN
from coterie.core.fluents import fluent
from coterie.core.kinds import Kind
from coterie.core.skill import Clause, Effect, Param, Skill, add, decrease, increase, outcome_of, remove
from coterie.core.skills import Skills

KINDS = (Kind("place"), Kind("box", parent="place"), Kind("thing"))


@pytest.fixture
def skills():
    declared = (
        fluent("holding", "robot", value="thing"),
        fluent("water", "robot", value="number", initial=3),
        fluent("dirt", "place", value="number"),
        fluent("clean", "place"),
        fluent("between", "place", "place"),
        fluent("done", value="listing"),
    )
    return Skills("bath", KINDS, declared)


def wash(when=(), then=(), says="", kind="place"):
    return Skill("wash", (Param("place", kind),), tuple(Clause(e, "no") for e in when), tuple(then), says=says)


@pytest.mark.parametrize(("skill", "words"), [
    (wash([fl("cleen", "?place")]), "Did you mean 'clean'"),
    (wash([fl("zebra", "?place")]), "declare it beside the skill"),
    (wash(then=[Effect(fl("shiny", "?place"), True)]), "No fluent 'shiny'"),
    (wash(then=[Effect(fl("dirt", "?place"), fl("mud", "?place"))]), "'mud'"),
    (wash([le(plus(fl("watr", "?robot"), 1), 2)]), "Did you mean 'water'"),
    (wash(says="{robot} has {watre(robot)} left."), "Did you mean 'water'"),
    (wash([fl("clean", "?place", "?robot")]), r"has 2 arguments, but the fluent is clean\(place\)"),
    (wash([fl("clean", "?plaice")]), r"\?plaice in clean\(plaice\) is no parameter of wash\(place\)"),
    (wash([fl("between", "sofa", "?plaice")]), r"is no parameter of wash\(place\)"),
    (wash([fl("clean", "?place")], kind="thing"), "is about place, and .place is of the kind thing"),
    (wash(then=[increase(fl("clean", "?place"))]), "'increase' is for a number, and clean"),
    (wash(then=[add(fl("water", "?robot"), "?place")]), "'add' is for a listing"),
    (wash([lt(fl("holding", "?robot"), 3)]), "is no number but a thing"),
])  # fmt: skip
def test_what_a_world_does_not_have_is_refused_with_a_hint(skills, skill, words):
    with pytest.raises(CoterieError, match=words):
        skills.put("wash", skill)
    assert "wash" not in skills


def test_special_and_general_kinds_fit(skills):
    skills.put("wash", wash([fl("clean", "?place")], kind="box"))
    skills.put("rinse", Skill("rinse", (Param("x", "place"),), (Clause(fl("clean", "?x"), "no"),)))
    assert skills["wash"].home is skills


def test_a_fluent_declared_beside_its_skill_is_known(skills):
    skills.declare(fluent("shiny", "place"))
    skills.put("wash", wash(then=[Effect(fl("shiny", "?place"), True)]))
    assert skills.initials["shiny"] is False
    assert skills.initials["water"] == 3


FACTS = {("water", "Ann"): 3, ("dirt", "tub"): 2.5, ("done",): ("sink",), ("none", "tub"): None}


def look(*key):
    return FACTS.get(key, UNKNOWN)


def after(*effects):
    return outcome_of(wash(then=effects), {"robot": "Ann", "place": "tub"}, look)


def test_effects_add_and_subtract():
    assert after(decrease(fl("water", "?robot"))) == {("water", "Ann"): 2}
    assert after(decrease(fl("dirt", "?place"), fl("water", "?robot"))) == {("dirt", "tub"): -0.5}
    assert after(increase(fl("dirt", "?place"), 2), increase(fl("dirt", "?place"), 1)) == {("dirt", "tub"): 5.5}
    assert after(increase(fl("new", "?place"), 2)) == {("new", "tub"): 2}  # what has no value yet begins at nothing
    assert after(Effect(fl("water", "?robot"), minus(fl("water", "?robot"), fl("dirt", "?place")))) == {
        ("water", "Ann"): 0.5
    }


def test_effects_list_and_unlist():
    assert after(add(fl("done"), "?place")) == {("done",): ("sink", "tub")}
    assert after(add(fl("done"), "sink")) == {("done",): ("sink",)}
    assert after(remove(fl("done"), "sink")) == {("done",): ()}
    assert after(remove(fl("done"), "?place")) == {("done",): ("sink",)}


@pytest.mark.parametrize(("expr", "value"), [
    (lt(fl("water", "Ann"), 3), False),
    (lt(fl("water", "Ann"), 4), True),
    (gt(fl("water", "Ann"), fl("dirt", "tub")), True),
    (ge(fl("water", "Ann"), 3), True),
    (eq(plus(fl("water", "Ann"), 2), 5), True),
    (le(minus(fl("water", "Ann"), fl("dirt", "tub")), 0.5), True),
    (gt(fl("water", "Bob"), 1), UNKNOWN),
    (gt(plus(fl("water", "Bob"), 1), 1), UNKNOWN),
    (gt(fl("none", "tub"), 1), False),
    (le(fl("none", "tub"), 1), False),
])  # fmt: skip
def test_numbers_are_compared_and_added_up(expr, value):
    assert compile_expr(expr)(look, {}) is value


def test_fluents_within_sums_are_found():
    found = fluents(le(plus(fl("a", "?x"), fl("b", fl("c"))), minus(1, fl("d"))))
    assert [f.pred for f in found] == ["a", "b", "c", "d"]


def test_only_what_is_about_one_name_can_be_seen():
    with pytest.raises(CoterieError, match="cannot be seen"):
        fluent("between", "place", "place", seen=True)
