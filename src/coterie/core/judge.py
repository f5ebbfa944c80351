"""Reading a skill against the truth of a world, or against what a robot believes.

Both readings are one function: only the lookup differs. The truth knows everything; a belief may answer UNKNOWN, and
then so may the judgement.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from coterie.core.action import Action, Cause, Verdict
from coterie.core.causes import not_on_card, wrong_count, wrong_kind
from coterie.core.expr import Compare, Compiled, Fluent, Lookup, Not, compile_expr, turns_on
from coterie.core.facts import UNKNOWN, Fact
from coterie.core.kinds import Able
from coterie.core.skill import Clause, Rule, Skill, fill

_rule_cache: dict[Rule, Compiled] = {}


class Failure(NamedTuple):
    """A clause that does not hold: its words, and the cause as the lookup that judged it sees it."""

    clause: Clause
    words: str
    cause: Cause

    @property
    def told(self) -> Cause:
        """The cause for a robot that does not know all the lookup knows, and so no more than the words give away.

        That a thing is not where the robot stands does not say where it is: a value that neither follows from the
        failure nor stands in its words is withheld.
        """
        expr, fluent = self.clause.expr, turns_on(self.clause.expr)
        if self.cause.fact is None or fluent is None or self.clause.shows(fluent):
            return self.cause
        pred, args, value = self.cause.fact
        if isinstance(expr, Not) and isinstance(expr.expr, Fluent):
            value = True
        elif not (isinstance(expr, Fluent) or isinstance(value, bool) or _pinned(expr)):
            value = UNKNOWN
        return replace(self.cause, fact=(pred, args, value))


def _pinned(expr: Any) -> bool:
    """Does the failure of this comparison leave one value only?"""
    return isinstance(expr, Compare) and expr.op == "!=" and not isinstance(expr.right, Fluent)


def _failure(clause: Clause, bound: dict[str, Any], look: Lookup, rule: str = "") -> Failure:
    cause = Cause(clause.name or rule, _turned_on(clause, bound, look))
    return Failure(clause, fill(clause.words, bound, look), cause)


def _turned_on(clause: Clause, bound: dict[str, Any], look: Lookup) -> tuple[str, tuple[Any, ...], Any] | None:
    """The fluent that a clause turns on, with the arguments that are bound and its value."""
    if clause.turning is None:
        return None
    pred, terms = clause.turning
    args = tuple([term(look, bound) for term in terms])
    return pred, args, look(pred, *args)


def first_failure(
    skill: Skill, bound: dict[str, Any], look: Lookup, rules: Iterable[Rule] = ()
) -> Failure | Any | None:
    """The first clause that is false, `None` when all hold, `UNKNOWN` when none is false but some are not known."""
    first = _first_false(skill, bound, look, rules)
    return _failure(first[0], bound, look, first[1]) if isinstance(first, tuple) else first


def _first_false(skill: Skill, bound: dict[str, Any], look: Lookup, rules: Iterable[Rule]) -> Any:
    """The same without words: the clause, and the name of the rule that it is part of."""
    unknown = False
    for clause, test in skill.tests:
        value = test(look, bound)
        if value is UNKNOWN:
            unknown = True
        elif not value:
            return clause, ""
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
            return rule.clause, rule.name
    return UNKNOWN if unknown else None


def lesson(failure: Failure, now: float, learner: str, teaches: Container[str]) -> tuple[Fact, ...]:
    """Return the fact that a failure teaches: the value of the fluent in its clause, if it is worth keeping."""
    if failure.cause.fact is None or failure.cause.fact[0] not in teaches:
        return ()
    pred, args, value = failure.cause.fact
    return (Fact(pred, tuple(str(a) for a in args), value, now, learner),)


def known_verdict(me: Able, action: Action) -> Verdict:
    """Guard rails: what this robot knows to be impossible is refused; what it does not know is not."""
    skill = me.skills.get(action.skill)
    if skill is None:
        words = f"{me.name} has no skill {action.skill}; it has {', '.join(me.skills)}."
        return Verdict(False, words, not_on_card(me.name, me.skills))
    bound = skill.bind(me.name, action.args)
    if bound is None:
        words = f"{skill.signature} takes {len(skill.params)} arguments, not {len(action.args)}."
        return Verdict(False, words, wrong_count(skill, action.args))
    failure = first_failure(skill, bound, me.look, me.rules)
    if failure is UNKNOWN:
        return Verdict(None)
    return Verdict(True) if failure is None else Verdict(False, failure.words, failure.cause)


def ruled_out(me: Able, skill: Skill, many: Iterable[tuple[Any, ...] | None]) -> list[bool]:
    """Which of many calls of one of its skills guard rails would refuse: `known_verdict` without the words. None stands
    for a call that cannot be made, and is refused."""
    look, rules = me.look, [r for r in me.rules if r.skill == skill.name]
    all_bound = (None if args is None else skill.bind(me.name, args) for args in many)
    return [b is None or isinstance(_first_false(skill, b, look, rules), tuple) for b in all_bound]


class Flaw(NamedTuple):
    """Why an action fails in a world that judges it as it ends."""

    words: str
    cause: Cause


def flaw_of(
    robot: str, able: Sequence[str], action: Action, skill: Skill | None, look: Lookup, rules: Iterable[Rule] = ()
) -> Flaw | None:
    """Return what is wrong with an action, judged on the truth: its skill, its arguments, its conditions."""
    if skill is None or action.skill not in able:
        return Flaw(f"{robot} cannot {action.skill:.40}; it can {', '.join(able)}.", not_on_card(robot, able))
    bound = skill.bind(robot, action.args)
    if bound is None:
        words = f"{skill.signature} takes {len(skill.params)} arguments, not {len(action.args)}."
        return Flaw(words, wrong_count(skill, action.args))
    if action.args:
        names = [a for arg in action.args for a in (arg if isinstance(arg, tuple) else (arg,))]
        odd = [a for a in names if not isinstance(a, str)]
        if odd:
            return Flaw(f"{skill.signature} takes names and texts only.", wrong_kind(skill, action.args, odd[0]))
    failure = first_failure(skill, bound, look, rules)
    return None if failure is None else Flaw(str(failure.words), failure.told)
