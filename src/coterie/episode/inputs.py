"""What comes into an episode from outside: changes and words of people, cancellations, late answers of drivers.

All of it is written to the log at the moment it is taken in, and a resumed run takes it from there: what a person did
before a kill happens again at the same place.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping
from typing import Any, NamedTuple

from coterie.core.card import Card
from coterie.core.errors import CoterieError
from coterie.core.event import Event, from_line, to_line
from coterie.core.task import Change, Trigger, goal_from_json
from coterie.log.file import Log


class Utterance(NamedTuple):
    """Words of a person to some robots, or to all."""

    person: str
    text: str
    to: tuple[str, ...] = ("all",)


class Cancellation(NamedTuple):
    """A robot is to stop what it does."""

    robot: str
    by: str = "person"


class Ended(NamedTuple):
    """A driver says that an action has come to its end."""

    robot: str
    status: str
    reason: str


ENDED, REFUSED = "ended", "refused"
Input = Change | Utterance | Cancellation | Ended


class Inputs:
    """Filled from any thread; emptied by the loop."""

    def __init__(self) -> None:
        self._waiting: deque[Input] = deque()
        self._lock = threading.Lock()

    def put(self, item: Input) -> None:
        with self._lock:
            self._waiting.append(item)

    def take(self, log: Log) -> Input | None:
        """The next input: the one that the log holds at this point, or, once its past is over, what has come in."""
        recorded = log.recorded("input", now=True)
        if recorded is not None and recorded["kind"] not in (ENDED, REFUSED):  # those come of other things
            self._forget(recorded)
            return from_json(recorded)
        if log.replaying:
            return None
        with self._lock:
            return self._waiting.popleft() if self._waiting else None

    def _forget(self, recorded: Mapping[str, Any]) -> None:
        """Who watches a resumed run does again what is in the log already; that does not happen twice."""
        with self._lock:
            for item in self._waiting:
                if from_line(to_line(Event(0, 0, 0.0, "input", "", to_json(item)))).data == recorded:
                    self._waiting.remove(item)
                    return


def who(item: Input) -> str:
    if isinstance(item, Change):
        return item.source
    if isinstance(item, Utterance):
        return item.person
    return item.by if isinstance(item, Cancellation) else item.robot


def to_json(item: Input) -> dict[str, Any]:
    if isinstance(item, Change):
        told = {"told": list(item.told), "awaited": item.awaited}
        return {"kind": "change", "change": item.kind, "data": item.data, "source": item.source, **told}
    kind = {Utterance: "utterance", Cancellation: "cancel", Ended: ENDED}[type(item)]
    return {"kind": kind, **item._asdict()}


def from_json(data: Mapping[str, Any]) -> Input:
    rest = {k: v for k, v in data.items() if k != "kind"}
    try:
        if data["kind"] == "utterance":
            return Utterance(rest["person"], rest["text"], tuple(rest["to"]))
        if data["kind"] == "cancel":
            return Cancellation(**rest)
        if data["kind"] == ENDED:
            return Ended(**rest)
        change = dict(rest["data"])
        if isinstance(change.get("goal"), Mapping):
            change["goal"] = goal_from_json(change["goal"])
        if isinstance(change.get("card"), Mapping):
            change["card"] = Card.from_json(change["card"])
        return Change(
            Trigger(step=0), rest["change"], change, tuple(rest["told"]), rest["source"], bool(rest["awaited"])
        )
    except (KeyError, TypeError) as err:
        raise CoterieError(f"The log holds an input that cannot be read: {dict(data)!r:.120}.") from err
