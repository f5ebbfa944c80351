"""What single rules of IRoT's rule mind are worth: each variant plays the same tasks, and is compared with the others.

    python benchmarks/stranger_rules.py --jobs 16 --episodes 270
    python benchmarks/stranger_rules.py --jobs 2 --episodes 18 --variants "as it is,no looks"
    python benchmarks/stranger_rules.py --episodes 270 --variants "as it is" --rows R.jsonl --seconds 170

A variant changes numbers of the rule mind (`irot.oracle`), of how it looks (`views`), of what it tells and of what it
is told, and nothing else. `--houses 0-4` takes some of the ten houses of each size, so that what is tuned on some can
be measured on others. With `--rows` what stands there is not played again, and with `--seconds` it stops after a
while: the same command goes on. What is printed is of the tasks that all have played. Rows know nothing of the code
that made them: after a change of rules, take another file.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from coterie.bench.methods import parse_method
from coterie.bench.playing import Job, play_job
from coterie.bench.results import Row
from coterie.bench.runner import make_jobs
from coterie.bench.statistics import paired
from coterie.bench.studies.irot.numbers import partial, success, temporal
from coterie.bench.suites import make_suite, sample
from coterie.core.seeds import seed_of
from coterie.protocols.adhoc import carrying_out as doing
from coterie.protocols.adhoc import knowledge as knowing
from coterie.protocols.adhoc import stranger
from coterie.protocols.adhoc import viewpoints as views
from coterie.protocols.adhoc.irot import oracle
from coterie.protocols.heuristic import talk

VARIANTS: dict[str, dict[str, Any]] = {
    "as it is": {},
    "no looks": {"NEARER": False},
    "looks early": {"LATER": 2},
    "nothing again": {"AGAIN": 0},
    "alone 30": {"ALONE": 30},
    "alone 90": {"ALONE": 90},
    "sure early": {"DOUBT": 0.2},
    "searches to the last": {"CARRY": 0},
    "second looks in crowds": {"CROWD": 9},
    "not higher": {"HIGHER": False},
    "crowds do not matter": {"CROWDED": 0},
    "floor alone": {"PIECE": 0.0, "BLIND": 1.0},
    "tells early": {"CAREFUL": False},
    "no guesses": {"GUESSES": ()},
    "homes first": {"AT_HAND": -1},
    "far at hand": {"AT_HAND": 20},
    "no rests": {"RESTS": False, "LAST": -1, "LAST_STEPS": -1, "SOON_STEPS": -1},
    "patient": {"PATIENCE": 40},
    "hasty": {"PATIENCE": 0},
    "no places": {"MOST_PLACES": 0},
    "asks once": {"ASK_STEPS": 10_000},
    "stops with explorers": {"WORKERS": False},
    "the first place": {"SOONER_M": 10_000.0},
}
CHANGED = (oracle, views, stranger, doing, knowing, talk)


def _play(given: tuple[Job, dict[str, Any]]) -> Row:
    job, change = given
    kept = [(module, name, getattr(module, name)) for name in change for module in CHANGED if hasattr(module, name)]
    for module, name, _ in kept:
        setattr(module, name, change[name])
    try:
        return play_job(job)[0]
    finally:
        for module, name, value in kept:
            setattr(module, name, value)


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--jobs", type=int, default=1)
    p.add_argument("--episodes", type=int, default=270)
    p.add_argument("--houses", default="0-9")
    p.add_argument("--team", default="heuristic")
    p.add_argument("--others", default="heuristic@0", help="strangers to compare with, joined with commas")
    p.add_argument("--stranger", default="irot@0")
    p.add_argument("--variants", default=",".join(VARIANTS))
    p.add_argument("--rows", type=Path, help="append what came out of every task to this file, and go on after it")
    p.add_argument("--seconds", type=float, help="begin no further task after so long")
    p.add_argument("--logs", type=Path, help="keep logs here of tasks in which two strangers come out differently")
    args = p.parse_args()
    every = make_suite("irot")
    first, (low, _, high) = min(s.config.seed for s in every), args.houses.partition("-")
    some = [s for s in every if int(low) <= s.config.seed - first <= int(high or low)]
    specs = sorted(sample(some, args.episodes), key=lambda s: seed_of("rules", str(s)))  # pieces are like the whole
    runs: list[tuple[str, str, dict[str, Any]]] = [(args.team, args.team, {})]
    runs += [(o, f"{args.team}+{o}", {}) for o in args.others.split(",") if o]
    named = [v.strip() for v in args.variants.split(",") if v.strip()]
    runs += [(name, f"{args.team}+{args.stranger}", VARIANTS[name]) for name in named]
    jobs = [(name, job, change) for spec in specs for name, method, change in runs
            for job in make_jobs([spec], [parse_method(method)], "oracle")]  # fmt: skip
    if args.logs is not None:
        jobs = [(n, job._replace(log=str(_log(args.logs, n, job.key))) if "+" in job.method else job, c)
                for n, job, c in jobs]  # fmt: skip
    rows: dict[str, dict[str, Row]] = {name: {} for name, _, _ in runs}
    for row in _kept(args.rows):
        rows.setdefault(row["run"], {})[row["key"]] = row
    left = [(name, job, change) for name, job, change in jobs if job.key not in rows[name]]
    begun, size = time.perf_counter(), args.jobs * len(runs)
    with ProcessPoolExecutor(args.jobs) as pool:
        for at in range(0, len(left), size):
            if args.seconds is not None and time.perf_counter() - begun > args.seconds:
                break
            some_jobs = left[at : at + size]
            for (name, job, _), row in zip(some_jobs, pool.map(_play, [(j, c) for _, j, c in some_jobs])):
                short = _short(name, row)
                rows[name][job.key] = short
                if args.rows is not None:
                    with args.rows.open("a") as file:
                        file.write(f"{json.dumps(short)}\n")
    keys = [job.key for _, job, _ in jobs]
    whole = [key for key in dict.fromkeys(keys) if all(key in rows[name] for name, _, _ in runs)]
    told = {name: [rows[name][key] for key in whole] for name, _, _ in runs}
    for name in told:
        _print(name, {n: told[n] for n in list(told)[: list(told).index(name) + 1]}, args.team)
    if args.logs is not None:
        _keep(args.logs, {name: found for name, found in told.items() if name != args.team})


def _kept(path: Path | None) -> list[Row]:
    if path is None or not path.exists():
        return []
    return [json.loads(line) for line in path.read_text().splitlines()]


def _log(folder: Path, name: str, key: str) -> Path:
    path = folder / name.replace(" ", "-") / f"{key.replace('/', '-')}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def _keep(folder: Path, rows: dict[str, list[Row]]) -> None:
    """Logs of tasks that end alike for all strangers are taken away again."""
    for same in zip(*rows.values()):
        if len({(row["success"], temporal(row)) for row in same}) == 1:
            for name, row in zip(rows, same):
                path = _log(folder, name, row["key"])
                path.unlink(missing_ok=True)
                Path(f"{path}.wall").unlink(missing_ok=True)


def _short(name: str, row: Row) -> Row:
    kept = ("key", "success", "ps", "ts", "left", "stranger", "plans", "judged")
    return {"run": name, **{key: row.get(key) for key in kept}}


def _print(name: str, rows: dict[str, list[Row]], team: str) -> None:
    mine, parts = rows[name], []
    for other in [team, *(o for o in rows if "@" in o)]:
        if other != name:
            gains = {
                "%Suc": _gain(mine, rows[other], success), "%PS": _gain(mine, rows[other], partial),
                "#TS": _gain(mine, rows[other], temporal),
            }  # fmt: skip
            parts.append(f"against {other}: {', '.join(f'{name} {words}' for name, words in gains.items())}")
    both = [(a, b) for a, b in zip(mine, rows[team]) if a["success"] and b["success"]]
    left = Counter(word for row in mine for word in row.get("left") or ())
    print(f"{name}: %Suc {_mean(mine, success):.1f} #TS {_mean(mine, temporal):.1f} of {len(mine)}")
    for part in parts:
        print(f"    {part}")
    if both and name != team:
        a, b = ([temporal(r) for r in side] for side in zip(*both))
        print(f"    #TS where both succeed ({len(both)}): {sum(a) / len(a):.0f} against {sum(b) / len(b):.0f}")
    for words, arm in (("with an arm", True), ("without", False)):
        both = [(a, b) for a, b in zip(mine, rows[team]) if (a.get("stranger") or {}).get("arm") is arm]
        if both:
            gain = _gain([a for a, _ in both], [b for _, b in both], success)
            print(f"    {words} ({len(both)}): %Suc {gain}")
    print(f"    left: {dict(left.most_common())}", flush=True)


def _gain(rows: Sequence[Row], others: Sequence[Row], read: Any) -> str:
    found = paired([read(r) for r in rows], [read(r) for r in others], seed="rules")
    return f"{found.difference:+.1f} [{found.low:+.1f}, {found.high:+.1f}]"


def _mean(rows: Sequence[Row], read: Any) -> float:
    return sum(map(read, rows)) / len(rows) if rows else float("nan")


if __name__ == "__main__":
    main()
