"""Things found by name or by tag. Built-ins register the way outsiders do: a file in the right folder is enough."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Generic, TypeVar

from coterie.core.errors import CoterieError, unknown_name

T = TypeVar("T")


def import_all(package: str, folders: Iterable[str], first: Sequence[str] = (), part: str = "") -> None:
    """Import what lies in the folder of a package, so that it registers itself; call it with `__name__, __path__`.

    Those of `first` come in their order, as lists are read from the top, and all others by name. With `part`, that
    module of each sub-folder which has one is imported, and nothing else.
    """
    found: set[str] = set()
    for folder in map(Path, folders):
        found |= {path.parent.name for path in folder.glob(f"*/{part or '__init__'}.py")}
        found |= set() if part else {path.stem for path in folder.glob("[!_]*.py")}
    for name in dict.fromkeys([*first, *sorted(found)]):
        importlib.import_module(f"{package}.{name}.{part}".rstrip("."))


class Registry(Generic[T]):
    """A name space of one kind of thing, with tags from which groups fall out."""

    def __init__(self, what: str, more: Callable[[], object] | None = None, own: str = ""):
        """`more` brings what is not imported yet; see `later`. `own`: how to add one, told where a name is missing."""
        self.what, self.own = what, own
        self._more: list[Callable[[], object]] = [] if more is None else [more]
        self._items: dict[str, T] = {}
        self._tags: dict[str, frozenset[str]] = {}
        self._rules: list[Callable[[str], tuple[T, Iterable[str]] | None]] = []
        self._made: dict[str, T] = {}  # by a rule; not listed

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
        if name not in self._items and name not in self:
            raise unknown_name(self.what, name, self._items, self.own)
        return self._items[name] if name in self._items else self._made[name]

    def later(self, more: Callable[[], object], first: bool = False) -> None:
        """Register an import that is made once, before all names are listed or when a name is missed."""
        self._more.insert(0 if first else len(self._more), more)

    def rule(self, find: Callable[[str], tuple[T, Iterable[str]] | None]) -> None:
        """Register a rule for names that are composed of others and not listed: returns their value and tags."""
        self._rules.append(find)

    def names(self, tag: str | None = None) -> list[str]:
        self._complete()
        return [n for n in self._items if tag is None or tag in self._tags[n]]

    def here(self) -> list[tuple[str, T]]:
        """Return the names that are imported already; there may be more."""
        return list(self._items.items())

    def tags(self, name: str) -> frozenset[str]:
        if name not in self._tags:
            self.get(name)
        return self._tags[name]

    def items(self, tag: str | None = None) -> list[tuple[str, T]]:
        if tag is None:
            self._complete()
            return list(self._items.items())
        return [(n, self._items[n]) for n in self.names(tag)]

    def _complete(self) -> None:
        while self._more:
            self._more.pop(0)()

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):
            return False
        while not (found := name in self._items or self._make(name)) and self._more:
            self._more.pop(0)()
        return found

    def _make(self, name: str) -> bool:
        for find in self._rules if name not in self._made else ():
            if (found := find(name)) is not None:
                self._made[name], self._tags[name] = found[0], frozenset(found[1])
        return name in self._made

    def __iter__(self) -> Iterator[str]:
        self._complete()
        return iter(self._items)

    def __len__(self) -> int:
        self._complete()
        return len(self._items)
