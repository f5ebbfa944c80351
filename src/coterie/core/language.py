"""The action language of a world: its skills, and everything that is said and read of them.

One declaration (`Skill`, its `Param`s, the world's kinds and fluents) gives the line in a prompt, the grammar of a
reply, the parser of it, the words in a memory, and what a parameter can be. Planners read the same
(`coterie.planning`). A skill that is put into the skills of a world is in all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from coterie.core import said
from coterie.core.action import Action
from coterie.core.kinds import Kind, Knower, Misread
from coterie.core.skill import Skill
from coterie.core.skills import Skills

LETTERS = "[a-zA-Z0-9_ ,.;:'-]"
OWN_WORDS = 160  # characters of a message that its sender remembers: the end says who was asked


class Language:
    """How the skills of a world are said, read and filled in."""

    def __init__(self, skills: Skills):
        self.skills = skills

    def kind(self, name: str) -> Kind:
        return self.skills.kind(name)

    def names(self, kind: str, me: Knower) -> Sequence[Any]:
        """What a parameter of a kind can be, as a robot knows it."""
        return self.kind(kind).names(me)

    def deeds(self, able: Iterable[str]) -> list[Skill]:
        """Those of a robot's skills that change something, in the order of the world."""
        able = set(able)
        return [s for n, s in self.skills.items() if n in able and s.then]

    # -- words ----------------------------------------------------------------------------------------------------
    def line(self, skill: Skill) -> str:
        """A skill in a prompt."""
        return f"{skill.name}({', '.join(p.label for p in skill.shown)}): {skill.help}"

    @property
    def example(self) -> str:
        one = next((s for _, s in self.skills.items() if len(s.shown) == 1), None)
        return self.skills.example or (f"{one.name}({one.shown[0].label})" if one is not None else "wait()")

    def written(self, action: Action) -> str:
        """An action as a model would write it."""
        skill = self.skills.find(action.skill)
        if skill is None or len(action.args) != len(skill.params):
            return str(action)
        parts = []
        for param, arg in zip(skill.params, action.args):
            kind = self.kind(param.kind)
            if kind.quoted:
                parts.append(f'"{arg}"')
            elif kind.many:
                parts.append(" and ".join(map(str, arg)) if isinstance(arg, tuple) else str(arg))
            else:
                parts.append(kind.write(arg))
        return f"{action.skill}({', '.join(parts)})"

    def remembered(self, action: Action) -> str:
        """An action in the memory of who did it: without what it need not keep."""
        skill = self.skills.find(action.skill)
        if skill is None:
            return f"{action.skill}({', '.join(map(str, action.args))})"
        kinds = [self.kind(p.kind) for p in skill.params]
        whole = len(action.args) == len(kinds)
        parts = []
        for kind, arg in zip(kinds, action.args) if whole or any(k.quoted for k in kinds) else ():
            if kind.quoted:
                parts.append(f'"{str(arg)[:OWN_WORDS]}"')
            elif kind.kept:
                parts.append(str(arg) if kind.span is not None else kind.write(arg))
        return f"{action.skill}({', '.join(parts if whole or parts or not kinds else map(str, action.args))})"

    # -- grammar --------------------------------------------------------------------------------------------------
    def grammar(self, me: Knower, able: Iterable[str], thought: int = 48, words: int = 100) -> dict[str, str]:
        """GBNF for `Thought: ...` and `Action: skill(names)`; names are those the robot knows of."""
        mine = [self.skills.get(s) for s in able if s in self.skills]
        used = {p.kind: None for s in mine for p in s.shown}
        kinds = {k.name: k for k in self.skills.kinds.values() if k.usual or k.name in used}
        kinds |= {k: self.kind(k) for k in used if k not in kinds}
        rules: dict[str, str] = {}
        for kind in kinds.values():
            text = f"{LETTERS}{{1,{words}}}" if kind.quoted else ""
            if kind.rule_name not in rules:
                rules[kind.rule_name] = text or kind.rule_text(me)
        lines = [
            'root ::= "Thought: " thought "\\nAction: " action',
            f"action ::= {' | '.join(_rule(s) for s in mine)}",
            *(f"{_rule(s)} ::= {self._call(s)}" for s in mine),
            f"thought ::= {LETTERS}{{1,{thought}}}",
            *(f"{name} ::= {text}" for name, text in rules.items()),
        ]
        return {"gbnf": "\n".join(lines)}

    def _call(self, skill: Skill) -> str:
        """`"navigate(" place ", " side ")"`: literals and rules in turn."""
        out, literal = [], f"{skill.name}("
        for i, param in enumerate(skill.shown):
            kind = self.kind(param.kind)
            quote = '\\"' if kind.quoted else ""
            out += [f'"{literal}{", " if i else ""}{quote}"', kind.call_form]
            literal = quote
        return " ".join([*out, f'"{literal})"'])

    # -- reading --------------------------------------------------------------------------------------------------
    def read(self, reply: str, teammates: Iterable[str] = ()) -> Action | Misread:
        """`Action: pick(apple_0)` to an action. Names that do not exist are let through: the world answers them."""
        text = reply[: said.MOST_CHARS]
        if not text.strip():
            return Misread("the reply was empty")
        heading = re.search(r"action[^\w:]*:\s*(.*)", text, re.I | re.S)
        meant = heading.group(1) if heading else text
        why = said.thought(text)
        call = said.CALL.search(meant)
        if call is None:
            for name, skill in self.skills.items():
                if not skill.params and re.fullmatch(rf"\W*{re.escape(name)}\W*", meant, re.I):
                    return Action(name, (), why)
            return Misread(f"it has no action like {self.example}")
        word, inner = call.group(1).lower(), call.group(2)
        known = next((s for n, s in self.skills.items() if n.lower() == word), None)
        if known is None:
            names = said.pieces(inner)
            return names if isinstance(names, Misread) else Action(word, tuple(names[: said.MOST_ARGS]), why)
        got = self._read_call(known, inner, list(teammates), why)
        if isinstance(got, Misread) and known.unread:
            return Misread(known.unread)
        return got

    def _read_call(self, skill: Skill, inner: str, teammates: Sequence[str], why: str) -> Action | Misread:
        if not skill.params:
            return Action(skill.name, (), why)
        kinds = [self.kind(p.kind) for p in skill.params]
        if any(k.quoted for k in kinds):
            if len(kinds) == 2 and kinds[1].many:
                return said.message(skill.name, inner, teammates, why)
            return self._read_words(skill, kinds, inner, why)
        if all(p.hidden and k.span for p, k in zip(skill.params, kinds)):
            # numbers that a second call asks for; one that gives them at once is taken at its word
            if len(said.NUMBER.findall(inner)) < len(kinds):
                return Action(skill.name, (), why)
            found = said.numbers(inner, len(kinds))
            if found is None:
                return Misread(f"{skill.signature} takes {len(kinds)} small numbers")
            return Action(skill.name, found, why)
        names = said.pieces(inner, kinds)
        if isinstance(names, Misread):
            return names
        return self._values(skill, kinds, names, why)

    def _values(self, skill: Skill, kinds: Sequence[Kind], names: list[str], why: str) -> Action | Misread:
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
            args += names[len(kinds) : max(said.MOST_ARGS, len(kinds))]
        return Action(skill.name, tuple(args), why)

    def _read_words(self, skill: Skill, kinds: Sequence[Kind], inner: str, why: str) -> Action | Misread:
        """A call with free words among names: the words stand between quotes."""
        words, rest = said.quotation(inner)
        if not words.strip():
            return Misread(f"{skill.signature} needs its words between quotes")
        plain = [k for k in kinds if not k.quoted]
        names = said.pieces(rest.replace('""', "").replace('" "', ""), plain)
        if isinstance(names, Misread):
            return names
        got = self._values(replace(skill, params=tuple(p for p in skill.params if not self.kind(p.kind).quoted)),
                           plain, names, why)  # fmt: skip
        if isinstance(got, Misread):
            return got
        args = list(got.args)
        args.insert(next(i for i, k in enumerate(kinds) if k.quoted), said.clean(words))
        return got._replace(args=tuple(args))


def _rule(skill: Skill) -> str:
    return f"a-{skill.name.replace('_', '-')}"


def language_of(skills: Mapping[str, Any]) -> Language:
    """The language that some skills belong to; one of their own where their world declares none."""
    for skill in skills.values():
        if isinstance(skill, Skill) and isinstance(skill.home, Skills):
            return Language(skill.home)
    home = Skills("")
    for skill in skills.values():
        if isinstance(skill, Skill):
            home.put(skill.name, skill)
    return Language(home)
