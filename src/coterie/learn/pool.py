"""Texts that are learnt from while more of them come: each batch is drawn anew from all that are there."""

from __future__ import annotations

import threading
from collections.abc import Iterable

import numpy as np

from coterie.learn.packing import Rows, Text, packed

NEWS = 0.5  # of a batch, at most: corrections
FILL = 0.97  # of the places of a batch: what is drawn for them


class Pool:
    """Demonstrations and corrections apart, so that neither drowns the other."""

    def __init__(self, seed: int = 0):
        self._rng = np.random.default_rng(seed)
        self._lock = threading.Lock()
        self.kinds: dict[str, list[Text]] = {"demonstrations": [], "corrections": []}
        self._orders: dict[str, list[int]] = {kind: [] for kind in self.kinds}

    def add(self, kind: str, texts: Iterable[Text]) -> None:
        with self._lock:
            self.kinds[kind].extend(texts)

    def __len__(self) -> int:
        return sum(map(len, self.kinds.values()))

    def _one(self, kind: str) -> Text:
        """Each once before any comes again; what has come meanwhile is in the next turn."""
        order = self._orders[kind]
        if not order:
            order.extend(self._rng.permutation(len(self.kinds[kind])).tolist())
        return self.kinds[kind][order.pop()]

    def draw(self, rows: int, length: int) -> Rows:
        """A batch of that shape; what does not fit into it is drawn again some other time."""
        with self._lock:
            old, new = (len(self.kinds[k]) for k in ("demonstrations", "corrections"))
            share = min(NEWS, 2 * new / (old + new)) if new else 0.0
            room, some = rows * length * FILL, list[Text]()
            while room > 0:
                kind = "corrections" if self._rng.random() < share or not old else "demonstrations"
                some.append(self._one(kind))
                room -= len(some[-1].ids)
        return Rows(*(part[:rows] for part in packed(some[:-1] or some, length, rows)))
