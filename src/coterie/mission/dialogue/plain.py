"""Meanings as plain data and back, for journals and files that people read."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from coterie.core.errors import CoterieError
from coterie.talk import meanings as m

_TYPES = {c.__name__: c for c in vars(m).values() if isinstance(c, type) and is_dataclass(c)}


def to_plain(value: Any) -> Any:
    """Fields that are as usual are left out."""
    if isinstance(value, tuple):
        return [to_plain(v) for v in value]
    if is_dataclass(value) and not isinstance(value, type):
        usual = {f.name: f.default for f in fields(value)}
        rows = {f.name: getattr(value, f.name) for f in fields(value)}
        return {"is": type(value).__name__, **{k: to_plain(v) for k, v in rows.items() if v != usual[k]}}
    return value


def from_plain(data: Any) -> Any:
    if isinstance(data, (list, tuple)):
        return tuple(from_plain(v) for v in data)
    if isinstance(data, dict):
        kind = _TYPES.get(str(data.get("is")))
        if kind is None:
            raise CoterieError(f"'{data.get('is')}' is nothing that can be meant.")
        try:
            return kind(**{k: from_plain(v) for k, v in data.items() if k != "is"})
        except TypeError as err:
            raise CoterieError(f"A meaning cannot be read: {err}.") from err
    return data
