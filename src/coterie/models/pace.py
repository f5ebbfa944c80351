"""A limit on how often an endpoint is asked."""

from __future__ import annotations

import threading
import time
from typing import Any

from coterie.core.errors import CoterieError


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
