"""A line between two processes: one JSON object each, bounded, and only with those who have the key.

Neither end sends the key. The far end speaks first, with a number that is used once; the near end answers with whom it
calls and at which port, a number of its own, and a proof that it has the key, made of all these; the far end proves the
same. From then on every message carries a proof of its own, made with a key that both derive from the greeting, one for
each direction, of the message and its place in the sequence. One who took over a port, or stands between the two, can
read what is said and break the line, and neither add, change, repeat nor leave out anything, nor use what one driver
was told at another. That holds between machines, too, where reading along is for others to prevent.
"""

from __future__ import annotations

import contextlib
import errno
import hmac
import json
import os
import selectors
import socket
import threading
import time
from collections.abc import Container, Mapping
from typing import Any, NamedTuple

from coterie.core.accepting import shut
from coterie.core.bounds import brief, load_json
from coterie.core.errors import CoterieError
from coterie.core.facts import Belief, Fact
from coterie.core.wire import decode, to_wire
from coterie.link.shots import HERE

GREETING = "coterie link 2"
MOST_LINE = 1_000_000  # bytes of one message
SEND_S = 1.0  # to hand a message over to a reader that does not read
GREET_S = 2.0  # from the connection to the proof
MARK = 65  # bytes in front of a message that prove whose it is
_Waiting = getattr(selectors, "PollSelector", selectors.DefaultSelector)


class Gone(CoterieError):
    """The other end does not answer any more, or said what cannot be read; nothing more is expected of it."""


class Unproved:
    """Messages as they are: the greeting."""

    def wrap(self, raw: bytes) -> bytes:
        return raw

    def unwrap(self, raw: bytes) -> bytes | None:
        return raw


class Proved(Unproved):
    """Messages of one direction, each behind a proof of what it says and of how many there were before it."""

    def __init__(self, key: bytes):
        self._key, self._count = key, 0

    def _mark(self, raw: bytes) -> bytes:
        self._count += 1
        return hmac.digest(self._key, self._count.to_bytes(8, "big") + raw, "sha256").hex().encode("ascii")

    def wrap(self, raw: bytes) -> bytes:
        return self._mark(raw.rstrip(b"\n")) + b" " + raw

    def unwrap(self, raw: bytes) -> bytes | None:
        mark, _, text = raw.partition(b" ")
        return text if hmac.compare_digest(self._mark(text), mark) else None


class Line:
    """One end of a connection. Sending and reading may be done by two threads, each by one at a time."""

    def __init__(self, sock: socket.socket, who: str):
        sock.settimeout(SEND_S)
        with contextlib.suppress(OSError):  # not a TCP socket
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.sock, self.who = sock, who
        self.to = ""  # who is called by this line: a robot, a person
        self._held = bytearray()
        self._sending = threading.Lock()
        self._out = self._in = Unproved()
        self._waiting = _Waiting()  # which takes no descriptor
        self._waiting.register(sock, selectors.EVENT_READ)

    def prove(self, out: bytes, in_: bytes) -> None:
        """From now on every message is proved, with these keys."""
        self._out, self._in = Proved(out), Proved(in_)

    def send(self, message: Mapping[str, Any]) -> None:
        raw = to_line(message)
        if len(raw) > MOST_LINE:
            raise CoterieError(f"A message to {self.who} has {len(raw):,} bytes; a line takes {MOST_LINE:,}.")
        with self._sending:
            try:
                self.sock.sendall(self._out.wrap(raw))
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
            if len(self._held) > MOST_LINE + MARK:
                raise Gone(f"{self.who} sent a line of more than {MOST_LINE:,} bytes.")
            left = None if until is None else max(0.0, until - time.monotonic())
            try:
                if self.sock.fileno() < 0:  # closed by another thread; its number may be another's now
                    raise OSError(errno.EBADF, os.strerror(errno.EBADF))
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
        if len(raw) > MOST_LINE + MARK:
            raise Gone(f"{self.who} sent a line of more than {MOST_LINE:,} bytes.")
        text = self._in.unwrap(raw)
        if text is None:
            raise Gone(f"{self.who} sent a line that was changed or is not its own; nothing was done.")
        try:
            message = decode(load_json(text.decode("utf-8")))
        except (ValueError, CoterieError) as err:
            raise Gone(f"{self.who} sent a line that cannot be read: {str(err)[:200]}.") from err
        if not isinstance(message, dict):
            raise Gone(f"{self.who} sent {brief(message)}, which is not a message.")
        return message

    def close(self) -> None:
        shut(self.sock)

    def forget(self) -> None:
        """Release the socket after `close`; called by the reading thread."""
        self.close()
        self._waiting.close()


def to_line(message: Mapping[str, Any]) -> bytes:
    return f"{to_wire(message)}\n".encode("ascii")


# -- who is there -----------------------------------------------------------------------------------------------------
class Greeting(NamedTuple):
    """All that both ends have said before anything is proved."""

    to: str
    port: int
    far: str  # numbers that are used once
    near: str

    def proof(self, key: bytes, what: str) -> bytes:
        text = json.dumps([GREETING, what, self.to, self.port, self.far, self.near])
        return hmac.digest(key, text.encode("ascii"), "sha256")

    def proved(self, key: bytes, who: str, proof: object) -> bool:
        told = proof.encode("utf-8", "replace") if isinstance(proof, str) else b""
        return hmac.compare_digest(told, self.proof(key, who).hex().encode("ascii"))


def greet(line: Line, key: bytes, port: int, names: Container[str]) -> None:
    """Greet as the far end, at the port of these robots: `Gone` for a caller without the key, or for another robot."""
    far = os.urandom(16).hex()
    line.send({"coterie": GREETING, "once": far})
    said = line.read(GREET_S)
    if said is None:
        raise Gone(f"{line.who} did not say who it is within {GREET_S:g} s.")
    to, near = said.get("to"), said.get("once")
    words = Greeting(to, port, far, near) if isinstance(to, str) and isinstance(near, str) else None
    if words is None or not words.proved(key, "near", said.get("proof")):
        raise Gone(f"{line.who} does not have the key for this port; nothing was done.")
    if words.to not in names:
        raise Gone(f"{line.who} asks for {brief(words.to)}, which is not served here.")
    line.send({"proof": words.proof(key, "far").hex()})
    line.to = words.to
    line.prove(words.proof(key, "from far"), words.proof(key, "from near"))


def call(port: int, key: bytes, to: str, who: str, far_port: int = 0) -> Line:
    """The near end's part: a line to `to`, which is told as `who`. `far_port`: where it listens, if `port` only leads
    there."""
    try:
        sock = socket.create_connection((HERE, port), GREET_S)
    except (OSError, OverflowError) as err:
        raise Gone(f"{who} cannot be reached: {getattr(err, 'strerror', None) or err}.") from err
    line = Line(sock, who)
    try:
        said = line.read(GREET_S)
        if said is None:
            raise Gone(f"{who} does not answer.")
        if said.get("coterie") != GREETING or not isinstance(said.get("once"), str):
            raise Gone(f"Who answers for {who} is no driver of this version of Coterie.")
        words = Greeting(to, far_port or port, said["once"], os.urandom(16).hex())
        line.send({"to": to, "once": words.near, "proof": words.proof(key, "near").hex()})
        answer = line.read(GREET_S)
        if answer is not None and isinstance(answer.get("error"), str):
            raise Gone(f"{who} refused: {answer['error'][:300]}")
        if answer is None or "proof" not in answer:
            raise Gone(f"{who} did not answer.")
        if not words.proved(key, "far", answer["proof"]):
            raise Gone(f"Who answers for {who} does not have the key; it is not believed.")
        line.to = to
        line.prove(words.proof(key, "from near"), words.proof(key, "from far"))
    except BaseException:
        line.forget()
        raise
    return line


# -- a belief in two places -------------------------------------------------------------------------------------------
# A belief in two places: what has changed in one is carried over to the other, so that both hold the same facts.
class Twin:
    """One end. `news` is what the other end does not have yet; `take` is given what the other end's `news` gave."""

    def __init__(self, belief: Belief):
        self.belief = belief
        self._cursor = 0
        self._shared: dict[tuple[str, ...], Fact] = {}

    def news(self) -> dict[str, Any]:
        """Facts that changed, in their order, and those that were only confirmed: of these the time matters alone."""
        changed = self.belief.since(self._cursor)
        self._cursor = self.belief.cursor
        for fact in changed:
            self._shared[(fact.pred, *fact.args)] = fact
        confirmed = []
        for fact in self.belief.facts():
            key = (fact.pred, *fact.args)
            if self._shared.get(key) is not fact:
                self._shared[key] = fact
                confirmed.append(fact)
        return {"changed": tuple(changed), "confirmed": tuple(confirmed)}

    def take(self, news: dict[str, Any]) -> None:
        self.belief.follow(news["changed"], news["confirmed"])
        self._cursor = self.belief.cursor
        for fact in (*news["changed"], *news["confirmed"]):
            self._shared[(fact.pred, *fact.args)] = fact
