"""A model that many processes of this machine share: each sends all its requests and gets all replies at once.

A model on a GPU answers a thousand requests as fast as ten. `Sharing` hands the requests of all processes to it as they
come; `shared:PATH` is the model at the other end of that line, which is a socket that only its owner may use.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import socket
import struct
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from coterie.core.accepting import accepted, in_thread, stop_accepting
from coterie.core.bounds import brief, load_json
from coterie.core.errors import CoterieError
from coterie.core.files import InUse, Lock, writing
from coterie.core.protocol import Ask, Reply, sound_reply
from coterie.models.chat import Model
from coterie.models.ledger import Call, Ledger
from coterie.models.scripted import Recording

_HEAD = struct.Struct("!I")
MOST_BYTES = 2**30
MOST_PATH = 107  # bytes of a socket's path: systems take no more
WAITS_S = 0.05  # for requests, before it looks whether it is closed


@runtime_checkable
class Streaming(Protocol):
    """A model that answers requests as they come, and need not wait for those that take long."""

    def take(self, asks: Sequence[Ask], then: Callable[[list[Reply]], None]) -> None:
        """Have requests answered by those calls of `step` that follow; `then` gets all replies. Any thread may."""

    def step(self, wait_s: float = 0.0) -> None:
        """Go on a little with all that was taken; where there is nothing, wait so long for it."""


class Shared:
    """The near end: a model like any other."""

    def __init__(self, path: Path):
        self.name, self.path = f"shared:{path}", _short(path)
        self.ledger = Ledger()
        self._line: socket.socket | None = None

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        if not asks:
            return []
        try:
            if self._line is None:
                self._line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                self._line.connect(str(self.path))
            _send(self._line, [[a.robot, a.stage, a.step, a.attempt, a.prompt, a.choices, a.seed] for a in asks])
            rows = _receive(self._line)
        except OSError as err:
            raise CoterieError(f"Nobody answers at '{self.path}': {err.strerror or err}.") from None
        except ValueError as err:
            raise CoterieError(f"What answers at '{self.path}' is no shared model: {err}.") from None
        if rows is None:
            raise CoterieError(f"The model at '{self.path}' has ended.")
        replies = [_reply(row, self.path) for row in rows] if isinstance(rows, list) else []
        if len(replies) != len(asks):
            raise CoterieError(f"The model at '{self.path}' gave {len(replies)} replies to {len(asks)} requests.")
        for ask, reply in zip(asks, replies):
            self.ledger.add(Call(ask.robot, ask.stage, reply.tokens_in, reply.tokens_out, error=reply.error), ask)
        return replies


class Sharing:
    """The far end: the requests of all processes that are connected."""

    def __init__(self, model: Model, path: Path, record: Path | None = None):
        self.model, self.path = model, _short(path)
        self._streaming = model if isinstance(model, Streaming) else _OneByOne(model)
        self._recording = Recording(model, record) if record is not None else None
        self.failure: Exception | None = None  # of the model: why it answers no more
        with writing(f"the socket '{path}'"):
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._owned = _own(path)
            try:
                self._listening = _listening(path)
            except BaseException:
                self._owned.release()
                raise
        self._lines: set[socket.socket] = set()
        self._lock, self._closed = threading.Lock(), threading.Event()
        self._refused: Exception | None = None  # why `serve` has to end: a request, or replies that cannot be recorded
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Fail the requests that are still waiting for an answer."""
        with self._lock:
            if self._closed.is_set():
                return
            stop_accepting(self._listening, self._closed)
            for line in self._lines:
                with contextlib.suppress(OSError):  # it is closed already
                    line.shutdown(socket.SHUT_RDWR)  # wakes whoever reads it; to close it would not
        self.path.unlink(missing_ok=True)
        self._owned.release()

    def _accept(self) -> None:
        for line, _ in accepted(self._listening, self._closed):
            with self._lock:
                if self._closed.is_set():
                    line.close()
                    return
                self._lines.add(line)
            in_thread(partial(self._attend, line), "shared model", partial(self._drop, line))

    def _drop(self, line: socket.socket) -> None:
        with self._lock:
            self._lines.discard(line)
            line.close()

    def _attend(self, line: socket.socket) -> None:
        """Serve one client process; one that does not read its replies blocks only itself."""
        try:
            while (rows := _receive(line)) is not None:
                asks = [_ask(row) for row in rows]
                if (replies := self._replies(asks)) is None:
                    return
                if self._recording is not None:
                    self._recording.keep(asks, replies)
                _send(line, [list(r) for r in replies])
        except CoterieError as err:
            self._refused = err  # of the recording: `serve` raises it
        except (OSError, ValueError, TypeError):
            pass  # the other end is gone, or speaks otherwise
        finally:
            self._drop(line)

    def _replies(self, asks: list[Ask]) -> list[Reply] | None:
        """None where it was closed before they came."""
        found: queue.SimpleQueue[list[Reply]] = queue.SimpleQueue()
        try:
            self._streaming.take(asks, found.put)
        except Exception as err:  # noqa: BLE001 (`serve` raises it)
            self._refused = err
        while not self._closed.is_set():
            with contextlib.suppress(queue.Empty):
                return found.get(timeout=WAITS_S)
        return None

    def serve(self) -> None:
        """Until it is closed, or the model fails: then all who wait are told."""
        try:
            while not self._closed.is_set():
                if self._refused is not None:
                    raise self._refused
                self._streaming.step(WAITS_S)
        except Exception as err:
            self.failure = err
            raise
        finally:
            self.close()


class _OneByOne:
    """Any model as one that answers requests as they come."""

    def __init__(self, model: Model):
        self._model = model
        self._come: queue.SimpleQueue[tuple[Sequence[Ask], Callable[[list[Reply]], None]]] = queue.SimpleQueue()

    def take(self, asks: Sequence[Ask], then: Callable[[list[Reply]], None]) -> None:
        self._come.put((asks, then))

    def step(self, wait_s: float = 0.0) -> None:
        with contextlib.suppress(queue.Empty):
            asks, then = self._come.get(timeout=wait_s)
            then(self._model.answer(asks))


def _own(path: Path) -> Lock:
    try:
        return Lock(path.with_name(f"{path.name}.owner"))
    except InUse as err:
        raise CoterieError(f"{err} A socket has one model.") from err


def _listening(path: Path) -> socket.socket:
    path.unlink(missing_ok=True)  # of one who was killed
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o077)
    try:
        sock.bind(str(path))
    except BaseException:
        sock.close()
        raise
    finally:
        os.umask(before)
    sock.listen(256)
    return sock


@contextlib.contextmanager
def lent(model: Model) -> Iterator[str]:
    """The name by which any process of this machine may ask a model, for a while; complains where the model failed."""
    with tempfile.TemporaryDirectory(prefix="coterie-") as folder:
        sharing = Sharing(model, Path(folder) / "model")

        def serve() -> None:
            with contextlib.suppress(Exception):  # it is told below
                sharing.serve()

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield f"shared:{sharing.path}"
        except Exception:
            if sharing.failure is None:
                raise
        finally:
            sharing.close()
            thread.join(timeout=60)
        if (err := sharing.failure) is not None:
            why = str(err) if isinstance(err, CoterieError) else f"{type(err).__name__}: {err}"
            raise CoterieError(f"The model {model.name} failed: {why}") from err


def _short(path: Path) -> Path:
    if (size := len(os.fsencode(path))) > MOST_PATH:
        raise CoterieError(
            f"The socket's path '{path}' has {size} bytes, and systems take {MOST_PATH}: name a shorter."
        )
    return path


def _reply(row: Any, path: Path) -> Reply:
    if not isinstance(row, list) or not 1 <= len(row) <= len(Reply._fields):
        raise CoterieError(f"What answers at '{path}' is no shared model: it gave {brief(row)} as a reply.")
    return sound_reply(Reply(*row))


def _ask(row: Any) -> Ask:
    """ValueError or TypeError for what is no request: the model is not bothered with it."""
    robot, stage, step, attempt, prompt, choices, seed = row
    held = tuple(choices) if isinstance(choices, list) else choices
    said = tuple((role, text) for role, text in prompt)
    texts = [robot, stage, *(t for pair in said for t in pair), *(held if isinstance(held, tuple) else ())]
    numbers = all(type(n) is int for n in (step, attempt, seed))
    if not (numbers and all(isinstance(t, str) for t in texts) and isinstance(held, (tuple, str, dict, type(None)))):
        raise TypeError("no request")
    return Ask(robot, stage, step, attempt, said, held, seed)


def _send(line: socket.socket, data: Any) -> None:
    raw = json.dumps(data).encode()
    line.sendall(_HEAD.pack(len(raw)) + raw)


def _receive(line: socket.socket) -> Any:
    """Return a whole message, or None where the other end has closed."""
    head = _exactly(line, _HEAD.size)
    if head is None:
        return None
    (size,) = _HEAD.unpack(head)
    if size > MOST_BYTES:
        raise ValueError("too long")
    raw = _exactly(line, size)
    return None if raw is None else load_json(raw.decode("utf-8"))


def _exactly(line: socket.socket, size: int) -> bytes | None:
    parts = []
    while size:
        part = line.recv(min(size, 2**20))
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
