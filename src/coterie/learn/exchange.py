"""What was asked and what was answered, with the grammar of each reply: to put the same to another mind."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from coterie.core.errors import CoterieError
from coterie.core.protocol import Ask, Reply
from coterie.models.chat import Model


class Recorder:
    """A model that writes down what it is asked and answers."""

    def __init__(self, model: Model, path: Path):
        self.name, self._model = model.name, model
        self._out = path.open("a", encoding="utf-8")

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        replies = self._model.answer(asks)
        for ask, reply in zip(asks, replies):
            self._out.write(json.dumps([*_row(ask), reply.text], ensure_ascii=False) + "\n")
        self._out.flush()
        return replies


def _row(ask: Ask) -> tuple[object, ...]:
    return (ask.robot, ask.stage, ask.step, ask.attempt, ask.prompt, ask.choices, ask.seed)


def exchanges(path: Path) -> Iterator[tuple[Ask, str]]:
    for number, line in enumerate(path.open(encoding="utf-8"), 1):
        try:
            robot, stage, step, attempt, prompt, choices, seed, text = json.loads(line)
            held = tuple(choices) if isinstance(choices, list) else choices
            yield Ask(robot, stage, step, attempt, tuple((r, t) for r, t in prompt), held, seed), str(text)
        except (ValueError, TypeError):
            raise CoterieError(f"Line {number} of '{path}' is no request with its reply.") from None
