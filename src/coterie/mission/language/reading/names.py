"""Names and numbers in a sentence, and how a tree is gone through."""

from __future__ import annotations

from typing import Any

from coterie.mission.language.signs import Signed
from coterie.talk.meanings import Meaning, Order
from coterie.talk.vocabulary import WHICH, Vocabulary

IT, OTHER, THERE, HERE, ME, ALL = "@it", "@other", "@there", "@here", "@me", "@all"
SAME = "@same"  # one more of what was spoken of, where `IT` is that one itself


class Name(str):
    """A name with its kind; for things, how many."""

    kind: str = ""
    many: int | None = None

    @property
    def so_many(self) -> int:
        """How many; one where no number was said. Zero is a number."""
        return 1 if self.many is None else self.many


def _named(name: str, kind: str, count: int | None = None) -> Name:
    found = Name(name)
    found.kind, found.many = kind, count
    return found


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
        parts = [v for v in (self._value(c) for c in node.children) if v is not None]
        method = getattr(self, str(node.data), None)
        if method is not None:
            return method(*parts)
        return parts[0] if len(parts) == 1 else parts or None

    def _token(self, token: Any) -> Any:
        text, kind = str(token), token.type
        if kind == "NUM":
            return self.signed.numbers[text]
        if kind == "LABEL":
            return _named(self.signed.labels[text], "label")
        if kind == "FETCH":
            return None
        if kind == "WORD":
            return _named(text, "word")
        if text in self.signed.names:
            return _named(self.signed.names[text], self.vocabulary.kind_of(self.signed.names[text]))
        return None

    def one_robot(self, name: Name) -> Name:
        return name

    def fetch_robot(self) -> Name:
        return _named(self.signed.names.get("fetch", "fetch"), "robot")

    def it_robot(self) -> Name:
        return _named(IT, "robot")

    def you(self) -> Name:
        return _named("", "robot")

    def robots(self, *names: Name) -> tuple[Name, ...]:
        return tuple(n for n in names if n)

    def all_robots(self) -> tuple[Name, ...]:
        return (_named(ALL, "robot"),)

    def me(self) -> Name:
        return _named(ME, "person")

    def there(self) -> Name:
        return _named(THERE, "place")

    def here_place(self) -> Name:
        return _named(HERE, "place")

    def that_place(self) -> Name:
        return _named(f"{IT} place", "place")

    def other_place(self) -> Name:
        return _named(f"{OTHER} place", "place")

    def which_room(self) -> Name:
        return _named(f"{WHICH} room", "room")

    def which_table(self) -> Name:
        return _named(f"{WHICH} table", "table")

    def that_door(self) -> Name:
        return _named(f"{IT} door", "door")

    def other_door(self) -> Name:
        return _named(f"{OTHER} door", "door")

    def door_of(self, room: Name) -> Name:
        phrase = f"door of {self.vocabulary.phrase(room)}"
        return _named(self.vocabulary.phrases.get(phrase, ("door", f"door of {room}"))[1], "door")

    def number(self, count: int) -> int:
        return count

    def one(self) -> int:
        return 1

    def two(self) -> int:
        return 2

    def counted_item(self, *parts: Any) -> Name:
        return _named(parts[-1], "item", parts[0] if len(parts) > 1 else None)

    def counted_caddy(self, *parts: Any) -> Name:
        return _named(parts[-1], "caddy", parts[0] if len(parts) > 1 else None)

    def counted_kit(self, *parts: Any) -> Name:
        return _named(parts[-1], "kit", parts[0] if len(parts) > 1 else None)

    def it_thing(self) -> Name:
        return _named(IT, "thing")

    def same_thing(self) -> Name:
        return _named(SAME, "thing")

    def other_thing(self) -> Name:
        return _named(OTHER, "thing")

    def _things(self, value: Any) -> list[Name]:
        return [value] if isinstance(value, Name) else list(value)
