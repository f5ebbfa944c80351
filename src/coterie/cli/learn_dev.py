"""The part of `coterie learn` that plays on dev houses: which state of a training is kept, and what one is worth."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from coterie.cli.numbers import whole
from coterie.core.errors import CoterieError


def add_keeping(p: Any, every: Any, unit: str, best: str) -> None:
    """Options of trainings that play on the way."""
    p.add_argument(
        "--dev-every", type=every, default=0, metavar=unit[0].upper(),
        help=f"play dev houses after so many {unit}, and keep the state that wins most in {best} (default: never)",
    )  # fmt: skip
    p.add_argument(
        "--dev-episodes", type=whole("a number of episodes", 1), default=40, metavar="N", help="played each time (40)"
    )


def which(args: argparse.Namespace, lessons: str, protocol: str) -> Any:
    from coterie.learn.dev import Which

    return Which(args.dev_episodes, protocol, lessons, tuple(getattr(args, "load", None) or ()))


class Examined:
    """A training that plays dev houses now and then: `FILE.npz` is the best state, `FILE.last.npz` the last one."""

    def __init__(self, args: argparse.Namespace, tuning: Any, seen: Callable[[dict[str, Any]], None], protocol: str):
        from coterie.learn.dev import Keeping

        self.args, self.tuning, self.at = args, tuning, 0
        self.last: Path = args.out.with_suffix(".last.npz")
        self.keeping = Keeping(args.out, seen)
        self.configs = which(args, args.lessons, protocol).configs()
        self._player: Any = None
        if args.start is not None and args.out.exists() and args.out.samefile(args.start):
            self._play(0)  # what replaces it has to win as many

    def between(self, step: int) -> None:
        self.at = step
        if step % self.args.dev_every == 0:
            self._play(step)

    def finish(self) -> None:
        if self.at % self.args.dev_every:
            self._play(self.at)

    def _play(self, step: int) -> None:
        from coterie.learn.dev import Score, play
        from coterie.learn.saying import Renewed

        self.tuning.save(self.last)
        self._player = self._player or Renewed(self.args.base, self.last)
        self.keeping.take(self.last, Score.over(play(self.configs, self._player)), step=step)


def evaluate_dev(args: argparse.Namespace, model: str) -> int:
    """Dev episodes, their number won, and one line each with --out."""
    from coterie.cli.codes import DONE
    from coterie.cli.out import console
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
    console(plain_width=240).print(words, soft_wrap=True, markup=False, highlight=False)
    return DONE
