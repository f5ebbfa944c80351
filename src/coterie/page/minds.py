"""Beliefs of robots, step by step: only changes are written, each with its source and whether it is wrong."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from coterie.core.record import plain
from coterie.core.visible import visible
from coterie.log.state import State
from coterie.page.scenery import Pool

#: Numbers that only planners want, and what the page tells elsewhere.
_LEFT_OUT = frozenset({"spot", "pose", "stand", "mass", "used", "card", "box", "goal", "status", "battery"})
_LABELS = {"where": "at", "at": "at", "contents": "has", "in_room": "in"}
#: What a robot may take to be so while it is not, by the word that the truth has for it, too.
_CHECKED = frozenset({"where", "at", "open", "holding", "online"})
MOST_LETTERS = 160

Key = tuple[str, ...]


class Minds:
    """Follows the beliefs of all robots through the states of an episode."""

    def __init__(self, words: Pool):
        self.words = words
        self._read: dict[str, int] = {}
        self._held: dict[str, dict[Key, Any]] = {}  # robot -> fact -> its value
        self._wrong: dict[str, dict[Key, str]] = {}
        self._before: dict[Key, Any] = {}  # the truth in which the robots decided

    def news(self, state: State) -> dict[str, list[list[int]]]:
        """Changes since the last state: rows of subject, label, value, source; with a fifth number, what was true
        instead. A value of -1: the robot no longer takes anything to be so.

        A belief is wrong where it was so neither when the robot decided nor after the step: nobody is to blame for not
        knowing yet what has just been done.
        """
        found: dict[str, list[list[int]]] = {}
        for name, robot in state.robots.items():
            held, wrong = self._held.setdefault(name, {}), self._wrong.setdefault(name, {})
            fresh: dict[Key, str] = {}
            for told in robot.seen[self._read.get(name, 0) :]:
                for row in told.rows(name):
                    pred, args, value = str(row[0]), [str(a) for a in row[1]], plain(row[2])
                    if pred in _LEFT_OUT or not args or isinstance(value, dict) or (pred == "online" and value is True):
                        continue
                    key = (pred, *args)
                    if key not in held or held[key] != value:
                        fresh[key] = str(row[3]) if len(row) > 3 else name
                    held[key] = value
            self._read[name] = len(robot.seen)
            rows = []
            for key, value in held.items():
                if key not in fresh and key[0] not in _CHECKED:
                    continue
                instead = self._instead(state, key, value)
                if key in fresh or wrong.get(key, "") != instead:
                    rows.append(self._row(name, key, value, fresh.get(key), instead))
                wrong[key] = instead
            if rows:
                found[name] = rows
        self._before = {key: plain(value) for key, value in state.true.items() if key[0] in _CHECKED}
        return found

    def _instead(self, state: State, key: Key, value: Any) -> str:
        """The truth, where the belief differs from it; empty where it is, or where the log does not say."""
        if key[0] not in _CHECKED or _unknown(value) or key not in state.true:
            return ""
        true = plain(state.true[key])
        same = _same(true, value) or _same(self._before.get(key, true), value)
        return "" if same else value_words(true)

    def _row(self, robot: str, key: Key, value: Any, source: str | None, instead: str) -> list[int]:
        """A source of -1: as before."""
        words = self.words
        label = " ".join([_LABELS.get(key[0], key[0].replace("_", " ")), *key[2:]])
        where_from = -1 if source is None else words.id("" if source == robot else visible(source))
        said = -1 if _unknown(value) else words.id(value_words(value))
        row = [words.id(visible(key[1])), words.id(visible(label)), said, where_from]
        return [*row, words.id(instead)] if instead else row


def _unknown(value: Any) -> bool:
    return str(value) in ("?", "UNKNOWN")


def _same(a: Any, b: Any) -> bool:
    return a == b or (isinstance(a, Sequence) and isinstance(b, Sequence) and list(a) == list(b)) or (not a and not b)


def value_words(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or value == "" or value == [] or value == ():
        return "nothing"
    if isinstance(value, (list, tuple)) and all(isinstance(v, (str, int, float)) for v in value):
        words = ", ".join(str(v) for v in value)
    elif isinstance(value, (str, int, float)):
        words = str(value)
    else:
        words = json.dumps(value, ensure_ascii=False, default=str)
    return visible(words if len(words) <= MOST_LETTERS else words[: MOST_LETTERS - 1] + "…")
