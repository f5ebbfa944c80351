"""Large teams in few words: robots that say the same are named together, before it is said once.

Alice, Alice2, Alice3: "a wheeled base with one arm" (navigate, open, pick, place).
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence

FEW = 6  # robots: of a team as small as that, each is told by itself
ALL = "all of them"  # those of the team
_GROUP = re.compile(r'(\d+ )?((?:\w+, )+\w+)((?: says)?: (?:"[^"\n]*"|[^()"\n]+(?= \())(?: \([^()\n]*\)\.|\.)?)')


def together(rows: Iterable[tuple[str, str]], robots: int) -> list[tuple[str, str]]:
    """Names and their words; in a team of so many robots those with the same words in one row, and words that differ in
    the speaker's own name alone are the same."""
    if robots <= FEW:
        return list(rows)
    found: dict[str, tuple[list[str], str]] = {}
    for name, words in rows:
        alike = re.sub(rf"\b{re.escape(name)}\b", "", words)
        group = found.get(words) or found.get(alike) or ([], words)
        group[0].append(name)
        found[words] = found[alike] = group
    return [(", ".join(names), words) for names, words in {id(group): group for group in found.values()}.values()]


def listed(rows: Iterable[tuple[str, str]]) -> str:
    """A line for each row."""
    return "\n".join(f"{names}: {words}".strip() for names, words in rows)


def shared_out(able: Mapping[str, Sequence[str]], boxes: Container[str], robots: Iterable[str]) -> dict[str, list[str]]:
    """Shares of a search: places that few can search first, each to the able robot with the least to do; to open one of
    some boxes counts as work."""
    shares: dict[str, list[str]] = {n: [] for n in robots}
    load = dict.fromkeys(shares, 0)
    for place in sorted(able, key=lambda p: (len(able[p]), p)):
        if able[place]:
            robot = min(able[place], key=lambda n: (load[n], n))
            load[robot] += 2 if place in boxes else 1
            shares[robot].append(place)
    return shares


def own_part(plan: str, name: str, robots: int) -> str:
    """The part of a plan about one robot, in a team of so many; all of it where it says nothing, or the team is
    small."""
    found = re.search(rf"(?:^|; ?)({re.escape(name)}: [^;]*)", plan) if robots > FEW else None
    return found[1] if found else plan


def apart(text: str) -> str:
    """The same with each robot by itself again, as a small team is told."""

    def each(m: re.Match[str]) -> str:
        ends = m.string[m.end() : m.end() + 1] in ("", "\n") and m.string[m.start() - 1 : m.start()] in ("", "\n")
        return ("\n" if ends else " ").join(f"{m[1] or ''}{name}{m[3]}" for name in m[2].split(", "))

    return _GROUP.sub(each, text)
