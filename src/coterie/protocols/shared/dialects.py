"""Messages of robots in other words: `dialects.toml` holds other ways for each of their sentences.

A model that reads understands them, a program that knows our own sentences does not. Whatever is told otherwise keeps
every name in it. Words that a robot said itself stay as they are, and so does all that stands in no quotes.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Collection
from functools import cache, partial
from typing import Literal, NamedTuple, get_args

from coterie.core.files import tables
from coterie.core.protocol import Prompt
from coterie.protocols.shared.sentences import Sentence

Part = Literal["train", "held", "makers", "unseen"]
_QUOTED = re.compile(
    r'(?:\b(?P<who>\w+)(?:\'s plan| says)?: |(?P<own>communicate\(|You are \w+, ))?"(?P<words>[^"\n]*)"'
)
_ME = re.compile(r"You are (\w+)")
_PLACEHOLDERS = 0xE000  # signs of no text, each for a sentence that was told otherwise


class Saying(NamedTuple):
    """A sentence of ours with the other ways to say it."""

    usual: Sentence
    train: tuple[str, ...]
    held: tuple[str, ...]
    makers: tuple[str, ...]
    unseen: tuple[str, ...]
    first: bool = False  # it stands at the beginning of what is said, once or several times with semicolons between


@cache
def sayings() -> dict[str, Saying]:
    return {
        name: Saying(
            Sentence(r["usual"]), **{part: tuple(r[part]) for part in get_args(Part)}, first=r.get("first", False)
        )
        for name, r in tables(__package__, "dialects.toml").items()
    }


def retold(prompt: Prompt, part: Part, draw: Callable[[str], random.Random | None]) -> Prompt:
    """A prompt in which what teammates said is said otherwise. `draw`: the source of chance for words in quotes, None
    for those that stay."""

    def other(words: str) -> str:
        rng = draw(words)
        return words if rng is None else said_otherwise(words, part, rng)

    return quoted_by_others(prompt, other)


def without_quotes(prompt: Prompt) -> Prompt:
    """A prompt in which nobody is quoted with any words."""
    return tuple((role, _QUOTED.sub(lambda m: f'{m.group().partition(chr(34))[0]}""', text)) for role, text in prompt)


def quoted_by_others(prompt: Prompt, other: Callable[[str], str], by: Collection[str] | None = None) -> Prompt:
    """A prompt with other words for what teammates said; with `by`, for what these said and nobody else."""
    me = _ME.match(prompt[0][1]) if prompt else None

    def quote(found: re.Match[str]) -> str:
        if (
            found["own"]
            or (me is not None and found["who"] == me.group(1))
            or (by is not None and found["who"] not in by)
        ):
            return found.group()
        return f'{found.group()[: found.start("words") - found.start()]}{other(found["words"])}"'

    return tuple((role, _QUOTED.sub(quote, text)) for role, text in prompt)


def said_otherwise(words: str, part: Part, rng: random.Random) -> str:
    """Every sentence of ours in one of its other ways; what is none of them stays."""
    told: list[str] = []

    def keep(text: str) -> str:
        told.append(text)
        return chr(_PLACEHOLDERS + len(told) - 1)

    def other(ways: tuple[str, ...], values: dict[str, str]) -> str:
        return keep(filled(rng.choice(ways), values))

    for saying in sayings().values():
        ways: tuple[str, ...] = getattr(saying, part)
        if saying.first:
            words = _beginning(words, saying.usual, rng.choice(ways), keep)
        else:
            words = saying.usual.replaced(words, partial(other, ways))
    return "".join(told[ord(c) - _PLACEHOLDERS] if 0 <= ord(c) - _PLACEHOLDERS < len(told) else c for c in words)


def _beginning(words: str, usual: Sentence, way: str, keep: Callable[[str], str]) -> str:
    """A plan is a part for every robot; all are told in one way."""
    found = usual.at_start(words)
    parts = []
    while found is not None:
        values, end = found
        parts.append(filled(way, values))
        words = words[end:]
        found = usual.at_start(words[2:]) if words.startswith("; ") else None
        words = words[2:] if found is not None else words
    return keep(" ".join(parts)) + words if parts else words


def filled(way: str, values: dict[str, str]) -> str:
    """A way to say something with these words in its slots."""
    lists = {f"{slot}_and": " and ".join(v.rsplit(", ", 1)) for slot, v in values.items()}
    return way.format(**values, **lists)
