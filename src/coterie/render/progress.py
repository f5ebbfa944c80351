"""Many pictures take a while: whoever waits for them is told how far they have come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")
Told = Callable[[int, int], None]  # pictures drawn, pictures in all (0: not known)
_told: ContextVar[Told | None] = ContextVar("told", default=None)


@contextmanager
def telling(told: Told) -> Iterator[None]:
    """While this holds, `told` is called with every picture that is drawn."""
    token = _told.set(told)
    try:
        yield
    finally:
        _told.reset(token)


def each(items: Iterable[T], total: int = 0) -> Iterator[T]:
    """The items, one after the other, each a picture that is drawn."""
    told = _told.get()
    for done, item in enumerate(items):
        if told is not None:
            told(done, total)
        yield item
