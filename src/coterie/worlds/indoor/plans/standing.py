"""Stand poses for plans with full knowledge: a free place to stand from which the next action can be done.

A plan names one side of a piece of furniture for each action. Where that is taken, or another is about to take it,
another side may do; where none is free, a robot that stands there without need makes room.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from coterie.core.action import WAIT, Action
from coterie.core.card import Card
from coterie.houses.scene import dist
from coterie.motion.grid import Point
from coterie.worlds.indoor.plans.joint import Planner
from coterie.worlds.indoor.world import IndoorWorld

Stop = tuple[str, str]  # furniture and stand pose


class Standing:
    """The places to stand of one moment: taken by those who are there, reserved for those who are on their way."""

    def __init__(self, world: IndoorWorld, planner: Planner, heading: Mapping[str, Point]):
        self.world, self.planner = world, planner
        self.cards: Mapping[str, Card] = world.cards
        self.heading = dict(heading)  # robot -> where it is on its way to
        self.wanted: dict[str, list[Point]] = {}  # robot -> where it could do its next action, had others left

    # -- going ----------------------------------------------------------------------------------------------------
    def serving(self, robot: str, furniture: str, deed: Action | None, planned: str) -> list[str]:
        """Sides of a piece of furniture from which a robot can do an action, the planned one first."""
        world, card = self.world, self.cards[robot]
        if furniture not in world.scene.piece:
            return [planned]  # a door: this side of it
        good = []
        for stand, pose in self.planner.stands(robot, furniture):
            if deed is None or self._serves(robot, card, pose, furniture, deed, stand):
                good.append(stand)
        good.sort(key=lambda s: (s != planned, dist(world.truth["pose", robot], world.scene.stand_poses[furniture, s])))
        return good or [planned]

    def _serves(self, robot: str, card: Card, pose: Point, furniture: str, deed: Action, stand: str) -> bool:
        world, fluents = self.world, self.world.fluents
        if deed.skill == "pick":
            return card.gap(pose, world.truth["spot", deed.args[0]]) <= card.reach_m
        if deed.skill == "open":
            return fluents.distance_to(card, pose, str(deed.args[0])) <= card.reach_m
        if deed.skill == "place":
            onto = str(deed.args[1])
            if onto == self.planner.table and self.planner.arm is not None and world.goal.kind != "bring":
                return stand in self.planner.drop_stands(robot)
            free = fluents.free_spot(world.look, card, pose, onto) is not None
            return free and fluents.reach_gap(world.look, card, pose, onto) <= card.reach_m
        return True

    def go(self, robot: str, planned_stop: Stop, deed: Action | None) -> Action | None:
        """The way to a free side, reserved from now on; None where all are taken."""
        furniture, planned = planned_stop
        poses = self.world.scene.stand_poses
        options = self.serving(robot, furniture, deed, planned)
        for stand in options:
            action = Action("navigate", (furniture, stand))
            if self._free(robot, poses[furniture, stand]) and self.world.check({robot: action})[robot].ok:
                self.heading[robot] = poses[furniture, stand]
                return action
        self.wanted[robot] = [poses[furniture, s] for s in options]
        return None

    def serves_here(self, robot: str, planned_stop: Stop, deed: Action | None) -> bool:
        """True if it stands where its next action can be done already."""
        furniture, planned = planned_stop
        truth = self.world.truth
        here = truth["at", robot], truth["stand", robot]
        return here[0] == furniture and here[1] in self.serving(robot, furniture, deed, planned)

    def _free(self, robot: str, p: Point) -> bool:
        card = self.cards[robot]
        for other, goal in self.heading.items():
            theirs = self.cards.get(other)
            alike = other != robot and theirs is not None and theirs.mobility == card.mobility
            if alike and theirs is not None and dist(goal, p) < card.footprint_m + theirs.footprint_m - 1e-9:
                return False
        return True

    # -- making room ----------------------------------------------------------------------------------------------
    def in_the_way(self, robot: str) -> bool:
        """True if it stands where another could do its next action, and nowhere else could."""
        here, card = self.world.truth["pose", robot], self.cards[robot]
        return any(
            other != robot
            and self.cards[other].mobility == card.mobility
            and any(dist(here, p) < card.footprint_m + self.cards[other].footprint_m for p in places)
            for other, places in self.wanted.items()
        )

    def aside(self, robot: str) -> Action:
        """To the nearest stand pose that nobody needs; it waits where there is none."""
        poses, truth = self.world.scene.stand_poses, self.world.truth
        needed = [p for places in self.wanted.values() for p in places]
        here = truth["pose", robot]
        for stop in sorted(poses, key=lambda s: (dist(poses[s], here), s)):
            if stop[0] not in self.world.scene.piece or stop == (truth["at", robot], truth["stand", robot]):
                continue
            if any(dist(poses[stop], p) < 0.5 for p in needed) or not self._free(robot, poses[stop]):
                continue
            if not self.planner.may_stand(robot, *stop):
                continue
            action = Action("navigate", stop)
            if self.world.check({robot: action})[robot].ok:
                self.heading[robot] = poses[stop]
                return action
        return Action(WAIT)


def headings(world: IndoorWorld, busy: Iterable[str], going: Mapping[str, Action]) -> dict[str, Point]:
    """Where robots that are under way will stand."""
    found: dict[str, Point] = {}
    for name in busy:
        action = going.get(name)
        if action is not None and action.skill == "navigate" and action.args in world.scene.stand_poses:
            found[name] = world.scene.stand_poses[action.args]
    return found


def next_deed(queue: Sequence[Action]) -> Action | None:
    """The next action after going there."""
    return next((a for a in queue if a.skill != "navigate"), None)
