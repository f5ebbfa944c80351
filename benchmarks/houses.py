"""Houses of the household world: how fast they load, and how fast teams play in them.

    python benchmarks/houses.py [--every 3] [--speed 5] [--settle] [--grasps 20]

Times are processor time of one core. Generated houses are those of the suites; real ones come from the folder that
COTERIE_HOUSES names. "Loaded" is from the JSON to a house with its floor, its places and its sentences; reading the
file comes on top. The second table plays the heuristic team of five in houses of 6 rooms with the log on disk:
robot-steps a second of the episode alone, bytes of its log a robot-step without its first line, and how long a picture
of 300 x 300 pixels takes. `--speed 0` leaves it out. `--settle` exports houses to MuJoCo
and counts the things that do not stay where they are in two simulated seconds. `--grasps` takes things of so many
houses from two places each, with hands that lift from 1.05 to 10 times as much, and counts what slips by kind.
What can be done in houses: `coterie bench tidy --methods expert`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import os
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from coterie.bench.table import markdown, share
from coterie.core.config import Config
from coterie.episode.play import play
from coterie.episode.setup import resolve
from coterie.houses.floor import floor_of
from coterie.houses.mjcf import to_mjcf, unsettled
from coterie.houses.model import House
from coterie.houses.names import house, scene_names
from coterie.houses.procthor.generate import generate
from coterie.houses.procthor.load import house_from
from coterie.worlds import make_task
from coterie.worlds.household.perception import Eye, Scene, camera_of
from coterie.worlds.household.perception.rendered import Rendered
from coterie.worlds.household.physics import grasp
from coterie.worlds.household.tasks.tidy import SUITE_ROOMS, suite_houses


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
    for name in suite_houses()[::every]:
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
        receptacles = [p for h, _, _ in found for p in h.furniture if p.receptacle]
        lost = sum("cannot be used" in told for h, _, _ in found for told in h.notes)
        cut = sum("cannot be reached" in told for h, _, _ in found for told in h.notes)
        rows.append(
            [kind, str(len(found)), f"{1000 * statistics.median(t for _, t, _ in found):.0f}",
             f"{1000 * max(t for _, t, _ in found):.0f}", f"{1000 * statistics.median(m for _, _, m in found):.0f}",
             f"{statistics.mean(len(h.things) for h, _, _ in found):.0f}", str(cut),
             share(len(receptacles), len(receptacles) + lost)]
        )  # fmt: skip
    return rows


def speed(houses: int) -> list[list[str]]:
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(10_000, 10_000 + houses):
            given = Config(task="tidy", scene=f"rooms:6:{seed}", team="drawn:5", seed=seed, level="3")
            config = resolve(replace(given, protocol="heuristic"))
            task, file = make_task(config), Path(folder) / f"{seed}.jsonl"
            begun = time.process_time()
            played = play(config, file, task=task)
            took = time.process_time() - begun
            steps = sum(e.kind in ("did", "act") for e in played.log.events)
            first = len(file.read_bytes().partition(b"\n")[0])
            house, card = task.setting.house, task.robots[0][1]
            eyes, pictures = [Eye(s.x, s.y, s.heading_deg, -30.0) for _, s in task.setting.starts], Rendered(house)
            begun = time.process_time()
            for eye in eyes:
                pictures.image(Scene(house, {}, {}), eye, camera_of(card))
            drawn = (time.process_time() - begun) / len(eyes)
            rows.append(
                [f"rooms:6:{seed}", str(steps), f"{steps / took:.0f}", f"{(file.stat().st_size - first) / steps:.0f}",
                 f"{1000 * drawn:.0f}"]
            )  # fmt: skip
    return rows


def settling() -> list[list[str]]:
    rows = []
    shipped = [(name, house(name)) for name in (*scene_names(), "house:3", "house:17:12")]
    suites = [(name, house(name)) for name in suite_houses()[::9]]
    for kind, houses in (("shipped", shipped), ("generated", suites), ("real", [(n, h) for n, h, _ in real()])):
        made, moved, text_s, step_s = [], 0, 0.0, 0.0
        for _, one in houses:
            begun = time.process_time()
            made.append(to_mjcf(one))
            text_s += time.process_time() - begun
            begun = time.process_time()
            moved += len(unsettled(one, made[-1].xml))
            step_s += time.process_time() - begun
        if made:
            things, narrowed = sum(m.things for m in made), sum(m.narrowed for m in made)
            rows.append(
                [kind, str(len(made)), str(things), str(moved), str(narrowed), f"{1000 * text_s / len(made):.0f}",
                 f"{2 * len(made) / step_s:.0f}"]
            )  # fmt: skip
    return rows


def grasping(houses: int, each: int = 12) -> list[list[str]]:
    rng, found, took = random.Random(0), dict[str, list[bool]](), 0.0
    for seed in range(houses):
        one = house(f"rooms:4:{2 * seed}")
        places = floor_of(one).steps(0.25, 0.25)
        for thing in rng.sample(one.things, min(each, len(one.things))):
            near = [p for p in places if math.dist(p, thing.spot[:2]) < 1.4]
            for at in rng.sample(near, min(2, len(near))):
                begun = time.process_time()
                held = grasp(one, thing.name, at, thing.mass_kg * rng.uniform(1.05, 10.0)).held
                took += time.process_time() - begun
                found.setdefault(thing.kind, []).append(held)
    kinds = sorted(found, key=lambda k: (sum(found[k]) / len(found[k]), k))
    every = [held for kind in kinds for held in found[kind]]
    rows = [[k, str(len(found[k])), share(found[k].count(False), len(found[k]))] for k in kinds]
    return [
        *rows,
        [f"all, {1000 * took / len(every):.0f} ms each", str(len(every)), share(every.count(False), len(every))],
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=3, help="of the suites' houses, every so many")
    parser.add_argument("--speed", type=int, default=5, help="houses in which it is measured")
    parser.add_argument(
        "--settle", action="store_true", help="count things that do not stay in MuJoCo, and nothing else"
    )
    parser.add_argument("--grasps", type=int, default=0, help="houses in which things are taken in MuJoCo, and no more")
    args = parser.parse_args()
    if args.grasps:
        print("\n".join(markdown(["kind", "grasps", "slipped"], grasping(args.grasps))), flush=True)
        return
    if args.settle:
        columns = ["houses", "n", "things", "do not stay", "narrowed", "written [ms]", "times real time"]
        print("\n".join(markdown(columns, settling())), flush=True)
        return
    heads = ["houses", "n", "loaded [ms]", "longest", "made [ms]", "things", "rooms cut off", "receptacles in use"]
    if args.every:
        print("\n".join(markdown(heads, loading(args.every))), flush=True)
    if args.speed:
        columns = ["house", "robot-steps", "a second", "bytes a robot-step", "picture [ms]"]
        print("\n".join(markdown(columns, speed(args.speed))), flush=True)


if __name__ == "__main__":
    main()
