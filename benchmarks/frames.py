"""How fast scenes of arms are drawn, without a graphics card: three arms, a table and twenty boxes, and the six jobs.

    python benchmarks/frames.py [--quick] [--frames 50] [--width 640] [--height 480] [--png scene.png]

Figures are of one process of the machine it runs on; on a busy machine only the time of the processor says anything.
"""

from __future__ import annotations

import argparse
import math
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import mujoco
import numpy as np
from PIL import Image

from coterie.bench.table import markdown
from coterie.core.config import Config
from coterie.episode.setup import build, resolve
from coterie.render.solids.solids import Camera, Solids, fit
from coterie.worlds.tabletop.tasks import TEAMS
from coterie.worlds.tabletop.world import TabletopWorld

Pose = Callable[[], None]  # puts the scene into its next state
COLOURS = ((0.86, 0.47, 0.2), (0.24, 0.45, 0.8), (0.3, 0.62, 0.42))
BOXES = ((0.82, 0.3, 0.28), (0.93, 0.75, 0.3), (0.35, 0.6, 0.75), (0.55, 0.42, 0.7), (0.85, 0.83, 0.78))
TABLE = 0.15


def scene(boxes: int = 20) -> mujoco.MjModel:
    """Three arms of twelve capsules around a table with boxes, a bin and a marked zone."""
    spec, kind = mujoco.MjSpec(), mujoco.mjtGeom
    world = spec.worldbody
    world.add_geom(name="floor", type=kind.mjGEOM_PLANE, size=[0, 0, 0.1], rgba=[0.8, 0.8, 0.79, 1])
    size = [0.75, 0.5, TABLE / 2]
    world.add_geom(type=kind.mjGEOM_BOX, size=size, pos=[0, 0, TABLE / 2], rgba=[0.83, 0.74, 0.6, 1])
    zone = [0.16, 0.12, 0.001]
    world.add_geom(type=kind.mjGEOM_BOX, size=zone, pos=[0.4, -0.28, TABLE + 0.001], rgba=[0.2, 0.6, 0.4, 0.35])
    for x, y, half in (
        (0, 0.1, (0.13, 0.005)),
        (0, -0.1, (0.13, 0.005)),
        (0.13, 0, (0.005, 0.1)),
        (-0.13, 0, (0.005, 0.1)),
    ):
        at = [x - 0.42, y - 0.3, TABLE + 0.03]
        world.add_geom(type=kind.mjGEOM_BOX, size=[*half, 0.03], pos=at, rgba=[0.5, 0.6, 0.72, 0.45])
    for i, (x, y, turn) in enumerate(((-0.45, 0.42, -0.6), (0.45, 0.42, -2.4), (0.0, 0.46, -1.57))):
        _arm(world, f"arm{i}", x, y, turn, COLOURS[i])
    draw = np.random.default_rng(3)
    for i in range(boxes):
        half = draw.uniform(0.018, 0.04, 3)
        x, y = -0.6 + 0.24 * (i % 6), -0.4 + 0.16 * (i // 6)
        body = world.add_body(name=f"box{i}", pos=[x + draw.uniform(-0.05, 0.05), y, TABLE + half[2]])
        body.add_freejoint()
        body.quat = [math.cos(a := float(draw.uniform(0, 3))), 0, 0, math.sin(a)]
        body.add_geom(type=kind.mjGEOM_BOX, size=half, rgba=[*BOXES[i % len(BOXES)], 1])
    return spec.compile()


def _arm(world: Any, name: str, x: float, y: float, turn: float, colour: tuple[float, float, float]) -> None:
    kind = mujoco.mjtGeom
    body = world.add_body(name=name, pos=[x, y, TABLE], quat=[math.cos(turn / 2), 0, 0, math.sin(turn / 2)])
    dark = [0.33, 0.35, 0.4, 1]
    body.add_geom(type=kind.mjGEOM_CYLINDER, size=[0.06, 0.02, 0], pos=[0, 0, 0.02], rgba=dark)
    bends = ((0, 0.11, 0.05, 0.0), (0.2, 0.1, 0.042, 0.35), (0.9, 0.1, 0.042, 0.0), (0.2, 0.08, 0.036, 0.55))
    bends += ((0.8, 0.08, 0.034, 0.0), (0.3, 0.06, 0.03, 0.3))
    length = 0.04
    for k, (bend, long, r, more) in enumerate(bends):
        body = body.add_body(name=f"{name}_{k}", pos=[0, 0, length])
        body.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0, 1, 0] if k else [0, 0, 1], ref=-(bend + more * 0.3))
        rgba = [*colour, 1] if k % 2 == 0 else [0.9, 0.9, 0.88, 1]
        body.add_geom(type=kind.mjGEOM_CAPSULE, fromto=[0, 0, 0, 0, 0, long], size=[r, 0, 0], rgba=rgba)
        body.add_geom(type=kind.mjGEOM_CAPSULE, fromto=[0, -r, 0, 0, r, 0], size=[r * 0.8, 0, 0], rgba=dark)
        length = long
    for side in (-1, 1):
        finger = [0, 0.03 * side, length, 0, 0.022 * side, length + 0.07]
        body.add_geom(type=kind.mjGEOM_CAPSULE, fromto=finger, size=[0.008, 0, 0], rgba=dark)


def pose(model: mujoco.MjModel, data: mujoco.MjData, t: float) -> None:
    """Arms that wave a little, so that no two frames are the same."""
    mujoco.mj_resetData(model, data)
    hinges = [j for j in range(model.njnt) if model.jnt_type[j] == mujoco.mjtJoint.mjJNT_HINGE]
    for i, j in enumerate(hinges):
        data.qpos[model.jnt_qposadr[j]] = 0.35 * math.sin(t + 1.7 * i) + (0.25 if i % 6 else 0)
    mujoco.mj_kinematics(model, data)


class Times(NamedTuple):
    """Milliseconds: the first frame with its camera, then each; and of the processor alone."""

    first: float
    took: list[float]
    busy: list[float]

    def cells(self) -> tuple[str, ...]:
        values = (self.first, statistics.median(self.took), max(self.took), statistics.median(self.busy))
        return tuple(f"{v:.1f}" for v in values)


def draw(
    model: Any, data: Any, camera: Camera, size: tuple[int, int], labels: dict[str, str], poses: Sequence[Pose]
) -> tuple[Times, Any]:
    """Time a frame of every pose; the last one is handed back."""
    poses[0]()
    begun = time.perf_counter()
    picture = Solids(model, *size, camera)
    frame = picture.frame(data)
    first, took, busy = (time.perf_counter() - begun) * 1000, [], []
    for i, take in enumerate(poses):
        take()
        begun, cpu = time.perf_counter(), time.process_time()
        frame = picture.frame(data, f"Round {i}\nAlice: pick(box3)", labels)
        took.append((time.perf_counter() - begun) * 1000)
        busy.append((time.process_time() - cpu) * 1000)
    return Times(first, took, busy), frame


def stand_in(frames: int, size: tuple[int, int]) -> tuple[Any, Times, Any]:
    model = scene()
    data = mujoco.MjData(model)
    pose(model, data, 0)
    camera = fit(model, data, 90, -32, size[0] / size[1], 0.1)
    labels = {"arm0": "Alice", "arm1": "Bob", "arm2": "Chad"}
    poses = [partial(pose, model, data, 0.1 * i) for i in range(frames)]
    return model, *draw(model, data, camera, size, labels, poses)


def job_frames(job: str, frames: int, size: tuple[int, int]) -> tuple[Any, Times]:
    """Frames of a real job's scene; its arms are moved a little, so that no two are the same."""
    world, _ = build(resolve(Config(task=job, protocol="task-expert")))
    assert isinstance(world, TabletopWorld)
    model, data = world.table.model, mujoco.MjData(world.table.model)
    start, draws = world.table.data.qpos.copy(), np.random.default_rng(0)
    joints = np.concatenate([arm.qpos for arm in world.table.arms.values()])

    def take() -> None:
        data.qpos[:] = start
        data.qpos[joints] += draws.normal(0, 0.1, len(joints))
        mujoco.mj_kinematics(model, data)

    take()
    camera = fit(model, data, aspect=size[0] / size[1], below=0.1)
    labels = {f"{robot}/hand": robot for robot in world.table.arms}
    return model, draw(model, data, camera, size, labels, [take] * frames)[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a few frames of everything")
    parser.add_argument("--frames", type=int, default=50)
    parser.add_argument("--width", type=int, default=640)
    parser.add_argument("--height", type=int, default=480)
    parser.add_argument("--png", help="also save the last frame of the stand-in scene")
    args = parser.parse_args()
    size, frames = (args.width, args.height), max(1, 5 if args.quick else args.frames)
    model, times, frame = stand_in(frames, size)
    rows = [("stand-in: three arms, twenty boxes", str(model.ngeom), *times.cells())]
    for job in TEAMS:
        model, times = job_frames(job, frames, size)
        rows.append((job, str(model.ngeom), *times.cells()))
    print(f"{platform.machine()}, {args.width}x{args.height}, {frames} frames each, in milliseconds\n")
    print("\n".join(markdown(["scene", "geoms", "first", "median", "slowest", "processor, median"], rows)))
    if args.png:
        Image.fromarray(frame).save(args.png)


if __name__ == "__main__":
    main()
