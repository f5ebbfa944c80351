"""The upper bound: sees the truth, plans jointly, follows the plan and plans anew when it breaks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from coterie.core.action import WAIT, Action
from coterie.core.protocol import Asking, TeamProtocol, TeamView
from coterie.core.task import Change
from coterie.worlds.indoor.joint import Plan, Planner, arm_action
from coterie.worlds.indoor.world import IndoorWorld


class Expert(TeamProtocol):
    sees = "truth"
    about = "sees the truth and plans for all robots together (upper bound)"

    def __init__(self) -> None:
        self.plan: Plan | None = None
        self.moment: object = None
        self.waited = 0

    def told(self, change: Change) -> None:
        self.plan = None

    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        world = cast(IndoorWorld, team.world)
        failed = any(team.robots[n].outcome is not None and not team.robots[n].outcome.ok for n in idle)  # type: ignore[union-attr]
        moment = (tuple(world.cards), world.goal, sum(k[0] in ("allowed", "stand_allowed") for k in world.truth))
        done = self.plan is not None and not any(self.plan.queues.values())
        left = done and bool(Planner(world).to_fetch())  # something came to lie where the arm cannot reach it
        if self.plan is None or failed or left or moment != self.moment or self.waited > 2:
            planner = Planner(world)
            self.plan, self.moment, self.waited = planner.best() or planner.best(part=True), moment, 0
        return {n: self._next(world, n) for n in idle}
        yield []

    def _next(self, world: IndoorWorld, robot: str) -> Action:
        if world.cards[robot].mobility == "fixed":
            action = arm_action(world, robot)
            return action if world.check({robot: action})[robot].ok else Action(WAIT)
        queue = self.plan.queues.get(robot, []) if self.plan is not None else []
        here = (world.truth["at", robot], world.truth["stand", robot])
        while queue and queue[0].skill == "navigate" and queue[0].args == here:
            queue.pop(0)
        while queue and queue[0].skill == "open" and world.truth["open", queue[0].args[0]]:
            queue.pop(0)
        if not queue:
            return Action(WAIT)
        if not world.check({robot: queue[0]})[robot].ok:
            self.waited += 1
            return Action(WAIT)
        return queue.pop(0)
