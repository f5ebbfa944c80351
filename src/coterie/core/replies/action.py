"""From what a model said to one action: behind a heading, as a call, as JSON or as a tool call.

Where a reply names several actions and settles on none, it is not read: an action that was only weighed must not be
carried out. Without a heading an action has a line of its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from coterie.core.action import Action
from coterie.core.kinds import Misread
from coterie.core.replies import fields
from coterie.core.replies.calls import Call, Calls, key_of
from coterie.core.replies.headings import named
from coterie.core.replies.json_blocks import blocks, tool_calls
from coterie.core.replies.sections import sections, spoken, torn, under
from coterie.core.skills import Skills

#: An action in a line with one of these was done, refused, corrected or only thought of.
_HEDGE = re.compile(
    r"\b(?:not|never|no|if|unless|maybe|perhaps|could|might|would|should|or|either|avoid|than|instead|rather|actually|"
    r"wait,|sorry|already|did|was|were|failed|later|whether|between)\b|n't\b|\?|\s/\s",
    re.I,
)
_LINKS = re.compile(r"[\s\d.,;:>)*`\"'-]*(?:(?:and|then|next|after that)\b[\s,:]*)*[\s`*\"']*", re.I)  # of a sequence
_OPEN_END = re.compile(r"[\s`*_,]*(?:\bor\b(?! else\b)|\?)", re.I)
_FILLERS = ("to", "the", "at", "into", "onto", "on", "in", "from", "up", "with", "using", "and", "a", "an")
_ACTED = ("", "action", "answer", "content", "option", "subskill", "move")  # headings under which an action may be said
_PLACEHOLDERS = ("skill", "action", "skill_name", "action_name", "function")


class Hearing(Calls):
    """Reads replies for the skills of one world."""

    def __init__(self, skills: Skills, teammates: Iterable[str] = (), example: str = "wait()"):
        super().__init__(skills, teammates)
        self.example = example

    def read(self, reply: str) -> Action | Misread:
        """The action of a reply, or why there is none."""
        text = spoken(reply)
        if not text.strip():
            return Misread("the reply was empty" if not reply.strip() else "it has reasoning and no answer")
        if torn(text, "action"):
            return Misread("it has several actions and settles on none; write the next one alone")
        body = under(text, "action", keys=False) or under(text, "answer", keys=False)
        got = self._body(body) if body is not None else self._anywhere(text)
        return got._replace(why=fields.thought(reply)) if isinstance(got, Action) else got

    # -- behind a heading -----------------------------------------------------------------------------------------
    def _body(self, body: str) -> Action | Misread:
        tool = self._tool(body)
        if tool is not None:
            return tool
        calls = self.calls(body)
        return self._first(body, calls) if calls else self._bare(body)

    def _first(self, body: str, calls: Sequence[Call]) -> Action | Misread:
        """The first of what is to be done one after the other; not one of several that are weighed."""
        first = calls[0]
        before = body[: first.start]
        if any(fields.names_it(name, before) for name in self.teammates):
            return Misread(f"it tells somebody else to {first.word}; write an action of your own")
        if _HEDGE.search(before) or _OPEN_END.match(body, first.end):
            return Misread(f"it leaves open whether to {first.word}; write one action")
        for a, b in pairwise(calls):
            if key_of(a) != key_of(b) and not _LINKS.fullmatch(body[a.end : b.start]):
                return Misread(f"it names {a.word} and {b.word} and settles on none; write one action")
        to = re.match(r"[\s`*_]*to ([\w ,&]{1,80})", body[first.end :])
        if to is not None and any(fields.names_it(n, to.group(1)) for n in self.teammates):  # `say("...") to Bob`
            first = first._replace(inner=f"{first.inner}, {to.group(1)}")
        return self.action(first)

    def _bare(self, body: str) -> Action | Misread:
        """`wait`, `pick apple_0`: a skill and nothing but its names; else any call, which the world will answer."""
        line = next((x for x in body.splitlines() if re.search(r"\w", x)), "")
        words = re.findall(r"[\w@.\-]+", line.strip(" \t.!*_`\"'"))
        skill = self.known.get(words[0].lower()) if words and words[0].isascii() else None
        if line.count("(") > line.count(")") and (skill is None or skill.shown):  # it was cut off
            return Misread(f"it has no action like {self.example}")
        if skill is not None and not _HEDGE.search(line):
            labels = {w for p in skill.params for w in (p.label.lower(), p.kind)} - {w.lower() for w in words[1:2]}
            names = [w.strip(".") for w in words[1:] if w.lower() not in _FILLERS and w.lower() not in labels]
            if not names and not skill.shown:
                return Action(skill.name, ())
            kinds = [self.skills.kind(p.kind) for p in skill.params]
            plain = not any(k.quoted or k.span or k.many for k in kinds)
            if names and plain and len(names) <= len(kinds):
                return self.filled(skill, kinds, names)
        call = fields.CALL.match(line.strip(" \t*`\"'[<"))
        if call is not None and call.group(1).lower() in _PLACEHOLDERS:
            return Misread(f"it repeats the form of an answer; write an action like {self.example}")
        if call is not None and call.group(1).lower() not in self.known:
            names_of = fields.pieces(call.group(2))
            if isinstance(names_of, Misread):
                return names_of
            return Action(call.group(1).lower(), tuple(names_of[: fields.MOST_ARGS]))
        return Misread(f"it has no action like {self.example}")

    # -- without one ----------------------------------------------------------------------------------------------
    def _anywhere(self, text: str) -> Action | Misread:
        """The action in JSON, or the only one that has a line of its own."""
        parts = "\n".join(body for name, body in sections(text) if name in _ACTED)
        tool = self._tool(parts)
        if tool is not None:
            return tool
        if any(isinstance(b, Mapping) for b in blocks(parts)):
            return Misread(f"its JSON has no action like {self.example}")
        calls = self.calls(parts)
        if len({key_of(c) for c in calls}) > 1:
            return Misread("it names several actions and settles on none; write one behind `Action:`")
        if calls and any(_alone(parts, c) for c in calls):
            return self.action(calls[0])
        if calls:
            return Misread(f"it speaks of {calls[0].word} and does not say that it is to be done; write `Action:`")
        return self._bare(parts) if "\n" not in parts.strip() else Misread(f"it has no action like {self.example}")

    # -- JSON -----------------------------------------------------------------------------------------------------
    def _tool(self, text: str) -> Action | Misread | None:
        """The action of a tool call or of an object that names one; None where there is none."""
        found = [(name, given) for name, given in tool_calls(text) if name.lower() in self.known]
        written: list[str] = []
        for block in blocks(text):
            pairs = list(block.items()) if isinstance(block, Mapping) else []
            who = next((v for k, v in pairs if str(k).lower() in ("robot", "agent", "who")), "")
            if who in self.teammates:
                return Misread(f"it is an action of {who}; write one of your own")
            written += [v for k, v in pairs if named(k) == "action" and isinstance(v, str)]
            if len(pairs) == 1 and isinstance(pairs[0][1], str):  # {"pick": "apple_0"}
                found += [(k, [v]) for k, v in pairs if str(k).lower() in self.known]
        if found:  # a list of calls is a sequence
            name, given = found[0]
            return self.given(self.known[name.lower()], given)
        return self._body(written[-1]) if written else None


def _alone(text: str, call: Call) -> bool:
    """Whether a call has a line of its own."""
    end = text.find("\n", call.end)
    line = text[text.rfind("\n", 0, call.start) + 1 : call.start] + text[call.end : end if end >= 0 else None]
    return not re.search(r"[^\W\d]", line)


# -- several robots in one reply --------------------------------------------------------------------------------------
# Parse a reply that gives several robots a line, a heading or an entry of JSON each.
MOST_DEEP = 4
_WHO = ("robot", "agent", "name")  # the last may be that of a tool
_WHAT = ("action", "skill", "task")


def by_name(text: str, names: Iterable[str]) -> dict[str, str]:
    """The last word on each name."""
    return {name: said[-1] for name, said in all_by_name(text, names).items()}


def all_by_name(text: str, names: Iterable[str]) -> dict[str, list[str]]:
    """Return the texts for each name: behind it in its line, below it as a heading, or its value in JSON. The lines of
    a thought say nothing up to the first that begins with a name."""
    names = list(names)
    found: dict[str, list[str]] = {}
    for block in blocks(text):
        for who, what in _pairs(block, {n.lower() for n in names}):
            name = next((n for n in names if n.lower() == who.strip().lower()), None)
            if name is not None:
                found.setdefault(name, []).append(what)
    if not found:
        for name, what in _told(text, names):
            found.setdefault(name, []).append(what)
    return found


def _told(text: str, names: Sequence[str]) -> list[tuple[str, str]]:
    """(name, words) of lines."""
    head = re.compile(
        r"^[\s>*_#`|\u2022-]{0,8}(?:[0-9]{1,2}[.)]\s)?[*_`\[]{0,3}"
        rf"(?P<who>{'|'.join(map(re.escape, names))})(?:'s action)?[*_`\]]{{0,3}}\s{{0,3}}(?P<sign>:|->|\||(?=\s*$))"
        r"[*_`|\s]{0,6}(?P<rest>.*)$",
        re.I,
    )
    found: list[tuple[str, str]] = []
    waiting = ""  # whose line is a heading
    for section, body in sections(text):
        lines = body.splitlines()
        if section == "thought":
            first = next((i for i, line in enumerate(lines) if i and head.match(line[:600])), len(lines))
            lines = lines[first:]
        for line in lines:
            match = head.match(line[:600])
            if match is not None:
                who = next(n for n in names if n.lower() == match["who"].lower())
                rest = line[match.start("rest") :].strip().strip("|").strip()
                found += [(who, rest)] if rest else []
                waiting = "" if rest else who
            elif waiting and line.strip():
                found.append((waiting, line.strip()))
                waiting = ""
    return found


def _pairs(block: Any, names: set[str], deep: int = 0) -> Iterator[tuple[str, str]]:
    """(who, what) of JSON that gives robots something to do."""
    if isinstance(block, list):
        for item in block:
            yield from _pairs(item, names, deep + 1)
    elif isinstance(block, Mapping) and deep <= MOST_DEEP:
        low = {str(k).lower(): v for k, v in block.items()}
        who = next((low[k] for k in _WHO if isinstance(low.get(k), str)), None)
        what = next((low[k] for k in _WHAT if k in low), None)
        if who is not None and what is not None:
            own = {k: v for k, v in low.items() if v != who and named(k) not in ("thought", "other")}
            beside = isinstance(what, str) and "(" not in what and len(own) > 1  # its arguments stand beside it
            yield who, _said(own if beside else what)
            return
        for key, value in block.items():
            if str(key).strip().lower() in names or not isinstance(value, (Mapping, list)):
                yield str(key), _said(value)
            elif named(key) not in ("thought", "other"):
                yield from _pairs(value, names, deep + 1)


def _said(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
