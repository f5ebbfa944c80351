"""Rules: the rules and facts that a question rests on give the answers that all of them together give."""

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from coterie.core.errors import CoterieError
from coterie.core.facts import UNKNOWN, Fact
from coterie.mission.knowledge import Contradiction, Knowledge
from coterie.mission.knowledge.rules import Rules
from coterie.mission.knowledge.terms import Facts
from coterie.mission.knowledge.view import View
from tests.mission import drawn


def asked(rules, known, question, sure="certain"):
    view = View(Facts(known), Rules(rules))
    return sorted(tuple(str(row[n]) for n in drawn.used(question)) for row in view.ask(question, sure=sure))


@given(st.integers(0, 2**40))
def test_what_a_question_rests_on_is_enough(seed):
    """As clingo answers with all facts and all rules."""
    rules, known, question, sure = drawn.scenario(seed)
    whole = drawn.all_at_once(rules, known, question, sure)
    if whole is None:  # all contradicts all there; here a question is answered by what it depends on
        event("contradiction")
        try:
            asked(rules, known, question, sure)
        except Contradiction:
            event("also here")
    else:
        event("rows" if whole else "no rows")
        assert asked(rules, known, question, sure) == whole


def facts(text):
    """e(a,b) f(c) -f(d) g(a)=2"""
    found = []
    for word in text.split():
        head, _, value = word.partition("=")
        name, _, args = head.removeprefix("-").rstrip(")").partition("(")
        known = int(value) if value else not word.startswith("-")
        found.append(Fact(name, tuple(a for a in args.split(",") if a), known))
    return found


REACH = "q(X,Y) :- e(X,Y). q(X,Z) :- q(X,Y), e(Y,Z)."
CASES = {
    "a constraint decides between choices": (
        "{ p(X) } :- f(X). :- p(X), g(X,N), N > 1. r(X) :- p(X).", "f(a) f(b) g(a)=2 g(b)=1", "r(X)"),
    "a constraint over another relation that rests on the choice": (
        "{ p(X) } :- f(X). t(X) :- p(X). s(X,Y) :- e(X,Y), t(Y). :- s(X,Y).", "f(a) f(b) e(c,a)", "p(X)"),
    "a choice elsewhere that a constraint ties to this one": (
        "{ p(a) }. { t(a) }. :- p(a), not t(a). :- t(a), f(a).", "f(a)", "p(X)"),
    "exactly one, and what rests on it": (
        "1 { r(X) : f(X) } 1. p(X) :- f(X), not r(X).", "f(a) f(b) f(c)", "p(X)"),
    "a circle through not": ("p(X) :- f(X), not r(X). r(X) :- f(X), not p(X). :- p(a).", "f(a) f(b)", "r(X)"),
    "an odd circle above kills one way below": (
        "{ p(a) } :- f(a). t(a) :- p(a), not t(a).", "f(a)", "p(X)"),
    "one of two": ("p(X) ; r(X) :- f(X). t(X) :- r(X). :- p(b).", "f(a) f(b)", "t(X)"),
    "one of two relations, asked for the other": ("p(X) ; r(X) :- f(X). :- r(X), e(X,X).", "f(a) e(a,a)", "p(a)"),
    "arithmetic in a head that is asked for": ("q(X,N+1) :- g(X,N).", "g(a)=2 g(b)=1", "q(X,3)"),
    "steps up to a bound": ("q(X,0) :- f(X). q(X,N+1) :- q(X,N), N < 3.", "f(a)", "q(a,Y)"),
    "facts of a relation that rules define": (REACH, "e(a,b) q(b,d) e(d,c)", "q(b,X)"),
    "facts of it in a circle": (REACH.replace("e(Y,Z)", "q(Y,Z)"), "e(a,b) q(b,d) e(d,c)", "q(a,X)"),
    "left recursion": (REACH, "e(a,b) e(b,c) e(c,a) e(d,a)", "q(b,X)"),
    "right recursion": ("q(X,Y) :- e(X,Y). q(X,Z) :- e(X,Y), q(Y,Z).", "e(a,b) e(b,c) e(c,a) e(d,a)", "q(X,b)"),
    "counts of what rules say": (
        "p(X) :- e(X,Y), f(Y). r(X) :- f(X), #count { Y : e(Y,X), p(Y) } >= 2.",
        "f(a) f(b) e(a,b) e(c,b) e(d,a)", "r(X)"),
    "sums, assigned": (
        "q(X,N) :- f(X), N = #sum { M,Y : e(X,Y), g(Y,M) }.", "f(a) e(a,b) e(a,c) g(b)=2 g(c)=3", "q(a,Y)"),
    "all of them": ("p(X) :- f(X), f(Y) : e(X,Y).", "f(a) f(b) e(a,b) e(b,c)", "p(X)"),
    "ranges": ("q(X,1..3) :- f(X). p(X) :- q(X,N), N = 2..5.", "f(a)", "p(X)"),
    "known to be false": ("p(X) :- -f(X). -r(X) :- f(X). t(X) :- -r(X), not -f(X).", "f(a) -f(b)", "t(X)"),
    "a way out of a circle that is no circle": (
        "p(X) :- f(X), not r(X). r(X) :- f(X), not t(X). t(X) :- e(X,X), not p(X). t(X) :- -f(X).",
        "f(a) f(b) e(c,c)", "r(X)"),
    "there and back": (
        "q(X,Y) :- e(X,Y). q(X,Z) :- q(X,Y), e(Y,Z). p(X) :- f(X), q(X,c), not q(c,X).",
        "f(a) f(b) e(a,b) e(b,c) e(c,d) e(d,b)", "p(X)"),
    "two of one name": ("p(X) :- e(X,X).", "e(a,a) e(a,b)", "p(X)"),
    "a rule without a body": ("q(a,b). q(b,c). r(Y) :- q(X,Y), f(X).", "f(a)", "r(X)"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("sure", ["certain", "possible"])
def test_as_with_all_facts(name, sure):
    rules, known, question = CASES[name]
    whole = drawn.all_at_once(rules, facts(known), question, sure)
    assert whole is not None and asked(rules, facts(known), question, sure) == whole


def test_counts_and_conditions_follow_what_they_count():
    rules = "full(K) :- kit(K), #count { X : inside(X,K) } >= 2. fine(K) :- kit(K), good(X) : inside(X,K)."
    knowledge = Knowledge(rules=rules)
    knowledge.tell(*(Fact("kit", (f"k{i}",), True) for i in range(5)), Fact("inside", ("a",), "k1"))
    assert knowledge.ask("full(K)") == [] and len(knowledge.ask("fine(K)")) == 4
    knowledge.tell(Fact("inside", ("b",), "k1"), Fact("good", ("a",), True))
    assert knowledge.ask("full(K)") == [{"K": "k1"}] and len(knowledge.ask("fine(K)")) == 4
    knowledge.tell(Fact("good", ("b",), True))
    assert len(knowledge.ask("fine(K)")) == 5
    knowledge.tell(Fact("inside", ("b",), "k2"))
    assert knowledge.ask("full(K)") == []


def test_checks_gag_nobody():
    knowledge = Knowledge(rules=":- where(X,_), gone(X). open(D) :- automatic(D). p(X) :- where(X,_).")
    knowledge.tell(Fact("where", ("box",), "shelf"), Fact("gone", ("box",), True))
    knowledge.tell(Fact("automatic", ("d1",), True), Fact("open", ("d1",), False))
    assert knowledge.ask("p(X)") == [{"X": "box"}], "where it is can still be asked"
    assert sorted(knowledge.contradictions()) == [
        (":- open(X0); -open(X0).", {"X0": "d1"}),
        (":- where(X,_); gone(X).", {"X": "box"}),
    ]
    knowledge.retract("gone", "box", by="world")
    knowledge.tell(Fact("open", ("d1",), True))
    assert knowledge.contradictions() == []


def test_rules_that_leave_no_way_say_so():
    with pytest.raises(Contradiction, match="no way the world could be"):
        asked("{ p(X) } :- f(X). :- p(X). :- not p(a).", facts("f(a)"), "p(X)")


def test_names_with_and_without_quotes_are_one():
    knowledge = Knowledge(rules='p(X) :- e(X,"table_e"). r(X) :- e(X,"Table E").')
    knowledge.tell(Fact("e", ("Box 1",), "table_e"), Fact("e", ("not",), "Table E"))
    assert knowledge.ask("p(X)") == [{"X": "Box 1"}] and knowledge.ask("r(X)") == [{"X": "not"}]
    assert knowledge.holds('p("Box 1")') and knowledge.ask('e("not", X)') == [{"X": "Table E"}]


REFUSED = {
    "p(X) :- q(Y": "cannot be read: line 2, syntax error",
    '#include "/etc/passwd".': "are refused",
    "#script (python) import os #end.": "are refused",
    "p(@f(X)) :- q(X).": "are refused",
    "# include \"x\".": "are refused",
    "_answer(X) :- q(X).": "names that begin with _ are taken",
    "not p :- q.": "cannot be the head",
    ":~ p(X). [1]": "is no rule",
    "p(X) :- &sum { X } > 1.": "cannot",
}  # fmt: skip


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_no_rule(text):
    with pytest.raises(CoterieError, match=REFUSED[text]):
        Rules(text)


def test_what_cannot_be_asked():
    knowledge = Knowledge(rules="p(X) :- q(X).")
    with pytest.raises(CoterieError, match="make it a rule"):
        knowledge.ask("1 < #count { X : p(X) }")
    with pytest.raises(CoterieError, match="cannot be"):
        knowledge.ask("p(X), not q(Y), Y < 2")
    with pytest.raises(CoterieError, match="more than one question"):
        knowledge.ask("p(X). q(X)")


def test_fractions_are_compared_or_refused():
    rules = "low(R) :- battery(R,B), B < 20. known(R) :- battery(R,_). same(R) :- battery(R,B), at(R,B)."
    knowledge = Knowledge(rules=rules)
    knowledge.tell(Fact("battery", ("fetch",), 19.5), Fact("battery", ("spot",), 30.0), Fact("at", ("fetch",), 19.5))
    assert knowledge.ask("known(R), battery(R,B), B < 20") == [{"R": "fetch", "B": 19.5}]
    assert knowledge.ask("same(R)") == [{"R": "fetch"}]
    with pytest.raises(CoterieError, match=r"whole numbers, and battery\(fetch, 19\.5\) holds 19\.5"):
        knowledge.ask("low(R)")
    knowledge.tell(Fact("battery", ("fetch",), 19.0))
    assert knowledge.ask("low(R)") == [{"R": "fetch"}]
    assert knowledge.value("battery", "spot") == 30 and knowledge.value("low", "spot") is False
    assert knowledge.value("low", "nobody") is False and knowledge.value("high", "spot") is UNKNOWN
