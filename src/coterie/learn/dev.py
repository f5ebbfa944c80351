"""Playing on dev houses: what a state of a training is worth, and which of its states is the best.

A loss on samples says little of how episodes end. So states are compared by episodes that they play, in houses that are
kept for tuning: neither those that training draws, nor those that suites test on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from coterie.bench.playing import Running, dealt, side_by_side
from coterie.bench.runner import spread_in_order
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.episode.setup import load_plugins
from coterie.learn.demos import job_of
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

    def answer(running: Sequence[Running]) -> None:
        replies = player.answer([ask for one in running for ask in one.asks])
        for one, mine in list(dealt(running, replies)):
            one.go_on(mine)

    for one in side_by_side((job_of(c, "dev") for c in configs), at_once, answer):
        if isinstance(one, Running):
            last = one.log.events[-1]
            won = one.crash is None and bool(last.data.get("success"))
            yield Ended(one.job.config, won, last.step, one.asked)


def play_spread(which: Which, model: str, jobs: int, at_once: int) -> list[Ended]:
    """The same in several processes that ask one model by its name, in the order of the draw."""
    configs = which.configs()
    size = max(1, min(at_once, -(-len(configs) // max(1, jobs))))
    work = partial(_chunk, which, model, at_once)
    return [one for _, found in spread_in_order(work, configs, size, jobs) for one in found]


def _chunk(which: Which, model: str, at_once: int, configs: Sequence[Config]) -> list[Ended]:
    load_plugins(which.load)
    return list(play(configs, make_model(model), at_once))


class Exam:
    """Lets states of a training play dev episodes and keeps the best; of several that won as many, the last: it has
    learnt the longest. `speaks` returns the model that the training is at the moment."""

    def __init__(
        self, which: Which, tuning: Any, speaks: Callable[[], Model], best: Path, seen: Callable[[dict[str, Any]], None]
    ):
        self.configs, self.tuning, self.speaks, self.best, self.seen = which.configs(), tuning, speaks, best, seen
        self.won = -1

    def begin_with(self, player: Model) -> None:
        """Lets the best state of an earlier training play: a state that replaces it has to win as many."""
        score = Score.over(play(self.configs, player))
        self.won = score.won
        self.seen({"state": "best before", **score.row()})

    def play(self, **about: Any) -> None:
        score = Score.over(play(self.configs, self.speaks()))
        better = score.won >= self.won
        if better:
            self.won = score.won
            self.tuning.save(self.best)
        self.seen({**about, **score.row(), "kept": better})
