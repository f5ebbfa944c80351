"""Texts that are learnt from while more of them come: each batch is drawn anew from all that are there."""

from __future__ import annotations

import threading
from collections.abc import Iterable

import numpy as np

from coterie.learn.packing import Rows, Text, packed

FILL = 0.97  # of the places of a batch: what is drawn for them
#: What a batch is drawn from, and how often; a kind that is small yet gets less, or it would be learnt by heart.
SHARES = {"demonstrations": 0.40, "corrections": 0.25, "mistakes": 0.35}
FULL = 3_000  # texts, from which on a kind gets its share
AGAIN = 3.0  # times that what the pupil did is learnt from, before the training waits for more of it


class Pool:
    """What the teacher showed, what the pupil did right, and what it did wrong, apart: none drowns the others."""

    def __init__(self, seed: int = 0):
        self._rng = np.random.default_rng(seed)
        self._lock = threading.Lock()
        self.kinds: dict[str, list[Text]] = {kind: [] for kind in SHARES}
        self._orders: dict[str, list[int]] = {kind: [] for kind in SHARES}
        self._drawn = dict.fromkeys(SHARES, 0)

    def add(self, kind: str, texts: Iterable[Text]) -> None:
        with self._lock:
            self.kinds[kind].extend(texts)

    def __len__(self) -> int:
        return sum(map(len, self.kinds.values()))

    def _one(self, kind: str) -> Text:
        """Each once before any comes again; what has come meanwhile is in the next turn."""
        self._drawn[kind] += 1
        order = self._orders[kind]
        if not order:
            order.extend(self._rng.permutation(len(self.kinds[kind])).tolist())
        return self.kinds[kind][order.pop()]

    @property
    def hungry(self) -> bool:
        """Whether what the pupil did was learnt from so often that more of it is worth waiting for."""
        kinds = ("corrections", "mistakes")
        return sum(self._drawn[k] for k in kinds) > AGAIN * sum(len(self.kinds[k]) for k in kinds) > 0

    def draw(self, rows: int, length: int) -> Rows:
        """A batch of that shape; what does not fit into it is drawn again some other time."""
        with self._lock:
            names = list(SHARES)
            shares = np.array([SHARES[n] * min(1.0, len(self.kinds[n]) / FULL) for n in names])
            shares /= shares.sum()
            room, some = rows * length * FILL, list[Text]()
            while room > 0:
                some.append(self._one(names[self._rng.choice(len(names), p=shares)]))
                room -= len(some[-1].ids)
        return Rows(*(part[:rows] for part in packed(some[:-1] or some, length, rows)))
