"""`interpreted:MODEL`: a trained reader puts what teammates say in a dialect into our own plain sentences, for MODEL.

A linear model (`interpreter.npz`, trained by `tools/interpreter.py` on the `train` part of the dialects) tells which
of our sentences a piece of a message is. The names in it fill that sentence's slots, each by what it names on the map.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

from coterie.core.ngrams import buckets
from coterie.core.protocol import Ask, Prompt, Reply
from coterie.models import Kind, Model, inner_model, models
from coterie.protocols.dynahmrc.oracle_scene import NODE
from coterie.protocols.shared import sentences
from coterie.protocols.shared.dialects import filled, quoted_by_others, sayings, without_quotes

if TYPE_CHECKING:
    import numpy as np

NONE = "none"  # of the kinds: no whole sentence
BODIES = ("arm", "base", "mobile_arm", "drone")
MOST_PIECES = 4  # of one sentence
MOST_CHARS = 1000  # of a message that is read
SURE = -0.7  # the least logarithm of the probability of a body
#: Costs of a sentence more, and of a piece that stays as it is, against a way to divide a message.
ONE_MORE, LEFT = 0.7, 3.0
TYPES = {"robot": "R", "thing": "T", "things": "T", "place": "P", "places": "P", "fixture": "P", "work": "P"}
_WORD = re.compile(r"[a-z']+|[!?]")
_NAME = re.compile(r"what is within its reach|the final placement|(?:floor@)?[A-Za-z]\w*")
_BETWEEN = re.compile(r"(?:, and |, | and )")
_PIECES = re.compile(r"(?<=[.!?;:])\s+")
_MASKS = {"R": "robotname", "P": "placename", "T": "thingname"}
OURS = [s for s in vars(sentences).values() if isinstance(s, sentences.Sentence)]


class KnownNames(NamedTuple):
    """The names of a team and its places; any other name with a number is a thing."""

    robots: frozenset[str]
    places: frozenset[str]

    @classmethod
    def of(cls, prompt: Prompt) -> KnownNames:
        """From what the prompt itself says: nothing that somebody is quoted with gives a name a meaning."""
        me = re.match(r"You are (\w+)[,.]", prompt[0][1]) if prompt else None
        text = "\n".join(part for _, part in without_quotes(prompt))
        robots = re.findall(r"(\w+)(?:'s plan| says)?: \"\"", text)
        places = [n for m in NODE.finditer(text) for n in (m["name"], *(m["carries"] or "").split(", "))]
        places += re.findall(r"^\w+: (\w+), (?:box|high|surface)", text, re.M)
        return cls(frozenset([*robots, *([me[1]] if me else [])]), frozenset(filter(None, places)))

    def type_of(self, name: str) -> str:
        if name in self.robots:
            return "R"
        if name.removeprefix("floor@") in self.places or " " in name:
            return "P"
        return "T" if re.fullmatch(r"[a-z]\w*_\d+", name) else ""


class Piece(NamedTuple):
    """A piece of a message: its words, with one word for each list of names, and the names of each type."""

    words: tuple[str, ...]
    names: dict[str, list[str]]

    @classmethod
    def of(cls, text: str, where: KnownNames) -> Piece:
        names: dict[str, list[str]] = {}
        out, end, last = "", 0, ""
        for found in _NAME.finditer(text):
            if not (kind := where.type_of(found[0])):
                continue
            gap = text[end : found.start()]
            if kind != last or not _BETWEEN.fullmatch(gap):
                out += f"{gap} {_MASKS[kind]} "
            names.setdefault(kind, []).append(found[0])
            end, last = found.end(), kind
        return cls(tuple(_WORD.findall((out + text[end:]).lower())), names)

    def features(self) -> list[int]:
        return buckets(self.words, tuple(_MASKS.values()), ["@" + "".join(sorted(self.names))])


def _fits(usual: sentences.Sentence, names: dict[str, list[str]]) -> bool:
    """True if a piece with these names can be this sentence."""
    if set(names) != {TYPES[s] for s in usual.slots} or any(len({*n}) < len(n) for n in names.values()):
        return False
    if {"place", "things"} <= {*usual.slots} and len(names["T"]) == 1 and usual.template.startswith("At "):
        return False  # of one thing it is said where it lies
    return all(len(names[TYPES[s]]) == 1 for s in usual.slots if s in ("robot", "thing", "place", "fixture"))


def _ours(kind: str, names: dict[str, list[str]]) -> str:
    """Our own sentence of a kind with these names."""
    usual = sayings()[kind].usual
    return filled(usual.template, {slot: ", ".join(names[TYPES[slot]]) for slot in usual.slots})


@lru_cache(maxsize=1)
def _weights() -> tuple[list[str], np.ndarray, np.ndarray]:
    import numpy as np  # not loaded with every protocol

    with resources.files(__package__).joinpath("interpreter.npz").open("rb") as file, np.load(file) as data:
        return [str(k) for k in data["kinds"]], data["weights"].astype(np.float32), data["bias"]


def most_likely_kind(piece: Piece, among: Iterable[str] = ()) -> tuple[str, float]:
    """The most likely kind of a piece and the logarithm of its probability, of those that its names allow."""
    import numpy as np

    kinds, weights, bias = _weights()
    score = bias + weights[piece.features()].sum(axis=0)
    allowed = {*among} or {NONE, *fitting(piece.names)}
    score = np.where([k in allowed for k in kinds], score, -np.inf)
    best = int(score.argmax())
    return kinds[best], float(-np.log(np.exp(score - score[best]).sum()))


def fitting(names: dict[str, list[str]]) -> list[str]:
    """The kinds of sentences that have just these names in them."""
    return [name for name, saying in sayings().items() if _fits(saying.usual, names)]


@lru_cache(maxsize=4096)
def interpreted(words: str, where: KnownNames) -> str:
    """A message in our own sentences; pieces that are none of them stay as they are, and so does a long one."""
    if len(words) > MOST_CHARS:
        return words
    return _introduced(words, where) or _sentences(words, where)


def _introduced(words: str, where: KnownNames) -> str:
    """An introduction, with what its speaker is in quotes; empty if it is none."""
    begin, end = (found.start() if (found := re.search(r"(?<=[\s:,])'", words)) else -1), words.rfind("'")
    if not 0 < begin < end or re.search(r"\w", words[end:]):
        return ""
    head = Piece.of(words[:begin], where)
    body, chance = most_likely_kind(Piece.of(words[begin + 1 : end], where), BODIES)
    if len(head.names.get("R", ())) != 1 or most_likely_kind(head)[0] != "introduction" or chance < SURE:
        return ""
    return f"{_ours('introduction', {'R': head.names['R']})}'{_ours(body, {})}'{words[end + 1 :]}"


def _sentences(words: str, where: KnownNames) -> str:
    parts = pieces(words)
    best: list[tuple[float, list[tuple[str, str]]]] = [(0.0, [])]
    for end in range(1, len(parts) + 1):
        ways = []
        for begin in range(max(0, end - MOST_PIECES), end):
            kind, says, chance = _one(" ".join(parts[begin:end]), where)
            if kind != NONE:
                ways.append((best[begin][0] + chance - ONE_MORE, [*best[begin][1], (kind, says)]))
            elif end - begin == 1:
                ways.append((best[begin][0] - LEFT, [*best[begin][1], (kind, says)]))
        best.append(max(ways, key=lambda way: way[0]))
    return "".join(_joined(best[-1][1]))


def pieces(words: str) -> list[str]:
    """Parts of a message that end like sentences; one of ours said otherwise may have several."""
    return _PIECES.split(words)


def _one(text: str, where: KnownNames) -> tuple[str, str, float]:
    """The kind of a piece of a message, what it says in our words, and the logarithm of its probability."""
    if text.endswith(("…", "...")) or any(ours.whole(text) for ours in OURS):
        return "ours", text, 0.0
    piece = Piece.of(text, where)
    if not piece.words:
        return NONE, text, 0.0
    for kind in fitting(piece.names):
        if _ours(kind, piece.names) == text:
            return kind, text, 0.0
    kind, chance = most_likely_kind(piece)
    return kind, (text if kind == NONE else _ours(kind, piece.names)), chance


def _joined(said: Sequence[tuple[str, str]]) -> Iterator[str]:
    before = ""
    for kind, words in said:
        yield f"{'; ' if kind == before == 'plan' else ' ' if before else ''}{words}"
        before = kind


class Interpreted:
    """Another model, for which the words of teammates are put into our own sentences."""

    def __init__(self, model: Model):
        self.model, self.name = model, f"interpreted:{model.name}"

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        return self.model.answer([ask._replace(prompt=translated_prompt(ask.prompt)) for ask in asks])


def translated_prompt(prompt: Prompt) -> Prompt:
    """A prompt with the words of its robots in our own sentences, where it has the scene graph that places them."""
    where = KnownNames.of(prompt)
    return quoted_by_others(prompt, lambda words: interpreted(words, where), where.robots) if where.places else prompt


_ABOUT = "MODEL; a small trained reader first translates teammates' words into our own sentences"
models.put(
    "interpreted", Kind("interpreted:MODEL", _ABOUT, lambda rest, options: Interpreted(inner_model(rest, options)))
)
