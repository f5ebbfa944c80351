"""Missions in drawn hospitals with faults: how many succeed of those that could be mastered by somebody who knows
everything, and whether the others end with an explanation that names what was wrong.

    python benchmarks/hospital.py --cases 100 --first 20000 --out hospital.jsonl
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

from coterie.episode.mission import judged, serve
from coterie.worlds.hospital.tasks import draw_case
from coterie.worlds.hospital.witness import witness

LIMIT_S = 1800.0  # simulated


def one(seed: int) -> dict[str, Any]:
    case = draw_case(seed)
    begun = time.process_time()
    options: dict[str, Any] = {"level": "drawn", "faults": case.faults, "noise": case.noise}
    served = serve("hospital", [case.goal], seed=seed, answers="yes", **options)
    took = time.process_time() - begun
    task, notes = served.played.task, served.notes
    seen = None if served.success else witness(task)  # what was done is a witness itself
    wrong = [str(f["pred"]) for f in task.about["faults"]]
    because = [b for n in notes if n["what"] == "failed" for b in n["because"]]
    named = {b.removeprefix("not ").partition("(")[0] for b in because}
    return {
        "seed": seed,
        "goal": case.goal,
        "faults": [dict(f) for f in task.about["faults"]],
        "noise": case.noise,
        "witness": "plan" if seen is None else seen.status,
        "success": served.success,
        "time_s": served.played.result.time_s,
        "status": served.played.result.status,
        "because": because,
        "right": bool(named & set(wrong)),
        "failures": [n["why"] for n in notes if n["what"] == "failure"],
        "policies": [n["policy"] for n in notes if n["what"] == "recovery"],
        "told": sum(n["what"] == "tell" for n in notes),
        "asked": sum(n["what"] == "proposal" for n in notes),
        "schedule": len(judged(served.played)),
        "refused": len(served.mission.authority.refusals),
        "cpu_s": round(took, 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=50)
    parser.add_argument("--first", type=int, default=20_000)
    parser.add_argument("--out", type=Path, default=Path("hospital.jsonl"))
    args = parser.parse_args()
    rows = [json.loads(line) for line in args.out.read_text().splitlines()] if args.out.exists() else []
    known = {row["seed"] for row in rows}
    with args.out.open("a") as out:
        for seed in range(args.first, args.first + args.cases):
            if seed in known:
                continue
            row = one(seed)
            rows.append(row)
            out.write(json.dumps(row) + "\n")
            out.flush()
            print(seed, row["goal"], [f["kind"] for f in row["faults"]], row["witness"], row["success"], flush=True)
    show([r for r in rows if args.first <= r["seed"] < args.first + args.cases])


def show(rows: list[dict[str, Any]]) -> None:
    can = [r for r in rows if r["witness"] == "plan"]
    cannot = [r for r in rows if r["witness"] == "none"]
    ended = [r for r in rows if not r["success"]]
    good = sum(r["success"] for r in can)
    print(f"{len(rows)} cases: {len(can)} with a witness, {len(cannot)} proven impossible, "
          f"{len(rows) - len(can) - len(cannot)} open")  # fmt: skip
    print(f"with a witness: {good} of {len(can)} succeed ({100 * good / max(1, len(can)):.1f} %)")
    unproven = [r for r in ended if r["witness"] != "plan"]
    print(f"others that were given up: {len(unproven)}, explained by the fault: {sum(r['right'] for r in unproven)}")
    print(f"later than {LIMIT_S:g} s: {sum(r['time_s'] >= LIMIT_S - 1 for r in rows)}, "
          f"schedules that do not hold: {sum(r['schedule'] > 0 for r in rows)}")  # fmt: skip
    print(f"CPU per mission: {sum(r['cpu_s'] for r in rows) / max(1, len(rows)):.1f} s; "
          f"told {sum(r['told'] for r in rows) / max(1, len(rows)):.1f} sentences, "
          f"asked {sum(r['asked'] for r in rows) / max(1, len(rows)):.2f} times")  # fmt: skip
    print(Counter(p for r in rows for p in r["policies"]))
    for r in can:
        if not r["success"]:
            print("missed:", r["seed"], r["goal"], [f["kind"] for f in r["faults"]], r["failures"], r["because"])
    for r in unproven:
        if not r["right"]:
            print("not explained:", r["seed"], r["witness"], [f["kind"] for f in r["faults"]], r["because"])


if __name__ == "__main__":
    main()
