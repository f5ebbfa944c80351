"""Causes that no clause of a skill declares: what goes wrong around a skill, in every world alike.

A world adds names of its own for what happens in it alone; where a name is here, it is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from coterie.core.action import Cause, Moment, Outcome
from coterie.core.skill import Skill

ON_CARD = "on_card"  # the body has the skill
ARGUMENT_COUNT = "argument_count"
ARGUMENT_KIND = "argument_kind"
PRESENT = "present"  # the robot is here
IDLE = "idle"  # and has nothing else to do
CALLED_OFF = "called_off"
TEAMMATE = "teammate"  # what a robot does together with others ended because of one of them
TEAM_CHANGED = "team_changed"
DRIVER = "driver"  # a robot's own driver says that it failed, and not why
LOST_CONTACT = "lost_contact"  # a robot's driver does not answer, or was ended in the middle of an action
NO_HEARTBEAT = "no_heartbeat"  # a driver heard nothing more of its coordinator, and stopped its robot
STOPPED = "stopped"  # somebody stopped the robot, and has not released it


def not_on_card(robot: str, skills: Iterable[str]) -> Cause:
    return Cause(ON_CARD, ("skills", (robot,), tuple(skills)))


def wrong_count(skill: Skill, args: Sequence[Any]) -> Cause:
    return Cause(ARGUMENT_COUNT, ("arguments", (skill.name,), len(args)))


def wrong_kind(skill: Skill, args: Sequence[Any], odd: Any) -> Cause:
    """`odd` is the argument that is no name; only its type is told, since it may be anything."""
    name = next((p.name for p, a in zip(skill.params, args) if a is odd), "")
    return Cause(ARGUMENT_KIND, ("kind", (skill.name, name), type(odd).__name__))


def called_off(robot: str, moment: Moment = "during") -> Cause:
    return Cause(CALLED_OFF, ("called_off", (robot,), True), moment)


def lost_contact(robot: str, moment: Moment = "during") -> Cause:
    return Cause(LOST_CONTACT, ("contact", (robot,), False), moment)


def no_heartbeat(robot: str) -> Cause:
    return Cause(NO_HEARTBEAT, ("heartbeat", (robot,), False), "during")


def stopped(robot: str, by: str, moment: Moment = "during") -> Cause:
    return Cause(STOPPED, ("stopped", (robot,), by), moment)


def of_teammate(robot: str, cause: Cause) -> Cause:
    """For those whose common action ended for a cause that lies with `robot`."""
    return Cause(TEAMMATE, ("failed", (robot,), cause.clause), cause.moment)


def by_driver(outcome: Outcome) -> Outcome:
    """Return a driver's outcome with the cause DRIVER where it gives none."""
    return outcome if outcome.cause is not None else outcome._replace(cause=Cause(DRIVER, None, "during"))
