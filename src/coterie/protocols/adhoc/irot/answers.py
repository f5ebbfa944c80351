"""Readers of replies: `[result]` with a numbered list, `[judgement] yes`, `[subskill] ...`, `[misplaced] ...`.

Replies come from any model: headings in other brackets or none, lists without numbers, JSON, the last heading counts.
What names several things and settles on none is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from coterie.core.kinds import Misread
from coterie.core.replies.courtesy import refuses
from coterie.core.replies.fields import blank
from coterie.core.replies.json_blocks import blocks, flat, load_loosely, tool_calls
from coterie.core.replies.sections import keyed, sections, spoken, stood_by, took_back, torn, under
from coterie.protocols.adhoc.subtasks import MOST_WORDS, Phrase, read_subskill, read_subtask

_YES = "yes|true|yep|yeah|sí|si|oui|ja|sim|да|是|对|是的|はい|예|네"
_NO = "no|false|nope|nein|non|não|нет|否|不|不是|いいえ|아니요"
_ANSWER = re.compile(
    rf"[\s*_`\"'([✅❌✔✘☑-]*({_YES}|{_NO})\b(?=\W{{0,4}}(?:[,.;:!\n)\u2013\u2014-]|\Z|because\b|since\b|as\b))", re.I
)
_FOR = re.compile(
    r"\b(?:yes|reasonable|true|agree[ds]?|accept\w*|feasible|go ahead|proceed|keep it|continue|valid)\b", re.I
)
_AGAINST = re.compile(
    r"\b(?:(?:no longer|not|isn't|not a|hardly) (?:\w+ )?(?:reasonable|feasible|valid|agree)|(?:don't|do not|"
    r"doesn't) (?:think|believe|agree)[^.\n]*|unreasonable|false|"
    r"reject\w*|infeasible|invalid|abandon\w*|cancel\w*|given? up|drop(?:ped)?|"
    r"no(?! (?:one|body|conflict|objection|reason|doubt|problem|issue|need|other|robot|risk)\w*))\b",
    re.I,
)
_MARK = (
    r"(?:the (?:best|first|second|third|next|last|worst)(?: one)?|(?:best|next|then|last|first|second|third)"
    r"(?: (?:is|comes|would be))|i will(?: now)?(?: go and)?|i'll|let me|let's|is|first|second|third|best|next|"
    r"last|then|finally|"
    r"rank|option|"
    r"candidate|priority|sub-?task|"
    r"[IVX]{1,4}(?=[.):])|\d{1,2}(?:st|nd|rd|th)?|[A-H](?=[.):]))"
)
_LEAD = re.compile(rf"(?:[^\w<]|{_MARK}\b(?=[\s.):#]|$))*", re.I)
_BETWEEN = re.compile(
    r"\s+(?=\d{1,2}[.)]\s+[A-Z])|(?<=[>\w])\s+(?:>|->|=>)\s+(?=[A-Z])|;\s+(?=[A-Z])|,\s+(?=(?:Explore|Re-?place|Stop|"
    r"Report)\b)"
)
_SIGNED = re.compile(r"[\s*_`\"'(\[]*(?:([✅✔☑👍])|([❌✘👎🚫]))\W*$")
_IFS = re.compile(r"\b(?:if|unless|provided|as long as|only when|assuming|depend\w*)\b", re.I)
_UPWARDS = re.compile(r"\b(?:worst|least|lowest)\b[^\n]{0,30}\b(?:to|first)\b|\bascending\b|\breverse order\b", re.I)
_OR = re.compile(r"\b(?:or|either)\b", re.I)
_ID = re.compile(r"[a-z][\w]*_\d+(?:_\w+)?")
_OUT = (
    r"(?:not|except|but not|unlike)\s+(?:the\s)?[\"'`*]*{}(?!\w)|(?<!\w){}[\"'`*]*[^\w(,;.]{{0,4}}(?:is\b|are\b|"
    r"seems?)?[\s:]{{0,3}}(?:no\b|not\b|fine|ok\b|okay|correct|properly|in place|where)"
)
_NONE = re.compile(r"\b(?:none|nothing|no (?:things?|objects?|items?)|empty)\b|^\W*\[\s*\]\W*$", re.I)


def part(reply: str, heading: str) -> tuple[str, bool]:
    """The text behind the last such heading, or its value in JSON; the whole reply without its analysis, where
    there is none. And whether it had the heading."""
    text = spoken(reply)
    values = keyed(text, heading)
    if values:
        return _rows_of(values[-1]), True
    for name in (heading, "answer"):
        body = _last(text, name)
        if body:
            return _stood_by(body, heading), True
    inline = list(re.finditer(rf"\[{heading}\]:?", text, re.I))
    if inline:
        return _stood_by(text[inline[-1].end() :], heading), True
    within = under(text, heading, keys=False)
    if within is not None:
        return within, True
    bare = re.sub(r"```\w*", "", text).strip()
    items = load_loosely(bare) if bare[:1] == "[" else None
    if isinstance(items, list) and items and all(isinstance(i, str) for i in items):
        return "\n".join(items), False
    return "\n".join(b for n, b in sections(text) if n not in ("thought", "other", "plan", "message")), False


_ANEW = re.compile(
    r"^\W*(?:no,? wait|wait\b|hmm+|actually|correction|scratch that|on second thoughts?|let me|sorry|oops)\b",
    re.I | re.M,
)


def _stood_by(body: str, heading: str) -> str:
    """The part of a body that stands: a list begins anew at a line that takes it back, and is corrected within it."""
    if heading != "result" or not re.search(r"^\W*\d{1,2}[.):]", body, re.M):
        return stood_by(body, heading)
    anew = list(_ANEW.finditer(body))
    return body[anew[-1].end() :] if anew and _PHRASE.search(body, anew[-1].end()) else body


def _last(text: str, heading: str) -> str:
    """The text behind the last such heading; reasons between the items of its list are left out."""
    body, within = "", False
    for name, said in sections(text):
        if name == heading and re.search(r"\w", said):
            body, within = said, True
        elif within and name in ("other", "thought"):
            body += "\n" + said.partition("\n")[2]
        else:
            within = False
    return body


def _rows_of(value: Any) -> str:
    """A value of JSON, an item a line."""
    if isinstance(value, list) and not value:
        return "none"
    if isinstance(value, Mapping) and any(isinstance(v, bool) for v in value.values()):
        return "\n".join(f"{k} | {'yes' if v else 'no'}" for k, v in value.items())
    if isinstance(value, Mapping) and {str(k).lower() for k in value} & {
        "name",
        "skill",
        "subskill",
        "sub-skill",
        "subtask",
        "sub-task",
        "task",
        "action",
    }:
        return _item(value)
    items = value if isinstance(value, list) else list(value.values()) if isinstance(value, Mapping) else [value]
    ranked = [i.get("rank") for i in items if isinstance(i, Mapping)]
    if len(ranked) == len(items) and all(isinstance(r, int) for r in ranked):
        items = sorted(items, key=lambda i: i["rank"])
    return "\n".join(_item(i) for i in items)


def _item(value: Any) -> str:
    """`{"name": "Explore", "args": ["room_2"]}` as words."""
    if not isinstance(value, Mapping):
        return flat(value)
    said = [v for v in value.values() if isinstance(v, str) and (found := read_subtask(v)) and found.args]
    if said:
        return said[0]
    words = [str(x) for k, v in value.items() if not re.match(r"rank|reason|why|score|analysis", str(k), re.I)
             for x in (v.values() if isinstance(v, Mapping) else v if isinstance(v, list) else [v])]  # fmt: skip
    return " ".join(words[:1] + [f"<{w}>" for w in words[1:]])


def rows(body: str) -> Iterator[str]:
    """The items of a list, however it is written: by lines, by numbers within one, with signs between, as a table."""
    for line in re.sub(r"</?(?:item|li|candidate|sub-?task|task|step|option)s?>", "\n", body, flags=re.I).splitlines():
        cells = [c for c in line.strip().strip("|").split("|")] if line.strip().startswith("|") else [line]
        named = next((i for i, c in enumerate(cells[:-1]) if _NAME.fullmatch(c) and "_" in cells[i + 1]), None)
        if named is not None:  # a sub-task and its arguments in cells of their own
            cells = [f"{cells[named]} {cells[named + 1]}"]
        for cell in (_kept(c) for c in cells):
            for row in _BETWEEN.split(cell):
                bare = row[_LEAD.match(row).end() :] if _LEAD.match(row) else row  # type: ignore[union-attr]
                if bare.strip():
                    yield bare.strip()


def _kept(cell: str) -> str:
    """A line without what was taken back in it: its last sentence then says what is meant."""
    left = stood_by(cell, "result")
    return cell if left == cell else re.split(r"[.!:]\s+", left.strip())[-1]


_NAME = re.compile(r"[\s*`]*(?:Explore|Re-?place|Report)[\s*`]*", re.I)
_PHRASE = re.compile(r"\b(?:Explore|Re-?place|Report)\W{0,4}<|\b(?:Re-?place|Report) \w+_\d", re.I)


def candidates(reply: str, free: bool, most: int = 3) -> list[Phrase] | Misread:
    """Different sub-tasks, in the order in which they stand; in free words, each line is one."""
    body, headed = part(reply, "result")
    if refuses(body):
        return Misread("it says that it will not answer")
    found: dict[Phrase, None] = {}
    for row in rows(body) if headed or not blocks_of(reply) else map(_item, blocks_of(reply)):
        phrase = read_subtask(row)
        if phrase is None and not free and re.match(r"\W*(?:Explore|Re-?place|Report)\b", row, re.I):
            return Misread("it has a sub-task that cannot be read")  # the others alone are not what it meant
        if phrase is not None and _EITHER.search(_behind(row)):
            return Misread("it names several sub-tasks in one line and settles on none")
        if phrase is None and free and headed:
            phrase = Phrase(row.strip(" .*`\"'")[:MOST_WORDS])
        if phrase is not None:
            found[phrase] = None
    return list(found)[:most] if found else Misread("it has no sub-task in a numbered list behind [result]")


_EITHER = re.compile(r"(?:\bor\b|/|=)\W{0,4}(?:Explore|Re-?place|Report|Stop)\b", re.I)


def _behind(row: str) -> str:
    """A line behind the sub-task that it begins with."""
    return row[re.match(r"[^A-Za-z]*[A-Za-z-]*", row).end() :]  # type: ignore[union-attr]


def blocks_of(reply: str) -> list[Any]:
    found = [i for b in blocks(spoken(reply)) for i in (b if isinstance(b, list) else [b])]
    ranks = [i.get("rank") if isinstance(i, Mapping) else None for i in found]
    return sorted(found, key=lambda i: i["rank"]) if found and all(isinstance(r, int) for r in ranks) else found


def ranking(reply: str, given: Sequence[Phrase], free: bool) -> list[Phrase] | Misread:
    """The candidates in the order of a reply; those that it leaves out come last, others are left out."""
    named = candidates(reply, free, len(given))
    if isinstance(named, Misread):
        return named
    if _UPWARDS.search(spoken(reply)):
        return Misread("it begins with the worst")
    body, headed = part(reply, "result")
    numbers = [int(n) for n in re.findall(r"^[^\w\n]{0,6}(\d{1,2})[.):]\s", body, re.M)]
    if headed and numbers and numbers != sorted(numbers):
        return Misread("its numbers are not in order")
    if not blocks_of(reply) and any(_PHRASE.search(row) and read_subtask(row) is None for row in rows(body)):
        return Misread("it tells of sub-tasks in a sentence; write them one a line")
    known = {_key(p): p for p in given}
    found = list(dict.fromkeys(known[_key(p)] for p in named if _key(p) in known))
    return [*found, *(p for p in given if p not in found)] if found else Misread("it names none of the candidates")


def _key(phrase: Phrase) -> tuple[str, ...]:
    return tuple(re.sub(r"[\W_]", "", w).lower() for w in (phrase.name, *phrase.args))


def judgement(reply: str) -> bool | Misread:
    body, _ = part(reply, "judgement")
    unsure = Misread("it says neither yes nor no behind [judgement]")
    if re.search(r"\byes\W{0,3}(?:or|/)\W{0,3}no\b|\bdepends\b|\?", body[:200], re.I):
        return unsure
    signed = _SIGNED.match(body)
    if signed is not None:
        return signed.group(1) is not None
    body = re.sub(r"\bnot (?:un|in)(?=reasonable|feasible|valid)", "", body, flags=re.I)
    if _IFS.search(re.split(r"[.!\n]", body)[0]):
        return unsure
    first = _ANSWER.match(body)
    if first is not None and not re.match(rf"\W*(?:and|or)\W*(?:{_YES}|{_NO})\b", body[first.end() :], re.I):
        return first.group(1).lower() in _YES.split("|")
    against = _AGAINST.search(body) is not None
    agrees = _FOR.search(_AGAINST.sub(" ", body)) is not None
    return unsure if against == agrees else agrees


def subskill(reply: str) -> Phrase | Misread:
    body, _ = part(reply, "subskill")
    text = spoken(reply)
    if torn(text, "subskill"):
        return Misread("it names several sub-skills and settles on none")
    lines = list(rows(body))
    if lines and _IFS.search(lines[0]):
        return Misread("it says what it would do, and not what it does")
    for row in lines:
        found = read_subskill(row)
        if found is not None:
            if re.search(r"\b(?:already|was|were|failed)\b", row, re.I):
                return Misread("it tells of a sub-skill of before")
            if _OR.search(row) or re.search(r"\s/\s", row) or row.rstrip().endswith("?"):
                return Misread("it names several sub-skills and settles on none")
            return found
    for name, given in tool_calls(text):
        found = read_subskill(_item({"name": name, "arguments": given}))
        if found is not None:
            return found
    if took_back(text) is not None and lines:  # "No wait, I am too far. GoToObject <mug_0>"
        found = read_subskill(re.split(r"[.!:]\s+", lines[-1])[-1])
        if found is not None:
            return found
    return Misread("it has no sub-skill behind [subskill]")


_HEDGED = re.compile(r"\b(?:maybe|perhaps|possibly|probably|might|could|or|either|unsure|not sure)\b|\?", re.I)
_ALL = re.compile(r"\W*(?:all|both|everything|all of (?:them|these)|both of them|all things)\W*", re.I)


def misplaced(reply: str, names: Sequence[str]) -> list[str] | Misread:
    """The names in the answer, possibly none. Without its heading an answer is
    nothing but names, or a table that says yes or no of each."""
    body, headed = part(reply, "misplaced")
    low = body.lower()
    told = [b for b in blocks_of(reply) if isinstance(b, Mapping)]
    if (
        not headed
        and len(told) == 1
        and {str(k) for k in told[0]} == set(names)
        and all(isinstance(v, bool) for v in told[0].values())
    ):
        return [n for n in names if told[0][n]]
    is_or_not = r"\W{1,4}(?:is|are) (not )?(?:\w+ )?misplaced"
    stated = {n: re.findall(rf"(?<!\w){re.escape(n.lower())}" + is_or_not, low) for n in names}
    if not headed and any(stated.values()) and all(len(set(v)) == 1 for n, v in stated.items() if n.lower() in low):
        return [n for n in names if stated[n] and not stated[n][0]]
    if headed and _ALL.fullmatch(low):
        return list(names)
    if re.match(r"\W*neither\b", low):
        return []
    if blank(body) or re.match(r"\W*their names\b", low) or (_HEDGED.search(low) and _ID.search(low)):
        return Misread("it does not say which things are misplaced")
    said = set(_ID.findall(low))
    table = {
        m[0]: m[1]
        for m in re.findall(
            r"^\W*([a-z]\w*_\d+\w*)\W*\|.*?\b(yes|no|misplaced|ok|okay|fine|correct|not misplaced)\b", low, re.M
        )
    }
    if table and said <= set(table):
        return [n for n in names if table.get(n.lower()) in ("yes", "misplaced")]
    if re.match(r"\W*(?:none|nothing)\b(?! but| except)", low):
        return []
    found = [n for n in names if n.lower() in said and not re.search(_OUT.format(*[re.escape(n.lower())] * 2), low)]
    if not headed and re.search(
        r"\w",
        re.sub(
            r"\b(?:and|both|none|nothing|of them|is|are|misplaced|only|the|not|ok|okay|fine)\b", "", _ID.sub("", low)
        ),
    ):
        return Misread("it has no heading [misplaced]")
    if found or (_NONE.search(body) and not said):
        return found
    return Misread("it names nothing behind [misplaced], and does not say none")
