"""Writes what a mission knows of its robots before it begins: trials recorded in earlier missions of a noisy hospital,
or of one in which nothing fails by itself.

    python benchmarks/hospital_experience.py --runs 40
    python benchmarks/hospital_experience.py --runs 40 --noise none --quick

The seeds are of training: suites use others.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path

from coterie.core.seeds import rng_of
from coterie.episode.mission import serve
from coterie.mission.planner import MissionPlanner
from coterie.planning.answer import Limits
from coterie.worlds.hospital import domain
from coterie.worlds.hospital.faults import FAULTS

FIRST_SEED, PER_SKILL = 5_000, 40
FOLDER = Path(domain.__file__).parent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--noise", choices=sorted(domain.EXPERIENCE), default="real")
    parser.add_argument("--quick", action="store_true", help="the first plan that is found is taken")
    args = parser.parse_args()
    if args.quick:
        MissionPlanner.usual, MissionPlanner.judges = Limits(states=5000, tries=1, polish=0), False
    domain.experience = lambda body, noise: []  # from nothing
    found: dict[str, dict[str, list[list[object]]]] = defaultdict(lambda: defaultdict(list))
    for seed in range(FIRST_SEED, FIRST_SEED + args.runs):
        rng = rng_of("experience", seed)
        faults = [rng.choice(sorted(FAULTS))] if rng.random() < 0.3 else []
        goal = rng.choice(("medkit at alpha", "woundkit at beta", "feverkit at gamma"))
        served = serve("hospital", [goal], seed=seed, level="drawn", faults=faults, noise=args.noise, answers="yes")
        cards = served.mission.cards
        for trial in served.mission.trials.of():
            row = [trial.skill, trial.ok, round(trial.ratio, 3), round(trial.usual_s, 2), trial.context]
            found[cards[trial.robot].body][trial.skill].append(row)
        print(seed, goal, faults, served.success, flush=True)
    kept = {body: [r for rows in skills.values() for r in rows[-PER_SKILL:]] for body, skills in sorted(found.items())}
    (FOLDER / domain.EXPERIENCE[args.noise]).write_text(
        json.dumps(kept, separators=(",", ":")) + "\n", encoding="utf-8"
    )
    for body, rows in kept.items():
        for skill in sorted({str(r[0]) for r in rows}):
            mine = [r for r in rows if r[0] == skill]
            print(f"{body:6} {skill:15} {sum(bool(r[1]) for r in mine)} of {len(mine)}")


if __name__ == "__main__":
    main()
