"""Conditions evaluate in three values, like Kleene's strong logic."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.core.expr import (
    OPS,
    All,
    Compare,
    Fluent,
    Not,
    Some,
    all_of,
    any_of,
    compile_expr,
    eq,
    fl,
    fluents,
    le,
    ne,
    no,
)
from coterie.core.facts import UNKNOWN

ATOMS = tuple("abcd")
NUMBER = {False: 0.0, UNKNOWN: 0.5, True: 1.0}

trees = st.recursive(
    st.sampled_from(ATOMS).map(lambda a: eq(fl(a), True)),
    lambda inner: st.one_of(
        inner.map(Not),
        st.lists(inner, max_size=3).map(lambda xs: All(tuple(xs))),
        st.lists(inner, max_size=3).map(lambda xs: Some(tuple(xs))),
    ),
    max_leaves=8,
)
worlds = st.fixed_dictionaries({a: st.sampled_from([True, False, UNKNOWN]) for a in ATOMS})


def kleene(expr, world) -> float:
    """The textbook: false is 0, unknown 1/2, true 1; not is 1 - x, and is min, or is max."""
    if isinstance(expr, Compare):
        return NUMBER[world[expr.left.pred]]
    if isinstance(expr, Not):
        return 1.0 - kleene(expr.expr, world)
    values = [kleene(e, world) for e in expr.exprs]
    return min(values, default=1.0) if isinstance(expr, All) else max(values, default=0.0)


@given(trees, worlds)
def test_compiled_conditions_are_kleene_logic(expr, world):
    value = compile_expr(expr)(lambda pred: world[pred], {})
    assert NUMBER[value] == kleene(expr, world)


@pytest.mark.parametrize(("op", "left", "right", "expected"), [
    ("==", 1, 1, True), ("==", 1, 2, False), ("!=", 1, 2, True), ("!=", 1, 1, False),
    ("<=", 1, 1, True), ("<=", 2, 1, False), (">=", 1, 1, True), (">=", 1, 2, False),
    ("in", "a", ("a", "b"), True), ("in", "c", ("a", "b"), False),
])  # fmt: skip
def test_comparisons(op, left, right, expected):
    def look(pred):
        return left if pred == "left" else right

    assert compile_expr(Compare(op, fl("left"), fl("right")))(look, {}) is expected
    for unknown in ("left", "right"):
        assert (
            compile_expr(Compare(op, fl("left"), fl("right")))(
                lambda pred, u=unknown: UNKNOWN if pred == u else look(pred), {}
            )
            is UNKNOWN
        )
    assert op in OPS


def test_parameters_fluents_and_constants_as_terms():
    facts = {("holding", "Alice"): "cup", ("mass", "cup"): 0.3, ("limit", "Alice", "table"): 0.5}

    def look(*key):
        return facts.get(key, UNKNOWN)

    bound = {"robot": "Alice", "thing": "cup"}
    assert compile_expr(eq(fl("holding", "?robot"), "?thing"))(look, bound) is True
    assert compile_expr(ne(fl("holding", "?robot"), None))(look, bound) is True
    assert compile_expr(le(fl("mass", fl("holding", "?robot")), fl("limit", "?robot", "table")))(look, bound) is True
    assert compile_expr(eq(fl("mass", fl("holding", "?robot")), 0.3))(look, {"robot": "Bob"}) is UNKNOWN
    assert compile_expr(fl("three", "?robot", "?thing", "?robot"))(lambda *key: key, bound) == (
        "three", "Alice", "cup", "Alice",
    )  # fmt: skip


def test_fluents_are_listed_left_to_right_and_conditions_can_be_read():
    expr = all_of(no(fl("flat", "?robot")), any_of(eq(fl("at", fl("home", "?robot")), "x"), le(1, fl("n"))))
    home = Fluent("home", ("?robot",))
    assert fluents(expr) == [Fluent("flat", ("?robot",)), Fluent("at", (home,)), home, Fluent("n", ())]
    assert str(expr) == "(not flat(robot)) and ((at(home(robot)) == x) or (1 <= n()))"
