"""A computation that rests while a plan is sought, so that its owner can do something else meanwhile.

    thought = Thought(mission.think, planner, owner)
    thought.go_on()      # until it needs a plan (False), or has come to its end (True)

It runs in a thread of its own, but never beside the one that lets it go on: one of both waits for the other. So what it
reads and changes needs no locks, and it comes out the same whenever it is run. Only the search for a plan goes on while
it rests.
"""

from __future__ import annotations

import contextvars
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from coterie.mission.planner import MissionPlanner
from coterie.planning.answer import Answer
from coterie.planning.question import Question

LOOK_S = 1.0  # on the clock, between two looks at whether anybody still wants its end


class Pace(NamedTuple):
    """How time passes while a plan is sought: `seconds` of simulated time for each question, or (`live`) as long as it
    takes by the clock, where robots live by that."""

    seconds: float = 0.0
    live: bool = False


_PACE: ContextVar[Pace | None] = ContextVar("pace", default=None)


def pace() -> Pace | None:
    """How time passes here; None: it stands still while a plan is sought."""
    return _PACE.get()


@contextmanager
def planning_takes(seconds: float = 0.0, live: bool = False) -> Iterator[None]:
    """In missions that begin in here time goes on while a plan is sought."""
    mark = _PACE.set(Pace(seconds, live) if seconds > 0 or live else None)
    try:
        yield
    finally:
        _PACE.reset(mark)


class Thought:
    def __init__(self, think: Callable[[], None], planner: MissionPlanner, owner: object):
        """`owner`: where nobody holds it any more, neither does anybody want the end of the thought."""
        self.ready = False  # the plan that it rests for is there
        self.questions = 0  # that it has rested for
        self._over = False
        self._error: BaseException | None = None
        self._planner, self._owner = planner, weakref.ref(owner)
        self._mine, self._theirs = threading.Semaphore(0), threading.Semaphore(0)
        run = contextvars.copy_context().run
        self._thread = threading.Thread(target=run, args=(self._run, think), name="thought", daemon=True)

    def go_on(self) -> bool:
        """Let it think until it rests again or ends, and wait for that; whether it has ended."""
        if self._thread.ident is None:
            self._thread.start()
        else:
            self._mine.release()
        self._theirs.acquire()
        if self._error is not None:
            raise self._error
        return self._over

    def _run(self, think: Callable[[], None]) -> None:
        try:
            with self._planner.resting(self._rest):
                think()
        except _Forgotten:
            return
        except BaseException as err:  # noqa: BLE001 (it is raised where the thought was let go on)
            self._error = err
        self._over = True
        self._theirs.release()

    def _rest(self, question: Question) -> Answer:
        """A plan is wanted: the other side goes on until it lets this one go on."""
        if threading.current_thread() is not self._thread:
            return self._planner.seek(question)
        self.ready, self.questions = False, self.questions + 1
        if self._planner.apart:
            self._theirs.release()
            try:
                answer = self._planner.seek(question)
            finally:
                self.ready = True
        else:  # one process can think of one thing at a time
            answer, self.ready = self._planner.seek(question), True
            self._theirs.release()
        while not self._mine.acquire(timeout=LOOK_S):
            if self._owner() is None:
                raise _Forgotten
        return answer


class _Forgotten(BaseException):
    """Nobody wants the end of this thought any more."""
