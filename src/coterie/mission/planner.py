"""Plans for goals: a question is made of skills and of what is known at this moment, and an engine answers it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from coterie.core.expr import Expr, Lookup
from coterie.core.skill import Rule
from coterie.mission.domain import Domain
from coterie.planning.answer import Answer, Limits, Use
from coterie.planning.question import Question

Engine = Callable[[Question, Limits], Answer]


def solve(question: Question, limits: Limits) -> Answer:
    from coterie.planning.ground import ground
    from coterie.planning.relaxed import Relaxed
    from coterie.planning.search import Budget
    from coterie.planning.serial import in_turns, tidied
    from coterie.planning.task import Task, reads_of

    made = ground(question)
    if any(g is None for g in made.goal):
        return Answer("none")
    task = Task(made)
    found = in_turns(task, Relaxed(task), Budget(limits.states))
    if found.plan is None:
        return Answer("none" if found.exhausted else "limit")
    plan = tidied(task, found.plan, [x for g in task.goals for x in g])
    uses, state = [], task.start
    for a in plan:
        action = task.actions[a]
        reads = frozenset(reads_of(task, a, task.truth(state)))
        writes = frozenset([*(k for k, _ in action.sets), *(c.key for c in action.changes)])
        uses.append(Use(reads, writes))
        state = task.after(state, a)
    return Answer("plan", tuple(task.step(a) for a in plan), uses=tuple(uses))


class Planner:
    """Counts how often it was asked. The limits are of states, so that a run repeats on any machine."""

    def __init__(self, domain: Domain, engine: Engine = solve, limits: Limits | None = None):
        self.domain, self.engine, self.limits = domain, engine, limits or Limits()
        self.asked = 0

    def plan(
        self, look: Lookup, able: Mapping[str, Collection[str]], goal: Iterable[Expr], rules: Iterable[Rule] = ()
    ) -> Answer:
        """A plan from the moment that `look` sees; `able` says which robot has which skills."""
        self.asked += 1
        objects = {**self.domain.objects(), **dict.fromkeys(able, "robot")}
        question = Question.ask(self.domain.skills, look, objects, able, goal, rules)
        return self.engine(question, self.limits)
