"""Connections of others, for as long as a socket listens, whatever this process runs out of."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

PAUSE_S = 0.05  # where there are no descriptors, no memory or no threads


def accepted(listening: socket.socket, closed: threading.Event) -> Iterator[tuple[socket.socket, Any]]:
    """Yield connections until `closed` is set (see `stop_accepting`); callers wait while descriptors are out."""
    while not closed.is_set():
        try:
            yield listening.accept()
        except OSError:
            closed.wait(PAUSE_S)


def stop_accepting(listening: socket.socket, closed: threading.Event) -> None:
    closed.set()
    shut(listening)


def shut(sock: socket.socket) -> None:
    """Close a socket and wake the threads that accept or read at it, which closing alone does not."""
    with contextlib.suppress(OSError):  # it is not connected, or not any more
        sock.shutdown(socket.SHUT_RDWR)
    sock.close()


def in_thread(serve: Callable[[], None], name: str, otherwise: Callable[[], None]) -> None:
    """Serve one connection in its own thread; call `otherwise` where no thread is left."""
    try:
        threading.Thread(target=serve, name=name, daemon=True).start()
    except RuntimeError:
        otherwise()
