"""Demonstrations, training and corrections in turns, from nothing to a pupil that plays.

The training begins on what a teacher demonstrates. Every so often it pauses: the pupil plays episodes as it is, the
teacher labels them, and the training goes on with all that has come so far. Files of demonstrations that others put
into the folder meanwhile are learnt from as soon as they are there.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from coterie.core.bounds import read_json
from coterie.core.errors import CoterieError
from coterie.learn.dev import Exam, Which
from coterie.learn.gathering import Wish, gather_into
from coterie.learn.pool import Pool, texts_of
from coterie.learn.samples import Sample, card_of, read
from coterie.learn.trained import load
from coterie.models import Model
from coterie.models.shared import lent

DEMONSTRATIONS, CORRECTIONS = "demonstrations", "corrections"
AT_ONCE = 1_000  # samples that are turned into numbers together
LOOK_S = 2.0  # between two looks for new files
Tell = Callable[[dict[str, Any]], None]


class Terms(NamedTuple):
    """How long each part takes."""

    seconds: float = 900.0  # of training
    first: float = 300.0  # seconds of it before the pupil plays; 0 for one that has been to school before
    every: float = 200.0  # seconds of it between two rounds of corrections
    corrections: int = 300  # episodes that the pupil plays in a round
    jobs: int = 4
    at_once: int = 40  # episodes of the pupil in one process
    dev_every: float = 0.0  # seconds of training between two states that play dev episodes; 0: none does


class School:
    """One training in a folder: `pupil.npz` is its latest state, `best.npz` the one that won most dev episodes,
    `curve.jsonl` records the training. `speaks` returns the model that the training is at the moment."""

    def __init__(
        self, folder: Path, wish: Wish, terms: Terms, tuning: Any, tokens: Any, speaks: Callable[[], Model],
        dev: Which | None = None, best: Callable[[Path], Model] | None = None,
    ):  # fmt: skip
        self.folder, self.terms, self.tuning, self.tokens = folder, terms, tuning, tokens
        self.wish = wish._replace(seed=first_seed(folder, wish.seed))
        self.speaks, self.dev, self.best_before = speaks, dev, best
        self.pool = Pool(self.wish.seed)
        self._early, self._taken = set[str](), set[str]()  # files: there at the start; in the pool, or on their way
        self._too_long = 0  # samples
        self._over, self._read = threading.Event(), threading.Event()
        self._failure: Exception | None = None  # of a file of samples
        self.pupil, self.best = folder / "pupil.npz", folder / "best.npz"

    def run(self, tell: Tell) -> None:
        begun = time.monotonic()
        with (self.folder / "curve.jsonl").open("a", encoding="utf-8") as curve:

            def seen(row: dict[str, Any]) -> None:
                row = {"at": round(time.monotonic() - begun, 1), **row}
                curve.write(json.dumps(row) + "\n")
                curve.flush()
                tell(row)

            watching = threading.Thread(target=self._watch, args=(seen,), daemon=True)
            try:
                self._begin(seen, watching)
                self._train(seen)
            finally:
                self._over.set()
                if watching.ident is not None:
                    watching.join()  # it writes to the curve

    def _begin(self, seen: Tell, watching: threading.Thread) -> None:
        """Fill the pool with the samples of the folder; where it has none, with demonstrations."""
        self._early = {path.stem for path in sample_files(self.folder)}
        if not self._early:
            self._gather(DEMONSTRATIONS, self.wish, seen)
        watching.start()
        while not len(self.pool) and not self._read.wait(0.1):
            pass
        self._check_files()
        if not len(self.pool):
            why = f"no episode of '{self.wish.lessons}' can be drawn, or {self.wish.protocol} asks a model nothing"
            if self._too_long:
                why = f"{self._too_long} samples are longer than a row of {self.tuning.recipe.length} tokens, see --row"
            raise CoterieError(f"There is nothing to learn: {why}.")

    def _check_files(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _watch(self, seen: Tell) -> None:
        """Take in what lies in the folder, and what comes; what cannot be read ends the training."""
        try:
            while not self._over.is_set():
                new = [p for p in sample_files(self.folder) if p.stem not in self._taken]
                for path in new:
                    if not self._over.is_set() and is_whole(path, path.stem in self._early):
                        self._taken.add(path.stem)
                        seen({"state": "taken up", "file": path.stem, **self._take_in(path)})
                if not any(path.stem in self._early - self._taken for path in new):
                    self._read.set()
                self._over.wait(LOOK_S)
        except Exception as err:  # noqa: BLE001 (whatever it is, the training has to hear of it)
            self._failure = err
            self._read.set()

    def _train(self, seen: Tell) -> None:
        terms, recipe = self.terms, self.tuning.recipe
        exam = None
        if self.dev is not None:
            exam = Exam(self.dev, self.tuning, self.speaks, self.best, seen)
            if self.best.exists() and self.best_before is not None:
                exam.begin_with(self.best_before(self.best))
        begun, paused, correct_at = time.monotonic(), 0.0, terms.first
        exam_at = terms.dev_every if exam is not None and terms.dev_every else terms.seconds

        def between(_: int) -> None:
            nonlocal paused, correct_at, exam_at
            self._check_files()
            now = time.monotonic()
            spent = now - begun - paused
            if correct_at <= spent < terms.seconds:
                correct_at = spent + terms.every
                self._correct(seen)
            if exam is not None and exam_at <= spent < terms.seconds:
                exam_at = spent + terms.dev_every
                exam.play()
            paused += time.monotonic() - now

        try:
            self.tuning.follow(
                lambda _: self.pool.draw(recipe.rows, recipe.length), terms.seconds, seen, between=between
            )
        finally:  # also where it is stopped: what was learnt stays
            self.tuning.save(self.pupil)
        self._check_files()  # which may have come after the last step
        if exam is not None:
            exam.play()

    def _correct(self, seen: Tell) -> None:
        """The pupil plays as it is now, and is corrected."""
        self.tuning.save(self.pupil)
        number = sum(path.stem.startswith(CORRECTIONS) for path in sample_files(self.folder)) + 1
        terms = self.terms
        with lent(self.speaks()) as player:
            wish = self.wish._replace(
                seed=self.wish.seed + number, episodes=terms.corrections, player=player, at_once=terms.at_once
            )
            self._gather(f"{CORRECTIONS}-{number}", wish, seen)

    def _gather(self, name: str, wish: Wish, seen: Tell) -> None:
        path = self.folder / f"{name}.jsonl"
        self._taken.add(path.stem)
        player = wish.player if wish.player == self.wish.player else "the pupil"
        about = {"made by": "coterie learn school", "player": player}
        done = gather_into(path, wish, self.terms.jobs, about=about)
        seen({"state": name, "episodes": done.episodes, "successes": done.successes, **self._take_in(path)})

    def _take_in(self, path: Path) -> dict[str, int]:
        """Add the samples of a file to the pool, apart those of states in which the pupil did something else; how many,
        and how many were too long for a row."""
        corrected, every, all_of, fit = path.stem.startswith(CORRECTIONS), read(path), 0, 0
        while not self._over.is_set() and (some := list(islice(every, AT_ONCE))):
            right, wrong = list[Sample](), list[Sample]()
            for sample in some:
                (wrong if corrected and sample.action and sample.astray else right).append(sample)
            for kind, samples in (("mistakes", wrong), (CORRECTIONS if corrected else DEMONSTRATIONS, right)):
                texts = texts_of(samples, self.tokens, self.tuning.recipe.length)
                self.pool.add(kind, texts)
                all_of, fit = all_of + len(samples), fit + len(texts)
        self._too_long += all_of - fit
        return {"samples": fit, **({"too_long": all_of - fit} if fit < all_of else {})}


def sample_files(folder: Path) -> Iterator[Path]:
    """The files of samples of a school, demonstrations first."""
    yield from sorted(p for p in folder.glob(f"{DEMONSTRATIONS}*.jsonl") if not p.name.endswith(".curve.jsonl"))
    yield from sorted(folder.glob(f"{CORRECTIONS}-*.jsonl"))


def is_whole(path: Path, early: bool) -> bool:
    """True if a file of samples is not being written any more: its card, which comes last, is there, or it was there
    when the school began, and has lain there for a while."""
    return card_of(path).exists() or (early and time.time() - path.stat().st_mtime > 2 * LOOK_S)


def check_free(folder: Path) -> None:
    """Complain where a school was held before; demonstrations alone are what one begins with."""
    pupil, *others = (folder / name for name in ("pupil.npz", "best.npz", "curve.jsonl"))
    if any(path.exists() and path.stat().st_size for path in (pupil, *others)):
        on = f"go on with --from {pupil}, or " if pupil.exists() else ""
        raise CoterieError(f"'{folder}' holds a school already: {on}name another folder.")


def check_alike(folder: Path, rank: int, alpha: float) -> None:
    """Complain where states of this training and the best one there cannot be compared."""
    best = folder / "best.npz"
    if best.exists() and (found := load(best))[:2] != (rank, alpha):
        raise CoterieError(
            f"'{best}' is of another training, with rank {found.rank} and alpha {found.alpha:g}, not {rank} and "
            f"{alpha:g}: name another folder."
        )


def first_seed(folder: Path, seed: int) -> int:
    """The seed of the demonstrations in a folder, where their card names it: rounds of corrections count on from it."""
    try:
        return int(read_json(card_of(folder / f"{DEMONSTRATIONS}.jsonl"), "card of samples")["seed"])
    except (CoterieError, ValueError, KeyError, TypeError, OverflowError):
        return seed
