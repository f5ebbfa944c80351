"""Small logs made by hand: a work table, a fridge, a shelf, a high board, and robots that do as they are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from coterie.core.action import Cause
from coterie.core.event import Event
from coterie.worlds.indoor.bodies import team

TABLE = "table"


class Made:
    """`Made(goal).step(Bob=("wait",), Alice=("navigate", "fridge", "stand_pose_0")).events()`

    An action is a tuple of skill and arguments; a last dict may set `status`, `reason`, `cause`, `facts`.
    """

    def __init__(
        self,
        targets: Sequence[str] = ("bowl_0", "book_0"),
        bodies: str = "Ma-MoMa-Mo-UAV",
        goal: Mapping[str, Any] | None = None,
        things: Mapping[str, str] | None = None,
        sees: str = "own",
        limit: int = 20,
    ):
        self.log: list[Event] = []
        self.now = 0
        self.limit = limit
        members = team(bodies)
        places = {"bowl_0": "fridge", "book_0": "shelf", "fork_0": "shelf", **(things or {})}
        self._add(
            "start",
            data={
                "config": {},
                "sees": sees,
                "goal": dict(goal or {"kind": "pack", "targets": list(targets), "into": "tray"}),
                "limit": limit,
                "about": {"difficulty": 0.7, "locations": [2, 2], "helpers": 1, "rejected": 0},
                "robots": {n: {"card": c.to_json(), "pose": [0.0, 0.0]} for n, c in members},
                "scene": {
                    "name": "made",
                    "furniture": [
                        {"name": TABLE, "height_m": 0.8, "opens": False, "open": False},
                        {"name": "fridge", "height_m": 1.0, "opens": True, "open": False},
                        {"name": "shelf", "height_m": 1.2, "opens": False, "open": False},
                        {"name": "high", "height_m": 2.2, "opens": False, "open": False},
                    ],
                    "work": {"table": TABLE, "arm": [0.0, 0.0]},
                },
                "platforms": [["tray", "tray", "", [0.4, 0.0]], ["cutting_board", "board", "", [0.4, 0.2]]],
                "things": [[t, t, "", place, [0.4, 0.0, 0.8]] for t, place in places.items()],
            },
        )

    def _add(self, kind: str, who: str = "", data: Any = None, causes: tuple[int, ...] = ()) -> int:
        self.log.append(Event(len(self.log), self.now, float(self.now), kind, who, data or {}, causes))
        return len(self.log) - 1

    def sees(self, robot: str, **where: str) -> Made:
        """The robot learns where things are."""
        self._add("see", robot, {"facts": [["where", [t], place, robot] for t, place in where.items()]})
        return self

    def change(self, kind: str, **data: Any) -> Made:
        self._add("change", "schedule", {"kind": kind, "bites": True, **data})
        return self

    def joins(self, name: str, body: str) -> Made:
        card = team(body)[0][1]
        self.change("join", robot=name)
        self._add("join", name, {"card": card.to_json()})
        return self

    def refused(self, robot: str, *action: Any, reason: str, cause: Cause | None = None) -> Made:
        asked = {"skill": action[0], "args": list(action[1:])}
        self._add("refused", robot, {"action": asked, "reason": reason, **({"cause": cause} if cause else {})})
        return self

    def asks(self, robot: str, stage: str, tokens: int) -> Made:
        cause = self._add("ask", robot, {"stage": stage, "attempt": 0})
        self._add("reply", robot, {"text": "", "tokens_in": tokens, "tokens_out": 1}, (cause,))
        return self

    def step(self, truth: Sequence[tuple[str, str, Any]] = (), **acts: tuple[Any, ...]) -> Made:
        """One step: who does what, and what is true afterwards."""
        started = []
        for robot, act in acts.items():
            extra = act[-1] if isinstance(act[-1], dict) else {}
            args = [a for a in act[1:] if not isinstance(a, dict)]
            seq = self._add("act", robot, {"skill": act[0], "args": args})
            started.append((robot, act[0], args, extra, seq))
        for robot, skill, args, extra, seq in started:
            data = {
                "action": skill,
                "status": extra.get("status", "done"),
                "reason": extra.get("reason", ""),
                "took": 1,
            }
            data |= {"cause": extra["cause"]} if "cause" in extra else {}
            ended = self._add("outcome", robot, data, (seq,))
            if skill == "communicate" and data["status"] == "done":
                to = [n for n in self.log[0].data["robots"] if n != robot] if "all" in args[1] else list(args[1])
                self._add("message", robot, {"to": to, "text": args[0], "facts": extra.get("facts", [])}, (ended,))
        went = [("at", who, args[0]) for who, skill, args, extra, _ in started if skill == "navigate" and not extra]
        truth = [*went, *truth]
        if truth:
            self._add("truth", data={"facts": [[pred, [name], value] for pred, name, value in truth]})
        self.now += 1
        return self

    def events(self, success: bool = False, partial: float = 0.0) -> list[Event]:
        status = "done" if success else "step limit"
        data = {
            "success": success,
            "partial": partial,
            "steps": self.now,
            "time_s": 1.0,
            "status": status,
            "unfired": [],
        }
        self._add("end", data=data)
        return self.log


def held(robot: str, thing: str) -> list[tuple[str, str, Any]]:
    return [("holding", robot, thing), ("where", thing, robot)]


def laid(robot: str, thing: str, place: str) -> list[tuple[str, str, Any]]:
    return [("holding", robot, None), ("where", thing, place)]


def failed(reason: str, clause: str = "in_view") -> dict[str, Any]:
    """With a cause as it stands in a file."""
    return {"status": "failed", "reason": reason, "cause": Cause(clause).to_json()}
