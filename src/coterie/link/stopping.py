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
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from coterie.core.errors import CoterieError, unknown_name
from coterie.link.folder import Entry, Folder
from coterie.link.shots import Answer, Hurry, Seal, shoot

ANSWER_S = 2.0  # for a robot to say that it stands still, and that this is kept


class Answers(NamedTuple):
    """Results: robots that stand still and how long their halt took, and those of which nobody knows. Of the
    first, `unkept` names those whose stop ends with their driver, since the disk did not take it."""

    robots: dict[str, float]  # [ms]
    wrong: dict[str, str]  # in words
    took_s: float  # until the last one had answered
    unkept: dict[str, str] = {}  # likewise


def stop(by: str, robots: Sequence[str] = (), folder: Path | str | None = None) -> Answers:
    """Stop all robots, or some, with the stop-key; they stay stopped until they are released."""
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
        answers = self._shoot(by, self.entries)
        if len(answers) < len(self.entries):  # perhaps because their drivers were begun again
            now = {e.robot: e for e in self.place.entries() if e != self.entries.get(e.robot, e)}
            self.entries |= now
            answers |= self._shoot(by, {name: e for name, e in now.items() if name not in answers})
        wrong = {name: a.wrong for name, a in answers.items() if a.wrong}
        for name, entry in self.entries.items():
            if name not in answers:
                wrong[name] = f"it did not answer within {ANSWER_S:g} s" if alive(entry.pid) else _gone(entry)
        unkept = {name: a.unkept for name, a in answers.items() if a.unkept}
        took_s = time.monotonic() - begun
        for robot in {**wrong, **unkept}:  # a driver that is begun again, or wakes up, finds it stopped
            try:
                self.place.keep_stopped(robot, by)
                unkept.pop(robot, None)
            except OSError as err:
                if robot in wrong:
                    wrong[robot] += f", and that it is stopped could not be kept: {err.strerror}"
        still = {n: answers[n].took_ms for n in self.entries if n in answers and n not in wrong}
        return Answers(still, wrong, took_s, {n: w for n, w in unkept.items() if n in still})

    def _shoot(self, by: str, entries: Mapping[str, Entry]) -> dict[str, Answer]:
        aims = {name: (e.stop_port, e.life) for name, e in entries.items() if alive(e.pid)}
        return shoot(self._socket, Seal(self.key), aims, by, ANSWER_S)

    def close(self) -> None:
        self._socket.close()


def release(by: str, robots: Sequence[str] = (), folder: Path | str | None = None) -> Answers:
    """Let robots move again when they are next asked to; that takes the key for driving."""
    place = Folder(folder)
    begun = time.monotonic()
    free: dict[str, float] = {}
    wrong: dict[str, str] = {}
    for name, entry in entries(place, robots).items():
        try:
            _release(place, entry, by)
            free[name] = 0.0
        except OSError as err:
            wrong[name] = f"that it is stopped cannot be taken back: {err.strerror}"
        except CoterieError as err:
            wrong[name] = str(err)
    return Answers(free, wrong, time.monotonic() - begun)


def _release(place: Folder, entry: Entry, by: str) -> None:
    from coterie.link.lines import Gone, call

    name = entry.robot
    if not alive(entry.pid):  # its driver finds it free when it is begun again
        if not place.stopped(name):
            raise CoterieError(_gone(entry))
        place.let_go(name)
        return
    line = call(entry.port, place.key(), name, f"The driver of {name}", entry.far_port)
    try:
        seen: object = None
        for do, on in (("see", "seen"), ("release", "released")):
            line.send({"do": do, "seen": seen, "by": by})
            said = line.read(ANSWER_S)
            if said is None or said.get("on") != on:
                raise Gone(str((said or {}).get("error", "it did not answer"))[:300])
            seen = said.get("seen")
    finally:
        line.forget()


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
        return True  # another user's
    return True


def _gone(entry: Entry) -> str:
    return f"its driver (process {entry.pid}) does not run any more"
