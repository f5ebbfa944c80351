"""Stop means stop: straight to every driver of this machine, past coordinator, planner and loop.

    from coterie.link.stopping import release, stop
    stop("Eve")                 # all robots; each driver answers when they stand still
    release("Eve")              # with the key for driving; nothing moves because of it

A `Console` has its lines to the drivers open beforehand: a stop is then one message to each.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from coterie.core.errors import CoterieError, unknown_name
from coterie.link.folder import Entry, Folder
from coterie.link.lines import DRIVE, Line, call

ANSWER_S = 2.0  # for a driver to say that its robots stand still


class Answers(NamedTuple):
    """What came of a stop: robots that stand still and how long their halt took, and those of which nobody knows."""

    robots: dict[str, float]  # [ms]
    wrong: dict[str, str]  # in words
    took_s: float  # until the last one had answered


def stop(by: str, robots: Sequence[str] = (), folder: Path | str | None = None) -> Answers:
    """Stop all robots, or some. Whoever has the stop-key may; robots stay stopped until they are released."""
    place = Folder(folder)
    begun = time.monotonic()
    found, wrong = _reach(place, robots)
    role, key = place.best_key() if found else ("", b"")
    message = {"do": "stop", "robots": tuple(robots), "by": by}

    def ask(entry: Entry) -> dict[str, Any]:
        line = call(entry.stop_port, key, role, f"The driver of {entry.robot}", first=message)
        try:
            return _answer(line)
        finally:
            line.forget()

    return _gather(place, by, _together(found, ask), wrong, begun)


def release(by: str, robots: Sequence[str] = (), folder: Path | str | None = None) -> Answers:
    """Let robots move again when they are next asked to; that takes the key for driving."""
    place = Folder(folder)
    begun = time.monotonic()
    found, gone = _reach(place, robots)
    key, wrong = place.key() if found else b"", dict(gone)
    message = {"do": "release", "robots": tuple(robots), "by": by}

    def ask(entry: Entry) -> dict[str, Any]:
        line = call(entry.stop_port, key, DRIVE, f"The driver of {entry.robot}")
        try:
            line.send(message)
            return _answer(line)
        finally:
            line.forget()

    free: dict[str, float] = {}
    for host, answer in _together(found, ask):
        if isinstance(answer, dict) and isinstance(answer.get("robots"), tuple):
            free |= dict.fromkeys(map(str, answer["robots"]), 0.0)
        else:
            wrong |= dict.fromkeys(host, _words(answer))
    for robot in [r for r in gone if place.stopped(r)]:  # a driver that does not run finds it when it does
        place.keep_stopped(robot, "")
        wrong.pop(robot)
        free[robot] = 0.0
    return Answers(free, wrong, time.monotonic() - begun)


class Console:
    """Ready to stop: with a line to every driver that runs now."""

    def __init__(self, robots: Sequence[str] = (), folder: Path | str | None = None):
        self.place, self.robots = Folder(folder), tuple(robots)
        self.found, self.wrong = _reach(self.place, robots)
        self.lines: dict[tuple[str, ...], Line] = {}
        role, key = self.place.best_key() if self.found else ("", b"")
        for host, entry in self.found.items():
            try:
                line = call(entry.stop_port, key, role, f"The driver of {', '.join(host)}")
                line.send({"do": "wait", "robots": self.robots, "by": "a console"})
                _answer(line)
                self.lines[host] = line
            except CoterieError as err:
                self.wrong |= dict.fromkeys(host, str(err))

    def stop(self, by: str) -> Answers:
        begun = time.monotonic()
        answers: list[tuple[tuple[str, ...], Any]] = []
        for host, line in self.lines.items():
            try:
                line.send({"do": "stop", "robots": self.robots, "by": by})
            except CoterieError as err:
                answers.append((host, err))
        for host, line in self.lines.items():
            try:
                answers.append((host, _answer(line)))
            except CoterieError as err:
                answers.append((host, err))
        return _gather(self.place, by, answers, self.wrong, begun)

    def close(self) -> None:
        for line in self.lines.values():
            line.forget()


def _reach(place: Folder, robots: Sequence[str]) -> tuple[dict[tuple[str, ...], Entry], dict[str, str]]:
    """Drivers with the robots that each of them serves; and robots whose process is no more."""
    entries = {e.robot: e for e in place.entries()}
    for robot in robots:
        if robot not in entries:
            raise unknown_name("driven robot", robot, entries)
    hosts: dict[int, list[Entry]] = {}
    for entry in entries.values():
        if not robots or entry.robot in robots:
            hosts.setdefault(entry.stop_port, []).append(entry)
    found = {tuple(e.robot for e in some): some[0] for some in hosts.values()}
    gone = {host: entry for host, entry in found.items() if not alive(entry.pid)}
    wrong = {r: f"its driver (process {e.pid}) does not run any more" for host, e in gone.items() for r in host}
    return {host: entry for host, entry in found.items() if host not in gone}, wrong


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True  # somebody else's
    return True


def _answer(line: Line) -> dict[str, Any]:
    said = line.read(ANSWER_S)
    if said is None:
        raise CoterieError(f"it did not answer within {ANSWER_S:g} s")
    if "error" in said:
        raise CoterieError(str(said["error"])[:300])
    return said


def _together(
    found: dict[tuple[str, ...], Entry], ask: Callable[[Entry], dict[str, Any]]
) -> list[tuple[tuple[str, ...], Any]]:
    """Ask all drivers at the same time; none waits for another that does not answer."""
    answers: list[tuple[tuple[str, ...], Any]] = []

    def one(host: tuple[str, ...], entry: Entry) -> None:
        try:
            answers.append((host, ask(entry)))
        except CoterieError as err:
            answers.append((host, err))

    first, *others = found.items() if found else [((), None)]
    threads = [threading.Thread(target=one, args=other) for other in others]
    for thread in threads:
        thread.start()
    if first[1] is not None:
        one(first[0], first[1])
    for thread in threads:
        thread.join()
    return answers


def _gather(place: Folder, by: str, answers: Sequence[Any], wrong: dict[str, str], begun: float) -> Answers:
    still: dict[str, float] = {}
    wrong = dict(wrong)
    for host, answer in answers:
        told = answer.get("robots") if isinstance(answer, dict) else None
        bad = answer.get("wrong") if isinstance(answer, dict) else None
        for robot in host:
            took = told.get(robot) if isinstance(told, dict) else None
            if isinstance(took, (int, float)):
                still[robot] = float(took)
            elif isinstance(bad, dict) and robot in bad:
                wrong[robot] = str(bad[robot])[:300]
            else:
                wrong[robot] = _words(answer)
    took_s = time.monotonic() - begun
    for robot in wrong:  # whoever begins its driver again finds it stopped
        try:
            place.keep_stopped(robot, by)
        except OSError:
            continue
    return Answers(still, wrong, took_s)


def _words(answer: Any) -> str:
    return str(answer) if isinstance(answer, CoterieError) else "its driver said what cannot be read"
