"""Rows for watchers, in order. There is one book for all of them, and each has a place in it: who is slow only reads
later, and who comes back goes on after the last row that arrived."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from typing import Any, NamedTuple

from coterie.core.visible import visible, visible_lines
from coterie.live.doors import ALL_WORDS, PROMPTS, Guest

MOST_AT_ONCE = 400  # rows
MOST_BYTES = 1_000_000  # about, at once


class Line(NamedTuple):
    """A row as JSON: for everybody, or for some people; `open` is what those without the right to prompts see."""

    text: str
    people: frozenset[str] | None = None
    open: str | None = None


class Book:
    """Written by one thread, read by many."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.first = 0  # where the episode of now begins
        self.closed = False
        self._news = threading.Condition()

    def add(self, row: Mapping[str, Any], people: frozenset[str] | None = None) -> None:
        """A row; with `people`, for those and nobody else but who may read all words."""
        entry = row.get("e")
        hidden = None
        if isinstance(entry, dict) and entry.get("k") == "ask":
            bare = {k: v for k, v in entry.items() if k not in ("p", "r")}
            hidden = _json({**{k: v for k, v in row.items() if k != "lines"}, "e": bare})
        with self._news:
            self.lines.append(Line(_json(row), people, hidden))
            self._news.notify_all()

    def anew(self) -> None:
        """Another episode begins: who watches is told so, and who comes later sees that one alone."""
        self.add({"anew": True})
        with self._news:
            self.first = len(self.lines)
            self.lines[: self.first - 1] = [Line("")] * (self.first - 1)

    def close(self) -> None:
        """Nothing more will come."""
        with self._news:
            self.closed = True
            self._news.notify_all()

    def read(self, at: int, guest: Guest, wait_s: float) -> tuple[int, list[str]]:
        """The rows that a guest may see from a number on, and the number to go on with; perhaps nothing, after a
        while."""
        with self._news:
            if at >= len(self.lines) and not self.closed:
                self._news.wait(wait_s)
            at = max(at, self.first - 1) if at else self.first
            some = self.lines[at : at + MOST_AT_ONCE]
        found, size = list[str](), 0
        for n, line in enumerate(some):
            if size > MOST_BYTES:
                return at + n, found
            if line.people is None or guest.name in line.people or ALL_WORDS in guest.rights:
                found.append(line.text if line.open is None or PROMPTS in guest.rights else line.open)
                size += len(found[-1])
        return at + len(some), found


_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def words(who: str, to: str, text: str, t: float, **more: Any) -> dict[str, Any]:
    """Words between a person and the team."""
    return {"talk": {"w": visible(who), "to": visible(to), "x": visible_lines(text), "t": round(t, 1), **more}}


def private(row: Mapping[str, Any]) -> frozenset[str] | None:
    """The guests who may read a row: words between one person and a mission are theirs; None: everybody."""
    entry = row.get("e")
    if entry is None or entry.get("k") != "say" or "mission" not in (entry["w"], *entry["to"]):
        return None
    return frozenset({str(entry["w"]), *map(str, entry["to"])})
