"""How a goal is served: a plan is made and begun, watched while it goes on, and ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coterie.core.action import Cause, Outcome
from coterie.core.expr import All, Expr, fluents
from coterie.mission.agenda import Item, scope
from coterie.mission.assess import Trial
from coterie.mission.base import Base
from coterie.mission.desk import as_rows, data_of
from coterie.mission.domain import context_of, minutes
from coterie.mission.goals import Failure, Goal
from coterie.mission.policies import ONLINE, justification
from coterie.mission.projection import Projection, undone
from coterie.mission.reports import MISSION
from coterie.planning.answer import Answer


class Serving(Base):
    """A goal from its plan to its end; one that only others stand in the way of is not given up."""

    def _plan(self, goal: Goal) -> None:
        """Make a plan for a goal and begin with it; less urgent goals wait behind it."""
        if self._before(goal, stuck=False):
            return
        if not self.agenda.of(goal.id) and goal.holds(self.now_only().look) is True:
            self._finish(goal)
            return
        behind, taken_off = self._make_way(goal)
        plan = self.plan_from(self.now_like(), goal, self._rules(goal))
        if plan.found:
            self._blocked.pop(goal.id, None)
            self._start(goal, plan)
            self._put_behind(goal, behind)
            return
        self.agenda.restore(taken_off, self._amount)  # nobody has to wait for what cannot be begun
        self._checked = (-1, -1)
        if self._hinders(goal):
            self._wait_for_others(goal)
        elif not self._before(goal, stuck=True):
            self._blocked.pop(goal.id, None)
            self._failures.append((goal.id, self._no_plan(plan)))

    def _before(self, goal: Goal, stuck: bool) -> bool:
        """Begin a goal that has to come first: search for what nobody has seen; True if there is one."""
        wish, look, robots = self.wanted_of(goal).wish, self.now_like().look, self.reports.robots
        for words, what in self.domain.before(wish, look, stuck, robots) if wish is not None else ():
            plan = self.plan_from(self.now_like(), [what], self._rules(goal))
            if plan.found and plan.steps:
                self._blocked.pop(goal.id, None)
                self.desk.tell(self._root(goal).by, f"First I {words}.")
                self._start(self._part(goal, what, words), plan, told=False)
                return True
        return False

    def _part(self, goal: Goal, what: Expr, words: str) -> Goal:
        """A goal of the mission's own, after which another one is planned anew."""
        if goal.state != "recovering":
            self.goals.move(goal.id, "recovering", why=words)
        part = self.goals.submit(what, MISSION, words, 0, goal.id)
        if goal.priority:
            part = self.goals.set_priority(part.id, goal.priority, MISSION)
        self.desk.note("goal", goal=part.id, by=MISSION, text=words, parent=goal.id)
        return part

    def _make_way(self, goal: Goal) -> tuple[list[Goal], list[Item]]:
        """Less urgent goals, and their steps, which are taken off the agenda."""
        behind = [g for g in self.goals.live() if g.state == "running" and g.priority < goal.priority]
        return behind, self.agenda.drop([g.id for g in behind])

    def _put_behind(self, goal: Goal, others: Sequence[Goal]) -> None:
        """Goals whose steps were taken off the agenda for a more urgent one are planned anew behind it, at once or as
        soon as there is a way."""
        for other in others:
            self._end_attempt(other, "stopped")
            self.goals.move(other.id, "submitted", why=f"{goal.id} is more urgent")
            self._preempted[other.id] = goal.id
            self.desk.note("preempted", goal=other.id, by=goal.id)

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
        self._tell_undone(goal, plan)
        self.agenda.extend(goal.id, plan, self._amount)
        self._lost.pop(goal.id, None)
        for_whom = self._preempted.pop(goal.id, None)
        if for_whom is not None:
            self.desk.note("resumed", goal=goal.id, after=for_whom)
        self.goals.begin(goal.id, as_rows(plan.steps))
        wanted.scope |= scope(plan.steps, self.domain.people())
        guess = self.assessor.foretell(self._plan_name(self.goals[goal.id]), self._plan_steps([plan]))
        data = {"steps": as_rows(plan.steps), "chance": round(guess.chance, 3), "seconds": round(guess.duration_s, 1)}
        self.desk.note("plan", goal=goal.id, **data)
        if told:
            person = self._root(goal).by
            many = f"{len(plan.steps)} step{'s' * (len(plan.steps) != 1)}"
            words = f"I have a plan of {many} for {self.name_of(goal)}; it takes about {minutes(guess.duration_s)}."
            comes = f"What is under way already brings about {self.name_of(goal)}."
            self.desk.tell(person, words if plan.steps else comes)

    def _tell_undone(self, goal: Goal, plan: Answer) -> None:
        """Tell the person served when that is taken away again, as nothing else is there, and who wants it."""
        for other in undone(self, goal, plan):
            name, served = self.name_of(self._root(goal)), self.name_of(other)
            by = self._root(goal).by
            self.desk.note("undone", goal=other.id, by=goal.id)
            self.desk.tell(by, f"I find no other way for {name} than to take away what I brought: {served}.")
            if other.by != by:
                self.desk.tell(other.by, f"{by} wants {name}, so I take away what I brought for you: {served}.")

    def _finish(self, goal: Goal) -> None:
        self.agenda.drop([goal.id])
        self._end_attempt(goal, "done")
        self.goals.move(goal.id, "done")
        steps = sum(i.goal == goal.id for i in self.agenda.past)
        self.desk.note("done", goal=goal.id, seconds=round(self.now - goal.submitted_s, 1), steps=steps)
        if goal.parent:
            parent = self.goals[goal.parent]
            if parent.state == "recovering":
                self.goals.move(parent.id, "submitted", why="what was in the way is mended")
        else:
            self.desk.tell(goal.by, f"Done: {self.name_of(goal)}.")

    def _reached(self, goal: Goal) -> bool:
        busy = any(i.state == "running" for i in self.agenda.of(goal.id))
        return not busy and goal.holds(self.now_only().look) is True

    def _open_condition(self, goal: Goal, moment: Projection) -> Cause:
        """The condition that a goal still misses at a moment."""
        for part in goal.missing(moment.look):
            for fluent in fluents(part):
                return Cause(fluent.pred, (fluent.pred, fluent.args, moment.look(fluent.pred, *fluent.args)), "after")
        return Cause("goal", None, "after")

    def _record(self, item: Item, ok: bool, outcome: Outcome) -> None:
        """Record the outcome of a step as a trial, for judging later plans."""
        context = context_of(item.action, self.domain.skills.find(item.action.skill))
        usual = self.domain.usual_s(self.cards[item.robot], item.action)
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

    def _withdraw(self, goal: Goal) -> None:
        """Its steps, and those of what should mend it, are not begun any more; others may have counted on them."""
        self._lose([goal.id, *(c.id for c in self.goals.children(goal.id))])
        self._checked = (-1, -1)

    def _lose(self, ids: Sequence[str], failure: Failure | None = None) -> None:
        """Drop steps; steps of other goals that may have counted on them, or on the one that failed, are noted."""
        lost = self.agenda.drop(ids)
        if failure is not None:
            step = (failure.robot, failure.skill, failure.args)
            tried = (i for i in reversed(self.agenda.past) if i.state == "failed" and i.goal in ids)
            lost += [i for i in tried if (i.robot, i.action.skill, i.action.args) == step][:1]
        for other in self.goals.all("running"):
            if other.id not in ids:
                self._lost.setdefault(other.id, []).extend(lost)

    def _rests_on_lost(self, item: Item | None, goal: Goal) -> bool:
        """True if a plan is broken only because steps of others are not done that it counted on."""
        lost = self._lost.get(goal.id, [])
        later = self.now_only()
        for i in sorted([*self.agenda, *lost], key=lambda i: i.number) if lost else ():
            if i is item:
                return self._hitch(item, later) is None
            later.do(i.robot, i.action)
            if item is None and i is self.agenda.of(goal.id)[-1]:
                return goal.holds(later.look) is not False
        return False

    def _watch(self) -> bool:
        """True if what is known now breaks a step that is still to come; it is then planned anew before it is
        reached."""
        mark = (len(self.knowledge.changes), self.agenda.made)
        if mark == self._checked:
            return False
        self._checked = mark
        later, items = self.now_only(), list(self.agenda)
        last = {item.goal: item.number for item in items}
        for item in items:
            goal = self.goals[item.goal]
            cause = self._hitch(item, later) if item.state == "waiting" else None
            if cause is not None:
                return self._broken(item, cause, goal)
            later.do(item.robot, item.action)
            # A goal is over when it is reached: what others make of it later is theirs.
            if item.number == last[goal.id] and goal.state == "running" and goal.holds(later.look) is False:
                return self._broken(None, self._open_condition(goal, later), goal)
        return False

    def _hitch(self, item: Item, moment: Projection) -> Cause | None:
        """The reason why a step cannot be done at a moment: one that it needs is gone, or a condition does not hold."""
        gone = [n for n in (item.robot, *item.action.args) if n in self.cards and n not in self.reports.robots]
        if gone:
            return Cause(ONLINE, (ONLINE, (gone[0],), False), "before")
        flaw = moment.flaw(item.robot, item.action)
        return None if flaw is None else flaw.cause

    def _broken(self, item: Item | None, cause: Cause, goal: Goal) -> bool:
        """A plan will not do what it should: by a step that cannot be done, or because it ends elsewhere."""
        rests = self._rests_on_lost(item, goal)
        old = {i.number: i for i in self.agenda.waiting()}
        behind = [g for g in self.goals.all("running") if any(i.goal == g.id for i in old.values())]
        self.agenda.drop([g.id for g in behind])
        ordered = sorted(behind, key=lambda g: (-g.priority, g.submitted_s))
        for other in ordered:
            if other.id != goal.id:
                self._end_attempt(other, "stopped")
                self.goals.move(other.id, "submitted", why="a plan before it broke")
        come = self.reports.robots - self._planned_with.get(goal.id, self.reports.robots)  # and may stand in the way
        plan = self.plan_from(self.now_like(), goal, self._rules(goal))
        within = self.replans and scope(plan.steps, self.domain.people()) <= self.wanted_of(goal).scope | come
        if plan.found and (rests or within):  # what broke is another goal's: this one is planned as if asked for now
            self._end_attempt(goal, "stopped")
            self.goals.move(goal.id, "submitted", why=justification(cause))
            self.desk.note("replanned", goal=goal.id, why=justification(cause), cause=data_of(cause))
            self._start(self.goals[goal.id], plan, told=False)
        elif not plan.found and self._hinders(goal):
            self._end_attempt(goal, "stopped")
            self._wait_for_others(goal)
        elif rests:
            self._failures.append((goal.id, self._no_plan(plan)))
        else:
            step = (item.robot, item.action.skill, item.action.args) if item is not None else ("", "", ())
            self._failures.append((goal.id, Failure("PRECONDITION", cause.at("before"), *step)))
        return True

    # -- goals that wait for others -------------------------------------------------------------------------------
    def _others(self, goal: Goal) -> tuple[Any, ...]:
        """How the other goals that are not over stand, without those that mend this one."""
        root = self._root(goal).id
        return tuple((g.id, g.state, len(g.attempts)) for g in self.goals.live() if self._root(g).id != root)

    def _stand(self, goal: Goal) -> Any:
        """All that a plan for a goal that waits for others hangs on: how these stand, who is here, and what will be so
        when everything on the agenda is done. As long as robots do what they should, that stays the same."""
        later = self.now_like()
        facts = {(f.pred, *f.args): f.value for f in self.knowledge.facts()}
        return self._others(goal), frozenset(self.reports.robots), {**facts, **later.changed}

    def _hinders(self, goal: Goal) -> bool:
        """True if a goal without a plan could be reached if it were not for the others."""
        if not self._others(goal):
            return False
        return self.plan_from(self.now_only(), goal, self._rules(goal), alone=True).found

    def _wait_for_others(self, goal: Goal) -> None:
        """Try again when others' goals have changed, a robot or person joins, or the state is different."""
        before, self._blocked[goal.id] = self._blocked.get(goal.id), self._stand(goal)
        by = [o[0] for o in self._others(goal)]
        if goal.state != "submitted":
            self.goals.move(goal.id, "submitted", why="others are in the way")
        if before is None or [o[0] for o in before[0]] != by:
            self.desk.note("blocked", goal=goal.id, by=by)

    def _may_plan(self, goal: Goal) -> bool:
        """True if it is worth looking for a plan: at first, and then whenever something has changed."""
        return goal.id not in self._blocked or self._blocked[goal.id] != self._stand(goal)
