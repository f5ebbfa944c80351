"""Connections that end: all that a server sends is bounded in time and in size, whatever the server does.

Python's own limits hold for one read at a time, so that a byte now and then keeps a reader waiting for ever.
"""

from __future__ import annotations

import http.client
import io
import socket
import time
from typing import Any

HEAD_BYTES = 256 * 2**10  # of all that comes before a body: status lines and headers, also those of `100 Continue`
BODY_BYTES = 4 * 2**20  # far beyond any true reply
_PIECE = 64 * 2**10


class TooMuch(http.client.HTTPException):
    """More was sent than anybody reads; the words say of what."""


class Limits:
    """For one exchange: until when, and how many bytes."""

    def __init__(self, seconds: float, what: str = "headers", most: int = HEAD_BYTES):
        self._until = time.monotonic() + seconds
        self._what, self._most, self._left = what, most, most
        self.unasked = False  # more has come than the answer

    def left_s(self) -> float:
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left

    def count(self, got: int) -> None:
        self._left -= got
        if self._left < 0:
            raise TooMuch(f"sent {self._what} of more than {_size(self._most)}")

    def go_on_with(self, what: str, most: int) -> None:
        """Begin the next part; bytes that were read ahead belong to it already."""
        self._what, self._most, self._left = what, most, most


class Stream(io.RawIOBase):
    """The bytes that come through a socket, within the limits of the exchange under way."""

    def __init__(self, sock: socket.socket, limits: Limits):
        self._sock, self._limits = sock, limits
        self._raw: Any = sock.makefile("rb", buffering=0)  # it keeps the socket open until all is read
        self.over = False  # from now on there is nothing more to read

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        if self.over:
            return 0
        self._sock.settimeout(self._limits.left_s())
        got: int | None = self._raw.readinto(buffer)
        self._limits.count(got or 0)
        return got

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Bounded:
    """Makes an `http.client.HTTPConnection` keep the limits of the exchange under way."""

    limits: Limits
    sock: Any
    response_class: Any

    def bound(self, limits: Limits) -> None:
        self.limits = limits
        self.response_class = self._response
        self._create_connection = self._connected

    def send(self, data: Any) -> None:
        if self.sock is None or not isinstance(data, bytes):
            super().send(data)  # type: ignore[misc]
            return
        for at in range(0, len(data), _PIECE):
            self.sock.settimeout(self.limits.left_s())
            super().send(data[at : at + _PIECE])  # type: ignore[misc]

    def _response(self, sock: socket.socket, *args: Any, **options: Any) -> http.client.HTTPResponse:
        reading: Any = _Reading(sock, self.limits)
        return http.client.HTTPResponse(reading, *args, **options)

    def _connected(self, address: tuple[str, int], timeout: Any = None, source: Any = None) -> socket.socket:
        """Every address of a name has what the ones before it left."""
        error: OSError = OSError("the name has no address")
        for *how, _, place in socket.getaddrinfo(*address, 0, socket.SOCK_STREAM):
            sock = socket.socket(*how)
            try:
                sock.settimeout(self.limits.left_s())
                sock.connect(place)
                sock.settimeout(self.limits.left_s())  # for the handshake
                return sock
            except OSError as err:
                error = err
                sock.close()
        raise error


class Plain(_Bounded, http.client.HTTPConnection):
    pass


class Secure(_Bounded, http.client.HTTPSConnection):
    pass


class _Reading:
    """The part of a socket that a response uses."""

    def __init__(self, sock: socket.socket, limits: Limits):
        self._sock, self._limits = sock, limits

    def makefile(self, mode: str) -> io.BufferedReader:
        return _Reader(self._sock, self._limits)


class _Reader(io.BufferedReader):
    """Notices what was read ahead and belongs to no answer: such a connection must not be used again."""

    def __init__(self, sock: socket.socket, limits: Limits):
        self._stream, self._limits = Stream(sock, limits), limits
        super().__init__(self._stream)

    def close(self) -> None:
        if not self.closed and not self._stream.over:
            self._stream.over = True
            self._limits.unasked = bool(self.peek(1))
        super().close()


def read_all(response: http.client.HTTPResponse, came: list[tuple[float, bytes]] | None = None) -> bytes:
    """The body, piece by piece: the length that a server tells is no reason to make room for it. `came` is filled with
    the pieces as they come, and when each of them came."""
    pieces = []
    while piece := response.read1(_PIECE) if came is not None else response.read(_PIECE):
        pieces.append(piece)
        if came is not None:
            came.append((time.perf_counter(), piece))
    if response.length:
        raise http.client.IncompleteRead(b"", response.length)
    return b"".join(pieces)


def _size(number: int) -> str:
    return f"{number // 2**20} MB" if number >= 2**20 else f"{number // 2**10} kB"
