"""Coterie's own engine: grounds a question, looks for a plan part by part, and says why where there is none."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from coterie.core.seeds import rng_of
from coterie.planning.answer import Answer, Limits, Why
from coterie.planning.moment import uses_of
from coterie.planning.order import partial_order
from coterie.planning.own.explain import explain, shortage, unmet
from coterie.planning.own.ground import ground
from coterie.planning.own.relaxed import Relaxed
from coterie.planning.own.search import Budget, Timer, search
from coterie.planning.own.serial import Share, by_load, improved, in_turns, reachable, subjects, tidied
from coterie.planning.own.task import Task
from coterie.planning.own.team import FEW, narrowed
from coterie.planning.question import Question

NAME = "own"
#: Ways to share work, in the order in which they are tried: how much the work that a robot has already counts against
#: giving it more, and how much the seconds of an action count against its being one more.
SHARES = (Share(10.0, 1.0), Share(10.0, 0.0), Share(3.0, 1.0), Share(1.0, 1.0), Share(3.0, 4.0), Share(30.0, 1.0))


def solve(question: Question, limits: Limits | None = None) -> Answer:
    """An answer to a question. What it finds depends on the number of states alone, not on the clock."""
    limits = limits or Limits()
    found = narrowed(question, limits, _solve) if len(question.able) > FEW else None
    return _solve(question, limits) if found is None else replace(found, engine=NAME)


def _solve(question: Question, limits: Limits) -> Answer:
    begun = time.monotonic()
    made = ground(question)
    if any(part is None for part in made.goal):
        return none(explain(made.reach))
    task = Task(made)
    relaxed = Relaxed(task)
    goal = [t for part in task.goals for t in part]
    if not reachable(relaxed, task.start, goal):
        return none(explain(made.reach))
    short = shortage(task)
    if short is not None:
        return none(short)
    budget = Budget(limits.states, begun + limits.wall_s)
    timer = Timer(task, [question.seconds(task.step(a)) for a in range(len(task.actions))])
    plan = quickest(task, relaxed, timer, goal, limits.tries, budget)
    found = in_turns(task, relaxed.careful(), budget) if plan is None else None
    effort: dict[str, int] = {"actions": len(task.actions), "states": budget.used}
    if found is not None and found.plan is not None:
        plan = tidied(task, found.plan, goal, budget)
    if plan is not None:
        plan = improved(task, relaxed, plan, goal, timer, Budget(limits.polish, budget.until))
        return planned(task, plan, effort)
    assert found is not None
    if found.exhausted:
        return none(tried(task, relaxed, budget), effort)
    late = budget.used <= limits.states
    said = f"No plan was found in {limits.wall_s:g} s." if late else f"No plan was found among {limits.states} states."
    return Answer("limit", engine=NAME, said=said, effort={**effort, "late": late})


def quickest(
    task: Task, relaxed: Relaxed, timer: Timer, goal: Sequence[int], tries: int, budget: Budget
) -> list[int] | None:
    """The plan that is over first of those that give work to whoever is free; one try where nothing is to be shared.
    What found nothing once is tried more carefully."""
    best: list[int] | None = None
    groups = subjects(task)
    for i in range(tries if len(groups) > 1 else max(1, tries - 1)):
        if i >= len(SHARES):
            groups = rng_of("turns", i).sample(groups, len(groups))
        found = by_load(task, relaxed, timer, SHARES[i % len(SHARES)], groups, budget)
        plan = tidied(task, found.plan, goal, budget) if found.plan is not None else None
        if plan is None and best is None:
            relaxed = relaxed.careful()
        if plan is not None and (best is None or timer.price(plan) < timer.price(best)):
            best = plan
    return best


def none(why: Why, effort: dict[str, int] | None = None) -> Answer:
    return Answer("none", why=why, engine=NAME, effort=effort or {})


def tried(task: Task, relaxed: Relaxed, budget: Budget) -> Why:
    """The explanation where every state was visited: the part of the goal that cannot be reached by itself."""
    for part, expr in zip(task.goals, task.ground.reach.goal):
        if search(task, relaxed, task.start, part, Budget(budget.states, budget.until)).exhausted:
            return Why("exhausted", unmet(task.ground.reach, expr))
    return Why("exhausted")


def planned(task: Task, plan: list[int], effort: dict[str, int]) -> Answer:
    """A plan as an answer, with what each step uses and what has to be over before it."""
    steps, question = tuple(task.step(a) for a in plan), task.ground.question
    uses = uses_of(question, steps)
    after = partial_order(steps, uses, lambda key: question.value(*key))
    return Answer("plan", steps, after, uses, engine=NAME, effort=effort)
