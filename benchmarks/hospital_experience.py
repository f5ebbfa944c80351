"""Writes what a mission knows of its robots before it begins: trials recorded in earlier missions of a noisy hospital.

    python benchmarks/hospital_experience.py --runs 40

The seeds are of training: suites use others.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path

from coterie.core.seeds import rng_of
from coterie.episode.mission import serve
from coterie.worlds.hospital import domain
from coterie.worlds.hospital.faults import FAULTS

FIRST_SEED, PER_SKILL = 5_000, 40
PATH = Path(domain.__file__).with_name("experience.json")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=40)
    args = parser.parse_args()
    domain.experience = lambda body: []  # from nothing
    found: dict[str, dict[str, list[list[object]]]] = defaultdict(lambda: defaultdict(list))
    for seed in range(FIRST_SEED, FIRST_SEED + args.runs):
        rng = rng_of("experience", seed)
        faults = [rng.choice(sorted(FAULTS))] if rng.random() < 0.3 else []
        goal = rng.choice(("medkit at alpha", "woundkit at beta", "feverkit at gamma"))
        served = serve("hospital", [goal], seed=seed, level="drawn", faults=faults, noise="real", answers="yes")
        cards = served.mission.cards
        for trial in served.mission.trials.of():
            row = [trial.skill, trial.ok, round(trial.ratio, 3), round(trial.usual_s, 2), trial.context]
            found[cards[trial.robot].body][trial.skill].append(row)
        print(seed, goal, faults, served.success, flush=True)
    kept = {body: [r for rows in skills.values() for r in rows[-PER_SKILL:]] for body, skills in sorted(found.items())}
    PATH.write_text(json.dumps(kept, separators=(",", ":")) + "\n", encoding="utf-8")
    for body, rows in kept.items():
        for skill in sorted({str(r[0]) for r in rows}):
            mine = [r for r in rows if r[0] == skill]
            print(f"{body:6} {skill:15} {sum(bool(r[1]) for r in mine)} of {len(mine)}")


if __name__ == "__main__":
    main()
