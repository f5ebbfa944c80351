"""Houses of the household world: how fast they load, what can be done in them, and what the expert does of that.

    python benchmarks/houses.py [--tasks 135] [--every 3]

Times are processor time of one core. Generated houses are those of the suites; real ones come from the folder that
COTERIE_HOUSES names. "Loaded" is from the JSON to a house with its floor, its places and its sentences; reading the
file comes on top. The second table takes tasks spread evenly over the suite `tidy`: how many the bound calls feasible,
how many of those the expert finishes, and how many actions more than the bound it takes.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import statistics
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from coterie.bench.studies.household import DIFFICULTIES, tidy
from coterie.bench.suites import sample
from coterie.bench.table import markdown, share
from coterie.episode.play import play
from coterie.episode.setup import resolve
from coterie.worlds.household.bound import Rounds, shares
from coterie.worlds.household.entry import HOUSEHOLD
from coterie.worlds.household.generate import generate
from coterie.worlds.household.house import House
from coterie.worlds.household.load import house_from
from coterie.worlds.household.scenes import SUITE_ROOMS, scene_names


def real() -> Iterator[tuple[str, House, float]]:
    folder = os.environ.get("COTERIE_HOUSES", "")
    for file in sorted(Path(folder).glob("*.jsonl.gz")) if folder else ():
        with gzip.open(file, "rt") as lines:
            for i, line in enumerate(lines):
                begun = time.process_time()
                house = house_from(json.loads(line))
                yield f"{file.name}#{i}", house, time.process_time() - begun


def loading(every: int) -> list[list[str]]:
    rows = []
    by_rooms: dict[str, list[tuple[House, float, float]]] = {}
    for name in scene_names()[::every]:
        rooms, seed = (int(part) for part in name.split(":")[1:])
        begun = time.process_time()
        data: Any = generate(rooms, seed)
        made = time.process_time() - begun
        begun = time.process_time()
        house = house_from(data)
        by_rooms.setdefault(f"{rooms} rooms", []).append((house, time.process_time() - begun, made))
    for _, house, took in real():
        by_rooms.setdefault("real", []).append((house, took, 0.0))
    for kind in (*(f"{n} rooms" for n in SUITE_ROOMS), "real"):
        found = by_rooms.get(kind, [])
        if not found:
            continue
        receptacles = [p for h, _, _ in found for p in h.pieces if p.receptacle]
        lost = sum("cannot be used" in told for h, _, _ in found for told in h.told)
        cut = sum("cannot be reached" in told for h, _, _ in found for told in h.told)
        rows.append(
            [kind, str(len(found)), f"{1000 * statistics.median(t for _, t, _ in found):.0f}",
             f"{1000 * max(t for _, t, _ in found):.0f}", f"{1000 * statistics.median(m for _, _, m in found):.0f}",
             f"{statistics.mean(len(h.things) for h, _, _ in found):.0f}", str(cut),
             share(len(receptacles) - lost, len(receptacles))]
        )  # fmt: skip
    return rows


def tasks(count: int) -> list[list[str]]:
    found: dict[str, list[tuple[bool, bool, int, float]]] = {d: [] for d in DIFFICULTIES}
    for spec in sample(tidy(), count):
        config = resolve(replace(spec.config, protocol="expert"))
        task = HOUSEHOLD.task(config)
        begun = time.process_time()
        rounds = Rounds(task.setting.house, task.setting.astray)
        plan = shares(rounds, dict(task.robots), dict(task.setting.starts), task.step_limit)
        took = time.process_time() - begun
        result = play(config).result
        more = result.steps - max(s.actions for s in plan.values()) if plan and result.success else 0
        found[spec.labels["difficulty"]].append((plan is not None, result.success, more, took))
    rows = []
    every = [row for many in found.values() for row in many]
    for kind, many in (*found.items(), ("all", every)):
        can = [r for r in many if r[0]]
        both = [r[2] for r in can if r[1]]
        beyond = sum(r[1] and not r[0] for r in many)
        rows.append(
            [kind, str(len(many)), share(len(can), len(many)), share(len(both), len(can)), str(beyond),
             f"{statistics.median(both):.0f}" if both else "-",
             f"{1000 * statistics.mean(r[3] for r in many):.0f}" if many else "-"]
        )  # fmt: skip
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=135)
    parser.add_argument("--every", type=int, default=3, help="of the suites' houses, every so many")
    args = parser.parse_args()
    heads = ["houses", "n", "loaded [ms]", "longest", "made [ms]", "things", "rooms cut off", "receptacles in use"]
    print("\n".join(markdown(heads, loading(args.every))))
    print()
    heads = ["houses", "tasks", "feasible", "done by the expert", "beyond the bound", "steps more", "bound [ms]"]
    print("\n".join(markdown(heads, tasks(args.tasks))))


if __name__ == "__main__":
    main()
