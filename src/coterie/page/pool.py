"""What is written once and then named by its number: lines of prompts, shapes, words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from typing import Any


class Pool:
    """Items in the order in which they first came."""

    def __init__(self) -> None:
        self.items: list[Any] = []
        self._ids: dict[Any, int] = {}

    def id(self, key: Any, item: Callable[[], Any] | None = None) -> int:
        """The number of what has this key; `item` makes what is written, where that is not the key itself."""
        if key not in self._ids:
            self._ids[key] = len(self.items)
            self.items.append(key if item is None else item())
        return self._ids[key]


def edits(old: Sequence[int], new: Sequence[int]) -> list[list[int]]:
    """How a list becomes another: [where, how many go, those that come ...], from the end to the beginning, so that no
    edit moves what another one speaks of."""
    found = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [[i, j - i, *new[k:n]] for tag, i, j, k, n in reversed(found) if tag != "equal"]
