"""The two ways of seeing a house, rays and pictures: how fast each is, on what they agree, and why they part elsewhere.

    python benchmarks/cameras.py [--quick] [--looks 60] [--poses] [--scene rooms:6:10003]...

Figures are processor time of one process. `--poses` tells every look in a line.
"""

from __future__ import annotations

import argparse
import math
import platform
import time
from collections import Counter

import numpy as np

from coterie.bench.table import markdown
from coterie.houses.floor import floor_of
from coterie.houses.names import house
from coterie.worlds.household.perception import Camera, Eye, Scene, Standing
from coterie.worlds.household.perception.compare import PICTURES, RAYS, REASONS, WHAT, Compared, Comparer
from coterie.worlds.household.perception.image import Studio

SCENES = ("rooms:1:10000", "rooms:3:10004", "rooms:6:10003", "rooms:10:10001")


def poses(name: str, count: int, seed: int = 0) -> list[tuple[Scene, Eye, Camera]]:
    """Looks from anywhere a robot can stand, tall or small, with another robot about."""
    home, rng = house(name), np.random.default_rng(seed)
    floor = floor_of(home)
    rows, columns = np.nonzero(floor.reachable(0.25))
    drawn = []
    for _ in range(count):
        (x, y), (u, v) = (floor.middle(rows[k], columns[k]) for k in rng.integers(len(rows), size=2))
        eye = Eye(x, y, 90.0 * int(rng.integers(4)), float(rng.choice([-60, -30, 0, 30])))
        height = float(rng.choice([0.9, 1.6]))
        bodies = {"Bob": Standing(u, v, 0.25, 1.6)} if math.dist((x, y), (u, v)) > 0.5 else {}  # nobody is in another
        drawn.append((Scene(home, {}, bodies), eye, Camera(height, 90.0, 5.0)))
    return drawn


def spent(take, looks) -> tuple[float, float]:
    """Mean and most of some looks [ms]."""
    times = []
    for scene, eye, camera in looks:
        begun = time.process_time()
        take(scene, eye, camera)
        times.append(1000 * (time.process_time() - begun))
    return float(np.mean(times)), float(np.max(times))


def line(i: int, eye: Eye, camera: Camera, seen: Compared) -> str:
    alike = sum(seen.both.values())
    apart = "; ".join(f"{d.name}: {d.seen_by} alone, {d.why}" for d in seen.differ)
    pose = f"({eye.x:.2f}, {eye.y:.2f}) at {camera.height_m} m, {eye.heading_deg:.0f}°, tilt {eye.tilt_deg:+.0f}°"
    return f"{i:3} {pose}: {alike} alike, {len(seen.differ)} not{'. ' if apart else ''}{apart}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--looks", type=int, default=60)
    parser.add_argument("--quick", action="store_true", help="a few looks at one house")
    parser.add_argument("--poses", action="store_true")
    parser.add_argument("--scene", action="append")
    args = parser.parse_args()
    scenes, count = args.scene or SCENES, args.looks
    if args.quick:
        scenes, count = scenes[:2], 8
    print(f"{platform.machine()}, Python {platform.python_version()}, numpy {np.__version__}\n")
    speeds, both, differ, cells = [], Counter(), Counter(), np.zeros(4, int)
    for name in scenes:
        looks, comparer = poses(name, count), Comparer(house(name))
        studio = Studio(house(name))
        coloured = Studio(house(name), {})
        boxes = len(studio.names) + len(house(name).walls)
        row = [name, str(boxes)]
        for take in (comparer.rays.look, studio.take, comparer.pictures.look, coloured.take):
            mean, most = spent(take, looks)
            row.append(f"{mean:.1f} ({most:.1f})")
        speeds.append(row)
        for i, (scene, eye, camera) in enumerate(looks):
            seen = comparer.look(scene, eye, camera)
            both.update(seen.both)
            differ.update((d.what, d.seen_by, d.why) for d in seen.differ)
            cells += seen.cells
            if args.poses:
                print(line(i, eye, camera, seen))
    heads = ("house", "boxes", "rays", "picture", "picture, read", "in colour, no range")
    print("Milliseconds a look, the mean and the most, at 300 x 300 pixels\n")
    print("\n".join(markdown(heads, speeds)))
    print(f"\nOn what both agree in {count * len(scenes)} looks\n")
    rows = []
    for what in WHAT:
        apart = {by: {w: differ[what, by, w] for w in REASONS} for by in (RAYS, PICTURES)}
        total = both[what] + sum(sum(v.values()) for v in apart.values())
        words = [", ".join(f"{n} {w}" for w, n in apart[by].items() if n) or "none" for by in (RAYS, PICTURES)]
        rows.append((what, f"{both[what]} of {total}", *words))
    alike, rays, pictures, other = cells
    rows.append(("cells of the ground", f"{alike} of {cells.sum()}", str(rays), f"{pictures}; {other} otherwise"))
    print("\n".join(markdown(("what", "alike", "rays alone", "pictures alone"), rows, left=4)))


if __name__ == "__main__":
    main()
