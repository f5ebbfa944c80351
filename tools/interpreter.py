"""Trains the interpreter: a linear model that tells which of our sentences a robot's words in a dialect are.

python -m tools.interpreter src/coterie/protocols/interpreter.npz
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from coterie.core.files import tables
from coterie.core.ngrams import BUCKETS
from coterie.protocols import interpreter
from coterie.protocols.interpreter import NONE, KnownNames, Piece
from coterie.protocols.shared.dialects import Saying, filled, sayings

ROBOTS, PLACES = ("Ada", "Bo", "Cleo"), ("shelf", "desk_1", "floor@oven")
THINGS = ("cup_0", "pear_1", "box_2")
WHERE = KnownNames(frozenset(ROBOTS), frozenset(p.removeprefix("floor@") for p in PLACES))
EACH = 60  # examples of a way
MERGED = 0.4  # of them with another sentence beside
RATE, PASSES = 0.25, 4


def values(saying: Saying, rng: random.Random) -> dict[str, str]:
    least = 2 if saying.usual.template.startswith("At ") else 1  # of one thing it is said where it lies
    of = {"R": ROBOTS, "P": PLACES, "T": THINGS}
    many = {"things": THINGS, "places": PLACES, "work": (*PLACES, "what is within its reach")}
    return {
        s: ", ".join(rng.sample(many[s], rng.randint(least, 3))) if s in many else rng.choice(of[interpreter.TYPES[s]])
        for s in saying.usual.slots
    }


def examples(rng: random.Random, ways: dict[str, list[str]]) -> Iterator[tuple[list[int], str]]:
    """Sentences with their kinds, and two at once, which are none."""
    known = sayings()

    def one(kind: str) -> str:
        return filled(rng.choice(ways[kind]), values(known[kind], rng))

    named = [kind for kind in ways if known[kind].usual.slots]  # the others may be courtesies of these
    for kind, mine in ways.items():
        for way in mine:
            for _ in range(EACH):
                text = filled(way, values(known[kind], rng))
                yield Piece.of(text, WHERE).features(), kind
                if kind in named and rng.random() < MERGED:
                    both = [text, one(rng.choice(named))]
                    rng.shuffle(both)
                    piece = Piece.of(" ".join(both), WHERE)
                    if interpreter.fitting(piece.names):
                        yield piece.features(), NONE


def others(rng: random.Random) -> Iterator[tuple[list[int], str]]:
    """Sentences that are none of ours although they have such names in them."""
    for way in tables("coterie.protocols.shared", "others.toml")["ways"]:
        for _ in range(EACH):
            text = way.format(robot=rng.choice(ROBOTS), thing=rng.choice(THINGS), place=rng.choice(PLACES))
            yield Piece.of(text, WHERE).features(), NONE


def train(found: list[tuple[list[int], str]], rng: random.Random) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Kinds, weights and bias by multinomial logistic regression (AdaGrad, one example at a time)."""
    kinds = sorted({kind for _, kind in found})
    number = {kind: i for i, kind in enumerate(kinds)}
    weights, bias = np.zeros((BUCKETS, len(kinds))), np.zeros(len(kinds))
    seen = np.full((BUCKETS, len(kinds)), 0.5)
    for _ in range(PASSES):
        for at, kind in rng.sample(found, len(found)):
            score = bias + weights[at].sum(axis=0)
            error = np.exp(score - score.max())
            error /= error.sum()
            error[number[kind]] -= 1.0
            seen[at] += error * error
            weights[at] -= RATE * error / np.sqrt(seen[at])
            bias -= 0.01 * error
    return kinds, weights, bias


def main(out: Path, seed: int = 1) -> None:
    rng = random.Random(seed)
    ways = {name: [s.usual.template, *s.train] for name, s in sayings().items()}
    kinds, weights, bias = train([*examples(rng, ways), *others(rng)], rng)
    with out.open("wb") as file:
        np.savez_compressed(file, kinds=np.array(kinds), weights=weights.astype(np.float16), bias=bias)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
