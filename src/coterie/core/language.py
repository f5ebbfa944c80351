"""The action language of a world: its skills, and everything that is said and read of them.

One declaration (`Skill`, its `Param`s, the world's kinds and fluents) gives the line in a prompt, the grammar of a
reply, the parser of it, the words in a memory, and what a parameter can be. Planners read the same
(`coterie.planning`). A skill that is put into the skills of a world is in all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from coterie.core.action import Action
from coterie.core.kinds import Kind, Knower, Misread, alternatives
from coterie.core.skill import Skill
from coterie.core.skills import Skills

LETTERS = "[a-zA-Z0-9_ ,.;:'-]"
OWN_WORDS = 160  # characters of a message that its sender remembers: the end says who was asked


class Member(NamedTuple):
    """One of those whose actions a reply names: its name, what it knows, and what it can and may not do."""

    name: str
    me: Knower
    able: Sequence[str]
    never: Sequence[str] = ()


class Language:
    """How the skills of a world are said, read and filled in."""

    def __init__(self, skills: Skills):
        self.skills = skills
        self._calls: dict[str, str] = {}  # in grammars, by skill

    def kind(self, name: str) -> Kind:
        return self.skills.kind(name)

    def names(self, kind: str, me: Knower) -> Sequence[Any]:
        """Return the values that a parameter of a kind can take, as a robot knows them."""
        return self.kind(kind).names(me)

    def deeds(self, able: Iterable[str]) -> list[Skill]:
        """Return the skills of a robot that change something, in the order of the world."""
        able = set(able)
        return [s for n, s in self.skills.items() if n in able and s.then]

    # -- words ----------------------------------------------------------------------------------------------------
    def line(self, skill: Skill) -> str:
        """A skill in a prompt."""
        return skill.line

    @property
    def example(self) -> str:
        if self.skills.example:
            return self.skills.example
        one = next((s for _, s in self.skills.items() if len(s.shown) == 1), None)
        return f"{one.name}({one.shown[0].label})" if one is not None else "wait()"

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
    def grammar(
        self, me: Knower, able: Iterable[str], thought: int = 48, words: int = 100, never: Iterable[str] = ()
    ) -> dict[str, str]:
        """GBNF for `Thought: ...` and `Action: skill(names)`; names are those the robot knows of. `never` are actions
        that may not be named, or skills."""
        one = Member("", me, tuple(able), tuple(never))
        return self._write('root ::= "Thought: " thought "\\nAction: " action', [one], thought, words)

    def team_grammar(self, members: Sequence[Member], thought: int = 48, words: int = 100) -> dict[str, str]:
        """GBNF for a thought and a line for each of some robots, `Alice: skill(names)`, in their order."""
        each = " ".join([f'"\\n{m.name}: " action-{n}' for n, m in enumerate(members)])
        return self._write(f'root ::= "Thought: " thought {each}', members, thought, words)

    def _write(self, root: str, members: Sequence[Member], thought: int, words: int) -> dict[str, str]:
        """The names that each of some robots may use in an action, and the names that all of them know of."""
        lines, rules = [root], dict[str, dict[str, None]]()
        for n, m in enumerate(members):
            skills = [self.skills.get(s) for s in m.able if s in self.skills]
            actions, own = self._write_rules(m, skills, f"-{n}" if m.name else "", words)
            lines += actions
            for name, text in own.items():
                rules.setdefault(name, {})[text] = None
        lines.append(f"thought ::= {LETTERS}{{1,{thought}}}")
        return {"gbnf": "\n".join([*lines, *[f"{name} ::= {' | '.join(texts)}" for name, texts in rules.items()]])}

    def _kinds(self, skills: Iterable[Skill]) -> list[Kind]:
        """Of what some skills name, and the usual ones."""
        used = {p.kind: None for s in skills for p in s.shown}
        kinds = {k.name: k for k in self.skills.kinds.values() if k.usual or k.name in used}
        return list((kinds | {k: self.kind(k) for k in used if k not in kinds}).values())

    def _write_rules(
        self, m: Member, every: Sequence[Skill], mark: str, words: int
    ) -> tuple[list[str], dict[str, str]]:
        calls = {s.name: self._but(s, tuple(dict.fromkeys(m.never)), m.me) for s in every}
        mine = [s for s in every if calls[s.name]] or every
        lines = [f"action{mark} ::= {' | '.join(_rule(s) + mark for s in mine)}"]
        lines += [f"{_rule(s)}{mark} ::= {calls[s.name] or self._call(s)}" for s in mine]
        own: dict[str, str] = {}
        for kind in self._kinds(mine):
            text = f"{LETTERS}{{1,{words}}}" if kind.quoted else ""
            if kind.rule_name not in own:
                own[kind.rule_name] = text or kind.rule_text(m.me)
        return lines, own

    def _but(self, skill: Skill, never: Sequence[str], me: Knower) -> str:
        """All calls of a skill but some, like `navigate(sofa, 0)`; empty where none is left."""
        kinds, left_out = [self.kind(p.kind) for p in skill.shown], list[list[str]]()
        for action in never:
            name, bracket, rest = action.removesuffix(")").partition("(")
            if name != skill.name:
                continue
            if not bracket or not kinds:  # the skill itself, or one whose values are not named
                return ""
            values = rest.split(", ")
            if len(values) == len(kinds) and not any(k.quoted for k in kinds):
                left_out.append(values)
        if len(kinds) == 2 and kinds[1].beside is not None:
            return self._pairs(skill, kinds[0], kinds[1], left_out, me)
        if not left_out:
            return self._call(skill)
        others = self._others(kinds, left_out, me)
        return f'"{skill.name}(" ({others}) ")"' if others else ""

    def _pairs(self, skill: Skill, first: Kind, second: Kind, left_out: Sequence[Sequence[str]], me: Knower) -> str:
        """Calls whose second value goes with the first: pieces with the same sides stand together."""
        assert second.beside is not None
        groups: dict[tuple[str, ...], list[str]] = {}
        for name in _literals(first.rule_text(me)):
            fit = _written(second.write, tuple(second.beside(me, name)))
            if left_out:
                fit = tuple([v for v in fit if [name, v] not in left_out])
            if fit:
                groups.setdefault(fit, []).append(name)
        ways = [f'({alternatives(names)}) ", " ({alternatives(values)})' for values, names in groups.items()]
        return f'"{skill.name}(" ({" | ".join(ways)}) ")"' if ways else ""

    def _others(self, kinds: Sequence[Kind], left_out: Sequence[Sequence[str]], me: Knower) -> str:
        """Values of these kinds, but not those: other first ones, or those with other ones behind them. Where values
        cannot be told one by one, all that begin like one that is left out are left out with it."""
        first, rest = kinds[0], kinds[1:]
        heads = list(dict.fromkeys(values[0] for values in left_out))
        others = others_than(heads, first.rule_text(me), first.form)
        after = "".join(f' ", " {k.call_form}' for k in rest)
        ways = [f"({others}){after}" if after else others] if others else []
        for head in heads if rest else ():
            behind = self._others(rest, [values[1:] for values in left_out if values[0] == head], me)
            if behind:
                ways.append(f'"{head}, " ({behind})')
        return " | ".join(ways)

    def _call(self, skill: Skill) -> str:
        """`"navigate(" place ", " side ")"`: literals and rules in turn."""
        if skill.name not in self._calls:
            self._calls[skill.name] = self._write_call(skill)
        return self._calls[skill.name]

    def _write_call(self, skill: Skill) -> str:
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
        from coterie.core.replies.action import (
            Hearing,  # what models write is read with many patterns, which others do without
        )

        return Hearing(self.skills, teammates, self.example).read(reply)


@lru_cache(maxsize=500)
def _literals(rule: str) -> list[str]:
    """The names of a rule, to be read."""
    return _LITERAL.findall(rule)


@lru_cache(maxsize=500)
def _written(write: Callable[[Any], str], values: tuple[Any, ...]) -> tuple[str, ...]:
    return tuple([write(v) for v in values])


_LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
_DIGITS = re.compile(r"\[(\d)-(\d)\]")


def others_than(values: Iterable[str], rule: str, form: str = "") -> str:
    """A rule's alternatives without some of them; empty where nothing is left, or they cannot be told one by one."""
    if found := _DIGITS.fullmatch(rule):
        every = [str(n) for n in range(int(found.group(1)), int(found.group(2)) + 1)]
    elif not form and _LITERAL.sub("", rule).strip(" |") == "":
        every = _LITERAL.findall(rule)
    else:
        return ""
    left_out = set(values)
    return " | ".join(f'"{v}"' for v in every if v not in left_out)


def _rule(skill: Skill) -> str:
    """Its name in a grammar."""
    return f"a-{skill.name.replace('_', '-')}"


def language_of(skills: Mapping[str, Any]) -> Language:
    """The language that some skills belong to; one of their own where their world declares none."""
    for skill in skills.values():
        if isinstance(skill, Skill) and isinstance(home := skill.home, Skills):
            if home.language is None:
                home.language = Language(home)
            found: Language = home.language
            return found
    home = Skills("")
    for skill in skills.values():
        if isinstance(skill, Skill):
            home.put(skill.name, skill)
    return Language(home)
