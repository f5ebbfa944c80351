"""`coterie learn`: demonstrations, training, export and evaluation of a small model of one's own."""

from __future__ import annotations

import argparse
import contextlib
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from coterie.cli.options import add_command, words_of
from coterie.cli.out import DONE, complain, console, say_result
from coterie.core.errors import CoterieError

HELD = 500  # sentences of the test of a reader
LENGTH = 2048  # tokens of a row of sentences
ROW, LONG_ROW = 4096, 16384  # of samples, and of conversations
RANK = 32


def add(commands: Any) -> None:
    from coterie.models.adapter import PACKAGED

    parts = {"demos": demos, "train": train, "school": school, "export": export, "eval": evaluate, "serve": serve}
    add_command(commands, "learn", {**parts, "reader": reader}, {"training": PACKAGED})


# -- what they do -----------------------------------------------------------------------------------------------------
def demos(args: argparse.Namespace) -> int:
    from coterie.cli.bench import progress
    from coterie.episode.setup import load_plugins
    from coterie.learn.binding import check_teachable
    from coterie.learn.gathering import Wish, gather_into
    from coterie.models.store import sha256_of

    load_plugins(args.load or ())
    check_teachable(args.protocol)
    with contextlib.ExitStack() as stack:
        player = stack.enter_context(_shared(args.pupil, args.base)) if args.pupil is not None else args.player
        pupil = {"player": str(args.pupil), "player sha256": sha256_of(args.pupil)} if args.pupil is not None else {}
        own = tuple(args.load or ())
        wish = Wish(
            args.seed, args.episodes, args.split, args.lessons, args.protocol, player, args.rename, args.batch, own,
            args.keep, args.actions,
        )  # fmt: skip
        with progress("episodes") as tell:
            done = gather_into(args.out, wish, args.jobs, tell, pupil)
    if not done.card["samples"]:
        raise CoterieError(
            f"There are no samples in '{args.out}': "
            + ("no episode can be drawn." if not done.episodes else f"{done.successes} of {done.episodes} succeeded.")
            + " The text oracle teaches dynahmrc, coela and coherent, in tasks in rooms."
        )
    missed = args.episodes - done.episodes
    undrawn = f" ({missed} more cannot be drawn with their team in their house)" if missed else ""
    words = (
        f"{args.out}: {done.card['samples']} samples of {done.episodes} episodes{undrawn}, {done.successes} of them "
        f"successful; {', '.join(f'{stage} {n}' for stage, n in done.card['stages'].items())}"
    )
    say_result(args.json, words, episodes=done.episodes, successes=done.successes, card=done.card)
    return DONE


def _tuning(args: argparse.Namespace, **more: Any) -> tuple[Any, Any]:
    """A training that has not begun, and the words of its model."""
    from coterie.learn.saying import opened, start_from
    from coterie.learn.trained import load, widened
    from coterie.learn.tuning import Recipe, Tuning

    start = load(args.start) if args.start is not None else None
    rank = args.rank or (start.rank if start is not None else RANK)
    start = widened(start, rank, args.start) if start is not None else None
    alpha = start.alpha if start is not None else 2.0 * rank
    batch = max(args.batch_tokens, more["length"])
    recipe = Recipe(rank=rank, alpha=alpha, rate=args.rate, seed=args.seed, batch_tokens=batch, **more)
    network, tokens = opened(args.base, rank, recipe.alpha)
    if start is not None:
        start_from(network, start, args.start)
    return Tuning(network, recipe, compiled=args.compile), tokens


def _speaks(tuning: Any, tokens: Any) -> Callable[[], Any]:
    """Returns the model that a training is at the moment."""
    from coterie.learn.saying import Speaker

    return lambda: Speaker(tuning.network, tokens, name="torch:pupil", held=True)


def _teller(args: argparse.Namespace) -> Any:
    """Tells of a training on the way; with --json only what is wrong with it is said before its end."""
    out = console(plain_width=240)

    def tell(seen: dict[str, Any]) -> None:
        if too_long := seen.get("too_long"):
            advice = f": say --row {LONG_ROW}" if args.row < LONG_ROW else ""
            complain(f"{too_long} samples have over {args.row} tokens and are left out{advice}.")
        if not args.json:
            words = "  ".join(f"{k} {v}" for k, v in seen.items())
            out.print(words, markup=False, highlight=False, soft_wrap=True)

    return tell


def train(args: argparse.Namespace) -> int:
    from coterie.core.seeds import rng_of
    from coterie.learn.binding import bound_to, protocol_of
    from coterie.learn.dev import Exam
    from coterie.learn.pool import packed, texts_of
    from coterie.learn.samples import aimed, portion, read

    args.out.parent.mkdir(parents=True, exist_ok=True)  # before what takes long
    samples = [sample for path in args.samples for sample in read(path)]
    rng_of("mixing", args.seed).shuffle(samples)  # old and new side by side
    samples = list(aimed(portion(samples, args.share), args.targets))
    args.row = args.row or (LONG_ROW if any(sample.earlier for sample in samples) else ROW)
    tuning, tokens = _tuning(args, length=args.row, passes=args.passes, seconds=args.seconds)
    tuning.bound = bound_to(protocol_of(args.samples))
    if not tuning.bound.prompts:
        complain("No card of the samples names their one protocol: the training will not know which prompts it knows.")
    texts = texts_of(samples, tokens, args.row)
    rows, tell = packed(texts, args.row), _teller(args)
    tell({"samples": len(texts), "too_long": len(samples) - len(texts), "rows": len(rows.ids), "tokens": args.row})
    with args.out.with_suffix(".curve.jsonl").open("w", encoding="utf-8") as curve:

        def seen(row: dict[str, Any]) -> None:
            curve.write(json.dumps(row) + "\n")
            curve.flush()
            tell(row)

        exam, last = None, args.out
        if args.dev_every:
            some = which(args, args.lessons, tuning.bound.protocol or "dynahmrc")
            exam, last = Exam(some, tuning, _speaks(tuning, tokens), args.out, seen), args.out.with_suffix(".last.npz")
            if args.start is not None and args.out.exists() and args.out.samefile(args.start):
                exam.play(step=0)  # what replaces it has to win as many

        def between(step: int) -> None:
            if exam is not None and step % args.dev_every == 0:
                exam.play(step=step)

        try:
            tuning.train(rows, seen, between=between)
        finally:  # also where it is stopped: what was learnt stays
            if tuning.steps:
                tuning.save(last)
        if exam is not None and tuning.steps % args.dev_every:
            exam.play(step=tuning.steps)
    words = f"{args.out}: see what it is worth with coterie learn eval {args.out}"
    say_result(args.json, words, file=str(args.out), samples=len(texts), steps=tuning.steps)
    return DONE


def school(args: argparse.Namespace) -> int:
    from coterie.episode.setup import load_plugins
    from coterie.learn.binding import bound_to
    from coterie.learn.gathering import Wish
    from coterie.learn.school import School, Terms, check_alike, check_free
    from coterie.learn.weights import needed

    load_plugins(args.load or ())
    if args.start is None:
        check_free(args.out)
    wish = Wish(
        args.seed, args.episodes, "train", args.lessons, args.protocol, args.player, args.rename,
        load=tuple(args.load or ()),
    )  # fmt: skip
    first = args.first if args.first is not None else Terms().first if args.start is None else 0.0
    terms = Terms(args.seconds, first, args.every, args.corrections, args.jobs, args.batch, args.dev_every)
    needed("llguidance")  # holds the replies of the pupil: not to be missed only when it first plays
    from coterie.learn.saying import speaker_of

    bound = bound_to(args.protocol)
    args.row = args.row or (LONG_ROW if "conversation" in args.protocol else ROW)
    tuning, tokens = _tuning(args, length=args.row)
    tuning.bound = bound
    check_alike(args.out, tuning.recipe.rank, tuning.recipe.alpha)
    args.out.mkdir(parents=True, exist_ok=True)
    dev = which(args, args.lessons, args.protocol) if args.dev_every else None
    one = School(
        args.out, wish, terms, tuning, tokens, _speaks(tuning, tokens), dev, lambda best: speaker_of(best, args.base)
    )
    one.run(_teller(args))
    kept = one.best if dev is not None else one.pupil
    say_result(args.json, f"{kept}: see what it is worth with coterie learn eval {kept}", file=str(kept))
    return DONE


def export(args: argparse.Namespace) -> int:
    from coterie.learn.binding import check_teachable
    from coterie.learn.trained import export as write
    from coterie.learn.trained import load

    trained = load(args.training)
    bound = trained.bound
    if args.protocol and bound.protocol not in ("", args.protocol):
        raise CoterieError(f"'{args.training}' was trained for {bound.protocol}, not for {args.protocol}.")
    if args.protocol:
        check_teachable(args.protocol)
        bound = bound._replace(protocol=args.protocol)
    if not bound.prompts:
        words = f"'{args.training}' does not say which prompts it was trained on: nobody will be told when they change."
        complain(words)
    about = {name: words for name, words in bound._asdict().items() if words}
    size = write(trained.pairs, trained.alpha, args.out, args.bits, about)
    words = f"{args.out}: {size / 1e6:.1f} MB; use it with --model embedded:{args.out}"
    say_result(args.json, words, file=str(args.out), bytes=size, **about)
    return DONE


def evaluate(args: argparse.Namespace) -> int:
    from coterie.cli.app import main

    with _shared(args.training, args.base, not args.free, args.memory) as model:
        if args.split == "dev":
            return evaluate_dev(args, model)
        seed = 10_000 if args.seed is None else args.seed
        words = ["bench", args.suite or "smoke", "--methods", args.protocol, "--model", model, "--seed", str(seed)]
        more = ("jobs", "batch", "episodes", "out", "logs", "json", "load")
        return main([*words, "--no-plots", *words_of(args, more)])


def serve(args: argparse.Namespace) -> int:
    from coterie.learn.saying import speaker_of
    from coterie.models.shared import Sharing

    speaker: Any = speaker_of(args.training, args.base, not args.free, args.memory)
    sharing = Sharing(speaker, args.socket, args.record)
    say_result(args.json, f"It answers to --model shared:{args.socket} until Ctrl-C.", model=f"shared:{args.socket}")
    try:
        sharing.serve()
    finally:
        sharing.close()
    return DONE


def reader(args: argparse.Namespace) -> int:
    from coterie.learn import reading
    from coterie.learn.sentences import Sampler, check_ways, ways_in
    from coterie.learn.trained import export, load
    from coterie.learn.weights import File
    from coterie.models.store import fetched

    for path in args.ways:  # before what takes long
        check_ways(ways_in(path), str(path))
    args.out.parent.mkdir(parents=True, exist_ok=True)
    tuning, tokens = _tuning(args, length=LENGTH)
    words = File(args.base or fetched()).words()
    reading.train(tuning, words, args.ways, args.seconds, args.jobs, _teller(args))
    sampler, rng = Sampler.packaged(*args.ways), random.Random(args.seed)
    held = [reading.as_sample(sampler.sample(rng, held=True)) for _ in range(HELD)]
    right = sum(reading.exact(tuning, held, tokens, LENGTH))
    part = args.out.with_suffix(".npz")
    tuning.save(part)
    trained = load(part)
    size = export(trained.pairs, trained.alpha, args.out, 8, {"stage": reading.STAGE})
    said = f"{args.out}: {size / 1e6:.1f} MB. Of {HELD} sentences in ways that it had not learnt, {right} are right."
    say_result(args.json, said, file=str(args.out), bytes=size, held_out=HELD, right=right)
    return DONE


# -- the model --------------------------------------------------------------------------------------------------------
@contextlib.contextmanager
def _shared(training: Path, base: Path | None, held: bool = True, memory_gb: float | None = None) -> Iterator[str]:
    """The name of a model that all processes of this command may ask."""
    from coterie.learn.saying import speaker_of
    from coterie.models.shared import lent

    with lent(speaker_of(training, base, held, memory_gb)) as name:
        yield name


def which(args: argparse.Namespace, lessons: str, protocol: str) -> Any:
    from coterie.learn.dev import Which

    return Which(args.dev_episodes, protocol, lessons, tuple(getattr(args, "load", None) or ()))


def evaluate_dev(args: argparse.Namespace, model: str) -> int:
    """Dev episodes, their number won, and one line each with --out."""
    from coterie.learn.dev import EPISODES, SEED, Score, Which, play_spread

    if args.suite is not None:
        raise CoterieError("Suites are played on test houses: leave out --suite with --split dev.")
    if args.logs:
        raise CoterieError("--logs goes with suites, not with --split dev: leave it out.")
    some = Which(
        args.episodes or EPISODES, args.protocol, args.lessons, tuple(args.load or ()),
        SEED if args.seed is None else args.seed,
    )  # fmt: skip
    ended = play_spread(some, model, args.jobs, args.batch)
    score = Score.over(ended)
    if args.out:
        args.out.mkdir(parents=True, exist_ok=True)
        lines = "".join(json.dumps(one.row(), ensure_ascii=False) + "\n" for one in ended)
        (args.out / "dev.jsonl").write_text(lines, encoding="utf-8")
    missed = some.episodes - score.of
    undrawn = f" ({missed} more cannot be drawn with their team in their house)" if missed else ""
    words = f"dev houses: won {score.won} of {score.of}{undrawn}, {score.steps} steps on average"
    say_result(args.json, words, won=score.won, of=score.of, undrawn=missed, steps=score.steps)
    return DONE
