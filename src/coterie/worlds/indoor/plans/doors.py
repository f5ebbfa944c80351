"""Closed doors in plans: which of them a robot can open, and who opens them on whose way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from coterie.core.action import Action
from coterie.core.card import Card
from coterie.houses.scene import dist
from coterie.motion.grid import Point
from coterie.worlds.indoor.world import IndoorWorld


class Doors:
    """The doors of one moment, as a planner sees them. `states` are taken to be so whatever the truth says."""

    def __init__(
        self, world: IndoorWorld, cards: Mapping[str, Card], openers: Iterable[str], states: Mapping[str, bool]
    ):
        self.world, self.cards, self.openers = world, cards, list(openers)
        self.scene, self.fluents = world.scene, world.fluents
        shut = set(self.fluents.closed_doors(world.look))
        for name, is_open in states.items():
            (shut.discard if is_open else shut.add)(name)
        self.shut = frozenset(shut)
        self.stuck = self._stuck()  # those that nobody can open

    def _stuck(self) -> frozenset[str]:
        stuck = self.shut
        while stuck:
            opened = {d for d in stuck if any(self.stand(o, self._pose(o), d, stuck) is not None for o in self.openers)}
            if not opened:
                break
            stuck -= opened
        return stuck

    def _pose(self, robot: str) -> Point | None:
        return self.world.truth.get(("pose", robot))

    def stand(self, robot: str, start: Point | None, door: str, shut: frozenset[str]) -> str | None:
        """The nearest side of a door from which a robot can open it, if it can get there."""
        card = self.cards[robot]
        nav = self.scene.nav(card, shut)
        found = []
        for name in ("stand_pose_0", "stand_pose_1"):
            pose = self.scene.stand_poses[door, name]
            if start is None or not nav.grid.free(pose) or not nav.linked(start, pose):
                continue
            if self.fluents.distance_to(card, pose, door) <= card.reach_m:
                found.append((dist(start, pose), name))
        return min(found)[1] if found else None

    def _far(self, robot: str, door: str) -> float:
        """How far a robot is from a door, as the crow flies [m]."""
        pose = self._pose(robot)
        return 0.0 if pose is None else dist(pose, self.scene.door[door].at)

    def lead(self, queues: dict[str, list[Action]]) -> int:
        """Put the opening of doors into the queues, in place; returns the steps that this takes at most."""
        if not self.shut:
            return 0
        opened: set[str] = set()
        for robot in sorted(queues):
            if robot not in self.openers:
                self._ask(robot, queues, opened)
        for robot in sorted(queues):
            if robot in self.openers:
                queues[robot] = self._open_on_the_way(robot, queues[robot], opened)
        return 2 * len(opened)

    def _ask(self, robot: str, queues: dict[str, list[Action]], opened: set[str]) -> None:
        """Let another robot open what a robot cannot open itself, before anything else."""
        card, pose = self.cards[robot], self._pose(robot)
        for action in list(queues[robot]):
            if action.skill != "navigate" or pose is None:
                continue
            goal = self.scene.stand_poses[action.args]
            for _ in self.shut:
                door = self.fluents.barrier(card, pose, goal, self.shut - opened - self.stuck)
                if door is None:
                    break
                opened.add(door)
                able = [o for o in self.openers if self.stand(o, self._pose(o), door, self.stuck) is not None]
                helper = min(able, key=lambda o: (len(queues.get(o, ())), self._far(o, door), o))
                side = self.stand(helper, self._pose(helper), door, self.stuck)
                first = [Action("navigate", (door, side)), Action("open", (door,))]
                at = sum(a.args[0] in self.shut for a in queues.get(helper, ()))  # after doors it was asked for before
                queue = queues.setdefault(helper, [])
                queues[helper] = [*queue[:at], *first, *queue[at:]]
            pose = goal

    def _open_on_the_way(self, robot: str, queue: list[Action], opened: set[str]) -> list[Action]:
        """Where another may be about to open a door, the first to come does it, and the other one goes through."""
        card, pose = self.cards[robot], self._pose(robot)
        mine: set[str] = set()
        out: list[Action] = []
        for action in queue:
            if action.skill == "navigate" and pose is not None:
                target, side = action.args
                if target in self.shut:  # the nearer side may be another one by now
                    side = self.stand(robot, pose, target, self.shut - mine) or side
                    action = Action("navigate", (target, side))
                goal = self.scene.stand_poses[target, side]
                for _ in self.shut:
                    door = self.fluents.barrier(card, pose, goal, self.shut - mine)
                    near = self.stand(robot, pose, door, self.shut - mine) if door is not None else None
                    if door is None or near is None:
                        break
                    out += [Action("navigate", (door, near)), Action("open", (door,))]
                    mine.add(door)
                    pose = self.scene.stand_poses[door, near]
                pose = goal
            elif action.skill == "open" and action.args[0] in self.shut:
                if action.args[0] in mine:
                    continue
                mine.add(action.args[0])
            out.append(action)
        opened |= mine
        return out
