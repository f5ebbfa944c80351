"""Playing on dev houses: what a state of a training is worth, and which of its states is the best.

A loss on samples says little of how episodes end. So states are compared by episodes that they play, in houses that are
kept for tuning: neither those that training draws, nor those that suites test on.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from coterie.bench.playing import Job, Running, drawn
from coterie.bench.runner import spread
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.episode.setup import load_plugins
from coterie.learn.splits import draw
from coterie.models import Model, make_model

SEED = 0  # the same episodes for all trainings, so that they compare
EPISODES = 40


class Which(NamedTuple):
    """The episodes that are played."""

    episodes: int = EPISODES
    protocol: str = "dynahmrc"
    lessons: str = "dynahmrc"
    load: tuple[str, ...] = ()
    seed: int = SEED

    def configs(self) -> list[Config]:
        load_plugins(self.load)
        return list(draw(self.lessons, self.seed, self.episodes, self.protocol, "dev"))


class Ended(NamedTuple):
    """How one of them ended."""

    config: Config
    success: bool
    steps: int
    calls: int

    def row(self) -> dict[str, Any]:
        return {**self._asdict(), "config": self.config.to_json()}


class Score(NamedTuple):
    won: int
    of: int
    steps: float  # mean

    @classmethod
    def over(cls, ended: Iterable[Ended]) -> Score:
        every = list(ended)
        if not every:
            raise CoterieError("No dev episode can be drawn: play more of them, or look at your lessons.")
        return cls(sum(e.success for e in every), len(every), round(sum(e.steps for e in every) / len(every), 2))

    def row(self) -> dict[str, Any]:
        return {"dev_won": self.won, "dev_of": self.of, "dev_steps": self.steps}


def play(configs: Iterable[Config], player: Model, at_once: int = EPISODES) -> Iterator[Ended]:
    """Episodes side by side, whose requests are put to the player together. One that breaks down is not won."""
    waiting, running = iter(configs), list[tuple[Running, list[int]]]()
    more = True
    while more or running:
        while more and len(running) < at_once:
            config = next(waiting, None)
            if config is None:
                more = False
                break
            job = Job(f"{config.scene}/{config.seed}", "dev", config, {})
            try:
                running.append((Running(job, drawn(job)), [0]))
            except CoterieError:  # it cannot be drawn with this team in this house
                continue
            running[-1][0].go_on()
        for one, calls in [r for r in running if r[0].ended or r[0].crash is not None]:
            running.remove((one, calls))
            last = one.log.events[-1]
            won = one.crash is None and bool(last.data.get("success"))
            yield Ended(one.config, won, last.step, calls[0])
        replies = player.answer([ask for one, _ in running for ask in one.asks])
        for one, calls in running:
            mine, replies = replies[: len(one.asks)], replies[len(one.asks) :]
            calls[0] += len(mine)
            one.go_on(mine)


def play_spread(which: Which, model: str, jobs: int, at_once: int) -> list[Ended]:
    """The same in several processes that ask one model by its name, in the order of the draw."""
    configs = which.configs()
    size = max(1, min(at_once, -(-len(configs) // max(1, jobs))))
    chunks = [(n, configs[i : i + size]) for n, i in enumerate(range(0, len(configs), size))]
    work = partial(_chunk, which, model, at_once)
    ended = ((n, found) for c in chunks for n, found in work(c)) if jobs <= 1 else spread(work, chunks, jobs)
    return [one for _, found in sorted(ended, key=lambda pair: pair[0]) for one in found]


def _chunk(which: Which, model: str, at_once: int, chunk: tuple[int, list[Config]]) -> list[tuple[int, list[Ended]]]:
    load_plugins(which.load)
    return [(chunk[0], list(play(chunk[1], make_model(model), at_once)))]


class Keeping:
    """Keeps the best state that was played; of several that won as many, the last: it has learnt the longest."""

    def __init__(self, best: Path, seen: Callable[[dict[str, Any]], None]):
        self.best, self.seen, self.won = best, seen, -1

    def begin_with(self, score: Score) -> None:
        """What the best state of an earlier training wins now."""
        self.won = score.won
        self.seen({"state": "best before", **score.row()})

    def take(self, state: Path, score: Score, **about: Any) -> bool:
        better = score.won >= self.won
        if better:
            self.won = score.won
            part = self.best.with_name(self.best.name + ".part")
            shutil.copyfile(state, part)
            part.replace(self.best)
        self.seen({**about, **score.row(), "kept": better})
        return better
