"""The contract of everything that listens at a port: hostile callers keep no one out, and it keeps answering."""

from __future__ import annotations

import contextlib
import os
import socket
import struct
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any

from coterie.core.errors import CoterieError
from coterie.testing.must import must, short

SILENT = 100  # strangers that call and say nothing
FLOOD = 400  # strangers that come one after the other
DEAF_S = 0.4  # for which there are no descriptors
PATIENCE_S = 30.0  # for whoever is to be served
#: What strangers say: it is no frame of any protocol, or half of one, or one without an end.
FRAMES = (
    b"\x00",
    b"\n" * 100,
    b"\xff\xfe\xfd" * 50,
    b"GET / HTTP/1.1\r\n\r\n",
    b"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
    b"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: 9\r\n\r\n{" + b"[" * 1000,
    b'{"to": 7, "once": [], "proof": {}}\n',
    b"[" * 100_000 + b"\n",
    b"x" * 1_100_000,
    struct.pack("!I", 2) + b"{}",
    struct.pack("!I", 7) + b'["one"]',
    struct.pack("!I", 8) + b"[[[[[[[[",
    struct.pack("!I", 100_000) + b"[" * 100_000,
    struct.pack("!I", 2**32 - 1),
)


class Listener(ABC):
    """Something that listens, for the check: how it is opened, how strangers reach it, and how it is used."""

    kind = (socket.AF_INET, socket.SOCK_STREAM)
    requests = b""  # good ones, of somebody who will not read the answers, if strangers may ask

    @abstractmethod
    def open(self) -> None:
        """Begin to listen, in the same place each time."""

    @abstractmethod
    def close(self) -> None: ...

    @abstractmethod
    def address(self) -> Any:
        """Where strangers reach it now."""

    @abstractmethod
    def use(self) -> None:
        """Use it as it is meant to be used, over a connection of its own; raises where that does not work."""

    def second(self) -> None:
        """Open another one in the same place: a sentence, for as long as the first one is there."""
        raise CoterieError("There is no such place.")

    def dial(self) -> socket.socket:
        sock = socket.socket(*self.kind)
        sock.settimeout(5.0)
        try:
            sock.connect(self.address())
        except BaseException:
            sock.close()
            raise
        return sock


def check_listener(listener: Listener) -> None:
    """Open it, try everything that strangers and a poor machine may do, and see that it serves all the while."""
    name = type(listener).__name__
    listener.open()
    try:
        for what, trouble in _TROUBLES.items():
            _use(listener, f"before {what}")
            with contextlib.ExitStack() as stack:
                trouble(listener, stack)
                _use(listener, f"with {what}")
            _use(listener, f"after {what}")
        try:
            listener.second()
        except CoterieError as err:
            must(str(err), f"{name} refuses a second owner without a word.")
        else:
            raise AssertionError(f"{name} has two owners in one place.")
        _use(listener, "after a second owner was refused")
    finally:
        listener.close()
    for _ in range(2):
        listener.open()
        try:
            _use(listener, "after a restart")
        finally:
            listener.close()


def _use(listener: Listener, when: str) -> None:
    wrong = [f"it has not come back within {PATIENCE_S:g} s"]

    def use() -> None:
        try:
            listener.use()
            wrong.clear()
        except Exception as err:  # noqa: BLE001 - whatever it is, it does not serve
            wrong[:] = [short(f"{type(err).__name__}: {err}", 300)]

    thread = threading.Thread(target=use, daemon=True)
    thread.start()
    thread.join(PATIENCE_S)
    must(not wrong, f"{type(listener).__name__} does not serve {when}: {''.join(wrong)}.")


# -- what may happen --------------------------------------------------------------------------------------------------
def _say(sock: socket.socket, raw: bytes) -> None:
    most = 2**20 if sock.type == socket.SOCK_STREAM else 1_400
    with contextlib.suppress(OSError):  # they were sent away
        for i in range(0, len(raw), most):
            sock.sendall(raw[i : i + most])


def _malformed(listener: Listener, stack: contextlib.ExitStack) -> None:
    for i, raw in enumerate(FRAMES):
        sock = stack.enter_context(listener.dial())
        _say(sock, raw)
        if i % 2:
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_WR)


def _vanishing(listener: Listener, stack: contextlib.ExitStack) -> None:
    for raw in (b"", b"x", b"\x00\x00\x00\x09["):
        with listener.dial() as sock:
            _say(sock, raw)
            if sock.type == socket.SOCK_STREAM:  # it is not closed but torn
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def _silent(listener: Listener, stack: contextlib.ExitStack) -> None:
    for _ in range(SILENT):
        stack.enter_context(listener.dial())


def _slow(listener: Listener, stack: contextlib.ExitStack) -> None:
    over = threading.Event()
    for raw in (b"POST /v1/chat/completions HTTP/1.1\r\n", struct.pack("!I", 500) + b"[", b'{"to": "'):
        sock = stack.enter_context(listener.dial())

        def speak(sock: socket.socket = sock, raw: bytes = raw) -> None:
            for byte in raw * 1000:
                if over.wait(0.01):
                    return
                _say(sock, bytes([byte]))

        thread = threading.Thread(target=speak, daemon=True)
        thread.start()
        stack.callback(thread.join)
    stack.callback(over.set)  # first of all


def _unread(listener: Listener, stack: contextlib.ExitStack) -> None:
    for _ in range(3):
        sock = stack.enter_context(listener.dial())
        sock.settimeout(0.2)
        _say(sock, listener.requests)


def _flood(listener: Listener, stack: contextlib.ExitStack) -> None:
    def come() -> None:
        for i in range(FLOOD):
            with contextlib.suppress(OSError), listener.dial() as sock:
                for _ in range(1 if sock.type == socket.SOCK_STREAM else 100):
                    _say(sock, FRAMES[i % 4])

    thread = threading.Thread(target=come, daemon=True)
    thread.start()
    stack.callback(thread.join)


def _poor(listener: Listener, stack: contextlib.ExitStack) -> None:
    """Call while there are no descriptors left, and again when there are."""
    socks = [stack.enter_context(socket.socket(*listener.kind)) for _ in range(5)]
    address = listener.address()
    with no_descriptors() as take:
        time.sleep(DEAF_S / 2)  # for connections of before, which are let go of
        take()
        for sock in socks:
            sock.settimeout(1.0)
            with contextlib.suppress(OSError):
                sock.connect(address)
        time.sleep(DEAF_S)


_TROUBLES: dict[str, Callable[[Listener, contextlib.ExitStack], None]] = {
    "malformed frames": _malformed,
    "strangers that vanish": _vanishing,
    f"{SILENT} strangers that say nothing": _silent,
    "slow strangers": _slow,
    "strangers that do not read": _unread,
    "a flood of strangers": _flood,
    "no descriptors": _poor,
}


@contextlib.contextmanager
def no_descriptors() -> Iterator[Callable[[], None]]:
    """Nothing can be opened in this process, for a while; what is given takes those that were closed meanwhile."""
    import resource  # which not every system has

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    used = max(int(name) for name in os.listdir("/dev/fd"))
    held: list[int] = []

    def take() -> None:
        with contextlib.suppress(OSError):
            while True:
                held.append(os.open(os.devnull, os.O_RDONLY))

    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, used + 16), hard))
    try:
        take()
        yield take
    finally:
        for fd in held:
            os.close(fd)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
