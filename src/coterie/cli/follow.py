"""A run that is followed without being shown, as `--json` has it: who thinks, and which replies could not be used."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import TYPE_CHECKING, Any

from coterie.cli.out import complain
from coterie.core.protocol import Ask, Reply, stage_words

if TYPE_CHECKING:
    from coterie.cli.terminal import Terminal
    from coterie.episode.loop import Episode
    from coterie.log.file import Log
    from coterie.models.chat import Model

TOLD_AFTER = 10  # replies of which none could be read


class Follower(AbstractContextManager["Follower"]):
    """Follows the log of a running episode; `coterie.cli.live` has one that shows it."""

    out: Terminal | None = None  # where it is shown
    pace = 0.0  # [s] how long each step is shown

    def __init__(self, protocol: str = ""):
        self.protocol = protocol
        self.rested_s = 0.0  # wall time that went by for the eyes alone
        self.thinking: dict[str, str] = {}  # robot -> for what a model is being asked
        self._log: Log | None = None
        self.replies = 0  # first ones, to questions that were not asked before
        self.unread: dict[str, int] = {}  # stage -> replies that could not be used
        self._warned = False

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        return None

    def step(self, episode: Episode) -> None:
        """Called by the loop after every step."""
        self._log = episode.log
        self.catch_up()

    @property
    def begun(self) -> bool:
        """True if a step has been taken."""
        return self._log is not None

    def catch_up(self) -> None:
        """Show what has been logged since."""

    def paused(self) -> AbstractContextManager[Any]:
        """Draw nothing in this context, while a person types."""
        self.catch_up()
        return contextlib.nullcontext()

    def progress(self, words: str, done: int, total: int) -> None:
        """How far a model has come that must be fetched first."""

    def thinks(self, asks: Sequence[Ask]) -> None:
        """Note which robots a model is being asked for."""
        self.thinking = {a.robot: self._stage(a.stage) for a in asks}
        self._count(asks)
        self.catch_up()

    def _count(self, asks: Sequence[Ask]) -> None:
        """Count replies that could not be used, unread or refused, and warn soon where all of them are."""
        for ask in asks:
            if ask.attempt > 0:
                self.unread[ask.stage] = self.unread.get(ask.stage, 0) + 1
                self.again(ask)
        again = sum(self.unread.values())
        if not self._warned and self.replies >= TOLD_AFTER and again >= self.replies:
            self._warned = True
            self.warn(
                f"None of the model's first {self.replies} replies could be used. See what it writes: coterie replay "
                "LOG --prompt. A larger model, other --max-tokens or a protocol with :compact or :full may help."
            )
        self.replies += sum(a.attempt == 0 for a in asks)

    def again(self, ask: Ask) -> None:
        """Note that a model is asked once more."""

    def warn(self, words: str) -> None:
        complain(words)

    def unread_words(self) -> str:
        """How many replies could not be used so far, by stage."""
        return ", ".join(f"{stage} {n}" for stage, n in self.unread.items())

    def _stage(self, stage: str) -> str:
        """Describe a stage in the words of its protocol, followed by its code in prompts and tables."""
        meant = stage_words(self.protocol, stage)
        return f"{meant}, {stage}" if meant else stage


class Watched:
    """A model that tells who follows the run who is thinking."""

    def __init__(self, model: Model, watcher: Follower):
        self.model, self.watcher = model, watcher
        self.name = model.name

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        self.watcher.thinks(asks)
        try:
            return self.model.answer(asks)
        finally:
            self.watcher.thinking = {}
