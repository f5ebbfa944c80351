"""How learnt teammates explore: they turn around once in every room that is new to them, and then go where the known
ends."""

from __future__ import annotations

from coterie.core.action import Action
from coterie.core.protocol import RobotView
from coterie.worlds.household.chart import chart_of
from coterie.worlds.household.graph import room_at
from coterie.worlds.household.options import Explore, Until


class LookAround(Explore):
    """`looked` are the rooms in which this robot has turned around; it is kept by whoever made it."""

    def __init__(self, until: Until | None, looked: set[str]):
        super().__init__("", until)
        self.looked = looked
        self._turns = 0

    def step(self, me: RobotView) -> Action | None:
        pose = chart_of(me).pose
        room = room_at(me.belief, pose[0], pose[1])
        if room and room not in self.looked:
            self.looked.add(room)
            there = me.look("turned", me.name, "left")
            turn = (there[2] - pose[2]) % 360.0 if isinstance(there, tuple) else 90.0
            self._turns = round(360.0 / max(turn, 15.0))
        if self._turns:
            self._turns -= 1
            return Action("RotateLeft")
        return super().step(me)
