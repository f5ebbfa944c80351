"""Robots that join or return while plans run: whether a plan with them is worth changing over to.

A plan is changed for a newcomer only if it is clearly shorter: what it is expected to take must lie below the interval
in which the running plan's rest ends in eight of ten cases, so that the running plan would have to be lucky to be as
fast, and people must gain some seconds by it. It may not be less likely to work, nor keep other goals waiting. What has
begun goes on and is counted on. Plans that people said yes to are theirs, and stay.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from coterie.mission.agenda import Item
from coterie.mission.assess import Assessment, Progress
from coterie.mission.domain import minutes
from coterie.mission.goals import Goal
from coterie.mission.orders import Orders
from coterie.planning.answer import Answer
from coterie.planning.order import partial_order

GAIN_S = 10.0  # less than that nobody notices
RISK = 0.02  # by which a shorter plan may be less likely to work; samples differ by as much
CHANGES = 2  # of a goal's plan for newcomers: one who comes and goes does not upset everybody
LOOKS = 3  # at plans of one goal with the same robot


class Newcomers(Orders):
    """Running plans are held against plans with those who have come."""

    _changed: Counter[str]  # by goal
    _looked: Counter[tuple[str, str]]  # by goal and robot

    def _begin(self) -> None:
        super()._begin()
        self._changed, self._looked = Counter(), Counter()

    def _use_newcomers(self) -> bool:
        """Replan a goal for a robot or person who has come since it was planned; True if a plan was changed."""
        for goal in self.goals.all("running"):
            come = self._come_since(goal)
            if come and self._with_newcomers(goal, come):
                return True
        return False

    def _come_since(self, goal: Goal) -> list[str]:
        """Robots that came after a goal was planned, and were not looked at too often; each is told of once."""
        known = self._planned_with.setdefault(goal.id, set(self.reports.robots))
        known &= self.reports.robots
        come = sorted(self.reports.robots - known)
        known.update(come)
        theirs = goal.parent or goal.proposal is not None  # a person said yes to this very plan
        if theirs or not self.replans or self._changed[goal.id] >= CHANGES:
            return []
        self._looked.update((goal.id, r) for r in come)
        return [r for r in come if self._looked[goal.id, r] <= LOOKS]

    def _with_newcomers(self, goal: Goal, come: Sequence[str]) -> bool:
        waiting = [i for i in self.agenda.of(goal.id) if i.state == "waiting"]
        if not waiting or self._others_need(goal):
            return False
        attempt = len(goal.attempts)
        plan = self._plan_with(goal, come)  # robots may go on meanwhile
        now = self.goals[goal.id]
        failed = any(id == goal.id for id, _ in self._failures)
        if not plan.found or failed or now.state != "running" or len(now.attempts) != attempt:
            return False
        left = self._without_begun(plan, waiting)
        helps = [r for r in come if any(s.robot == r for s in left.steps) and r in self.reports.robots]
        if not helps or self._leads_to(left, now, self.now_like(goal.id)) is not True:
            self.desk.note("kept", goal=goal.id, robots=list(come))
            return False
        return self._held_against(now, left, helps)

    def _plan_with(self, goal: Goal, come: Sequence[str]) -> Answer:
        """A plan in which newcomers may have a part. Engines do not know who is free already and who only when other
        goals are done: where those who come are left out, the busy ones are."""
        plan = self.plan_from(self.now_like(goal.id), goal, self._rules(goal))
        busy = {i.robot for i in self.agenda.waiting() if i.goal != goal.id}
        if not busy.difference(come) or (plan.found and any(s.robot in come for s in plan.steps)):
            return plan
        without = self.plan_from(self.now_like(goal.id), goal, self._rules(goal), but=busy.difference(come))
        return without if without.found else plan

    def _others_need(self, goal: Goal) -> bool:
        """True if steps of other goals depend on steps of this one that have not begun."""
        later = self.now_only()
        for item in self.agenda:
            if item.state == "waiting" and item.goal == goal.id:
                continue
            if item.state == "waiting" and later.flaw(item.robot, item.action) is not None:
                return True
            later.do(item.robot, item.action)
        return False

    def _without_begun(self, plan: Answer, waiting: Sequence[Item]) -> Answer:
        """A plan without the steps that were begun while it was sought."""
        begun = Counter(i.step for i in waiting if i.state != "waiting")
        kept = []
        for i, step in enumerate(plan.steps):
            if begun[step]:
                begun[step] -= 1
            else:
                kept.append(i)
        left = replace(plan, steps=tuple(plan.steps[i] for i in kept), uses=tuple(plan.uses[i] for i in kept), after=())
        if plan.steps in self._bindings:
            self._bindings[left.steps] = self._bindings[plan.steps]
        return left

    def _held_against(self, goal: Goal, plan: Answer, helps: Sequence[str]) -> bool:
        others = [i for i in self.agenda if i.goal != goal.id or i.state == "running"]
        old, old_all = self._ahead(list(self.agenda), goal.id)
        items = [Item(-n, goal.id, s.robot, s.action, u, frozenset()) for n, (s, u) in
                 enumerate(zip(plan.steps, plan.uses), 1)]  # fmt: skip
        new, new_all = self._ahead([*others, *items], goal.id)
        low, rest, then = (s - self._since() for s in (old.low_s, old.duration_s, new.duration_s))
        better = then < low and rest - then >= GAIN_S
        better = better and new.chance >= old.chance - RISK and new_all.duration_s <= old_all.duration_s
        times = {"rest_s": round(rest, 1), "low_s": round(low, 1), "then_s": round(then, 1)}
        if not better:
            self.desk.note("kept", goal=goal.id, robots=list(helps), **times)
            return False
        self._changed[goal.id] += 1
        self.agenda.drop([goal.id])
        self._end_attempt(goal, "stopped")
        self.goals.move(goal.id, "submitted", why=f"it is shorter with {' and '.join(helps)}")
        self.desk.note("changed_over", goal=goal.id, robots=list(helps), **times)
        self._start(self.goals[goal.id], plan, told=False)
        words = f"{' and '.join(helps)} can help with {self.name_of(goal)}: it takes about {minutes(then)} from now on"
        self.desk.tell(self._root(goal).by, f"{words} instead of {minutes(rest)}.")
        return True

    def _since(self) -> float:
        """How long the step has lasted that began first of those under way [s]."""
        return self.now - min((i.begun_s for i in self.agenda.running()), default=self.now)

    def _ahead(self, items: Sequence[Item], goal: str) -> tuple[Assessment, Assessment]:
        """How long it takes until a goal is reached, and until all is done, since the first step under way began."""
        order = partial_order([i.step for i in items], [i.use for i in items], self._amount)
        needed: set[int] = set()
        for n in reversed(range(len(items))):
            if items[n].goal == goal or n in needed:
                needed |= {n, *order[n]}
        begun = self.now - self._since()
        told = Progress(
            self._since(), {str(n): i.begun_s - begun for n, i in enumerate(items) if i.state == "running"}
        )  # fmt: skip
        steps = [self._plan_step(n, i.step, order[n]) for n, i in enumerate(items)]
        mine = [s for n, s in enumerate(steps) if n in needed]
        return self.assessor.assess(mine, told), self.assessor.assess(steps, told)
