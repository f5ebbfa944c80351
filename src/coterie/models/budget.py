"""A limit on the tokens that a run may spend, and with it on how often it asks."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from coterie.core.errors import CoterieError


class Budget:
    """Lets a call begin as long as the limit is not reached, counting what calls under way may still take.

    A call that might not fit waits for those under way to say what they took, so that the limit is passed by one call
    at most, however many run at once.
    """

    def __init__(
        self, limit: int | None = None, flag: str = "--token-limit", shared: Any = None, pace: Pace | None = None
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


class Pace:
    """Lets requests begin one after another, so far apart that there are at most so many in a minute: never two at
    once, so that no stretch of time holds more than its part of them and one."""

    def __init__(self, per_minute: float, flag: str = "--rate-limit", shared: Any = None):
        """`shared`: a `multiprocessing.Value` of a float, with which processes of one machine take turns."""
        if not per_minute > 0:
            raise CoterieError(f"{flag} must be a number of requests a minute above zero, not {per_minute:g}.")
        self.apart_s = 60.0 / per_minute
        self._free, self._shared = 0.0, shared  # when the next may begin, by this machine's clock
        self._lock = threading.Lock()

    def turn(self, stop: threading.Event | None = None) -> float:
        """Wait for one's turn, unless `stop` is set. Return the seconds that it took."""
        begun = time.monotonic()
        wait_s = self._take(begun) - begun
        if wait_s > 0:
            (stop or threading.Event()).wait(wait_s)
        return time.monotonic() - begun

    def _take(self, now: float) -> float:
        if self._shared is None:
            with self._lock:
                mine = max(now, self._free)
                self._free = mine + self.apart_s
                return mine
        with self._shared.get_lock():  # one clock for all processes of a machine: it counts since the machine began
            mine = max(now, self._shared.value)
            self._shared.value = mine + self.apart_s
            return float(mine)
