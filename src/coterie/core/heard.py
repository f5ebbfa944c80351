"""From what a model said to one action: behind a heading, as a call, as JSON or as a tool call.

Where a reply names several actions and settles on none, it is not read: an action that was only weighed must not be
carried out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from textwrap import dedent
from typing import Any, NamedTuple

from coterie.core import said
from coterie.core.action import Action
from coterie.core.blocks import blocks, flat, tool_calls
from coterie.core.courtesy import refuses
from coterie.core.dialects import yaml
from coterie.core.exact import exact
from coterie.core.headings import named
from coterie.core.kinds import Kind, Misread
from coterie.core.skill import Skill
from coterie.core.skills import Skills
from coterie.core.spoken import sections, spoken, stood_by, torn, under

_BRACKETS = re.compile(r"(?<!\w)([A-Za-z_][A-Za-z0-9_]{0,40})\s?\[([^\[\]]{0,400})\]")
_NOT = re.compile(
    r"(?:\b(?:not|never|avoid|cannot|without|than|instead of|none|no (?:reason|need|point|use))|n't)"
    r"(?:\s(?:to|for|in|yet|need to|want to))?[\s*_`\"']*$",
    re.I,
)
_LINKS = re.compile(
    r"[\s\d.,;:>)\]*_`\"'-]*(?:(?:and|then|next|after(?:wards| that)?|followed by)\b[\s,:]*)*[\s`*\"']*", re.I
)
_FILLERS = ("to", "the", "at", "into", "onto", "on", "in", "from", "up", "with", "using", "via", "and", "a", "an")
_INPUT = re.compile(
    r"^[\s*_`]*([A-Za-z_]\w{0,40})[\s*_`]*\n+[\s*_`]*(?:action )?(?:input|arguments?|parameters?)[*_`\s]*:(.*)",
    re.I | re.S,
)
_SEEN = re.compile(r"^[^\w\n]{0,6}observation(?: ?[0-9]{1,2})?[*_`]{0,3}:", re.I | re.M)
_PRINTED = re.compile(r"^[ \t]*print\((.+)\)[ \t]*$", re.M)
_ASKED = re.compile(r"[^.!?\n]*\?")
_PAIR = re.compile(r"\s*(?:- )?([A-Za-z_]\w{0,30})\s*:\s*(\S.*?)\s*")
_KEYWORD = re.compile(r"\s*[\"'*`]?([A-Za-z_]\w{0,30})[\"'*`]?\s*[=:]\s*")


#: Where no heading says so, an action in a sentence with one of these was done, refused or only thought of.
_UNMEANT = re.compile(
    r"\b(?:already|later|once|some(?:body|one|time|day)|anybody|at some point|for example|an example|e\.g|"
    r"instructions?|we need|last|previous(?:ly)?|earlier|before|failed|fails?|did|was|were|had|"
    r"have (?:just )?\w+ed|"
    r"tried|would|could|"
    r"might|may|perhaps|maybe|if|unless|cannot|impossible|should(?:n't| not)|useless|pointless|wanted|asked|said|says|"
    r"suggest\w*|whether|either|risky)\b|n't\b",
    re.I,
)
#: And in a longer sentence one of these says that it is.
_INTENDED = re.compile(
    r"\b(?:i will|i'll|i am going|i'm going|i choose|i decide|i pick|i do|i go|let me|let's|so|therefore|hence|"
    r"thus|best|next|"
    r"action|answer|decision|do|perform|execute|now|here is|use|call|response|output|result|final|first|right|"
    r"correct)\b",
    re.I,
)
_REASON = re.compile(
    r"[\s`*_\"']*[,.;:(\u2013\u2014-]*\s*(?:(?:because|since|as|so that|so|to|in order to|before|until|while|which|"
    r"this|that|and (?:then|later|afterwards)|then|after (?:that|which)|later|once|next|afterwards|if it|if this|"
    r"if that|should|"
    r"i (?:will|can|need)|it|//|#|expected|now)\b|//|#)",
    re.I,
)
_CHOICE = re.compile(r"\b(?:or|either|alternatively|otherwise|else|depending|unsure|not sure)\b|\?", re.I)
_PLACEHOLDERS = ("skill", "action", "skill_name", "action_name", "function", "your_action", "one_skill")
_ACTED = ("", "action", "answer", "content", "option", "subskill", "move")  # headings under which an action may be said


def _first_of(value: Any) -> Any:
    """Of a list of actions in words, the one that comes first."""
    words = isinstance(value, list) and value and all(isinstance(v, str) for v in value)
    return value[0] if words and "(" in value[0] else value


class Call(NamedTuple):
    word: str
    inner: str
    start: int
    end: int


class Hearing:
    """Reads replies for the skills of one world."""

    def __init__(self, skills: Skills, teammates: Iterable[str] = (), example: str = "wait()"):
        self.skills, self.teammates, self.example = skills, list(teammates), example
        self.known = skills.by_word

    def read(self, reply: str) -> Action | Misread:
        found = exact(reply)
        if found is None or found.word not in self.known:
            return self.meant(reply)
        got = self._call(Call(found.word, found.inner, 0, 0))
        return got._replace(why=found.thought) if isinstance(got, Action) else got

    def meant(self, reply: str) -> Action | Misread:
        """The action of a reply, however it is written."""
        text = _PRINTED.sub(r"\1", spoken(reply))
        if not text.strip():
            return Misread("the reply was empty" if not reply.strip() else "it has reasoning and no answer")
        why = said.thought(reply)
        got = self._meant(text)
        return got._replace(why=why) if isinstance(got, Action) else got

    def _meant(self, text: str) -> Action | Misread:
        seen = _SEEN.search(text)
        if seen is not None and under(text[: seen.start()], "action", keys=False) is not None:
            text = text[: seen.start()]  # what it makes up of the world, and does then, has not come about
        if torn(text, "action"):
            return Misread("it has several actions and settles on none; write the next one alone")
        body = under(text, "action", keys=False) or under(text, "answer", keys=False)
        if body is not None:
            return self._body(body)
        if refuses(text) or text.rstrip().endswith("?"):
            return Misread(f"it asks, or will not answer; write an action like {self.example}")
        parts = [b for name, b in sections(text) if name in _ACTED]
        got = self._anywhere("\n".join(parts) if parts else "")
        if parts:
            return got if isinstance(got, Action) else self._announced("\n".join(parts)) or got
        return self._behind(text) or (self._tool(text) if tool_calls(text) else None) or got

    def _announced(self, text: str) -> Action | Misread | None:
        """What the last sentence says that it does: `so the best is to wait()`, `I will pick up apple_0 now`."""
        last = re.split(r"(?<=[.!?])\s+(?=[A-Z])|\n+", text.strip())[-1]
        if _CHOICE.search(last) or re.search(r"\b(?:if|not|unless|would|could|might)\b|n't\b", last, re.I):
            return None
        calls = self._calls(last)
        if len(calls) == 1 and re.match(r"\W*(?:so|therefore|thus|hence|the best|i will|i'll|i choose)\b", last, re.I):
            return self._call(calls[0]) if not self._for_others(last, calls[0]) else None
        told = re.search(
            r"\bI(?:'ll| will| am going to)(?: now)? ([a-z]+)((?: [\w,]+)*?)(?: now| next| first)?[.!]*$", last
        )
        if calls or told is None or told.group(1) not in self.known or not re.search(r"_\d", told.group(2)):
            return None
        got = self._bare(f"{told.group(1)}{told.group(2)}")
        return got if isinstance(got, Action) else None

    def _behind(self, text: str) -> Action | Misread | None:
        """The call that stands alone in the last paragraph, behind a thought that has no heading after it."""
        *before, last = re.split(r"\n[ \t]*\n", text.strip())
        calls = self._calls(last)
        if not before or len(calls) != 1 or re.search(r"\w", self._without(last, calls)):
            return None
        return self._call(calls[0])

    # -- behind a heading -----------------------------------------------------------------------------------------
    def _body(self, body: str) -> Action | Misread:
        tool = self._tool(body)
        if tool is not None:
            return tool
        split = _INPUT.match(body)
        if split is not None and split.group(1).lower() in self.known:
            return self._given(self.known[split.group(1).lower()], split.group(2))
        told = self._told(body)
        if told is not None:
            return told
        calls = [c for c in self._calls(body) if not _NOT.search(body[max(0, c.start - 24) : c.start])]
        if calls:
            return self._first(body, calls)
        return self._bare(body)

    def _told(self, body: str) -> Action | Misread | None:
        """`name: pick` and below it `object: apple_0`; None where it is not written so."""
        lines = [x for x in body.splitlines() if x.strip()]
        if (
            len(lines) > 1 and lines[0].strip("\"'` ").lower() in self.known
        ):  # `action: pick`, and below it its arguments
            lines[0] = f"name: {lines[0].strip(chr(34) + '`' + chr(39) + ' ')}"
            body = "\n".join(lines)
        if re.match(r"\s*(?:name|skill|function|tool|type)\s*:", body, re.I) and any(
            x.rstrip().endswith(":") for x in lines
        ):
            head, _, below = body.partition("\n")  # the first line has lost its indent
            value = yaml(f"{head.strip()}\n{dedent(below)}")
            call = tool_calls(json.dumps(value)) if value is not None else []
            if len(call) == 1 and call[0][0].lower() in self.known:
                return self._given(self.known[call[0][0].lower()], call[0][1])
        pairs = [m for line in body.splitlines() if line.strip() and (m := _PAIR.fullmatch(line)) is not None]
        if len(pairs) < 2 or len(pairs) != sum(bool(line.strip()) for line in body.splitlines()):
            return None
        (key, word), *rest = ((m.group(1), m.group(2).strip("\"'`")) for m in pairs)
        if key.lower() not in ("name", "skill", "action", "function", "tool") or word.lower() not in self.known:
            return None
        return self._given(self.known[word.lower()], {k: v for k, v in rest if named(k) not in ("thought", "other")})

    def _first(self, body: str, calls: Sequence[Call]) -> Action | Misread:
        """The first of what is to be done one after the other; not one of several that are weighed."""
        first = calls[0]
        if self._for_others(body, first):
            return Misread(f"it tells somebody else to {first.word}; write an action of your own")
        end = body.find("\n", first.end)
        line = [c for c in calls if end < 0 or c.start < end]
        for a, b in pairwise(line):
            between = body[a.end : b.start]
            if self._key(a) == self._key(b) or _LINKS.fullmatch(between):
                continue
            if not _REASON.match(between) or _CHOICE.search(body[: end if end >= 0 else None]):
                return Misread(f"it names {a.word} and {b.word} and settles on none; write one action")
            break
        rows = [c for c in calls if body[body.rfind("\n", 0, c.start) + 1 : c.start].lstrip()[:1] == "|"]
        if len({self._key(c) for c in rows}) > 1:
            return Misread("it weighs several actions in a table; write one")
        if re.search(
            r"\b(?:if|unless|between|decide|maybe|perhaps|could|might|possibly|whether)\b|\?", body[: first.start], re.I
        ):
            return Misread(f"it only thinks of {first.word}; write one action")
        if re.match(r"[\s`*_]*\?", body[first.end :]):
            return Misread(f"it asks about {first.word}; write one action")
        to = re.match(r"[\s`*_]*to ([\w ,&]{1,80})", body[first.end : end if end >= 0 else None])
        if to is not None and any(said.names_it(n, to.group(1)) for n in self.teammates):  # `communicate("...") to Bob`
            first = first._replace(inner=f"{first.inner}, {to.group(1)}")
        return self._call(first)

    def _for_others(self, text: str, call: Call) -> bool:
        """Whether it is somebody else that is to do it."""
        before = text[max(0, call.start - 60) : call.start]
        will = (
            r"(?:'s turn|'s (?:next )?action)?[\s,:*_`>|-]*(?:should|must|has to|will|could|can|to|please)?[\s`*_\"']*$"
        )
        return any(re.search(rf"(?<!\w){re.escape(n)}\b{will}", before) for n in self.teammates)

    def _bare(self, body: str) -> Action | Misread:
        """`wait`, `pick apple_0`: a skill and nothing but its names; else any call, which the world will answer."""
        body = re.sub(r"```\w*", "", body)
        line = next((x for x in body.splitlines() if re.search(r"\w", x)), "")
        line = line.replace("->", " ")
        words = re.findall(r"[\w@.\-]+", line.strip(" \t.!*_`\"'"))
        skill = self.known.get(words[0].lower()) if words and words[0].isascii() else None
        if line.count("(") > line.count(")") and (skill is None or skill.shown):  # it was cut off
            return Misread(f"it has no action like {self.example}")
        if skill is not None:
            labels = {w for p in skill.params for w in (p.label.lower(), p.kind)} - {w.lower() for w in words[1:2]}
            names = [w.strip(".") for w in words[1:] if w.lower() not in _FILLERS and w.lower() not in labels]
            here = not names or (
                words[1].lower() in ("for", "until", "here", "now", "a", "one") and not _CHOICE.search(line)
            )
            if here and not skill.shown and not {w.lower() for w in names} & set(self.known):
                return Action(skill.name, ())
            kinds = [self.skills.kind(p.kind) for p in skill.params]
            plain = not any(k.quoted or k.span or k.many for k in kinds)
            if names and plain and len(names) <= len(kinds):
                return self._values(skill, kinds, names)
        call = said.CALL.match(line.strip(" \t*`\"'[<"))
        if call is not None and call.group(1).lower() in _PLACEHOLDERS:
            return Misread(f"it repeats the form of an answer; write an action like {self.example}")
        if call is not None and call.group(1).lower() not in self.known:
            names_of = said.pieces(call.group(2))
            if isinstance(names_of, Misread):
                return names_of
            return Action(call.group(1).lower(), tuple(names_of[: said.MOST_ARGS]))
        return Misread(f"it has no action like {self.example}")

    # -- without one ----------------------------------------------------------------------------------------------
    def _anywhere(self, text: str) -> Action | Misread:
        """The only action of a reply, or the one that stands alone in its last line."""
        tool = self._tool(text)
        if tool is not None:
            return tool
        split = _INPUT.match(text)
        if split is not None and split.group(1).lower() in self.known:
            return self._given(self.known[split.group(1).lower()], split.group(2))
        if any(isinstance(b, Mapping) for b in blocks(text)):
            return Misread(f"its JSON has no action like {self.example}")
        calls = self._calls(text)
        bare = re.sub(r"```\w*", "", text).strip(" \t\n-*")
        if len({self._key(c) for c in calls}) > 1 and "\n" not in bare:  # in one line all that is said belongs together
            left = stood_by(bare, "action")
            kept = [c for c in self._calls(left) if not _NOT.search(left[max(0, c.start - 24) : c.start])]
            if kept and not _UNMEANT.search(self._without(left, kept)):
                return self._first(left, kept)
        if len({self._key(c) for c in calls}) == 1:
            if _NOT.search(text[max(0, calls[0].start - 24) : calls[0].start]) or _ASKED.match(text, calls[-1].end):
                return Misread(f"it has no action like {self.example}")
            if any(self._for_others(text, c) for c in calls):
                return Misread(f"it tells somebody else to {calls[0].word}; write an action of your own")
            around = [self._sentence(text, c) for c in calls]
            begins = not re.search(r"\w", text[: calls[0].start])
            if all(_UNMEANT.search(s) or not (begins or len(s.split()) < 4 or _INTENDED.search(s)) for s in around):
                return Misread(f"it speaks of {calls[0].word} and does not say that it is to be done; write `Action:`")
            return self._call(calls[-1])
        if calls:
            rest = re.sub(r"[0-9]{1,2}[.)]|```\w*", "", self._without(text, calls))
            if not re.search(r"[^\W_]", _LINKS.sub(" ", rest)):  # nothing but a sequence
                return self._call(calls[0])
            last = calls[-1]
            begin = text.rfind("\n", 0, last.start) + 1
            alone = not re.search(r"\w", text[begin : last.start]) and not re.search(r"\w", text[last.end :])
            others = [c for c in calls if self._key(c) != self._key(last) and self._alone(text, c)]
            later = re.search(r"\b(?:then|next|after\w*|once|later|finally|or)\b[^\n]*\n[\s`*>]*(?:\w+\n[\s`*>]*)?$",
                              text[:begin], re.I)  # fmt: skip
            if alone and not others and not later:
                return self._call(last)
            return Misread("it names several actions and settles on none; write one behind `Action:`")
        return self._bare(text)

    def _alone(self, text: str, call: Call) -> bool:
        """Whether a call has a line of its own."""
        end = text.find("\n", call.end)
        line = text[text.rfind("\n", 0, call.start) + 1 : call.start] + text[call.end : end if end >= 0 else None]
        return not re.search(r"[^\W\d]", line)

    def _sentence(self, text: str, call: Call) -> str:
        """The sentence around a call, without it."""
        marks = [m.end() for m in re.finditer(r"[.!?](?=\s)|\n|;", text[: call.start])]
        after = re.compile(r"[.!?](?=\s|$)|\n|;").search(text, call.end)
        return text[marks[-1] if marks else 0 : call.start] + " " + text[call.end : after.start() if after else None]

    # -- calls ----------------------------------------------------------------------------------------------------
    def _calls(self, text: str) -> list[Call]:
        """Calls of known skills, in the order in which they are said."""
        found = []
        for form in (said.CALL, _BRACKETS):
            for m in form.finditer(text):
                if m.group(1).isascii() and m.group(1).lower() in self.known:  # no letters that only look like others
                    found.append(Call(m.group(1).lower(), m.group(2), m.start(), m.end()))
        return sorted(found, key=lambda c: c.start)

    def _without(self, text: str, calls: Sequence[Call]) -> str:
        at, left = 0, ""
        for c in calls:
            left, at = left + text[at : c.start] + " ", max(at, c.end)
        return left + text[at:]

    def _key(self, call: Call) -> tuple[str, str]:
        return call.word, re.sub(r"[\s\"'<>\[\]]", "", call.inner).lower()

    def _call(self, call: Call) -> Action | Misread:
        skill = self.known[call.word]
        if call.inner.lstrip()[:1] == "{":
            got = self._given(skill, call.inner)
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
                return said.message(skill.name, inner, self.teammates, "")
            return self._words(skill, kinds, inner)
        if all(p.hidden and k.span for p, k in zip(skill.params, kinds)):
            # numbers that a second call asks for; one that gives them at once is taken at its word
            if len(said.NUMBER.findall(inner)) < len(kinds):
                return Action(skill.name, ())
            found = said.numbers(inner, len(kinds))
            if found is None:
                return Misread(f"{skill.signature} takes {len(kinds)} small numbers")
            return Action(skill.name, found)
        names = said.pieces(inner, kinds)
        if isinstance(names, Misread):
            return names
        return self._values(skill, kinds, names)

    def _values(self, skill: Skill, kinds: Sequence[Kind], names: list[str]) -> Action | Misread:
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
        return Action(skill.name, tuple(args))

    def _words(self, skill: Skill, kinds: Sequence[Kind], inner: str) -> Action | Misread:
        """A call with free words among names: the words stand between quotes."""
        words, rest = said.quotation(inner)
        if not words.strip():
            return Misread(f"{skill.signature} needs its words between quotes")
        plain = [k for k in kinds if not k.quoted]
        names = said.pieces(rest.replace('""', "").replace('" "', ""), plain)
        if isinstance(names, Misread):
            return names
        few = replace(skill, params=tuple(p for p in skill.params if not self.skills.kind(p.kind).quoted))
        got = self._values(few, plain, names)
        if isinstance(got, Misread):
            return got
        args = list(got.args)
        args.insert(next(i for i, k in enumerate(kinds) if k.quoted), said.clean(words))
        return got._replace(args=tuple(args))

    # -- JSON -----------------------------------------------------------------------------------------------------
    def _tool(self, text: str) -> Action | Misread | None:
        """The action of a tool call or of an object that names one; None where there is none."""
        found = [(name, given) for name, given in tool_calls(text) if name.isascii() and name.lower() in self.known]
        for block in blocks(text):
            who = (
                next((v for k, v in block.items() if str(k).lower() in ("robot", "agent", "who")), "")
                if isinstance(block, Mapping)
                else ""
            )
            if who in self.teammates:
                return Misread(f"it is an action of {who}; write one of your own")
        keyed = [v for b in blocks(text) if isinstance(b, Mapping) for k, v in b.items() if named(k) == "action"]
        first = [_first_of(v) for v in keyed]
        written = [flat(v) for v in first if isinstance(v, str) and v.lower() not in self.known]
        alone = [b for b in blocks(text) if isinstance(b, Mapping) and len(b) == 1]
        for key, value in (item for b in alone for item in b.items()):  # {"pick": "apple_0"}
            if not found and isinstance(value, str) and str(key).lower() in self.known:
                found.append((str(key), [value]))
        if len(found) + len(written) == 0:
            return None
        if found:  # a list of calls is a sequence
            name, given = found[0]
            return self._given(self.known[name.lower()], given)
        return self._body(written[-1])

    def _given(self, skill: Skill, given: Any) -> Action | Misread:
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
