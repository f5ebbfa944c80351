"""Texts of many lengths in rows of one length, so that nothing is computed for padding and one shape is compiled."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from coterie.learn.samples import Sample
from coterie.learn.weights import END, START, Tokens
from coterie.models.chat import plain

IGNORED = -100  # as a label: nothing is learnt there


class Text(NamedTuple):
    ids: list[int]
    learnt: int  # how many at the end are the reply


class Rows(NamedTuple):
    """Each (rows, length); `texts` numbers the text that a place belongs to, 0 where there is none."""

    ids: np.ndarray
    labels: np.ndarray
    texts: np.ndarray
    positions: np.ndarray


def as_prompt(sample: Sample) -> str:
    turns = (f"{START}{plain(role)}\n{plain(text)}{END}\n" for role, text in sample.prompt)
    return "".join(turns) + f"{START}assistant\n"


def texts_of(samples: Sequence[Sample], tokens: Tokens, longest: int) -> list[Text]:
    """As numbers; those that do not fit into a row are left out."""
    prompts = tokens.many([as_prompt(s) for s in samples])
    replies = tokens.many([plain(s.reply) + END for s in samples])
    both = (Text(p + r, len(r)) for p, r in zip(prompts, replies))
    return [t for t in both if len(t.ids) <= longest]


def packed(texts: Iterable[Text], length: int, least: int = 0) -> Rows:
    """The longest first, each into the first row that has room; at least so many rows, the last ones empty."""
    rows: list[list[Text]] = []
    room: list[int] = []
    open_rows: list[int] = []  # those that still have room for something
    for text in sorted(texts, key=lambda t: -len(t.ids)):
        need = len(text.ids)
        row = next((r for r in open_rows if room[r] >= need), len(rows))
        if row == len(rows):
            rows.append([])
            room.append(length)
            open_rows.append(row)
            if len(open_rows) > 64:  # a bounded search keeps this quick
                open_rows.pop(0)
        rows[row].append(text)
        room[row] -= need
    shape = (max(len(rows), least), length)
    found = Rows(
        np.zeros(shape, np.int32), np.full(shape, IGNORED, np.int32), np.zeros(shape, np.int16),
        np.zeros(shape, np.int32),
    )  # fmt: skip
    for r, together in enumerate(rows):
        at = 0
        for number, text in enumerate(together, 1):
            end = at + len(text.ids)
            found.ids[r, at:end] = text.ids
            found.texts[r, at:end] = number
            found.positions[r, at:end] = np.arange(len(text.ids))
            # What stands at a place foretells the next one.
            found.labels[r, end - text.learnt - 1 : end - 1] = text.ids[-text.learnt :]
            at = end
    return found
