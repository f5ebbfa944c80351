"""Engines by name: our own, ENHSP, and any that `unified_planning` knows (`up:NAME`). Every plan is judged first."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from coterie.core.registry import Registry
from coterie.planning import own
from coterie.planning.answer import Answer, Limits
from coterie.planning.moment import uses_of
from coterie.planning.order import partial_order
from coterie.planning.question import Question, Step
from coterie.planning.unified import foreign
from coterie.planning.unified.names import load
from coterie.planning.unified.problem import Planning

Engine = Callable[[Question, Limits], Answer]
OTHER = "up:"  # before the name of an engine of unified_planning
engines: Registry[Engine] = Registry("planning engine")
engines.put(own.NAME, own.solve)
engines.put(foreign.ENHSP, foreign.enhsp)


def answer(question: Question, engine: str = own.NAME, limits: Limits | None = None, judged: bool = True) -> Answer:
    """Ask an engine in this process. For a limit that holds whatever the engine does, use a `Planner`."""
    begun, limits = time.perf_counter(), limits or Limits()
    if engine.startswith(OTHER):
        made = foreign.solve_with(engine.removeprefix(OTHER), question, limits)
    else:
        made = engines.get(engine)(question, limits)
    if made.found:
        wrong = flaw(question, made.steps) if judged else None
        if wrong is not None:
            made = Answer("broken", engine=engine, said=f"The plan of {engine} does not hold: {wrong}")
        elif not made.uses:
            uses = uses_of(question, made.steps)
            made = replace(made, uses=uses, after=partial_order(made.steps, uses, lambda key: question.value(*key)))
    return replace(made, wall_s=time.perf_counter() - begun)


def flaw(question: Question, steps: tuple[Step, ...]) -> str | None:
    """The objection of `unified_planning` to a plan; None if it is valid."""
    made = Planning(question)
    plan = made.plan(steps)
    validator = load("unified_planning.engines.plan_validator").SequentialPlanValidator()
    found = validator.validate(made.problem, plan)
    return None if bool(found) else "; ".join(m.message for m in found.log_messages or ()) or "it is not valid"
