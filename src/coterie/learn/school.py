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
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import coterie.bench.studies  # noqa: F401 (brings the built-in lessons)
from coterie.bench.spec import lessons
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.seeds import rng_of
from coterie.episode.setup import load_plugins
from coterie.learn.demos import played
from coterie.learn.gathering import Wish
from coterie.learn.packing import texts_of
from coterie.learn.pool import Pool
from coterie.learn.samples import Sample, thinned
from coterie.models import make_model

MOST = 10**9  # episodes: more than anybody draws
DEMONSTRATING, CORRECTING = 0, 1
KINDS = ("demonstrations", "corrections")
BEGIN = 4_000  # texts, before anything is learnt
SOON = 12  # requests of one episode that are corrected together


@dataclass(frozen=True)
class Terms:
    """How long each part takes."""

    seconds: float = 600.0  # of training
    first: float = 120.0  # seconds of it before the pupil plays; 0 for one that has been to school before
    every: float = 45.0  # seconds between two states of the pupil
    jobs: int = 4
    at_once: int = 40  # episodes of the pupil in one process


class School:
    """One training in a folder: `pupil.npz` is its latest state, `curve.jsonl` what was seen on the way."""

    def __init__(self, folder: Path, wish: Wish, terms: Terms, tuning: Any, tokens: Any, base: Path | None):
        self.folder, self.wish, self.terms, self.base = folder, wish, terms, base
        self.tuning, self.tokens = tuning, tokens
        self.pool = Pool(wish.seed)
        self.pupil = folder / "pupil.npz"
        self.counts = {kind: [0, 0, 0] for kind in KINDS}  # episodes, successes, samples
        self.wrong = 0  # samples in which the pupil did something else than the teacher
        self._since = [0, 0]  # episodes and successes of corrections, since the last state
        self._over = threading.Event()
        self._failed: BaseException | None = None
        self.begun = time.monotonic()

    # -- all of it ----------------------------------------------------------------------------------------------------
    def run(self, tell: Callable[[dict[str, Any]], None]) -> None:
        context = multiprocessing.get_context("spawn")
        stage, come = context.Value("i", DEMONSTRATING), context.Queue(maxsize=256)
        with tempfile.TemporaryDirectory(prefix="coterie-") as place, (self.folder / "curve.jsonl").open("a") as curve:
            socket = Path(place) / "model"
            workers = [
                context.Process(target=_work, args=(n, self.terms, self.wish, socket, stage, come), daemon=True)
                for n in range(self.terms.jobs)
            ]
            server = context.Process(target=_serve, args=(self.base, self.pupil, socket), daemon=True)
            collecting = threading.Thread(target=self._collect, args=(come,), daemon=True)

            def seen(row: dict[str, Any]) -> None:
                row = {"at": round(time.monotonic() - self.begun, 1), **row}
                curve.write(json.dumps(row) + "\n")
                curve.flush()
                tell(row)

            try:
                if self.terms.first <= 0:
                    self._let_play(stage, server)
                for process in workers:
                    process.start()
                collecting.start()
                while len(self.pool) < BEGIN and collecting.is_alive() and any(w.is_alive() for w in workers):
                    time.sleep(0.2)
                self._train(seen, stage, server)
            finally:
                self._over.set()
                for process in (*workers, *([server] if server.pid else [])):
                    process.terminate()
                come.cancel_join_thread()
        if self._failed is not None:
            raise CoterieError(f"Samples could not be taken in: {self._failed}") from self._failed

    def _train(self, seen: Callable[[dict[str, Any]], None], stage: Any, server: Any) -> None:
        recipe = self.tuning.recipe
        begun, last = time.monotonic(), [time.monotonic()]

        def batch(_: int) -> Any:
            now = time.monotonic()
            if now - last[0] >= self.terms.every and now - begun >= self.terms.first - 1:
                last[0] = now
                self._let_play(stage, server)
                seen(self._state())
            while self.pool.hungry and time.monotonic() - begun < self.terms.seconds:
                time.sleep(0.05)  # the pupil plays all the faster
            return self.pool.draw(recipe.rows, recipe.length)

        self.tuning.follow(batch, self.terms.seconds, seen)
        self.tuning.save(self.pupil)
        seen(self._state())

    def _let_play(self, stage: Any, server: Any) -> None:
        """The pupil as it is now."""
        self.tuning.save(self.pupil)
        if not server.pid:
            server.start()
            stage.value = CORRECTING

    def _state(self) -> dict[str, Any]:
        episodes, successes = self._since
        self._since = [0, 0]
        rows = {kind: dict(zip(("episodes", "successes", "samples"), self.counts[kind])) for kind in KINDS}
        return {"state": "saved", "played": episodes, "succeeded": successes, **rows, "mistakes": self.wrong}

    # -- what comes ---------------------------------------------------------------------------------------------------
    def _collect(self, come: Any) -> None:
        rng: random.Random = rng_of("thinning", self.wish.seed)
        try:
            with contextlib.ExitStack() as stack:
                files = {kind: stack.enter_context((self.folder / f"{kind}.jsonl").open("a")) for kind in KINDS}
                while not self._over.is_set():
                    try:
                        kind, success, found = come.get(timeout=0.5)
                    except queue.Empty:
                        continue
                    samples = list(thinned((Sample(*s) for s in found), rng))
                    right, wrong = list[Sample](), list[Sample]()
                    for sample in samples:
                        astray = kind == KINDS[CORRECTING] and sample.action and sample.astray
                        (wrong if astray else right).append(sample)
                    length = self.tuning.recipe.length
                    texts, more = (texts_of(some, self.tokens, length) for some in (right, wrong))
                    self.pool.add(kind, texts)
                    self.pool.add("mistakes", more)
                    count = self.counts[kind]
                    over, good = success is not None, bool(success)
                    self.counts[kind] = [count[0] + over, count[1] + good, count[2] + len(samples)]
                    self.wrong += len(more)
                    if kind == KINDS[CORRECTING]:
                        self._since = [self._since[0] + over, self._since[1] + good]
                    files[kind].writelines(sample.line() + "\n" for sample in samples)
        except (OSError, EOFError, ValueError) as err:
            self._failed = err


# -- processes --------------------------------------------------------------------------------------------------------
def _drawn(wish: Wish, number: int, jobs: int, kind: int) -> Iterator[Config]:
    """Every so many'th episode of those that are drawn from a seed; demonstrations are as many as wished for."""
    most = wish.episodes if kind == DEMONSTRATING else MOST
    every = lessons.get(wish.lessons)(wish.seed + kind, most, wish.protocol, wish.split)
    yield from islice(every, number, None, jobs)


def _work(number: int, terms: Terms, wish: Wish, socket: Path, stage: Any, come: Any) -> None:
    import coterie.protocols.straying  # noqa: F401 (registers its model in this process)

    load_plugins(wish.load)
    for kind in (DEMONSTRATING, CORRECTING):
        while stage.value < kind or (kind == CORRECTING and not socket.exists()):
            time.sleep(0.2)
        player = make_model(wish.player if kind == DEMONSTRATING else f"shared:{socket}")
        at_once = wish.at_once if kind == DEMONSTRATING else terms.at_once
        drawn = _drawn(wish, number, terms.jobs, kind)
        for one in played(drawn, player, at_once, rename=wish.rename, soon=SOON if kind == CORRECTING else 0):
            come.put((KINDS[kind], one.success, [tuple(s) for s in one.samples]))


def _serve(base: Path | None, pupil: Path, socket: Path) -> None:
    from coterie.learn.saying import Renewed
    from coterie.models.shared import Sharing

    Sharing(Renewed(base, pupil), socket).serve()
