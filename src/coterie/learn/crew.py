"""The processes of a school: those that play episodes, the one that lends them the pupil, the one that examines it.

Each says in a sentence why it ended, so that nobody waits for what will not come. None hears Ctrl-C:
whoever started them ends them.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.protocol import Ask, Reply
from coterie.episode.setup import load_plugins
from coterie.learn.demos import played
from coterie.learn.dev import Score, Which, play
from coterie.learn.gathering import Wish
from coterie.learn.splits import draw
from coterie.models import Model, make_model

MOST = 10**9  # episodes: more than anybody draws
DEMONSTRATING, CORRECTING, OVER = 0, 1, 2
KINDS = ("demonstrations", "corrections")
DONE, FAILED = "done", "failed"  # what else comes: a process has no more demonstrations, or why it ended
SOON = 12  # requests of one episode that are corrected together
SERVING, EXAMINING = "The process that answers for the pupil", "The process that plays dev episodes"


@dataclass(frozen=True)
class Terms:
    """How long each part takes."""

    seconds: float = 600.0  # of training
    first: float = 120.0  # seconds of it before the pupil plays; 0 for one that has been to school before
    every: float = 45.0  # seconds between two states of the pupil
    jobs: int = 4
    at_once: int = 40  # episodes of the pupil in one process
    dev_every: float = 0.0  # seconds between two states that play dev episodes; 0: none does


class Over(Exception):
    """School is over."""


class _Until:
    """A player that stops in the middle of an episode when school is over."""

    def __init__(self, player: Model, stage: Any):
        self.player, self.stage, self.name = player, stage, player.name

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        _go_on(self.stage)
        return list(self.player.answer(asks))


def _go_on(stage: Any) -> None:
    if stage.value == OVER:
        raise Over


def told(who: str, stage: Any, come: Any, does: Callable[..., None], *args: Any) -> None:
    """Does it, and says why it could not."""
    try:
        does(*args)
    except Over:
        pass
    except Exception as err:  # noqa: BLE001 (whatever it was, school has to know)
        if stage.value != OVER:
            come.put((FAILED, who, str(err) if isinstance(err, CoterieError) else f"{type(err).__name__}: {err}"))


def drawn(wish: Wish, number: int, jobs: int, kind: int) -> Iterator[Config]:
    """Every so many'th episode of those that are drawn from a seed; demonstrations are as many as wished for."""
    most = wish.episodes if kind == DEMONSTRATING else MOST
    yield from islice(draw(wish.lessons, wish.seed + kind, most, wish.protocol, wish.split), number, None, jobs)


def work(number: int, terms: Terms, wish: Wish, socket: Path, stage: Any, come: Any) -> None:
    """Plays demonstrations, then lets the pupil play."""
    import coterie.protocols.noisy_oracle  # noqa: F401 (registers its model in this process)

    load_plugins(wish.load)
    for kind in (DEMONSTRATING, CORRECTING):
        while stage.value < kind or (kind == CORRECTING and not socket.exists()):
            _go_on(stage)
            time.sleep(0.2)
        player = _Until(make_model(wish.player if kind == DEMONSTRATING else f"shared:{socket}"), stage)
        at_once = wish.at_once if kind == DEMONSTRATING else terms.at_once
        some = drawn(wish, number, terms.jobs, kind)
        for one in played(some, player, at_once, rename=wish.rename, soon=SOON if kind == CORRECTING else 0):
            come.put((KINDS[kind], one.success, [tuple(s) for s in one.samples]))
            _go_on(stage)
        if kind == DEMONSTRATING:
            come.put((DONE, number, None))


def serve(base: Path | None, pupil: Path, socket: Path) -> None:
    from coterie.learn.saying import Renewed
    from coterie.models.shared import Sharing

    Sharing(Renewed(base, pupil), socket).serve()


def examine(base: Path | None, which: Which, line: Any) -> None:
    """Plays dev episodes with the state that it is told, over and over."""
    from coterie.learn.saying import Renewed

    player: Any = None
    with contextlib.suppress(EOFError):  # nobody asks any more
        while True:
            state = line.recv()
            player = player or Renewed(base, state)
            line.send(Score.over(play(which.configs(), player, which.episodes)))
