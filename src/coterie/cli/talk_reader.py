"""Which model reads what people say, and `coterie talk --read FILE`: one JSON line for each sentence of a file."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from coterie.cli.out import complain, say
from coterie.core.bounds import load_json, read_bounded
from coterie.core.errors import CoterieError
from coterie.mission.dialogue.listening import NO_READER, Listener
from coterie.talk.reader import READER, STAGE, Reader

MOST_BYTES = 10_000_000
NOT_FETCHED = "Only plain sentences are understood: --model embedded fetches the reader's model (93 MB), once."
NEEDED = ("xllamacpp", "gguf", "lark")


def make_reader(name: str | None) -> Reader | None:
    """The embedded reader where nothing else is named; `none`: no reader; else any model.

    Where nothing is named, the model is fetched only for a person at the keyboard.
    """
    if name == "none":
        return None
    if name not in (None, "embedded"):
        from coterie.models import make_model

        return Reader(make_model(str(name), max_tokens={STAGE: 80}), str(name).startswith("embedded"))
    if not all(map(importlib.util.find_spec, NEEDED)):
        complain(NO_READER)
        return None
    from coterie.models.embedded import Embedded
    from coterie.models.store import cached

    if name is None and cached() is None and not sys.stdin.isatty():
        complain(NOT_FETCHED)
        return None
    model = Embedded(READER, slots=1, progress=_tell, apart=True)
    model.load()
    return Reader(model)


def _tell(words: str, done: int, total: int) -> None:
    """A download or a merge is told once, when it begins."""
    if done == 0:
        complain(f"{words} ...")


def read_file(path: Path, listen: Listener, vocabulary: Any) -> None:
    """What each sentence of a file means: `{"say", "speaker", "asked", "before"}` in, one JSON object out."""
    for row in _rows(path):
        found = listen.understood(row["say"], vocabulary, row["asked"], row["before"])
        answer = {"say": row["say"], "means": found.means, "brief": found.brief, "how": found.how}
        more = {"p": round(found.p, 3), "missing": list(found.missing), "ms": round(found.ms, 1)}
        say(json.dumps({**answer, **more}, ensure_ascii=False))


def _rows(path: Path) -> Iterator[dict[str, str]]:
    for number, line in enumerate(read_bounded(path, "file of sentences", MOST_BYTES).decode("utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = load_json(line)
        except ValueError as err:
            raise CoterieError(f"Line {number} of '{path}' is no JSON: {err}.") from err
        if not isinstance(row, dict) or not isinstance(row.get("say"), str) or not row["say"].strip():
            raise CoterieError(f'Line {number} of \'{path}\' has nothing to read; write {{"say": "Stop!"}}.')
        yield {key: row[key] if isinstance(row.get(key), str) else "" for key in ("say", "speaker", "asked", "before")}
