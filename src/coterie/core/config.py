"""Everything that fixes an episode; it is the first line of its log."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from coterie.core.bounds import MOST_INT, brief, is_name
from coterie.core.errors import CoterieError
from coterie.core.frozen import frozen

_LISTS = ("changes", "cards", "load", "parties")
_SPARSE = (
    "steps",
    "camera",
    "heartbeat",
    "stranger",
    "real",
    "teams",
    "physics",
)  # written only where they are not as usual


@frozen
class Config:
    """The configuration of an episode: task, team, protocol, model, seed. Empty fields take the default."""

    task: str = "pack-objects"  # TASK:LEVEL is both in one
    team: str = ""  # empty: the task's own, or the world's
    protocol: str = ""  # empty: the world's
    model: str = ""  # empty: none, or embedded for protocols that ask one
    seed: int = 0
    scene: str = ""  # empty: the task's own, or the world's
    level: str = ""  # of drawn tasks; empty: the world's
    changes: tuple[str, ...] = ()  # what happens on the way, each like "cto@5"
    guard: bool = False
    noise: str = "none"
    radio: str = "none"  # how the radio between robots fails, like "loss=0.3"; empty or none: it does not
    arms: str = "geometric"
    synchronous: bool = True
    cards: tuple[str, ...] = ()  # files of further robot cards
    load: tuple[str, ...] = ()  # Python files that register worlds, tasks, skills, protocols
    memo: str = ""  # empty: none; "memo", or a variant of it such as "memo:no-splanner"
    parties: tuple[str, ...] = ()  # besides the team, each as NAME=PROTOCOL:ROBOT,ROBOT
    steps: str = ""  # how far low-level actions go, like "move=0.25,turn=90"; empty: the world's
    heartbeat: str = ""  # whom robots know to be alive: "off", a range in metres, or "full", which empty is too
    camera: str = ""  # how robots see where worlds are seen through cameras; empty: the world's
    real: str = ""  # "robots": nothing is simulated but robots without drivers, and robots report what they perceive
    physics: bool = False  # houses: grasps and doors are tried in MuJoCo
    stranger: str = ""  # who joins the team on the way, a party of its own: "irot@50"; several with commas between
    teams: str = ""  # with commas: the task is drawn once, so that each of these can do it; empty: for `team` alone

    def __post_init__(self) -> None:
        task, level = task_and_level(self.task)
        if level and self.level not in ("", level):
            raise CoterieError(f"'{self.task}' names a level, and --level {self.level} another; leave one of them out.")
        object.__setattr__(self, "task", task)
        object.__setattr__(self, "level", level or self.level)
        for name in _LISTS:  # one alone, or a list of them, is meant as well
            object.__setattr__(self, name, several(getattr(self, name)))

    def to_json(self) -> dict[str, Any]:
        every = ((name, getattr(self, name)) for name in _NAMES)
        return {k: list(v) if k in _LISTS else v for k, v in every if v or k not in _SPARSE}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Config:
        known = {f.name for f in fields(cls)}
        if not isinstance(data, dict) or set(data) | set(_SPARSE) != known:
            raise CoterieError("The configuration in the log is not one of this version of Coterie.")
        data = {**{f.name: f.default for f in fields(cls) if f.name in _SPARSE}, **data}
        for f in fields(cls):
            if not _fits(data[f.name], f.default, f.name in _LISTS):
                raise CoterieError(f"The configuration in the log is damaged: `{f.name}` is {brief(data[f.name])}.")
        return cls(**{**data, **{k: tuple(data[k]) for k in _LISTS}})


_NAMES = tuple(f.name for f in fields(Config))


def task_and_level(name: str) -> tuple[str, str]:
    """TASK or TASK:LEVEL, taken apart; the level may be empty."""
    task, _, level = name.rpartition(":")
    return (task, level) if task and "/" not in level and not level.endswith(".toml") else (name, "")


def several(given: str | Iterable[str]) -> tuple[str, ...]:
    """One text, or some, as a tuple."""
    return (given,) if isinstance(given, str) else tuple(given)


def _fits(value: Any, default: Any, many: bool) -> bool:
    """Whether a value is of the kind of the usual one, and texts are such that a file could be named by them."""
    if many:
        return isinstance(value, list) and all(_fits(v, "", False) for v in value)
    if isinstance(value, str):
        return isinstance(default, str) and is_name(value)
    return type(value) is type(default) and abs(value) < MOST_INT
