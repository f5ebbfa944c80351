"""Names in other people's words: of things, furniture, rooms and numbers, however they are spelled.

    Mug_0  mug 0  mug#0  "mug-0"   -> mug_0         Room3  room 3  R3  -> room_3         living room -> LivingRoom

Only kinds that the household world has are known by other spellings; `word_7` is a name whatever the word.
"""

from __future__ import annotations

import re
from functools import cache

from coterie.houses.model import FLOOR, ROOM_KINDS
from coterie.houses.placement import kinds

NUMBER = r"[-+]?\d+(?:\.\d+)?"
_EXACT = re.compile(r"(?<![\w.])([a-z][a-z]*(?:_[a-z]+)*_\d{1,3})(?![\w])")
_ROOM = re.compile(r"(?<![\w.])(?:room[\s_#\-]{0,2}(?:no\.? ?|number )?|R(?=\d))(\d{1,3})(?!\w|\.\d)", re.I)
_NOT_THINGS = (
    "room",
    "kitchen",
    "living",
    "bedroom",
    "bathroom",
    "robot",
    "step",
    "door",
    "agent",
    "task",
    "level",
    "node",
    "point",
    "frontier",
)


def snake(kind: str) -> str:
    """`TVStand` -> `tv_stand`, as names of things begin."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", kind).lower()


@cache
def _spelled() -> dict[str, str]:
    """How kinds are spelled without anything between the words -> the kind."""
    return {snake(kind).replace("_", ""): kind for kind in kinds()}


@cache
def _rooms() -> dict[str, str]:
    found = {kind.lower(): kind for kind in ROOM_KINDS}
    return {**found, "lounge": "LivingRoom", "sittingroom": "LivingRoom", "bath": "Bathroom"}


@cache
def _any_kind() -> re.Pattern[str]:
    """Kinds in any spelling, with a number behind or without: longest first, so that a wine bottle is no bottle."""
    spelled = sorted((snake(kind).split("_") for kind in kinds()), key=lambda words: -len("".join(words)))
    words = "|".join(r"[\s_\-]?".join(map(re.escape, parts)) for parts in spelled)
    return re.compile(
        rf"(?<![A-Za-z_])({words})(?:(?:[\s_#\-:|]|\s#|\sno\.? ?)?(\d{{1,3}})(?![\w]|\.\d))?(?![A-Za-z])", re.I
    )


def kind_of(name: str) -> str:
    """The kind that a name speaks of; empty where it is none of the world's."""
    return _spelled().get(re.sub(r"[\s_\-]|\d+$", "", name).lower(), "")


def is_furniture(name: str) -> bool:
    kind = kinds().get(kind_of(name))
    return kind is not None and not kind.thing


def is_receptacle(name: str) -> bool:
    kind = kinds().get(kind_of(name))
    return kind is not None and kind.receptacle


def is_thing(name: str) -> bool:
    """A thing by its kind, or by a name that fits no kind of furniture."""
    kind = kinds().get(kind_of(name))
    return kind.thing if kind is not None else _EXACT.fullmatch(name) is not None


def items(text: str) -> list[tuple[int, int, str]]:
    """Things and furniture in a text: where they stand, and their names; the kind where no single one is named."""
    found: list[tuple[int, int, str]] = []
    for m in _EXACT.finditer(text):
        if m.group(1).split("_")[0] not in _NOT_THINGS:
            found.append((m.start(), m.end(), m.group(1)))
    for m in _any_kind().finditer(text):
        if any(a < m.end() and m.start() < b for a, b, _ in found):
            continue
        kind = kind_of(m.group(1))
        name = f"{snake(kind)}_{int(m.group(2))}" if m.group(2) else kind
        if (kind and m.group(1).lower() != "box") or m.group(2):  # a box is also what is said of pictures
            found.append((m.start(), m.end(), name))
    for m in re.finditer(r"\b(?:floor|ground)\b", text, re.I):
        if not any(a < m.end() and m.start() < b for a, b, _ in found):
            found.append((m.start(), m.end(), FLOOR))
    return sorted(found)


def rooms(text: str) -> list[tuple[int, int, str]]:
    """Rooms in a text: `room_3`, or the kind where no single one is named."""
    found = [(m.start(), m.end(), f"room_{int(m.group(1))}") for m in _ROOM.finditer(text)]
    for m in re.finditer(
        r"\b(kitchen|living[\s_\-]?room|sitting[\s_\-]?room|lounge|bed[\s_\-]?room|bath[\s_\-]?room)\b", text, re.I
    ):
        found.append((m.start(), m.end(), _rooms()[re.sub(r"[\s_\-]", "", m.group(1)).lower()]))
    return sorted(found)


def room_in(text: str) -> str:
    """The only room that a text names; empty where there is none, or several."""
    found = {name for _, _, name in rooms(text)}
    single = {name for name in found if name.startswith("room_")}
    if len(single) == 1 and len(found - single) <= 1:  # `room_3 (kitchen)`
        return single.pop()
    return found.pop() if len(found) == 1 else ""


def item_in(text: str) -> str:
    """The only item that a text names."""
    found = {name for _, _, name in items(text)}
    return found.pop() if len(found) == 1 else ""


_PAIR = re.compile(rf"[(\[<{{]?\s*({NUMBER})\s*(?:m\b)?\s*[,;/ ]\s*({NUMBER})\s*(?:m\b)?")
_AXES = re.compile(rf"\bx\s*[:= ]\s*({NUMBER})\s*(?:m\b)?[,;\s]*(?:and\s*)?y\s*[:= ]\s*({NUMBER})", re.I)


def point_in(text: str, loose: bool = False) -> tuple[float, float] | None:
    """A place as two numbers: in brackets, or as x and y; `loose`, also two numbers with a comma between them."""
    axes = _AXES.findall(text)
    if len(axes) == 1:
        return float(axes[0][0]), float(axes[0][1])
    if axes:
        return None
    pairs = re.findall(rf"[(\[]\s*({NUMBER})\s*(?:m\b)?\s*[,; ]\s*({NUMBER})[^()\[\]]{{0,40}}[)\]]", text)
    if not pairs and loose:
        match = _PAIR.fullmatch(
            re.sub(rf"((?:{NUMBER}[,;/ ]\s*){{2}}).*", lambda m: m.group(1).rstrip(",;/ "), text.strip(" ()[]<>{}"))
        )
        pairs = [match.groups()] if match else []
    return (float(pairs[0][0]), float(pairs[0][1])) if len(pairs) == 1 else None
