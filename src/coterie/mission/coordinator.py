"""The mission itself: goals of people, plans for them, what robots do next, and what to do when something goes wrong.

It is told what robots and people report (`reports`, `hear`), thinks (`think`), and says what each idle robot does
(`next_step`). It knows nothing but what was reported, and no clock but the one it is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from coterie.core.action import Action, Cause, Outcome
from coterie.core.card import Card
from coterie.core.errors import CoterieError
from coterie.core.expr import All, Expr, Lookup, compile_expr
from coterie.core.facts import UNKNOWN, Fact
from coterie.core.protocol import RobotView
from coterie.core.skill import Rule
from coterie.mission import hearing
from coterie.mission.agenda import Agenda, Item, overlaps, scope
from coterie.mission.assess import Assessment, Assessor, PlanStep, Trial, Trials
from coterie.mission.desk import Desk, as_rows, data_of
from coterie.mission.domain import Domain
from coterie.mission.estimate import as_plan, context_of, minutes
from coterie.mission.failure import about, justification
from coterie.mission.goals import Failure, Goal, Goals
from coterie.mission.journal import Journal
from coterie.mission.knowledge import Authority, Knowledge, Refused
from coterie.mission.planner import MissionPlanner
from coterie.mission.policies import Alternative, Policies
from coterie.mission.projection import Projection
from coterie.mission.recovery import Limits, Recovery
from coterie.mission.reports import MISSION, Reports, of_outcome, vanished
from coterie.planning.answer import Answer
from coterie.planning.question import Step

PATIENCE_S = 90.0  # for which an approval is awaited before somebody else is asked
SAMPLES = 300  # of an assessment
HELP_S = 240.0  # for which a person is given to do what was asked


@dataclass
class Request:
    """What a person was asked to do for a goal."""

    person: str
    until_s: float
    fact: tuple[str, tuple[str, ...], Any]


@dataclass
class Wanted:
    """What belongs to a goal besides its conditions."""

    wish: Any
    taken: str = ""  # what is set aside for it
    scope: frozenset[str] = frozenset()  # robots and people that its plans may use without asking
    asked: list[str] = field(default_factory=list)  # who was asked for the approval that is awaited
    request: Request | None = None
    explanation: dict[str, Any] | None = None  # of a goal that was given up


class Coordinator:
    def __init__(
        self,
        domain: Domain,
        lookup: Callable[[Any], Lookup],
        journal: Journal | None = None,
        planner: MissionPlanner | None = None,
        policies: Policies | None = None,
        limits: Limits | None = None,
        seed: int = 0,
    ):
        self.domain, self.lookup, self.seed = domain, lookup, seed
        self.journal = journal or Journal()
        self.authority = Authority(self.journal)
        self.knowledge = Knowledge(self.journal, self.authority)
        self.goals = Goals(self.journal, self.authority)
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

    # -- what robots report ---------------------------------------------------------------------------------------
    def hear_robots(self, robots: Mapping[str, RobotView], ended: Mapping[str, Outcome], now: float) -> None:
        """The team as it is, and what became of the steps of those who are idle again."""
        self.journal.time = max(self.journal.time, now)
        self.cards.update({name: view.card for name, view in robots.items()})
        come, gone = self.reports.roster(robots, now)
        for robot in come:
            self.desk.note("joined", robot=robot, skills=list(robots[robot].card.skills))
            for skill, ok, took, usual, context in self.domain.experience(robots[robot].card):
                self.trials.add(Trial(skill, robot, ok, took, usual, context))
        expected: list[tuple[Item, Outcome, Mapping[Any, Any]]] = []
        for robot, outcome in ended.items():
            item = self.agenda.doing(robot)
            if item is None or robot in gone:
                continue
            if outcome.status == "cancelled":
                self.agenda.put_back(item)
                continue
            if outcome.ok:
                expected.append((item, outcome, self.reports.expect(item, outcome, self.now_only())))
            self.agenda.end(item, outcome.ok, now)
            if not outcome.ok:
                self._record(item, False, outcome)
                self._failures.append((item.goal, of_outcome(item, outcome)))
        self.reports.take_in(robots)
        for item, outcome, wanted in expected:
            cause = self.reports.contradicted(wanted, robots[item.robot], outcome)
            self._record(item, cause is None, outcome)
            if cause is not None:
                item.state = "failed"
                found = Failure("EFFECT", cause, item.robot, item.action.skill, item.action.args)
                self._failures.append((item.goal, found))
        for robot in gone:
            self._vanished(robot)

    def _vanished(self, robot: str) -> None:
        self.desk.note("vanished", robot=robot)
        running = self.agenda.doing(robot)
        if running is not None:
            self.agenda.end(running, False, self.now)
        broken: dict[str, Item] = {} if running is None else {running.goal: running}
        for item in self.agenda.waiting():
            if robot == item.robot or robot in item.action.args:
                broken.setdefault(item.goal, item)
        for goal, item in broken.items():
            failure = vanished(item, "EXECUTION" if item is running else "PRECONDITION")
            cause = Cause("online", ("online", (robot,), False), "during")
            self._failures.append((goal, Failure(failure.stage, cause, robot, item.action.skill, item.action.args)))

    # -- what people say ------------------------------------------------------------------------------------------
    def hear(self, person: str, text: str) -> None:
        """One utterance. What its speaker may not say is refused in words, and kept."""
        self.desk.note("heard", person=person, text=text)
        if person not in self.authority.members:
            self.authority.join(person)
        try:
            self._obey(person, hearing.understood(text))
        except Refused as err:
            self.desk.note("refused", person=person, act=err.refusal.act, words=err.refusal.words)
            self.desk.tell(person, err.refusal.words)
        except CoterieError as err:
            self.desk.tell(person, str(err))

    def _obey(self, person: str, meaning: hearing.Meaning) -> None:
        if isinstance(meaning, hearing.Stop):
            self.goals.stop(person)
            self.agenda.drop()
            self.desk.note("stop", person=person)
        elif isinstance(meaning, hearing.Yes):
            self._approved(person, meaning.number)
        elif isinstance(meaning, hearing.No):
            self._rejected(person, meaning.why)
        elif isinstance(meaning, hearing.Done):
            self._answered(person, meaning)
        elif isinstance(meaning, hearing.Change):
            self._change(person, meaning)
        elif isinstance(meaning, hearing.Amend):
            self._amend(person, meaning.text)
        else:
            facts = self.domain.told(meaning.text)
            if facts is not None:
                self._told(person, facts)
            else:
                self.submit(self.domain.read(meaning.text), person, meaning.urgent)

    def _told(self, person: str, facts: Sequence[tuple[Any, object]]) -> None:
        heard = self.knowledge.tell(*(Fact(k[0], tuple(k[1:]), v, self.now, person) for k, v in facts))
        words = "I take note of it" if heard.new else "I knew" if heard.same else "I will check it"
        self.desk.tell(person, f"Thank you; {words}.")
        for wanted in self.wanted.values():
            asked = wanted.request
            if asked is not None and asked.person == person:
                wanted.request = None if self._holds_fact(asked.fact) else asked

    def submit(self, wish: Any, by: str, priority: int = 0) -> Goal:
        """Somebody wants something. Its conditions follow from what is known when it is planned."""
        taken, conditions = self._meaning(wish, self.now_like().look)
        goal = self.goals.submit(All(tuple(conditions)), by, wish.text(), priority)
        self.wanted[goal.id] = Wanted(wish, taken)
        self.desk.note("goal", goal=goal.id, by=by, text=wish.text(), wish=wish.to_json(), priority=priority)
        return goal

    def _meaning(self, wish: Any, look: Lookup, mine: str = "") -> tuple[str, list[Expr]]:
        for taken, conditions in self.domain.meanings(wish, look, self._taken(mine)):
            return taken, conditions
        raise CoterieError(f"There is nothing left with which {wish.text()} could be done; wait until another goal is.")

    def _taken(self, but: str = "") -> set[str]:
        """What is set aside for goals that are not over, or was used up by those that are done."""
        return {
            w.taken for id, w in self.wanted.items() if w.taken and id != but and self.goals[id].state not in
            ("failed", "cancelled")
        }  # fmt: skip

    def _one(self, goal: str, person: str) -> Goal:
        """The goal that somebody means: the one named, or the last of theirs, or the only one."""
        if goal:
            return self.goals[goal]
        live = [g for g in self.goals.live() if not g.parent]
        mine = [g for g in live if g.by == person] or live
        if not mine:
            raise CoterieError("There is no goal at the moment.")
        return max(mine, key=lambda g: g.submitted_s)

    def _change(self, person: str, meaning: hearing.Change) -> None:
        goal = self._one(meaning.goal, person)
        if meaning.what == "priority":
            self.goals.set_priority(goal.id, meaning.number, person)
            self._replan_all(f"{person} set another priority")
        elif meaning.what == "resume":
            self.goals.resume(goal.id, person)
        elif meaning.what == "pause":
            self.goals.pause(goal.id, person)
            self._withdraw(goal)
        else:
            self.goals.cancel(goal.id, person)
            self._withdraw(goal)
        self.desk.note("changed", goal=goal.id, to=meaning.what, by=person)

    def _withdraw(self, goal: Goal) -> None:
        """Its steps, and those of what should mend it, are not begun any more; others may have counted on them."""
        self.agenda.drop([goal.id, *(c.id for c in self.goals.children(goal.id))])
        self._checked = (-1, -1)

    def _amend(self, person: str, text: str) -> None:
        for goal in reversed(self.goals.live()):
            wanted = self.wanted.get(goal.id)
            new = self.domain.amended(wanted.wish, text) if wanted is not None else None
            if new is not None:
                self.amend(goal, new, person)
                return
        self.submit(self.domain.read(text), person)

    def amend(self, goal: Goal, wish: Any, by: str) -> None:
        """A goal is wanted otherwise from now on."""
        wanted = self.wanted[goal.id]
        taken, conditions = self._meaning(wish, self.now_like().look, goal.id)
        self.goals.amend(goal.id, All(tuple(conditions)), by)
        wanted.wish, wanted.taken = wish, taken
        self._withdraw(goal)
        for child in self.goals.children(goal.id):
            if not child.over:
                self.goals.cancel(child.id, MISSION, "the goal has changed")
        self.desk.note("amended", goal=goal.id, by=by, text=wish.text(), wish=wish.to_json())

    # -- approval -------------------------------------------------------------------------------------------------
    def _awaited(self, person: str) -> Goal:
        waiting = self.goals.all("waiting")
        mine = [g for g in waiting if person in self.wanted_of(g).asked] or waiting
        if not mine:
            raise CoterieError("Nothing waits for an approval.")
        return mine[-1]

    def _approved(self, person: str, number: int | None) -> None:
        goal = self._awaited(person)
        offers = self.recovery.of(goal).offers
        if number is not None and not 1 <= number <= len(offers):
            raise CoterieError(f"There is no plan {number}; there are {len(offers)}.")
        self.goals.approve(goal.id, person)
        self.desk.note("approved", goal=goal.id, by=person, plan=number or 1)
        self._accept(self.goals[goal.id], offers[(number or 1) - 1])

    def _rejected(self, person: str, why: str) -> None:
        goal = self._awaited(person)
        self.goals.reject(goal.id, person, why)
        mine = self.recovery.of(goal)
        self.desk.note("rejected", goal=goal.id, by=person, plan=1, why=why)
        self.wanted_of(goal).asked.remove(person)  # who answers may be asked again
        mine.refused.add(mine.offers[0].policy)
        mine.offers = mine.offers[1:]
        self.goals.move(goal.id, "recovering", why=f"{person} said no")
        if mine.offers:
            self._propose(self.goals[goal.id])
        else:
            cause = Cause("approved", ("approved", (goal.id,), False), "before")
            self._give_up(goal, f"{person} said no to every way out", cause)

    def _unanswered(self, goal: Goal) -> None:
        """Nobody said yes in time: somebody else is asked, and then nobody."""
        wanted = self.wanted_of(goal)
        self.goals.move(goal.id, "recovering", why="nobody answered")
        if self._whom(goal):
            self._propose(goal)
        else:
            people = " and ".join(wanted.asked)
            self._give_up(
                goal, f"{people} did not answer", Cause("approved", ("approved", (goal.id,), False), "before")
            )

    def _whom(self, goal: Goal) -> str:
        """Who is asked next: whoever wants it, if they may approve, then others who may."""
        may = self.authority.who_may("approve", goal.id)
        first = [p for p in (self._root(goal).by,) if p in may]
        left = [p for p in (*first, *may) if p not in self.wanted_of(goal).asked]
        return left[0] if left else ""

    def _propose(self, goal: Goal) -> None:
        offers = self.recovery.of(goal).offers
        best, wanted = offers[0], self.wanted_of(goal)
        person = self._whom(goal)
        if not person:
            cause = Cause("approved", ("approved", (goal.id,), False), "before")
            self._give_up(goal, "nobody who may approve is here", cause)
            return
        wanted.asked.append(person)
        words = (
            f"I could {best.words}. It will take about {minutes(best.seconds)} and works {best.chance:.0%} of the time."
        )
        until = self.now + PATIENCE_S
        self.goals.propose(goal.id, words, as_rows(best.steps), best.chance, best.seconds, until)
        self.desk.note("proposal", goal=goal.id, to=person, alternatives=[self._offer(o) for o in offers])
        self.desk.tell(person, f"{words} Do you want me to do it?", proposal=goal.id)

    def _offer(self, offer: Alternative) -> dict[str, Any]:
        first = as_rows(offer.first.steps) if offer.first is not None else []
        then = as_rows(offer.then.steps) if offer.then is not None else []
        times = {"first_s": round(offer.first_s, 1)} if offer.first is not None else {}
        times |= {"seconds": round(offer.seconds, 1), "low_s": round(offer.low_s, 1), "high_s": round(offer.high_s, 1)}
        asks = {"request": dict(offer.request)} if offer.request is not None else {}
        about = {"policy": offer.policy, "words": offer.words, "chance": round(offer.chance, 3), **times, **asks}
        return {**about, "first": first, "then": then}

    # -- requests to people ---------------------------------------------------------------------------------------
    def helpers(self, goal: Goal) -> list[str]:
        """People who could be asked to lend a hand: those who supply things first, and not those who do not answer."""
        look, people = self.now_like().look, self.domain.people()
        order = ("supplies", "teacher", "instructor")
        found = [p for p in people if look("answers", p) is not False and p not in self._bothered]
        return sorted(found, key=lambda p: order.index(people[p]) if people[p] in order else len(order))

    @property
    def _bothered(self) -> set[str]:
        return {w.request.person for w in self.wanted.values() if w.request is not None}

    def _ask_person(self, goal: Goal, offer: Alternative) -> None:
        request = dict(offer.request or {})
        pred, args, value = request["fact"]
        self.wanted_of(goal).request = Request(request["person"], self.now + HELP_S, (pred, tuple(args), value))
        self.goals.move(goal.id, "recovering", why=f"{request['person']} was asked for help")
        self.desk.note(
            "request", goal=goal.id, to=request["person"], **{k: v for k, v in request.items() if k != "person"}
        )
        self.desk.tell(request["person"], f"Could you please {request['words']}? Say done when it is.", request=goal.id)

    def _answered(self, person: str, meaning: hearing.Done) -> None:
        for id, wanted in self.wanted.items():
            asked = wanted.request
            if asked is None or asked.person != person:
                continue
            wanted.request = None
            pred, args, value = asked.fact
            if meaning.ok:
                facts = self.domain.told_fact(pred, args, value)
                self.knowledge.tell(*(Fact(k[0], tuple(k[1:]), v, self.now, person) for k, v in facts))
                self.desk.note("helped", goal=id, person=person)
                self.goals.move(id, "submitted", why=f"{person} helped")
            else:
                self._no_help(self.goals[id], person)
            return
        raise CoterieError("Nothing was asked of you.")

    def _no_help(self, goal: Goal, person: str) -> None:
        self.knowledge.tell(Fact("answers", (person,), False, self.now, MISSION))
        cause = Cause("answers", ("answers", (person,), False), "after")
        self._failures.append((goal.id, Failure("EXECUTION", cause)))

    # -- thinking -------------------------------------------------------------------------------------------------
    def wanted_of(self, goal: Goal) -> Wanted:
        return self.wanted.setdefault(goal.id, Wanted(None))

    def name_of(self, goal: Goal) -> str:
        """What a goal is called now: it may have been changed since it was given."""
        wish = self.wanted_of(goal).wish
        return str(wish.text()) if wish is not None else goal.name

    def scope_of(self, goal: Goal) -> frozenset[str]:
        return self.wanted_of(goal).scope

    def _root(self, goal: Goal) -> Goal:
        while goal.parent:
            goal = self.goals[goal.parent]
        return goal

    def depth(self, goal: Goal) -> int:
        return 0 if not goal.parent else 1 + self.depth(self.goals[goal.parent])

    def think(self) -> None:
        """Until nothing more is to be decided at this moment."""
        for _ in range(50):
            if not (self._mend() or self._settle() or self._watch()):
                return
        raise CoterieError("The mission does not come to an end of its thoughts; this is a defect.")

    def _mend(self) -> bool:
        failures, self._failures = self._failures, []
        for id, failure in failures:
            goal = self.goals[id]
            if not goal.over and goal.state != "paused":
                self._failed(goal, failure)
        return bool(failures)

    def _settle(self) -> bool:
        """Let every goal go where it can."""
        for goal in self.goals.expire():
            self._unanswered(self.goals[goal.id])
        for goal in self.goals.live():
            wanted = self.wanted_of(goal)
            if wanted.request is not None and self.now >= wanted.request.until_s:
                person, wanted.request = wanted.request.person, None
                self._no_help(goal, person)
                return True
            if goal.state == "submitted":
                self._plan(goal)
                return True
            if goal.state == "running" and self._reached(goal):
                self._finish(goal)
                return True
            if goal.state == "running" and not self.agenda.of(goal.id):
                cause = self._open_condition(goal)
                self._failures.append((goal.id, Failure("EFFECT", cause)))
                return True
        return False

    def _open_condition(self, goal: Goal) -> Cause | None:
        from coterie.core.expr import fluents

        look = self.now_only().look
        for part in goal.missing(look):
            for fluent in fluents(part):
                return Cause(fluent.pred, (fluent.pred, fluent.args, look(fluent.pred, *fluent.args)), "after")
        return None

    def _reached(self, goal: Goal) -> bool:
        busy = any(i.state == "running" for i in self.agenda.of(goal.id))
        return not busy and goal.holds(self.now_only().look) is True

    def _finish(self, goal: Goal) -> None:
        self.agenda.drop([goal.id])
        self._end_attempt(goal, "done")
        self.goals.move(goal.id, "done")
        mine = [i for i in self.agenda.past if i.ended_s >= goal.submitted_s]
        clashes = [f"{a.step} / {b.step}" for a, b in overlaps(mine)]
        data = {"seconds": round(self.now - goal.submitted_s, 1), "steps": sum(i.goal == goal.id for i in mine)}
        self.desk.note("done", goal=goal.id, **data, **({"clashes": clashes} if clashes else {}))
        if goal.parent:
            parent = self.goals[goal.parent]
            if parent.state == "recovering":
                self.goals.move(parent.id, "submitted", why="what was in the way is mended")
        else:
            self.desk.tell(goal.by, f"Done: {self.name_of(goal)}.")

    # -- plans ----------------------------------------------------------------------------------------------------
    def now_only(self) -> Projection:
        """What is known now."""
        return Projection(self.knowledge, self.lookup, self.domain.skills.find)

    def now_like(self) -> Projection:
        """What will be when all that is on the agenda has been done."""
        later = self.now_only()
        for item in self.agenda:
            later.do(item.robot, item.action)
        return later

    def _amount(self, key: tuple[Any, ...]) -> float:
        value = self.now_only().look(*key)
        return float(value) if isinstance(value, (int, float)) else 0.0

    def able(self) -> dict[str, tuple[str, ...]]:
        return {r: tuple(self.cards[r].skills) for r in sorted(self.reports.robots)}

    def plan_from(self, start: Projection, goal: Goal | list[Expr], rules: Iterable[Rule]) -> Answer:
        """A plan from a moment on; for a wish that can be fulfilled in several ways, the first way that has one."""
        rules = tuple(r for r in rules if self._is_here(r))
        if not isinstance(goal, Goal):
            return self.planner.plan(start.look, self.able(), goal, rules)
        wanted = self.wanted_of(goal)
        if wanted.wish is None:
            return self.planner.plan(start.look, self.able(), _parts(goal.what), rules)
        first: Answer | None = None
        for taken, conditions in self.domain.meanings(wanted.wish, start.look, self._taken(goal.id)):
            answer = self.planner.plan(start.look, self.able(), conditions, rules)
            if answer.found:
                self._bindings[answer.steps] = (taken, tuple(conditions))
                return answer
            first = first or answer
        return first or Answer("none")

    def _is_here(self, rule: Rule) -> bool:
        """A rule about a robot that is not here says nothing."""
        named = {c.right for c in getattr(getattr(rule.clause.expr, "expr", None), "exprs", ()) if c.left == "?robot"}
        return named <= self.reports.robots

    def _plan(self, goal: Goal) -> None:
        """Make a plan for a goal and begin with it; less urgent goals wait behind it."""
        if not self.agenda.of(goal.id) and self._holds(goal, self.now_only()):
            self._finish(goal)
            return
        behind = [g for g in self.goals.live() if g.state == "running" and g.priority < goal.priority]
        if behind:
            self.agenda.drop([g.id for g in behind])
        plan = self.plan_from(self.now_like(), goal, self._rules(goal))
        if plan.found:
            self._start(goal, plan)
        else:
            self._failures.append((goal.id, self._no_plan(plan)))
        for other in behind:
            self._end_attempt(other, "stopped")
            self.goals.move(other.id, "submitted", why=f"{goal.id} is more urgent")

    def _rules(self, goal: Goal) -> tuple[Rule, ...]:
        return (*self.recovery.rules.values(), *self.recovery.of(self._root(goal)).rules)

    def _holds(self, goal: Goal, moment: Projection) -> bool:
        return goal.holds(moment.look) is True

    @staticmethod
    def _no_plan(plan: Answer) -> Failure:
        cause = plan.why.cause if plan.why is not None else None
        return Failure("PLAN", cause or Cause("plan", None), words=plan.words)

    def _start(self, goal: Goal, plan: Answer, told: bool = True) -> None:
        """A plan is on the agenda from now on."""
        bound = self._bindings.get(plan.steps)
        wanted = self.wanted_of(goal)
        if bound is not None and wanted.wish is not None:
            wanted.taken, conditions = bound
            if goal.what != All(conditions):
                self.goals.amend(goal.id, All(conditions), MISSION, "another way to the same end")
                goal = self.goals[goal.id]
        if goal.state != "planned":
            self.goals.move(goal.id, "planned")
        self.agenda.extend(goal.id, plan, self._amount)
        self.goals.begin(goal.id, as_rows(plan.steps))
        wanted.scope |= scope(plan.steps, self.domain.people())
        guess = self.assessor.foretell(self._plan_name(self.goals[goal.id]), self._plan_steps([plan]))
        data = {"steps": as_rows(plan.steps), "chance": round(guess.chance, 3), "seconds": round(guess.duration_s, 1)}
        self.desk.note("plan", goal=goal.id, **data)
        if told:
            person = self._root(goal).by
            words = f"I have a plan of {len(plan.steps)} steps for {self.name_of(goal)}; it takes about {minutes(guess.duration_s)}."
            self.desk.tell(person, words)

    def assess(self, plans: Sequence[Answer]) -> Assessment:
        """How likely plans are to go through one after the other without a failure, and how long they take."""
        return self.assessor.assess(self._plan_steps(plans))

    def _plan_steps(self, plans: Sequence[Answer]) -> list[PlanStep]:
        return as_plan(plans, lambda s: self._usual_s(s.robot, s.action), self.domain.skills.find)

    def _usual_s(self, robot: str, action: Action) -> float:
        return self.domain.usual_s(self.cards[robot], action)

    def _record(self, item: Item, ok: bool, outcome: Outcome) -> None:
        """What became of a step, for those who judge plans later."""
        context = context_of(item.action, self.domain.skills.find(item.action.skill))
        usual = self._usual_s(item.robot, item.action)
        plan = self._plan_name(self.goals[item.goal])
        self.trials.add(Trial(item.action.skill, item.robot, ok, outcome.duration, usual, context, plan))

    @staticmethod
    def _plan_name(goal: Goal) -> str:
        return f"{goal.id}.{len(goal.attempts)}"

    def _end_attempt(self, goal: Goal, result: str, failure: Failure | None = None) -> None:
        """The plan of a goal is over; one that was stopped says nothing of its chances."""
        if goal.attempts and not goal.attempts[-1].result:
            begun = goal.attempts[-1].begun_s
            self.goals.end(goal.id, result, failure)
            if result != "stopped":
                self.trials.ended(self._plan_name(goal), result == "done", self.now - begun)

    def _replan_all(self, why: str) -> None:
        for goal in self.goals.all("running"):
            self.agenda.drop([goal.id])
            self._end_attempt(goal, "stopped")
            self.goals.move(goal.id, "submitted", why=why)

    # -- what breaks plans ----------------------------------------------------------------------------------------
    def _watch(self) -> bool:
        """Whether what is known now breaks a step that is still to come; it is then planned anew before it is
        reached."""
        mark = (len(self.knowledge.changes), self.agenda.made)
        if mark == self._checked:
            return False
        self._checked = mark
        later = self.now_only()
        for item in list(self.agenda):
            flaw = later.flaw(item.robot, item.action) if item.state == "waiting" else None
            if flaw is not None:
                return self._broken(item, flaw.cause)
            later.do(item.robot, item.action)
        return False

    def _broken(self, item: Item, cause: Cause) -> bool:
        goal = self.goals[item.goal]
        old = {i.number: i for i in self.agenda.waiting()}
        behind = [g for g in self.goals.all("running") if any(i.goal == g.id for i in old.values())]
        self.agenda.drop([g.id for g in behind])
        ordered = sorted(behind, key=lambda g: (-g.priority, g.submitted_s))
        for other in ordered:
            if other.id != goal.id:
                self._end_attempt(other, "stopped")
                self.goals.move(other.id, "submitted", why="a plan before it broke")
        plan = self.plan_from(self.now_like(), goal, self._rules(goal))
        wanted = self.wanted_of(goal)
        if plan.found and scope(plan.steps, self.domain.people()) <= wanted.scope:
            self._end_attempt(goal, "stopped")
            self.goals.move(goal.id, "submitted", why=justification(cause))
            self.desk.note("replanned", goal=goal.id, why=justification(cause), cause=data_of(cause))
            self._start(self.goals[goal.id], plan, told=False)
        else:
            found = Failure("PRECONDITION", cause.at("before"), item.robot, item.action.skill, item.action.args)
            self._failures.append((goal.id, found))
        return True

    def _holds_fact(self, fact: tuple[str, tuple[str, ...], Any]) -> bool:
        pred, args, value = fact
        return self.now_only().look(pred, *args) == value

    # -- failures -------------------------------------------------------------------------------------------------
    def _failed(self, goal: Goal, failure: Failure) -> None:
        self.agenda.drop([goal.id])
        self._checked = (-1, -1)
        if goal.attempts and not goal.attempts[-1].result:
            self._end_attempt(goal, "failed", failure)
        else:
            self.goals.note_failure(goal.id, failure.stage, failure.cause, failure.words)
        if self.goals[goal.id].state != "recovering":
            self.goals.move(goal.id, "recovering", why=justification(failure.cause))
        goal = self.goals[goal.id]
        self.recovery.note(goal, failure)
        self.wanted_of(goal).asked.clear()
        self._tell_failure(goal, failure)
        rule = self.recovery.learnt(goal, failure)
        if rule is not None:
            self._learn(goal, failure, rule)
        mine = self.recovery.of(goal)
        why = self.recovery.exhausted(goal, failure)
        if mine.last_try:
            why = why or "the last attempt failed as well"
        if why:
            self._give_up(goal, why, failure.cause)
            return
        mine.offers = self.recovery.alternatives(goal, failure)
        if not mine.offers:
            self._give_up(goal, "there is no other way", failure.cause)
        elif not mine.offers[0].approval:
            self._accept(goal, mine.offers[0])
        else:
            self._propose(goal)

    def _tell_failure(self, goal: Goal, failure: Failure) -> None:
        words, cause = self.desk.words(failure.cause), failure.cause
        step = {"robot": failure.robot, "skill": failure.skill, "args": list(failure.args)} if failure.skill else {}
        self.desk.note(
            "failure", goal=goal.id, stage=failure.stage, why=justification(cause), words=words, cause=data_of(cause),
            **step,
        )  # fmt: skip
        person = self._root(goal).by
        if cause is not None and cause.fact is not None and self.desk.lacks(person, cause):
            what = {"PLAN": "found no plan", "PRECONDITION": "cannot go on", "EFFECT": "did not get what I wanted"}
            text = f"I {what.get(failure.stage, 'failed execution')} because {words}."
            self.desk.tell(person, text, failure=justification(cause), goal=goal.id)
            self.desk.taught(person, cause)

    def _learn(self, goal: Goal, failure: Failure, rule: Rule) -> None:
        """What experience contradicts is not counted on any more."""
        pred, args = about(failure.cause)
        declared = (self.domain.skills.fluents or {}).get(pred)
        if declared is not None and declared.hoped:
            self.knowledge.tell(Fact(pred, args, False, self.now, MISSION))
        self.desk.note("learnt", goal=goal.id, rule=rule.name, skill=rule.skill)

    def _accept(self, goal: Goal, offer: Alternative) -> None:
        """Carry out a way out that was approved, or needs no approval."""
        self.recovery.choose(goal, offer)
        self.desk.note("recovery", goal=goal.id, policy=offer.policy, words=offer.words)
        wanted = self.wanted_of(goal)
        if offer.approval:
            wanted.scope |= scope(offer.steps, self.domain.people())
        if offer.request is not None:
            self._ask_person(goal, offer)
        elif offer.first is not None and offer.want is not None:
            if goal.state != "recovering":
                self.goals.move(goal.id, "recovering", why=offer.words)
            child = self.goals.submit(offer.want, MISSION, offer.words, 0, goal.id)
            if goal.priority:
                child = self.goals.set_priority(child.id, goal.priority, MISSION)
            self.desk.note("goal", goal=child.id, by=MISSION, text=offer.words, parent=goal.id)
            self._start(child, self._fresh(offer.first, child), told=False)
        else:
            assert offer.then is not None
            self._start(goal, self._fresh(offer.then, goal), told=False)

    def _fresh(self, plan: Answer, goal: Goal) -> Answer:
        """The plan that was approved, if it can still be done; otherwise another one for the same end."""
        later = self.now_like()
        for step in plan.steps:
            if step.robot not in self.reports.robots or later.flaw(*step) is not None:
                new = self.plan_from(self.now_like(), goal, self._rules(goal))
                return new if new.found else plan
            later.do(*step)
        return plan

    def _give_up(self, goal: Goal, why: str, cause: Cause | None) -> None:
        causes = [c for c in self._causes(goal) if c.fact is not None] or ([cause] if cause is not None else [])
        words = " and ".join(dict.fromkeys(self.desk.words(c) for c in causes))
        explanation = {"why": why, "because": [justification(c) for c in causes], "words": words}
        self.wanted_of(goal).explanation = explanation
        self.agenda.drop([goal.id])
        self.goals.move(goal.id, "failed", why=why)
        self.desk.note("failed", goal=goal.id, **explanation)
        parent = self.goals[goal.parent] if goal.parent else None
        if parent is None:
            self.desk.tell(goal.by, f"I give up {self.name_of(goal)}: {words or why}, and {why}.")
        elif not parent.over and parent.state == "recovering":
            mine = self.recovery.of(parent)
            mine.failures.extend(self.recovery.of(goal).failures)
            mine.last_try = True
            self.goals.move(parent.id, "submitted", why="what should mend it failed; a last attempt")

    def _causes(self, goal: Goal) -> list[Cause]:
        """What went wrong, each once, in the order in which it came up."""
        return list(dict.fromkeys(f.cause for f in self.recovery.of(goal).failures if f.cause is not None))

    # -- what robots do next --------------------------------------------------------------------------------------
    def next_step(self, robot: str) -> Item | None:
        """What a robot is to do now; None: nothing, or it waits for others."""
        item = self.agenda.ready(robot)
        if item is not None:
            self.agenda.begin(item, self.now)
        return item

    def stopped(self) -> list[str]:
        """Robots that work for goals that rest or are called off, and are to stop what they do."""
        found = [i for i in self.agenda.running() if self.goals[i.goal].state in ("paused", "cancelled")]
        for item in found:
            self.agenda.end(item, False, self.now)
        return [i.robot for i in found]


def _parts(what: Expr) -> list[Expr]:
    return list(what.exprs) if isinstance(what, All) else [what]


def holds(expr: Expr, look: Lookup) -> bool:
    value = compile_expr(expr)(look, {})
    return value is not UNKNOWN and bool(value)
