"""What prompts cost in tokens, stage by stage, and the budget they are held to.

Users have CPUs: a small model reads some dozens of tokens a second, so that every token of a prompt is waited for,
except those that it shares with the robot's last prompt of the same kind.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from statistics import median
from typing import NamedTuple

from coterie.core.config import Config
from coterie.core.protocol import Ask, Prompt, Reply
from coterie.episode.play import play
from coterie.models.choices import read_choices
from coterie.protocols.dynahmrc.oracle import Oracle

Count = Callable[[Prompt], Sequence[object]]  # a prompt as its tokens

#: Characters of a prompt in one token of the embedded model, its marks of turns included: 3.31 over 300 prompts of six
#: episodes with the text oracle.
PER_TOKEN = 3.3


class Limits(NamedTuple):
    """Medians of a three-robot Pack task with compact prompts."""

    tokens_in: int
    tokens_out: int
    uncached: int | None = None  # on a robot's next call


BUDGET = {
    "HMRC": Limits(600, 35, 250),
    "TALB": Limits(500, 60),
    "LE": Limits(600, 12),
    "GD": Limits(600, 50),
}


class Cost(NamedTuple):
    """Tokens of every call of a stage."""

    tokens_in: list[int]
    uncached: list[int]
    tokens_out: list[int]

    def medians(self) -> tuple[float, float | None, float]:
        return median(self.tokens_in), median(self.uncached) if self.uncached else None, median(self.tokens_out)


class Listening:
    """The text oracle, with what it was asked."""

    name = "oracle"

    def __init__(self) -> None:
        self.oracle = Oracle()
        self.heard: list[tuple[Ask, Reply]] = []

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        replies = self.oracle.answer(asks)
        self.heard += zip(asks, replies)
        return replies


def episodes(number: int, protocol: str = "dynahmrc") -> list[list[tuple[Ask, Reply]]]:
    """Three robots pack objects in three houses; every request and reply."""
    found = []
    for n in range(number):
        model = Listening()
        scene = ("flat", "loft", "bungalow")[n % 3]
        play(Config(protocol=protocol, team="Ma-MoMa-UAV", scene=scene, seed=10_000 + n), model=model)
        found.append(model.heard)
    return found


def costs(heard: Iterable[Sequence[tuple[Ask, Reply]]], count: Count) -> dict[str, Cost]:
    """By stage. Uncached is what follows the beginning that a prompt shares with the robot's last one of the stage."""
    found: dict[str, Cost] = {}
    empty = len(count((("", ""),)))
    for talk in heard:
        last: dict[tuple[str, str], Sequence[object]] = {}
        for ask, reply in talk:
            cost = found.setdefault(ask.stage, Cost([], [], []))
            tokens = count(ask.prompt)
            cost.tokens_in.append(len(tokens))
            cost.tokens_out.append(max(len(count((("", text),))) for text in _replies(ask, reply)) - empty)
            before = last.get((ask.robot, ask.stage))
            if before is not None:
                cost.uncached.append(len(tokens) - shared(before, tokens))
            last[ask.robot, ask.stage] = tokens
    return found


def _replies(ask: Ask, reply: Reply) -> Sequence[str]:
    """What a model may say: one of the strings it is held to, which the oracle does not mind, or anything."""
    held = read_choices(ask.choices)
    return held.value if held.kind == "strings" else (reply.text,)


def shared(a: Sequence[object], b: Sequence[object]) -> int:
    """How many tokens two prompts have in common from their beginning."""
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(a, b)))


def by_length(prompt: Prompt) -> Sequence[object]:
    """Pieces of equal length, where the tokenizer is not there."""
    text = "\n".join(f"<|im_start|>{role}\n{words}<|im_end|>" for role, words in prompt) + "<|im_start|>assistant"
    pieces = round(len(text) / PER_TOKEN)
    return [text[round(i * PER_TOKEN) : round((i + 1) * PER_TOKEN)] for i in range(pieces)]
