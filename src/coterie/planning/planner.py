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
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from multiprocessing import Pipe
from types import TracebackType

from coterie.core.errors import CoterieError
from coterie.planning.answer import Answer, Limits
from coterie.planning.child import JUDGES
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
        asking = Asking(process, engine, limits, self._back)
        self._busy.append(asking)
        asking.begin(message)
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
    """A question under way. `answer` is None until it is there."""

    def __init__(self, process: _Process, engine: str, limits: Limits, back: Callable[[Asking, _Process | None], None]):
        self.engine, self.limits = engine, limits
        self.answer: Answer | None = None
        self._error: CoterieError | None = None
        self._process: _Process | None = process
        self._back = back
        self._begun = time.monotonic()
        self._ending, self._over = threading.Lock(), threading.Event()

    def begin(self, message: bytes) -> None:
        """Ask, and let a thread wait for the answer; past its limit the process is killed."""
        threading.Thread(target=self._follow, args=(self._process, message), name="planner", daemon=True).start()

    def poll(self) -> Answer | None:
        """The answer if it is there; returns at once."""
        if self._error is not None:
            raise self._error
        return self.answer

    def wait(self) -> Answer:
        """The answer, as soon as it is there."""
        self._over.wait()
        answer = self.poll()
        assert answer is not None
        return answer

    def cancel(self) -> None:
        """Stop it, at once and for good. An answer that is there already stays."""
        self._finish(Answer("cancelled", engine=self.engine))

    def _follow(self, process: _Process, message: bytes) -> None:
        pipe = process.pipe
        try:
            pipe.send_bytes(message)
            if pipe.poll(self.limits.wall_s + MARGIN_S):
                self._finish(pipe.recv(), process)
                return
            words, status = f"{self.engine} was stopped after {self.limits.wall_s:g} s.", "limit"
        except (EOFError, OSError):
            words, status = f"The process of {self.engine} ended.", "broken"
        self._finish(Answer(status, engine=self.engine, said=words))  # type: ignore[arg-type]

    def _finish(self, found: Answer | CoterieError, keep: _Process | None = None) -> None:
        with self._ending:
            process, self._process = self._process, None
            if process is None:  # another thread has given it up in the meantime
                return
            if isinstance(found, CoterieError):
                self._error = found
            else:
                self.answer = replace(found, wall_s=time.monotonic() - self._begun)
        if keep is None:
            process.kill()
        self._back(self, keep)
        self._over.set()


def _packed(question: Question, engine: str, limits: Limits, judged: bool) -> bytes:
    try:
        return pickle.dumps((question, engine, limits, judged))
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise CoterieError(
            f"A planning question cannot travel to another process: {error}. If it is how long steps take (`lasts`), "
            "make that a function of a module, a partial of one, or an object with `__call__`."
        ) from error


class _Process:
    """A child at the other end of a pipe. What it prints goes nowhere."""

    def __init__(self, judges: bool) -> None:
        paths = os.pathsep.join(p or os.getcwd() for p in sys.path)
        self.pipe, theirs = Pipe()
        with theirs:
            end = theirs.fileno()
            self._child = subprocess.Popen(
                [sys.executable, "-m", "coterie.planning.child", str(end), *([JUDGES] if judges else [])],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": paths},
                start_new_session=True,
                pass_fds=(end,),
            )

    def kill(self) -> None:
        """With all that it started: it leads a group of its own. The pipe is closed when nobody reads it any more."""
        try:
            os.killpg(self._child.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self._child.kill()
        self._child.wait()
