"""Whether chances and durations that missions tell of their plans come true, in hospitals that nobody has seen.

    python benchmarks/hospital_assessment.py --plans 500 --jobs 16 --out assessment.jsonl --plot assessment.png

Hospitals are drawn as those in which the robots' experience was recorded (`benchmarks/hospital_experience.py`), with
other seeds: actions fail by themselves, and in three of ten something is wrong. Every plan that was begun and came to
its end is held to what was told of it before. Results are written as they come; those in `--out` are not played again.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from coterie.core.seeds import rng_of
from coterie.episode.mission import serve
from coterie.mission.assess import Assessment, Assessor
from coterie.mission.assess.calibrate import Pair, calibration, draw, reliability
from coterie.worlds.hospital.faults import FAULTS

GOALS = ("medkit at alpha", "woundkit at beta", "feverkit at gamma")
FAULTY = 0.3


def one(seed: int) -> list[dict[str, Any]]:
    """What was told of the plans of one mission, and what became of them."""
    rng = rng_of("experience", seed)
    faults = [rng.choice(sorted(FAULTS))] if rng.random() < FAULTY else []
    told: dict[str, Assessment] = {}
    whole = Assessor.foretell

    def foretell(self: Assessor, name: str, *more: Any, **others: Any) -> Assessment:
        told[name] = whole(self, name, *more, **others)
        return told[name]

    Assessor.foretell = foretell  # type: ignore[method-assign]
    try:
        served = serve(
            "hospital", [rng.choice(GOALS)], seed=seed, level="drawn", faults=faults, noise="real", answers="yes"
        )
    finally:
        Assessor.foretell = whole  # type: ignore[method-assign]
    found = []
    for end in served.mission.trials.finished():
        a = told[end.plan]
        row = {"seed": seed, "plan": end.plan, "chance": a.chance, "duration_s": a.duration_s, "low_s": a.low_s}
        found.append({**row, "high_s": a.high_s, "ok": end.ok, "took_s": end.duration_s})
    return found


def pairs(rows: list[dict[str, Any]]) -> Iterator[Pair]:
    for r in rows:
        chance = r["chance"]
        guess = Assessment(chance, chance, chance, r["duration_s"], r["low_s"], r["high_s"])
        yield guess, bool(r["ok"]), r["took_s"]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--plans", type=int, default=500)
    parser.add_argument("--first", type=int, default=30_000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("assessment.jsonl"))
    parser.add_argument("--plot", type=Path)
    args = parser.parse_args()
    rows = [json.loads(line) for line in args.out.read_text().splitlines()] if args.out.exists() else []
    seed = max((r["seed"] for r in rows), default=args.first - 1) + 1
    with args.out.open("a") as out, ProcessPoolExecutor(args.jobs) as pool:
        while len(rows) < args.plans:
            for found in pool.map(one, range(seed, seed + 2 * args.jobs)):
                rows += found
                out.writelines(json.dumps(r) + "\n" for r in found)
                out.flush()
            seed += 2 * args.jobs
            print(f"{len(rows)} plans", flush=True)
    held = list(pairs(rows[: args.plans]))
    scores = calibration(held)
    print(f"{scores.number} plans, {100 * sum(ok for _, ok, _ in held) / len(held):.0f} % work")
    print(f"calibration error {scores.error:.3f}; Brier {scores.brier:.3f}, of the base rate {scores.base_brier:.3f}")
    print(f"{100 * scores.coverage:.1f} % of {scores.covered_of} durations within their 80 % intervals, which are "
          f"{scores.width:.2f} of the duration wide")  # fmt: skip
    for b in reliability(held):
        print(f"  told {b.told:.2f}: {b.number} plans, {b.came:.2f} work")
    if args.plot is not None:
        draw(held, args.plot, "plans of missions in drawn hospitals")


if __name__ == "__main__":
    main()
