"""Engines by name: our own, ENHSP, and any that `unified_planning` knows. Every plan is judged first."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from coterie.core.registry import Registry
from coterie.planning import own
from coterie.planning.answer import Answer, Limits
from coterie.planning.needs import load
from coterie.planning.problem import Planning
from coterie.planning.question import Question, Step

Engine = Callable[[Question, Limits], Answer]
engines: Registry[Engine] = Registry("planning engine")
engines.put(own.NAME, own.solve)


def answer(question: Question, engine: str = own.NAME, limits: Limits | None = None) -> Answer:
    """Ask an engine in this process. For a limit that holds whatever the engine does, use a `Planner`."""
    begun = time.perf_counter()
    made = engines.get(engine)(question, limits or Limits())
    if made.found:
        wrong = flaw(question, made.steps)
        if wrong is not None:
            made = Answer("broken", engine=engine, said=f"The plan of {engine} does not hold: {wrong}")
    return replace(made, wall_s=time.perf_counter() - begun)


def flaw(question: Question, steps: tuple[Step, ...]) -> str | None:
    """What `unified_planning` finds wrong with a plan; None if it is valid."""
    made = Planning.of(question)
    plan = made.plan(steps)
    validator = load("unified_planning.engines.plan_validator").SequentialPlanValidator()
    found = validator.validate(made.problem, plan)
    return None if bool(found) else "; ".join(m.message for m in found.log_messages or ()) or "it is not valid"
