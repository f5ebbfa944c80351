"""Goals that wait for others: why, and when it is worth looking for a plan again."""

from __future__ import annotations

from typing import Any

from coterie.mission.base import Base
from coterie.mission.goals import Goal


class Waiting(Base):
    """A goal that only others stand in the way of is not given up."""

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
        """Whether a goal for which there is no plan could be reached if it were not for the others."""
        if not self._others(goal):
            return False
        return self.plan_from(self.now_only(), goal, self._rules(goal), alone=True).found

    def _wait_for_others(self, goal: Goal) -> None:
        """Try again when something has become of the others, somebody joins, or something is otherwise than it was."""
        before, self._blocked[goal.id] = self._blocked.get(goal.id), self._stand(goal)
        by = [o[0] for o in self._others(goal)]
        if goal.state != "submitted":
            self.goals.move(goal.id, "submitted", why="others are in the way")
        if before is None or [o[0] for o in before[0]] != by:
            self.desk.note("blocked", goal=goal.id, by=by)

    def _may_plan(self, goal: Goal) -> bool:
        """Whether it is worth looking for a plan: at first, and then whenever something has changed."""
        return goal.id not in self._blocked or self._blocked[goal.id] != self._stand(goal)
