"""From the words of a teammate to what they say: `read(text, sender) -> Heard`.

Four formats are read: lines of keys, JSON with such keys, the code of learnt teammates and the sentences of negotiating
ones. What they find is put together in `Gathered`; of two values that contradict each other, neither is taken. What is
in none of them stays in `unread`, as it stands; nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from coterie.core.files import tables
from coterie.core.replies.json_blocks import blocks, flat
from coterie.protocols.heuristic.adapter import values
from coterie.protocols.heuristic.adapter.values import REPLACE, Found, Heard, Phrase, merged

__all__ = ["MOST_CHARS", "REPLACE", "Found", "Heard", "Phrase", "merged", "read"]
MOST_CHARS = 4000  # that are read of one message; nobody has that much to say
MOST_UNREAD, MOST_ITEMS = 2000, 200
_FORMS = tables(__package__, "forms.toml")
_FIELDS: dict[str, str] = _FORMS["fields"]
_SECTIONS = {"ability": "ability", "capabilities": "ability", "cap": "ability", "state": "state", "st": "state"}
_READ: dict[str, Callable[[str], Any]] = {
    "arm": values.truth, "payload_kg": partial(values.number, most=values.MOST_KG, unit="kg"), "tall": values.tall,
    "position": values.position, "room": values.room, "holding": values.holding, "subtask": values.subtask,
    "battery_left": values.steps, "battery_steps": values.steps,
}  # fmt: skip
_LISTS = ("explored", "unexplored", "misplaced", "receptacles", "done", "failed")
_NO = ("no", "object", "disagree", "false")


def read(text: str, sender: str = "") -> Heard:
    """The facts in a teammate's text, about the teammate itself and about the house. Never fails, and never guesses."""
    out = Gathered()
    cut = text[:MOST_CHARS]
    tables = [b for b in blocks(cut) if isinstance(b, dict)] if "{" in cut else []
    for table in tables:
        _table(table, out, "", sender)
    for line in cut.splitlines() if not tables else ():
        if re.match(r"[A-Z]{2,6} \S", line):
            for part in line.split("; "):
                key, _, rest = part.partition(" ")
                _code(key.lower(), rest, part, out)
        elif line.strip():
            key, colon, rest = line.partition(":")
            if not (colon and _line(key.strip().lower(), rest.strip(), out)):
                _sentences(line, out)
    return out.heard(text[MOST_CHARS:])


class Gathered:
    """The values that were read from one text."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.clashes: set[str] = set()
        self.lists: dict[str, dict[Any, None]] = {name: {} for name in _LISTS}
        self.unread: list[str] = []

    def put(self, field: str, value: Any) -> bool:
        """Take in one value; False where there is none."""
        if value is not None and self.values.setdefault(field, value) != value:
            self.clashes.add(field)
        return value is not None

    def add(self, field: str, items: Any) -> bool:
        for item in items or ():
            if len(self.lists[field]) < MOST_ITEMS:
                self.lists[field][item] = None
        return bool(items)

    def found(self, field: str, name: str, given: dict[str, str]) -> bool:
        """A thing that is misplaced, or furniture that is there to put something on."""
        one = values.found(name, given)
        return one is not None and values.is_receptacle(name) == (field == "receptacles") and self.add(field, [one])

    def take(self, field: str, text: str, section: str = "") -> bool:
        """The value of a field as text; False where it cannot be read."""
        if field == "robot" or (field in (*_LISTS, "room") and text.strip().lower() in ("none", "-", "")):
            return True
        if field in ("x", "y"):
            return self.put(field, values.number(text.removeprefix("-"), 1e4)) and self._axes(field, text)
        if field in ("explored", "unexplored"):
            return self.add(field, values.rooms(text))
        if field == "failed":
            name, _, why = text.partition(":")
            return values.thing(name) is not None and self.add("failed", [(values.bare(name), why.strip()[:200])])
        if field == "done":
            task = values.subtask(text)
            name = task.args[0] if task is not None and task.name == REPLACE else text.split()[0]
            return values.thing(name) is not None and self.add("done", [values.bare(name)])
        if field == "answer":
            return self.put("answer", re.split(r"[\s,.:;]", values.bare(text).lower())[0] not in _NO)
        if field == "battery":
            field = "battery_steps" if section == "ability" else "battery_left"
        return self.put(field, _READ[field](text))

    def _axes(self, field: str, text: str) -> bool:
        self.values[field] = float(text)
        if "x" in self.values and "y" in self.values:
            self.put("position", (self.values["x"], self.values["y"]))
        return True

    def heard(self, rest: str) -> Heard:
        """All of it; `rest`: what was too long to be read."""
        if self.clashes:
            self.unread.append("contradictory: " + ", ".join(sorted(self.clashes)))
        kept = {k: v for k, v in self.values.items() if k not in self.clashes and k not in ("x", "y")}
        lists: dict[str, Any] = {name: tuple(items) for name, items in self.lists.items()}
        both = set(lists["explored"]) & set(lists["unexplored"])
        for name in ("explored", "unexplored"):
            lists[name] = tuple(room for room in lists[name] if room not in both)
        best: dict[str, Found] = {}
        for one in lists["misplaced"]:  # of one thing, what says most
            if one.name not in best or _said(one) > _said(best[one.name]):
                best[one.name] = one
        lists["misplaced"] = tuple(best.values())
        unread = "\n".join(self.unread) + (f"\n{rest}" if rest else "")
        return Heard(**kept, **lists, unread=unread[:MOST_UNREAD])


def _said(found: Found) -> int:
    return sum(1 for part in (found.kind, found.on, found.room, found.at) if part)


# -- lines, JSON, code ------------------------------------------------------------------------------------------------
def _pairs(words: str) -> dict[str, str]:
    return {k.lower(): v for k, sign, v in (word.partition("=") for word in words.split()) if sign}


def _line(key: str, words: str, out: Gathered) -> bool:
    """`key: words`, or `section: key=value key=value`."""
    field, section = _FIELDS.get(key, ""), _SECTIONS.get(key, "")
    if section:
        for name, value in _pairs(words).items():
            if name in _FIELDS and not out.take(_FIELDS[name], value, section):
                out.unread.append(f"{name}={value}")
    elif field in ("misplaced", "receptacles") and words:
        return words == "none" or out.found(field, words.split()[0], _pairs(words))
    return bool(section) or (bool(field) and bool(words) and out.take(field, words))


def _table(table: dict[str, Any], out: Gathered, section: str, sender: str) -> None:
    who = next((v for k, v in table.items() if _FIELDS.get(str(k).lower()) == "robot"), sender)
    if sender and isinstance(who, str) and who.lower() != sender.lower():
        out.unread.append(flat(table))  # of another robot
        return
    for name, value in table.items():
        key = str(name).lower()
        field, inner = _FIELDS.get(key, ""), _SECTIONS.get(key, "")
        if field in ("misplaced", "receptacles") and isinstance(value, list):
            rows = [{str(k).lower(): _words(v) for k, v in row.items()} for row in value if isinstance(row, dict)]
            each = [out.found(field, row.get("object", row.get("name", "")), row) for row in rows]
            good = all(each) and len(each) == len(value)
        elif isinstance(value, dict) and inner:
            _table(value, out, inner, sender)
            good = True
        else:
            good = bool(field) and not isinstance(value, dict) and out.take(field, _words(value), section)
        if not good:
            out.unread.append(f"{name}: {flat(value)}")


def _words(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(str(v) for v in value)
    return "none" if value is None else ("yes" if value else "no") if isinstance(value, bool) else str(value)


_PLACED = re.compile(r"(\w+)(?:!(\w+))?(?:@(\w+))? (\S+)")


def _code(key: str, words: str, part: str, out: Gathered) -> None:
    """`CAP A1 W6.22 H1.6 B63`, `ST 2.5,1.25 R3 - B41`, `SEE mug_0!bathtub_0@R2 4.1,6.32`, `DO XPL R2`."""
    field, section = _FIELDS.get(key, ""), _SECTIONS.get(key, "")
    placed = _PLACED.fullmatch(words) if field in ("misplaced", "receptacles") else None
    if section == "ability":
        good = all([out.take(_FIELDS.get(w[0].lower(), "robot"), w[1:], section) for w in words.split()])
    elif section == "state":
        at, *others = words.split()
        held = [w for w in others if not re.fullmatch(r"[RB]\d+", w)]
        named = [("room", w) for w in others if w[0] == "R"] + [("battery", w[1:]) for w in others if w[0] == "B"]
        pairs = [("position", at), *named, *(("holding", w) for w in held)]
        good = all([out.take(name, value, section) for name, value in pairs])
    elif placed is not None:
        given = {"on": placed[2] or "", "room": placed[3] or "", "at": placed[4]}
        good = out.found(field, placed[1], given)
    else:
        good = bool(field) and field not in ("misplaced", "receptacles") and out.take(field, words)
    if not good:
        out.unread.append(part)


# -- sentences --------------------------------------------------------------------------------------------------------
_SENTENCES = tuple(map(re.compile, _FORMS["sentences"]))
_MARKS = re.compile(r"\b(?:and|I am \w+|\w+ here)\b(?=\s*(?:[.,;:]|$|I\b|my\b))|[\s.,;:]+")


def _sentences(text: str, out: Gathered) -> None:
    """Read the sentences of which all is known; the others are kept."""
    for part in re.split(r"(?<=[.!?])\s+", text):
        answer = re.match(r"I (object|agree)(?::\s*|(?=\.|$))", part)
        if answer is not None:
            out.take("answer", answer[1])
            part = part[answer.end() :]
        said = [match for form in _SENTENCES if (match := form.search(part)) is not None]
        left = part
        for match in said:
            left = left.replace(match.group(), "")
        known = not _MARKS.sub("", left)
        read = [known and _sentence({k: v for k, v in m.groupdict().items() if v is not None}, out) for m in said]
        if part.strip(" .") and not (known and all(read)):
            out.unread.append(part.strip())


def _sentence(said: dict[str, str], out: Gathered) -> bool:
    if "carry" in said:
        task = values.subtask(f"{REPLACE} <{said['carry']}> <{said['onto']}> <{said.get('into', '')}>")
        return task is not None and any(task.args[1:]) and out.put("subtask", task)
    if not said or "explore" in said or "stop" in said:
        words = "Stop" if "stop" in said else f"Explore <{said['explore']}>" if said else "Explore"
        return out.put("subtask", values.subtask(words))
    for field in ("misplaced", "receptacles"):
        if field in said:
            return out.found(
                field, said[field], {"on": said.get("on", ""), "room": said.get("in", ""), "at": said["at"]}
            )
    if "no_arm" in said:
        return out.put("arm", False)
    said = {**said, **({"arm": "yes"} if "arm" in said else {})}
    return all([out.take(field, value) for field, value in said.items()])
