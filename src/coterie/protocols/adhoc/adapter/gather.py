"""Collects what is read of one text. Of two values that contradict each other, neither is taken."""

from __future__ import annotations

import re
from typing import Any

from coterie.protocols.adhoc.adapter import values
from coterie.protocols.adhoc.adapter.keys import thing_key
from coterie.protocols.adhoc.adapter.names import is_receptacle
from coterie.protocols.adhoc.adapter.record import REPLACE, Found, Heard

MOST_ITEMS = 200  # of a list
_LISTS = ("explored", "unexplored", "misplaced", "receptacles", "done", "failed")
_AGREES = ("yes", "ok", "okay", "agree", "agreed", "agrees", "accept", "accepted", "go", "true", "fine", "approve",
           "ack", "approved", "reasonable", "1", "+", "roger")  # fmt: skip
_OBJECTS = ("no", "object", "objects", "objection", "disagree", "reject", "rejected", "refuse", "refused", "false", "0",
            "nack", "nak", "unreasonable", "-", "conflict", "deny", "denied")  # fmt: skip


class Gathered:
    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.clashes: set[str] = set()
        self.lists: dict[str, dict[Any, None]] = {name: {} for name in _LISTS}
        self.axes: dict[str, float] = {}
        self.unread: list[str] = []

    # -- one value ------------------------------------------------------------------------------------------------
    def put(self, field: str, value: Any) -> bool:
        """Take in one value; False where there is none."""
        if value is None:
            return False
        if self.values.setdefault(field, value) != value:
            self.clashes.add(field)
        return True

    def add(self, field: str, items: Any) -> bool:
        for item in items or ():
            if len(self.lists[field]) < MOST_ITEMS:
                self.lists[field][item] = None
        return bool(items)

    # -- a key and its value ----------------------------------------------------------------------------------------
    def take(self, field: str, text: str, section: str) -> bool:
        """The value of a field as text; False where it cannot be read."""
        if field == "robot":
            return True
        if field in ("battery", "battery_left", "battery_steps"):
            return self._battery(field, text, section)
        if field in ("x", "y"):
            return self._axis(field, text)
        if field in ("explored", "unexplored"):
            return text.strip().lower() in ("none", "-", "") or self.add(field, values.room_list(text))
        if field in ("misplaced", "receptacles"):
            return text.strip().lower() in ("none", "-", "", "nothing") or self.add_found(
                field, [values.found_in(text)]
            )
        if field == "failed":
            name, _, why = text.partition(":")
            thing = values.item_in(name)
            return bool(thing) and self.add("failed", [(thing, why.strip()[:200])])
        if field == "done":
            name = values.item_in(text.split("=")[0].rpartition(" ")[0] or text) or _thing(text)
            return bool(name) and self.add("done", [name])
        if field == "answer":
            word = re.split(r"[\s,.:;]", values.bare(text).lower())[0]
            return self.put("answer", True if word in _AGREES else False if word in _OBJECTS else None)
        read = {
            "arm": values.truth, "payload_kg": values.weight_kg, "tall": values.tall, "position": values.position,
            "room": values.room, "holding": values.holding, "subtask": values.subtask,
        }[field]  # fmt: skip
        if field == "position" and values.room(text) is not None:
            self.put("room", values.room(text))
        if field == "room" and text.strip().lower() in ("none", "unknown", "?", "-"):
            return True
        if field == "tall" and values.truth(text) is not None:
            return False
        return self.put(field, read(text))

    def _battery(self, field: str, text: str, section: str) -> bool:
        both = values.left_of(text)
        if both is not None:
            return self.put("battery_left", both[0]) and self.put("battery_steps", both[1])
        if field == "battery":
            field = "battery_steps" if section == "ability" else "battery_left"
        return self.put(field, values.steps(text))

    def _axis(self, field: str, text: str) -> bool:
        number = values.bare(text).removesuffix("m").strip()
        try:
            self.axes[field] = float(number)
        except ValueError:
            return False
        return True

    def add_found(self, field: str, found: list[Found | None]) -> bool:
        """Things that are misplaced, or furniture that is there to put something on."""
        good = [f for f in found if f is not None and is_receptacle(f.name) == (field == "receptacles")]
        return self.add(field, good) and len(good) == len(found)

    # -- a table of JSON --------------------------------------------------------------------------------------------
    def found_data(self, data: Any) -> list[Found | None]:
        if isinstance(data, dict):
            one = values.found_from(data, thing_key)
            if one is not None:
                return [one]
            named = [{"name": key, **value} for key, value in data.items() if isinstance(value, dict)]
            plain = [{"name": key, "on": value} for key, value in data.items() if isinstance(value, str)]
            return [values.found_from(d, thing_key) for d in named or plain] or [None]
        if isinstance(data, list):
            return [f for item in data for f in self.found_data(item)]
        return [values.found_in(str(data))]

    # -- all of it ------------------------------------------------------------------------------------------------
    def heard(self) -> Heard:
        if len(self.axes) == 2 and "position" not in self.values:
            self.put("position", (self.axes["x"], self.axes["y"]))
        kept = {name: value for name, value in self.values.items() if name not in self.clashes}
        if self.clashes:
            self.unread.append("contradictory: " + ", ".join(sorted(self.clashes)))
        lists = {name: tuple(items) for name, items in self.lists.items()}
        both = set(lists["explored"]) & set(lists["unexplored"])
        for name in ("explored", "unexplored"):
            lists[name] = tuple(room for room in lists[name] if room not in both)
        best: dict[str, Found] = {}
        for found in lists["misplaced"]:  # of one thing, what says most
            if found.name not in best or _said(found) > _said(best[found.name]):
                best[found.name] = found
        lists["misplaced"] = tuple(best.values())
        made: dict[str, Any] = {**kept, **lists}
        return Heard(**made, unread="\n".join(self.unread))


def _thing(text: str) -> str:
    """The thing of a sub-task that is over, or the first that is named."""
    task = values.subtask(text)
    if task is not None:
        return task.args[0] if task.name == REPLACE else ""
    named = [name for _, _, name in values.items(text) if values.is_thing(name)]
    return named[0] if named else ""


def _said(found: Found) -> int:
    return sum(1 for part in (found.kind, found.on, found.room, found.at) if part)
