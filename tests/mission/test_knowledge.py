"""Knowledge: facts told, claimed, retracted and asked for; what each person knows."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.core.errors import CoterieError
from coterie.core.expr import (
    All,
    Compare,
    Not,
    Some,
    all_of,
    any_of,
    compile_expr,
    eq,
    fl,
    ge,
    gt,
    lt,
    minus,
    ne,
    no,
    plus,
)
from coterie.core.facts import UNKNOWN, Fact
from coterie.mission.knowledge import Knowledge, Refused
from coterie.mission.knowledge.rules import Rules
from coterie.mission.knowledge.terms import Facts, Supposed
from coterie.mission.knowledge.view import View


def known(**more):
    k = Knowledge(**more)
    for name, role in (
        ("fetch", "robot"),
        ("Tom", "teacher"),
        ("Ines", "instructor"),
        ("Sue", "supplies"),
        ("Vic", "visitor"),
    ):
        k.authority.join(name, role)
    return k


def where(box, place, source="fetch", time=-1.0):
    return Fact("where", (box,), place, time, source)


# -- asking ---------------------------------------------------------------------------------------------------------
NAMES = ("a", "b", "c")
names, spots = st.sampled_from(NAMES), st.sampled_from(("p", "q"))
facts = st.lists(
    st.one_of(
        st.builds(lambda x, v: Fact("where", (x,), v), names, spots),
        st.builds(lambda x, v: Fact("held", (x,), v), names, st.booleans()),
        st.builds(lambda x, y, v: Fact("amount", (x, y), v), names, spots, st.integers(0, 3)),
        st.builds(lambda x, v: Fact("weighs", (x,), v), names, st.sampled_from((1, 1.0, 2))),
        st.builds(lambda x, v: Fact("holds", (x,), v), spots, st.sampled_from(((), ("a",), ("a", "b")))),
    ),
    max_size=14,
)  # fmt: skip
things = st.sampled_from(["?x", "?x", "?y", "a", "b"])
places = st.sampled_from(["?p", "?p", "p", "q"])
simple = st.one_of(
    st.builds(lambda x, p: eq(fl("where", x), p), things, places),
    st.builds(lambda x, p: eq(p, fl("where", x)), things, places),
    st.builds(lambda x: fl("held", x), things),
    st.builds(lambda x: eq(fl("held", x), False), things),
    st.builds(lambda x: ne(fl("held", x), True), things),
    st.builds(lambda x, p, n: ge(fl("amount", x, p), n), things, places, st.integers(0, 3)),
    st.builds(lambda x, p, n: lt(plus(fl("amount", x, p), 1), n), things, places, st.integers(0, 4)),
    st.builds(lambda x, y: gt(fl("weighs", x), fl("weighs", y)), things, things),
    st.builds(lambda x, y: ne(fl("where", x), fl("where", y)), things, things),
    st.builds(lambda x, p: fl("amount", x, p), things, places).map(lambda f: eq(f, 2)),
    st.builds(lambda x, p: Compare("in", x, fl("holds", p)), things, places),
    st.builds(lambda x, p: eq(minus(fl("amount", x, p), 1), 0), things, places),
)
# What binds ?x, ?y and ?p comes first, so that every question can be settled.
questions = st.builds(
    lambda parts, nots, other: all_of(
        eq(fl("where", "?x"), "?p"),
        fl("thing", "?y"),
        *parts,
        *(no(n) for n in nots),
        *([any_of(*other)] if other else []),
    ),
    st.lists(simple, max_size=3),
    st.lists(st.one_of(simple, st.builds(all_of, simple, simple)), max_size=2),
    st.one_of(st.just([]), st.lists(simple, min_size=2, max_size=2)),
)
DOMAIN = ("a", "b", "c", "p", "q")


def holds(expr, binding, store):
    """A condition read with everything bound; what is not known is not so, wherever it stands."""
    if isinstance(expr, All):
        return all(holds(e, binding, store) for e in expr.exprs)
    if isinstance(expr, Some):
        return any(holds(e, binding, store) for e in expr.exprs)
    if isinstance(expr, Not):
        return not holds(expr.expr, binding, store)

    def look(pred, *args):
        fact = store.fact((pred, *args))
        return UNKNOWN if fact is None else fact.value

    value = compile_expr(expr)(look, binding)
    return value is not UNKNOWN and bool(value)


@given(facts, questions)
def test_questions_mean_what_conditions_mean(told, question):
    store = Facts([*told, *(Fact("thing", (n,), True) for n in NAMES)])
    rows = View(store, Rules()).ask(question)
    mine = {(r["x"], r["y"], r["p"]) for r in rows}
    assert len(rows) == len(mine), "each once"
    every = itertools.product(DOMAIN, repeat=3)
    assert mine == {(x, y, p) for x, y, p in every if holds(question, {"x": x, "y": y, "p": p}, store)}


def test_questions_in_the_language_of_rules_are_the_same_questions():
    k = known()
    k.tell(where("box1", "table_e"), where("box2", "table_e"), Fact("held", ("box2",), True, source="fetch"))
    k.tell(Fact("amount", ("caddy", "pill"), 2, source="fetch"), Fact("open", ("d1",), False, source="fetch"))
    assert k.ask("where(X, table_e), not held(X)") == [{"X": "box1"}]
    assert k.ask(all_of(eq(fl("where", "?X"), "table_e"), no(fl("held", "?X")))) == [{"X": "box1"}]
    assert k.ask("amount(C, pill, N), N < 3") == [{"C": "caddy", "N": 2}] and not k.ask("amount(C, pill, N), N < 2")
    assert k.ask("where(X, P)", {"X": "box2"}) == [{"P": "table_e"}]
    assert k.ask(eq(fl("where", "?x"), "?p"), {"x": "box2"}) == [{"p": "table_e"}]
    assert k.ask("-open(D)") == [{"D": "d1"}] == k.ask(eq(fl("open", "?D"), False))
    assert k.ask("where(X, _)", most=1) == [{"X": "box1"}]
    assert k.ask("where(box1, table_e)") == [{}] and k.ask("where(box1, floor)") == [] and k.holds("not held(box1)")
    assert k.ask(no(fl("held", "?any"))) == [], "somebody holds something"
    for question, words in (("where(X, P), N < 2", "nothing says what N can be"), ("w(X), X < 4/2", "make it a rule")):
        with pytest.raises(CoterieError, match=words):
            k.ask(question)


def test_ways_of_asking_that_need_arithmetic():
    store = Facts([Fact("amount", ("a",), 2), Fact("amount", ("b",), 3), Fact("label", ("c",), "x")])
    view = View(store, Rules())
    assert view.ask("amount(X,N), amount(Y,N+1)") == [{"X": "a", "N": 2, "Y": "b"}]
    assert view.ask("amount(X,N), M = N * 2, M > 5") == [{"X": "b", "N": 3, "M": 6}]
    assert view.ask("label(X,L), amount(Y,L+1)") == [], "a name plus one is nothing"
    assert view.ask("label(X,L), amount(Y,N), L < N") == view.ask("label(X,L), L+1 < 3") == [], "nor is it less"
    half = View(Facts([Fact("weighs", ("a",), 0.5), Fact("weighs", ("b",), 2)]), Rules())
    assert half.ask("weighs(X,N), N < 1") == [{"X": "a", "N": 0.5}]
    with pytest.raises(CoterieError, match="whole numbers, and weighs"):
        half.ask("weighs(X,N), weighs(Y,N+1)")


# -- telling --------------------------------------------------------------------------------------------------------
def test_the_last_word_counts_and_older_news_does_not():
    k = known()
    assert k.tell(where("box1", "table_e", time=5.0)).new
    assert k.tell(where("box1", "table_e", time=6.0)).same and k.fact("where", "box1").time == 6.0
    assert k.tell(where("box1", "floor", time=4.0)).same and k.value("where", "box1") == "table_e"
    assert k.tell(where("box1", "shelf", time=7.0)).new and k.ask("where(box1,P)") == [{"P": "shelf"}]
    k.journal.time = 9.0
    assert k.retract("where", "box1", by="fetch") and not k.retract("where", "box1", by="fetch")
    assert k.value("where", "box1") is UNKNOWN and k.ask("where(box1,P)") == []
    assert [(f.value, f.time) for f in k.changes[1:]] == [("shelf", 7.0), (UNKNOWN, 9.0)]


def test_one_and_true_are_two_values():
    k = known()
    k.tell(Fact("on", ("lamp",), 1, source="fetch"))
    assert k.tell(Fact("on", ("lamp",), True, source="fetch")).new and k.value("on", "lamp") is True
    assert k.ask("on(X)") == [{"X": "lamp"}] and k.ask("on(X,N)") == []
    assert k.tell(Fact("on", ("lamp",), 1.0, source="fetch")).new and k.ask("on(X,N)") == [{"X": "lamp", "N": 1}]
    assert k.tell(Fact("on", ("lamp",), 1, source="fetch")).same


def test_the_word_of_a_visitor_is_a_claim_until_it_is_seen():
    k = known()
    heard = k.tell(where("box1", "table_g", "Vic"))
    assert [c.fact.value for c in heard.claims] == ["table_g"] and k.value("where", "box1") is UNKNOWN
    assert k.ask("where(box1,P)") == []
    k.tell(where("box1", "table_g", "fetch"))
    assert not k.claims and k.fact("where", "box1").source == "fetch"
    k.tell(where("box1", "bin", "Vic"))
    assert k.value("where", "box1") == "table_g", "a claim against what is known changes nothing"
    k.tell(where("box1", "table_g", "fetch", time=1.0))
    assert k.tell(where("box1", "table_g", "Vic")).same and not k.claims, "what is known already needs no checking"
    k.tell(where("box2", "bin", "nobody we know"))
    assert list(k.claims) == [("where", "box2")]


def test_all_facts_of_a_report_are_taken_or_none():
    k = known()
    for wrong, words in (
        (Fact("where", ("box1",), {"x": 1}, source="fetch"), "a value is a name, a number"),
        (Fact("where", (None,), "bin", source="fetch"), "arguments of facts are names"),
        (Fact("where", ("box1",), "none", source="fetch"), "the word of rules for nothing"),
        (Fact("isa", ("box1",), "box", source="fetch"), "types are given with"),
    ):
        with pytest.raises(CoterieError, match=words.replace("(", r"\(").replace("?", r"\?")):
            k.tell(where("box2", "bin"), wrong)
    assert not k.store.by_key and k.journal.number == 5  # five people came
    free = known()
    free.tell(where("box1", "bin"))
    with pytest.raises(CoterieError, match="has 2 arguments, but 'where' has 1"):
        free.tell(Fact("where", ("box1", "bin"), True, source="fetch"))
    with pytest.raises(CoterieError, match="cannot be the name of a predicate"):
        free.tell(Fact("Where is", ("box1",), "bin", source="fetch"))


def test_types_and_entities():
    k = known(types={"thing": "", "box": "thing", "place": ""})
    k.entity("box1", "box")
    k.entity("shelf", "place")
    assert k.ask("isa(X,thing)") == [{"X": "box1"}] == k.ask("isa(X,box)")
    k.kind_of("bandagebox", "box")
    k.entity("box1", "bandagebox")
    assert k.ask("isa(X,box)") == [{"X": "box1"}] and k.ask("isa(X,place)") == [{"X": "shelf"}]
    k.kind_of("bandagebox", "place")
    assert k.ask("isa(X,box)") == [] and k.ask("isa(X,place)") == [{"X": "box1"}, {"X": "shelf"}]
    with pytest.raises(CoterieError, match=r"No type 'boks'\. Did you mean 'box'"):
        k.entity("box2", "boks")
    with pytest.raises(CoterieError, match="A place cannot be a bandagebox: a bandagebox is a place already"):
        k.kind_of("place", "bandagebox")
    with pytest.raises(CoterieError, match=r"types are given with knowledge\.entity"):
        k.tell(Fact("isa", ("box1",), "box", source="fetch"))


def test_rules_are_taught_by_those_who_teach():
    k = known(rules="on_table(X) :- where(X,P), isa(P,table).")
    k.entity("t1", "table")
    k.tell(where("box1", "t1"))
    with pytest.raises(Refused, match=r"Ines \(instructor\) may not teach"):
        k.learn("p(X) :- on_table(X).", by="Ines")
    with pytest.raises(CoterieError, match="cannot be read"):
        k.learn("p(X :- on_table(X).", by="Tom")
    one = k.learn("ready(X) :- on_table(X), not held(X).", by="Tom")
    two = k.learn("ready(X) :- blessed(X).", by="Tom")
    k.tell(Fact("blessed", ("box9",), True, source="fetch"))
    assert k.ask("ready(X)") == [{"X": "box1"}, {"X": "box9"}] and k.value("ready", "box1") is True
    assert [(x.by, "blessed" in x.rules) for x in k.lessons.values()] == [
        ("Tom", False),
        ("Tom", True),
    ] and two == one + 1
    assert k.learn("p(X) :- on_table(X).", by="Tom") == 3


# -- what would be --------------------------------------------------------------------------------------------------
@given(facts, facts, st.lists(st.sampled_from(NAMES), max_size=2))
def test_supposing_is_as_if_it_had_been_told(told, more, gone):
    store, other = Facts(told), Facts(told)
    changes = [*more, *(Fact("where", (n,), UNKNOWN) for n in gone)]
    for fact in changes:
        other.drop((fact.pred, *fact.args)) if fact.value is UNKNOWN else other.put(fact)
    supposed = Supposed(store, changes)
    assert {(f.pred, *f.args): f for f in supposed} == other.by_key and len(list(supposed)) == len(other.by_key)
    for key in {*other.by_key, *store.by_key}:
        assert supposed.fact(key) == other.fact(key)
    assert store.by_key == Facts(told).by_key, "nothing has changed"


def test_what_if_with_rules_over_it():
    k = known(rules="missing(T) :- needs(T), not stocked(T). stocked(T) :- lies(_,P,T), store(P).")
    k.tell(Fact("needs", ("bandage",), True, source="fetch"), Fact("store", ("table_e",), True, source="fetch"))
    k.tell(Fact("lies", ("box1", "table_e"), "bandage", source="fetch"))
    assert k.ask("missing(T)") == []
    empty = k.supposing(Fact("lies", ("box1", "table_e"), UNKNOWN, source="mission"))
    assert empty.ask("missing(T)") == [{"T": "bandage"}] and empty.value("lies", "box1", "table_e") is UNKNOWN
    assert k.ask("missing(T)") == []
    k.tell(Fact("needs", ("pill",), True, source="fetch"))
    assert empty.ask("missing(T)") == [{"T": "bandage"}, {"T": "pill"}], "all else is as it is"


# -- people ---------------------------------------------------------------------------------------------------------
def test_people_are_told_what_they_do_not_know():
    k = known(public=["room_of"])
    k.tell(where("box1", "table_e"), Fact("room_of", ("table_e",), "pharmacy", source="fetch"))
    gone = Fact("on", ("box1", "table_e"), False, source="fetch")
    k.tell(Fact("on", ("box1", "table_e"), True, source="Ines"))  # whoever says something knows it
    assert k.of("Ines").value("on", "box1", "table_e") and k.of("Tom").value("on", "box1", "table_e") is UNKNOWN
    k.tell(gone)
    assert [(x.fact.value, x.instead) for x in k.lacks("Ines", [gone])] == [(False, True)]
    assert [(x.fact.value, x.instead) for x in k.lacks("Tom", [gone])] == [(False, UNKNOWN)]
    assert k.who_lacks(k.fact("on", "box1", "table_e")) == ["Tom", "Ines", "Sue", "Vic"]
    assert [(x.fact, x.instead) for x in k.mistakes("Ines")] == [(k.fact("on", "box1", "table_e"), True)]
    k.told("Ines", [k.fact("on", "box1", "table_e")])
    assert k.lacks("Ines", [gone]) == [] and not k.mistakes("Ines")
    assert k.lacks("Vic", [k.fact("room_of", "table_e")]) == [], "everybody knows the map"
    k.authority.leave("Sue")
    assert k.who_lacks(k.fact("where", "box1")) == ["Tom", "Ines", "Vic"]


def test_what_a_person_knows_can_be_asked_with_rules():
    k = known(rules="findable(X) :- where(X,P), room_of(P,_).", public=["room_of"])
    k.tell(
        where("box1", "table_e"), where("box2", "table_e"), Fact("room_of", ("table_e",), "pharmacy", source="fetch")
    )
    k.told("Ines", [k.fact("where", "box2")])
    assert k.ask("findable(X)") == [{"X": "box1"}, {"X": "box2"}]
    assert k.of("Ines").ask("findable(X)") == [{"X": "box2"}] and k.of("Tom").ask("findable(X)") == []
    k.journal.time = 5.0
    k.retract("where", "box2", by="fetch")
    assert k.of("Ines").value("where", "box2") == "table_e", "nobody has told her"
    k.told("Ines", [Fact("where", ("box2",), UNKNOWN)])
    assert k.of("Ines").ask("findable(X)") == []


def test_a_person_is_not_talked_out_of_newer_news():
    k = known()
    k.journal.time = 10.0
    k.tell(where("box1", "bin", "Ines"))
    k.journal.time = 12.0
    k.told("Ines", [where("box1", "shelf", time=3.0)])  # told now, whenever it was seen
    assert k.of("Ines").value("where", "box1") == "shelf"
    assert k.mistakes("Ines")[0].instead == "shelf"
    k.told("Vic", [where("box2", "shelf")])
    k.tell(where("box2", "bin", "Vic", time=3.0))  # what he saw long ago
    assert k.of("Vic").value("where", "box2") == "shelf"
