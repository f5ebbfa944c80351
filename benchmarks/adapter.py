"""How much a stranger reads of what teammates say, by format: values read rightly, read wrongly, and not read.

python benchmarks/adapter.py [--count 100]
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import fields, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from coterie.protocols.adhoc.adapter import Heard, read
from tests.protocols.adhoc.formats_later import formats as LATER
from tests.protocols.adhoc.formats_seen import formats as SEEN
from tests.protocols.adhoc.formats_unseen import formats as UNSEEN
from tests.protocols.adhoc.traps import TRAPS
from tests.protocols.adhoc.truth import drawn, judged


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=100)
    count = parser.parse_args().count
    print(f"{'format':<22} {'read':>7} {'wrong':>7} {'unread':>7}   of values said, {count} messages each")
    for title, formats in (("seen", SEEN), ("later", LATER), ("unseen", UNSEEN)):
        total = [0, 0, 0]
        for name, write in formats.items():
            row = [0, 0, 0]
            for seed in range(count):
                truth = drawn(seed)
                text = write(truth)
                row = [a + b for a, b in zip(row, judged(truth, text, read(text, truth.name)))]
            print(_line(name, row))
            total = [a + b for a, b in zip(total, row)]
        print(_line(f"all {title}", total), "\n")
    false = [
        (text, heard) for text, good in TRAPS if (heard := replace(read(text, "Alice"), unread="")) != Heard(**good)
    ]
    more = [text for text, heard in false if any(getattr(heard, f.name) != f.default for f in fields(Heard))]
    print(
        f"traps: {len(TRAPS)}, read otherwise than meant {len(false)}, of which something false was taken {len(more)}"
    )
    for text, heard in false:
        print(f"  {text!r}: { {f.name: v for f in fields(Heard) if (v := getattr(heard, f.name)) != f.default} }")
    begun = time.perf_counter()
    for seed in range(count):
        for write in (*SEEN.values(), *LATER.values(), *UNSEEN.values()):
            read(write(drawn(seed)))
    each = (time.perf_counter() - begun) / (count * len({**SEEN, **LATER, **UNSEEN}))
    print(f"{each * 1e3:.2f} ms a message")


def _line(name: str, row: list[int]) -> str:
    right, wrong, said = row
    return f"{name:<22} {right / said:>7.1%} {wrong / said:>7.1%} {max(0, said - right - wrong) / said:>7.1%}"


main()
