"""Demonstrations, training and corrections at the same time, so that neither processors nor the GPU wait.

Processes play episodes. At first a teacher that errs plays, then the pupil itself as it was half a minute ago; the
teacher labels either. Meanwhile the training draws its batches from all that has come.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import queue
import random
import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

from coterie import __version__
from coterie.bench.cluster.slurm import sigint_blocked
from coterie.core.bounds import read_json
from coterie.core.errors import CoterieError
from coterie.core.seeds import rng_of
from coterie.learn import crew
from coterie.learn.crew import CORRECTING, DEMONSTRATING, DONE, FAILED, KINDS, OVER, Terms
from coterie.learn.dev import Keeping, Which
from coterie.learn.gathering import Wish
from coterie.learn.pool import Pool, texts_of
from coterie.learn.samples import Sample, card_of, describe, read, thinned
from coterie.learn.trained import load

__all__ = ["School", "Terms"]
BEGIN = 4_000  # texts, before anything is learnt, unless fewer are all there are
TAKING_IN = "What takes samples in"
#: Cards say how far a file can be made again: who is quicker sends first, and the clock says which state plays.
AGAIN = {KINDS[DEMONSTRATING]: "the same episodes, in another order", KINDS[CORRECTING]: "never the same"}
ENDING_S = 20.0  # that processes get to end by themselves


class School:
    """One training in a folder: `pupil.npz` is its latest state, `best.npz` the one that won most dev episodes,
    `curve.jsonl` what was seen on the way."""

    def __init__(
        self, folder: Path, wish: Wish, terms: Terms, tuning: Any, tokens: Any, base: Path | None,
        dev: Which | None = None, serve: Callable[..., None] = crew.serve, examine: Callable[..., None] = crew.examine,
    ):  # fmt: skip
        self.folder, self.wish, self.terms, self.base = folder, anew(folder, wish), terms, base
        self.tuning, self.tokens, self.dev = tuning, tokens, dev
        self.pool = Pool(self.wish.seed)
        self.pupil, self.best = folder / "pupil.npz", folder / "best.npz"
        self.counts = {kind: [0, 0, 0] for kind in KINDS}  # episodes, successes, samples
        self.wrong = 0  # samples in which the pupil did something else than the teacher
        self._since = [0, 0]  # episodes and successes of corrections, since the last state
        self._over = threading.Event()
        self._demonstrated: set[int] = set()  # processes that have no more to show
        self._failures: dict[str, str] = {}  # who ended -> why
        self._does = {crew.SERVING: serve, crew.EXAMINING: examine}
        self.begun = time.monotonic()

    # -- all of it ----------------------------------------------------------------------------------------------------
    def run(self, tell: Callable[[dict[str, Any]], None]) -> None:
        context: Any = multiprocessing.get_context("spawn")
        self._stage, come = context.Value("i", DEMONSTRATING), context.Queue(maxsize=256)
        with contextlib.ExitStack() as stack:
            place = stack.enter_context(tempfile.TemporaryDirectory(prefix="coterie-"))
            curve = stack.enter_context((self.folder / "curve.jsonl").open("a", encoding="utf-8"))
            socket = Path(place) / "model"

            def process(who: str, does: Callable[..., None], *args: Any) -> Any:
                return context.Process(target=crew.told, args=(who, self._stage, come, does, *args), daemon=True)

            self._workers = {}
            for n in range(self.terms.jobs):
                who = f"Process {n} that plays episodes"
                self._workers[who] = process(who, crew.work, n, self.terms, self.wish, socket, self._stage, come)
            self._server = process(crew.SERVING, self._does[crew.SERVING], self.base, self.pupil, socket)
            self._line, far = context.Pipe()
            self._examiner = process(crew.EXAMINING, self._does[crew.EXAMINING], self.base, self.dev, far)
            self._collecting = threading.Thread(target=self._collect, args=(come,), daemon=True)

            def seen(row: dict[str, Any]) -> None:
                row = {"at": round(time.monotonic() - self.begun, 1), **row}
                curve.write(json.dumps(row) + "\n")
                curve.flush()
                tell(row)

            if any(known := self._take_up()):
                seen({"state": "taken up", "seed": self.wish.seed, **dict(zip(KINDS, known))})
            try:
                if self.terms.first <= 0:
                    self._let_play()
                with sigint_blocked():
                    for worker in self._workers.values():
                        worker.start()
                self._collecting.start()
                self._wait_for_texts()
                self._train(seen)
            finally:
                self._end()
            seen(self._state())
        if self._failures:
            self._complain()

    def _take_up(self) -> list[int]:
        """What the folder holds already, into the pool; how many samples of each kind."""
        known = list[int]()
        for kind in KINDS:
            path = self.folder / f"{kind}.jsonl"
            known.append(0)
            if path.exists():
                cut(path)
                every = read(path)
                while some := list(islice(every, BEGIN)):
                    self._into_pool(kind, some)
                    known[-1] += len(some)
        return known

    def _wait_for_texts(self) -> None:
        """Until there is enough to begin with, or all that there will be."""
        while len(self.pool) < BEGIN and len(self._demonstrated) < self.terms.jobs:
            self._look()
            time.sleep(0.1)
        if not len(self.pool):
            raise CoterieError(
                f"There is nothing to learn: none of {self.wish.episodes} episodes of '{self.wish.lessons}' can be "
                f"drawn, or {self.wish.protocol} asks a model nothing in them."
            )

    def _train(self, seen: Callable[[dict[str, Any]], None]) -> None:
        recipe = self.tuning.recipe
        begun = last = examined = time.monotonic()
        exam = _Exam(self, seen) if self.dev is not None and self.terms.dev_every > 0 else None

        def batch(_: int) -> Any:
            nonlocal last, examined
            self._look()
            now = time.monotonic()
            if now - last >= self.terms.every and now - begun >= self.terms.first - 1:
                last = now
                self._let_play()
                seen(self._state())
            if exam is not None:
                exam.look()
                if now - examined >= self.terms.dev_every and not exam.busy:
                    examined = now
                    exam.begin()
            while self.pool.hungry and time.monotonic() - begun < self.terms.seconds and self._play_goes_on():
                self._look()
                time.sleep(0.05)  # the pupil plays all the faster
            return self.pool.draw(recipe.rows, recipe.length)

        try:
            self.tuning.follow(batch, self.terms.seconds, seen)
        finally:  # also where it is stopped: what was learnt stays
            self.tuning.save(self.pupil)
        if exam is not None:
            exam.finish()

    def _let_play(self) -> None:
        """The pupil as it is now."""
        self.tuning.save(self.pupil)
        if not self._server.pid:
            with sigint_blocked():
                self._server.start()
            self._stage.value = CORRECTING

    def _play_goes_on(self) -> bool:
        return any(worker.is_alive() for worker in self._workers.values())

    def _state(self) -> dict[str, Any]:
        episodes, successes = self._since
        self._since = [0, 0]
        rows = {kind: dict(zip(("episodes", "successes", "samples"), self.counts[kind])) for kind in KINDS}
        return {"state": "saved", "played": episodes, "succeeded": successes, **rows, "mistakes": self.wrong}

    # -- who ended ----------------------------------------------------------------------------------------------------
    def _look(self) -> None:
        """Complains where a process has ended that should not have."""
        if self._failures or not self._collecting.is_alive():
            self._complain()
        others = {crew.SERVING: self._server, crew.EXAMINING: self._examiner}
        for who, process in (*self._workers.items(), *others.items()):
            code = process.exitcode  # None: it goes on, or has not begun
            if code or (code == 0 and who in others):
                self._complain(who, f"it was ended by signal {-code}" if code < 0 else f"it ended with code {code}")

    def _complain(self, who: str = "", why: str = "") -> None:
        until = time.monotonic() + 1.0
        while self._collecting.is_alive() and crew.SERVING not in self._failures and time.monotonic() < until:
            time.sleep(0.05)  # who ends takes others along: the first cause may come last
        if who and not self._failures:
            raise CoterieError(f"{who} has ended, and so has the school: {why}.")
        first = next((n for n in (crew.SERVING, crew.EXAMINING) if n in self._failures), next(iter(self._failures), ""))
        raise CoterieError(
            f"{first or 'Who takes samples in'} has ended, and so has the school: {self._failures.get(first, '')}"
        )

    def _end(self) -> None:
        """Processes end by themselves, and what they have sent is taken in; who does not is ended."""
        self._stage.value = OVER
        until = time.monotonic() + ENDING_S
        for helper in (self._server, self._examiner):  # who waits for an answer of theirs would wait
            if helper.pid:
                helper.terminate()
                helper.join()
        for worker in (w for w in self._workers.values() if w.pid):
            worker.join(max(0.0, until - time.monotonic()) if self._collecting.is_alive() else 0.0)
            if worker.is_alive():
                worker.terminate()
                worker.join()
        self._over.set()
        if self._collecting.ident:
            self._collecting.join(ENDING_S)
        for number, kind in enumerate(KINDS):
            path = self.folder / f"{kind}.jsonl"
            if path.exists() and path.stat().st_size:
                wish = self.wish._replace(seed=self.wish.seed + number)
                seeds = list(dict.fromkeys([*seeds_of(path), wish.seed]))
                about = {"coterie": __version__, "made by": "coterie learn school", "made again": AGAIN[kind]}
                describe(path, {**about, **wish._asdict(), "seeds": seeds})

    # -- what comes ---------------------------------------------------------------------------------------------------
    def _collect(self, come: Any) -> None:
        rng: random.Random = rng_of("thinning", self.wish.seed)
        try:
            with contextlib.ExitStack() as stack:
                files = {
                    kind: stack.enter_context((self.folder / f"{kind}.jsonl").open("a", encoding="utf-8"))
                    for kind in KINDS
                }
                while True:
                    try:
                        kind, what, found = come.get(timeout=0.2)
                    except queue.Empty:
                        if self._over.is_set():
                            return
                        continue
                    if kind == DONE:
                        self._demonstrated.add(what)
                    elif kind == FAILED:
                        self._failures.setdefault(what, found)
                    else:
                        self._take_in(kind, what, list(thinned((Sample(*s) for s in found), rng)), files[kind])
        except Exception as err:  # noqa: BLE001 (a full disk, a sample that cannot be read: whatever it is, it is told)
            self._failures.setdefault(TAKING_IN, f"{type(err).__name__}: {err}")

    def _take_in(self, kind: str, success: bool | None, samples: list[Sample], file: Any) -> None:
        file.writelines(sample.line() + "\n" for sample in samples)
        self.wrong += self._into_pool(kind, samples)
        count = self.counts[kind]
        over, good = success is not None, bool(success)
        self.counts[kind] = [count[0] + over, count[1] + good, count[2] + len(samples)]
        if kind == KINDS[CORRECTING]:
            self._since = [self._since[0] + over, self._since[1] + good]

    def _into_pool(self, kind: str, samples: list[Sample]) -> int:
        """How many of them are of states in which the pupil did something else."""
        right, wrong = list[Sample](), list[Sample]()
        for sample in samples:
            astray = kind == KINDS[CORRECTING] and sample.action and sample.astray
            (wrong if astray else right).append(sample)
        length = self.tuning.recipe.length
        texts, more = (texts_of(some, self.tokens, length) for some in (right, wrong))
        self.pool.add(kind, texts)
        self.pool.add("mistakes", more)
        return len(more)


class _Exam:
    """States that play dev episodes beside the training, one at a time; first the best one of before, if there is one:
    what replaces it has to win as many."""

    def __init__(self, school: School, seen: Callable[[dict[str, Any]], None]):
        self.school, self.busy = school, False
        self.state = school.folder / "examined.npz"
        self.keeping, self._before = Keeping(school.best, seen), school.best.exists()
        with sigint_blocked():
            school._examiner.start()
        if self._before:
            shutil.copyfile(school.best, self.state)
            self._ask()

    def begin(self) -> None:
        self.school.tuning.save(self.state)
        self._ask()

    def _ask(self) -> None:
        self.school._line.send(self.state)
        self.busy = True

    def look(self, wait_s: float = 0.0) -> None:
        if self.busy and self.school._line.poll(wait_s):
            self.busy = False
            score = self.school._line.recv()
            if self._before:
                self._before = False
                self.keeping.begin_with(score)
            else:
                self.keeping.take(self.state, score)

    def finish(self) -> None:
        """The one that plays yet, and the last."""
        for last in (False, True):
            if last:
                self.begin()
            while self.busy:
                self.school._look()
                self.look(0.2)
        self.state.unlink(missing_ok=True)


LEFT = ("pupil.npz", "best.npz", "curve.jsonl", *(f"{kind}.jsonl" for kind in KINDS))
TAIL = 2**20  # bytes, within which a file's last line begins


def used(folder: Path) -> bool:
    """Whether a school was here."""
    return any((folder / name).exists() and (folder / name).stat().st_size for name in LEFT)


def check_free(folder: Path) -> None:
    if used(folder):
        raise CoterieError(
            f"'{folder}' holds a school already: go on with --from {folder / 'pupil.npz'}, or name another folder."
        )


def check_alike(folder: Path, rank: int, alpha: float) -> None:
    """Whether states of this training and the best one there can be compared."""
    best = folder / "best.npz"
    if best.exists() and (found := load(best))[:2] != (rank, alpha):
        raise CoterieError(
            f"'{best}' is of another training, with rank {found.rank} and alpha {found.alpha:g}, not {rank} and "
            f"{alpha:g}: name another folder."
        )


def seeds_of(path: Path) -> list[int]:
    """Those that the samples of a file were drawn from, as its card says."""
    try:
        card = read_json(card_of(path), "card of samples")
        return [int(seed) for seed in card.get("seeds", [card["seed"]])]
    except (CoterieError, ValueError, KeyError, TypeError, AttributeError, OverflowError):
        return []


def anew(folder: Path, wish: Wish) -> Wish:
    """The same wish with a seed that nothing there was drawn from: demonstrations take it, corrections the next one."""
    if not used(folder):
        return wish
    taken = {seed for kind in KINDS for seed in seeds_of(folder / f"{kind}.jsonl")}
    taken = taken or {wish.seed}  # a school that was killed left no card
    seed = wish.seed
    while taken & {seed + n for n in range(len(KINDS))}:
        seed += len(KINDS)
    return wish._replace(seed=seed)


def cut(path: Path) -> None:
    """Takes away a last line that is not whole: who wrote it was killed."""
    with path.open("r+b") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - TAIL))
        tail = file.read()
        if not tail.endswith(b"\n"):
            file.truncate(size - len(tail) + tail.rfind(b"\n") + 1)
