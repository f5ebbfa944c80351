"""The vectors of one structure in memory, and the nearest among them: a few passes over numbers, no text touched."""

from __future__ import annotations

import numpy as np

_CHUNK = 8192  # columns at a time, so that a pass stays in the processor's cache


class Shelf:
    """Positions of many cases of one structure. The distance is the mean displacement of the things [m]."""

    def __init__(self, width: int):
        self.width = width  # numbers of one vector: three per thing
        self.size = 0
        self.last = 0  # the highest id that was added
        self._ids = np.empty(256, dtype=np.int64)
        self._columns = np.empty((width, 256), dtype=np.float32)

    def add(self, ids: np.ndarray, vectors: np.ndarray) -> None:
        """ids (n,) in rising order, vectors (n, width)."""
        if not len(ids):
            return
        need = self.size + len(ids)
        if need > len(self._ids):
            room = max(need, 2 * len(self._ids))
            self._ids = np.concatenate([self._ids[: self.size], np.empty(room - self.size, dtype=np.int64)])
            more = np.empty((self.width, room), dtype=np.float32)
            more[:, : self.size] = self._columns[:, : self.size]
            self._columns = more
        self._ids[self.size : need] = ids
        self._columns[:, self.size : need] = vectors.T
        self.size = need
        self.last = max(self.last, int(ids[-1]))

    def nearest(self, vector: np.ndarray, count: int) -> list[tuple[float, int]]:
        """(mean displacement, id) of the nearest, best first; the newer first where two are equally near."""
        if not self.size or count < 1:
            return []
        far = self._distances(vector)
        if count < self.size:
            limit = np.partition(far, count - 1)[count - 1]
            places = np.flatnonzero(far <= limit)  # all that tie with the last one, too
        else:
            places = np.arange(self.size)
        places = places[np.lexsort((-self._ids[places], far[places]))][:count]
        return [(float(far[i]), int(self._ids[i])) for i in places]

    def _distances(self, vector: np.ndarray) -> np.ndarray:
        out = np.empty(self.size, dtype=np.float32)
        things, room = self.width // 3, min(_CHUNK, self.size)
        moved = np.empty((self.width, room), dtype=np.float32)
        square = np.empty((things, room), dtype=np.float32)
        for begin in range(0, self.size, _CHUNK):
            end = min(begin + _CHUNK, self.size)
            d, q = moved[:, : end - begin], square[:, : end - begin]
            np.subtract(self._columns[:, begin:end], vector[:, None], out=d)
            np.multiply(d, d, out=d)
            np.add(d[0::3], d[1::3], out=q)
            np.add(q, d[2::3], out=q)
            np.sqrt(q, out=q)
            np.add.reduce(q, axis=0, out=out[begin:end])
        out /= np.float32(max(1, things))
        return out
