"""Parse a reply that gives several robots a line, a heading, a row or an entry of JSON each."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from coterie.core.replies.headings import named
from coterie.core.replies.json_blocks import GIVEN, blocks
from coterie.core.replies.sections import sections, took_back

MOST_DEEP = 4


def by_name(text: str, names: Iterable[str]) -> dict[str, str]:
    """The last word on each name."""
    return {name: said[-1] for name, said in all_by_name(text, names).items()}


def all_by_name(text: str, names: Iterable[str]) -> dict[str, list[str]]:
    """Return the texts for each name: behind it in its line, below it as a heading, or its value in JSON. The
    line of a thought says nothing, nor do those below it that begin with no name; what was taken back does not count.
    """
    names = list(names)
    found: dict[str, list[str]] = {}
    for block in blocks(text):
        for who, what in _pairs(block, {n.lower() for n in names}):
            name = next((n for n in names if n.lower() == who.strip().lower()), None)
            if name is not None:
                found.setdefault(name, []).append(what)
    if found:
        return found
    back = took_back(text)
    if back is not None and all(re.search(rf"(?<!\w){re.escape(n)}(?!\w)", back) for n in names):
        text = back
    for name, what in _told(_lined(text, names), names):
        if what:
            found.setdefault(name, []).append(what)
    return found


def _lined(text: str, names: Iterable[str]) -> str:
    """A line a name, with a sign behind it: names between tags or signs, in braces or quotes, or underlined."""
    tag = "|".join(re.escape(n) for n in names)
    text = re.sub(rf"(?:<\w{{1,20}}>\s*)?(?=<(?:{tag})>)|\s\|\s(?=(?:{tag}):)", "\n", text)
    text = re.sub(rf"(?<=[.)])[ \t]+(?=(?:{tag}): ?\w+\()", "\n", text)
    text = re.sub(r"^[=-]{3,}[ \t]*\n", "", text, flags=re.M)
    text = re.sub(rf"^(?:part|section) [0-9]{{1,2}}\s?[-:.]\s+(?=(?:{tag})\b)", "", text, flags=re.I | re.M)
    text = re.sub(rf'^"({tag})"\s?,\s?"(.*)"[ \t]*$', r"\1: \2", text, flags=re.I | re.M)
    return re.sub(rf"^\{{({tag})\}}:?", r"\1:", text, flags=re.I | re.M)


def in_sentences(text: str, name: str) -> list[str]:
    """Return the calls that sentences assign to a robot."""
    if re.search(r"\?|\b(?:or|either|maybe|perhaps|unless|not sure)\b", text, re.I):
        return []
    return re.findall(
        rf"(?<!\w){re.escape(name)} (?:should|will|must|shall|is to|has to) (\w+\([^()\n]*\))", text, re.I
    )


def _told(text: str, names: Sequence[str]) -> list[tuple[str, str]]:
    """(name, words) of lines."""
    words = "|".join(re.escape(n) for n in names)
    head = re.compile(
        r"^(?P<marks>[^\w\n]{0,8}(?:[0-9]{1,2}[.)]\s|[a-z][.)]\s|step [0-9]{1,2}\s?[-:.]\s)?"
        r"[*_`\[<(\"'|\s]{0,6})(?:(?:robot|name|to|for|"
        r"(?:next )?action (?:of|for))\s)?"
        rf"(?P<who>(?:{words})(?:[*_`]{{0,2}}\s?(?:,|&|/|\+|\band\b)\s?[*_`]{{0,2}}(?:{words})){{0,9}})(?!\w)"
        r"(?: ?[(\[][\w -]{1,30}[)\]](?=[*_`\s]{0,4}(?::|->|"
        r"=>)))?(?:'s (?:next )?action)?(?P<closed>[*_`\]>)\"'\s]{0,6})"
        r"(?P<sign>:|->|=>|=|\||(?<=\s)[-\u2013\u2014]\s|\.(?=\w+\()|,(?= ?\w+ ?\()|(?:should|must|will|"
        r"does|to) (?=\w+ ?\()|action\b:?|)"
        r"[*_`|\s]{0,6}(?P<rest>.*)$",
        re.I,
    )
    text = re.sub(
        rf"^([^\w\n]{{0,12}})(?:next )?actions? (?:for|of) (?=(?:{words})\W{{0,3}}:)", r"\1", text, flags=re.I | re.M
    )
    parts = [(name, _lines(name, b, head)) for name, b in sections(text)]
    if any(head.match(x) for name, lines in parts if name != "other" for x in lines):  # those of before do not count
        parts = [(name, lines) for name, lines in parts if name != "other" or not (lines and head.match(lines[0]))]
    body = "\n".join(line for _, lines in parts for line in lines)
    found: list[tuple[str, str]] = []
    at: list[str] = []
    for line in re.sub(rf"[;,.]\s+(?=[*_`]{{0,2}}(?:{words})[*_`]{{0,2}}\s?:)", "\n", body).splitlines():
        match = head.match(line[:600])
        boxed = match is not None and any(a in match["marks"] and b in match["closed"] for a, b in ("[]", "<>", "()"))
        if match is not None and (boxed or match["sign"] or not match["rest"].strip()):
            at = [n for n in names if re.search(rf"(?<!\w){re.escape(n)}(?!\w)", match["who"], re.I)]
            rest = line[match.start("rest") :]
            rest = re.sub(rf"</\s?(?:{words})>\s*$", "", rest, flags=re.I) if boxed else rest.strip().strip("|")
            found += [(n, rest.strip()) for n in at]
        elif at and not found[-1][1] and line.strip() and not re.fullmatch(r"\s*```\w*\s*", line):
            found[-len(at) :] = [(n, line.strip()) for n in at]
    return found


def _lines(name: str, body: str, head: re.Pattern[str]) -> list[str]:
    """The lines of a section; of a thought those from the first on that begins with a name and its sign."""
    lines = body.splitlines()
    if name != "thought":
        return lines
    for i, line in enumerate(lines[1:], 1):
        match = head.match(line[:600])
        if match is not None and (match["sign"] or not match["rest"].strip() or "[" in match["marks"]):
            return lines[i:]
        if match is not None and any(a in match["marks"] and b in match["closed"] for a, b in ("<>", "()")):
            return lines[i:]
    return []


_WHO = ("robot", "agent", "robot_name", "agent_name", "who", "name")  # the last may be that of a tool
_WHAT = ("action", "next_action", "skill", "task", "command", "assignment")


def _pairs(block: Any, names: set[str], deep: int = 0) -> Iterator[tuple[str, str]]:
    """(who, what) of JSON that gives robots something to do."""
    if isinstance(block, list):
        for item in block:
            said = re.match(r"\W*(\w+)\s?(?::|->|=>|=)\s?(.+)", item) if isinstance(item, str) else None
            if said is not None:
                yield said.group(1), said.group(2)
            yield from _pairs(item, names, deep + 1)
    elif isinstance(block, Mapping) and deep <= MOST_DEEP:
        low = {str(k).lower(): v for k, v in block.items()}
        who = next((low[k] for k in _WHO if isinstance(low.get(k), str)), None)
        what = next((low[k] for k in _WHAT if k in low), None)
        if what is None and isinstance(low.get("name"), str) and low["name"] != who:
            what = low["name"]  # a call of a tool, and for whom
        given = next((low[k] for k in GIVEN if isinstance(low.get(k), Mapping)), None)
        whose = next((k for k in given or () if str(k).lower() in _WHO[:-1]), None)
        if given is not None and whose is not None and not {str(k).lower() for k in given} & {*_WHAT, "name"}:
            inner = {k: v for k, v in given.items() if k != whose}  # a call with its robot among the arguments
            yield str(given[whose]), json.dumps({"name": low.get("name") or what, "arguments": inner})
            return
        if what is None and given is not None and {*_WHO[:-1]} & {str(k).lower() for k in given}:
            yield from _pairs(given, names, deep + 1)  # a tool that tells a robot what to do
            return
        if who is not None and what is not None:
            own = {
                k: v for k, v in low.items() if k not in _WHO[:-1] and v != who and named(k) not in ("thought", "other")
            }
            whole = isinstance(what, str) and "(" not in what and len(own) > 1  # its arguments stand beside it
            yield who, _said(own if whole else what)
            return
        for key, value in block.items():
            if str(key).strip().lower() in names or not isinstance(value, (Mapping, list)):
                yield str(key), _said(value)
            elif named(key) not in ("thought", "other"):
                yield from _pairs(value, names, deep + 1)


def _said(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
