"""Being told to end by others than the keyboard."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


def _interrupt(*_: Any) -> None:
    raise KeyboardInterrupt


@contextmanager
def told_to_end() -> Iterator[None]:
    """Treat SIGTERM, and SIGHUP of a terminal that is closed, as Ctrl-C: what was begun here is ended with it."""
    here = threading.current_thread() is threading.main_thread()
    numbers = [n for n in (signal.SIGTERM, signal.SIGHUP) if here and signal.getsignal(n) is not signal.SIG_IGN]
    before = [(n, signal.signal(n, _interrupt)) for n in numbers]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)
