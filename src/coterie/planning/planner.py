"""Engines in processes of their own: asked, polled and stopped, while everything else goes on.

    with Planner() as planner:
        asking = planner.start(question)
        while (answer := asking.poll()) is None:
            ...                                # whatever else there is to do
        answer = planner.solve(question)       # or wait for it

A process is kept warm for the next question. One that runs past its limit, or is not wanted any more, is killed.
"""

from __future__ import annotations

import os
import pickle
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from types import TracebackType
from typing import Any

from coterie.core.errors import CoterieError
from coterie.planning.answer import Answer, Limits
from coterie.planning.child import JUDGES, LENGTH
from coterie.planning.question import Question

OWN = "own"
MARGIN_S = 1.0  # for what engines and the judge of plans do after their own limit, before they are killed


class Planner:
    """`engine` is the name of an engine (`own`, `enhsp`); `limits` hold for each question that says nothing else.
    `judges`: whether `unified_planning` has the last word on each plan."""

    def __init__(self, engine: str = OWN, limits: Limits | None = None, judges: bool = True):
        self.engine, self.limits, self.judges = engine, limits or Limits(), judges
        self._idle: list[_Process] = []
        self._busy: list[Asking] = []

    def warm(self) -> Planner:
        """Start a process now, so that the first question need not wait for it."""
        if not self._idle:
            self._idle.append(_Process(self.judges))
        return self

    def start(self, question: Question, engine: str = "", limits: Limits | None = None) -> Asking:
        """Ask; the answer comes by `poll`. Several questions may be under way."""
        engine, limits = engine or self.engine, limits or self.limits
        message = _packed(question, engine, limits, self.judges)
        process = self._idle.pop() if self._idle else _Process(self.judges)
        asking = Asking(process, message, engine, limits, self._back)
        if asking.answer is None:  # else its process had ended before it could be asked
            self._busy.append(asking)
        return asking

    def solve(self, question: Question, engine: str = "", limits: Limits | None = None) -> Answer:
        """Ask and wait."""
        asking = self.start(question, engine, limits)
        try:
            return asking.wait()
        finally:
            asking.cancel()  # an interrupt leaves nothing running

    def _back(self, asking: Asking, process: _Process | None) -> None:
        if asking in self._busy:
            self._busy.remove(asking)
        if process is not None:
            self._idle.append(process)

    def close(self) -> None:
        for asking in list(self._busy):
            asking.cancel()
        while self._idle:
            self._idle.pop().kill()

    def __enter__(self) -> Planner:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()


class Asking:
    """A question under way. `answer` is None until `poll` or `wait` has brought it."""

    def __init__(
        self,
        process: _Process,
        message: bytes,
        engine: str,
        limits: Limits,
        back: Callable[[Asking, _Process | None], None],
    ):
        self.engine, self.limits = engine, limits
        self.answer: Answer | None = None
        self._error: CoterieError | None = None
        self._process: _Process | None = process
        self._back = back
        self._begun = time.monotonic()
        self._ending = threading.Lock()
        self._message = memoryview(message)
        self._pump(0.0)

    @property
    def deadline(self) -> float:
        return self._begun + self.limits.wall_s + MARGIN_S

    def poll(self) -> Answer | None:
        """The answer if it is there. Returns at once; a process past its limit is killed here."""
        if self._process is not None:
            self._pump(0.0)
        if self._error is not None:
            raise self._error
        return self.answer

    def wait(self, timeout_s: float | None = None) -> Answer:
        """The answer, as soon as it is there; past `timeout_s` it is given up."""
        until = self.deadline if timeout_s is None else min(self.deadline, time.monotonic() + timeout_s)
        while self._process is not None and time.monotonic() < until:
            self._pump(until - time.monotonic())
        if self._process is not None:
            self._finish(self._late(), None)
        answer = self.poll()
        assert answer is not None
        return answer

    def cancel(self) -> None:
        """Stop it, at once and for good. Whoever is answered already is not disturbed."""
        if self._process is not None:
            self._finish(Answer("cancelled", engine=self.engine), None)

    def _late(self) -> Answer:
        return Answer("limit", engine=self.engine, said=f"{self.engine} was stopped after {self.limits.wall_s:g} s.")

    def _pump(self, seconds: float) -> None:
        """Send what is left of the question, take what has come of the answer."""
        process = self._process
        if process is None:
            return
        self._message, came = process.turn(self._message, max(0.0, seconds))
        if came is not None:
            if isinstance(came, CoterieError):
                self._error = came
                self._finish(None, process)
            else:
                self._finish(came, process)
        elif process.gone:
            self._finish(Answer("broken", engine=self.engine, said=f"The process of {self.engine} ended."), None)
        elif time.monotonic() > self.deadline:
            self._finish(self._late(), None)

    def _finish(self, answer: Answer | None, keep: _Process | None) -> None:
        with self._ending:
            process = self._process
            if process is None:  # another thread has given it up in the meantime
                return
            if answer is not None:
                self.answer = replace(answer, wall_s=time.monotonic() - self._begun)
            self._process = None
        if keep is None:
            process.kill()
        self._back(self, keep)


def _packed(question: Question, engine: str, limits: Limits, judged: bool) -> bytes:
    try:
        data = pickle.dumps((question, engine, limits, judged))
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise CoterieError(
            f"A planning question cannot travel to another process: {error}. If it is how long steps take (`lasts`), "
            "make that a function of a module, a partial of one, or an object with `__call__`."
        ) from error
    return LENGTH.pack(len(data)) + data


class _Process:
    """A child with a pipe to it and one from it; neither ever blocks us."""

    def __init__(self, judges: bool) -> None:
        paths = os.pathsep.join(p or os.getcwd() for p in sys.path)
        self._child = subprocess.Popen(
            [sys.executable, "-m", "coterie.planning.child", *([JUDGES] if judges else [])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": paths},
            start_new_session=True,
        )
        assert self._child.stdin is not None and self._child.stdout is not None
        self._to, self._from = self._child.stdin.fileno(), self._child.stdout.fileno()
        os.set_blocking(self._to, False)
        os.set_blocking(self._from, False)
        self._got = bytearray()
        self.gone = False

    def turn(self, message: memoryview, seconds: float) -> tuple[memoryview, Any]:
        """Write and read what is possible, waiting up to `seconds` for the first; the rest, and what has come."""
        with selectors.DefaultSelector() as ready:
            ready.register(self._from, selectors.EVENT_READ)
            if message:
                ready.register(self._to, selectors.EVENT_WRITE)
            for key, _ in ready.select(seconds):
                try:
                    if key.fd == self._to:
                        message = message[os.write(self._to, message[:65536]) :]
                    else:
                        data = os.read(self._from, 1 << 20)
                        self._got += data
                        self.gone = not data
                except BlockingIOError:
                    continue
                except OSError:
                    self.gone = True
        return message, self._whole()

    def _whole(self) -> Any:
        if len(self._got) < LENGTH.size:
            return None
        size = LENGTH.unpack(self._got[: LENGTH.size])[0]
        if len(self._got) < LENGTH.size + size:
            return None
        data = bytes(self._got[LENGTH.size : LENGTH.size + size])
        del self._got[: LENGTH.size + size]
        return pickle.loads(data)

    def kill(self) -> None:
        """With all that it started: it leads a group of its own."""
        try:
            os.killpg(self._child.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self._child.kill()
        self._child.wait()
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                pipe.close()
