"""Plans for goals: a question is made of skills and of what is known at this moment, and an engine answers it."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Collection, Iterable, Mapping

from coterie.core.expr import Expr, Lookup
from coterie.core.skill import Rule
from coterie.mission.domain import Domain
from coterie.planning import own
from coterie.planning.answer import Answer, Limits
from coterie.planning.question import ROBOT, Question, Step

STATES = 20_000  # that are looked at for one plan


class MissionPlanner:
    """An engine by name. Limits are of states, so that a run repeats on any machine; the clock is a safety net.

    Our own engine answers in this process, which costs least; any other one, and ours with `apart`, in a process of its
    own that is stopped when its time is over. Plans are judged by `unified_planning` wherever that is installed.
    """

    usual = Limits(states=STATES)
    judges = True  # wherever `unified_planning` is installed

    def __init__(self, domain: Domain, engine: str = own.NAME, limits: Limits | None = None, apart: bool = False):
        self.domain, self.engine = domain, engine
        self.limits = limits or self.usual
        self.apart = apart or engine != own.NAME
        self.asked = 0
        self._judged = self.judges and importlib.util.find_spec("unified_planning") is not None
        self._child: object | None = None

    def question(
        self,
        look: Lookup,
        able: Mapping[str, Collection[str]],
        goal: Iterable[Expr],
        rules: Iterable[Rule] = (),
        lasts: Callable[[Step], float] | None = None,
    ) -> Question:
        """About the moment that `look` sees; `able` says which robot has which skills, `lasts` how long steps take."""
        objects = {**self.domain.objects(), **dict.fromkeys(able, ROBOT)}
        lasts = None if self.apart else lasts  # a function does not travel
        return Question.ask(self.domain.skills, look, objects, able, goal, rules, lasts=lasts)

    def plan(
        self,
        look: Lookup,
        able: Mapping[str, Collection[str]],
        goal: Iterable[Expr],
        rules: Iterable[Rule] = (),
        lasts: Callable[[Step], float] | None = None,
    ) -> Answer:
        self.asked += 1
        return self.answer(self.question(look, able, goal, rules, lasts))

    def answer(self, question: Question) -> Answer:
        if self.apart:
            from coterie.planning.planner import Planner

            if not isinstance(self._child, Planner):
                self._child = Planner(self.engine, self.limits)
            return self._child.solve(question)
        if self._judged:
            from coterie.planning.engines import answer

            return answer(question, self.engine, self.limits)
        return own.solve(question, self.limits)
