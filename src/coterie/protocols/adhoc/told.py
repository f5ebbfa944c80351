"""What a text of somebody else says, as typed data: None, or nothing in a list, where it says nothing of that kind."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from coterie.protocols.adhoc.subtasks import Phrase, read_subtask


@dataclass(frozen=True)
class Found:
    """A thing that somebody named, and where it is said to be."""

    name: str
    kind: str = ""
    on: str = ""  # a piece of furniture, or `floor`
    room: str = ""
    at: tuple[float, float] | None = None


@dataclass(frozen=True)
class Told:
    # what it can do
    arm: bool | None = None
    payload_kg: float | None = None
    tall: bool | None = None
    battery_steps: int | None = None  # of a full battery
    # its state
    position: tuple[float, float] | None = None
    room: str | None = None
    holding: str | None = None  # an empty text: nothing
    battery_left: int | None = None
    subtask: Phrase | None = None
    # the house
    explored: tuple[str, ...] = ()
    unexplored: tuple[str, ...] = ()
    misplaced: tuple[Found, ...] = ()
    receptacles: tuple[Found, ...] = ()
    failed: tuple[tuple[str, str], ...] = ()  # what it could not take or put, and why
    answer: bool | None = None  # to an intention: it agrees, or objects


def read(text: str) -> Told:
    """All that is read of a text."""
    from coterie.protocols.heuristic.lines import read as lines
    from coterie.protocols.heuristic.lines import values

    found: dict[str, object] = {}
    things: list[Found] = []
    pieces: list[Found] = []
    for key, words in lines(text[:MOST_READ]):
        pairs = values(words)
        if key == "ability":
            found |= {"arm": pairs.get("arm") == "yes", "payload_kg": _number(pairs.get("payload"))}
            battery = _number(pairs.get("battery"))
            found |= {"tall": pairs.get("height") == "tall", "battery_steps": None if battery is None else int(battery)}
        elif key == "state":
            x, y = _number(pairs.get("x")), _number(pairs.get("y"))
            found["position"] = None if x is None or y is None else (x, y)
            found["room"] = _word(pairs.get("room"))
            found["holding"] = _word(pairs.get("holding")) or ""
            left = _number(pairs.get("battery"))
            found["battery_left"] = None if left is None else int(left)
        elif key == "task":
            found["subtask"] = read_subtask(words) or Phrase(words.split(" ")[0])
        elif key == "misplaced":
            x, y = _number(pairs.get("x")), _number(pairs.get("y"))
            at = None if x is None or y is None else (x, y)
            name = words.split(" ")[0]
            things.append(Found(name, pairs.get("kind", ""), pairs.get("on", ""), pairs.get("room", ""), at))
        elif key == "receptacle":
            x, y = _number(pairs.get("x")), _number(pairs.get("y"))
            at = None if x is None or y is None else (x, y)
            pieces.append(Found(words.split(" ")[0], pairs.get("kind", ""), "", pairs.get("room", ""), at))
        elif key == "explored":
            found["explored"] = tuple(filter(None, (w.strip() for w in words.split(","))))
        elif key == "failed":
            found["failed"] = (tuple(part.strip() for part in words.partition(":")[::2]),)
        elif key == "answer":
            found["answer"] = words.split(" ")[0] == "yes"
    return Told(**found, misplaced=tuple(things), receptacles=tuple(pieces))  # type: ignore[arg-type]


MOST_READ = 20_000  # characters of one message


def _number(text: str | None) -> float | None:
    try:
        return float(text or "")
    except ValueError:
        return None


def _word(text: str | None) -> str | None:
    return None if text in (None, "none") else text


_GROWS = ("explored", "unexplored", "failed")


def merged(old: Told, new: Told) -> Told:
    """What is known of somebody after it said something more: news replaces what is old, lists grow."""
    values: dict[str, object] = {}
    for f in fields(Told):
        before, now = getattr(old, f.name), getattr(new, f.name)
        if f.name in ("misplaced", "receptacles"):
            values[f.name] = tuple({item.name: item for item in (*before, *now)}.values())
        elif f.name in _GROWS:
            values[f.name] = tuple(dict.fromkeys((*before, *now)))
        else:
            values[f.name] = before if now is None and f.name != "answer" else now
    return replace(Told(), **values)  # type: ignore[arg-type]
