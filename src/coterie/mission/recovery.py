"""Recovery from failures: history, limits, alternatives ranked, and the end of trying.

For every goal all failures and attempts to repair them are kept. Where the limits allow another one, the policies that
apply make alternatives, which are planned, assessed and ranked. What needs no approval is done at once; otherwise the
best is proposed. When no policy has a way out, the goal fails with its reason.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from coterie.core.action import Action, Cause
from coterie.core.expr import Compare, Expr, Fluent, all_of, eq, ne, no
from coterie.core.skill import Clause, Rule
from coterie.mission.agenda import scope
from coterie.mission.assess import Assessment
from coterie.mission.domain import Domain
from coterie.mission.goals import Failure, Goal
from coterie.mission.policies import Alternative, Policies, Policy, about, signature
from coterie.mission.projection import Projection
from coterie.planning.answer import Answer


@dataclass(frozen=True)
class Limits:
    """When to stop trying."""

    tries: int = 2  # of the same thing by the same robot, before it is not counted on any more
    same: int = 4  # times that the same trouble may come back to a goal
    all: int = 12  # failures of one goal
    depth: int = 3  # of goals that mend goals that mend goals


class Planning(Protocol):
    """The parts of a mission that recovery needs."""

    @property
    def domain(self) -> Domain: ...
    def now_like(self) -> Projection: ...
    def plan_from(self, start: Projection, goal: Goal | list[Expr], rules: Iterable[Rule]) -> Answer: ...
    def assess(self, plans: Sequence[Answer]) -> Assessment: ...
    def helpers(self, goal: Goal) -> Collection[str]: ...
    def depth(self, goal: Goal) -> int: ...
    def scope_of(self, goal: Goal) -> frozenset[str]: ...


@dataclass
class Troubles:
    """The failures of one goal, and what was done about them."""

    failures: list[Failure] = field(default_factory=list)
    used: dict[tuple[str, Any], int] = field(default_factory=dict)  # (policy, signature) -> times
    offers: list[Alternative] = field(default_factory=list)  # the best first
    chosen: Alternative | None = None
    refused: set[str] = field(default_factory=set)  # policies that people said no to, of this trouble
    left: set[str] = field(default_factory=set)  # people who are not to be asked about it: that was rejected
    rules: tuple[Rule, ...] = ()  # of the ways out that were chosen
    last_try: bool = False  # a policy failed, and the goal was planned a last time
    barred: str = ""  # what people have said that alone stands in the way, in words


class Recovery:
    def __init__(self, mission: Planning, policies: Policies | None = None, limits: Limits | None = None):
        self.mission, self.policies, self.limits = mission, policies or Policies(), limits or Limits()
        self.troubles: dict[str, Troubles] = {}
        self.rules: dict[str, Rule] = {}  # what experience speaks against
        self._plans: dict[Any, Answer] = {}
        self._spared: tuple[Rule, ...] = ()  # rules by which ways out are looked for that leave people alone

    @property
    def domain(self) -> Domain:
        return self.mission.domain

    def of(self, goal: Goal) -> Troubles:
        return self.troubles.setdefault(goal.id, Troubles())

    # -- history and limits ---------------------------------------------------------------------------------------
    def note(self, goal: Goal, failure: Failure) -> None:
        mine = self.of(goal)
        mine.failures.append(failure)
        mine.offers, mine.chosen, mine.barred = [], None, ""
        mine.refused.clear()
        mine.left.clear()

    def times(self, goal: Goal, failure: Failure) -> int:
        mark = signature(failure)
        return sum(signature(f) == mark for f in self.of(goal).failures)

    def exhausted(self, goal: Goal, failure: Failure) -> str:
        """Why nothing more is tried; empty while something may be."""
        mine = self.of(goal)
        if self.times(goal, failure) > self.limits.same:
            return f"the same trouble came back {self.limits.same} times"
        if len(mine.failures) > self.limits.all:
            return f"{self.limits.all} attempts failed"
        if self.mission.depth(goal) > self.limits.depth:
            return "mending what should mend goes too deep"
        return ""

    def learnt(self, goal: Goal, failure: Failure) -> Rule | None:
        """A rule against what was tried in vain too often although nothing seemed to be in the way."""
        if not failure.skill or not failure.robot or not self.still_holds(failure):
            return None
        if self.times(goal, failure) <= self.limits.tries:
            return None
        skill = self.domain.skills.find(failure.skill)
        kinds = ("pose", "table") if skill is not None and len(skill.params) > 1 else ()
        names = [p.name for p in skill.params if p.kind not in kinds] if skill is not None else []
        rule = self.against(failure, ("robot", *names))
        self.rules[rule.name] = rule
        return rule

    def against(self, failure: Failure, names: Iterable[str]) -> Rule:
        """A rule against doing again what failed, as far as these parameters are the same."""
        skill = self.domain.skills.find(failure.skill)
        bound = (skill.bind(failure.robot, failure.args) if skill is not None else None) or {}
        chosen = [n for n in names if n in bound]
        same = all_of(*(eq(f"?{name}", bound[name]) for name in chosen))
        words = f"experience speaks against {failure.skill} by {failure.robot}."
        title = f"not {failure.skill}({', '.join(str(bound[n]) for n in chosen)})"
        return Rule(title, failure.skill, Clause(no(same), words, name="experience"))

    # -- for policies ---------------------------------------------------------------------------------------------
    def still_holds(self, failure: Failure) -> bool:
        """True if all that a failed step needs is still taken for true."""
        action = Action(failure.skill, failure.args)
        return self.mission.now_like().flaw(failure.robot, action, self.rules.values()) is None

    def plan(
        self,
        goal: Goal,
        after: Answer | None = None,
        rules: Sequence[Rule] = (),
        supposing: Mapping[tuple[Any, ...], Any] | None = None,
    ) -> Answer:
        start = self.mission.now_like()
        start.suppose(supposing or {})
        for step in after.steps if after is not None else ():
            start.do(*step)
        return self.mission.plan_from(start, goal, (*self.rules.values(), *rules, *self._spared))

    def plan_for(self, goal: list[Expr]) -> Answer:
        return self.mission.plan_from(self.mission.now_like(), goal, (*self.rules.values(), *self._spared))

    def asks(self, offer: Alternative) -> set[str]:
        """The people whom a way out asks for something."""
        asked = {str(offer.request["person"])} if offer.request is not None else set()
        return asked | {a for s in offer.steps for a in s.action.args if a in self.domain.people()}

    def _sparing(self, people: Iterable[str]) -> tuple[Rule, ...]:
        """Rules against steps that need these people."""
        found = []
        for person in sorted(people):
            for skill in (s for _, s in self.domain.skills.items()):
                for param in (p for p in skill.params if p.kind == "person"):
                    words = f"the {self.domain.label(person)} is not to be asked."
                    clause = Clause(ne(f"?{param.name}", person), words, name="not_asked")
                    found.append(Rule(f"{skill.name} without {person}", skill.name, clause))
        return tuple(found)

    def opposite_words(self, failure: Failure) -> str:
        assert failure.cause is not None and failure.cause.fact is not None
        pred, args, value = failure.cause.fact
        return self.domain.fact_words(pred, args, not value)

    def another_way(self, goal: Goal, plan: Answer) -> str:
        """The novelty of a plan: whom it asks, who else helps, or where what was missing comes from."""
        people, failures = self.domain.people(), self.of(goal).failures
        asks = [s for s in plan.steps if any(a in people for a in s.action.args)]
        missed = about(failures[-1].cause)[1][:1] if failures else ()
        new = asks or [s for s in plan.steps if s.robot not in self.mission.scope_of(goal)][-1:]
        new = new or [s for s in plan.steps if set(missed) & set(s.action.args)][:1]
        details = " and ".join(dict.fromkeys(self.domain.step_words(s.robot, s.action) for s in new[:2]))
        return f"reach the goal in another way{': ' + details if details else ''}"

    def within(self, goal: Goal, plan: Answer) -> bool:
        """True if a plan uses only robots and people that the goal's plans may use without asking."""
        return scope(plan.steps, self.domain.people()) <= self.mission.scope_of(goal)

    def helper(self, goal: Goal, first: str = "") -> str | None:
        left = self.of(goal).left
        found = sorted(self.mission.helpers(goal), key=lambda p: p != first)
        return next((p for p in found if p not in left), None)

    def causes(self, goal: Goal, failure: Failure) -> list[Cause]:
        """Of this failure and those before it that were not mended, the last first."""
        found = [f.cause for f in reversed(self.of(goal).failures) if f.cause is not None]
        return list(dict.fromkeys(c for c in ([failure.cause] if failure.cause else []) + found))

    def short(self, goal: Goal) -> list[tuple[tuple[str, tuple[Any, ...]], int, int]]:
        """Amounts that a goal asks for and that are not there: of what, how many there are, how many are wanted."""
        look, found = self.mission.now_like().look, []
        for part in goal.missing(look):
            if isinstance(part, Compare) and part.op == ">=" and isinstance(part.left, Fluent):
                known = look(part.left.pred, *part.left.args)
                key = (part.left.pred, part.left.args)
                found.append((key, known if isinstance(known, int) else 0, int(part.right)))
        return found

    # -- alternatives ---------------------------------------------------------------------------------------------
    def alternatives(self, goal: Goal, failure: Failure) -> list[Alternative]:
        """All ways out, the best first: what is likelier to work, then what is faster. Equal plans count once. None
        asks those whom nobody is to ask about it. Once what should have helped and a last plan have failed, only what
        was not tried is left."""
        mine = self.of(goal)
        tried = {name for name, _ in mine.used} if mine.last_try else set()
        self._spared = self._sparing(mine.left)
        try:
            found = self._alternatives(goal, failure)
        finally:
            spared, self._spared = self._spared, ()
        return [replace(a, rules=(*a.rules, *spared)) for a in found if a.policy not in tried]

    def _alternatives(self, goal: Goal, failure: Failure) -> list[Alternative]:
        mark = signature(failure)
        found: list[Alternative] = []
        plans: set[tuple[Any, ...]] = set()
        for policy in self.policies.applicable(goal, failure):
            if self.of(goal).used.get((policy.name, mark), 0) >= policy.limit or policy.name in self.of(goal).refused:
                continue
            if policy.last and found:
                continue
            for made in policy.make(self, goal, failure):
                key = (made.steps, made.request is not None)
                if key in plans:
                    continue
                plans.add(key)
                approval = policy.approval and bool(made.steps or made.request)  # nothing is to be done: it is so
                found.append(self._assessed(replace(made, policy=policy.name, approval=approval)))
            if found and not policy.approval:
                return found  # nobody has to be asked
        return sorted(found, key=lambda a: (-round(a.chance, 2), a.seconds))

    def _assessed(self, made: Alternative) -> Alternative:
        guess = self.mission.assess([a for a in (made.first, made.then) if a is not None])
        first = self.mission.assess([made.first]).duration_s if made.first is not None else 0.0
        waits = 60.0 if made.request is not None else 0.0
        return replace(
            made,
            chance=guess.chance * (0.5 if made.request is not None else 1.0),
            seconds=guess.duration_s + waits,
            first_s=first,
            low_s=guess.low_s,
            high_s=guess.high_s + 2 * waits,
        )

    def choose(self, goal: Goal, chosen: Alternative) -> None:
        mine = self.of(goal)
        mine.chosen = chosen
        key = (chosen.policy, signature(mine.failures[-1]))
        mine.used[key] = mine.used.get(key, 0) + 1
        mine.rules = (*mine.rules, *chosen.rules)

    def policy(self, name: str) -> Policy | None:
        return next((p for p in self.policies if p.name == name), None)
