"""A stranger with false information: it says that every room is explored, though it has seen none of them. It is
there to measure what a team loses by listening."""

from __future__ import annotations

from coterie.core.protocol import RobotView, protocols
from coterie.protocols.adhoc.stranger import Choosing, Stranger
from coterie.protocols.adhoc.subtasks import STOPPING

ROOMS = 10


class Liar(Stranger):
    about = "household: a stranger that says all rooms are explored, and does nothing"

    def choose(self, me: RobotView) -> Choosing:
        self.speech.explored([f"room_{number}" for number in range(1, ROOMS + 1)])
        return STOPPING
        yield []  # makes this a generator


protocols.put("liar", Liar, "no-model", "household")
