"""Values of a message by their field. None where a value is no such thing."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, NamedTuple

from coterie.houses.model import FLOOR, ROOM_KINDS
from coterie.houses.placement import kinds

Point = tuple[float, float]


@dataclass(frozen=True)
class Found:
    """A thing or a piece of furniture that a robot named, and where it is said to be."""

    name: str  # as in `mug_0`; a kind, such as `Mug`, where no single one was named
    kind: str = ""
    on: str = ""  # a piece, a kind of furniture, or `floor`
    room: str = ""  # `room_3`, or a kind such as `Kitchen`
    at: Point | None = None


class Phrase(NamedTuple):
    """A sub-task or a sub-skill: `Explore <room_2>`, `Re-place <mug_0> <CounterTop> <Kitchen>`, `Stop`."""

    name: str
    args: tuple[str, ...] = ()  # empty texts for what was not said

    def __str__(self) -> str:
        return " ".join([self.name, *(f"<{a}>" for a in self.args if a)])


EXPLORE, REPLACE, STOP = "Explore", "Re-place", "Stop"


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
    subtask: Phrase | None = None
    # the house
    explored: tuple[str, ...] = ()
    unexplored: tuple[str, ...] = ()  # it was said that they are not
    misplaced: tuple[Found, ...] = ()
    receptacles: tuple[Found, ...] = ()
    done: tuple[str, ...] = ()  # things that it has put away
    failed: tuple[tuple[str, str], ...] = ()  # what it could not take or put, and why
    answer: bool | None = None  # to an intention: it agrees, or objects
    unread: str = ""  # what could not be read, as it stands


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


_NAME = re.compile(r"[a-z]+(?:_[a-z]+)*_\d{1,3}")
_ROOM = re.compile(r"(?:room_?|R)(\d{1,3})")
_POINT = re.compile(r"[(\[]?\s*([-+]?\d+(?:\.\d+)?)\s*,\s*([-+]?\d+(?:\.\d+)?)\s*[)\]]?")
MOST_KG, MOST_STEPS, TALL_M = 200.0, 100_000, 1.2


@cache
def _spelled() -> dict[str, str]:
    """Kinds of things and furniture by how names of them begin, without anything between the words."""
    return {kind.lower(): kind for kind in kinds()}


def kind_of(name: str) -> str:
    """The kind that a name speaks of; empty where it is none of the world's."""
    return _spelled().get(re.sub(r"[\s_\-]|\d+$", "", name).lower(), "")


def is_furniture(name: str) -> bool:
    kind = kinds().get(kind_of(name))
    return kind is not None and not kind.thing


def is_receptacle(name: str) -> bool:
    kind = kinds().get(kind_of(name))
    return kind is not None and kind.receptacle


def thing(text: str) -> str | None:
    """The name of a thing, or of what fits no kind of furniture."""
    name = bare(text)
    return name if _NAME.fullmatch(name) and not is_furniture(name) and not _ROOM.fullmatch(name) else None


def bare(text: str) -> str:
    return text.strip().strip("\"'`*<>[]{}").strip().rstrip(".;,").strip()


def truth(text: str) -> bool | None:
    return {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}.get(bare(text).lower())


def number(text: str, most: float, unit: str = "") -> float | None:
    found = re.fullmatch(rf"(\d+(?:\.\d+)?)\s*(?:{unit})?", bare(text))
    return float(found[1]) if found is not None and float(found[1]) <= most else None


def steps(text: str) -> int | None:
    return int(bare(text)) if bare(text).isdecimal() and int(bare(text)) <= MOST_STEPS else None


def tall(text: str) -> bool | None:
    named = {"tall": True, "high": True, "small": False, "low": False}.get(bare(text).lower())
    height = number(text, 2.5, "m")
    return named if height is None else height > TALL_M


def position(text: str) -> tuple[float, float] | None:
    found = _POINT.fullmatch(text.strip())
    return (float(found[1]), float(found[2])) if found is not None else None


def room(text: str) -> str | None:
    """`room_3`, or a kind of room."""
    found = _ROOM.fullmatch(bare(text))
    return f"room_{int(found[1])}" if found is not None else bare(text) if bare(text) in ROOM_KINDS else None


def holding(text: str) -> str | None:
    return "" if bare(text).lower() in ("none", "nothing", "-", "") else thing(text)


def rooms(text: str) -> tuple[str, ...] | None:
    """Rooms one after the other, and nothing else."""
    found = [room(part) for part in re.split(r"\s*,\s*|\s+and\s+", text.strip())]
    return tuple(dict.fromkeys(r for r in found if r)) if all(found) else None


def subtask(text: str) -> Phrase | None:
    """`Explore <room_2>`, `Re-place <mug_0> <Sink> <Kitchen>`, `Stop`; in code `XPL R2`, `PUT mug_0>Sink@Kitchen`."""
    word, _, rest = text.strip().partition(" ")
    args = re.findall(r"<([^<>]*)>", rest) or [a for a in re.split(r"[\s>@]+", rest) if a]
    if word in (EXPLORE, "XPL"):
        where = [room(a) for a in args]
        return Phrase(EXPLORE, tuple(w for w in where[:1] if w)) if all(where) else None
    if word in (REPLACE, "PUT") and args and thing(args[0]):
        on, where = (*args[1:3], "", "")[:2]
        return Phrase(REPLACE, (args[0], FLOOR if on == FLOOR else kind_of(on), room(where) or ""))
    return Phrase(STOP) if bare(text).lower() == "stop" else None


def found(name: str, given: dict[str, str]) -> Found | None:
    """A thing or a piece of furniture, and where it is: `kind`, `on`, `room` and `at`, or `x` and `y`."""
    on = given.get("on", "none")
    if not _NAME.fullmatch(name) or not (on in (FLOOR, "none", "") or is_furniture(on)):
        return None
    at = position(given.get("at") or given.get("position") or f"{given.get('x')},{given.get('y')}")
    kind = kind_of(given.get("kind", "")) or kind_of(name)
    return Found(name, kind, "" if on == "none" else on, room(given.get("room", "")) or "", at)
