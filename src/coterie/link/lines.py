"""A line between two processes of this machine: one JSON object each, bounded, and only with those who have the key.

Neither end sends the key. The far end speaks first, with a number that is used once; the near end answers with a proof
that it has the key and a number of its own; the far end proves the same. Whoever took over a port of a host that has
gone learns nothing and is believed nothing.
"""

from __future__ import annotations

import contextlib
import hmac
import json
import os
import selectors
import socket
import threading
import time
from collections.abc import Mapping
from typing import Any

from coterie.core.bounds import brief, load_json
from coterie.core.errors import CoterieError
from coterie.link.shots import HERE

GREETING = "coterie link 1"
MOST_LINE = 1_000_000  # bytes of one message
SEND_S = 1.0  # to hand a message over to a reader that does not read
GREET_S = 2.0  # from the connection to the proof


class Gone(CoterieError):
    """The other end does not answer any more, or said what cannot be read; nothing more is expected of it."""


class Line:
    """One end of a connection. Sending and reading may be done by two threads, each by one at a time."""

    def __init__(self, sock: socket.socket, who: str):
        sock.settimeout(SEND_S)
        with contextlib.suppress(OSError):  # not a TCP socket
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.sock, self.who = sock, who
        self._held = bytearray()
        self._sending = threading.Lock()
        self._waiting = selectors.DefaultSelector()
        self._waiting.register(sock, selectors.EVENT_READ)

    def send(self, message: Mapping[str, Any]) -> None:
        raw = to_line(message)
        if len(raw) > MOST_LINE:
            raise CoterieError(f"A message to {self.who} has {len(raw):,} bytes; a line takes {MOST_LINE:,}.")
        with self._sending:
            try:
                self.sock.sendall(raw)
            except (OSError, ValueError) as err:  # half of it may be on its way: the line is of no use any more
                self.close()
                raise Gone(f"{self.who} takes nothing any more: {err}.") from err

    def read(self, timeout_s: float | None = None) -> dict[str, Any] | None:
        """The next message; None when none has come in that time."""
        until = None if timeout_s is None else time.monotonic() + timeout_s
        while True:
            cut = self._held.find(b"\n")
            if cut >= 0:
                raw = bytes(self._held[:cut])
                del self._held[: cut + 1]
                return self._taken(raw)
            if len(self._held) > MOST_LINE:
                raise Gone(f"{self.who} sent a line of more than {MOST_LINE:,} bytes.")
            left = None if until is None else max(0.0, until - time.monotonic())
            try:
                if not self._waiting.select(left):
                    return None
                got = self.sock.recv(65536)
            except TimeoutError:
                continue
            except (OSError, ValueError, KeyError) as err:  # closed meanwhile, by us or by them
                raise Gone(f"{self.who} has gone: {err}.") from err
            if not got:
                raise Gone(f"{self.who} has gone.")
            self._held += got

    def _taken(self, raw: bytes) -> dict[str, Any]:
        if len(raw) > MOST_LINE:
            raise Gone(f"{self.who} sent a line of more than {MOST_LINE:,} bytes.")
        try:
            message = _decoded(raw.decode("utf-8"))
        except (ValueError, CoterieError) as err:
            raise Gone(f"{self.who} sent a line that cannot be read: {str(err)[:200]}.") from err
        if not isinstance(message, dict):
            raise Gone(f"{self.who} sent {brief(message)}, which is not a message.")
        return message

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self.sock.shutdown(socket.SHUT_RDWR)
        self.sock.close()

    def forget(self) -> None:
        """After `close`, by whoever reads."""
        self.close()
        self._waiting.close()


def to_line(message: Mapping[str, Any]) -> bytes:
    """In the wire form (`core/wire.py`), which is that of JSON for texts and numbers: a stop does not load the rest."""
    data: Any = dict(message)
    if not all(_is_plain(v) for v in data.values()):
        from coterie.core.wire import encode

        data = encode(data)
    return json.dumps(data, separators=(",", ":"), allow_nan=False).encode("ascii") + b"\n"


def _is_plain(value: Any) -> bool:
    kind = type(value)
    return kind in (str, int, bool, type(None)) or (kind is tuple and all(type(v) is str for v in value))


def _is_shallow(value: Any) -> bool:
    inner = value.values() if type(value) is dict else value if type(value) is list else ()
    return not any(type(v) in (dict, list) for v in inner)


def _decoded(text: str) -> Any:
    data = load_json(text)
    if type(data) is dict and '"~' not in text and all(_is_shallow(v) for v in data.values()):
        return {k: tuple(v) if type(v) is list else v for k, v in data.items()}
    from coterie.core.wire import decode

    return decode(data)


# -- who is there -----------------------------------------------------------------------------------------------------
def _proof(key: bytes, *parts: str) -> str:
    return hmac.new(key, "\n".join(parts).encode("utf-8"), "sha256").hexdigest()


def _same(told: str, wanted: str) -> bool:
    return hmac.compare_digest(told.encode("utf-8", "replace"), wanted.encode("ascii"))


def greet(line: Line, key: bytes) -> None:
    """The far end's part: `Gone` for whoever does not have the key."""
    once = os.urandom(16).hex()
    line.send({"coterie": GREETING, "once": once})
    said = line.read(GREET_S)
    if said is None:
        raise Gone(f"{line.who} did not say who it is within {GREET_S:g} s.")
    theirs, proof = said.get("once"), said.get("proof")
    good = isinstance(theirs, str) and isinstance(proof, str)
    if not good or not _same(str(proof), _proof(key, "near", once, str(theirs))):
        raise Gone(f"{line.who} does not have the key; nothing was done.")
    line.send({"proof": _proof(key, "far", once, str(theirs))})


def call(port: int, key: bytes, who: str) -> Line:
    """The near end's part."""
    try:
        sock = socket.create_connection((HERE, port), GREET_S)
    except (OSError, OverflowError) as err:
        raise Gone(f"{who} cannot be reached: {getattr(err, 'strerror', None) or err}.") from err
    line = Line(sock, who)
    try:
        said = line.read(GREET_S)
        if said is None or said.get("coterie") != GREETING or not isinstance(said.get("once"), str):
            raise Gone(f"Who answers for {who} is no driver of this version of Coterie.")
        once, mine = said["once"], os.urandom(16).hex()
        line.send({"once": mine, "proof": _proof(key, "near", once, mine)})
        answer = line.read(GREET_S)
        proof = None if answer is None else answer.get("proof")
        if answer is not None and isinstance(answer.get("error"), str):
            raise Gone(f"{who} refused: {answer['error'][:300]}")
        if not isinstance(proof, str):
            raise Gone(f"{who} did not answer.")
        if not _same(proof, _proof(key, "far", once, mine)):
            raise Gone(f"Who answers for {who} does not have the key; it is not believed.")
    except BaseException:
        line.forget()
        raise
    return line
