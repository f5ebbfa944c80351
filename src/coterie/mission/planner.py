"""Plans for goals: a question is made of skills and of what is known at this moment, and an engine answers it."""

from __future__ import annotations

import contextlib
import importlib.util
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from coterie.core.action import Action
from coterie.core.errors import CoterieError, UnknownName
from coterie.core.expr import Expr, Lookup
from coterie.core.skill import Rule
from coterie.mission.domain import Domain
from coterie.planning import own
from coterie.planning.answer import Answer, Limits
from coterie.planning.moment import leads, uses_of
from coterie.planning.order import partial_order
from coterie.planning.question import ROBOT, Question, Step

if TYPE_CHECKING:
    from coterie.planning.planner import Planner

STATES = 20_000  # that are looked at for one plan
REMEMBERED = 32  # questions with their answers


_LIVE: ContextVar[Planner | None] = ContextVar("live", default=None)


class MissionPlanner:
    """An engine by name. Limits are of states, so that a run repeats on any machine; the clock is a safety net.

    Our own engine answers in this process, which costs least; any other one, ours with `apart`, and ours in a mission
    that people follow live (`planning_apart`), in a process of its own that is stopped when its time is over. The
    answer is the same. Plans are judged by `unified_planning` wherever that is installed.
    """

    usual = Limits(states=STATES)
    judges = True  # wherever `unified_planning` is installed

    def __init__(self, domain: Domain, engine: str = own.NAME, limits: Limits | None = None, apart: bool = False):
        self.domain, self.engine = domain, engine
        self.limits = limits or self.usual
        self._child = _LIVE.get()
        self.apart = apart or engine != own.NAME or self._child is not None
        self.asked = 0
        self.thinking = False  # an engine looks for a plan in its own process, and everybody waits for it here
        self.seeking = False  # an engine looks for a plan for the mission, wherever it does
        self.earlier: list[tuple[Step, ...]] = []  # plans of earlier missions
        self._rest: Callable[[Question], Answer] | None = None
        self._known: deque[tuple[Question, Answer]] = deque(maxlen=REMEMBERED)
        self._judged = self.judges and importlib.util.find_spec("unified_planning") is not None

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
        return Question.ask(self.domain.skills, look, objects, able, goal, rules, lasts=lasts)

    def plan(
        self,
        look: Lookup,
        able: Mapping[str, Collection[str]],
        goal: Iterable[Expr],
        rules: Iterable[Rule] = (),
        lasts: Callable[[Step], float] | None = None,
    ) -> Answer:
        """A plan, or why there is none; none is there for a goal about what is not here, or cannot be."""
        self.asked += 1
        try:
            question = self.question(look, able, goal, rules, lasts)
        except CoterieError as err:
            return Answer("none", engine=self.engine, said=err.brief if isinstance(err, UnknownName) else str(err))
        return self.answer(question)

    @contextlib.contextmanager
    def resting(self, rest: Callable[[Question], Answer]) -> Iterator[None]:
        """In this context, a caller that needs a plan rests by `rest`, which seeks it and says when to go on."""
        self._rest = rest
        try:
            yield
        finally:
            self._rest = None

    def answer(self, question: Question) -> Answer:
        return self.seek(question) if self._rest is None else self._rest(question)

    def seek(self, question: Question) -> Answer:
        """The answer of an engine. The same question has the same answer, so what was asked lately is not sought again:
        several people may wonder about one thing."""
        for asked, known in list(self._known):
            if asked == question:
                return known
        self.seeking = True
        try:
            found = self._earlier(question) or self._sought(question)
        finally:
            self.seeking = False
        if found.status in ("plan", "none"):  # another time there may be more of it
            self._known.append((question, found))
        return found

    def remember(self, rows: Iterable[Sequence[Any]]) -> None:
        """Try this plan before another one is sought: steps of a robot, a skill and its arguments."""
        self.earlier.append(tuple(Step(str(r), Action(str(skill), tuple(args))) for r, skill, *args in rows))

    def _earlier(self, question: Question) -> Answer | None:
        """A plan of an earlier mission that leads to this goal from here, step by step."""
        steps = next((s for s in self.earlier if s and leads(question, s)), None)
        if steps is None:
            return None
        uses = uses_of(question, steps)
        after = partial_order(steps, uses, lambda key: question.value(*key))
        return Answer("plan", steps, after, uses, engine=self.engine, said="remembered")

    def _sought(self, question: Question) -> Answer:
        found = self._elsewhere(question) if self.apart else None
        if found is not None:
            return found
        if self._judged:
            from coterie.planning.child import answer

            return answer(question, self.engine, self.limits)
        return own.solve(question, self.limits)

    def _elsewhere(self, question: Question) -> Answer | None:
        """The answer of an engine in its own process. None where our own could not be asked there: a process that was
        killed, a question that cannot travel. It answers here then, the same."""
        if self._child is None:
            self._child = planner(self._judged)
        self.thinking = True
        try:
            found = self._child.solve(question, self.engine, self.limits)
        except (CoterieError, OSError):
            if self.engine != own.NAME:
                raise
            return None
        finally:
            self.thinking = False
        return None if found.status == "broken" and self.engine == own.NAME else found


def planner(judges: bool) -> Planner:
    from coterie.planning.planner import Planner

    return Planner(judges=judges)


@contextlib.contextmanager
def planning_apart() -> Iterator[None]:
    """Missions that begin in here plan in a process of their own. It is started now, so that the first goal need not
    wait for it, and ends with this."""
    judged = MissionPlanner.judges and importlib.util.find_spec("unified_planning") is not None
    with planner(judged) as live:
        with contextlib.suppress(OSError):  # where no process can be started, missions plan in their own
            live.warm()
        mark = _LIVE.set(live)
        try:
            yield
        finally:
            _LIVE.reset(mark)
