"""The near end of a link: a protocol whose decisions are made in another process.

    make = functools.partial(Remote, "rules", entry.ground(start))
    party = Party("team", make, names)

There is one process for each robot, and one line of JSON for each thing that is said (`core/wire.py`). The far end
(`child.py`) is told what the robot perceives, hears and learns, and what everybody may know of the place; the truth of
the world stays here. Decisions, talk and requests to models come back, and are those the same protocol would make here.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import coterie
from coterie.core.action import Action, Outcome
from coterie.core.errors import CoterieError
from coterie.core.protocol import Asking, Option, RobotView, TeamProtocol, TeamView
from coterie.core.task import Change
from coterie.core.wire import from_wire, to_wire
from coterie.link.lines import Twin

COMMAND = (sys.executable, "-m", "coterie.link.child")
PATIENCE_S = 5.0  # for a process to end by itself when nobody speaks to it any more


class Remote(TeamProtocol):
    """One robot's mind in a process of its own. `protocol` must be one that sees its own robot alone."""

    sees = "own"
    about = "a mind in another process"

    def __init__(self, protocol: str, ground: Mapping[str, Any], command: Sequence[str] = COMMAND):
        self.protocol, self.ground, self.command = protocol, dict(ground), tuple(command)
        self.twin: Twin | None = None
        self._process: subprocess.Popen[str] | None = None
        self._outcome: Outcome | None = None  # the last that the far end was told

    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        return (yield from self._think("decide", team))

    def between(self, team: TeamView, busy: Sequence[str]) -> Asking:
        return (yield from self._think("between", team))

    def _think(self, do: str, team: TeamView) -> Asking:
        me = team.me
        answer = self.call(do, me, clock=(team.step, team.time))
        while "asks" in answer:
            replies = yield list(answer["asks"])
            answer = self.call("resume", me, replies=tuple(replies))
        if "option" in answer:
            return {me.name: Elsewhere(self, answer["option"])}
        action = answer["action"]
        return {} if action is None else {me.name: action}

    def told(self, change: Change) -> None:
        if self._process is not None:  # one that has not begun hears of it through its belief
            self._say({"do": "told", "change": change})

    # -- the line ---------------------------------------------------------------------------------------------------
    def call(self, do: str, me: RobotView, **more: Any) -> dict[str, Any]:
        """Ask the far end to do something, after telling it what is new; what it says and notes is taken over here."""
        if self.twin is None:
            self.twin = Twin(me.belief)
            self._begin(me)
        view: dict[str, Any] = {
            "step": me.step,
            "time": me.time,
            "inbox": tuple(me.inbox),
            "heartbeat": me.heartbeat,
            "pulse": me.pulse,
            "refusals": tuple(me.refusals),
        }
        if me.outcome is not self._outcome:  # some minds know a new outcome from one they have seen by its identity
            view["outcome"] = self._outcome = me.outcome
        answer = self._say({"do": do, "view": view, "news": self.twin.news(), **more})
        self.twin.take(answer["news"])
        me.outbox.extend(answer["said"])
        return answer

    def _begin(self, me: RobotView) -> None:
        path = os.pathsep.join(filter(None, (str(Path(coterie.__file__).parents[1]), os.environ.get("PYTHONPATH"))))
        try:
            self._process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                encoding="utf-8",
                env={**os.environ, "PYTHONPATH": path},
            )
        except OSError as err:
            raise CoterieError(f"Cannot start the mind of {me.name} with '{' '.join(self.command)}': {err}.") from err
        weakref.finalize(self, _hang_up, self._process)
        self._say(
            {
                "do": "begin",
                "protocol": self.protocol,
                "ground": self.ground,
                "name": me.name,
                "card": me.card,
                "step_limit": me.step_limit,
                "seed": me.seed,
                "sure": me.sure,
            }
        )

    def _say(self, request: dict[str, Any]) -> dict[str, Any]:
        process = self._process
        assert process is not None and process.stdin is not None and process.stdout is not None
        line = ""
        with contextlib.suppress(OSError):  # told below
            process.stdin.write(to_wire(request) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        if not line.endswith("\n"):
            raise CoterieError(
                f"The mind in the other process has gone (exit status {process.wait(PATIENCE_S)}); its last words, if "
                "any, are on the error output."
            )
        answer = from_wire(line)
        if not isinstance(answer, dict) or "error" in answer:
            raise CoterieError(answer["error"] if isinstance(answer, dict) else f"Not an answer: {line.strip()}.")
        return answer


class Elsewhere(Option):
    """An option that lives at the far end."""

    def __init__(self, mind: Remote, name: str):
        self.mind, self.name = mind, name

    def step(self, me: RobotView) -> Action | None:
        action: Action | None = self.mind.call("step", me)["action"]
        return action

    def interrupted(self, me: RobotView) -> str | None:
        why: str | None = self.mind.call("interrupted", me)["why"]
        return why


def _hang_up(process: subprocess.Popen[str]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
    try:
        process.wait(PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
