"""A model that says what it was given: for tests, demonstrations and teaching."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from coterie.core.bounds import read_json
from coterie.core.errors import CoterieError
from coterie.core.protocol import Ask, Reply
from coterie.models.ledger import Call, Ledger


def _are_replies(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(v, str) for v in value)


class Scripted:
    """Answers from a function, or from a table `{"Alice/stage": ["first", "second", ...]}` (the last one repeats)."""

    name = "scripted"

    def __init__(self, script: Callable[[Ask], str] | Mapping[str, Sequence[str]]):
        self.script = script
        self.asked: list[Ask] = []
        self.batches: list[int] = []
        self.ledger = Ledger()
        self._next: dict[str, int] = {}

    @classmethod
    def from_file(cls, path: Path) -> Scripted:
        table = read_json(path, "script")
        if not isinstance(table, dict) or not all(_are_replies(v) for v in table.values()):
            raise CoterieError(f"'{path}' must map 'Robot/stage' to a list of replies, each a text.")
        return cls(table)

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        self.batches.append(len(asks))
        self.asked.extend(asks)
        return [self._one(a) for a in asks]

    def _one(self, ask: Ask) -> Reply:
        if callable(self.script):
            text = self.script(ask)
        else:
            key = f"{ask.robot}/{ask.stage}"
            lines = self.script.get(key)
            if lines is None:
                raise CoterieError(f"The script has no replies for '{key}'. It has: {', '.join(sorted(self.script))}.")
            n = self._next.get(key, 0)
            self._next[key] = n + 1
            text = lines[min(n, len(lines) - 1)]
        reply = Reply(text, sum(len(t) for _, t in ask.prompt) // 4, len(text) // 4)
        self.ledger.add(Call(ask.robot, ask.stage, reply.tokens_in, reply.tokens_out, estimated=True), ask)
        return reply
