"""The thread that makes a robot stand still, and does nothing else.

It listens for shots (`shots.py`) at a port of its own, and for its driver, which rings when an action is called off or
nobody wants it any more. It waits neither for the action nor for the disk. While an action has not come out of being
stopped, the robot is halted again and again.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

from coterie.link.robot import Robot
from coterie.link.shots import HERE, MOST_SEEN, MOST_SHOT, Hurry, Shot, answer, read_shot

AGAIN_S = 0.05  # between two tries to halt a robot whose action has not come out
BELL = b"!"  # what the driver itself sends to wake the thread; anybody else may, and nothing comes of it


class Halter:
    """`hit` is told who shoots, before the robot is halted; `after` is called when that was done; `coming_out` says
    which action is being stopped and has not come out."""

    def __init__(
        self,
        robot: Robot,
        key: bytes,
        hit: Callable[[str], None],
        after: Callable[[], None],
        coming_out: Callable[[], object | None],
    ):
        self.robot, self.key, self.hit, self.after, self.coming_out = robot, key, hit, after, coming_out
        self.ignored = 0  # datagrams that were no shots
        self._rung = self._answered = 0  # halts asked for, and done
        self._last = (0.0, "")  # how long the last one took [ms], and what went wrong with it
        self._halting = self._closing = False
        self._done = threading.Condition()
        self._seen: dict[str, None] = {}
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind((HERE, 0))
        self.port: int = self._socket.getsockname()[1]
        self._rope = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._rope.setblocking(False)
        threading.Thread(target=self._stand_ready, name=f"{robot.name}: halt", daemon=True).start()

    def ring(self) -> int:
        """Halt the robot. Wait for the number that this returns, if at all."""
        with self._done:
            self._rung += 1
            number = self._rung
        self._wake()
        return number

    def _wake(self) -> None:
        with contextlib.suppress(OSError):  # there is no room for it: then others wake the thread
            self._rope.sendto(BELL, (HERE, self.port))

    def halted(self, number: int, seconds: float) -> str:
        """Wait for that halt: empty when it was done, words where it was not."""
        with self._done:
            if not self._done.wait_for(lambda: self._answered >= number, seconds):
                return "it has not answered"
            return self._last[1]

    def at_rest(self, seconds: float) -> bool:
        """Wait for halts of what was before, which must not hit what comes now."""
        with self._done:
            return self._done.wait_for(lambda: self._answered == self._rung and not self._halting, seconds)

    def close(self) -> None:
        with self._done:
            self._closing = True
        self._wake()

    # -- the thread -----------------------------------------------------------------------------------------------
    def _stand_ready(self) -> None:
        with Hurry():
            self._listen()

    def _listen(self) -> None:
        while True:
            again = self.coming_out()
            raw, address = self._next(again is not None)
            shot = read_shot(self.key, raw, self.robot.name) if raw else None
            new = shot is not None and self._is_new(shot)
            if shot is not None and new:
                self.hit(shot.by)
            elif shot is None and raw != BELL:
                self.ignored += bool(raw)
            with self._done:
                if self._closing:
                    break
                due = new or self._answered < self._rung or (again is not None and again is self.coming_out())
                number, self._halting = self._rung, due
            if due:
                took_ms, wrong = self._halt()
                with self._done:
                    self._answered, self._halting, self._last = number, False, (took_ms, wrong)
                    self._done.notify_all()
            if shot is not None:
                with contextlib.suppress(OSError):  # who shot does not wait any more
                    self._socket.sendto(answer(self.key, shot, *self._last), address)
                self.after()
        self._socket.close()
        self._rope.close()

    def _next(self, soon: bool) -> tuple[bytes, Any]:
        """The next datagram; nothing where none has come soon. It is waited for with a single call, since a thread that
        computes gets in between two of them."""
        self._socket.settimeout(AGAIN_S if soon else None)
        try:
            return self._socket.recvfrom(MOST_SHOT + 1)
        except OSError:
            return b"", None

    def _is_new(self, shot: Shot) -> bool:
        """Shots are sent until they are answered; one that was recorded and sent later stops nobody again."""
        new = shot.mark not in self._seen
        self._seen[shot.mark] = None
        while len(self._seen) > MOST_SEEN:
            self._seen.pop(next(iter(self._seen)))
        return new

    def _halt(self) -> tuple[float, str]:
        begun, wrong = time.monotonic(), ""
        try:
            self.robot.halt()
        except Exception as err:  # noqa: BLE001 - whatever the engineer's code does, this thread stays
            wrong = f"its halt failed: {type(err).__name__}: {err}"
        return 1000 * (time.monotonic() - begun), wrong
