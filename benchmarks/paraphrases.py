"""Sentences that others wrote from meanings alone, through the talk as it is: what is done, read back, offered, asked.

python benchmarks/paraphrases.py FILE [all] [--reader]

The rows of FILE are {"n": number of the meaning, "text": ...}; 0: nothing is to be done. `--reader`: the model reads
what the grammar does not know.

Each sentence comes to a dialogue that is where the meaning belongs: a kit is being taught where the meaning is a list
of things, something was ordered where it corrects one. What the dialogue
would do is written down, not done.

right       the meaning is understood: done or answered at once, or read back ("Do you mean: ...")
useful      something else is asked, and what was meant is among what can be said instead
wrong       something with another meaning is done, stored or approved without a question back
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.mission.listener import MEANINGS, Listener, judged, same  # noqa: E402


def main(path: str, everything: bool, reads: bool) -> None:
    from coterie.cli.talk_reader import make_reader

    rows = [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]
    listener = Listener(make_reader(None) if reads else None)
    counts: Counter[str] = Counter()
    silent = 0
    for row in rows:
        meant = MEANINGS[row["n"] - 1] if row["n"] else ""
        taken = listener.take(row["text"], meant)
        if not row["n"]:
            silent += not taken.done
            if taken.done or everything:
                print(f"  0 {row['text']}\n      may: {row.get('may')}\n      done {taken.done} answered "
                       f"{taken.answered} back {taken.back}")  # fmt: skip
            continue
        found = judged(taken, meant)
        counts[found] += 1
        at_once = any(same(x, meant) for x in taken.done + taken.answered)
        counts["at once"] += found == "right" and at_once
        if everything or found != "right":
            print(f"  {found:7} {row['n']:2} {row['text']}   [{meant}] done {taken.done} answered {taken.answered} "
                   f"back {taken.back!r} offered {taken.offered}")  # fmt: skip
    total = sum(counts[k] for k in ("right", "useful", "asked", "wrong"))
    good, useful = counts["right"] / total, (counts["right"] + counts["useful"]) / total
    print(f"{total} sentences: right {good:.0%} ({counts['at once'] / total:.0%} at once, the rest read back), right "
           "or "
          f"a useful question {useful:.0%}, asked otherwise {counts['asked']}, wrong {counts['wrong']}")  # fmt: skip
    nothing = sum(not r["n"] for r in rows)
    if nothing:
        print(f"{nothing} after which nothing is to be done: nothing done {silent}, to be looked at {nothing - silent}")


if __name__ == "__main__":
    main(sys.argv[1], "all" in sys.argv[2:], "--reader" in sys.argv[2:])
