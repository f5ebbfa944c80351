"""The upper bound: sees the truth, plans jointly, follows the plan and plans anew when it breaks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from coterie.core.action import WAIT, Action
from coterie.core.protocol import Asking, TeamProtocol, TeamView
from coterie.core.task import Change
from coterie.protocols.house_expert import HouseExpert
from coterie.worlds.household.world import HouseholdWorld
from coterie.worlds.indoor.errands import planner_of
from coterie.worlds.indoor.joint import Plan, arm_action
from coterie.worlds.indoor.world import IndoorWorld


class Expert(TeamProtocol):
    sees = "truth"
    about = "sees the truth and plans for all robots together (upper bound)"

    def __init__(self) -> None:
        self.plan: Plan | None = None
        self.moment: object = None
        self.waited = 0
        self.shut: frozenset[str] = frozenset()
        self.in_house = HouseExpert()

    def told(self, change: Change) -> None:
        self.plan = None
        self.in_house.told(change)

    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        if isinstance(team.world, HouseholdWorld):
            return (yield from self.in_house.decide(team, idle))
        world = cast(IndoorWorld, team.world)
        failed = any(team.robots[n].outcome is not None and not team.robots[n].outcome.ok for n in idle)  # type: ignore[union-attr]
        moment = (tuple(world.cards), world.goal, sum(k[0] in ("allowed", "stand_allowed") for k in world.truth))
        done = self.plan is not None and not any(self.plan.queues.values())
        left = done and bool(planner_of(world).to_fetch())  # something came to lie where the arm cannot reach it
        shut = world.fluents.closed_doors(world.look)
        slammed = bool(shut - self.shut)
        self.shut = shut
        if self.plan is None or failed or left or slammed or moment != self.moment or self.waited > 2:
            planner = planner_of(world)
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
            return self._step_aside(world, robot)
        if not world.check({robot: queue[0]})[robot].ok:
            self.waited += 1
            return Action(WAIT)
        return queue.pop(0)

    def _step_aside(self, world: IndoorWorld, robot: str) -> Action:
        """With nothing to do, leave the place that a teammate is waiting for."""
        truth, mobility = world.truth, world.cards[robot].mobility
        here = (truth["at", robot], truth["stand", robot])
        heads = [
            q[0].args
            for n, q in (self.plan.queues if self.plan is not None else {}).items()
            if n != robot
            and n in world.cards
            and q
            and q[0].skill == "navigate"
            and world.cards[n].mobility == mobility
        ]
        if here not in heads:
            return Action(WAIT)
        for furniture, stand in world.scene.stand_poses:
            away = Action("navigate", (furniture, stand))
            if (furniture, stand) not in heads and world.check({robot: away})[robot].ok:
                return away
        return Action(WAIT)
