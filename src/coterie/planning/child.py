"""The other end of a `Planner`: a process that answers one question after another until nobody asks any more.

Only the process that started this one holds the other end of the pipe. When that closes, and when an engine runs past
its limit while nobody looks, the process ends with everything it started.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import Any

from coterie.core.registry import Registry
from coterie.planning import own
from coterie.planning.answer import Answer, Limits
from coterie.planning.moment import uses_of
from coterie.planning.order import partial_order
from coterie.planning.question import Question, Step
from coterie.planning.unified import foreign
from coterie.planning.unified.names import load
from coterie.planning.unified.problem import Planning

GRACE_S = 5.0  # beyond the limit, before the process ends itself
JUDGES = "judges"  # as an argument: plans will be judged by `unified_planning`, which takes a second to load


def _end() -> None:
    """This process and all that it started: it leads a group of its own."""
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(1)


def _listen(pipe: Connection, asked: queue.Queue[bytes]) -> None:
    try:
        while True:
            asked.put(pipe.recv_bytes())
    except (EOFError, OSError):
        _end()


def _respond(ask: Callable[..., Any], what: bytes) -> Any:
    from coterie.core.errors import CoterieError
    from coterie.planning.answer import Answer

    try:
        question, engine, limits, judged = pickle.loads(what)
    except Exception as error:  # noqa: BLE001 - it may name anything that is not there
        return CoterieError(
            f"A planning question could not be read in the process of its engine: {type(error).__name__}: {error}. "
            "What it holds of yours, like how long steps take (`lasts`), has to be in a module that can be imported."
        )
    timer = threading.Timer(limits.wall_s + GRACE_S, _end)
    timer.daemon = True
    timer.start()
    try:
        return ask(question, engine, limits, judged)
    except CoterieError as error:
        return error
    except Exception as error:  # noqa: BLE001 - whatever an engine throws is told to the one who asked
        return Answer("broken", engine=engine, said=f"The engine {engine} broke: {type(error).__name__}: {error}")
    finally:
        timer.cancel()


def main() -> None:
    pipe = Connection(int(sys.argv[1]))
    asked: queue.Queue[bytes] = queue.Queue()
    threading.Thread(target=_listen, args=(pipe, asked), daemon=True).start()
    from coterie.planning.child import answer
    from coterie.planning.unified.names import ready

    if JUDGES in sys.argv:
        ready()  # before the first question, if that is not there yet
    while True:
        pipe.send(_respond(answer, asked.get()))


if __name__ == "__main__":
    main()


# -- engines by name --------------------------------------------------------------------------------------------------
# Engines by name: our own, ENHSP, and any that `unified_planning` knows (`up:NAME`). Every plan is judged first.
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
