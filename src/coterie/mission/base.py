"""The parts of a mission: knowledge, goals, an agenda, plans from any moment, and messages about them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from coterie.core.card import Card
from coterie.core.expr import All, Expr, Lookup, fluents, ne
from coterie.core.facts import Fact
from coterie.core.fluents import is_a
from coterie.core.skill import Clause, Rule
from coterie.mission.agenda import Agenda, Item
from coterie.mission.assess import Assessment, Assessor, PlanStep, Trials
from coterie.mission.desk import Desk
from coterie.mission.domain import Domain, Lasting, context_of
from coterie.mission.goals import Failure, Goal, Goals
from coterie.mission.journal import Journal
from coterie.mission.knowledge import Authority, Knowledge
from coterie.mission.planner import MissionPlanner
from coterie.mission.policies import Policies
from coterie.mission.projection import Projection, kept, rules_of
from coterie.mission.recovery import Limits, Recovery
from coterie.mission.reports import MISSION, Reports
from coterie.planning.answer import Answer
from coterie.planning.order import partial_order
from coterie.planning.question import Step

SAMPLES = 300  # of an assessment


@dataclass
class Request:
    """A request to a person, made for a goal."""

    person: str
    until_s: float
    fact: tuple[str, tuple[str, ...], Any]
    facts: list[tuple[tuple[str, ...], Any]]  # what is so when it has been done
    words: str = ""
    changes: tuple[Any, ...] = ()  # of the world, by its being done


@dataclass
class Wanted:
    """A goal's data besides its conditions."""

    wish: Any
    taken: str = ""  # what is set aside for it
    scope: frozenset[str] = frozenset()  # robots and people that its plans may use without asking
    asked: list[str] = field(default_factory=list)  # who was asked for the approval that is awaited
    told: dict[str, set[str]] = field(default_factory=dict)  # the ways out that each person was told of
    meant: dict[str, str] = field(default_factory=dict)  # the way out that each was asked about last
    request: Request | None = None
    explanation: dict[str, Any] | None = None  # of a goal that was given up


class Base:
    """Everything that the layers above share."""

    def __init__(
        self,
        domain: Domain,
        lookup: Callable[[Any], Lookup],
        journal: Journal | None = None,
        planner: MissionPlanner | None = None,
        policies: Policies | None = None,
        limits: Limits | None = None,
        seed: int = 0,
        replans: bool = True,
    ):
        """`replans`: whether plans that a new fact breaks are made anew without a word; otherwise that is a failure."""
        self.domain, self.lookup, self.seed, self.replans = domain, lookup, seed, replans
        self.journal = journal or Journal()
        self.authority = Authority(self.journal, domain.rights())
        self.knowledge = Knowledge(self.journal, self.authority)
        self.goals = Goals(self.journal, self.authority, domain.skills.fluents)
        self.agenda = Agenda()
        self.desk = Desk(domain, self.knowledge, lookup)
        self.reports = Reports(self.knowledge, self.agenda)
        self.trials = Trials(self.journal)
        self.assessor = Assessor(self.trials, seed, SAMPLES)
        self.planner = planner or MissionPlanner(domain)
        self.recovery = Recovery(self, policies, limits)
        self.wanted: dict[str, Wanted] = {}
        self.cards: dict[str, Card] = {}
        self._failures: list[tuple[str, Failure]] = []  # to be dealt with
        self._bindings: dict[tuple[Step, ...], tuple[str, tuple[Expr, ...]]] = {}
        self._checked: tuple[int, int] = (-1, -1)
        self._lasting: Lasting | None = None
        self._blocked: dict[str, Any] = {}  # goals that wait for others, and how everything stood
        self._preempted: dict[str, str] = {}  # goals that made way for a more urgent one, and have no plan since
        self._planned_with: dict[str, set[str]] = {}  # by goal: the robots that its last plan could use
        self._lost: dict[str, list[Item]] = {}  # by goal: steps of others that its plan counted on, and are not done
        self._begin()

    def _begin(self) -> None:
        """Everybody knows what is said of the place."""
        people = self.domain.people()
        if self.knowledge.changes or self.authority.members:
            return  # read back from the journal
        for person, role in people.items():
            self.authority.join(person, role)
        said = [Fact(k[0], k[1:], v, 0.0, MISSION) for k, v in self.domain.said().items()]
        self.knowledge.tell(*said)
        for person in people:
            self.knowledge.told(person, said)

    @property
    def now(self) -> float:
        return self.journal.now()

    def wanted_of(self, goal: Goal) -> Wanted:
        return self.wanted.setdefault(goal.id, Wanted(None))

    def name_of(self, goal: Goal) -> str:
        """The name of a goal as it is now: it may have been changed since it was given."""
        wish = self.wanted_of(goal).wish
        return str(wish.text()) if wish is not None else goal.name

    def subject(self, goal: Goal) -> tuple[str, str]:
        """The thing and the place that a goal is about, as far as it is about any."""
        wish = self.wanted_of(goal).wish
        return str(getattr(wish, "what", "")), str(getattr(wish, "where", ""))

    def ordered(self, what: str = "", where: str = "", states: Collection[str] = ()) -> list[Goal]:
        """Goals of people, without those that only mend them: of a thing and at a place if these are named; in some
        states, or those that are not over."""
        goals = self.goals.live() if not states else [g for g in self.goals.all() if g.state in states]
        found = [(g, *self.subject(g)) for g in goals if not g.parent]
        return [g for g, thing, place in found if what in ("", thing) and where in ("", place)]

    def scope_of(self, goal: Goal) -> frozenset[str]:
        return self.wanted_of(goal).scope

    def _root(self, goal: Goal) -> Goal:
        while goal.parent:
            goal = self.goals[goal.parent]
        return goal

    def depth(self, goal: Goal) -> int:
        return 0 if not goal.parent else 1 + self.depth(self.goals[goal.parent])

    def now_only(self) -> Projection:
        """The known state now."""
        return Projection(self.knowledge, self.lookup, self.domain.skills.find)

    def now_like(self, *without: str) -> Projection:
        """The state when all on the agenda has been done; of a plan that is broken, nothing more. `without`
        what has not begun for these goals."""
        later, broken = self.now_only(), set(without)
        for item in self.agenda:
            if item.state == "waiting" and (item.goal in broken or later.flaw(item.robot, item.action) is not None):
                broken.add(item.goal)
                continue
            later.do(item.robot, item.action)
        return later

    def _holds_fact(self, fact: tuple[str, tuple[str, ...], Any]) -> bool:
        pred, args, value = fact
        return self.now_only().look(pred, *args) == value

    def _amount(self, key: tuple[Any, ...]) -> float:
        value = self.now_only().look(*key)
        return float(value) if isinstance(value, (int, float)) else 0.0

    def able(self) -> dict[str, tuple[str, ...]]:
        return {r: tuple(self.cards[r].skills) for r in sorted(self.reports.robots)}

    def _taken(self, *but: str) -> set[str]:
        """Items reserved for goals that are not over, or used up by goals that are done."""
        return {
            w.taken for id, w in self.wanted.items() if w.taken and id not in but and self.goals[id].state not in
            ("failed", "cancelled")
        }  # fmt: skip

    def _set_aside(self, goal: str, but_for: Collection[str] = ()) -> list[Rule]:
        """Rules against touching what is set aside for other goals: nobody packs one kit out of another."""
        root = self._root(self.goals[goal]).id if goal else ""
        named = {a for f in fluents(self.goals[goal].what) for a in f.args} if goal else set()
        kinds, parents, found = self.domain.objects(), self.domain.skills.parents, []
        for name in sorted(self._taken(root, *but_for) - named):
            for skill in (s for n, s in self.domain.skills.items() if self.domain.disturbs(n)):
                for param in skill.params:
                    if is_a(kinds.get(name, ""), param.kind, parents):
                        words = f"{name} is set aside for another goal."
                        clause = Clause(ne(f"?{param.name}", name), words, name="set_aside")
                        found.append(Rule(f"{name} is set aside", skill.name, clause))
        return found

    def _is_here(self, rule: Rule) -> bool:
        """A rule about a robot that is not here, or about a thing that nobody knows, says nothing."""
        named = getattr(getattr(rule.clause.expr, "expr", None), "exprs", ())
        gone = {c.right for c in named if c.left == "?robot"} - self.reports.robots
        return not gone and {c.right for c in named} <= self.domain.objects().keys() | self.reports.robots

    def _rules(self, goal: Goal) -> tuple[Rule, ...]:
        return (*self.recovery.rules.values(), *self.recovery.of(self._root(goal)).rules)

    def plan_from(
        self,
        start: Projection,
        goal: Goal | list[Expr],
        rules: Iterable[Rule],
        alone: bool = False,
        but: Collection[str] = (),
        but_for: Collection[str] = (),
    ) -> Answer:
        """A plan from a moment on, which leaves what was brought for others, if there is one that does."""
        stays = rules_of(kept(self, goal if isinstance(goal, Goal) else None)) if not alone else ()
        rules = tuple(rules)
        careful = self._plan_by(start, goal, (*rules, *stays), alone, but, but_for) if stays else None
        if careful is not None and careful.found:
            return careful
        return self._plan_by(start, goal, rules, alone, but, but_for)

    def _plan_by(
        self,
        start: Projection,
        goal: Goal | list[Expr],
        rules: Iterable[Rule],
        alone: bool,
        but: Collection[str],
        but_for: Collection[str],
    ) -> Answer:
        """By these rules; for a wish that can be fulfilled in several ways, the first way that has a plan.

        `alone`: as if nothing were set aside for others; `but_for`: for some goals. `but`: robots that are to have no
        part in it.
        """
        able = {r: s for r, s in self.able().items() if r not in but}
        mine = goal.id if isinstance(goal, Goal) else ""
        rules = (*(r for r in rules if self._is_here(r)), *([] if alone else self._set_aside(mine, but_for)))
        if not isinstance(goal, Goal):
            return self.planner.plan(start.look, able, goal, rules, self._lasts())
        wanted = self.wanted_of(goal)
        self._planned_with[mine] = set(self.reports.robots)
        if wanted.wish is None:
            parts = goal.what.exprs if isinstance(goal.what, All) else [goal.what]
            return self.planner.plan(start.look, able, parts, rules, self._lasts())
        first: Answer | None = None
        for taken, conditions in self.domain.meanings(wanted.wish, start.look, self._taken(goal.id), wanted.taken):
            answer = self.planner.plan(start.look, able, conditions, rules, self._lasts())
            if answer.found:
                self._bindings[answer.steps] = (taken, tuple(conditions))
                return answer
            first = first or answer
        return first or Answer("none")

    def assess(self, plans: Sequence[Answer]) -> Assessment:
        """How likely plans are to go through one after the other without a failure, and how long they take."""
        return self.assessor.assess(self._plan_steps(plans))

    def _plan_steps(self, plans: Sequence[Answer]) -> list[PlanStep]:
        """Plans one after the other, as far as they disturb each other: all else goes on at the same time."""
        steps = [s for plan in plans for s in plan.steps]
        order = partial_order(steps, [u for plan in plans for u in plan.uses])
        return [self._plan_step(n, s, before) for n, (s, before) in enumerate(zip(steps, order))]

    def _plan_step(self, number: int, step: Step, after: Iterable[int]) -> PlanStep:
        skill, about = step.action.skill, context_of(step.action, self.domain.skills.find(step.action.skill))
        before, usual = tuple(str(n) for n in sorted(after)), self.domain.usual_s(self.cards[step.robot], step.action)
        return PlanStep(str(number), skill, step.robot, step.action.args, before, usual, about)

    def _lasts(self) -> Lasting:
        """How long steps will take, by what was recorded until now."""
        if self._lasting is None or self._lasting.known != self.trials.number or self._lasting.cards != self.cards:
            self._lasting = Lasting(self.domain, self.cards, self.trials)
        return self._lasting

    def helpers(self, goal: Goal) -> list[str]:
        """People who could be asked to lend a hand: those who supply things first, and not those who do not answer."""
        look, people = self.now_like().look, self.domain.people()
        order = ("supplies", "teacher", "instructor")
        found = [p for p in people if look("answers", p) is not False and p not in self._bothered]
        return sorted(found, key=lambda p: order.index(people[p]) if people[p] in order else len(order))

    @property
    def _bothered(self) -> set[str]:
        return {w.request.person for w in self.wanted.values() if w.request is not None}
