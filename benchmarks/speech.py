"""How well spoken sentences are heard: the page of utterances, spoken by synthetic voices, section by section.

python benchmarks/speech.py [--every 3] [--voices en-us,en-gb+f3] [--noise 0] [--only TEXT]

For each section: words heard right; what was meant heard right; nothing made out (the person is asked again); and
another meaning. Of those, `yes` counts sentences that were heard as a yes, the only word that moves robots by itself.
`--noise` adds noise of that strength (of 32768). Needs `coterie[speech]`, and runs from the repository.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from coterie.mission.language.understand import understand
from coterie.mission.voice.graph import words_of
from coterie.mission.voice.listening import Listener
from coterie.mission.voice.speaking import spoken
from coterie.talk import meanings as m
from coterie.talk.writing import brief
from tests.mission.spoken import PAGE, TYPED
from tests.mission.words import hospital


def sections() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    heading = ""
    for row in PAGE.read_text("utf-8").partition(TYPED)[0].splitlines():
        if row.startswith("## "):
            heading = row[3:]
        elif (cell := re.match(r"\| (.+?) \| `", row)) is not None:
            found.setdefault(heading, []).append(cell[1])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=3, help="one sentence of so many")
    parser.add_argument("--voices", default="en-us")
    parser.add_argument("--noise", type=float, default=0.0)
    parser.add_argument("--only", default="", help="sections whose heading holds this")
    args = parser.parse_args()
    vocabulary = hospital()
    listener = Listener(vocabulary)
    print(f"{'section':44s} said  words  meaning  nothing  other  yes")
    total = np.zeros(6, dtype=int)
    took, number = 0.0, 0
    for heading, rows in sections().items():
        counts = np.zeros(6, dtype=int)
        for row in rows:
            number += 1
            if number % args.every or args.only.lower() not in heading.lower():
                continue
            for voice in args.voices.split(","):
                sound = spoken(row, voice).astype(float)
                sound += np.random.default_rng(number).normal(0.0, args.noise, len(sound)) if args.noise else 0.0
                began = time.process_time()
                heard = listener.heard(np.clip(sound, -32768, 32767).astype(np.int16))
                took += time.process_time() - began
                meant = [brief(x) for x in understand(row, vocabulary)]
                found = understand(heard.text, vocabulary) if heard.text else []
                right = [brief(x) for x in found] == meant
                yes = any(isinstance(x, m.Approve) for x in found) and not right
                words = words_of(heard.text) == words_of(row)
                counts += [1, words, right, not heard.text, bool(heard.text) and not right, yes]
                if not right:
                    print(f"    {row} -> {heard.text or '(nothing)'}", file=sys.stderr)
        total += counts
        print(
            f"{heading:44s} {counts[0]:4d} {counts[1]:6d} {counts[2]:8d} {counts[3]:8d} {counts[4]:6d} {counts[5]:4d}"
        )
    print(f"{'all':44s} {total[0]:4d} {total[1]:6d} {total[2]:8d} {total[3]:8d} {total[4]:6d} {total[5]:4d}")
    print(f"{took / max(total[0], 1):.2f} s of one processor for each")


if __name__ == "__main__":
    main()
