"""`coterie learn reader`: train the reader of sentences on the package's ways to say things, and on your own."""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from typing import Any

from coterie.cli.numbers import above_zero, whole

HELD = 500  # sentences of the test
LENGTH = 2048  # tokens of a row


def add(parts: Any, add_recipe: Any, tuning_of: Any, teller: Any, tell: Any) -> None:
    """The rest comes from `coterie learn`: options of a recipe, how a training begins, and who tells of it."""
    p = parts.add_parser(
        "reader",
        help="a reader of what people say, also with words of your own world (docs/reader.md)",
        description="Train a reader of sentences. Without a GPU this takes hours; try it there with --seconds 60.",
    )
    p.add_argument("out", type=Path, metavar="FILE.gguf", help="use it with: coterie talk --model embedded:FILE.gguf")
    p.add_argument(
        "--ways", type=Path, action="append", default=[], metavar="FILE.txt", help="further ways to say things"
    )
    p.add_argument("--seconds", type=above_zero("a number of seconds"), default=400.0, metavar="S", help="(400)")
    p.add_argument("--jobs", type=whole("a number of processes", 1), default=2, metavar="N", help="that draw sentences")
    add_recipe(p)
    p.set_defaults(func=lambda args: run(args, tuning_of, teller, tell))


def run(args: argparse.Namespace, tuning_of: Any, teller: Any, tell: Any) -> int:
    from coterie.cli.codes import DONE
    from coterie.learn import reading
    from coterie.learn.sentences import Sampler, check_ways, ways_in
    from coterie.learn.trained import export, load
    from coterie.learn.weights import File
    from coterie.models.store import fetched

    for path in args.ways:  # before what takes long
        check_ways(ways_in(path), str(path))
    args.out.parent.mkdir(parents=True, exist_ok=True)
    tuning, tokens = tuning_of(args, length=LENGTH)
    words = File(args.base or fetched()).words()
    reading.train(tuning, words, args.ways, args.seconds, args.jobs, teller(args))
    sampler, rng = Sampler.packaged(*args.ways), random.Random(args.seed)
    held = [reading.as_sample(sampler.sample(rng, held=True)) for _ in range(HELD)]
    right = sum(reading.exact(tuning, held, tokens, LENGTH))
    part = args.out.with_suffix(".npz")
    tuning.save(part)
    trained = load(part)
    size = export(trained.pairs, trained.alpha, args.out, 8, {"stage": reading.STAGE})
    said = f"{args.out}: {size / 1e6:.1f} MB. Of {HELD} sentences in ways that it had not learnt, {right} are right."
    tell(args, said, file=str(args.out), bytes=size, held_out=HELD, right=right)
    return DONE
