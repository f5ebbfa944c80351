"""Texts that are learnt from while more of them come: each batch is drawn anew from all that are there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from coterie.learn.samples import Sample
from coterie.learn.weights import END, START, Tokens
from coterie.models.chat import plain

IGNORED = -100  # as a label: nothing is learnt there


class Marks(NamedTuple):
    """What is learnt where in a conversation. Beside a reply that is not what should have been said stands the one that
    was meant, which is a branch: nothing later looks back at it."""

    labels: np.ndarray
    until: np.ndarray  # as of rows
    positions: np.ndarray


class Text(NamedTuple):
    ids: Sequence[int] | np.ndarray
    learnt: int  # how many at the end are the reply
    marks: Marks | None = None  # of a conversation


class Rows(NamedTuple):
    """Each (rows, length); `until` is the last place that looks back at a place: the end of its text, or of its branch;
    where there is no text, the place itself."""

    ids: np.ndarray
    labels: np.ndarray
    until: np.ndarray
    positions: np.ndarray


OPEN = f"{START}assistant\n"


def as_turn(turn: tuple[str, str]) -> str:
    return f"{START}{plain(turn[0])}\n{plain(turn[1])}{END}\n"


def texts_of(samples: Sequence[Sample], tokens: Tokens, longest: int) -> list[Text]:
    """As numbers; those that do not fit into a row are left out."""
    plain_ones = [s for s in samples if not s.earlier]
    prompts = tokens.many(["".join(map(as_turn, s.prompt)) + OPEN for s in plain_ones])
    replies = tokens.many([plain(s.reply) + END for s in plain_ones])
    both = [Text(np.array(p + r, np.int32), len(r)) for p, r in zip(prompts, replies)]
    both += [_conversation(s, tokens) for s in samples if s.earlier]
    return [t for t in both if len(t.ids) <= longest]


def _conversation(sample: Sample, tokens: Tokens) -> Text:
    """All turns of a conversation, in each of which the meant reply is learnt."""
    told, said = list[str](), list[str]()
    before = ""
    for role, text in (*sample.prompt, ("assistant", sample.reply)):
        if role == "assistant":
            told.append(before + OPEN)
            said.append(plain(text) + END)
            before = "\n"
        else:
            before += as_turn((role, text))
    meant = [plain(reply) + END if reply else "" for reply in (*sample.earlier, sample.reply)]
    ids, labels, until, positions = list[int](), list[int](), list[int](), list[int]()
    at, last = 0, -1  # the position, and the place that foretells the next word
    for asked, words, right in zip(*map(tokens.many, (told, said, meant))):
        beside = [(right, True, True)] if right and right != words else []
        for part, learnt, branch in ((asked, False, False), *beside, (words, right == words, False)):
            if learnt:
                labels[last] = part[0]
            ids += part
            labels += [*part[1:], IGNORED] if learnt else [IGNORED] * len(part)
            until += [len(ids) - 1 if branch else -1] * len(part)
            positions += range(at, at + len(part))
            at, last = (at, last) if branch else (at + len(part), len(ids) - 1)
    end = [len(ids) - 1 if place < 0 else place for place in until]
    marks = Marks(*(np.array(x, np.int32) for x in (labels, end, positions)))
    return Text(np.array(ids, np.int32), sum(label != IGNORED for label in labels), marks)


def packed(texts: Sequence[Text], length: int) -> Rows:
    """The longest first, each into the first row that has room."""
    return _filled(texts, _placed(texts, length), length)


def _placed(texts: Sequence[Text], length: int) -> list[list[int]]:
    """Which texts go into each row."""
    rows: list[list[int]] = []
    room: list[int] = []
    open_rows: list[int] = []  # those that still have room for something
    for n in sorted(range(len(texts)), key=lambda n: -len(texts[n].ids)):
        need = len(texts[n].ids)
        row = next((r for r in open_rows if room[r] >= need), len(rows))
        if row == len(rows):
            rows.append([])
            room.append(length)
            open_rows.append(row)
            if len(open_rows) > 64:  # a bounded search keeps this quick
                open_rows.pop(0)
        rows[row].append(n)
        room[row] -= need
    return rows


def _filled(texts: Sequence[Text], rows: Sequence[Sequence[int]], length: int) -> Rows:
    found = Rows(*(np.zeros((len(rows), length), np.int32) for _ in Rows._fields))
    found.labels[:], found.until[:] = IGNORED, np.arange(length)
    for r, together in enumerate(rows):
        at = 0
        for text in (texts[n] for n in together):
            end = at + len(text.ids)
            found.ids[r, at:end] = text.ids
            found.until[r, at:end] = end - 1
            if text.marks is not None:
                found.labels[r, at:end], found.positions[r, at:end] = text.marks.labels, text.marks.positions
                found.until[r, at:end] = at + text.marks.until
            else:
                found.positions[r, at:end] = np.arange(len(text.ids))
                # What stands at a place foretells the next one.
                found.labels[r, end - text.learnt - 1 : end - 1] = text.ids[-text.learnt :]
            at = end
    return found


FILL = 0.97  # of the places of a batch: what is drawn for them
#: What a batch is drawn from, and how often; a kind that is small yet gets less, or it would be learnt by heart.
SHARES = {"demonstrations": 0.40, "corrections": 0.25, "mistakes": 0.35}
FULL = 3_000  # texts, from which on a kind gets its share


class Pool:
    """Demonstrations, right and wrong states of the pupil, kept apart so that none drowns the others."""

    def __init__(self, seed: int = 0):
        self._rng = np.random.default_rng(seed)
        self.kinds: dict[str, list[Text]] = {kind: [] for kind in SHARES}
        self._orders: dict[str, list[int]] = {kind: [] for kind in SHARES}

    def add(self, kind: str, texts: Iterable[Text]) -> None:
        """Add texts, each of which comes once among those that have not come yet."""
        known = len(self.kinds[kind])
        self.kinds[kind].extend(texts)
        left = np.array([*self._orders[kind], *range(known, len(self.kinds[kind]))], np.int64)
        self._orders[kind] = self._rng.permutation(left).tolist()

    def __len__(self) -> int:
        return sum(map(len, self.kinds.values()))

    def draw(self, rows: int, length: int) -> Rows:
        """A batch of that shape. Each text comes once before any comes again; what does not fit comes the next time."""
        names = list(SHARES)
        shares = np.array([SHARES[n] * min(1.0, len(self.kinds[n]) / FULL) for n in names])
        shares /= shares.sum()
        room, drawn, texts = rows * length * FILL, list[tuple[str, int]](), list[Text]()
        while room > 0:
            kind = names[self._rng.choice(len(names), p=shares)]
            if not self._orders[kind]:  # what has come meanwhile is in the next turn
                self._orders[kind] = self._rng.permutation(len(self.kinds[kind])).tolist()
            drawn.append((kind, self._orders[kind].pop()))
            texts.append(self.kinds[kind][drawn[-1][1]])
            room -= len(texts[-1].ids)
        placed = _placed(texts, length)
        for n in chain(*placed[rows:]):
            self._orders[drawn[n][0]].append(drawn[n][1])
        return _filled(texts, [*placed[:rows], *[[]] * (rows - len(placed))], length)
