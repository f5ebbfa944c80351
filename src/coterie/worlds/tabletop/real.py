"""A real table: things lie where arms with cameras report them, and the goal is judged on that.

The model of the table mirrors what is reported; no physics is played for arms that have a driver. Their joints are not
known: paths are checked with them at rest. Things that nobody has seen lie aside, where no arm reaches.
"""

from __future__ import annotations

import math
from typing import Any

from coterie.core.action import Action, Outcome
from coterie.core.facts import UNKNOWN, Fact
from coterie.core.reported import Reported
from coterie.core.sight import Sight
from coterie.core.skill import Key
from coterie.core.world import ACCIDENT, Observation
from coterie.worlds.tabletop.world import TabletopWorld

HAND = "hand"  # the kind of a detection that is where an arm's own gripper is
ASIDE_M = 20.0  # from the middle of the table: where things are that nobody has seen


class RealTable(Reported, TabletopWorld):
    def __init__(self, *args: Any, **options: Any):
        super().__init__(*args, **options)
        self.found: set[str] = set()  # things that a robot has seen
        for i, thing in enumerate(self.setting.layout.things):
            self.table.set_down(thing, (ASIDE_M + i, ASIDE_M, 0.0))
        self._traced = [["frames", [], [self._frame(0.0)]]]

    # -- what robots report -----------------------------------------------------------------------------------------
    def read(self, robot: str, sight: Sight) -> list[Fact]:
        things = self.setting.layout.things
        hand = next((d.at for d in sight.things if d.kind == HAND), None)
        if hand is not None:
            self.table.more[f"{robot}/hand"] = hand
        if sight.holds is not None and (not sight.holds or sight.holds in things):
            self.note(robot, ("holding", robot), sight.holds or None)
        held = set(self.table.held.values())
        moved = False
        for d in sight.things:
            thing = next((word for word in (d.name, d.kind) if word in things), "")
            if thing and thing not in held:
                moved |= thing not in self.found or math.dist(d.at, self.table.pos(thing)) > 1e-3
                self.found.add(thing)
                self.table.set_down(thing, d.at)
        if moved:
            self.rounds.forget()
            self._traced.append(["frames", [], [self._frame(self.now)]])
        return []  # `observe` tells what lies where

    def value(self, key: Key) -> Any:
        return self.table.held.get(key[1]) if key[0] == "holding" else UNKNOWN

    def learn(self, key: Key, value: Any) -> None:
        if key[0] == "holding":
            self.table.release(key[1])
            if value is not None:
                self.found.add(value)
                self.table.take(key[1], value)
        elif key[0] == ACCIDENT:
            self._traced.append([ACCIDENT, [key[1]], value])

    def perceives(self, robot: str, key: Key) -> bool:
        return True  # where things lie is seen

    # -- interface --------------------------------------------------------------------------------------------------
    def observe(self, robot: str) -> Observation:
        told = super().observe(robot)
        unseen = set(self.setting.layout.things) - self.found
        facts = [f for f in told.facts if not (f.args and f.args[0] in unseen)]
        if robot in self.seen:
            facts = [f for f in facts if f.pred != HAND or f"{robot}/hand" in self.table.more] + self.seen[robot]
        return told._replace(facts=tuple(facts))

    def accept(self, outcome: Outcome) -> Outcome:
        return self.ended(outcome) if outcome.robot in self.seen else super().accept(outcome)

    def guide(self, robot: str, action: Action) -> tuple[Fact, ...]:
        """Where the things and places are that an action names."""
        places, known = self.job.places(self.setting.layout), []
        for arg in [a for a in action.args if isinstance(a, str)]:
            if arg in self.found:
                known.append(Fact("spot", (arg,), self.table.pos(arg), self.now, "map"))
            elif arg in places or arg in self.setting.layout.fixed:
                at = places.get(arg) or self.setting.layout.fixed[arg].at
                known.append(Fact("centre", (arg,), tuple(at), self.now, "map"))
        return tuple(known)

    def snapshot(self) -> bytes:
        return self.packed(super().snapshot(), *sorted(self.found))

    def restore(self, data: bytes) -> None:
        state, found = self.unpacked(data)
        super().restore(state)
        self.found = set(found)
