"""One line of the log, which metrics, replay, pictures and datasets read and nothing else.

One JSON object a line. The first line holds the resolved configuration, the last the result. A log that was cut at any
byte is still a log: an unfinished last line is dropped on reading.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from coterie.core.bounds import MOST_INT, load_json
from coterie.core.facts import UNKNOWN


class Event(NamedTuple):
    """One line of a log: its number, step and time, what kind of line, who, what, and the lines it is due to."""

    seq: int
    step: int
    t: float
    kind: str
    who: str
    data: dict[str, Any]
    causes: tuple[int, ...] = ()


def _plain(value: object) -> object:
    if value is UNKNOWN:
        return "?"
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if hasattr(value, "to_json"):
        return value.to_json()
    if hasattr(value, "item"):
        return value.item()
    return str(value)


def _encoder() -> Callable[[object, int], Iterable[str]]:
    """JSON in one line. CPython's encoder is made once instead of once a line, which is half the work of a log."""
    plain = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=_plain, allow_nan=False).encode
    make = json.encoder.c_make_encoder  # type: ignore[attr-defined]
    if make is None:
        return lambda value, _: (plain(value),)
    quick: Callable[[object, int], Iterable[str]]
    quick = make(None, _plain, json.encoder.encode_basestring, None, ":", ",", False, False, False)
    return quick


pieces = _encoder()  # of data, for `whole`; ValueError where a number is none, which `to_text` takes


def _finite(value: object) -> object:
    """The same with numbers that are none as text, since no reader of JSON has to know them."""
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, dict):
        return {k: _finite(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(v) for v in value]
    return value if value is None or isinstance(value, (str, int)) else _finite(_plain(value))


def to_text(data: object) -> str:
    """Data as a line of the log writes it; tuples, events among them, as lists."""
    try:
        return whole(pieces(data, 0))
    except ValueError:  # hardly ever
        return whole(pieces(_finite(data), 0))


def whole(parts: Iterable[str]) -> str:
    """Pieces in one text that can be written."""
    text = "".join(parts)
    if text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8")  # half a surrogate pair becomes its JSON escape


def to_line(e: Event) -> str:
    return to_text(e)


def from_line(line: str) -> Event:
    """The event of a line; ValueError or TypeError for what is none, however odd it is."""
    seq, step, t, kind, who, data, causes = load_json(line)
    whole = type(seq) is int and type(step) is int and type(t) in (int, float)
    if not (whole and isinstance(kind, str) and isinstance(who, str) and isinstance(data, dict)):
        raise ValueError("not an event")
    if not (abs(seq) < MOST_INT and abs(step) < MOST_INT and abs(t) < MOST_INT and isinstance(causes, list)):
        raise ValueError("not an event")
    return Event(seq, step, t, kind, who, data, tuple(causes))
