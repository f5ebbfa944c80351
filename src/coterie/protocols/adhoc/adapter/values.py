"""Values by their field. None where a value cannot be taken in exactly one way."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from coterie.houses.model import FLOOR
from coterie.protocols.adhoc.adapter.names import (
    NUMBER,
    is_furniture,
    is_thing,
    item_in,
    items,
    kind_of,
    point_in,
    room_in,
    rooms,
)
from coterie.protocols.adhoc.adapter.patterns import GO, HALT, PUT
from coterie.protocols.adhoc.adapter.record import EXPLORE, REPLACE, STOP, Found, Subtask

_YES = {
    "yes",
    "true",
    "1",
    "y",
    "+",
    "present",
    "have",
    "has",
    "on",
    "ok",
    "available",
    "can",
    "can manipulate",
    "able",
    "one",
    "arm",
}
_NO = {"no", "false", "0", "n", "-", "none", "absent", "off", "null", "without", "missing", "cannot", "can't",
       "cannot manipulate", "unable", "no arm", "not", "nil", "n/a", "x"}  # fmt: skip
_NOTHING = {"", "none", "nothing", "empty", "-", "--", "null", "nil", "no", "free", "false", "no objects", "no object",
            "0", "empty-handed", "empty handed", "[]", "no objects hold", "none held", "n/a", "/", "~"}  # fmt: skip
MOST_KG, MOST_STEPS = 200.0, 100_000


def bare(text: str) -> str:
    return text.strip().strip("\"'`*<>[]{}").strip().rstrip(".;,").strip()


def truth(text: str) -> bool | None:
    word = bare(text).lower()
    return True if word in _YES else False if word in _NO else None


def weight_kg(text: str) -> float | None:
    found = re.fullmatch(
        rf"(?:up to |max\.? |at most |<=? ?)?({NUMBER})\s*(kgs?|kilos?|kilograms?|g|grams?|lbs?|pounds?)?",
        bare(text),
        re.I,
    )
    if found is None:
        return None
    unit = (found.group(2) or "kg").lower()
    value = float(found.group(1)) * (1.0 if unit.startswith("k") else 0.001 if unit.startswith("g") else 0.45359237)
    return value if 0 <= value <= MOST_KG else None


def tall(text: str) -> bool | None:
    word = bare(text).lower()
    if word in ("tall", "high", "t", "big", "large"):
        return True
    if word in ("small", "low", "short", "s", "l", "little"):
        return False
    found = re.fullmatch(rf"(?:camera (?:at |is )?)?({NUMBER})\s*(m|metres?|meters?|cm|mm)?", word)
    if found is None:
        return None
    unit = found.group(2) or "m"
    height = float(found.group(1)) * (0.001 if unit == "mm" else 0.01 if unit == "cm" else 1.0)
    return height > 1.2 if 0.2 <= height <= 2.5 else None


_STEPS = r"(?:\s*(?:steps?|actions?|moves?))?"
_OF = re.compile(rf"(\d+){_STEPS}\s*(?:/|of|out of|from)\s*(\d+){_STEPS}(?:\s+(?:left|remaining|remain))?", re.I)


def steps(text: str) -> int | None:
    found = re.fullmatch(rf"(\d+){_STEPS}(?:\s+(?:left|remaining|remain|to go|in all|when full))?", bare(text), re.I)
    value = int(found.group(1)) if found else None
    return value if value is not None and value <= MOST_STEPS else None


def left_of(text: str) -> tuple[int, int] | None:
    """`41/63`: what is left, and of how much."""
    found = _OF.fullmatch(bare(text))
    if found is None or int(found.group(1)) > int(found.group(2)) or int(found.group(2)) > MOST_STEPS:
        return None
    return int(found.group(1)), int(found.group(2))


def position(text: str) -> tuple[float, float] | None:
    return point_in(text, loose=True)


def room(text: str) -> str | None:
    return room_in(text) or None


def holding(text: str) -> str | None:
    word = bare(text).lower()
    if word in _NOTHING:
        return ""
    name = item_in(re.sub(r"^hold(?:s|ing)?\s+", "", bare(text), flags=re.I))
    return name if name and name != FLOOR and is_thing(name) else None


def room_list(text: str) -> tuple[str, ...] | None:
    """Rooms one after the other, and nothing else."""
    found = rooms(text)
    rest = text
    for a, b, _ in reversed(found):
        rest = rest[:a] + " " + rest[b:]
    if not found or re.sub(r"[\s,;/&+|\"'`\[\]<>(){}.]|\band\b|\bthe\b", "", rest):
        return None
    return tuple(dict.fromkeys(name for _, _, name in found))


# -- sub-tasks --------------------------------------------------------------------------------------------------------
def subtask(text: str) -> Subtask | None:
    """A sub-task in words or in signs: what is to be done stands first."""
    text = re.sub(r"^(?:sub-?task|task)\s*[:=]\s*", "", text.strip().strip("\"'`*"), flags=re.I)
    if re.match(rf"(?:{GO})\b", text, re.I):
        where = room_in(text)
        if where or not (rooms(text) or items(text)):
            return Subtask(EXPLORE, (where,) if where else ())
        return None
    if re.match(rf"(?:{PUT})\b", text, re.I):
        return replacing(text)
    return Subtask(STOP) if re.fullmatch(rf"(?:{HALT})[.! ]*", text, re.I) else None


def replacing(text: str) -> Subtask | None:
    """The thing that is carried, the kind of furniture it goes to and the room: in this order, of what is said.

    Where it is taken from (`from ...`) is no part of it.
    """
    text = re.sub(r"\b(?:away )?(?:from|off)\b.*?(?=\b(?:to|onto|into|on|in)\b|->|$)", " ", text, flags=re.I)
    named = [name for _, _, name in items(text)]
    if not named or not is_thing(named[0]) or named[0] == FLOOR:
        return None
    places = [n for n in named[1:] if n == FLOOR or is_furniture(n)]
    if len(named) > 2 or len(places) != len(named) - 1:
        return None
    place = places[0] if places else ""
    where = room_in(text)
    if not where and rooms(text):
        return None
    return Subtask(REPLACE, (named[0], place if place in ("", FLOOR) else kind_of(place), where))


# -- things -----------------------------------------------------------------------------------------------------------
def found_in(text: str) -> Found | None:
    """One thing and where it is: `mug_0 kind=Mug on=bathtub_0 room=room_2 x=4.1 y=6.32`, `mug_0!bathtub_0@R2`."""
    given = {k.lower(): v for k, v in re.findall(r"(\w+)\s*[=:]\s*([\w.#\-]+)", text)}
    kind = given.get("kind") or given.get("type") or ""
    plain = re.sub(r"\b(?:kind|type|class)\s*[=:]\s*[\w]+", " ", text, flags=re.I)
    plain = re.sub(r"^\W*(?:a|an|the|one)?\s*misplaced\s*[:=]?\s*|\s*\((?:a|an)\s[^)]*\)", " ", plain, flags=re.I)
    named = [n for _, _, n in items(plain)]
    if len(named) > 1 and kind_of(named[0]) == named[1]:  # `mug_0 Mug bathtub_0`
        named.pop(1)
    if not named or len(named) > 2 or named[0] == FLOOR:
        return None
    on = named[1] if len(named) == 2 else ""
    if on and on != FLOOR and not is_furniture(on):
        return None
    where = room_in(plain)
    if not where and rooms(plain):
        return None
    at = point_in(plain) or point_in(
        re.sub(r"^.*?(?=\s-?\d+(?:\.\d+)?\s*,)", "", plain, count=1, flags=re.S), loose=True
    )
    return Found(named[0], kind_of(kind) or kind_of(named[0]), on, where, at)


def found_from(data: dict[str, Any], key: Callable[[str], str]) -> Found | None:
    """The same from a table; `key` says what a key means."""
    known: dict[str, Any] = {}
    for name, value in data.items():
        known.setdefault(key(str(name)), value)
    text = str(known.get("name", known.get("kind", "")))
    name = item_in(text) or (text if re.fullmatch(r"[a-z]\w*_\d+", text) else "")
    if not name:
        return None
    on = item_in(str(known.get("on", ""))) or ""
    where = room_in(str(known.get("room", "")))
    at = known.get("position")
    point: tuple[float, float] | None = None
    if isinstance(at, dict):
        at = [at.get("x"), at.get("y")]
    if at is None and "x" in known and "y" in known:
        at = [known["x"], known["y"]]
    if isinstance(at, (list, tuple)) and len(at) >= 2 and all(isinstance(v, (int, float)) for v in at[:2]):
        point = (float(at[0]), float(at[1]))
    elif isinstance(at, str):
        point = point_in(at, loose=True)
    kind = kind_of(str(known.get("kind", ""))) or kind_of(name)
    return Found(name, kind, on, where, point)
