"""A slow, overloaded or broken endpoint: the server around a function, with faults on request."""

import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from coterie.models.server import Handler, Messages, Server


class Fault(NamedTuple):
    """A fault to inject into one request."""

    delay_s: float = 0.0
    status: int = 0  # answer with this error instead
    words: str = "injected"
    headers: Mapping[str, str] = {}
    drop: bool = False  # close the connection without an answer
    usage: bool = True  # tell how many tokens were used
    body: bytes | None = None  # send this instead of a completion


Faults = Callable[[int, dict[str, Any]], Fault | None]  # number of the request (from 0) and its body


class Faulty(Server):
    """`asked` is the number of requests, `requests` the last `keep` of their bodies."""

    def __init__(self, *args: Any, faults: Faults | None = None, keep: int = 0, **options: Any):
        self.faults = faults
        self.requests: deque[dict[str, Any]] = deque(maxlen=keep)
        self.asked = self.most_at_once = self._at_once = 0
        self._lock = threading.Lock()
        super().__init__(*args, **options)

    def handler(self) -> type[Handler]:
        return FaultyHandler

    def begin(self, body: dict[str, Any]) -> Fault:
        with self._lock:
            number, self.asked = self.asked, self.asked + 1
            self.requests.append(body)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        return (self.faults and self.faults(number, body)) or Fault()

    def end(self) -> None:
        with self._lock:
            self._at_once -= 1


class FaultyHandler(Handler):
    fault = Fault()

    def answer(self, body: dict[str, Any]) -> None:
        owner: Any = self.owner
        fault = self.fault = owner.begin(body)
        try:
            time.sleep(fault.delay_s)
            if fault.drop:
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)
            elif fault.status:
                error = {"message": fault.words, "type": "invalid_request_error"}
                self.send(fault.status, {"error": error}, fault.headers)
            elif fault.body is not None:
                self.send_bytes(200, fault.body)
            else:
                super().answer(body)
        finally:
            owner.end()

    def completion(self, messages: Messages, text: str) -> dict[str, Any]:
        data = super().completion(messages, text)
        if not self.fault.usage:
            del data["usage"]
        return data
