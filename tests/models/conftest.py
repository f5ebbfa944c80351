"""Requests and endpoints for tests of models."""

import contextlib
import http.client
import json
import urllib.parse
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from coterie.core.protocol import Ask
from coterie.models.wire import Endpoint
from tests.models.faulty import Faulty


def ask(
    text: str = "hello", robot: str = "Alice", stage: str = "act", step: int = 0, choices=None, seed: int = 7
) -> Ask:
    return Ask(robot, stage, step, 0, (("system", "Be brief."), ("user", text)), choices, seed)


def echo(messages, options) -> str:
    return "re: " + messages[-1]["content"]


def talk(url: str, raw: bytes | None, path: str = "/chat/completions", **headers: str) -> tuple[int, Any]:
    """What an endpoint answers to these bytes, or to nobody's where there are none: status and JSON."""
    parts = urllib.parse.urlsplit(url)
    with contextlib.closing(http.client.HTTPConnection(parts.netloc, timeout=60)) as connection:
        connection.request("GET" if raw is None else "POST", parts.path + path, raw, headers)
        response = connection.getresponse()
        return response.status, json.loads(response.read())


@pytest.fixture
def server() -> Iterator[Callable[..., Faulty]]:
    """`server(mind, faults=...)`: a running endpoint on this machine."""
    running: list[Faulty] = []

    def start(mind=echo, **options) -> Faulty:
        running.append(Faulty(mind, **{"keep": 1000, **options}).start())
        return running[-1]

    yield start
    for one in running:
        one.stop()


@pytest.fixture
def endpoint() -> Iterator[Callable[..., Endpoint]]:
    """`endpoint(server)`: a client that tries again at once."""
    made: list[Endpoint] = []

    def make(server: Faulty, **options) -> Endpoint:
        made.append(Endpoint(server.url, **{"backoff_s": 0.002, "timeout_s": 60.0, **options}))
        return made[-1]

    yield make
    for one in made:
        one.close()
