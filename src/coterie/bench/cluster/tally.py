"""Tokens that several machines spend together, counted in a folder that they share.

Each process has a file of its own there with what it has spent, and nobody writes to another's: nothing has to be
locked, and what was spent stays counted when whoever spent it dies. What others have spent is looked up every second;
a limit is thus passed by the calls of a second at most, besides one call of each process.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from pathlib import Path
from typing import Any

from coterie.core.bounds import read_bounded
from coterie.core.errors import CoterieError
from coterie.core.files import writing

LOOK_S = 1.0
TOKENS = "tokens"  # the folder, beside those of shards


class Tally:
    """What `Budget` counts in. It may be sent to other processes, which then count in files of their own."""

    def __init__(self, folder: Path):
        self.folder = folder
        self._own, self._spent = folder / secrets.token_hex(8), 0
        self._others, self._looked = 0, -LOOK_S

    def __reduce__(self) -> tuple[Any, ...]:
        return Tally, (self.folder,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tally) and other.folder == self.folder

    def __hash__(self) -> int:
        return hash(self.folder)

    @property
    def value(self) -> int:
        if time.monotonic() - self._looked >= LOOK_S:
            self._others, self._looked = self._look(), time.monotonic()
        return self._others + self._spent

    @value.setter
    def value(self, now: int) -> None:
        self._spent = now - self._others
        part = self._own.with_suffix(".part")
        with writing(f"'{self._own}'"):
            self.folder.mkdir(parents=True, exist_ok=True)
            part.write_text(f"{self._spent}\n", encoding="ascii")
            os.replace(part, self._own)

    def get_lock(self) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext()  # the budget of a process has one

    def _look(self) -> int:
        found = 0
        with contextlib.suppress(FileNotFoundError):
            for path in self.folder.iterdir():
                if not path.suffix and path != self._own:
                    with contextlib.suppress(CoterieError, ValueError):
                        found += int(read_bounded(path, "count", 100))
        return found
