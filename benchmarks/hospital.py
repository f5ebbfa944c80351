"""Missions in drawn hospitals with faults: how many succeed of those that could be mastered by somebody who knows
everything, and whether the others end with an explanation that names what was wrong.

    python benchmarks/hospital.py --cases 1000 --jobs 16 --out hospital.jsonl
    python benchmarks/hospital.py --place office --cases 40 --out office.jsonl

Every case has a witness (a plan carried out in the world itself and accepted by a judge) or a proof that there is none;
cases of which neither is found are passed over, and the next seed is taken. In every case somebody who may not command
gives an order, too. Results are written as they come, and a run that was stopped goes on where it was: those in `--out`
are not played again. It needs numpy alone; where `unified_planning` is installed, its validator judges every plan as
well.

    python benchmarks/hospital.py --record real --cases 40
    python benchmarks/hospital.py --record none --cases 40

write what a mission knows of its robots before it begins: trials of missions in a noisy hospital, or in one where
nothing fails by itself. The seeds are of training: suites use others.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import signal
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import Any

from coterie.bench.studies.hospital import explained
from coterie.core.seeds import rng_of
from coterie.episode.mission import Said, judged, serve
from coterie.mission.planner import MissionPlanner
from coterie.mission.policies import BUILT_IN
from coterie.planning.answer import Limits
from coterie.worlds.hospital import domain
from coterie.worlds.hospital.faults import FAULTS
from coterie.worlds.hospital.places import place
from coterie.worlds.hospital.tasks import draw_case
from coterie.worlds.hospital.witness import Witness, witness

LIMIT_S = 1800.0  # simulated
HANGS_S = 900  # on the clock, after which a case counts as one that hangs
MEDDLING = ("cancel g1", "priority 9 for g1", "pause g1")
FREELY = frozenset(p.name for p in BUILT_IN if not p.approval)  # policies that need no yes
MAY = ("instructor", "teacher")  # roles
TRAINING, PER_SKILL = 5_000, 40  # the first seed that is recorded, and how many trials of each skill are kept
Row = dict[str, Any]


def one(seed: int, name: str = "ward") -> Row:
    """A case: drawn, solved by a planner that knows everything, and played."""
    signal.signal(signal.SIGALRM, _hangs)
    signal.alarm(HANGS_S)
    begun = time.process_time()
    try:
        row = _played(seed, name)
    except Exception as err:  # noqa: BLE001 (one case must not end the others)
        row = {"seed": seed, "error": f"{type(err).__name__}: {err}"}
    signal.alarm(0)
    return {**row, "cpu_s": round(time.process_time() - begun, 2)}


def _hangs(*_: Any) -> None:
    raise TimeoutError("it hangs")


def _played(seed: int, name: str) -> Row:
    case, rng, scene = draw_case(seed, name), rng_of("meddling", seed), place(name)
    supplier = next((n for n, person in scene.people.items() if person.role == "supplies"), "visitor")
    kit = f"{(sorted(scene.kits) or sorted(scene.items))[-1]} at {scene.wards[-1]}"
    meddler, order = rng.choice(("visitor", supplier)), rng.choice((kit, *MEDDLING))
    may = {n for n, person in scene.people.items() if person.role in MAY}
    script = [Said(round(rng.uniform(1, 60), 1), meddler, order)]
    options: Row = {"level": "drawn", "faults": case.faults, "noise": case.noise}
    served = serve(name, [case.goal], seed=seed, answers="yes", script=script, **options)
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
        "breaches": breaches(notes, may),
        "refused": any(r.person == meddler for r in served.mission.authority.refusals)
        and any(n["what"] == "refused" and n["person"] == meddler for n in notes),
    }


def breaches(notes: Sequence[Row], may: Collection[str]) -> list[str]:
    """What was done without the right to it: orders of those who may not give any, ways out without a yes."""
    found, yes = [], set[str]()
    for note in notes:
        if note["what"] in ("goal", "amended", "changed") and note["by"] not in (*may, "mission"):
            found.append(f"{note['what']} of {note['by']}")
        elif note["what"] == "proposal":
            yes.discard(note["goal"])
        elif note["what"] == "approved":
            yes.add(note["goal"])
            if note["by"] not in may:
                found.append(f"a yes of {note['by']}")
        elif note["what"] == "recovery" and note["policy"] not in FREELY and note["goal"] not in yes:
            found.append(f"{note['policy']} without a yes")
    return found


def play(args: argparse.Namespace, rows: list[Row]) -> Iterator[Row]:
    """Seed after seed, until there are cases enough that have a witness or a proof; `rows` grow meanwhile."""
    known = {row["seed"] for row in rows}
    seeds = (seed for seed in count(args.first) if seed not in known)
    with ProcessPoolExecutor(args.jobs) as pool:
        while (left := args.cases - len(chosen(rows, args.first))) > 0:
            yield from pool.map(partial(one, name=args.place), islice(seeds, min(left, 4 * args.jobs)))


def chosen(rows: Iterable[Row], first: int) -> list[Row]:
    """Those that count: all but the ones with neither a witness nor a proof."""
    return [r for r in rows if r.get("witness") != "open" and r["seed"] >= first]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--place", default="ward", help="where: ward, clinic, office, a file, or a house")
    parser.add_argument("--cases", type=int, default=50)
    parser.add_argument("--first", type=int, default=20_000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--record", choices=sorted(domain.EXPERIENCE), help="write the trials of this noise, and end")
    parser.add_argument("--out", type=Path, default=Path("hospital.jsonl"))
    args = parser.parse_args()
    if args.record:
        record(args.cases, args.record)
        return
    rows = [json.loads(line) for line in args.out.read_text().splitlines()] if args.out.exists() else []
    with args.out.open("a") as out:
        for row in play(args, rows):
            rows.append(row)
            out.write(json.dumps(row) + "\n")
            out.flush()
            kinds = [f["kind"] for f in row.get("faults", ())]
            print(row["seed"], row.get("goal"), kinds, row.get("witness"), row.get("success"), flush=True)
    show(sorted((r for r in rows if r["seed"] >= args.first), key=lambda r: r["seed"]), args.cases)


def record(runs: int, noise: str) -> None:
    """Write the trials of missions that begin without any experience."""
    domain.experience = lambda body, noise: []  # type: ignore[assignment]
    if noise == "none":  # the first plan that is found will do
        MissionPlanner.usual, MissionPlanner.judges = Limits(states=5000, tries=1, polish=0), False
    found: dict[str, dict[str, list[list[object]]]] = defaultdict(lambda: defaultdict(list))
    for seed in range(TRAINING, TRAINING + runs):
        rng = rng_of("experience", seed)
        faults = [rng.choice(sorted(FAULTS))] if rng.random() < 0.3 else []
        goal = rng.choice(("medkit at alpha", "woundkit at beta", "feverkit at gamma"))
        served = serve("hospital", [goal], seed=seed, level="drawn", faults=faults, noise=noise, answers="yes")
        for trial in served.mission.trials.of():
            row = [trial.skill, trial.ok, round(trial.ratio, 3), round(trial.usual_s, 2), trial.context]
            found[served.mission.cards[trial.robot].body][trial.skill].append(row)
        print(seed, goal, faults, served.success, flush=True)
    kept = {body: [r for rows in skills.values() for r in rows[-PER_SKILL:]] for body, skills in sorted(found.items())}
    file = Path(domain.__file__).with_name(domain.EXPERIENCE[noise])
    file.write_text(json.dumps(kept, separators=(",", ":")) + "\n", encoding="utf-8")


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
