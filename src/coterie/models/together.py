"""Many requests at once, replies in their order."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")
Work = Callable[[T, threading.Event], R]


def gather(
    work: Work[T, R], items: Sequence[T], at_most: int, abandon: Callable[[threading.Event], object] | None = None
) -> list[R]:
    """`work(item, stop)` for every item, `at_most` at once; the first failure sets `stop` and is raised.

    With `abandon`, a failure or an interruption calls `abandon(stop)` and does not wait for what is still under way, so
    that a slow endpoint keeps nobody waiting who has pressed Ctrl-C.
    """
    stop = threading.Event()
    try:
        if len(items) <= 1 or at_most <= 1:
            return [work(item, stop) for item in items]
        return _in_threads(work, items, at_most, stop, wait=abandon is None)
    except BaseException:
        stop.set()
        if abandon is not None:
            abandon(stop)
        raise


def _in_threads(work: Work[T, R], items: Sequence[T], at_most: int, stop: threading.Event, wait: bool) -> list[R]:
    results: dict[int, R] = {}
    failures: list[BaseException] = []
    numbers = itertools.count()
    changed = threading.Condition()
    workers = min(at_most, len(items))
    running = workers

    def worker() -> None:
        nonlocal running
        try:
            while not stop.is_set():
                with changed:
                    n = next(numbers)
                if n >= len(items):
                    break
                results[n] = work(items[n], stop)
        except BaseException as err:  # noqa: BLE001 - raised again in the thread that asked
            stop.set()
            with changed:
                failures.append(err)
        finally:
            with changed:
                running -= 1
                changed.notify()

    threads = [threading.Thread(target=worker, name=f"ask-{i}", daemon=True) for i in range(workers)]
    for thread in threads:
        thread.start()
    try:
        with changed:
            while running and (wait or not failures):
                changed.wait(1.0)  # without a limit, some systems do not let Ctrl-C through
    finally:
        stop.set()
        if wait:
            for thread in threads:
                thread.join()
    if failures:
        raise failures[0]
    return [results[n] for n in range(len(items))]
