"""The base class of typed events (`records.py`): reads their data by name, and writes it back unchanged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, field, fields
from functools import cache
from types import MappingProxyType
from typing import Any, ClassVar, Self, TypeVar

from coterie.core.action import Cause
from coterie.core.errors import CoterieError
from coterie.core.event import Event
from coterie.core.frozen import frozen

Raw = dict[str, Any]
Rows = Sequence[Sequence[Any]]  # facts; what stands in a row is said where it is used
DAMAGE = (KeyError, TypeError, ValueError, IndexError, AttributeError, ArithmeticError, RecursionError)


def cause_of(told: Cause | Raw) -> Cause:
    """As a line of a log has it, or an event in memory."""
    return told if isinstance(told, Cause) else Cause.from_json(told)


def plain(value: Any) -> Any:
    """Goals and cards as they stand in a file; in memory they may be the things themselves."""
    return value.to_json() if hasattr(value, "to_json") else value


def tuples(values: Sequence[Any]) -> tuple[Any, ...]:
    """Arguments of an action: arrays of a file become tuples again."""
    found = tuple(values)
    return tuple(tuple(v) if type(v) is list else v for v in found) if list in map(type, found) else found


def _robots(robots: Mapping[str, Raw]) -> dict[str, Raw]:
    return {name: {**robot, "card": plain(robot["card"])} for name, robot in robots.items()}


_READERS: dict[str, Any] = {
    "goal": plain, "card": plain, "robots": _robots, "cause": lambda c: None if c is None else cause_of(c),
    "args": tuples, "partial": float, "done": bool, "success": bool, "found": bool,
}  # fmt: skip


_EMPTY: Any = MappingProxyType({})  # shared by all lines that lack a table


T = TypeVar("T", bound="Record")


@frozen
class Record:
    """The data of an event by name. `raw` is the data of its line, unknown keys included."""

    WHO: ClassVar[str] = "robot"  # whom `who` of the event names
    SPARSE: ClassVar[frozenset[str]] = frozenset()  # keys that are written only where they are not as usual

    raw: Raw = field(default_factory=dict, kw_only=True, repr=False, compare=False)

    @classmethod
    def from_event(cls, event: Event) -> Self:
        data = event.data
        values: dict[str, Any] = {"raw": data}
        for name, default, reader in _fields(cls):  # type: ignore[arg-type]
            value = data[name] if default is MISSING else data.get(name, default)
            values[name] = value if reader is None else reader(value)
        return made(cls, values)

    def __deepcopy__(self, memo: object) -> Self:
        return self  # nobody changes it

    def data(self) -> dict[str, Any]:
        """For the log. What was read from a line is written as it stood there, further keys included."""
        data = dict(self.raw)
        for f in fields(self):
            value = getattr(self, f.name)
            if f.name == "raw" or (f.name in data and data[f.name] == value):
                continue
            always = not self.raw and f.name not in self.SPARSE
            if always or f.name in data or value != (f.default if f.default is not MISSING else _EMPTY):
                data[f.name] = value.to_json() if isinstance(value, Cause) else value
        return data


def made(cls: type[T], values: dict[str, Any]) -> T:
    """All fields at once: a frozen class takes its time to make, and a log has thousands of some kinds."""
    told = _new(cls)
    _set(told, "__dict__", values)
    return told


_new, _set = object.__new__, object.__setattr__


@cache
def _fields(cls: type[Record]) -> Sequence[tuple[str, Any, Any]]:
    """Name, default (MISSING where a line must say it) and reader of each field that a line holds."""
    made = ((f.name, f.default if f.default_factory is MISSING else _EMPTY) for f in fields(cls) if f.name != "raw")
    return [(name, default, _READERS.get(name)) for name, default in made]


def damaged(event: Event) -> CoterieError:
    return CoterieError(f"Line {event.seq + 1} of the log ('{event.kind}') is damaged.")


def read(cls: type[T], event: Event) -> T:
    """Return the record of an event; a CoterieError that names its line where it is damaged."""
    try:
        return cls.from_event(event)
    except DAMAGE as err:
        raise damaged(event) from err
