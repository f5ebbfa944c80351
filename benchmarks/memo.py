"""How fast the memo is: lookups among 100 to 100,000 solved tasks against the search from end to end; writing.

    python benchmarks/memo.py [--most 100000] [--queries 50] [--linear 1000]

The tasks are of one structure (Pack Grocery: every case passes the first sieve, the worst there is) or of many (Sort
Cubes). The collision check of the exact test is a cheap stand-in: what is timed is the memo. Times are of one core.
"""

from __future__ import annotations

import argparse
import math
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from rich.progress import Progress

from coterie.bench.table import markdown
from coterie.memo import Act, Case, Leg, Memo, MemoSettings, Motion, Plan, Store, Thing

ITEMS = ("apple", "banana", "bread", "cereal", "milk", "soda_can")
CELLS = [(x, y) for x in (-0.05, -0.25, -0.5, -0.75) for y in (0.4, 0.6)]
PANELS = (-1.12, -0.8, -0.4, 0.0, 0.4, 0.8, 1.2)
HOMES = {"Alice": (0.29, 0.06, 0.51), "Bob": (0.36, 1.05, 0.62)}
BATCH = 500


def arc(a: tuple[float, ...], b: tuple[float, ...]) -> np.ndarray:
    """A way of the hand over the table, ten points."""
    t = np.linspace(0, 1, 10)[:, None]
    way = (1 - t) * np.array(a) + t * np.array(b)
    way[:, 2] += 0.2 * np.sin(math.pi * t[:, 0])
    return way


def pack_case(rng: np.random.Generator) -> tuple[Case, Plan]:
    cells = rng.permutation(8)[:6]
    spots = [(CELLS[c][0] + rng.uniform(-0.05, 0.05), CELLS[c][1] + rng.uniform(-0.03, 0.03), 0.3) for c in cells]
    things = {n: Thing(n, "", *p) for n, p in zip(ITEMS, spots)}
    case = Case("tabletop", "pack-grocery", "pack everything", (("Alice", "ur5e"), ("Bob", "panda")), things)
    steps: list[dict[str, Act]] = []
    for turn in range(3):
        picks, places = {}, {}
        for k, (robot, home) in enumerate(HOMES.items()):
            i = 2 * turn + k
            slot = (0.25 + 0.2 * turn, 0.415 + 0.17 * k, 0.36)
            knots = rng.normal(size=(6, 8))
            picks[robot] = Act("PICK", (ITEMS[i],), None, (Motion(knots, arc(home, spots[i]), ITEMS[i]),))
            put = Motion(knots, arc(spots[i], slot), f"slot_{i}", ITEMS[i])
            places[robot] = Act("PLACE", (ITEMS[i], f"slot_{i}"), None, (put, Motion(knots, arc(slot, home))))
        steps += [picks, places]
    return case, Plan(tuple(steps))


def sort_case(rng: np.random.Generator) -> tuple[Case, Plan]:
    places = rng.permutation(7)[:3]
    robots = (("Alice", "ur5e"), ("Bob", "panda"), ("Chad", "ur5e-suction"))
    things = {
        cube: Thing(cube, f"panel{p + 1}", PANELS[p] + rng.uniform(-0.1, 0.1), 0.5 + rng.uniform(-0.1, 0.1), 0.2)
        for cube, p in zip(("blue_square", "pink_polygon", "yellow_trapezoid"), places)
    }
    case = Case("tabletop", "sort-cubes", "sort the cubes", robots, things)
    act = Act(
        "PICK", ("blue_square",), None, (Motion(rng.normal(size=(6, 8)), arc((0, 0, 0), (1, 0, 0)), "blue_square"),)
    )
    return case, Plan(tuple({"Alice": act, "Bob": act, "Chad": act} for _ in range(4)))


MAKE = {"pack-grocery": pack_case, "sort-cubes": sort_case}


def probe(leg: Leg, points: np.ndarray) -> int | None:
    low = np.flatnonzero(points[:, 2] < 0.1)
    return int(low[0]) if len(low) else None


def batches(make: str, begin: int, end: int) -> Iterator[list[tuple[Case, Plan, str]]]:
    rng = np.random.default_rng(begin)
    for first in range(begin, end, BATCH):
        yield [(*MAKE[make](rng), f"{make}/{i}") for i in range(first, min(end, first + BATCH))]


class Times(NamedTuple):
    """Milliseconds of every lookup by the clock and of the processor, and how many found something."""

    wall: list[float]
    cpu: list[float]
    hits: int


def lookups(memo: Memo, make: str, queries: int, which: str) -> Times:
    rng, wall, cpu, hits = np.random.default_rng(2**31), [], [], 0
    look = memo.lookup_fast if which == "fast" else memo.lookup_global
    for _ in range(queries):
        case, _ = MAKE[make](rng)
        begun, used = time.perf_counter(), time.process_time()
        found = look(case, probe)
        wall.append(1000 * (time.perf_counter() - begun))
        cpu.append(1000 * (time.process_time() - used))
        hits += found.match is not None
    return Times(wall, cpu, hits)


def shown(times: Times) -> str:
    ordered = sorted(times.wall)
    late = ordered[int(0.95 * (len(ordered) - 1))]
    return f"{statistics.median(ordered):.2f} / {late:.2f} / {statistics.median(times.cpu):.2f}"


def measure(path: Path, make: str, size: int, queries: int, linear: int) -> list[str]:
    with Memo(path) as cold:
        first = lookups(cold, make, 1, "global")
    with Memo(path) as memo:
        fast = lookups(memo, make, queries, "fast")
        lookups(memo, make, 20, "global")  # shelves are filled
        warm = lookups(memo, make, queries, "global")
    row = [make, f"{size:,}", shown(fast), shown(warm), f"{first.wall[0]:.1f}", f"{100 * warm.hits // queries}%"]
    if size > linear:
        return [*row, "–"]
    with Memo(path, MemoSettings(selective=False)) as old:
        return [*row, shown(lookups(old, make, max(2, min(queries, 3000 // size)), "global"))]


def writing(folder: Path, count: int = 300) -> tuple[float, float]:
    """Tasks per second: one transaction each, and many in one."""
    one = next(iter(batches("pack-grocery", 0, count)))
    begun = time.perf_counter()
    with Store(folder / "single.sqlite") as store:
        for item in one:
            store.add(*item)
    single = count / (time.perf_counter() - begun)
    begun = time.perf_counter()
    with Store(folder / "many.sqlite") as store:
        store.add_many(one)
    return single, count / (time.perf_counter() - begun)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--most", type=int, default=100_000, help="the largest memo")
    parser.add_argument("--queries", type=int, default=50)
    parser.add_argument("--linear", type=int, default=1000, help="up to this size also from end to end")
    args = parser.parse_args()
    sizes = [n for n in (100, 1000, 10_000, 100_000) if n <= args.most] or [args.most]
    rows: list[list[str]] = []
    with tempfile.TemporaryDirectory() as folder, Progress() as progress:
        for make in MAKE:
            bar = progress.add_task(make, total=sizes[-1])
            path, done = Path(folder) / f"{make}.sqlite", 0
            for size in sizes:
                with Store(path) as store:
                    for batch in batches(make, done, size):
                        store.add_many(batch)
                        progress.advance(bar, len(batch))
                done = size
                rows.append(measure(path, make, size, args.queries, args.linear))
            path.unlink()
        single, many = writing(Path(folder))
    heads = ["task", "stored", "fast table", "global table", "first lookup of a process", "found", "end to end"]
    print("Milliseconds: median / 95th percentile by the clock / median of the processor\n")
    print("\n".join(markdown(heads, rows)))
    print(f"\nWriting: {single:.0f} tasks a second one by one, {many:.0f} many at once.")


if __name__ == "__main__":
    main()
