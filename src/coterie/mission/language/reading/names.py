"""Names and numbers in a sentence, and how a tree is gone through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coterie.mission.language.reading.fixed import ABLE, FIXED, NAMED, Name, named
from coterie.mission.language.signs import Signed
from coterie.talk.meanings import Meaning, Order
from coterie.talk.vocabulary import Vocabulary


class Names:
    """One tree of the grammar, from the leaves up."""

    def __init__(self, signed: Signed, vocabulary: Vocabulary):
        self.signed, self.vocabulary = signed, vocabulary

    def of(self, tree: Any) -> Meaning | None:
        found = self._value(tree)
        if isinstance(found, Order) and not found.wants:  # what it wants may be one thing or another
            return None
        return found if isinstance(found, Meaning) else None

    def _value(self, node: Any) -> Any:
        if not hasattr(node, "children"):
            return self._token(node)
        name = str(node.data)
        if name in FIXED:
            return FIXED[name]
        parts = [v for v in (self._value(c) for c in node.children) if v is not None]
        if name in NAMED:
            return NAMED[name](str(self._first(parts) or ""))
        if name in ABLE:
            return ABLE[name], self._first(parts) or ""
        method = getattr(self, name, None)
        if method is not None:
            return method(*parts)
        return parts[0] if len(parts) == 1 else parts or None

    def _first(self, parts: Sequence[Any]) -> Name | None:
        """The first name in what was read."""
        return next(iter(self._names(parts)), None)

    def _names(self, parts: Any) -> list[Name]:
        """All names in what was read."""
        if isinstance(parts, Name):
            return [parts]
        return [n for p in parts for n in self._names(p)] if isinstance(parts, (list, tuple)) else []

    def _token(self, token: Any) -> Any:
        text, kind = str(token), token.type
        if kind == "NUM":
            return self.signed.numbers[text]
        if kind == "LABEL":
            return named(self.signed.labels[text], "label")
        if kind == "FETCH":
            return None
        if kind == "WORD":
            return named(text, "word")
        if text in self.signed.names:
            return named(self.signed.names[text], self.vocabulary.kind_of(self.signed.names[text]))
        return None

    def fetch_robot(self) -> Name:
        return named(self.signed.names.get("fetch", "fetch"), "robot")

    def robots(self, *names: Name) -> tuple[Name, ...]:
        return tuple(n for n in names if n)

    def door_of(self, room: Name) -> Name:
        phrase = f"door of {self.vocabulary.phrase(room)}"
        return named(self.vocabulary.phrases.get(phrase, ("door", f"door of {room}"))[1], "door")

    def counted_item(self, *parts: Any) -> Name:
        return named(parts[-1], "item", parts[0] if len(parts) > 1 else None)

    def counted_caddy(self, *parts: Any) -> Name:
        return named(parts[-1], "caddy", parts[0] if len(parts) > 1 else None)

    def counted_kit(self, *parts: Any) -> Name:
        return named(parts[-1], "kit", parts[0] if len(parts) > 1 else None)

    def _things(self, value: Any) -> list[Name]:
        return [value] if isinstance(value, Name) else list(value)
