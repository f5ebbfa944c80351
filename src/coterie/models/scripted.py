"""A model that says what it was given: for tests, demonstrations and teaching."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from coterie.core.bounds import read_json
from coterie.core.errors import CoterieError
from coterie.core.files import Lock, append, whole_lines, writing
from coterie.core.protocol import Ask, Reply, sound_reply
from coterie.models.chat import Model, ledger_of
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


# -- recorded replies -------------------------------------------------------------------------------------------------
# Record what a model said once, and replay it byte for byte.
# A file of lines `{"ask": {...}, "reply": {...}}`. An ask is found again by all of its fields: robot, stage, step,
# attempt, prompt, choices and seed. Where the same ask was recorded twice, as after a kill, the later reply counts: it
# is the one that went into the log.
class Recording:
    """A model whose every reply is kept in a file; an existing file is added to."""

    def __init__(self, model: Model, path: Path):
        self.model, self.path = model, path
        self.name = model.name
        self.ledger = ledger_of(model) or Ledger()
        with writing(f"the recording '{path}'"):
            path.parent.mkdir(parents=True, exist_ok=True)
            append(path).close()

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        replies = self.model.answer(asks)
        self.keep(asks, replies)
        return replies

    def keep(self, asks: Sequence[Ask], replies: Sequence[Reply]) -> None:
        lines = [json.dumps({"ask": ask._asdict(), "reply": r._asdict()}) + "\n" for ask, r in zip(asks, replies)]
        with writing(f"the recording '{self.path}'"), Lock(self.path, patient=True), append(self.path) as file:
            file.write("".join(lines))


class Recorded:
    """Replies from a file, and from nowhere else."""

    def __init__(self, path: Path):
        self.path = path
        self.name = f"recorded:{path}"
        self.ledger = Ledger()
        self._replies: dict[str, Reply] = {}
        self._known: dict[tuple[str, str, int], int] = {}  # (robot, stage, step) -> how many asks
        for number, ask, reply in exchanges(path):
            try:
                self._replies[_key(ask)] = reply
                place = (ask.robot, ask.stage, ask.step)
                self._known[place] = self._known.get(place, 0) + 1
            except (TypeError, ValueError, RecursionError) as err:
                raise _no_reply(number, path) from err

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        return [self._one(ask) for ask in asks]

    def _one(self, ask: Ask) -> Reply:
        reply = self._replies.get(_key(ask))
        if reply is None:
            if (ask.robot, ask.stage, ask.step) in self._known:
                why = "it was asked there, but with another prompt, attempt or seed"
            else:
                why = "nothing was recorded there"
            raise CoterieError(
                f"'{self.path}' has no reply for {ask.robot} at stage '{ask.stage}' of step {ask.step}: {why}. "
                "Was it recorded with the same task, seed, protocol and version?"
            )
        self.ledger.add(Call(ask.robot, ask.stage, reply.tokens_in, reply.tokens_out, error=reply.error), ask)
        return reply


def _key(ask: Ask) -> str:
    text = json.dumps(ask, sort_keys=True)  # tuples and lists alike
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def exchanges(path: Path) -> Iterator[tuple[int, Ask, Reply]]:
    """Yield each request with its answer and the number of its line."""
    for number, line in enumerate(whole_lines(path, "recording"), 1):
        try:
            data = json.loads(line)
            ask, reply = Ask(**data["ask"]), sound_reply(Reply(**data["reply"]))
        except (KeyError, TypeError, ValueError, RecursionError, CoterieError) as err:
            raise _no_reply(number, path) from err
        yield number, ask, reply


def _no_reply(number: int, path: Path) -> CoterieError:
    return CoterieError(f"Line {number} of '{path}' is not a recorded reply.")
