"""Feasibility of a drawn hospital with full knowledge: a witness, or a proof that there is none.

A witness is a plan made on the truth and carried out in the world itself, with its luck, its slips and its vanishing
robots; what was done is judged once more, as a schedule. A proof is that no robot can bring about what the goal needs,
whatever it knows; or that a robot is gone before what only it can do can be over. Where neither is found the case is
open, and a suite draws another one.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from coterie.core.action import WAIT, Outcome
from coterie.core.expr import Expr
from coterie.core.task import Change, Task
from coterie.planning import own
from coterie.planning.answer import Answer, Limits, Unmet, Why
from coterie.planning.judge import Fault, Interval, faults
from coterie.planning.own.ground import ground
from coterie.planning.own.relaxed import Relaxed, Work, earliest_s, work
from coterie.planning.own.task import Task as Arrays
from coterie.planning.question import Question, Step
from coterie.worlds.hospital import chance
from coterie.worlds.hospital.domain import HospitalDomain
from coterie.worlds.hospital.faults import ALWAYS
from coterie.worlds.hospital.goals import KIT, Errands
from coterie.worlds.hospital.planning import goal_of, objects
from coterie.worlds.hospital.scene import Person, metres
from coterie.worlds.hospital.skills import SKILLS
from coterie.worlds.hospital.world import HospitalWorld

PLANS = 40  # that one way of doing it may take
HASTE = 1500  # states for making plans shorter in time where a robot will vanish
GONE = "online"  # of a robot, in explanations


@dataclass(frozen=True)
class Witness:
    """`plan`: it can be done, as `done` shows. `none`: it cannot, and `why` says so. `open`: neither was found."""

    status: Literal["plan", "none", "open"]
    done: tuple[Interval, ...] = ()
    why: Why | None = None
    seconds: float = 0.0
    plans: int = 0
    faults: tuple[Fault, ...] = field(default=(), compare=False)

    @property
    def solvable(self) -> bool:
        return self.status == "plan"


def witness(task: Task) -> Witness:
    """Look for a witness, and for a proof where there is none."""
    limits = Limits(states=20_000, polish=0)
    answers = []
    for goal in meanings(task):
        run = _Run(task, goal, limits)
        answers.append(run.answer)
        found = run.run() if run.answer.found else None
        if found is not None:
            return found
    if answers and all(a.status == "none" for a in answers):
        return Witness("none", why=answers[0].why)
    late = _too_late(task)
    if late is not None:
        return Witness("none", why=late)
    gone = [c.data["robot"] for c in task.changes if c.kind == "leave"]
    for goal in meanings(task) if gone else ():  # without those who vanish, or with more haste
        for without, polish in ((gone, 0), ([], HASTE)):
            found = _Run(task, goal, replace(limits, polish=polish), without).run()
            if found is not None:
                return found
    return Witness("open")


# -- what is asked ----------------------------------------------------------------------------------------------------
def meanings(task: Task) -> Iterator[list[Expr]]:
    """The goal as conditions, for each place that things may go to and each way to give caddies to kits."""
    assert isinstance(task.goal, Errands)
    kits = [w for w in task.goal.wishes if w.kind == KIT]
    world = HospitalWorld(task)
    domain = HospitalDomain(world.map())
    ways = [[c for _, c in domain.meanings(w, world.look, ())] for w in task.goal.wishes if w.kind != KIT]
    for chosen in itertools.product(*ways):
        rest = [c for conditions in chosen for c in conditions]
        for caddies in itertools.permutations(task.goal.caddies, len(kits)):
            yield [*rest, *(c for w, caddy in zip(kits, caddies) for c in goal_of(w, caddy, task.goal.items))]


def question_of(world: HospitalWorld, goal: list[Expr], without: Collection[str] = ()) -> Question:
    """The truth of a moment as a question. A thing that slips a few times can be held in the end."""
    able = {n: [s for s in c.skills if s != WAIT] for n, c in world.cards.items() if n not in without}

    def look(pred: str, *args: str) -> object:
        slip = world.slips.get((args[0], args[1])) if pred == "graspable" else None
        return world.look(pred, *args) if slip is None else slip.times < ALWAYS / 2

    return Question.ask(SKILLS, look, objects(world.map(), able), able, goal, lasts=Nominal(world))


class Nominal:
    """How long steps usually take [s], people's time included. Plain data, so that it travels to other processes."""

    def __init__(self, world: HospitalWorld):
        self.chart = dict(world.map())
        self.speeds = {n: c.speed_mps for n, c in world.cards.items()}
        self.delays = {n: p.delay_s for n, p in world.scene.people.items()}

    def __call__(self, step: Step) -> float:
        skill, args = SKILLS.get(step.action.skill), step.action.args
        if skill.name in ("goto", "passdoor"):
            return skill.duration_s + metres(self.chart, *args) / self.speeds[step.robot]
        return skill.duration_s + (self.delays[args[1]] if skill.name == "receiveitem" else 0.0)


# -- carrying it out --------------------------------------------------------------------------------------------------
class _Run:
    """One way of doing it in the world, planned anew whenever something goes otherwise."""

    def __init__(self, task: Task, goal: list[Expr], limits: Limits, without: Collection[str] = ()):
        self.world = HospitalWorld(task)
        self.first = question_of(self.world, goal)
        self.goal, self.limits, self.without = goal, limits, without
        self.until = task.time_limit_s or 1800.0
        self.changes: list[Change] = sorted(task.changes, key=lambda c: c.at.time or 0.0)
        self.done: list[Interval] = []
        self.answer = self._plan()
        self.plans = 1

    def _plan(self) -> Answer:
        gone = [n for n in self.without if n in self.world.cards]
        return own.solve(question_of(self.world, self.goal, gone), self.limits)

    def run(self) -> Witness | None:
        """The actions that were done, if they reached the goal in time and the judge finds no fault."""
        while not self._reached():
            if not self.answer.found or self.plans > PLANS or self.world.now > self.until:
                return None
            self._follow(self.answer)
            if not self._reached():
                self.answer = self._plan()
                self.plans += 1
        wrong = tuple(faults(self.first, self.done))
        if wrong or self.world.now > self.until:
            return None
        return Witness("plan", tuple(self.done), seconds=self.world.now, plans=self.plans, faults=wrong)

    def _reached(self) -> bool:
        """True if the goal is reached; people who ask in words may ask for more, and that is not the question."""
        return self.world.progress().partial >= 1.0

    def _follow(self, answer: Answer) -> None:
        """Do a plan until it is done or something goes otherwise, and what is under way has ended."""
        over: set[int] = set()
        running: dict[str, int] = {}
        well = True
        while well or running:
            if well:
                self._start(answer, over, running)
            if not running:
                return
            for outcome in self._advance():
                number = running.pop(outcome.robot)
                if outcome.ok and self._so(outcome):
                    over.add(number)
                    self.done.append(Interval(answer.steps[number], outcome.start, self.world.now))
                else:
                    well = False
            for robot in [r for r in running if r not in self.world.cards]:
                del running[robot]
                well = False

    def _start(self, answer: Answer, over: set[int], running: dict[str, int]) -> None:
        for number, (step, after) in enumerate(zip(answer.steps, answer.after)):
            free = step.robot in self.world.cards and step.robot not in running
            if number not in over and free and after <= over:
                self.world.start({step.robot: step.action})
                running[step.robot] = number

    def _advance(self) -> list[Outcome]:
        """To the next end, or to the next change if that comes first."""
        due = self.changes[0].at.time if self.changes else None
        outcomes = self.world.advance(due)
        if not outcomes and self.changes:
            self.world.apply(self.changes.pop(0))
        return outcomes

    def _so(self, outcome: Outcome) -> bool:
        """True if a finished step has had its effect: a slip may go unnoticed by its robot, not by us."""
        skill = SKILLS.get(outcome.action.skill)
        bound = skill.bind(outcome.robot, outcome.action.args) or {}
        look = self.world.look
        for effect, args, value in skill.changes:
            key = (effect.fluent.pred, *[a(look, bound) for a in args])
            if effect.how == "set" and look(*key) != value(look, bound):
                return False
        return True


# -- robots that vanish -----------------------------------------------------------------------------------------------
def _too_late(task: Task) -> Why | None:
    """Proof that a robot is gone before what only it can do is over, whichever caddies are used."""
    for change in (c for c in task.changes if c.kind == "leave"):
        robot, at = change.data["robot"], change.at.time or 0.0
        bounds = [_least_s(task, goal, robot, at) for goal in meanings(task)]
        if bounds and all(least is not None and least > at for least in bounds):
            return Why("late", (Unmet(GONE, (robot,), "==", True, False),))
    return None


def _least_s(task: Task, goal: list[Expr], robot: str, at: float) -> float | None:
    """Until when a robot is needed at least [s], with the luck that there will be before a time; infinite where nothing
    helps, None where others can do what it does."""
    world = HospitalWorld(task)
    made = ground(question_of(world, goal))
    if any(part is None for part in made.goal):
        return math.inf
    arrays = Arrays(made)
    relaxed = Relaxed(arrays)
    tests = [t for part in arrays.goals for t in part]
    steps = [arrays.step(a) for a in range(len(arrays.actions))]
    luck = {name: _Luck(task.setting.seed, name, at) for name in world.cards}
    people = world.scene.people
    usual = [world.nominal_s(s.robot, s.action) for s in steps]
    found = work(relaxed, tests, robot, usual)
    if not found:
        return None
    quick = [luck[s.robot].least(s.action.skill, n) for s, n in zip(steps, usual)]
    for i, step in enumerate(steps):
        if step.action.skill == "receiveitem":
            quick[i] += luck[step.robot].person(people[step.action.args[1]])
    earliest = earliest_s(relaxed, quick)
    busy = luck[robot].busy(found)
    return max(busy, *(float(earliest[w.test]) for w in found))


class _Luck:
    """The least time that a robot's actions take before a moment. Each of its actions has a luck of its own, and there
    is time only for so many."""

    def __init__(self, seed: int, robot: str, until: float):
        self.spreads = (*chance.SPREAD.values(), chance.USUAL_SPREAD)
        shortest = min(s.duration_s for name, s in SKILLS.items() if name != WAIT)
        self.dice: list[tuple[float, float]] = []  # of each action its own luck, and that of a person in it
        spent = 0.0
        while spent <= until:
            rng = chance.dice(seed, robot, len(self.dice) + 1)
            self.dice.append((rng.gauss(0.0, 1.0), rng.gauss(0.0, 1.0)))
            spent += shortest * self._factor(self.dice[-1][0])
        self.extra = shortest * min(self._factor(g) for g, _ in self.dice)

    def _factor(self, g: float) -> float:
        return math.exp(g * (max(self.spreads) if g < 0 else min(self.spreads)))

    def least(self, skill: str, usual_s: float) -> float:
        spread = chance.SPREAD.get(skill, chance.USUAL_SPREAD)
        return usual_s * min(math.exp(g * spread) for g, _ in self.dice)

    def person(self, person: Person) -> float:
        return person.delay_s * min(math.exp(g * person.spread) for _, g in self.dice)

    def busy(self, found: Sequence[Work]) -> float:
        """Of several actions together: among those that vary alike the longest with the best luck, no luck twice, and
        better luck that comes later only after more actions."""
        alike: dict[float, list[float]] = {}
        for w in found:
            spread = chance.SPREAD.get(w.skill, chance.USUAL_SPREAD) if w.skill else max(self.spreads)
            alike.setdefault(spread, []).extend([w.seconds] * w.times)
        needed, best = sum(w.times for w in found), math.inf
        for count in range(needed, len(self.dice) + 1):
            total = (count - needed) * self.extra
            luck = sorted(g for g, _ in self.dice[:count])
            for spread, seconds in alike.items():
                total += sum(s * math.exp(g * spread) for s, g in zip(sorted(seconds, reverse=True), luck))
            best = min(best, total)
        return best
