"""Things found by name or by tag. Built-ins register the way outsiders do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from coterie.core.errors import CoterieError, unknown_name

T = TypeVar("T")


class Registry(Generic[T]):
    """A name space of one kind of thing, with tags from which groups fall out."""

    def __init__(self, what: str):
        self.what = what
        self._items: dict[str, T] = {}
        self._tags: dict[str, frozenset[str]] = {}

    def put(self, name: str, item: T, *tags: str, replace: bool = False) -> T:
        if name in self._items and not replace:
            raise CoterieError(f"There is already a {self.what} named '{name}'; give yours another name.")
        self._items[name] = item
        self._tags[name] = frozenset(tags)
        return item

    def add(self, *tags: str, name: str | None = None) -> Callable[[T], T]:
        """Decorator form of `put`; the name defaults to the function's or class's own, with dashes."""

        def register(item: T) -> T:
            return self.put(name or item.__name__.replace("_", "-"), item, *tags)  # type: ignore[attr-defined]

        return register

    def get(self, name: str) -> T:
        if name not in self._items:
            raise unknown_name(self.what, name, self._items)
        return self._items[name]

    def names(self, tag: str | None = None) -> list[str]:
        return [n for n in self._items if tag is None or tag in self._tags[n]]

    def tags(self, name: str) -> frozenset[str]:
        return self._tags[name]

    def items(self, tag: str | None = None) -> list[tuple[str, T]]:
        return [(n, self._items[n]) for n in self.names(tag)]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._items

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)
