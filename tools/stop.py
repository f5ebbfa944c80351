"""Trains the stop kernel: a linear model that tells pleas to stop from everything else people say.

python -m tools.stop src/coterie/talk/stop.npz
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from coterie.core.ngrams import BUCKETS
from coterie.learn import scenes, sentences
from coterie.learn.rename import words
from coterie.learn.scenes import Drawn
from coterie.learn.sentences import Sampler
from coterie.talk.stop import Named, features, named

SHARE = 1 / 3  # of pleas to stop
RATE, DECAY = 0.25, 1e-6
PASSES = 6
MORE = 0.04  # of all pleas stand before something else
BARE = 0.02  # of all: a word by itself, as one gives a name


class Example(NamedTuple):
    buckets: list[int]
    stops: bool


def names_of(scene: Drawn) -> Named:
    return named((n for names in vars(scene).values() for n in names), scene.robot)


def examples(sampler: Sampler, rng: random.Random, count: int) -> list[Example]:
    """Sentences of all families, a third of them pleas to stop."""
    pleas = [f for f in sampler.learnt if f.meaning.startswith("stop ") and ";" not in f.meaning]
    found = []
    cries = {w.text.lower().strip("!.") for f in pleas for w in f.ways}
    names = [w for w in words() if w not in cries]
    for _ in range(count):
        if rng.random() < BARE:
            found.append(Example(features(rng.choice(names), names_of(scenes.draw(rng))), False))
        elif rng.random() < SHARE:
            family = rng.choices(pleas, [len(f.ways) for f in pleas])[0]
            scene = scenes.draw(rng)
            text = sentences.dressed(rng, family, scene)
            if rng.random() < MORE:  # a plea is one with anything behind it
                other = rng.choices(sampler.learnt, sampler.weights)[0]
                text += rng.choice((", ", ". ", " and ", "! ")) + sentences.dressed(rng, other, scene)
            found.append(Example(features(text, names_of(scene)), True))
        else:
            drawn = sampler.sample(rng)
            found.append(Example(features(drawn.heard, names_of(drawn.scene)), drawn.reply.startswith("stop ")))
    return found


def train(
    found: list[Example], rng: random.Random, tell: Callable[[int], None] = lambda _: None
) -> tuple[np.ndarray, float]:
    """Weights and bias by logistic regression (AdaGrad, one example at a time)."""
    weights, seen, bias = np.zeros(BUCKETS), np.full(BUCKETS, 0.5), 0.0
    for number in range(PASSES):
        tell(number)
        for example in rng.sample(found, len(found)):
            at = example.buckets
            score = bias + weights[at].sum()
            error = 1.0 / (1.0 + np.exp(-np.clip(score, -30, 30))) - example.stops
            seen[at] += error * error
            weights[at] -= RATE * error / np.sqrt(seen[at]) + DECAY * weights[at]
            bias -= 0.01 * error
    return weights, float(bias)


def main(out: Path, count: int = 60_000, seed: int = 1) -> None:
    rng = random.Random(seed)
    weights, bias = train(examples(Sampler.packaged(), rng, count), rng)
    with out.open("wb") as file:
        np.savez_compressed(file, weights=weights.astype(np.float16), bias=np.float32(bias))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
