"""Many requests at once, replies in their order."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")
Work = Callable[[T, threading.Event], R]


def gather(work: Work[T, R], items: Sequence[T], at_most: int, leave: bool = False) -> list[R]:
    """`work(item, stop)` for every item, `at_most` at once; the first failure sets `stop` and is raised.

    With `leave`, what is still under way after a failure or an interruption is left to itself: its threads end with
    the process, so that a silent endpoint does not keep a person waiting who has pressed Ctrl-C.
    """
    stop = threading.Event()
    if len(items) <= 1 or at_most <= 1:
        return [work(item, stop) for item in items]
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
    try:
        for thread in threads:
            thread.start()
        with changed:
            while running and not (failures and leave):
                changed.wait()
    except BaseException:
        stop.set()
        if not leave:
            for thread in threads:
                if thread.ident is not None:
                    thread.join()
        raise
    if failures:
        raise failures[0]
    return [results[n] for n in range(len(items))]
