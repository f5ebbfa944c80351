"""The thread that makes a robot stand still, and does nothing else.

It listens for shots (`shots.py`) at a port of its own, and for its driver, which rings when an action is called off or
nobody wants it any more. It waits neither for the action nor for the disk: that a stop is kept, and then answered, is
left to another thread. While an action has not come out of being stopped, the robot is halted again and again.
"""

from __future__ import annotations

import contextlib
import ctypes
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from coterie.link.robot import Robot
from coterie.link.shots import HERE, LIFE, MOST_SHOT, Answer, Hurry, Seal, Shot, read_shot, write_answer

AGAIN_S = 0.05  # between two tries to halt a robot whose action has not come out
KEEP_S = 1.0  # for the disk to take a stop, before it is told that it has not
MOST_SEEN = 10_000  # shots that are remembered
_ROOM = 2**20  # bytes of shots that wait
_ATTACH_FILTER = 26  # of Linux


class Hit(NamedTuple):
    """A shot that was followed."""

    shot: Shot
    address: Any  # of the caller that waits for the answer
    at: float  # [s], monotonic
    halt: tuple[float, str]  # how long it took [ms], and what went wrong with it


class Halter:
    """`hit` is told who shoots, before the robot is halted; `after` is called when that was done, and sees to it that
    `answer` is called; `coming_out` says which action is being stopped and has not come out."""

    def __init__(
        self,
        robot: Robot,
        life: str,
        key: bytes,
        hit: Callable[[str], None],
        after: Callable[[Hit], None],
        coming_out: Callable[[], object | None],
    ):
        self.robot, self.life, self.hit, self.after, self.coming_out = robot, life, hit, after, coming_out
        self.ignored = 0  # datagrams that were no shots
        self._seal = Seal(key)
        self._bell = life.encode("ascii") + b"!"  # what the driver itself sends to wake the thread
        self._rung = self._answered = 0  # halts asked for, and done
        self._last = (0.0, "")  # how long the last one took [ms], and what went wrong with it
        self._halting = self._closing = False
        self._done = threading.Condition()
        self._hits: dict[str, Hit] = {}  # by the marks of their shots
        self._answers: dict[str, bytes] = {}
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _ROOM)
        _only(self._socket, life.encode("ascii"))
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
            self._rope.sendto(self._bell, (HERE, self.port))

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

    def answer(self, hit: Hit, unkept: str) -> None:
        """Answer the sender of a stop; `unkept` says why the stop could not be kept, if it could not."""
        raw = write_answer(self._seal, Answer(self.robot.name, hit.shot.mark, *hit.halt, unkept))
        self._answers[hit.shot.mark] = raw
        self._send(raw, hit.address)

    def _send(self, raw: bytes, address: Any) -> None:
        with contextlib.suppress(OSError):  # who shot does not wait any more
            self._socket.sendto(raw, address)

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
            shot = read_shot(self._seal, self.life, self.robot.name, raw) if raw and raw != self._bell else None
            if shot is not None and shot.mark in self._hits:
                self._tell_again(shot, address)
                shot = None
            elif shot is not None:
                self.hit(shot.by)
            elif raw != self._bell:
                self.ignored += bool(raw)
            with self._done:
                if self._closing:
                    break
                due = shot is not None or self._answered < self._rung or (again and again is self.coming_out())
                number, self._halting = self._rung, bool(due)
            if due:
                last = self._halt()
                with self._done:
                    self._answered, self._halting, self._last = number, False, last
                    self._done.notify_all()
            if shot is not None:
                hit = self._hits[shot.mark] = Hit(shot, address, time.monotonic(), self._last)
                self.after(hit)
                while len(self._hits) > MOST_SEEN:
                    old = next(iter(self._hits))
                    del self._hits[old]
                    self._answers.pop(old, None)
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

    def _tell_again(self, shot: Shot, address: Any) -> None:
        """Shots are sent until they are answered; one that was recorded and sent later stops nobody again."""
        hit, raw = self._hits[shot.mark], self._answers.get(shot.mark)
        if raw is not None:
            self._send(raw, address)
        elif time.monotonic() - hit.at > KEEP_S:
            words = f"the disk has not taken it within {KEEP_S:g} s"
            self._send(write_answer(self._seal, Answer(self.robot.name, shot.mark, *hit.halt, words)), address)

    def _halt(self) -> tuple[float, str]:
        begun, wrong = time.monotonic(), ""
        try:
            self.robot.halt()
        except Exception as err:  # noqa: BLE001 - whatever the engineer's code does, this thread stays
            wrong = f"its halt failed: {type(err).__name__}: {err}"
        return 1000 * (time.monotonic() - begun), wrong


def _only(sock: socket.socket, life: bytes) -> None:
    """Let the system drop datagrams that do not begin so before they are queued: a flood of them takes no room from
    shots, and no time from the thread. Elsewhere than on Linux the thread reads and ignores them."""
    if sys.platform != "linux":
        return
    load, jump, give = 0x20, 0x15, 0x06  # instructions of the packet filter (BPF)
    words = struct.unpack(f"!{LIFE // 4}I", life)
    steps = []
    for i, word in enumerate(words):
        steps.append((load, 0, 0, 8 + 4 * i))  # behind the head of UDP
        steps.append((jump, 0, 2 * (len(words) - i) - 1, word))
    steps += [(give, 0, 0, 0xFFFF), (give, 0, 0, 0)]
    program = b"".join(struct.pack("HBBI", *step) for step in steps)
    held = ctypes.create_string_buffer(program, len(program))
    with contextlib.suppress(OSError):  # a system that does not let us
        told = struct.pack("HL", len(steps), ctypes.addressof(held))
        sock.setsockopt(socket.SOL_SOCKET, _ATTACH_FILTER, told)
