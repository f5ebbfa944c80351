"""Tasks: goals, changes on the way, and progress."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, fields
from typing import Any, NamedTuple, Protocol

from coterie.core.expr import Lookup
from coterie.core.facts import Fact
from coterie.core.frozen import frozen
from coterie.core.registry import Registry
from coterie.core.skill import Rule


class Trigger(NamedTuple):
    """When a change is due: at the start of a step, or at a simulated time [s]."""

    step: int | None = None
    time: float | None = None

    def due(self, step: int, now: float) -> bool:
        return (self.step is not None and step >= self.step) or (self.time is not None and now >= self.time - 1e-9)


class Change(NamedTuple):
    """Something that happens to a running episode.

    `data` may hold `{"choose": {...}}`: the world then settles the details when the change fires, from the truth of
    that moment and the episode's seed, so that it matters. `told` names who learns of it in words ("all", or robots).
    A team that has reached its goal goes on for a change that is `awaited`, and not for others: a stranger who is due
    much later keeps nobody waiting.
    """

    at: Trigger
    kind: str
    data: dict[str, Any]
    told: tuple[str, ...] = ()
    source: str = "schedule"
    awaited: bool = True


class Progress(NamedTuple):
    """How far a goal is reached."""

    done: bool
    partial: float  # partial success, 0 to 1
    text: str  # the status line every robot reads
    lost: bool = False  # nothing can be saved any more: the episode ends here


class Wanted(NamedTuple):
    """A thing that is not where it belongs, and its home."""

    thing: str
    home: str


class Goal(Protocol):
    """The goal of a task, judged on the truth of a world or on a belief.

    Goals that ask for things in places say what is missing and where it belongs; a goal of another kind inherits
    answers of "nothing".
    """

    @property
    def kind(self) -> str: ...
    def progress(self, look: Lookup) -> Progress: ...
    def text(self) -> str: ...

    def to_json(self) -> dict[str, Any]:
        """The kind, and the fields of a dataclass; `goals` has a reader for each kind."""
        own = (f.name for f in fields(self) if f.name != "kind")  # type: ignore[arg-type]
        return {"kind": self.kind, **{name: _as_lists(getattr(self, name)) for name in own}}

    def facts(self) -> list[Fact]:
        """Return the facts of the goal that every robot is told."""
        return [Fact("goal", (), self)]

    @property
    def targets(self) -> tuple[str, ...]:
        """The things it asks for."""
        return ()

    @property
    def platforms(self) -> tuple[str, ...]:
        """Places that may hold what belongs there, and nothing else."""
        return ()

    def home(self, thing: str) -> str | None:
        """Where a thing belongs; None for what the goal does not ask for."""
        return None

    def missing(self, look: Lookup) -> list[Wanted]:
        """Return the targets that are not where they belong according to `look`; an unknown place counts as missing."""
        wanted = [Wanted(t, home) for t in self.targets if (home := self.home(t)) is not None]
        return [w for w in wanted if look("where", w.thing) != w.home]


def _as_lists(value: Any) -> Any:
    return [_as_lists(v) for v in value] if isinstance(value, tuple) else value


@frozen
class Task:
    """One problem, complete: together with a seed it fixes the world, the changes and every sampled choice."""

    name: str
    goal: Goal
    setting: Any  # what the world starts from; the world's own data class
    robots: tuple[tuple[str, Any], ...]  # (name, card)
    rules: tuple[Rule, ...] = ()
    changes: tuple[Change, ...] = ()
    step_limit: int | None = None
    time_limit_s: float | None = None
    split: str = "test"
    seed: int = 0
    about: Mapping[str, Any] = field(default_factory=dict)  # labels for tables: level, team, scene, difficulty


#: Kinds of goals, each read from its JSON; a world registers those of its tasks.
goals: Registry[Callable[[Mapping[str, Any]], Goal]] = Registry("kind of goal")


def goal_from_json(data: Mapping[str, Any]) -> Goal:
    """A goal from what its `to_json` gave."""
    return goals.get(str(data.get("kind", "")))(data)
