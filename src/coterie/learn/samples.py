"""Samples: a prompt, and what the teacher answers to it. One line of JSON each, in the form that trainers of chat take.

A file of samples has a card beside it that says how it was made, so that it can be made again, and what it holds.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from coterie.core.errors import CoterieError
from coterie.core.files import replace_text
from coterie.core.protocol import Prompt
from coterie.learn.deeds import IDLE, deed, kind_of

Targets = Literal["both", "action", "thought"]  # what of a reply is learnt
_THOUGHT = re.compile(r"\AThought: .*?\n(?=[A-Z][a-z]+: )", re.S)
_ACTION = re.compile(r"\n?^Action: .*", re.S | re.M)
#: Words of prompts, of replies, and stages that come in one of a thousand.
RARE, RARE_REPLIES, RARE_STAGES = (", move closer",), ("I make room",), ("MV",)
OFTEN = 12  # times that these are shown, with other names each time
WAITS = 0.35  # of waiting and of saying nothing, this share is kept: a third of all would be nothing but that


class Sample(NamedTuple):
    stage: str
    prompt: Prompt
    reply: str  # of the teacher
    said: str = ""  # of the one who played, where it was another
    again: bool = False  # the player had just failed, or repeats itself

    @property
    def action(self) -> str:
        """The skill that the reply names, or nothing."""
        return kind_of(deed(self.prompt, self.reply))

    @property
    def astray(self) -> bool:
        """The player did something else, whatever it thought."""
        return bool(self.said) and deed(self.prompt, self.said) != deed(self.prompt, self.reply)

    @property
    def rare(self) -> bool:
        """Such a state comes so seldom that a pupil would never learn it."""
        told = any(words in text for _, text in self.prompt for words in RARE)
        return told or self.stage in RARE_STAGES or any(words in self.reply for words in RARE_REPLIES)

    def line(self) -> str:
        messages = [{"role": role, "content": text} for role, text in self.prompt]
        messages.append({"role": "assistant", "content": self.reply})
        more = {k: v for k, v in (("said", self.said), ("again", self.again)) if v}
        return json.dumps({"messages": messages, "stage": self.stage, **more}, ensure_ascii=False)


def read(path: Path) -> Iterator[Sample]:
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                yield _sample(path, number, line)
    except OSError as err:
        raise CoterieError(f"The samples '{path}' cannot be read: {err.strerror or err}.") from None


def _sample(path: Path, number: int, line: str) -> Sample:
    try:
        data = json.loads(line)
        turns = [(m["role"], m["content"]) for m in data["messages"]]
        assert turns[-1][0] == "assistant" and all(isinstance(t, str) for turn in turns for t in turn)
        return Sample(
            str(data["stage"]), tuple(turns[:-1]), turns[-1][1], data.get("said", ""), data.get("again", False)
        )
    except (ValueError, KeyError, TypeError, IndexError, AssertionError):
        raise CoterieError(f"Line {number} of '{path}' is no sample: it needs `messages` and `stage`.") from None


def thinned(samples: Iterable[Sample], rng: random.Random, repeats: int = 2) -> Iterator[Sample]:
    """Less of waiting, each prompt once; what goes before a loop several times."""
    seen: set[bytes] = set()
    for sample in samples:
        key = hashlib.blake2b(repr(sample.prompt).encode(), digest_size=12).digest()
        if key in seen:
            continue
        seen.add(key)
        if sample.action in IDLE and not (sample.again or sample.astray) and rng.random() >= WAITS:
            continue
        yield sample
        if sample.again:
            yield from [sample] * (repeats - 1)


def write(path: Path, samples: Iterable[Sample], about: dict[str, Any]) -> dict[str, Any]:
    """The file and its card; what it holds."""
    stages, actions = Counter[str](), Counter[str]()
    digest = hashlib.sha256()
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    try:
        with part.open("w", encoding="utf-8") as out:
            for sample in samples:
                line = sample.line() + "\n"
                out.write(line)
                digest.update(line.encode())
                stages[sample.stage] += 1
                actions[sample.action or "-"] += 1
        part.replace(path)
    except OSError as err:
        part.unlink(missing_ok=True)
        raise CoterieError(f"The samples cannot be written to '{path}': {err.strerror or err}.") from None
    holds = {"samples": stages.total(), "stages": dict(stages.most_common()), "actions": dict(actions.most_common())}
    card = {**about, **holds, "sha256": digest.hexdigest()}
    replace_text(card_of(path), json.dumps(card, indent=1, ensure_ascii=False) + "\n")
    return card


def card_of(path: Path) -> Path:
    return path.with_suffix(".card.json")


def mixed(parts: Sequence[Sequence[Sample]], rng: random.Random) -> list[Sample]:
    """All of them in one order, so that old and new stand side by side."""
    found = [sample for part in parts for sample in part]
    rng.shuffle(found)
    return found


def aimed(samples: Iterable[Sample], targets: Targets) -> Iterator[Sample]:
    """The same with less to learn: `action` without the thought before it, `thought` without the action after it.

    Replies that hold neither stay as they are: a team that cannot vote would be compared in vain. Those of which
    nothing is left are dropped.
    """
    for sample in samples:
        reply = sample.reply
        if targets == "action":
            reply = _THOUGHT.sub("", reply)
        elif targets == "thought":
            reply = _ACTION.sub("", reply)
        if reply:
            yield sample._replace(reply=reply)


def portion(samples: Sequence[Sample], share: float) -> list[Sample]:
    """The first part of them, once they are mixed: what 30% hold, 60% hold too."""
    found = list(samples[: round(min(1.0, max(0.0, share)) * len(samples))])
    if not found:
        raise CoterieError(f"{share:.0%} of {len(samples)} samples are none: there is nothing to learn.")
    return found
