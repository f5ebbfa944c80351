"""An OpenAI-compatible endpoint around any function from messages to text.

It serves minds that are no language models over real HTTP (`with serve(mind) as url:`). Whoever holds a connection
without using it, sends slowly or sends too much is told so (408, 503, 413) and let go, so that others are served.
"""

from __future__ import annotations

import contextlib
import io
import json
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from coterie.core.accepting import PAUSE_S
from coterie.core.bounds import load_json
from coterie.core.errors import CoterieError
from coterie.models.bounded import Limits, Stream, TooMuch
from coterie.models.ledger import estimate_tokens

Messages = list[dict[str, Any]]
Mind = Callable[[Messages, dict[str, Any]], str]  # messages and the other parameters of the request, to text
MOST_BYTES = 8 * 2**20  # of one request
_DRAINED = 8 * MOST_BYTES  # of a request that is too long
_PIECE = 2**16
_LINGERING = 32  # connections that were turned away
MOST_CONNECTIONS = 256  # at once
REQUEST_S = 10.0  # for a request to arrive, from its first byte to its last
IDLE_S = 300.0  # for the next one to begin; a client whose model thinks for long keeps its connections


class Server:
    """`Server(mind).start()`; `url` is its base URL. At most `connections` are held at once; a request has `request_s`
    to arrive, `idle_s` to begin."""

    def __init__(
        self,
        mind: Mind,
        name: str = "mind",
        port: int = 0,
        key: str | None = None,
        connections: int = MOST_CONNECTIONS,
        request_s: float = REQUEST_S,
        idle_s: float = IDLE_S,
    ):
        self.mind, self.name, self.key = mind, name, key
        self.request_s, self.idle_s = request_s, idle_s
        try:
            self._http = _Http(("127.0.0.1", port), self, connections)
        except OSError as err:
            raise CoterieError(f"Cannot serve at port {port}: {err.strerror}.") from err
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), name="serve", daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def start(self) -> Server:
        self._thread.start()
        return self

    def stop(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def handler(self) -> type[Handler]:
        """The class that answers the requests of a connection."""
        return Handler


@contextmanager
def serve(mind: Mind, name: str = "mind", port: int = 0) -> Iterator[str]:
    """The base URL under which `mind` answers on this machine, for as long as the context lasts."""
    server = Server(mind, name, port).start()
    try:
        yield server.url
    finally:
        server.stop()


_BUSY = b"""HTTP/1.1 503 Service Unavailable\r
Retry-After: 1\r
Connection: close\r
Content-Type: application/json\r
Content-Length: 67\r
\r
{"error": {"message": "Too many connections.", "type": "overload"}}"""


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256  # many clients may come at once

    def __init__(self, address: tuple[str, int], owner: Server, connections: int):
        self.owner = owner
        self._free = threading.BoundedSemaphore(connections)
        self._turned_away: deque[Any] = deque()  # they stay open for a while, or their answer would be lost
        super().__init__(address, owner.handler())

    def get_request(self) -> Any:
        try:
            return super().get_request()
        except OSError:  # there are no descriptors: whoever calls waits, and is not asked for again and again
            time.sleep(PAUSE_S)
            raise

    def process_request(self, request: Any, client_address: Any) -> None:
        if self._free.acquire(blocking=False):
            try:
                super().process_request(request, client_address)
            except RuntimeError:  # no thread is left
                self._free.release()
                self.shutdown_request(request)
            return
        with contextlib.suppress(OSError):
            request.setblocking(False)
            request.send(_BUSY)
            request.shutdown(socket.SHUT_WR)
        self._turned_away.append(request)
        while len(self._turned_away) > _LINGERING:
            self._turned_away.popleft().close()

    def server_close(self) -> None:
        super().server_close()
        while self._turned_away:
            self._turned_away.popleft().close()

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a client that leaves in the middle."""


class _Late(Exception):
    """A request takes too long to arrive."""


class _Arriving(Stream):
    """The bytes that a client sends, within the limits of the request under way."""

    def __init__(self, handler: Handler):
        super().__init__(handler.connection, handler.limits)
        self._handler = handler

    def readinto(self, buffer: Any) -> int | None:
        self._limits = self._handler.limits
        try:
            return super().readinto(buffer)
        except TimeoutError:
            raise _Late from None


class _Problem(Exception):
    def __init__(self, status: int, words: str):
        super().__init__(words)
        self.status, self.words = status, words


class Handler(BaseHTTPRequestHandler):
    """Answers the requests of one connection in the name of the server that owns it."""

    server: _Http
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # head and body leave together

    @property
    def owner(self) -> Server:
        return self.server.owner

    def setup(self) -> None:
        super().setup()
        self.limits = Limits(self.owner.request_s)
        self.rfile.close()
        self.rfile = io.BufferedReader(_Arriving(self))

    def handle_one_request(self) -> None:
        """As usual, but with a clock that begins to run with the first byte of a request."""
        try:
            if not self.rfile.peek(1):  # type: ignore[attr-defined]
                self.close_connection = True
                return
            self.limits = Limits(self.owner.request_s)
            super().handle_one_request()
            self.limits = Limits(self.owner.idle_s)
        except _Late:
            self.refuse(408, f"A request must arrive within {self.owner.request_s:g} s.")
        except TooMuch as err:
            self.refuse(431, f"The client {err}.")
        except (OSError, ValueError):  # the client has left
            self.close_connection = True

    def refuse(self, status: int, words: str) -> None:
        self.close_connection = True
        self.requestline, self.request_version, self.command = "", "HTTP/1.1", "POST"
        with contextlib.suppress(OSError):
            self.send(status, _error(words), {"Connection": "close"})

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        if self.path.rstrip("/") == "/v1/models":
            self.send(200, {"object": "list", "data": [{"id": self.owner.name, "object": "model"}]})
        else:
            self.send(404, _error(f"There is nothing at {self.path}."))

    def do_POST(self) -> None:
        try:
            self.answer(self.read())
        except _Problem as err:
            self.send(err.status, _error(err.words))
        except OSError:  # the client has left
            self.close_connection = True

    def read(self) -> dict[str, Any]:
        told = self.headers.get("Content-Length", "")
        if not told.isdecimal():
            self.close_connection = True
            raise _Problem(411, "The length of the request is missing.")
        length = int(told[-12:]) if len(told.lstrip("0")) <= 12 else MOST_BYTES + 1
        self.limits.go_on_with("a body", _DRAINED)
        if length > MOST_BYTES:
            self.close_connection = True
            self.drain(length)
            raise _Problem(413, f"A request may have {MOST_BYTES // 2**20} MB at most.")
        raw = self.rfile.read(length)
        if self.path.rstrip("/") != "/v1/chat/completions":
            raise _Problem(404, f"There is nothing at {self.path}.")
        if self.owner.key is not None and self.headers.get("Authorization") != f"Bearer {self.owner.key}":
            raise _Problem(401, "Incorrect API key provided.")
        try:
            body = load_json(raw.decode("utf-8"))
        except ValueError:
            raise _Problem(400, "The request is not JSON.") from None
        if not isinstance(body, dict):
            raise _Problem(400, "The request is not an object.")
        return body

    def drain(self, length: int) -> None:
        """Read what is too long, as far as is fair: one who is still sending does not hear the answer."""
        with contextlib.suppress(_Late, TooMuch):
            while length > 0 and (piece := self.rfile.read(min(_PIECE, length))):
                length -= len(piece)

    def answer(self, body: dict[str, Any]) -> None:
        messages = _messages(body)
        try:
            text = self.owner.mind(messages, {k: v for k, v in body.items() if k != "messages"})
        except CoterieError as err:
            raise _Problem(400, str(err)) from None
        except Exception as err:  # noqa: BLE001 - a mind that fails must not end its server
            raise _Problem(500, f"The mind failed: {type(err).__name__}.") from None
        data = self.completion(messages, text)
        if body.get("stream"):
            self.stream(data, text)
        else:
            self.send(200, data)

    def completion(self, messages: Messages, text: str) -> dict[str, Any]:
        tokens_in, tokens_out = sum(estimate_tokens(_words(m["content"])) for m in messages), estimate_tokens(text)
        return {
            "id": "chatcmpl-coterie",
            "object": "chat.completion",
            "created": int(time.time()),
            "model": self.owner.name,
            "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
            "usage": {
                "prompt_tokens": tokens_in,
                "completion_tokens": tokens_out,
                "total_tokens": tokens_in + tokens_out,
            },
        }

    def stream(self, data: dict[str, Any], text: str) -> None:
        """The completion word by word, as server-sent events."""
        self.connection.settimeout(self.owner.request_s)
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        head = {"id": data["id"], "model": data["model"]}
        words = [w + " " for w in text.split(" ")]
        for word in [*words[:-1], words[-1][:-1]]:
            self.event({**head, "choices": [{"index": 0, "delta": {"content": word}, "finish_reason": None}]})
        self.event({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        if "usage" in data:
            self.event({**head, "choices": [], "usage": data["usage"]})
        self.wfile.write(b"data: [DONE]\n\n")
        self.wfile.flush()

    def event(self, data: dict[str, Any]) -> None:
        self.wfile.write(f"data: {json.dumps(data)}\n\n".encode())
        self.wfile.flush()

    def send(self, status: int, data: Any, headers: Mapping[str, str] | None = None) -> None:
        self.send_bytes(status, json.dumps(data).encode(), headers)

    def send_bytes(self, status: int, raw: bytes, headers: Mapping[str, str] | None = None) -> None:
        self.connection.settimeout(self.owner.request_s)  # for all of the answer to be taken
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(raw)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(raw)
        self.wfile.flush()


def _messages(body: dict[str, Any]) -> Messages:
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        raise _Problem(400, "'messages' must be a list that is not empty.")
    for m in messages:
        if not isinstance(m, dict) or not isinstance(m.get("role"), str) or not _is_content(m.get("content")):
            raise _Problem(400, "Every message needs a 'role' and a 'content' in words.")
    return messages


def _is_content(content: Any) -> bool:
    """Words, or parts of which some are words and others pictures."""
    if not isinstance(content, list):
        return isinstance(content, str)
    return all(isinstance(p, dict) and isinstance(p.get("type"), str) for p in content)


def _words(content: Any) -> str:
    return content if isinstance(content, str) else "".join(str(p.get("text", "")) for p in content)


def _error(words: str) -> dict[str, Any]:
    return {"error": {"message": words, "type": "invalid_request_error"}}
