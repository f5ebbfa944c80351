"""A stop on its way: one datagram to each robot, at a port where the thread that halts it listens itself.

There is nothing to be opened, asked or waited for before it: whoever has the stop-key signs who is to stop, who says so
and when, and sends it. The robot's driver answers when the robot stands still; until then it is sent again. An old or a
repeated one stops nobody a second time.

`coterie stop` sends its shots before it loads anything else, this module included: see `fire`.
"""

from __future__ import annotations

import hmac
import json
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

from coterie.link.fire import HERE, MOST_NAME, MOST_SHOT, Hurry, fire, me, robots_path

__all__ = [
    "HERE", "MOST_NAME", "MOST_SEEN", "MOST_SHOT", "OLD_S", "Hurry", "Shot", "answer", "fire", "me", "read_answer",
    "read_shot", "robots_path", "shot",
]  # fmt: skip
MOST_SEEN = 1_000  # shots that are remembered
OLD_S = 30.0  # after which a shot is not believed any more


class Shot(NamedTuple):
    robot: str
    by: str
    at: float  # when it was sent, on the clock of the machine [s]
    mark: str


def shot(key: bytes, robot: str, by: str) -> bytes:
    by = by[:MOST_NAME] or "somebody"
    at = time.time()
    return _signed(key, {"do": "stop", "robot": robot, "by": by, "at": at})


def read_shot(key: bytes, raw: bytes, robot: str) -> Shot | None:
    """A shot at this robot, sent lately by somebody with the key; None for everything else."""
    told = _read(key, raw)
    if told is None or told.get("do") != "stop" or told.get("robot") != robot:
        return None
    by, at = told.get("by"), told.get("at")
    good = isinstance(by, str) and 0 < len(by) <= MOST_NAME and isinstance(at, float)
    if not good or not abs(time.time() - float(at or 0.0)) <= OLD_S:
        return None
    return Shot(robot, str(by), float(at or 0.0), str(told["mark"]))


def answer(key: bytes, to: Shot, took_ms: float, wrong: str) -> bytes:
    return _signed(key, {"on": "stopped", "robot": to.robot, "to": to.mark, "ms": took_ms, "wrong": wrong[:300]})


def read_answer(key: bytes, raw: bytes) -> tuple[str, str, float, str] | None:
    """Which robot answers which shot, how long its halt took [ms], and what went wrong with it."""
    told = _read(key, raw)
    if told is None or told.get("on") != "stopped":
        return None
    robot, to, took, wrong = (told.get(k) for k in ("robot", "to", "ms", "wrong"))
    if not (isinstance(robot, str) and isinstance(to, str) and isinstance(took, float) and isinstance(wrong, str)):
        return None
    return robot, to, took, wrong


def _signed(key: bytes, told: Mapping[str, Any]) -> bytes:
    text = json.dumps(dict(told), separators=(",", ":"))
    return f"{hmac.digest(key, text.encode(), 'sha256').hex()} {text}".encode()


def _read(key: bytes, raw: bytes) -> dict[str, Any] | None:
    mark, _, text = raw.partition(b" ")
    if len(raw) > MOST_SHOT or not hmac.compare_digest(hmac.digest(key, text, "sha256").hex().encode(), mark):
        return None
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return {**told, "mark": mark.decode()} if isinstance(told, dict) else None
