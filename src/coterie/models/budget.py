"""A limit on the tokens that a run may spend, and with it on how often it asks."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from coterie.core.errors import CoterieError
from coterie.models.pace import Pace


class Budget:
    """Lets a call begin as long as the limit is not reached, counting what calls under way may still take.

    A call that might not fit waits for those under way to say what they took, so that the limit is passed by one call
    at most, however many run at once.
    """

    def __init__(
        self,
        limit: int | None = None,
        flag: str = "--token-limit",
        shared: Any = None,
        pace: Pace | None = None,
    ):
        """`shared`: a `multiprocessing.Value` in which several processes count together; the limit is then passed by
        one call of each at most. `pace`: how often an endpoint may be asked by all who share this budget."""
        if limit is not None and limit < 1:
            raise CoterieError(f"{flag} must be a number of tokens above zero, not {limit}.")
        self.limit, self.flag, self.pace = limit, flag, pace
        self._spent, self._shared = 0, shared
        self._held = 0
        self._changed = threading.Condition()

    @property
    def spent(self) -> int:
        return self._spent if self._shared is None else int(self._shared.value)

    @contextmanager
    def hold(self, tokens: int) -> Iterator[None]:
        """Around a call that takes about so many tokens; raises when nothing is left."""
        with self._changed:
            while self.limit is not None and self._held and self.spent + self._held >= self.limit > self.spent:
                self._changed.wait()
            if self.limit is not None and self.spent >= self.limit:
                raise CoterieError(
                    f"The limit of {self.limit:,} tokens is reached ({self.spent:,} spent). Raise {self.flag} to go on."
                )
            self._held += tokens
        try:
            yield
        finally:
            with self._changed:
                self._held -= tokens
                self._changed.notify_all()

    def spend(self, tokens: int) -> None:
        with self._changed:
            self._spent += tokens
            if self._shared is not None:
                with self._shared.get_lock():
                    self._shared.value += tokens
