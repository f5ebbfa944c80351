"""A person at this keyboard, who is asked what to do next in an episode; a model answers all else."""

from __future__ import annotations

import time
from collections.abc import Sequence

from coterie.cli.follow import Follower
from coterie.cli.out import say
from coterie.core.protocol import Ask, Reply
from coterie.core.visible import visible
from coterie.models.chat import Model
from coterie.protocols.person import TYPED


class Typed:
    def __init__(self, model: Model, watcher: Follower):
        self.model, self.watcher = model, watcher
        self.name = model.name
        self._ended = False  # whether the input is over: then everything is left to the rules

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        others = [a for a in asks if a.stage != TYPED]
        replies = iter(self.model.answer(others) if others else ())
        return [Reply(self._typed(a)) if a.stage == TYPED else next(replies) for a in asks]

    def _typed(self, ask: Ask) -> str:
        """The choice of a number, other words as they are; nothing at the end of the input."""
        begun, beside = time.perf_counter(), self.watcher.out is None
        choices = list(ask.choices)
        numbers = [str(n) for n in range(1, len(choices) + 1)]
        with self.watcher.paused():
            if not self._ended and ask.attempt == 0:
                rows = [f"  {number:>2}  {visible(words)}" for number, words in zip(numbers, choices)]
                more = "Type a number; other words are said to all, and an empty line leaves the choice to the program."
                say("\n".join([ask.prompt[-1][1], *rows, more]), error=beside)
            said = self._line(ask)
            while said.isdecimal() and said not in numbers:
                say(f"There is no {said[:9]} on the list; type a number from 1 to {len(choices)}.", error=beside)
                said = self._line(ask)
        self.watcher.rested_s += time.perf_counter() - begun
        return choices[numbers.index(said)] if said in numbers else said

    def _line(self, ask: Ask) -> str:
        try:
            return "" if self._ended else input(f"{ask.robot}: " if self.watcher.out is not None else "").strip()
        except EOFError:
            self._ended = True
            return ""
