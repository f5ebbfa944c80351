"""Plans for the table, spoilt: another thing or place is named, robots get each other's part, a way runs too low."""

from __future__ import annotations

import random
import re

MARK = "around a table"  # in the first line of a planner's prompt
LOW = 0.05  # [m] below the table's top: where hands are sent to by a spoilt path
_LINE = re.compile(r"^(NAME (\w+) ACTION )(.*)$", re.M)
_POINT = re.compile(r"\((-?[\d.]+), (-?[\d.]+), (-?[\d.]+)\)")


def of_table(prompt: str) -> bool:
    return MARK in prompt.partition("\n")[0]


def spoilt(text: str, prompt: str, rng: random.Random) -> str:
    """The same reply with a plan that is not what was meant; one without a plan stays as it is."""
    lines = _LINE.findall(text)
    ways = [_exchanged, _renamed, _renamed, *([_sunk] if _POINT.search(text) else [])]
    rng.shuffle(ways)
    for way in ways if lines else ():
        new = way(text, prompt, rng)
        if new != text:
            return new
    return text


def _renamed(text: str, prompt: str, rng: random.Random) -> str:
    """One name of the plan for another of the prompt's objects or targets."""
    kinds = [re.findall(r"[\w-]+", "".join(re.findall(rf"^{head}: (.*)$", prompt, re.M))) for head in _LISTS]
    _, body = text.split("EXECUTE", 1)
    named = sorted({(word, n) for n, kind in enumerate(kinds) for word in kind if re.search(rf"\b{word}\b", body)})
    if not named:
        return text
    word, kind = rng.choice(named)
    others = [w for w in dict.fromkeys(kinds[kind]) if w != word]
    if not others:
        return text
    head, body = text.split("EXECUTE", 1)
    return f"{head}EXECUTE" + re.sub(rf"\b{word}\b", rng.choice(others), body, count=1)


def _exchanged(text: str, prompt: str, rng: random.Random) -> str:
    """Two robots get each other's part."""
    lines = _LINE.findall(text)
    if len(lines) < 2:
        return text
    (_, a, mine), (_, b, theirs) = rng.sample(lines, 2)
    part = {a: theirs, b: mine}
    return _LINE.sub(lambda m: f"{m[1]}{part.get(m[2], m[3])}", text)


def _sunk(text: str, prompt: str, rng: random.Random) -> str:
    """A hand is sent through the table."""
    return _POINT.sub(lambda m: f"({m.group(1)}, {m.group(2)}, {LOW:.2f})", text, count=rng.randint(1, 4))


_LISTS = ("Objects", "Targets")
