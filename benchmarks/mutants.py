"""Does the suite notice? Small changes drawn by a seed over the sources, each tried with the tests that see it.

    python benchmarks/mutants.py --count 100 --seed 1        draws, tries, and prints a table; a stopped run goes on
    python benchmarks/mutants.py --count 20 --only rules     one area: core, worlds, rules, memo, models
    python benchmarks/mutants.py --count 100 --seed 1 --list what would be tried
    python benchmarks/mutants.py --count 100 --seed 1 --show 7   number 7 as a difference

Areas have equal weight, and in an area the kinds of changes. Changes that no test can notice because nothing changes
for anybody are named with the reason in mutation/equivalent.json; they are reported and count as not caught.
"""

from __future__ import annotations

import argparse
import difflib
import json
import queue
import random
import shutil
import sys
import tempfile
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mutation.places import KINDS, Place, makes_sense, places
from mutation.sight import Sight
from mutation.trial import copy_tree, try_place, warm

ROOT = Path(__file__).resolve().parents[1]
AREAS = {
    "core": ("core", "log", "episode"),
    "worlds": ("houses", "worlds"),
    "rules": ("protocols/rules", "protocols/shared/reading.py"),
    "memo": ("memo",),
    "models": ("models",),
}
EQUIVALENT = Path(__file__).with_name("mutation") / "equivalent.json"


def sources(tree: Path, parts: Sequence[str]) -> list[Path]:
    base = tree / "src" / "coterie"
    found = [base / p for p in parts if p.endswith(".py")]
    return found + [f for p in parts if not p.endswith(".py") for f in sorted((base / p).rglob("*.py"))]


def draw(
    tree: Path, areas: Sequence[str], count: int, seed: int, wanted: Sequence[str] = KINDS
) -> list[tuple[str, Place]]:
    """`count` places: areas in turn, in each a kind and then a place of that kind."""
    rng = random.Random(f"mutants {seed}")
    pools: dict[str, dict[str, list[Place]]] = {}
    for area in areas:
        found = [m for f in sources(tree, AREAS[area]) for m in places(str(f.relative_to(tree)), f.read_text())]
        pools[area] = {k: [m for m in found if m.kind == k] for k in KINDS}
    drawn: list[tuple[str, Place]] = []
    while len(drawn) < count and areas:
        area = areas[len(drawn) % len(areas)]
        kinds = [k for k in wanted if pools[area][k]]
        if not kinds:
            areas = [a for a in areas if a != area]
            continue
        pool = pools[area][rng.choice(kinds)]
        place = pool.pop(rng.randrange(len(pool)))
        if makes_sense(place, (tree / place.path).read_text()):
            drawn.append((area, place))
    return drawn


def reason_equivalent(place: Place, tree: Path) -> str:
    """Why nobody could notice, where somebody has said so of this very line."""
    if not EQUIVALENT.exists():
        return ""
    line = (tree / place.path).read_text().split("\n")[place.line - 1].strip()
    for known in json.loads(EQUIVALENT.read_text()):
        if (known["path"], known["line"], known["old"], known["new"]) == (place.path, line, place.old, place.new):
            return str(known["reason"])
    return ""


def difference(place: Place, tree: Path) -> str:
    before = (tree / place.path).read_text()
    lines = difflib.unified_diff(
        before.split("\n"), place.apply(before).split("\n"), place.path, "changed", lineterm=""
    )
    return "\n".join(lines)


def table(results: Sequence[dict[str, Any]], areas: Sequence[str]) -> str:
    rows = [f"{'area':8} {'tried':>6} {'caught':>7} {'share':>6}  equivalent"]
    for area in [*areas, "all"]:
        mine = [r for r in results if area in (r["area"], "all")]
        caught = sum(r["caught"] for r in mine)
        same = sum(bool(r["equivalent"]) for r in mine)
        share = f"{caught / len(mine):.0%}" if mine else "-"
        rows.append(f"{area:8} {len(mine):6} {caught:7} {share:>6}  {same}")
    return "\n".join(rows)


class Run:
    """Trials in a few copies of the tree; every result is a line in a file as soon as it is there."""

    def __init__(
        self, tree: Path, sight: Sight, file: Path, jobs: int, budget: float, without: Sequence[str] = ()
    ) -> None:
        self.tree, self.sight, self.file, self.budget, self.without = tree, sight, file, budget, without
        self.done: dict[str, dict[str, Any]] = {}
        if file.exists():
            self.done = {r["id"]: r for r in map(json.loads, file.read_text().splitlines())}
        self.jobs, self.lock, self.finished = jobs, threading.Lock(), 0
        self.copies: queue.Queue[Path] = queue.Queue()

    def __call__(self, drawn: Sequence[tuple[str, Place]]) -> list[dict[str, Any]]:
        todo = [(a, m) for a, m in drawn if m.id not in self.done]
        self.finished, total = len(drawn) - len(todo), len(drawn)
        self.file.parent.mkdir(parents=True, exist_ok=True)
        home = Path(tempfile.mkdtemp(prefix="mutants-"))
        try:
            for n in range(min(self.jobs, len(todo))):
                copy = copy_tree(self.tree, home / f"tree-{n}")
                warm(copy)
                self.copies.put(copy)
            with ThreadPoolExecutor(self.jobs) as pool:
                list(pool.map(lambda item: self.one(*item, total), todo))
        finally:
            shutil.rmtree(home, ignore_errors=True)
        return [self.done[m.id] for _, m in drawn]

    def one(self, area: str, place: Place, total: int) -> None:
        copy = self.copies.get()
        try:
            verdict = try_place(place, copy, self.sight, self.budget, self.without)
        finally:
            self.copies.put(copy)
        same = "" if verdict.caught else reason_equivalent(place, self.tree)
        result = {"id": place.id, "area": area, "place": str(place), "equivalent": same, **asdict(verdict)}
        with self.lock:
            self.done[place.id] = result
            with self.file.open("a") as out:
                out.write(json.dumps(result) + "\n")
            self.finished += 1
            word = "caught" if verdict.caught else "SURVIVED"
            print(f"{self.finished} of {total} {word:8} {verdict.seconds:6.1f} s  {place}  [{verdict.by}]", flush=True)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", metavar="AREAS", help=f"some of {', '.join(AREAS)}, separated by commas")
    parser.add_argument("--kinds", default="", help=f"some of {', '.join(KINDS)}, separated by commas")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--budget", type=float, default=300.0, help="seconds of tests for one change (default 300)")
    parser.add_argument(
        "--without", action="append", default=[], metavar="TESTS", help="leave tests out whose name begins so"
    )
    parser.add_argument("--list", action="store_true", help="only name the changes")
    parser.add_argument("--show", type=int, metavar="N", help="only show change N as a difference")
    parser.add_argument("--out", type=Path, default=ROOT / "results" / "mutants", help="folder for results and the map")
    args = parser.parse_args(argv)
    areas = [a for a in args.only.split(",") if a] or list(AREAS)
    if unknown := [a for a in areas if a not in AREAS]:
        parser.error(f"no area {', '.join(unknown)}; there are {', '.join(AREAS)}")
    kinds = [k for k in args.kinds.split(",") if k] or list(KINDS)
    if unknown := [k for k in kinds if k not in KINDS]:
        parser.error(f"no kind {', '.join(unknown)}; there are {', '.join(KINDS)}")
    drawn = draw(ROOT, areas, args.count, args.seed, kinds)
    if args.show is not None:
        if not 1 <= args.show <= len(drawn):
            parser.error(f"--show takes a number from 1 to {len(drawn)}")
        print(difference(drawn[args.show - 1][1], ROOT))
        return 0
    if args.list:
        for n, (area, place) in enumerate(drawn, 1):
            print(f"{n:4} {area:7} {place}")
        return 0
    sight = Sight(args.out / "seen.json")
    with tempfile.TemporaryDirectory(prefix="mutants-") as home:
        print("Which tests see which line: collecting where tests changed ...", flush=True)
        collected = sight.update(copy_tree(ROOT, Path(home) / "tree"), args.jobs)
        print(f"{collected} test files collected, {len(sight.tests)} tests known", flush=True)
    file = args.out / f"seed-{args.seed}{'-without' if args.without else ''}.jsonl"
    results = Run(ROOT, sight, file, args.jobs, args.budget, args.without)(drawn)
    left = [r for r in results if not r["caught"]]
    for r in left:
        print(f"not caught: {r['place']}  [{r['equivalent'] or r['by']}]")
    print(table(results, areas))
    return 0


if __name__ == "__main__":
    sys.exit(main())
