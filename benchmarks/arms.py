"""How fast arms think: collision checks, inverse kinematics, and paths for two arms at one table.

    python benchmarks/arms.py [--quick] [--problems 200] [--seed 0]

Times are processor time of one core, so that a busy machine tells the same; those of whole episodes are wall time. A
problem asks both hands to go from one random pose with the tool down to another. Both ends are free of collisions;
whether there is a way is for the planner to find out.

First comes a stand-in scene, the same whatever becomes of the jobs: hands go over an item, over a slot of the bin, or
anywhere above the table. Then the real jobs, with the checkers that their worlds plan with: collision checks of all six
after the expert's first rounds, so that hands hold something, problems at the table of pack-grocery, and whole
episodes of sort-cubes.
"""

from __future__ import annotations

import argparse
import contextlib
import platform
import time
from collections.abc import Callable, Iterator
from typing import Any

import mujoco
import numpy as np
from rich.console import Console
from rich.progress import Progress

from coterie.bench.table import markdown
from coterie.core.config import Config
from coterie.episode.loop import Episode, run
from coterie.episode.play import begin, play
from coterie.episode.setup import build, resolve
from coterie.log.file import Log
from coterie.models import NoModel
from coterie.motion import ik
from coterie.motion.arm import Arm, arms_of, home_all
from coterie.motion.bodies import BODIES, Mount, add_arm
from coterie.motion.collision import Checker
from coterie.motion.plan import METHODS, plan
from coterie.worlds.tabletop.arms.reaching import Reaching
from coterie.worlds.tabletop.job import STAY
from coterie.worlds.tabletop.tasks import TEAMS
from coterie.worlds.tabletop.world import TabletopWorld

DOWN = np.array([0.0, 1.0, 0.0, 0.0])
ITEMS = ((-0.05, 0.4), (-0.25, 0.6), (-0.5, 0.4), (-0.75, 0.6), (-0.05, 0.6), (-0.5, 0.6))
SLOTS = tuple((x, y) for x in (0.25, 0.45, 0.65) for y in (0.415, 0.585))
BOX = mujoco.mjtGeom.mjGEOM_BOX


def grocery() -> tuple[Any, Any, dict[str, Arm]]:
    """Alice and Bob at a table with six items and a bin."""
    spec = mujoco.MjSpec()
    world = spec.worldbody
    world.add_geom(name="floor", type=mujoco.mjtGeom.mjGEOM_PLANE, size=[3, 3, 0.1], pos=[0, 0, -0.5])
    world.add_body(name="table", pos=[0, 0.5, 0.1]).add_geom(type=BOX, size=[1.6, 0.4, 0.05])
    basket = world.add_body(name="bin", pos=[0.45, 0.5, 0.16])
    basket.add_geom(type=BOX, size=[0.35, 0.2, 0.01])
    for x, y, half_x, half_y in (
        (0.36, 0, 0.01, 0.22),
        (-0.36, 0, 0.01, 0.22),
        (0, 0.21, 0.35, 0.01),
        (0, -0.21, 0.35, 0.01),
    ):
        basket.add_geom(type=BOX, pos=[x, y, 0.05], size=[half_x, half_y, 0.06])
    for i, (x, y) in enumerate(ITEMS):
        item = world.add_body(name=f"item_{i}", pos=[x, y, 0.21])
        item.add_freejoint(name=f"item_{i}")
        item.add_geom(type=BOX, size=[0.035, 0.03, 0.06], mass=0.2)
    mounts = (
        Mount("Alice", "ur5e", (-0.2, -0.07, 0.15), rail=(-1.3, 1.3)),
        Mount("Bob", "panda", (-0.2, 1.05, 0.1), rail=(-1.5, 1.3)),
    )
    for mount in mounts:
        add_arm(spec, mount)
    model = spec.compile()
    data, arms = mujoco.MjData(model), arms_of(model, mounts)
    home_all(model, data, arms.values())
    return model, data, arms


# -- collision checks -------------------------------------------------------------------------------------------------
def check_times(count: int) -> list[str]:
    """Microseconds of one check, fewest of three rounds."""
    model, data, arms = grocery()
    rng = np.random.default_rng(0)
    home = np.concatenate([a.home for a in arms.values()])
    rows = []
    for held in ({}, {"Alice": "item_0", "Bob": "item_1"}):
        for robot, item in held.items():
            data.joint(item).qpos[:3] = arms[robot].pose(data)[0]
        checker = Checker(model, data, list(arms.values()), held=held)
        low, high = np.maximum(checker.lo, -3), np.minimum(checker.hi, 3)
        sets = {
            "around home": home + rng.normal(0, 0.4, (count, len(home))),
            "anywhere": rng.uniform(low, high, (count, len(home))),
        }
        for name, configurations in sets.items():
            rows.append((name + (", both hold a thing" if held else ""), *_checks(checker, configurations)))
    return markdown(["collision check, two arms", "us", "free %"], rows)


def _checks(checker: Checker, configurations: np.ndarray) -> tuple[str, str]:
    """Microseconds of one check, fewest of three rounds, and how many were free."""
    best, free, count = np.inf, 0, len(configurations)
    for _ in range(3):
        begun = time.process_time()
        free = sum(checker.free(q) for q in configurations)
        best = min(best, time.process_time() - begun)
    return f"{best / count * 1e6:.1f}", f"{100 * free / count:.0f}"


# -- inverse kinematics -----------------------------------------------------------------------------------------------
def ik_times(count: int, progress: Progress) -> list[str]:
    rows = []
    for body in progress.track(list(BODIES), description="inverse kinematics"):
        spec, mount = mujoco.MjSpec(), Mount("R", body, (0, 0, 0), rail=(-1.0, 1.0))
        add_arm(spec, mount)
        model = spec.compile()
        data, arm = mujoco.MjData(model), arms_of(model, [mount])["R"]
        home_all(model, data, [arm])
        rng = np.random.default_rng(0)
        taken, solved = [], 0
        for pos, quat in _poses(model, arm, rng, count):
            begun = time.process_time()
            solved += ik.solve(model, data, arm, pos, quat, rng=rng) is not None
            taken.append(time.process_time() - begun)
        rows.append((body, *_ms(taken), f"{100 * solved / count:.1f}"))
    return markdown(["inverse kinematics, full pose, from home", "median ms", "p95 ms", "solved %"], rows)


def _poses(model: Any, arm: Arm, rng: np.random.Generator, count: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Poses of random postures: reachable by construction."""
    data = mujoco.MjData(model)
    low, high = np.maximum(arm.lo + 0.05, arm.home - np.pi), np.minimum(arm.hi - 0.05, arm.home + np.pi)
    for _ in range(count):
        data.qpos[arm.qpos] = rng.uniform(low, high)
        mujoco.mj_kinematics(model, data)
        yield arm.pose(data)


# -- planning ---------------------------------------------------------------------------------------------------------
def problems(count: int, seed: int, progress: Progress) -> list[tuple[np.ndarray, np.ndarray]]:
    """Start and goal of both arms together, both free."""
    model, data, arms = grocery()
    checker = Checker(model, data, list(arms.values()))
    rng = np.random.default_rng(seed)
    scratch = mujoco.MjData(model)
    home_all(model, scratch, arms.values())

    def ends() -> np.ndarray:
        while True:
            found = [
                ik.solve(model, scratch, a, _spot(rng), DOWN, free_yaw=True, start=a.home, rng=rng)
                for a in arms.values()
            ]
            if all(q is not None for q in found) and checker.free(stack := np.concatenate(found)):
                return stack

    return [(ends(), ends()) for _ in progress.track(range(count), description="drawing problems")]


def _spot(rng: np.random.Generator) -> np.ndarray:
    """Where a hand may be asked to go [m]."""
    kind = rng.integers(3)
    if kind == 0:
        return np.array([*ITEMS[rng.integers(len(ITEMS))], 0.32])
    if kind == 1:
        return np.array([*SLOTS[rng.integers(len(SLOTS))], 0.36])
    return rng.uniform((-0.9, 0.25, 0.25), (0.9, 0.75, 0.6))


def plan_times(
    title: str, make: Callable[[], Checker], tasks: list[tuple[np.ndarray, np.ndarray]], progress: Progress
) -> list[str]:
    rows = []
    for method in METHODS:
        checker = make()
        results = []
        for i, (start, goal) in enumerate(progress.track(tasks, description=f"planning, {method}")):
            begun = time.process_time()
            path = plan(checker, start, goal, method=method, seed=i)
            results.append((time.process_time() - begun, path))
        searched = [(t, p) for t, p in results if p is None or p.how != "straight"]
        for name, chosen in (("all", results), ("no straight line", searched)):
            seconds = [t for t, _ in chosen]
            paths = [p for _, p in chosen if p is not None]
            rows.append(
                (
                    method,
                    name,
                    str(len(chosen)),
                    f"{100 * len(paths) / max(1, len(chosen)):.1f}",
                    *_spread(seconds),
                    _median([p.iterations for p in paths]),
                    _median([len(p.knots) for p in paths]),
                )
            )
    head = [
        title,
        "problems",
        "number",
        "solved %",
        "median s",
        "p95 s",
        "worst s",
        "iterations",
        "knots",
    ]
    return markdown(head, rows, left=2)


def _spread(seconds: list[float]) -> tuple[str, ...]:
    """Median, 95th percentile and worst; dashes where there is nothing."""
    if not seconds:
        return ("-",) * 3
    return tuple(f"{v:.3f}" for v in (np.median(seconds), np.percentile(seconds, 95), max(seconds)))


def _median(values: list[int]) -> str:
    return f"{np.median(values):.0f}" if values else "-"


def stand_in() -> Checker:
    model, data, arms = grocery()
    return Checker(model, data, list(arms.values()))


# -- the real jobs ----------------------------------------------------------------------------------------------------
class _Enough(Exception):
    """Ends an episode in the middle; its world stays as it is."""


def world_of(job: str, seed: int, rounds: int = 0) -> TabletopWorld:
    """The world of a job, with nothing done yet, or after the expert's first rounds: at most so many, and no more once
    a hand holds something."""
    config = resolve(Config(task=job, protocol="task-expert", seed=seed))
    world, task = build(config)
    assert isinstance(world, TabletopWorld)
    if not rounds:
        return world
    log = Log()
    parties, settings = begin(config, world, task, log)

    def watch(episode: Episode) -> None:
        if world.table.held or episode.step >= rounds:
            raise _Enough

    with contextlib.suppress(_Enough):
        run(world, task, parties, log, NoModel().answer, settings, watch)
    return world


def checker_of(world: TabletopWorld) -> Checker:
    """What the world itself checks the way of its arms with, in the state that it is in."""
    table = world.table
    return Reaching(table, table.data, table.held, {robot: STAY for robot in table.arms}).far


def job_checks(count: int, seed: int, progress: Progress) -> list[str]:
    rows = []
    for job in progress.track(list(TEAMS), description="collision checks of the jobs"):
        world = world_of(job, seed, rounds=3)
        checker, rng = checker_of(world), np.random.default_rng(0)
        now = np.concatenate([world.table.q(robot) for robot in world.table.arms])
        low, high = np.maximum(checker.lo, -3), np.minimum(checker.hi, 3)
        near = now + rng.normal(0, 0.1, (count, len(now)))
        wide = rng.uniform(low, high, (count, len(now)))
        held = ", ".join(f"{robot} {thing}" for robot, thing in world.table.held.items()) or "nothing"
        rows.append((job, held, str(len(now)), *_checks(checker, near), *_checks(checker, wide)))
    head = ["collision check, the job's own", "in hand", "joints", "us, near", "free %", "us, anywhere", "free %"]
    return markdown(head, rows, left=2)


def job_problems(count: int, seed: int, progress: Progress) -> list[tuple[np.ndarray, np.ndarray]]:
    """Random reachable hands of both arms above the real table of pack-grocery, start and goal free."""
    world = world_of("pack-grocery", seed)
    checker, table, rng = checker_of(world), world.table, np.random.default_rng(seed)
    scratch = mujoco.MjData(table.model)
    scratch.qpos[:] = table.data.qpos

    def one(robot: str) -> np.ndarray | None:
        (x0, x1), (y0, y1), _ = world.job.boxes[robot]
        spot, arm = rng.uniform((x0, y0, 0.25), (x1, y1, 0.6)), table.arms[robot]
        return ik.solve(table.model, scratch, arm, spot, DOWN, free_yaw=True, start=arm.home, rng=rng, tries=4)

    def ends() -> np.ndarray:
        while True:
            found = [q for q in map(one, table.arms) if q is not None]
            if len(found) == len(table.arms) and checker.free(stack := np.concatenate(found)):
                return stack

    return [(ends(), ends()) for _ in progress.track(range(count), description="drawing problems of pack-grocery")]


def episode_times(count: int, progress: Progress) -> list[str]:
    rows = []
    for seed in progress.track(range(count), description="whole episodes of sort-cubes"):
        played = play(Config(task="sort-cubes", protocol="task-expert", seed=seed))
        done = "yes" if played.result.success else "no"
        rows.append((str(seed), done, str(played.result.steps), f"{played.wall_s:.2f}", f"{played.planning_s:.2f}"))
    return markdown(["sort-cubes with task-expert, seed", "done", "rounds", "wall s", "of it planning s"], rows)


def _ms(seconds: list[float]) -> tuple[str, str]:
    return f"{1e3 * np.median(seconds):.2f}", f"{1e3 * np.percentile(seconds, 95):.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a tenth of everything")
    parser.add_argument("--problems", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    share = 10 if options.quick else 1
    print(f"Python {platform.python_version()}, {platform.machine()}, mujoco {mujoco.__version__}\n")
    with Progress(console=Console(stderr=True), transient=True) as progress:
        tables = [check_times(5000 // share), ik_times(200 // share, progress)]
        number = max(1, options.problems // share)
        tasks = problems(number, options.seed, progress)
        tables.append(plan_times("two arms, 15 joints, the stand-in", stand_in, tasks, progress))
        tables.append(job_checks(2000 // share, options.seed, progress))
        world = world_of("pack-grocery", options.seed)
        tasks = job_problems(number, options.seed, progress)
        tables.append(plan_times("two arms, pack-grocery itself", lambda: checker_of(world), tasks, progress))
        tables.append(episode_times(max(1, 5 // share), progress))
    for table in tables:
        print("\n".join(table))


if __name__ == "__main__":
    main()
