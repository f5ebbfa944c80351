"""The language of sub-tasks and sub-skills, in which strangers plan and in which they tell what they do.

Explore <room_2>    Re-place <mug_0> <CounterTop> <Kitchen>    Stop
GoToObject <mug_0>  GoToPoint <1.5> <-0.5>  GoToRoom <room_2>  PickupObject <mug_0>
PutObject <mug_0> <countertop_0> <room_2>   Explore   Stop

Where things are to be found and not to be put away, `Report <mug_0>` is a sub-task and a sub-skill.
"""

from __future__ import annotations

import re

from coterie.core.action import Action
from coterie.core.facts import UNKNOWN
from coterie.core.protocol import RobotView
from coterie.houses.model import FLOOR
from coterie.protocols.adhoc.close_looks import LookCloser
from coterie.protocols.heuristic.adapter.values import EXPLORE, REPLACE, STOP, Phrase
from coterie.worlds.household import options as skills

REPORT = "Report"
#: Sub-tasks with what stands in their brackets.
SUBTASKS = {EXPLORE: ("room",), REPLACE: ("object", "receptacle kind", "room kind"), STOP: (), REPORT: ("object",)}
GO_OBJECT, GO_POINT, GO_ROOM, PICK, PUT = "GoToObject", "GoToPoint", "GoToRoom", "PickupObject", "PutObject"
HERE = "here"  # of a thing that is let fall where one stands: `PutObject <mug_0> <floor> <here>`
SUBSKILLS = {
    GO_OBJECT: ("object",), GO_POINT: ("dx", "dy"), GO_ROOM: ("room",), PICK: ("object",),
    PUT: ("object", "receptacle", "room"), EXPLORE: (), STOP: (), REPORT: ("object",),
}  # fmt: skip
_NAMES = {re.sub(r"\W", "", name).lower(): name for name in (*SUBTASKS, *SUBSKILLS)}
_SPELT = "|".join(  # `Pickup Object`, `go_to_room`
    sorted(
        (re.sub(r"(?<=[a-z])(?=[A-Z])|-", r"[\\s_-]?", name) for name in set(_NAMES.values())), key=len, reverse=True
    )
)
_HEAD = re.compile(rf"[\s>*`\"'\-]*(?:\d{{1,2}}[.):]\s*)?[\s*`\"']*({_SPELT})(?![a-z0-9])", re.I)
_ARGS = re.compile(r"<([^<>\n]{1,60})>")
MOST_WORDS = 160  # characters of a sub-task in free words


DIRECT = Phrase("Direct")  # stands for a sub-task where none is planned


def read_phrase(text: str, known: dict[str, tuple[str, ...]]) -> Phrase | None:
    """The first such phrase of a line: with its brackets, or with its arguments after blanks, commas or in a call."""
    head = _HEAD.match(text)
    name = _NAMES.get(re.sub(r"[\W_]", "", head.group(1)).lower()) if head else None
    if head is None or name is None or name not in known:
        return None
    rest, wanted = text[head.end() :], len(known[name])
    args = tuple(a.strip() for a in _ARGS.findall(rest))
    if not args:
        args = _unbracketed(rest.split("\n")[0], known[name])
    args = tuple(re.sub(r"\s+", "_" if i == 0 or name == PUT else "", a) for i, a in enumerate(args[:wanted]))
    anywhere = name == EXPLORE and not re.search(r"\w", rest)
    return Phrase(name, args) if len(args) == wanted or anywhere else None


_FILLERS = ("to", "the", "in", "on", "at", "into", "onto", "from", "with", "and", "a", "its", "object", "room")
_NAMED = {"object": r"[A-Za-z]\w*_\d\w*", "room": r"[A-Za-z]\w*_\d\w*|here", "dx": r"[-+]?[\d.]+", "dy": r"[-+]?[\d.]+"}


def _unbracketed(rest: str, wanted: tuple[str, ...]) -> tuple[str, ...]:
    """Arguments without brackets; none where one of them is no such name: `Explore the other rooms` names no room."""
    rest = re.sub(r"\b[A-Za-z_ ]+\s?[=:]\s?(?=[\"'\w])", "", rest) if "=" in rest else rest
    rest = re.sub(r"\broom (\d{1,3})\b", r"room_\1", rest, flags=re.I)
    words = (a.strip(" .\"'`*:") for a in re.split(r"[\s,()\[\]=]+", rest))
    args = tuple(w for w in words if w and w.lower() not in _FILLERS)[: len(wanted)]
    return args if all(re.fullmatch(_NAMED.get(k, r"\w+"), a) for k, a in zip(wanted, args)) else ()


def read_subtask(text: str) -> Phrase | None:
    return read_phrase(text, SUBTASKS)


def read_subskill(text: str) -> Phrase | None:
    return read_phrase(text, SUBSKILLS)


class LetFall(skills.SubSkill):
    """Drop the held thing where the robot stands."""

    def __init__(self) -> None:
        super().__init__(f"PutObject({FLOOR}@{HERE})")

    def step(self, me: RobotView) -> Action | None:
        return self.finish_with(me, Action("Drop"))


def skill_words(me: RobotView, option: skills.SubSkill) -> str:
    """A sub-skill, as it is told."""
    if isinstance(option, skills.PickupObject):
        return str(Phrase(PICK, (option.target,)))
    if isinstance(option, LetFall):
        return str(Phrase(PUT, (str(me.belief.value("holding", me.name)), FLOOR, HERE)))
    if isinstance(option, (skills.PutObject, skills.DropInRoom)):
        place = option.target if isinstance(option, skills.PutObject) else FLOOR
        room = me.belief.value("in_room", place) if isinstance(option, skills.PutObject) else option.room
        held = me.belief.value("holding", me.name)
        return str(Phrase(PUT, (str(held), place, "" if room is UNKNOWN else str(room))))
    if isinstance(option, skills.GoToObject):
        return str(Phrase(GO_OBJECT, (option.target,)))
    if isinstance(option, skills.GoToRoom):
        return str(Phrase("GoToRoom", (option.room,)))
    if isinstance(option, skills.GoToPoint):
        return str(Phrase("GoToPoint", tuple(f"{v:g}" for v in option.point)))
    return EXPLORE if isinstance(option, (skills.Explore, LookCloser)) else STOP
