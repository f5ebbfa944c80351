"""From what a model said to one action: behind a heading, as a call, as JSON or as a tool call.

Where a reply names several actions and settles on none, it is not read: an action that was only weighed must not be
carried out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from textwrap import dedent
from typing import Any

from coterie.core.action import Action
from coterie.core.kinds import Misread
from coterie.core.replies import fields
from coterie.core.replies.calls import Call, Calls, key_of, without
from coterie.core.replies.courtesy import refuses
from coterie.core.replies.exact import exact
from coterie.core.replies.headings import named
from coterie.core.replies.json_blocks import blocks, flat, tool_calls
from coterie.core.replies.sections import sections, spoken, stood_by, torn, under
from coterie.core.replies.tool_dialects import yaml
from coterie.core.skills import Skills

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
_OR = re.compile(r"[\s`*_,]*\bor\b(?! else\b)", re.I)
_PLACEHOLDERS = ("skill", "action", "skill_name", "action_name", "function", "your_action", "one_skill")
_ACTED = ("", "action", "answer", "content", "option", "subskill", "move")  # headings under which an action may be said


def _first_of(value: Any) -> Any:
    """Of a list of actions in words, the one that comes first."""
    words = isinstance(value, list) and value and all(isinstance(v, str) for v in value)
    return value[0] if words and "(" in value[0] else value


class Hearing(Calls):
    """Reads replies for the skills of one world."""

    def __init__(self, skills: Skills, teammates: Iterable[str] = (), example: str = "wait()"):
        super().__init__(skills, teammates)
        self.example = example

    def read(self, reply: str) -> Action | Misread:
        found = exact(reply)
        if found is None or found.word not in self.known:
            return self.meant(reply)
        got = self.action(Call(found.word, found.inner, 0, 0))
        return got._replace(why=found.thought) if isinstance(got, Action) else got

    def meant(self, reply: str) -> Action | Misread:
        """The action of a reply, however it is written."""
        text = spoken(reply)
        text = _PRINTED.sub(r"\1", text) if "print(" in text else text
        if not text.strip():
            return Misread("the reply was empty" if not reply.strip() else "it has reasoning and no answer")
        why = fields.thought(reply)
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
        """Return the action that the last sentence announces: `so the best is to wait()`, `I will pick cup_0 now`."""
        last = re.split(r"(?<=[.!?])\s+(?=[A-Z])|\n+", text.strip())[-1]
        if _CHOICE.search(last) or re.search(r"\b(?:if|not|unless|would|could|might)\b|n't\b", last, re.I):
            return None
        calls = self.calls(last)
        if len(calls) == 1 and re.match(r"\W*(?:so|therefore|thus|hence|the best|i will|i'll|i choose)\b", last, re.I):
            return self.action(calls[0]) if not self._for_others(last, calls[0]) else None
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
        calls = self.calls(last)
        if not before or len(calls) != 1 or re.search(r"\w", without(last, calls)):
            return None
        return self.action(calls[0])

    # -- behind a heading -----------------------------------------------------------------------------------------
    def _body(self, body: str) -> Action | Misread:
        tool = self._tool(body)
        if tool is not None:
            return tool
        split = _INPUT.match(body)
        if split is not None and split.group(1).lower() in self.known:
            return self.given(self.known[split.group(1).lower()], split.group(2))
        told = self._told(body)
        if told is not None:
            return told
        calls = [c for c in self.calls(body) if not _NOT.search(body[max(0, c.start - 24) : c.start])]
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
                return self.given(self.known[call[0][0].lower()], call[0][1])
        pairs = [m for line in body.splitlines() if line.strip() and (m := _PAIR.fullmatch(line)) is not None]
        if len(pairs) < 2 or len(pairs) != sum(bool(line.strip()) for line in body.splitlines()):
            return None
        (key, word), *rest = ((m.group(1), m.group(2).strip("\"'`")) for m in pairs)
        if key.lower() not in ("name", "skill", "action", "function", "tool") or word.lower() not in self.known:
            return None
        return self.given(self.known[word.lower()], {k: v for k, v in rest if named(k) not in ("thought", "other")})

    def _first(self, body: str, calls: Sequence[Call]) -> Action | Misread:
        """The first of what is to be done one after the other; not one of several that are weighed."""
        first = calls[0]
        if self._for_others(body, first):
            return Misread(f"it tells somebody else to {first.word}; write an action of your own")
        end = body.find("\n", first.end)
        line = [c for c in calls if end < 0 or c.start < end]
        for a, b in pairwise(line):
            between = body[a.end : b.start]
            if key_of(a) == key_of(b) or _LINKS.fullmatch(between):
                continue
            if not _REASON.match(between) or _CHOICE.search(body[: end if end >= 0 else None]):
                return Misread(f"it names {a.word} and {b.word} and settles on none; write one action")
            break
        rows = [c for c in calls if body[body.rfind("\n", 0, c.start) + 1 : c.start].lstrip()[:1] == "|"]
        if len({key_of(c) for c in rows}) > 1:
            return Misread("it weighs several actions in a table; write one")
        if re.search(
            r"\b(?:if|unless|between|decide|maybe|perhaps|could|might|possibly|whether)\b|\?", body[: first.start], re.I
        ):
            return Misread(f"it only thinks of {first.word}; write one action")
        if _OR.match(body, first.end):
            return Misread(f"it leaves open whether to {first.word}; write one action")
        if re.match(r"[\s`*_]*\?", body[first.end :]):
            return Misread(f"it asks about {first.word}; write one action")
        to = re.match(r"[\s`*_]*to ([\w ,&]{1,80})", body[first.end : end if end >= 0 else None])
        if to is not None and any(
            fields.names_it(n, to.group(1)) for n in self.teammates
        ):  # `communicate("...") to Bob`
            first = first._replace(inner=f"{first.inner}, {to.group(1)}")
        return self.action(first)

    def _for_others(self, text: str, call: Call) -> bool:
        """Return whether the call is an order for a teammate."""
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
        """The only action of a reply, or the one that stands alone in its last line."""
        tool = self._tool(text)
        if tool is not None:
            return tool
        split = _INPUT.match(text)
        if split is not None and split.group(1).lower() in self.known:
            return self.given(self.known[split.group(1).lower()], split.group(2))
        if any(isinstance(b, Mapping) for b in blocks(text)):
            return Misread(f"its JSON has no action like {self.example}")
        calls = self.calls(text)
        bare = re.sub(r"```\w*", "", text).strip(" \t\n-*")
        if len({key_of(c) for c in calls}) > 1 and "\n" not in bare:  # in one line all that is said belongs together
            left = stood_by(bare, "action")
            kept = [c for c in self.calls(left) if not _NOT.search(left[max(0, c.start - 24) : c.start])]
            if kept and not _UNMEANT.search(without(left, kept)):
                return self._first(left, kept)
        if len({key_of(c) for c in calls}) == 1:
            if _NOT.search(text[max(0, calls[0].start - 24) : calls[0].start]) or _ASKED.match(text, calls[-1].end):
                return Misread(f"it has no action like {self.example}")
            if any(_OR.match(text, c.end) for c in calls):
                return Misread(f"it leaves open whether to {calls[0].word}; write one action")
            if any(self._for_others(text, c) for c in calls):
                return Misread(f"it tells somebody else to {calls[0].word}; write an action of your own")
            around = [_sentence(text, c) for c in calls]
            begins = not re.search(r"\w", text[: calls[0].start])
            if all(_UNMEANT.search(s) or not (begins or len(s.split()) < 4 or _INTENDED.search(s)) for s in around):
                return Misread(f"it speaks of {calls[0].word} and does not say that it is to be done; write `Action:`")
            return self.action(calls[-1])
        if calls:
            rest = re.sub(r"[0-9]{1,2}[.)]|```\w*", "", without(text, calls))
            if not re.search(r"[^\W_]", _LINKS.sub(" ", rest)):  # nothing but a sequence
                return self.action(calls[0])
            last = calls[-1]
            begin = text.rfind("\n", 0, last.start) + 1
            alone = not re.search(r"\w", text[begin : last.start]) and not re.search(r"\w", text[last.end :])
            others = [c for c in calls if key_of(c) != key_of(last) and _alone(text, c)]
            later = re.search(r"\b(?:then|next|after\w*|once|later|finally|or)\b[^\n]*\n[\s`*>]*(?:\w+\n[\s`*>]*)?$",
                              text[:begin], re.I)  # fmt: skip
            if alone and not others and not later:
                return self.action(last)
            return Misread("it names several actions and settles on none; write one behind `Action:`")
        return self._bare(text)

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
        keyed = [v for b in blocks(text) for v in _acts(_only(b))]
        for value in keyed:  # {"action": ["place", "apple_0", "tray"]}
            if not found and isinstance(value, list) and value and str(value[0]).lower() in self.known:
                found.append((str(value[0]), value[1:]))
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
            return self.given(self.known[name.lower()], given)
        return self._body(written[-1])


def _acts(block: Any) -> list[Any]:
    """Return the values for an action in a JSON object, or in the answer within it."""
    if not isinstance(block, Mapping):
        return []
    inner = [v for k, v in block.items() if named(k) in ("answer", "result")]
    return [v for k, v in block.items() if named(k) == "action"] or [v for i in inner for v in _acts(i)]


def _only(block: Any) -> Any:
    """Return the only element of a list; anything else as it is."""
    return block[0] if isinstance(block, list) and len(block) == 1 else block


def _alone(text: str, call: Call) -> bool:
    """Whether a call has a line of its own."""
    end = text.find("\n", call.end)
    line = text[text.rfind("\n", 0, call.start) + 1 : call.start] + text[call.end : end if end >= 0 else None]
    return not re.search(r"[^\W\d]", line)


def _sentence(text: str, call: Call) -> str:
    """The sentence around a call, without it."""
    marks = [m.end() for m in re.finditer(r"[.!?](?=\s)|\n|;", text[: call.start])]
    after = re.compile(r"[.!?](?=\s|$)|\n|;").search(text, call.end)
    return text[marks[-1] if marks else 0 : call.start] + " " + text[call.end : after.start() if after else None]
