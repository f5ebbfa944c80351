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
def told_to_end(by_closing: bool = True) -> Iterator[None]:
    """Treat SIGTERM as Ctrl-C, so that what was begun here is ended with it; also the closing of the terminal."""
    here = threading.current_thread() is threading.main_thread()
    some = (signal.SIGTERM, signal.SIGHUP) if by_closing else (signal.SIGTERM,)
    heeded = [n for n in some if here and signal.getsignal(n) is not signal.SIG_IGN]
    before = [(n, signal.signal(n, _interrupt)) for n in heeded]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)
