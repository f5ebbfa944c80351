"""The scripts of `tools/` begin, and the files of the package are such as they write."""

import random
import tomllib

import numpy as np

from coterie.learn.sentences import Sampler
from coterie.protocols import interpreter as reader
from coterie.protocols.adhoc.likened import likened as packaged
from coterie.protocols.shared.dialects import sayings
from coterie.talk.stop import _weights as kernel
from tools import interpreter, likened, stop


def test_kinds_are_likened_to_those_that_lessons_tell_of(tmp_path, monkeypatch):
    rng = np.random.default_rng(1)
    monkeypatch.setattr(likened, "meanings", lambda names: rng.normal(size=(len(names), 8)))  # no model
    likened.main(tmp_path / "made.toml")
    made = tomllib.loads((tmp_path / "made.toml").read_text())["likened"]
    assert list(made) == list(packaged()) and not {*made} & {*made.values()}


def test_the_stop_kernel_tells_the_examples_of_its_training_apart():
    found = stop.examples(Sampler.packaged(), random.Random(2), 200)
    weights, bias = kernel()
    assert 40 < sum(e.stops for e in found) < 100
    assert sum((bias + weights[e.buckets].sum() > 0) == e.stops for e in found) >= 196


def test_the_interpreter_knows_the_kinds_of_sentences_that_it_would_learn():
    found = {kind for _, kind in interpreter.others(random.Random(3))}
    assert reader._weights()[0] == sorted({*sayings(), *found})
