"""Coterie's own engine: grounds a question, looks for a plan part by part, and says why where there is none."""

from __future__ import annotations

import time

from coterie.planning.answer import Answer, Limits, Why
from coterie.planning.counting import shortage
from coterie.planning.explain import explain, unmet
from coterie.planning.ground import ground
from coterie.planning.moment import uses_of
from coterie.planning.order import partial_order
from coterie.planning.question import Question
from coterie.planning.relaxed import Relaxed
from coterie.planning.search import Budget, search
from coterie.planning.serial import in_turns, reachable, tidied
from coterie.planning.task import Task

NAME = "own"


def solve(question: Question, limits: Limits | None = None) -> Answer:
    """An answer to a question. What it finds depends on the number of states alone, not on the clock."""
    limits = limits or Limits()
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
    found = in_turns(task, relaxed, budget)
    effort = {"actions": len(task.actions), "states": found.states}
    if found.plan is not None:
        return planned(task, tidied(task, found.plan, goal), effort)
    if found.exhausted:
        return none(tried(task, relaxed, budget), effort)
    late = budget.used <= limits.states
    said = f"No plan was found in {limits.wall_s:g} s." if late else f"No plan was found among {limits.states} states."
    return Answer("limit", engine=NAME, said=said, effort={**effort, "late": late})


def none(why: Why, effort: dict[str, int] | None = None) -> Answer:
    return Answer("none", why=why, engine=NAME, effort=effort or {})


def tried(task: Task, relaxed: Relaxed, budget: Budget) -> Why:
    """What can be said where every state was visited: which part of the goal cannot be reached by itself."""
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
