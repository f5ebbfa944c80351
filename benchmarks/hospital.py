"""Missions in drawn hospitals with faults: how many succeed of those that could be mastered by somebody who knows
everything, and whether the others end with an explanation that names what was wrong.

    python benchmarks/hospital.py --cases 1000 --jobs 16 --out hospital.jsonl

Every case has a witness (a plan carried out in the world itself and accepted by a judge) or a proof that there is none;
cases of which neither is found are passed over, and the next seed is taken. In every case somebody who may not command
gives an order, too. Results are written as they come, and a run that was stopped goes on where it was: those in `--out`
are not played again. It needs numpy alone; where `unified_planning` is installed, its validator judges every plan as
well.

    python benchmarks/hospital.py --goals 2 --cases 100 --jobs 16 --out two.jsonl

Two goals at once, and nobody answers: whatever needs a yes is given up. A goal that, asked for alone in the same
hospital with the same faults, is done without any failure, is one that no fault touches; told is how often such a goal
is given up beside one that fails.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import signal
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from pathlib import Path
from typing import Any

from coterie.bench.studies.hospital import explained
from coterie.core.seeds import rng_of
from coterie.episode.mission import Said, judged, serve
from coterie.mission.policies import BUILT_IN
from coterie.worlds.hospital.kits import KITS
from coterie.worlds.hospital.tasks import draw_case
from coterie.worlds.hospital.witness import Witness, witness

LIMIT_S = 1800.0  # simulated
HANGS_S = 900  # on the clock, after which a case counts as one that hangs
MEDDLING = ("woundkit at gamma", "cancel g1", "priority 9 for g1", "pause g1")
FREELY = frozenset(p.name for p in BUILT_IN if not p.approval)  # policies that need no yes
MAY = ("instructor", "teacher")
Row = dict[str, Any]


def one(seed: int, goals: int = 1) -> Row:
    """A case: drawn, looked at by somebody who knows everything, and played; or two goals, with nobody who answers."""
    signal.signal(signal.SIGALRM, _hangs)
    signal.alarm(HANGS_S)
    begun = time.process_time()
    try:
        row = _played(seed) if goals == 1 else _together(seed)
    except Exception as err:  # noqa: BLE001 (one case must not end the others)
        row = {"seed": seed, "error": f"{type(err).__name__}: {err}"}
    signal.alarm(0)
    return {**row, "cpu_s": round(time.process_time() - begun, 2)}


def _hangs(*_: Any) -> None:
    raise TimeoutError("it hangs")


def _played(seed: int) -> Row:
    case, rng = draw_case(seed), rng_of("meddling", seed)
    meddler, order = rng.choice(("visitor", "pharmacist")), rng.choice(MEDDLING)
    script = [Said(round(rng.uniform(1, 60), 1), meddler, order)]
    options: Row = {"level": "drawn", "faults": case.faults, "noise": case.noise}
    served = serve("hospital", [case.goal], seed=seed, answers="yes", script=script, **options)
    task, notes = served.played.task, served.notes
    helped = any(n["what"] == "helped" for n in notes)
    seen = witness(task)
    if seen.status == "open" and served.success and not helped and not judged(served.played):
        seen = Witness("plan", seconds=served.played.result.time_s)  # what was done is a witness itself
    because = [b for n in notes if n["what"] == "failed" for b in n["because"]]
    return {
        "seed": seed,
        "goal": case.goal,
        "faults": [dict(f) for f in task.about["faults"]],
        "noise": case.noise,
        "witness": seen.status,
        "witness_s": round(seen.seconds, 1),
        "success": served.success,
        "time_s": served.played.result.time_s,
        "status": served.played.result.status,
        "because": because,
        "right": explained(notes, task.about["faults"]),
        "failures": [n["why"] for n in notes if n["what"] == "failure"],
        "policies": [n["policy"] for n in notes if n["what"] == "recovery"],
        "helped": helped,
        "told": sum(n["what"] == "tell" for n in notes),
        "asked": sum(n["what"] in ("proposal", "request") for n in notes),
        "schedule": len(judged(served.played)),
        "breaches": breaches(notes),
        "refused": any(r.person == meddler for r in served.mission.authority.refusals)
        and any(n["what"] == "refused" and n["person"] == meddler for n in notes),
    }


def _together(seed: int) -> Row:
    """Two goals, together and each alone; actions do not fail by themselves, so that faults alone make a difference."""
    case, rng = draw_case(seed), rng_of("second goal", seed)
    rooms = [r for r in ("alpha", "beta", "gamma") if not case.goal.endswith(r)]
    goals = [case.goal, f"{rng.choice(sorted(KITS))} at {rng.choice(rooms)}"]
    options: Row = {"seed": seed, "level": "drawn", "faults": case.faults}
    served, alone = serve("hospital", goals, **options), [serve("hospital", [g], **options) for g in goals]
    ids = [n["goal"] for n in served.notes if n["what"] == "goal" and "parent" not in n]
    ended = {n["goal"]: n for n in served.notes if n["what"] in ("done", "failed")}
    failed = {n["goal"] for n in served.notes if n["what"] == "failure"}
    return {
        "seed": seed,
        "goals": goals,
        "faults": [dict(f) for f in served.played.task.about["faults"]],
        "untouched": [a.success and not any(n["what"] == "failure" for n in a.notes) for a in alone],
        "done": [ended.get(id, {}).get("what") == "done" for id in ids],
        "failed": [id in failed for id in ids],
        "because": [ended.get(id, {}).get("because", []) for id in ids],
        "why": [ended.get(id, {}).get("why", "") for id in ids],
        "schedule": len(judged(served.played)),
    }


def show_together(rows: list[Row]) -> None:
    broken, rows = [r for r in rows if "error" in r], [r for r in rows if "error" not in r]
    beside = [(r, i) for r in rows for i in (0, 1) if r["untouched"][i] and r["failed"][1 - i]]
    lost = [(r, i) for r, i in beside if not r["done"][i]]
    print(f"cases: {len(rows)}; hang or break off: {len(broken)}")
    print(f"goals that no fault touches, beside one that fails: {len(beside)}; of these given up: {len(lost)}")
    print(f"schedules that do not hold: {sum(r['schedule'] > 0 for r in rows)}")
    for r in broken:
        print("broke off:", r["seed"], r["error"])
    for r, i in lost:
        print("given up:", r["seed"], r["goals"], f"g{i + 1}", r["why"][i], r["because"][i])


def breaches(notes: Sequence[Row]) -> list[str]:
    """What was done without the right to it: orders of those who may not give any, ways out without a yes."""
    found, yes = [], set[str]()
    for note in notes:
        if note["what"] in ("goal", "amended", "changed") and note["by"] not in (*MAY, "mission"):
            found.append(f"{note['what']} of {note['by']}")
        elif note["what"] == "proposal":
            yes.discard(note["goal"])
        elif note["what"] == "approved":
            yes.add(note["goal"])
            if note["by"] not in MAY:
                found.append(f"a yes of {note['by']}")
        elif note["what"] == "recovery" and note["policy"] not in FREELY and note["goal"] not in yes:
            found.append(f"{note['policy']} without a yes")
    return found


def play(args: argparse.Namespace, rows: list[Row]) -> Iterator[Row]:
    """Seed after seed, until there are cases enough that have a witness or a proof."""
    known, seed = {row["seed"] for row in rows}, args.first
    waiting: set[Future[Row]] = set()
    with ProcessPoolExecutor(args.jobs) as pool:
        while True:
            while len(chosen([*rows, *({"seed": -1} for _ in waiting)], args.first)) < args.cases and len(waiting) < (
                2 * args.jobs
            ):
                if seed not in known:
                    waiting.add(pool.submit(one, seed, args.goals))
                seed += 1
            if not waiting:
                return
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)


def chosen(rows: Iterable[Row], first: int) -> list[Row]:
    """Those that count: all but the ones with neither a witness nor a proof."""
    return [r for r in rows if r.get("witness") != "open" and (r["seed"] < 0 or r["seed"] >= first)]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cases", type=int, default=50)
    parser.add_argument("--first", type=int, default=20_000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--goals", type=int, choices=(1, 2), default=1)
    parser.add_argument("--out", type=Path, default=Path("hospital.jsonl"))
    args = parser.parse_args()
    rows = [json.loads(line) for line in args.out.read_text().splitlines()] if args.out.exists() else []
    with args.out.open("a") as out:
        for row in play(args, rows):
            rows.append(row)
            out.write(json.dumps(row) + "\n")
            out.flush()
            kinds = [f["kind"] for f in row.get("faults", ())]
            if args.goals == 2:
                print(row["seed"], row.get("goals"), kinds, row.get("untouched"), row.get("done"), flush=True)
                continue
            print(row["seed"], row.get("goal"), kinds, row.get("witness"), row.get("success"), flush=True)
    if args.goals == 2:
        show_together(sorted((r for r in rows if r["seed"] >= args.first), key=lambda r: r["seed"])[: args.cases])
        return
    show(sorted((r for r in rows if r["seed"] >= args.first), key=lambda r: r["seed"]), args.cases)


def show(rows: list[Row], cases: int) -> None:
    broken = [r for r in rows if "error" in r]
    passed = [r for r in rows if r.get("witness") == "open"]
    rows = [r for r in rows if "error" not in r and r["witness"] != "open"][:cases]
    can, cannot = ([r for r in rows if r["witness"] == w] for w in ("plan", "none"))
    ended = [r for r in rows if not r["success"]]
    good, n = sum(r["success"] for r in can), max(1, len(rows))
    lines = {
        "cases": f"{len(rows)}: {len(can)} with a witness, {len(cannot)} proven impossible; "
        f"{len(passed)} seeds with neither were passed over",
        "of those with a witness succeed": f"{good} of {len(can)} ({100 * good / max(1, len(can)):.1f} %)",
        "of those proven impossible succeed with a person's help": sum(r["success"] for r in cannot),
        "given up": f"{len(ended)}, explained by an injected fault: {sum(r['right'] for r in ended)}",
        "later than 1,800 s": sum(r["time_s"] > LIMIT_S for r in rows),
        "hang or break off": len(broken),
        "schedules that do not hold": sum(r["schedule"] > 0 for r in rows),
        "breaches of authority": sum(bool(r["breaches"]) for r in rows),
        "orders of those who may not, refused and kept": f"{sum(r['refused'] for r in rows)} of {len(rows)}",
        "simulated time of successes (median)": f"{_middle([r['time_s'] for r in can if r['success']]):.0f} s; "
        f"the witness's: {_middle([r['witness_s'] for r in can if r['success']]):.0f} s",
        "per mission": f"{sum(r['told'] for r in rows) / n:.1f} sentences, {sum(r['asked'] for r in rows) / n:.2f} "
        f"questions, CPU {sum(r['cpu_s'] for r in rows) / n:.1f} s",
        "ways out": dict(Counter(p for r in rows for p in r["policies"]).most_common()),
        "validator of unified_planning": "on" if importlib.util.find_spec("unified_planning") else "not installed",
    }
    for what, words in lines.items():
        print(f"{what}: {words}")
    for r in broken:
        print("broke off:", r["seed"], r["error"])
    for r in ended:
        kinds = [f["kind"] for f in r["faults"]]
        if r["witness"] == "plan":
            print("missed:", r["seed"], r["goal"], kinds, r["failures"], r["because"], f"{r['time_s']:g} s")
        if not r["right"]:
            print("not explained:", r["seed"], r["witness"], kinds, r["because"])
    for r in rows:
        if r["schedule"] or r["breaches"] or not r["refused"]:
            print("wrong:", r["seed"], "schedule", r["schedule"], r["breaches"], "refused", r["refused"])


def _middle(values: Sequence[float]) -> float:
    return sorted(values)[len(values) // 2] if values else 0.0


if __name__ == "__main__":
    main()
