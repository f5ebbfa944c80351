"""Reading a skill against the truth of a world, or against what a robot believes.

Both readings are one function: only the lookup differs. The truth knows everything; a belief may answer UNKNOWN, and
then so may the judgement.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any, NamedTuple

from coterie.core.action import Action, Verdict
from coterie.core.expr import Compare, Compiled, Fluent, Lookup, Not, compile_expr
from coterie.core.facts import UNKNOWN, Fact
from coterie.core.protocol import RobotView
from coterie.core.skill import Clause, Rule, Skill, fill

_rule_cache: dict[Rule, Compiled] = {}


class Failure(NamedTuple):
    clause: Clause
    words: str


def first_failure(
    skill: Skill, bound: dict[str, Any], look: Lookup, rules: Iterable[Rule] = ()
) -> Failure | Any | None:
    """The first clause that is false, `None` when all hold, `UNKNOWN` when none is false but some are not known."""
    unknown = False
    for clause, test in skill.tests:
        value = test(look, bound)
        if value is UNKNOWN:
            unknown = True
        elif not value:
            return Failure(clause, fill(clause.words, bound, look))
    for rule in rules:
        if rule.skill != skill.name:
            continue
        compiled = _rule_cache.get(rule)
        if compiled is None:
            compiled = _rule_cache[rule] = compile_expr(rule.clause.expr)
        value = compiled(look, bound)
        if value is UNKNOWN:
            unknown = True
        elif not value:
            return Failure(rule.clause, fill(rule.clause.words, bound, look))
    return UNKNOWN if unknown else None


def lesson(
    failure: Failure, bound: dict[str, Any], look: Lookup, now: float, learner: str, teaches: Container[str]
) -> tuple[Fact, ...]:
    """What a failure teaches: the value of the fluent that its clause turns on, if that is one worth remembering."""
    expr = failure.clause.expr
    if isinstance(expr, Not):
        expr = expr.expr
    if isinstance(expr, Compare):
        expr = expr.left
    if not isinstance(expr, Fluent) or expr.pred not in teaches:
        return ()
    args = tuple(str(bound[a[1:]]) if isinstance(a, str) and a.startswith("?") else str(a) for a in expr.args)
    return (Fact(expr.pred, args, look(expr.pred, *args), now, learner),)


def known_verdict(me: RobotView, action: Action) -> Verdict:
    """Guard rails: what this robot knows to be impossible is refused; what it does not know is not."""
    skill = me.skills.get(action.skill)
    if skill is None:
        return Verdict(False, f"{me.name} has no skill {action.skill}; it has {', '.join(me.skills)}.")
    bound = skill.bind(me.name, action.args)
    if bound is None:
        return Verdict(False, f"{skill.signature} takes {len(skill.params)} arguments, not {len(action.args)}.")
    failure = first_failure(skill, bound, me.look, me.rules)
    if failure is UNKNOWN:
        return Verdict(None)
    return Verdict(True) if failure is None else Verdict(False, failure.words)
