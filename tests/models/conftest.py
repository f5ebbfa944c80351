"""Requests and endpoints for tests of models."""

from collections.abc import Callable, Iterator

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
