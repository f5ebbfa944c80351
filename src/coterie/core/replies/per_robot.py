"""Parse a reply that gives several robots a line, a heading or an entry of JSON each."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from coterie.core.replies.headings import named
from coterie.core.replies.json_blocks import blocks
from coterie.core.replies.sections import sections

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
