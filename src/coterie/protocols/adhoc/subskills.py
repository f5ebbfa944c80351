"""Sub-skills that strangers have besides those of the world, and the words in which any is told."""

from __future__ import annotations

from coterie.core.action import WAIT, Action
from coterie.core.facts import UNKNOWN
from coterie.core.protocol import RobotView
from coterie.houses.model import FLOOR
from coterie.protocols.adhoc.close_looks import LookCloser
from coterie.protocols.adhoc.subtasks import EXPLORE, GO_OBJECT, HERE, PICK, PUT, STOP, Phrase
from coterie.worlds.household.options import (
    DropInRoom,
    Explore,
    GoToObject,
    GoToPoint,
    GoToRoom,
    PickupObject,
    PutObject,
    SubSkill,
    Until,
)

PAUSE_STEPS = 8


class LetFall(SubSkill):
    """Drop the held thing where the robot stands."""

    def __init__(self) -> None:
        super().__init__(f"PutObject({FLOOR}@{HERE})")
        self.asked = False

    def step(self, me: RobotView) -> Action | None:
        if self.asked:
            return self.end(me.outcome is not None and me.outcome.ok)
        self.asked = True
        return Action("Drop")


class Pause(SubSkill):
    """Stand still for a moment."""

    def __init__(self, until: Until, steps: int = PAUSE_STEPS):
        super().__init__("Pause", until)
        self.left = steps

    def step(self, me: RobotView) -> Action | None:
        self.left -= 1
        return Action(WAIT, why="others may find something for me") if self.left >= 0 else self.end(True)


def skill_words(me: RobotView, option: SubSkill) -> str:
    """A sub-skill, as it is told."""
    if isinstance(option, PickupObject):
        return str(Phrase(PICK, (option.target,)))
    if isinstance(option, LetFall):
        return str(Phrase(PUT, (str(me.belief.value("holding", me.name)), FLOOR, HERE)))
    if isinstance(option, (PutObject, DropInRoom)):
        place = option.target if isinstance(option, PutObject) else FLOOR
        room = me.belief.value("in_room", place) if isinstance(option, PutObject) else option.room
        held = me.belief.value("holding", me.name)
        return str(Phrase(PUT, (str(held), place, "" if room is UNKNOWN else str(room))))
    if isinstance(option, GoToObject):
        return str(Phrase(GO_OBJECT, (option.target,)))
    if isinstance(option, GoToRoom):
        return str(Phrase("GoToRoom", (option.room,)))
    if isinstance(option, GoToPoint):
        return str(Phrase("GoToPoint", tuple(f"{v:g}" for v in option.point)))
    return EXPLORE if isinstance(option, (Explore, LookCloser)) else STOP
