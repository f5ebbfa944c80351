"""Stop means stop: straight to every driver of this machine, past coordinator, planner and loop.

    from coterie.link.stopping import release, stop
    stop("Eve")                 # all robots; each answers when it stands still
    release("Eve")              # with the key for driving; nothing moves because of it

A `Button` has read beforehand where the robots are; a stop is then one datagram to each.
"""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from coterie.core.errors import CoterieError, unknown_name
from coterie.link.folder import Entry, Folder
from coterie.link.shots import HERE, MOST_SHOT, Hurry, read_answer, shot

ANSWER_S = 2.0  # for a robot to say that it stands still
AGAIN_S = 0.02  # between two shots at one that has not said so


class Answers(NamedTuple):
    """What came of it: robots that stand still and how long their halt took, and those of which nobody knows."""

    robots: dict[str, float]  # [ms]
    wrong: dict[str, str]  # in words
    took_s: float  # until the last one had answered


def stop(by: str, robots: Sequence[str] = (), folder: Path | str | None = None) -> Answers:
    """Stop all robots, or some. Whoever has the stop-key may; they stay stopped until they are released."""
    begun = time.monotonic()
    with Hurry(), contextlib.closing(Button(robots, folder)) as button:
        answers = button.stop(by)
    return answers._replace(took_s=time.monotonic() - begun)


class Button:
    """Ready to stop the robots that have drivers now."""

    def __init__(self, robots: Sequence[str] = (), folder: Path | str | None = None):
        self.place = Folder(folder)
        self.entries = entries(self.place, robots)
        self.key = self.place.stop_key() if self.entries else b""
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def stop(self, by: str) -> Answers:
        with Hurry():
            return self._stop(by)

    def _stop(self, by: str) -> Answers:
        begun = time.monotonic()
        shots = {name: shot(self.key, name, by) for name in self.entries}
        marks = {raw.partition(b" ")[0].decode(): name for name, raw in shots.items()}
        still: dict[str, float] = {}
        wrong = {e.robot: _gone(e) for e in self.entries.values() if not alive(e.pid)}
        waiting = [name for name in self.entries if name not in wrong]
        while waiting and time.monotonic() - begun < ANSWER_S:
            for name in waiting:
                with contextlib.suppress(OSError):  # nobody listens there
                    self._socket.sendto(shots[name], (HERE, self.entries[name].stop_port))
            until = time.monotonic() + AGAIN_S
            while waiting and (left := until - time.monotonic()) > 0:
                self._socket.settimeout(left)
                try:
                    told = read_answer(self.key, self._socket.recv(MOST_SHOT + 1))
                except OSError:  # nothing has come; or nobody listens there
                    continue
                if told is None or marks.get(told[1]) != told[0] or told[0] not in waiting:
                    continue
                robot, _, took, words = told
                waiting.remove(robot)
                if words:
                    wrong[robot] = words
                else:
                    still[robot] = took
        wrong |= {name: f"it did not answer within {ANSWER_S:g} s" for name in waiting}
        took_s = time.monotonic() - begun
        for robot in wrong:  # whoever begins its driver again finds it stopped
            with contextlib.suppress(OSError):
                self.place.keep_stopped(robot, by)
        return Answers({n: still[n] for n in self.entries if n in still}, wrong, took_s)

    def close(self) -> None:
        self._socket.close()


def release(by: str, robots: Sequence[str] = (), folder: Path | str | None = None) -> Answers:
    """Let robots move again when they are next asked to; that takes the key for driving."""
    from coterie.link.lines import call

    place = Folder(folder)
    begun = time.monotonic()
    free: dict[str, float] = {}
    wrong: dict[str, str] = {}
    for name, entry in entries(place, robots).items():
        if not alive(entry.pid):  # its driver finds it free when it is begun again
            if place.stopped(name):
                place.keep_stopped(name, "")
                free[name] = 0.0
            else:
                wrong[name] = _gone(entry)
            continue
        try:
            line = call(entry.port, place.key(), f"The driver of {name}")
            try:
                line.send({"do": "release", "robot": name, "by": by})
                said = line.read(ANSWER_S)
            finally:
                line.forget()
            if said is None or said.get("on") != "released":
                raise CoterieError(str((said or {}).get("error", "it did not answer"))[:300])
            free[name] = 0.0
        except CoterieError as err:
            wrong[name] = str(err)
    return Answers(free, wrong, time.monotonic() - begun)


def entries(place: Folder, robots: Sequence[str]) -> dict[str, Entry]:
    """The drivers of some robots, or of all."""
    known = {e.robot: e for e in place.entries()}
    for robot in [e.robot for e in known.values() if e.simulated and not alive(e.pid)]:  # nothing of it moves any more
        place.forget(robot)
        del known[robot]
    for robot in robots:
        if robot not in known:
            raise unknown_name("driven robot", robot, known)
    return {name: e for name, e in known.items() if not robots or name in robots}


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True  # somebody else's
    return True


def _gone(entry: Entry) -> str:
    return f"its driver (process {entry.pid}) does not run any more"
