"""A real hospital: where robots and things are, and which doors are open, is known from the reports of robots alone.

What people say of the place before anybody has looked is on the map, as ever, and counts for nothing here.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

from coterie.core.action import Action, Outcome
from coterie.core.facts import UNKNOWN, Fact
from coterie.core.reported import Reported
from coterie.core.sight import Sight
from coterie.core.skill import Key
from coterie.core.task import Task
from coterie.core.world import Observation
from coterie.worlds.hospital.skills import DECLARED
from coterie.worlds.hospital.world import HospitalWorld

POSE_M = 0.4  # from a pose: who is that near stands there
TABLE_M = 1.0  # from the middle of a table: what is seen there lies on it
REPORTED = frozenset({"stock", "amount", "open", "jammed", "perceived", "delivered"})
_CHANGING = frozenset(f.name for f in DECLARED.fluents["changing"])


class RealHospital(Reported, HospitalWorld):
    def begin(self, task: Task) -> None:
        super().begin(task)
        for key in [k for k in self.truth if k[0] in REPORTED]:
            del self.truth[key]
        for door in self.scene.doors:
            self.truth["open", door] = False  # nobody has said so

    # -- what robots report -----------------------------------------------------------------------------------------
    def read(self, robot: str, sight: Sight) -> list[Fact]:
        keys: list[Key] = []
        if sight.pose is not None:
            spots = {name: math.dist(sight.pose, (p.x, p.y)) for name, p in self.scene.poses.items()}
            near = min(spots, key=lambda name: spots[name])
            if spots[near] <= POSE_M and near != self.truth["at", robot]:
                self.note(robot, ("free", self.truth["at", robot]), True)
                self.note(robot, ("free", near), False)
                self.note(robot, ("at", robot), near)
            keys.append(("at", robot))
        if sight.holds is not None and (sight.holds or None) in (None, *self.scene.things):
            self.note(robot, ("holding", robot), sight.holds or None)
            keys.append(("holding", robot))
        for door, is_open in sight.open:
            if door in self.scene.doors:
                self.note(robot, ("open", door), is_open)
                keys.append(("open", door))
        for key, count in self._counted(sight).items():
            self.note(robot, key, count)
            keys.append(key)
        return [self.fact(robot, key, self.truth[key]) for key in keys]

    def _inside(self, robot: str) -> list[Fact]:
        """The contents of the caddies that a robot holds or sees: what robots have put into them."""
        near = {self.truth["holding", robot], *(f.args[0] for f in self.seen[robot] if f.pred == "stock" and f.value)}
        keys = [("amount", caddy, item) for caddy in self.scene.caddies if caddy in near for item in self.scene.items]
        return [self.fact(robot, key, self.truth.get(key, 0)) for key in keys]

    def _counted(self, sight: Sight) -> dict[Key, int]:
        """How many of each thing lie on the tables that are seen, and that there are no others on those seen whole."""
        tables, found = self.scene.tables, Counter[Key]()
        for place in sight.places:
            found.update({("stock", thing, place): 0 for thing in self.scene.things if place in tables})
        for d in sight.things:
            thing = next((word for word in (d.name, d.kind) if word in self.scene.things), "")
            gap, table = min((math.dist(d.at[:2], (t.x, t.y)), name) for name, t in tables.items())
            if thing and gap <= TABLE_M:
                found["stock", thing, table] += 1
        return dict(found)

    def value(self, key: Key) -> Any:
        return self.truth.get(key, UNKNOWN)

    def learn(self, key: Key, value: Any) -> None:
        self.set(key, value)

    def believes(self, fact: Fact) -> bool:
        return fact.pred in _CHANGING and self.is_about(fact.pred, fact.args)

    # -- interface --------------------------------------------------------------------------------------------------
    def observe(self, robot: str) -> Observation:
        if robot not in self.seen:
            return super().observe(robot)  # it is simulated
        own = [self.fact(robot, key, self.truth[key]) for key in (("body", robot), ("at", robot), ("holding", robot))]
        goal = [fact._replace(time=self.now) for fact in self.goal.facts()]
        others = tuple(n for n in self.cards if n != robot)
        facts = (*own, *self.seen[robot], *self._inside(robot), *goal)
        return Observation(robot, self.now, facts, others)

    def accept(self, outcome: Outcome) -> Outcome:
        if outcome.robot not in self.seen:
            return super().accept(outcome)
        ended = self.ended(outcome)
        return ended if ended.ok else self._believed(ended)

    def guide(self, robot: str, action: Action) -> tuple[Fact, ...]:
        """Where what an action names is: poses to stand at, doors and tables."""
        found = []
        for arg in [a for a in action.args if isinstance(a, str)]:
            table = self.scene.tables.get(arg)
            spot = (table.x, table.y) if table is not None else self._map.get(("spot", arg))
            if spot is not None:
                pred = "stand_pose" if arg in self.scene.poses else "centre"
                found.append(Fact(pred, (arg,), spot, self.now, "map"))
        return tuple(found)

    def snapshot(self) -> bytes:
        return self.packed(super().snapshot())

    def restore(self, data: bytes) -> None:
        super().restore(self.unpacked(data)[0])
