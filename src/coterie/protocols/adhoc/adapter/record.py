"""The contents of a teammate's message as typed data. None, or an empty tuple: nothing of that kind was read."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

Point = tuple[float, float]


@dataclass(frozen=True)
class Found:
    """A thing or a piece of furniture that a robot named, and where it is said to be."""

    name: str  # as in `mug_0`; a kind, such as `Mug`, where no single one was named
    kind: str = ""
    on: str = ""  # a piece, a kind of furniture, or `floor`
    room: str = ""  # `room_3`, or a kind such as `Kitchen`
    at: Point | None = None


@dataclass(frozen=True)
class Subtask:
    """`Explore room_2`, `Re-place mug_0 CounterTop Kitchen`, `Stop`."""

    name: str  # one of SUBTASKS
    args: tuple[str, ...] = ()  # empty texts for what was not said

    def __str__(self) -> str:
        return " ".join([self.name, *(f"<{a}>" for a in self.args if a)])


EXPLORE, REPLACE, STOP = "Explore", "Re-place", "Stop"
SUBTASKS = (EXPLORE, REPLACE, STOP)


@dataclass(frozen=True)
class Heard:
    """All that was read of a text, about its sender and about the house."""

    # what it can do
    arm: bool | None = None
    payload_kg: float | None = None
    tall: bool | None = None  # whether its camera is high, about 1.6 m, or low, about 0.9 m
    battery_steps: int | None = None  # of a full battery
    # its state
    position: Point | None = None
    room: str | None = None
    holding: str | None = None  # an empty text: nothing
    battery_left: int | None = None
    subtask: Subtask | None = None
    # the house
    explored: tuple[str, ...] = ()
    unexplored: tuple[str, ...] = ()  # it was said that they are not
    misplaced: tuple[Found, ...] = ()
    receptacles: tuple[Found, ...] = ()
    done: tuple[str, ...] = ()  # things that it has put away
    failed: tuple[tuple[str, str], ...] = ()  # what it could not take or put, and why
    answer: bool | None = None  # to an intention: it agrees, or objects
    unread: str = ""  # what could not be read, as it stands

    @property
    def empty(self) -> bool:
        return replace(self, unread="") == Heard()


_LISTS = ("explored", "unexplored", "misplaced", "receptacles", "done", "failed")


def merged(old: Heard, new: Heard) -> Heard:
    """Everything known of a teammate after a further message: news replaces what is old, lists grow.

    A room that is said not to be explored leaves the list of those that are, and the other way round. `answer` and
    `unread` are those of the new text.
    """
    values: dict[str, Any] = {}
    for f in fields(Heard):
        before, now = getattr(old, f.name), getattr(new, f.name)
        if f.name in ("misplaced", "receptacles"):
            values[f.name] = tuple({item.name: item for item in (*before, *now)}.values())
        elif f.name in _LISTS:
            values[f.name] = tuple(dict.fromkeys((*before, *now)))
        elif f.name in ("answer", "unread"):
            values[f.name] = now
        else:
            values[f.name] = before if now is None else now
    values["explored"] = tuple(r for r in values["explored"] if r not in new.unexplored)
    values["unexplored"] = tuple(r for r in values["unexplored"] if r not in new.explored)
    return Heard(**values)
