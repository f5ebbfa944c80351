"""A person at this keyboard, who is asked what to do next in an episode; a model answers all else."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

from coterie.cli.follow import Follower
from coterie.core.protocol import Ask, Reply
from coterie.core.visible import visible, visible_lines
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
        begun = time.perf_counter()
        choices = list(ask.choices)
        with self.watcher.paused():
            if not self._ended and ask.attempt == 0:
                rows = [f"  {number:2}  {visible(words)}" for number, words in enumerate(choices, 1)]
                more = "Type a number; other words are said to all, and an empty line leaves the choice to the program."
                text = visible_lines("\n".join([ask.prompt[-1][1], *rows, more]))
                print(text, file=sys.stderr if self.watcher.out is None else sys.stdout)
            try:
                said = "" if self._ended else input(f"{ask.robot}: " if self.watcher.out is not None else "").strip()
            except EOFError:
                said, self._ended = "", True
        self.watcher.rested_s += time.perf_counter() - begun
        number = int(said) if said.isdecimal() and len(said) < 4 else 0
        return choices[number - 1] if 0 < number <= len(choices) else said
