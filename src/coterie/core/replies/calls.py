"""Calls of skills in a text, and the action that each of them means: by position, by keyword, as JSON or as words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from coterie.core.action import Action
from coterie.core.kinds import Kind, Misread
from coterie.core.replies import fields
from coterie.core.replies.headings import named
from coterie.core.replies.json_blocks import blocks
from coterie.core.skill import Skill
from coterie.core.skills import Skills

_KEYWORD = re.compile(r"\s*[\"'*`]?([A-Za-z_]\w{0,30})[\"'*`]?\s*[=:]\s*")


class Call(NamedTuple):
    """A skill in small letters, what stands between its brackets, and where."""

    word: str
    inner: str
    start: int
    end: int


class Calls:
    """Reads calls of the skills of one world."""

    def __init__(self, skills: Skills, teammates: Iterable[str] = ()):
        self.skills, self.teammates = skills, list(teammates)
        self.known = skills.by_word

    def calls(self, text: str) -> list[Call]:
        """Calls of known skills, in the order in which they are said."""
        every = (Call(m.group(1).lower(), m.group(2), m.start(), m.end()) for m in fields.CALL.finditer(text))
        return [call for call in every if call.word in self.known]

    def action(self, call: Call) -> Action | Misread:
        """Return the action that a call stands for."""
        skill = self.known[call.word]
        if call.inner.lstrip()[:1] == "{":
            got = self.given(skill, call.inner)
        else:
            got = self._inner(skill, self._positional(skill, call.inner))
        return Misread(skill.unread) if isinstance(got, Misread) and skill.unread else got

    def _positional(self, skill: Skill, inner: str) -> str:
        """`side=2, place="bed"` as `"bed", 2`; what has no keywords stays as it is."""
        if not skill.params or not _KEYWORD.match(inner):
            return inner
        marks = [m for m in _KEYWORD.finditer(inner) if m.start() == 0 or inner[: m.start()].rstrip().endswith(",")]
        values = {}
        for i, m in enumerate(marks):
            end = marks[i + 1].start() if i + 1 < len(marks) else len(inner)
            values[m.group(1).lower()] = inner[m.end() : end].strip().rstrip(",").strip()
        order = self._order(skill, values)
        return ", ".join(order) if order is not None else inner

    def _order(self, skill: Skill, values: Mapping[str, Any]) -> list[Any] | None:
        """Named values in the order of the parameters; None where a name fits none."""
        more = len(values) > len(skill.params)  # a reason among them
        left = {k: v for k, v in values.items() if not more or named(k) not in ("thought", "other")}
        values = dict(left)
        found: list[Any] = []
        for param in skill.params:
            names = [n.strip("\"'").lower() for n in (param.name, param.label, param.kind)]
            key = next((k for k in left if str(k).lower() in names), None)
            if key is None and len(left) == 1 and len(skill.params) == 1:
                key = next(iter(left))
            if key is None:
                if param.default is None and not param.hidden and left:
                    plain = all(re.fullmatch(r"(?:arg|param|value)?_?\d", str(k), re.I) for k in values)
                    plain |= len(values) == 1 or any(self.skills.kind(p.kind).quoted for p in skill.params)
                    return list(values.values()) if len(values) == len(skill.params) and (found or plain) else None
                break
            found.append(left.pop(key))
        if left and 0 < len(found) < len(skill.params):  # a name of its own for the next one, such as `stand_pose`
            return [*found, *left.values()] if len(left) == 1 else None
        return found

    def _inner(self, skill: Skill, inner: str) -> Action | Misread:
        if not skill.params:
            return Action(skill.name, ())
        kinds = [self.skills.kind(p.kind) for p in skill.params]
        if any(k.quoted for k in kinds):
            if len(kinds) == 2 and kinds[1].many:
                return fields.message(skill.name, inner, self.teammates, "")
            return self._words(skill, kinds, inner)
        if all(p.hidden and k.span for p, k in zip(skill.params, kinds)):
            # numbers that a second call asks for; one that gives them at once is taken at its word
            if len(fields.NUMBER.findall(inner)) < len(kinds):
                return Action(skill.name, ())
            found = fields.numbers(inner, len(kinds))
            if found is None:
                return Misread(f"{skill.signature} takes {len(kinds)} small numbers")
            return Action(skill.name, found)
        names = fields.pieces(inner, kinds)
        if isinstance(names, Misread):
            return names
        return self.filled(skill, kinds, names)

    def filled(self, skill: Skill, kinds: Sequence[Kind], names: list[str]) -> Action | Misread:
        """A skill with its values, as names say them."""
        params = skill.params
        args: list[Any] = []
        for kind, name in zip(kinds, names):
            value = (kind.read(name),) if kind.many else kind.read(name)
            if isinstance(value, Misread):
                return value
            args.append(value)
        if names:  # a call without anything in it is not filled up: the world says what it takes
            for param in params[len(args) :]:
                if param.default is None:
                    break
                args.append(param.default)
        if params[-1].default is None:  # where the last may be left out, what comes after it is chatter
            args += names[len(kinds) : max(fields.MOST_ARGS, len(kinds))]
        return Action(skill.name, tuple(args))

    def _words(self, skill: Skill, kinds: Sequence[Kind], inner: str) -> Action | Misread:
        """A call with free words among names: the words stand between quotes."""
        words, rest = fields.quotation(inner)
        if not words.strip():
            return Misread(f"{skill.signature} needs its words between quotes")
        plain = [k for k in kinds if not k.quoted]
        names = fields.pieces(rest.replace('""', "").replace('" "', ""), plain)
        if isinstance(names, Misread):
            return names
        few = replace(skill, params=tuple(p for p in skill.params if not self.skills.kind(p.kind).quoted))
        got = self.filled(few, plain, names)
        if isinstance(got, Misread):
            return got
        args = list(got.args)
        args.insert(next(i for i, k in enumerate(kinds) if k.quoted), fields.clean(words))
        return got._replace(args=tuple(args))

    def given(self, skill: Skill, given: Any) -> Action | Misread:
        """A call whose arguments came as JSON, or as a line of words."""
        if isinstance(given, str):
            inside = blocks(given)
            if not inside:
                return self._inner(skill, self._positional(skill, given.strip().strip("()")))
            given = inside[0]
        if isinstance(given, Mapping):
            order = self._order(skill, given)
            if order is None:
                return Misread(f"{skill.signature} does not take {', '.join(map(str, given))}")
            given = order
        if any(isinstance(v, (Mapping, bool)) or v is None for v in given):
            return Misread(f"{skill.signature} takes names and texts only")
        parts = []
        for value, param in zip(given, [*skill.params, *[None] * len(given)]):
            quoted = param is not None and self.skills.kind(param.kind).quoted
            text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            parts.append('"' + text.replace('"', "'") + '"' if quoted else text)
        return self._inner(skill, ", ".join(parts))


def key_of(call: Call) -> tuple[str, str]:
    """Two calls with the same key say the same."""
    return call.word, re.sub(r"[\s\"'<>\[\]]", "", call.inner).lower()
