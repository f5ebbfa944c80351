"""Ways out of a failure, as a database: which policy applies to which goal, skill, reason and moment.

A policy makes alternatives; each is a plan, or a request to a person. Those that need no approval are what anybody
would do without a word, such as trying once more; all others wait for a yes.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Protocol

from coterie.core.action import Cause
from coterie.core.expr import Expr, fl, no
from coterie.core.facts import UNKNOWN
from coterie.core.fluents import BOOL
from coterie.core.skill import Rule
from coterie.core.skills import Skills
from coterie.mission.domain import Domain
from coterie.mission.goals import Failure, Goal
from coterie.planning.answer import Answer
from coterie.planning.question import Step

# -- failures as data -------------------------------------------------------------------------------------------------
# A failure as data: at which moment, and the condition that did not hold. Words and goals are made from it.
# Moments: PLAN (no plan), PRECONDITION (a condition is known not to hold before a step), EXECUTION (the robot could
# not do it), EFFECT (it said it had, and that is not what was seen).
ONLINE = "online"  # of robots
LUCK = "luck"  # what nothing explains


def justification(cause: Cause | None) -> str:
    """The state that made a step fail: `not objectAt(bandagebox, tableE)`, `jammed(door)`, `holding(Fetch) = None`."""
    if cause is None:
        return ""
    if cause.fact is None:
        return cause.clause
    pred, args, value = cause.fact
    fluent = f"{pred}({', '.join(str(a) for a in args)})"
    if value is True or value is False:
        return fluent if value else f"not {fluent}"
    return f"{fluent} = {'?' if value is UNKNOWN else value}"


def opposite(cause: Cause | None, skills: Skills) -> Expr | None:
    """The failed condition as a goal; None where it is nothing that could be brought about."""
    if cause is None or cause.fact is None:
        return None
    pred, args, value = cause.fact
    declared = (skills.fluents or {}).get(pred)
    if declared is None or declared.value != BOOL or not isinstance(value, bool):
        return None
    return planned(no(fl(pred, *args)) if value else fl(pred, *args), skills)


def planned(expr: Expr, skills: Skills) -> Expr | None:
    """A condition on named things as planners can say it."""
    from coterie.core.skill import Skill
    from coterie.planning.operators import _Reader

    return _Reader(Skill("goal", ()), skills).condition(expr)


def signature(failure: Failure) -> tuple[Any, ...]:
    """Failures with the same one are the same trouble again."""
    fact = failure.cause.fact if failure.cause is not None else None
    about = fact[:2] if fact is not None else (failure.cause.clause if failure.cause is not None else "",)
    return (failure.stage, failure.skill, about, *_thing(failure))


def _thing(failure: Failure) -> tuple[Any, ...]:
    """The thing in a robot's hand, where the condition speaks of the robot alone: a glove that slips is not the trouble
    that there was with the box before."""
    fact = failure.cause.fact if failure.cause is not None else None
    if fact is None or fact[0] == ONLINE or failure.robot not in fact[1] or set(fact[1]) & set(failure.args):
        return ()
    return tuple(failure.args[:1])


def about(cause: Cause | None) -> tuple[str, tuple[str, ...]]:
    """The predicate and its arguments."""
    if cause is None or cause.fact is None:
        return (cause.clause if cause is not None else "", ())
    return cause.fact[0], tuple(str(a) for a in cause.fact[1])


MOST_ASKED = 3  # of a thing, of one person


@dataclass(frozen=True)
class Alternative:
    """A way out: what would be done, how likely it is to work, and how long it takes until the goal is reached."""

    policy: str
    words: str
    first: Answer | None = None  # the plan that mends, where the goal itself is planned anew after it
    then: Answer | None = None  # the plan for the goal
    want: Expr | None = None  # what `first` brings about
    rules: tuple[Rule, ...] = ()  # what the goal is planned with from now on
    request: Mapping[str, Any] | None = None  # what a person is asked to do
    approval: bool = True
    chance: float = 0.0
    seconds: float = 0.0
    first_s: float = 0.0  # of `first` alone
    low_s: float = 0.0
    high_s: float = 0.0

    @property
    def steps(self) -> tuple[Step, ...]:
        return tuple(s for a in (self.first, self.then) if a is not None for s in a.steps)


class Finder(Protocol):
    """The queries open to a policy: plans from now on, and what is known of the trouble."""

    @property
    def domain(self) -> Domain: ...
    def still_holds(self, failure: Failure) -> bool: ...
    def short(self, goal: Goal) -> list[tuple[tuple[str, tuple[Any, ...]], int, int]]: ...
    def plan(
        self,
        goal: Goal,
        after: Answer | None = None,
        rules: Sequence[Rule] = (),
        supposing: Mapping[tuple[Any, ...], Any] | None = None,
    ) -> Answer: ...
    def plan_for(self, goal: list[Expr]) -> Answer: ...
    def within(self, goal: Goal, plan: Answer) -> bool: ...
    def against(self, failure: Failure, names: Iterable[str]) -> Rule: ...
    def causes(self, goal: Goal, failure: Failure) -> list[Cause]: ...
    def helper(self, goal: Goal, first: str = "") -> str | None: ...
    def opposite_words(self, failure: Failure) -> str: ...
    def another_way(self, goal: Goal, plan: Answer) -> str: ...


Make = Callable[[Finder, Goal, Failure], Iterator[Alternative]]


@dataclass(frozen=True)
class Policy:
    """Its constraints: patterns of goal names, skills, predicates of the reason, moments; none named: any."""

    name: str
    about: str
    make: Make = field(repr=False)
    goals: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    preds: tuple[str, ...] = ()  # what a failure must turn on
    stages: tuple[str, ...] = ()
    limit: int = 3  # times for the same trouble
    approval: bool = True
    last: bool = False  # only where no other policy has a way out

    def applies(self, goal: Goal, failure: Failure) -> bool:
        pred = about(failure.cause)[0]
        return (
            (not self.goals or any(fnmatch.fnmatchcase(goal.name or goal.id, g) for g in self.goals))
            and (not self.skills or failure.skill in self.skills)
            and (not self.preds or pred in self.preds)
            and (not self.stages or failure.stage in self.stages)
        )


class Policies:
    """In the order in which they are asked."""

    def __init__(self, policies: Iterable[Policy] | None = None):
        self._policies = {p.name: p for p in (BUILT_IN if policies is None else policies)}

    def put(self, policy: Policy, first: bool = False) -> None:
        rest = {n: p for n, p in self._policies.items() if n != policy.name}
        self._policies = {policy.name: policy, **rest} if first else {**rest, policy.name: policy}

    def remove(self, name: str) -> None:
        self._policies.pop(name, None)

    def __iter__(self) -> Iterator[Policy]:
        return iter(self._policies.values())

    def applicable(self, goal: Goal, failure: Failure) -> list[Policy]:
        return [p for p in self if p.applies(goal, failure)]


# -- those that come with it ------------------------------------------------------------------------------------------
def retry(recovery: Finder, goal: Goal, failure: Failure) -> Iterator[Alternative]:
    """Once more, where the same conditions still hold: it may just have been bad luck. By those who are at it: another
    robot is another way."""
    if not failure.skill or about(failure.cause)[0] == ONLINE or not recovery.still_holds(failure):
        return
    plan = recovery.plan(goal)
    if plan.found and recovery.within(goal, plan):
        yield Alternative("retry", "try once more", then=plan)


def make_true(recovery: Finder, goal: Goal, failure: Failure) -> Iterator[Alternative]:
    """Turn the reason into its opposite as a goal of its own, and plan the goal anew after it."""
    want = opposite(failure.cause, recovery.domain.skills)
    if want is None:
        return
    first = recovery.plan_for([want])
    if first.found and first.steps:
        then = recovery.plan(goal, after=first)
        if then.found:
            words = recovery.opposite_words(failure)
            yield Alternative("make true", f"see to it that {words}, then go on", first, then, want)


def replan(recovery: Finder, goal: Goal, failure: Failure) -> Iterator[Alternative]:
    """Another way to the goal from here: a thing from elsewhere or from a person, another robot, another door."""
    plan = recovery.plan(goal)
    if plan.found:
        yield Alternative("another way", recovery.another_way(goal, plan), then=plan)


def another_robot(recovery: Finder, goal: Goal, failure: Failure) -> Iterator[Alternative]:
    """Without the robot that failed, in what it failed in."""
    if failure.robot and failure.skill and recovery.still_holds(failure):
        rule = recovery.against(failure, ("robot",))
        plan = recovery.plan(goal, rules=(rule,))
        if plan.found:
            yield Alternative("another robot", f"do it without {failure.robot}", then=plan, rules=(rule,))


def another_pose(recovery: Finder, goal: Goal, failure: Failure) -> Iterator[Alternative]:
    """From another pose, or by another way than the one on which it failed."""
    skill = recovery.domain.skills.find(failure.skill)
    names = [p.name for p in skill.params if p.kind == "pose"] if skill is not None else []
    if names and failure.robot and recovery.still_holds(failure):
        rule = recovery.against(failure, ("robot", names[-1]))
        plan = recovery.plan(goal, rules=(rule,))
        if plan.found:
            yield Alternative("another pose", "do it from another place", then=plan, rules=(rule,))


@dataclass(frozen=True)
class Favour:
    """A favour that a person could do: in words, the fact it is about, the facts afterwards, and as data."""

    words: str
    fact: tuple[str, tuple[Any, ...], Any]
    facts: tuple[tuple[tuple[Any, ...], Any], ...]
    data: Mapping[str, Any]


def favour(domain: Domain, cause: Cause, count: int = 1) -> Favour | None:
    """To turn a condition into its opposite; None where people cannot help with that."""
    if cause.fact is None or not isinstance(cause.fact[2], bool):
        return None
    pred, args, value = cause.fact
    found = domain.request(pred, args, not value, count)
    facts = tuple(domain.told_fact(pred, args, not value, count)) if found is not None else ()
    return None if found is None else Favour(found[0], (pred, tuple(args), not value), facts, found[1])


def more(domain: Domain, key: tuple[str, tuple[Any, ...]], there: int, wanted: int) -> Favour | None:
    """To put as many more of a thing somewhere as are wanted; None where people cannot."""
    found = domain.request(*key, wanted, wanted - there)
    return None if found is None else Favour(found[0], (*key, wanted), (((key[0], *key[1]), wanted),), found[1])


def ask_person(recovery: Finder, goal: Goal, failure: Failure, first: str = "") -> Iterator[Alternative]:
    """Ask a person for help with what no robot can do, this one `first`: with what failed, with that without which
    there is no plan, or with several such things at once."""
    helper = recovery.helper(goal, first)
    if helper is None:
        return
    causes = recovery.causes(goal, failure)
    for chosen, then in chain(_single(recovery, goal, causes), _missed(recovery, goal, causes), _short(recovery, goal)):
        words = " and ".join(f.words for f in chosen)
        changes = [f.data["change"] for f in chosen if "change" in f.data]
        data = dict(chosen[0].data) if len(chosen) == 1 else {"changes": changes}
        pred, args, value = chosen[0].fact
        rows = [[list(key), new] for f in chosen for key, new in f.facts]
        request = {"person": helper, "words": words, "fact": [pred, list(args), value], "facts": rows, **data}
        title = f"ask the {recovery.domain.label(helper)} to {words}"
        yield Alternative("ask", title, then=then, request=request)
        return


def _needed(plan: Answer) -> list[Cause]:
    """Causes that no robot can bring about, and what depends on them: the last first."""
    return [] if plan.why is None else [u.cause for u in reversed((*plan.why.chain, *plan.why.others))]


def _single(recovery: Finder, goal: Goal, causes: Iterable[Cause]) -> Iterator[tuple[list[Favour], Answer]]:
    for cause in dict.fromkeys(causes):
        counted = cause.fact is not None and recovery.domain.counted(cause.fact[0])
        for count in range(1, MOST_ASKED + 1 if counted else 2):
            made = favour(recovery.domain, cause, count)
            then = recovery.plan(goal, supposing=dict(made.facts)) if made is not None else None
            if made is not None and then is not None and then.found:
                yield [made], then
                return


def _short(recovery: Finder, goal: Goal) -> Iterator[tuple[list[Favour], Answer]]:
    """The things of which the goal itself asks for more than there are."""
    made = [more(recovery.domain, key, there, wanted) for key, there, wanted in recovery.short(goal)]
    chosen = [f for f in made if f is not None]
    then = recovery.plan(goal, supposing={k: v for f in chosen for k, v in f.facts}) if chosen else None
    if then is not None and then.found:
        yield chosen, then


def _missed(recovery: Finder, goal: Goal, causes: list[Cause]) -> Iterator[tuple[list[Favour], Answer]]:
    """Favours that the planner misses; if need be several, each of them missed when those before it are done."""
    plan = recovery.plan(goal)
    yield from _single(recovery, goal, _needed(plan))
    chosen: dict[Cause, Favour] = {}
    for _ in range(MOST_ASKED):
        open_ = (c for c in (*_needed(plan), *causes) if c not in chosen)
        more = next(((c, made) for c in open_ if (made := favour(recovery.domain, c)) is not None), None)
        if more is None:
            return
        chosen[more[0]] = more[1]
        plan = recovery.plan(goal, supposing={k: v for f in chosen.values() for k, v in f.facts})
        if plan.found:
            yield list(chosen.values()), plan
            return


BUILT_IN = (
    Policy("retry", "try once more what may have been bad luck", retry, stages=("EXECUTION", "EFFECT"), limit=2,
           approval=False),
    Policy("make true", "bring about the condition that failed, then go on", make_true),
    Policy("another way", "plan the goal anew with what is known now", replan),
    Policy("another robot", "let another robot do it", another_robot, stages=("PRECONDITION", "EXECUTION", "EFFECT")),
    Policy("another pose", "do it from elsewhere", another_pose, stages=("PRECONDITION", "EXECUTION", "EFFECT")),
    Policy("ask", "ask a person for help with what no robot can do", ask_person, last=True),
)  # fmt: skip
