"""Conditions written out as one piece of code come out as each of them does alone."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.core.compiled import ALL_HOLD, NOT_KNOWN, first_false
from coterie.core.effects import outcome_of
from coterie.core.expr import OPS, Compare, Fluent, Not, Sum, all_of, any_of, compile_expr, compile_term
from coterie.core.facts import UNKNOWN
from coterie.core.skill import Effect, Skill

BOUND = {"robot": "Bob", "object": "apple", "odd name": "x"}
VALUES = (True, False, None, UNKNOWN, 0, 1, 2.5, "apple", "?")

args = st.lists(st.sampled_from(["?robot", "?object", "?odd name", "table"]), max_size=3).map(tuple)
flat = st.builds(Fluent, st.sampled_from(["at", "it's", "open"]), args)
sides = st.one_of(flat, st.sampled_from([None, True, 0, 1, "apple", "?object"]))
compared = st.builds(Compare, st.sampled_from(sorted(OPS.keys() - {"in", "<", "<=", ">", ">="})), flat, sides)
plain = st.one_of(flat, compared, flat.map(Not), compared.map(Not))
exprs = st.one_of(
    plain, st.tuples(plain, plain).map(lambda p: all_of(*p)), st.tuples(plain, plain).map(lambda p: any_of(*p))
)


@settings(max_examples=25)
@given(st.lists(exprs, max_size=6), st.randoms(use_true_random=False))
def test_the_first_that_is_false_is_found(conditions, random):
    world: dict[tuple[Any, ...], Any] = {}

    def look(*key: Any) -> Any:
        return world.setdefault(key, random.choice(VALUES))

    each = [compile_expr(e)(look, BOUND) for e in conditions]
    false = [i for i, value in enumerate(each) if value is not UNKNOWN and not value]
    expected = false[0] if false else NOT_KNOWN if any(v is UNKNOWN for v in each) else ALL_HOLD
    assert first_false(conditions)(look, BOUND) == expected


set_to = st.one_of(flat, st.sampled_from([None, True, 0, "apple", "?object"]), st.just(Sum("+", 1, 2)))


@settings(max_examples=25)
@given(st.lists(st.tuples(flat, set_to).map(lambda e: Effect(*e)), max_size=5), st.randoms(use_true_random=False))
def test_effects_written_out_come_out_as_each_does_alone(then, random):
    world: dict[tuple[Any, ...], Any] = {}

    def look(*key: Any) -> Any:
        return world.setdefault(key, random.choice((True, None, 0, 1, "apple")))

    skill = Skill("try", (), then=tuple(then))
    expected = {(f.pred, *[compile_term(a)(look, BOUND) for a in f.args]): compile_term(v)(look, BOUND)
                for f, v, _ in then}  # fmt: skip
    assert outcome_of(skill, BOUND, look) == expected
    named = all(str(a).startswith("?") for f, v, _ in then for g in (f, v) if isinstance(g, Fluent) for a in g.args)
    assert (skill.after is not None) == (named and not any(isinstance(v, Sum) for _, v, _ in then))
