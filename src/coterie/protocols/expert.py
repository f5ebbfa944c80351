"""The upper bound: sees the truth, plans jointly, follows the plan and plans anew when it breaks."""

from __future__ import annotations

import random
from collections.abc import Sequence

from coterie.core.action import COMMUNICATE, WAIT, Action
from coterie.core.judge import known_verdict
from coterie.core.kinds import Kind
from coterie.core.lazy import lazy
from coterie.core.protocol import Asking, RobotView, SoloProtocol, TeamProtocol, TeamView
from coterie.core.seeds import rng_of
from coterie.core.task import Change
from coterie.motion.grid import Point
from coterie.worlds.indoor.plans.errands import planner_of
from coterie.worlds.indoor.plans.joint import Plan, arm_action
from coterie.worlds.indoor.plans.standing import Standing, headings, next_deed
from coterie.worlds.indoor.tasks.difficulty import WIDE
from coterie.worlds.indoor.world import IndoorWorld


class Expert(TeamProtocol):
    sees = "truth"
    about = "sees the truth and plans for all robots together (upper bound)"

    def __init__(self) -> None:
        self.plan: Plan | None = None
        self.moment: object = None
        self.waited = 0
        self.clock = False
        self.going: dict[str, Action] = {}
        self.wanted: dict[str, list[Point]] = {}  # where robots would go that wait until others have left
        self.shut: frozenset[str] = frozenset()

    @lazy
    def in_house(self) -> TeamProtocol:
        """How it plans in houses that nobody knows."""
        from coterie.protocols.house_expert import HouseExpert  # imported only where it is needed

        return HouseExpert()

    def told(self, change: Change) -> None:
        self.plan = None
        if "in_house" in self.__dict__:
            self.in_house.told(change)

    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        if not isinstance(team.world, IndoorWorld):
            return (yield from self.in_house.decide(team, idle))
        world = team.world
        failed = any(team.robots[n].outcome is not None and not team.robots[n].outcome.ok for n in idle)  # type: ignore[union-attr]
        moment = (tuple(world.cards), world.goal, sum(k[0] in ("allowed", "stand_allowed") for k in world.truth))
        done = self.plan is not None and not any(self.plan.queues.values())
        level = team.task.about.get("level") if team.task is not None else None
        self.clock = level == WIDE  # there time is short, not steps
        left = done and bool(planner_of(world).to_fetch())  # something came to lie where the arm cannot reach it
        shut = world.fluents.closed_doors(world.look)
        slammed = bool(shut - self.shut)
        self.shut = shut
        if self.plan is None or failed or left or slammed or moment != self.moment or self.waited > 2:
            planner = planner_of(world, clock=self.clock)
            self.plan, self.moment, self.waited = planner.best() or planner.best(part=True), moment, 0
        return self._joint(world, idle)
        yield []

    def _joint(self, world: IndoorWorld, idle: Sequence[str]) -> dict[str, Action]:
        """One action for each idle robot. Those that hold something choose first where to stand; others make room."""
        busy = [n for n in world.cards if n not in idle]
        planner = planner_of(world)
        standing = Standing(world, planner, headings(world, busy, self.going))
        standing.wanted = {n: p for n, p in self.wanted.items() if n in busy}  # those who wait for a place
        found: dict[str, Action] = {}
        for robot in sorted(idle, key=lambda n: (world.truth["holding", n] is None, -len(self._queue(n)), n)):
            found[robot] = self._next(world, standing, robot)
        for robot in idle:
            still = found[robot].skill == WAIT and world.cards[robot].moves
            if still and standing.in_the_way(robot):
                found[robot] = standing.aside(robot)
        self.wanted = standing.wanted
        self.going = {**{n: self.going[n] for n in busy if n in self.going}, **found}
        return {n: found[n] for n in idle}

    def _queue(self, robot: str) -> list[Action]:
        return self.plan.queues.get(robot, []) if self.plan is not None else []

    def _next(self, world: IndoorWorld, standing: Standing, robot: str) -> Action:
        if world.cards[robot].mobility == "fixed":
            action = arm_action(world, robot)
            return action if world.check({robot: action})[robot].ok else Action(WAIT)
        queue = self._queue(robot)
        while queue and queue[0].skill == "navigate" and standing.serves_here(robot, queue[0].args, next_deed(queue)):
            queue.pop(0)
        while queue and queue[0].skill == "open" and world.truth["open", queue[0].args[0]]:
            queue.pop(0)
        if not queue:
            return Action(WAIT)
        if queue[0].skill == "navigate":
            way = standing.go(robot, queue[0].args, next_deed(queue))
            if way is not None:
                queue.pop(0)
                return way
        elif world.check({robot: queue[0]})[robot].ok:
            return queue.pop(0)
        self.waited += 1
        return Action(WAIT)


# -- chance -----------------------------------------------------------------------------------------------------------
# Chance, as the lower bound: any action of the card, or any that is not known to be impossible.
class Random(SoloProtocol):
    """A random action of the card on names from the map and from what was seen."""

    about = "random actions from the robot's card"
    tries = 1

    def act(self, me: RobotView) -> Action:
        rng = rng_of(me.seed, me.name, "random", me.step)
        action = _draw(me, rng)
        for _ in range(self.tries - 1):
            if known_verdict(me, action).ok is not False:
                break
            action = _draw(me, rng)
        return action


class RandomLegal(Random):
    """Draws again while the robot itself knows that the action cannot work."""

    about = "random actions that the robot does not know to be impossible"
    tries = 30


def _draw(me: RobotView, rng: random.Random) -> Action:
    name = rng.choice(me.card.skills)
    skill = me.skills[name]
    if name == COMMUNICATE:
        to = rng.choice([*me.heartbeat, "all"])
        return Action(name, ("Hello, I am still looking.", (to,)))
    return Action(name, tuple(_value(me, me.language.kind(p.kind), rng) for p in skill.params))


def _value(me: RobotView, kind: Kind, rng: random.Random) -> object:
    if kind.span is not None:
        return round(rng.uniform(*kind.span), 2)
    if kind.held:
        holding = me.look("holding", me.name)
        if isinstance(holding, str):
            return holding
    names = kind.names(me)
    if not names:
        return "" if kind.quoted else "nothing"
    value = rng.choice(names)
    return (value,) if kind.many else value
