"""A log told step by step: who did what, what became of it, who was there.

Metrics read an episode through this, so that they work from the log alone: events in memory and lines from a file give
the same story. What a world's logs tell besides, such as where things are, a subclass reads along.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.event import Event


def plain(value: Any) -> Any:
    """Goals and cards as they stand in a log file."""
    return value.to_json() if hasattr(value, "to_json") else value


@dataclass
class Act:
    """One action and what became of it."""

    robot: str
    skill: str
    args: tuple[Any, ...]
    status: str = ""
    reason: str = ""
    clause: str = ""  # the name in its cause, for what is not done
    told: tuple[str, ...] = ()  # who heard a message
    facts: tuple[tuple[Any, ...], ...] = ()  # what travelled with it: (pred, args, value)
    why: str = ""  # as the mind that chose it put it

    @property
    def done(self) -> bool:
        return self.status == "done"

    @property
    def on(self) -> str:
        """What the action is done to: a thing, a container, a piece of furniture."""
        return str(self.args[0]) if self.args and self.skill not in ("communicate", "move") else ""

    @property
    def words(self) -> str:
        return str(self.args[0]) if self.skill == "communicate" and self.args else ""


@dataclass
class Moment:
    """One step: the state in which the robots decided, and what they did."""

    step: int
    acts: list[Act] = field(default_factory=list)
    refused: list[Act] = field(default_factory=list)
    changes: list[dict[str, Any]] = field(default_factory=list)  # that fired at the beginning of this step


class Story:
    """Walks through a log. While `moments()` is iterated, the attributes hold the state before that step's actions."""

    def __init__(self, events: Sequence[Event]):
        if not events or events[0].kind != "start":
            raise CoterieError("This is not the log of an episode: its first line is missing.")
        self.events = events
        self.start = events[0].data
        self.end: dict[str, Any] = events[-1].data if events[-1].kind == "end" else {}
        self.limit: int | None = self.start.get("limit")
        self.cards: dict[str, dict[str, Any]] = {n: plain(r["card"]) for n, r in self.start["robots"].items()}
        self.online: set[str] = set(self.cards)

    # -- reading --------------------------------------------------------------------------------------------------
    def moments(self) -> Iterator[Moment]:
        """One moment per step; the state is brought up to date between them.

        Without a barrier an action may end some steps after it began: a moment holds the actions that begin in it, with
        what became of them later, and what they change holds from their end on.
        """
        now = Moment(0)
        ends, words = self._ends()
        at: dict[int, Act] = {}  # sequence number of an act -> the action
        reached: list[Act] = []  # actions that end well in this moment
        later: list[Event] = []  # truth that holds from the next moment on
        for e in self.events[1:]:
            if e.step != now.step:
                if now.acts or now.changes or now.refused:
                    yield now
                self.settle(reached, later)
                now, later, reached = Moment(e.step), [], []
            if e.kind == "act":
                at[e.seq] = act = Act(e.who, e.data["skill"], _tuples(e.data["args"]), why=e.data.get("why", ""))
                _fill(act, ends.get(e.seq), words.get(e.seq))
                now.acts.append(act)
            elif e.kind == "outcome":
                done = at.get(e.causes[0]) if e.causes else None
                if done is not None and done.done:
                    reached.append(done)
            elif e.kind == "refused":
                a = e.data["action"]
                told, clause = e.data["reason"], _clause(e)
                now.refused.append(Act(e.who, a["skill"], _tuples(a["args"]), "refused", told, clause))
            elif e.kind == "see":
                self.see(e)
            elif e.kind == "change":
                self.change(e.data)
                now.changes.append(e.data)
            elif e.kind == "join":
                self.join(e)
            elif e.kind == "truth":
                later.append(e)
        if now.acts or now.changes or now.refused:
            yield now
        self.settle(reached, later)

    def _ends(self) -> tuple[dict[int, Event], dict[int, Event]]:
        """For every action, by its number: the event of its end, and that of the message it sent."""
        ends = {e.causes[0]: e for e in self.events if e.kind == "outcome" and e.causes}
        began = {e.seq: seq for seq, e in ends.items()}
        sent = {began[e.causes[0]]: e for e in self.events if e.kind == "message" and e.causes and e.causes[0] in began}
        return ends, sent

    # -- what a world's own reader overrides ----------------------------------------------------------------------
    def settle(self, ended: Iterable[Act], truths: Iterable[Event]) -> None:
        """A step is over: the actions that ended well in it, and what is true from now on."""

    def see(self, e: Event) -> None:
        """A robot perceives something."""

    def change(self, data: Mapping[str, Any]) -> None:
        if data["kind"] == "leave":
            self.online.discard(data["robot"])

    def join(self, e: Event) -> None:
        self.cards[e.who] = plain(e.data["card"])
        self.online.add(e.who)


def _fill(act: Act, end: Event | None, message: Event | None) -> None:
    if end is not None:
        act.status, act.reason, act.clause = end.data["status"], end.data["reason"], _clause(end)
    if message is not None and act.skill == "communicate":
        act.told = tuple(message.data["to"])
        act.facts = tuple((f[0], tuple(f[1]), _plain_key(f[2])) for f in message.data.get("facts", ()))


def _clause(e: Event) -> str:
    """Empty for what is done, and in logs of worlds that give no causes."""
    cause = plain(e.data.get("cause"))
    return str(cause["clause"]) if cause else ""


def _tuples(args: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(tuple(a) if isinstance(a, list) else a for a in args)


def _plain_key(value: Any) -> str:
    return str(plain(value))
