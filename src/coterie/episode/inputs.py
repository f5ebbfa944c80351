"""Inputs of an episode: changes and words of people, cancellations, stops, reports of drivers.

All of it is written to the log at the moment it is taken in, and a resumed run takes it from there: what a person did
before a kill happens again at the same place.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping
from typing import Any, NamedTuple

from coterie.core.action import Cause
from coterie.core.card import Card
from coterie.core.errors import CoterieError
from coterie.core.event import Event, from_line, to_line
from coterie.core.facts import Fact
from coterie.core.record import cause_of
from coterie.core.sight import Sight
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


class Stop(NamedTuple):
    """Robots stand still, without decisions, until they are released (`on` is False)."""

    by: str
    names: tuple[str, ...] = ("all",)
    on: bool = True
    via: str = ""  # BELL: by `coterie stop`, past everything else


class Ended(NamedTuple):
    """A driver says that an action has come to its end."""

    robot: str
    status: str
    reason: str
    cause: Cause | None = None
    facts: tuple[Fact, ...] = ()


class Stood(NamedTuple):
    """A driver reports that its robot can or cannot be reached, or was stopped or released."""

    robot: str
    there: bool
    stopped: str  # by whom
    why: str = ""


class Sensed(NamedTuple):
    """A driver says what its robot perceives."""

    robot: str
    sight: Sight


class Driven(NamedTuple):
    """Robots with drivers that outlive the run, and the name by which these know the run."""

    run: str
    names: tuple[str, ...]
    since: int = 0  # the place in the log from which on actions are of this run


class Came(NamedTuple):
    """A result that the mind of a party waited for outside of the episode, such as a plan, has arrived."""

    party: str
    what: str


ENDED, REFUSED, DRIVEN, SENSED = "ended", "refused", "driven", "sensed"
BELL = "bell"
AT_START = "start"  # a stop that came while minds thought, before what they decided is begun
AT_FIRST = "first"  # what robots perceive before anything is decided
AT_END = "end"  # what a robot perceived before its action came to an end
LATE = "late"  # while minds thought about what had come in between two decisions
Input = Change | Utterance | Cancellation | Stop | Ended | Stood | Sensed | Driven | Came
_KINDS: dict[type, str] = {
    Utterance: "utterance", Cancellation: "cancel", Stop: "stop", Ended: ENDED, Stood: "standing", Sensed: SENSED,
    Driven: DRIVEN, Came: "came",
}  # fmt: skip


class Inputs:
    """Filled from any thread; emptied by the loop."""

    def __init__(self) -> None:
        self._waiting: deque[Input] = deque()
        self._lock = threading.Condition()

    def put(self, item: Input) -> None:
        with self._lock:
            self._waiting.append(item)
            self._lock.notify_all()

    def take(self, log: Log, when: str = "") -> Input | None:
        """The next input: the one that the log holds at this point, or, once its past is over, what has come in."""
        recorded = log.recorded("input", now=True)
        if recorded is not None and recorded.get("when", "") != when:
            return None  # it came in later in the same step
        if recorded is not None and recorded["kind"] not in (ENDED, REFUSED, DRIVEN):  # those come of other things
            self._forget(recorded)
            return from_json(recorded)
        if log.replaying:
            return None
        with self._lock:
            if when == AT_START:  # the rest keeps its place
                stop = next((i for i in self._waiting if isinstance(i, Stop)), None)
                if stop is not None:
                    self._waiting.remove(stop)
                return stop
            return self._waiting.popleft() if self._waiting else None

    @property
    def waiting(self) -> bool:
        return bool(self._waiting)

    def wait(self, seconds: float) -> None:
        """Until something comes in, or that time has gone by on the clock."""
        with self._lock:
            self._lock.wait_for(lambda: self._waiting, seconds)

    def _forget(self, recorded: Mapping[str, Any]) -> None:
        """Drop the inputs that a watcher of a resumed run repeats, since the log has them already."""
        with self._lock:
            for item in self._waiting:
                as_read = from_line(to_line(Event(0, 0, 0.0, "input", "", to_json(item)))).data
                if as_read == {k: v for k, v in recorded.items() if k != "when"}:
                    self._waiting.remove(item)
                    return


def who(item: Input) -> str:
    if isinstance(item, Change):
        return item.source
    if isinstance(item, Utterance):
        return item.person
    if isinstance(item, Driven):
        return ""
    if isinstance(item, Came):
        return item.party
    return item.by if isinstance(item, (Cancellation, Stop)) else item.robot


def to_json(item: Input, when: str = "") -> dict[str, Any]:
    """As the log keeps it; `when` in a step, where that is not as usual."""
    return {**_to_json(item), **({"when": when} if when else {})}


def _to_json(item: Input) -> dict[str, Any]:
    if isinstance(item, Change):
        told = {"told": list(item.told), "awaited": item.awaited}
        return {"kind": "change", "change": item.kind, "data": item.data, "source": item.source, **told}
    told = {"kind": _KINDS[type(item)], **item._asdict()}
    if isinstance(item, Sensed):
        told["sight"] = item.sight.to_json()
    elif isinstance(item, Driven) and not item.since:
        del told["since"]
    elif isinstance(item, Ended):
        facts = [[f.pred, f.args, f.value, f.time, f.source] for f in item.facts]
        more = {"cause": item.cause, "facts": facts}
        told = {k: v for k, v in told.items() if k not in more} | {k: v for k, v in more.items() if v}
    return told


def as_logged(item: Input) -> Input:
    """An input as a resumed run reads it from the log: tuples and lists are the same there."""
    return from_json(from_line(to_line(Event(0, 0, 0.0, "input", "", to_json(item)))).data)


def from_json(data: Mapping[str, Any]) -> Input:
    rest = {k: v for k, v in data.items() if k not in ("kind", "when")}
    try:
        for made in (Utterance, Cancellation, Stop, Stood, Came):
            if data["kind"] == _KINDS[made]:
                return made(**{k: _frozen(v) for k, v in rest.items()})
        if data["kind"] == SENSED:
            return Sensed(rest["robot"], Sight.from_json(rest["sight"]))
        if data["kind"] == ENDED:
            cause = rest.get("cause")
            facts = tuple(Fact(p, tuple(a), _frozen(v), t, s) for p, a, v, t, s in rest.get("facts", ()))
            why = None if cause is None else cause_of(cause)
            return Ended(rest["robot"], rest["status"], rest["reason"], why, facts)
        change = dict(rest["data"])
        if isinstance(change.get("goal"), Mapping):
            change["goal"] = goal_from_json(change["goal"])
        if isinstance(change.get("card"), Mapping):
            change["card"] = Card.from_json(change["card"])
        return Change(
            Trigger(step=0), rest["change"], change, tuple(rest["told"]), rest["source"], bool(rest["awaited"])
        )
    except (KeyError, TypeError, ValueError) as err:
        raise CoterieError(f"The log holds an input that cannot be read: {dict(data)!r:.120}.") from err


def _frozen(value: Any) -> Any:
    """Lists of a file as the tuples that facts hold."""
    return tuple(_frozen(v) for v in value) if isinstance(value, list) else value
