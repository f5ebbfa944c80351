"""How learnt teammates explore: they turn around in every room that is new to them, and every now and then on the way;
otherwise they go where the known ends."""

from __future__ import annotations

from coterie.core.action import Action
from coterie.core.protocol import RobotView
from coterie.worlds.household.knowledge.chart import chart_of
from coterie.worlds.household.knowledge.graph import room_at
from coterie.worlds.household.options import Explore, Until

AGAIN_STEPS = 20  # after which a robot turns around again


class LookAround(Explore):
    """`looked` says in which rooms this robot has turned around, and when; it is kept by the caller."""

    def __init__(self, until: Until | None, looked: dict[str, int]):
        super().__init__("", until)
        self.looked = looked
        self._turns = 0

    def step(self, me: RobotView) -> Action | None:
        pose = chart_of(me).pose
        room = room_at(me.belief, pose[0], pose[1])
        last = max(self.looked.values(), default=me.step)
        if room and not self._turns and (room not in self.looked or me.step - last >= AGAIN_STEPS):
            self.looked[room] = me.step
            there = me.look("turned", me.name, "left")
            turn = (there[2] - pose[2]) % 360.0 if isinstance(there, tuple) else 90.0
            self._turns = round(360.0 / max(turn, 15.0))
        if self._turns:
            self._turns -= 1
            return Action("RotateLeft")
        return super().step(me)
