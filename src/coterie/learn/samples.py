"""Samples: a prompt, and what the teacher answers to it. One line of JSON each, in the form that trainers of chat take.

A file of samples has a card beside it that says how it was made, so that it can be made again, and what it holds.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from coterie.core.bounds import load_json, read_lines
from coterie.core.errors import CoterieError
from coterie.core.files import replace_text
from coterie.core.protocol import Prompt
from coterie.learn.chosen import IDLE, chosen, kind_of
from coterie.protocols.shared.dialects import retold

Targets = Literal["both", "action", "thought"]  # what of a reply is learnt
_THOUGHT = re.compile(r"\AThought: .*?\n(?=[A-Z][a-z]+: )", re.S)
_ACTION = re.compile(r"\n?^Action: .*", re.S | re.M)
WAITS = 0.35  # of waiting and of saying nothing, this share is kept: a third of all would be nothing but that

#: Of stages at which all prompts are alike: the share that is kept.
KEPT = {"SD": 0.5, "TALB": 0.6, "LE": 0.2, "GD": 0.3}


class Sample(NamedTuple):
    stage: str
    prompt: Prompt
    reply: str  # of the teacher
    said: str = ""  # of the one who played, where it was another
    again: bool = False  # the player had just failed, or repeats itself
    step: int = 0  # of the episode, at which it was asked
    earlier: tuple[str, ...] = ()  # of a conversation: what the teacher answers to each turn before; empty: not learnt

    @property
    def action(self) -> str:
        """The skill that the reply names, or nothing."""
        return kind_of(chosen(self.prompt, self.reply))

    @property
    def astray(self) -> bool:
        """The player did something else, whatever it thought; in a conversation, in any turn."""
        said = [text for role, text in self.prompt if role == "assistant"]
        turns = [*zip(said, self.earlier), (self.said, self.reply)]  # none before without `earlier`
        return any(s and r and chosen(self.prompt, s) != chosen(self.prompt, r) for s, r in turns)

    @property
    def rare(self) -> str:
        """The name of a state so rare that a pupil would never learn it; empty for all others."""
        return kind_of_state(self.stage, self.prompt, self.reply, self.step)

    def line(self) -> str:
        messages = [{"role": role, "content": text} for role, text in self.prompt]
        messages.append({"role": "assistant", "content": self.reply})
        rest = ("said", self.said), ("again", self.again), ("step", self.step), ("earlier", self.earlier)
        more = {k: v for k, v in rest if v}
        return json.dumps({"messages": messages, "stage": self.stage, **more}, ensure_ascii=False)


def read(path: Path) -> Iterator[Sample]:
    for number, line in enumerate(read_lines(path, "file of samples"), 1):
        yield _sample(path, number, line)


def _sample(path: Path, number: int, line: bytes) -> Sample:
    try:
        data = load_json(line.decode("utf-8"))
        turns = [(m["role"], m["content"]) for m in data["messages"]]
        said, again = data.get("said", ""), data.get("again", False)
        earlier = tuple(data.get("earlier", ()))
        before = sum(role == "assistant" for role, _ in turns[:-1])
        good = all(isinstance(t, str) for turn in (*turns, [said], earlier) for t in turn)
        if turns[-1][0] != "assistant" or not good or len(earlier) not in (0, before):
            raise TypeError("not a sample")
        step = int(data.get("step", 0))
        return Sample(str(data["stage"]), tuple(turns[:-1]), turns[-1][1], said, bool(again), step, earlier)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError):
        raise CoterieError(f"Line {number} of '{path}' is no sample: it needs `messages` and `stage`.") from None


def thinned(samples: Iterable[Sample], rng: random.Random) -> Iterator[Sample]:
    """Less of waiting, each prompt once; what goes before a loop twice. Whether one is kept hangs on itself
    alone: what other robots met has no part in it."""
    seen: set[bytes] = set()
    salt = rng.getrandbits(64).to_bytes(8, "big")
    for sample in samples:
        key = hashlib.blake2b(repr(sample.prompt).encode(), digest_size=12, salt=salt).digest()
        if key in seen:
            continue
        seen.add(key)
        if int.from_bytes(key, "big") >= KEPT.get(sample.stage, 1.0) * 2**96 and not sample.rare:
            continue
        idle = sample.action in IDLE and not (sample.earlier or sample.again or sample.astray or sample.rare)
        if idle and int.from_bytes(key, "big") >= WAITS * 2**96:
            continue
        yield sample
        if sample.again:
            yield sample


def write(path: Path, samples: Iterable[Sample], about: dict[str, Any]) -> dict[str, Any]:
    """The file and its card; what it holds."""
    holds = _Holding()
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    try:
        with part.open("w", encoding="utf-8") as out:
            for sample in samples:
                line = sample.line() + "\n"
                out.write(line)
                holds.add(sample, line)
        part.replace(path)
    except OSError as err:
        raise CoterieError(f"The samples cannot be written to '{path}': {err.strerror or err}.") from None
    finally:
        part.unlink(missing_ok=True)  # whatever ended it
    return holds.card(path, about)


class _Holding:
    """Counts of the contents of a file of samples."""

    def __init__(self) -> None:
        self.stages, self.actions, self.rare = Counter[str](), Counter[str](), Counter[str]()
        self.digest = hashlib.sha256()

    def add(self, sample: Sample, line: str) -> None:
        self.digest.update(line.encode())
        self.stages[sample.stage] += 1
        self.actions[sample.action or "-"] += 1
        if kind := sample.rare:
            self.rare[kind] += 1

    def card(self, path: Path, about: dict[str, Any]) -> dict[str, Any]:
        stages, actions = dict(self.stages.most_common()), dict(self.actions.most_common())
        rare = {kind: self.rare[kind] for kind in RARE}  # also those of which there are none
        holds = {"samples": self.stages.total(), "stages": stages, "actions": actions, "rare": rare}
        card = {**about, **holds, "sha256": self.digest.hexdigest()}
        replace_text(card_of(path), json.dumps(card, indent=1, ensure_ascii=False) + "\n")
        return card


def card_of(path: Path) -> Path:
    return path.with_suffix(".card.json")


def aimed(samples: Iterable[Sample], targets: Targets) -> Iterator[Sample]:
    """The same with less to learn: `action` without the thought before it, `thought` without the action after it.

    Replies that hold neither stay as they are: a team that cannot vote would be compared in vain. Those of which
    nothing is left are dropped.
    """
    less = {"action": _THOUGHT, "thought": _ACTION}.get(targets)
    for sample in samples:
        reply, *earlier = [less.sub("", text) if less else text for text in (sample.reply, *sample.earlier)]
        if reply:
            yield sample._replace(reply=reply, earlier=tuple(earlier))


def portion(samples: Sequence[Sample], share: float) -> list[Sample]:
    """The first part of them, once they are mixed: what 30% hold, 60% hold too."""
    found = list(samples[: round(min(1.0, max(0.0, share)) * len(samples))])
    if not found:
        raise CoterieError(f"{share:.0%} of {len(samples)} samples are none: there is nothing to learn.")
    return found


REFEREE = "You are the referee"
Told = Callable[[str, Prompt, str, int], bool]  # stage, prompt, reply, step -> whether it is one of these


def _in_prompt(words: str) -> Told:
    return lambda stage, prompt, reply, step: any(words in text for _, text in prompt)


def _in_reply(words: str) -> Told:
    return lambda stage, prompt, reply, step: words in reply


def _later(*stages: str) -> Told:
    """Match stages that come often before a team's first step, and seldom later."""
    return lambda stage, prompt, reply, step: stage in stages and step > 0


#: name -> which states are meant, and how often each is told in all; the first that fits counts.
RARE: dict[str, tuple[Told, int]] = {
    "shift of a base": (lambda stage, prompt, reply, step: stage == "MV", 12),
    "move closer": (_in_prompt(", move closer"), 12),
    "make room": (_in_reply("I make room"), 12),
    "referee": (_in_prompt(REFEREE), 4),
    "vote after a tie": (_in_prompt("All were ties."), 1),
    "welcome to a newcomer": (_in_reply("Welcome, "), 12),
    "a newcomer introduces itself": (_later("SD"), 4),
    "re-election": (_later("TALB", "LE"), 4),
    "a refused plan": (_in_prompt("[Environment Feedback]: plan"), 4),
    "something misplaced": (lambda stage, prompt, reply, step: stage == "SEE" and not reply.endswith(" none"), 4),
}


def kind_of_state(stage: str, prompt: Prompt, reply: str, step: int) -> str:
    """The name of what is rare in it, or nothing."""
    return next((name for name, (told, _) in RARE.items() if told(stage, prompt, reply, step)), "")


def times(kind: str) -> int:
    return RARE[kind][1] if kind else 1


TOLD = 0.5  # of samples: words of others are told otherwise in them


def reworded(prompt: Prompt, rng: random.Random) -> Prompt:
    """The same told otherwise, or as it is; every saying in its own way each time."""
    return prompt if rng.random() >= TOLD else retold(prompt, "train", lambda words: rng)
