"""The wire form: everything that robots hold true, say, do and learn, as plain JSON, there and back.

`decode(encode(x)) == x` for texts, numbers, UNKNOWN, tuples, lists, tables, sets, cards, goals, and for facts, actions,
causes, outcomes, messages, changes, rules, requests and replies with any of these inside. JSON has no tuples, which
beliefs are full of, so an array is a tuple and everything else that JSON lacks is an object with one key that begins
with `~`:

    ["bowl_0", "book_0"]                        a tuple
    {"~list": ["bowl_0"]}                       a list
    {"~unknown": null}                          UNKNOWN
    {"~goal": {"kind": "pack", ...}}            a goal, as its own `to_json` gives it
    {"~fact": {"pred": "where", "args": ["bowl_0"], "value": "shelf", "time": 3.5, "source": "Alice"}}

The log keeps its own, shorter lines (`event.py`): it is read by people and loses what tuples and lists differ in.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, NamedTuple

from coterie.core.action import Action, Cause, Message, Outcome, Verdict
from coterie.core.area import Patch
from coterie.core.card import Card
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.expr import All, Compare, Fluent, Not, Some, Sum
from coterie.core.facts import UNKNOWN, Fact
from coterie.core.protocol import Ask, Reply
from coterie.core.sight import Detection, Picture, Sight
from coterie.core.skill import Clause, Rule
from coterie.core.task import Change, Progress, Trigger, goal_from_json, goals
from coterie.core.world import Observation

MARK = "~"


class Form(NamedTuple):
    """How values of one class travel: `give` makes JSON of one, `take` makes one of what `give` gave."""

    tag: str
    give: Callable[[Any], Any]
    take: Callable[[Any], Any]


_forms: dict[type, Form] = {}
_tags: dict[str, Callable[[Any], Any]] = {}


def carry(cls: type, tag: str, give: Callable[[Any], Any], take: Callable[[Any], Any]) -> None:
    """Let values of a class travel: one of a user's own, whose values stand in facts or messages."""
    if tag in _tags:
        raise CoterieError(f"There is already a wire form named '{tag}'; give yours another name.")
    _forms[cls] = Form(f"{MARK}{tag}", give, take)
    _tags[tag] = take


def encode(value: Any) -> Any:
    """A value as plain JSON: None, booleans, numbers, texts, lists and dicts with texts as keys."""
    kind = type(value)
    if value is None or kind in (str, bool, int):
        return value
    if kind is float:
        return value if math.isfinite(value) else {"~float": repr(value)}
    if kind is tuple:
        return [encode(v) for v in value]
    form = _forms.get(kind)
    if form is not None:
        return {form.tag: form.give(value)}
    return _encode_rarely(value)


def _encode_rarely(value: Any) -> Any:
    if value is UNKNOWN:
        return {"~unknown": None}
    if isinstance(value, list):
        return {"~list": [encode(v) for v in value]}
    if isinstance(value, Mapping):
        if all(isinstance(k, str) and not k.startswith(MARK) for k in value):
            return {k: encode(v) for k, v in value.items()}
        return {"~dict": [[encode(k), encode(v)] for k, v in value.items()]}
    if isinstance(value, (set, frozenset)):
        members = sorted((encode(v) for v in value), key=json.dumps)
        return {"~set" if isinstance(value, set) else "~frozenset": members}
    if callable(getattr(value, "to_json", None)) and getattr(value, "kind", None) in goals:
        return {"~goal": value.to_json()}
    if not isinstance(value, tuple):
        for plain in (str, bool, int, float):  # names and numbers of somebody's own make, also numpy's
            if isinstance(value, plain):
                return encode(plain(value))
        if callable(getattr(value, "item", None)) and getattr(value, "ndim", 1) == 0:
            return encode(value.item())
    raise CoterieError(
        f"{value!r} has no wire form; facts, messages and actions hold texts, numbers, tuples, cards and goals. "
        f"For a class of your own, call coterie.core.wire.carry({type(value).__name__}, ...); a kind of goal is put "
        "into coterie.core.task.goals."
    )


def decode(data: Any) -> Any:
    """The value whose `encode` gave this."""
    kind = type(data)
    if kind is list:
        return tuple([decode(v) for v in data])
    if kind is not dict:
        return data
    if len(data) == 1:
        (key,) = data
        if key.startswith(MARK):
            take = _tags.get(key[1:])
            if take is None:
                raise unknown_name("wire form", key[1:], _tags)
            try:
                return take(data[key])
            except (TypeError, ValueError, KeyError, AttributeError) as err:
                raise CoterieError(f"What came over the wire is not a {key[1:]}: {err}.") from err
    return {k: decode(v) for k, v in data.items()}


def to_wire(value: Any) -> str:
    """One line of JSON, in characters that every pipe can carry."""
    return json.dumps(encode(value), separators=(",", ":"), allow_nan=False)


def from_wire(line: str) -> Any:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as err:
        raise CoterieError(f"What came over the wire is not JSON: {err}.") from err
    return decode(data)


def pack(value: Any) -> bytes:
    """A state of a world for its `snapshot`: data, which can hold no code."""
    return to_wire(value).encode("ascii")


def unpack(data: bytes) -> Any:
    return from_wire(data.decode("ascii", errors="replace"))


# -- the words of Coterie -----------------------------------------------------------------------------------------
def carry_record(cls: Any, tag: str) -> None:
    """Let a named tuple or dataclass travel by the names of its fields: one more does not make old lines unreadable."""
    if is_dataclass(cls):
        defaults = {f.name: f.default for f in fields(cls) if f.default is not MISSING}
        names: tuple[str, ...] = tuple(f.name for f in fields(cls))
    else:
        defaults, names = cls._field_defaults, cls._fields

    def give(value: Any) -> dict[str, Any]:
        held = {name: getattr(value, name) for name in names}
        return {name: encode(v) for name, v in held.items() if not (name in defaults and v is defaults[name])}

    def take(data: dict[str, Any]) -> Any:
        return cls(**{name: decode(v) for name, v in data.items()})

    carry(cls, tag, give, take)


for _cls in (
    Fact, Action, Cause, Message, Outcome, Verdict, Trigger, Change, Progress, Observation, Ask, Reply, Card, Rule,
    Clause, Fluent, Sum, Compare, Not, All, Some, Detection, Picture, Sight,
):  # fmt: skip
    carry_record(_cls, _cls.__name__.lower())
carry(Patch, "patch", lambda patch: patch.text, Patch.read)
_tags["goal"] = goal_from_json
_tags["unknown"] = lambda _: UNKNOWN
_tags["float"] = float
_tags["list"] = lambda members: [decode(v) for v in members]
_tags["dict"] = lambda pairs: {decode(k): decode(v) for k, v in pairs}
_tags["set"] = lambda members: {decode(v) for v in members}
_tags["frozenset"] = lambda members: frozenset(decode(v) for v in members)
