"""Features of short sentences for linear models: words, neighbouring words and parts of words, as hashed buckets."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Sequence

BUCKETS = 1 << 15


def buckets(words: Sequence[str], names: Collection[str] = (), more: Collection[str] = ()) -> list[int]:
    """The buckets of a sentence; parts of words outlast typos. `names` are words of which no part counts."""
    words = ["^", *words, "$"]
    found = {*words, *more}
    found.update(f"{a} {b}" for a, b in zip(words, words[1:]))  # noqa: RUF007 (shifted by one and by two)
    for a, b, c in zip(words, words[1:], words[2:]):
        found.update((f"{a} {b} {c}", f"{a} _ {c}"))
    for word in words:
        if len(word) > 3 and word not in names:
            around = f"<{word}>"
            found.update("#" + around[i : i + 4] for i in range(len(around) - 3))
    return sorted({zlib.crc32(f.encode()) % BUCKETS for f in found})
