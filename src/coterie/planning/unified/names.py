"""Names, types and objects of a question for `unified_planning`, where neither case nor odd signs tell names apart."""

from __future__ import annotations

import importlib
import re
import sys
from fractions import Fraction
from types import ModuleType
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.lazy import need
from coterie.planning.forms import walk
from coterie.planning.question import Question

SMALLEST = 10**6  # numbers are taken as fractions with denominators up to this


def number(up: Any, value: Any) -> Any:
    return up.Int(value) if isinstance(value, int) else up.Real(Fraction(value).limit_denominator(SMALLEST))


class Names:
    def __init__(self, up: Any, question: Question):
        self.up, self.question = up, question
        self._taken: set[str] = set()
        self._types: dict[str, Any] = {}
        self.objects = {n: up.Object(self.free(n), self.type(kind)) for n, kind in question.objects.items()}

    def free(self, wanted: str) -> str:
        """A name that nothing else has."""
        name = re.sub(r"\W", "_", wanted).lower()
        name = name if name[:1].isalpha() else f"n{name}"
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name

    def type(self, kind: str) -> Any:
        if kind not in self._types:
            parent = self.question.parents.get(kind, "")
            father = self.type(parent) if parent else None
            self._types[kind] = self.up.UserType(self.free(kind), father)
        return self._types[kind]

    def depth(self, kind: str) -> int:
        """How special a kind is."""
        parent = self.question.parents.get(kind, "")
        return 1 + self.depth(parent) if parent else 0

    def broken(self, pred: str) -> bool:
        """Whether a number can be other than whole: now, or by what is added to it."""
        question = self.question
        values = [v for k, v in question.facts.items() if k[0] == pred] + [question.fluents[pred].initial or 0]
        values += [e.value for op in question.operators.values() for e in op.then if e.fluent.pred == pred]
        return any(isinstance(part, float) for value in values for part in walk(value))


def shortcuts() -> Any:
    """`unified_planning.shortcuts`, or the sentence that says how to get it."""
    return load("unified_planning.shortcuts")


def load(name: str) -> Any:
    light = "unified_planning.engines" not in sys.modules and "ConfigSpace" not in sys.modules
    if light:  # two thirds of the time to load, for the parameters of engines that are tuned: later, if ever
        sys.modules["ConfigSpace"] = later = ModuleType("ConfigSpace")
        later.ConfigurationSpace = lambda: importlib.import_module("ConfigSpace").ConfigurationSpace()  # type: ignore[attr-defined]
    try:
        module = need(name, "planning", "Planning problems need", "unified-planning")
    finally:
        if light:
            del sys.modules["ConfigSpace"]
    importlib.import_module("unified_planning.shortcuts").get_environment().credits_stream = None  # no banners
    return module


def ready() -> None:
    """Load the package if it is there; that it is missing is said when it is needed."""
    try:
        shortcuts()
    except CoterieError:
        return
