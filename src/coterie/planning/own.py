"""Coterie's own engine: grounds a question, looks for a plan part by part, and says why where there is none."""

from __future__ import annotations

import time

from coterie.planning.answer import Answer, Limits, Proof, Use, Why
from coterie.planning.explain import explain
from coterie.planning.ground import Ground, ground
from coterie.planning.order import partial_order
from coterie.planning.question import Question
from coterie.planning.relaxed import Relaxed
from coterie.planning.search import Budget
from coterie.planning.serial import in_turns, reachable, tidied
from coterie.planning.task import Task, reads_of

NAME = "own"


def solve(question: Question, limits: Limits | None = None) -> Answer:
    """An answer to a question. What it finds depends on the number of states alone, not on the clock."""
    limits = limits or Limits()
    begun = time.monotonic()
    made = ground(question)
    if any(part is None for part in made.goal):
        return none(question, made, "unreachable")
    task = Task(made)
    relaxed = Relaxed(task)
    goal = [t for part in task.goals for t in part]
    if not reachable(relaxed, task.start, goal):
        return none(question, made, "unreachable")
    budget = Budget(limits.states, begun + limits.wall_s)
    found = in_turns(task, relaxed, budget)
    effort = {"actions": len(task.actions), "states": found.states}
    if found.plan is None:
        if found.exhausted:
            return none(question, made, "exhausted", effort)
        said = f"No plan was found in {limits.wall_s:g} s." if found.timed_out else (
            f"No plan was found among {limits.states} states."
        )  # fmt: skip
        return Answer("limit", engine=NAME, said=said, effort=effort)
    return planned(task, tidied(task, found.plan, goal), effort)


def planned(task: Task, plan: list[int], effort: dict[str, int]) -> Answer:
    """A plan as an answer, with what each step uses and what has to be over before it."""
    uses: list[Use] = []
    state = task.start
    for action in plan:
        made = task.actions[action]
        writes = {*(k for k, _ in made.sets), *(c.key for c in made.changes)}
        uses.append(Use(frozenset(reads_of(task, action, task.truth(state))), frozenset(writes)))
        state = task.after(state, action)
    steps = tuple(task.step(a) for a in plan)
    return Answer("plan", steps, partial_order(steps, uses), tuple(uses), engine=NAME, effort=effort)


def none(question: Question, made: Ground, proof: Proof, effort: dict[str, int] | None = None) -> Answer:
    why = explain(made.reach, proof) if proof == "unreachable" else Why(proof)
    return Answer("none", why=why, engine=NAME, effort=effort or {})
