"""What arms really do: gaps between hands and what they hold, speeds and torques of joints, over whole episodes.

    python benchmarks/grasps.py [--episodes 3] [--jobs a,b] [--level rocobench] [--first 30000] [--processes 1]
                                [--out results/grasps]

Every step of the physics is looked at. `gap` is the largest distance between the surfaces of a thing that is held and
of the cup, the palm or the nearer finger that holds it, from the weld on; `farther` is that of the other finger, and
`inside` how deep a hand was in a thing. `speed` is the largest of any joint over its limit here, `torque` over that
of its maker. Rounds and processor seconds of planning are means of an episode. Every episode is kept in
--out as a line, and a run that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np

from coterie.bench.table import markdown
from coterie.core.config import Config
from coterie.worlds.tabletop.arms.grips import Pairs, gaps, pairs
from coterie.worlds.tabletop.arms.rounds import SPEED
from coterie.worlds.tabletop.table import Table
from coterie.worlds.tabletop.tasks import TEAMS

sys.path.insert(0, str(Path(__file__).parent))
from kept import estimate, folder, rows, watched
from reuse import in_its_world


class Watch:
    """The extremes of one job. It stands in for a table's own step."""

    def __init__(self) -> None:
        self.most = dict.fromkeys(("gap", "farther", "inside", "speed", "torque"), (0.0, ""))
        self.between: dict[tuple[str, str], Pairs] = {}
        self.step = Table.step

    def __enter__(self) -> Watch:
        watch = self

        def step(table: Table, n: int = 1) -> None:
            for _ in range(n):
                watch.step(table, 1)
                watch.look(table)

        Table.step = step  # type: ignore[method-assign]
        return self

    def __exit__(self, *error: object) -> None:
        Table.step = self.step  # type: ignore[method-assign]

    def look(self, table: Table) -> None:
        for name, arm in table.arms.items():
            speeds = np.abs(table.data.qvel[arm.dof]) / SPEED
            self.see("speed", float(speeds.max()), f"{name} j{int(speeds.argmax())}")
            most = table.model.actuator_forcerange[arm.act, 1]
            pull = np.abs(table.data.actuator_force[arm.act]) / most
            self.see("torque", float(pull.max()), f"{name} j{int(pull.argmax())}")
        for robot, thing in table.held.items():
            if (robot, thing) not in self.between:
                self.between[robot, thing] = pairs(table, robot, thing)
            far = gaps(table, self.between[robot, thing]).values()
            for what, value in (("gap", min(far)), ("farther", max(far)), ("inside", -min(far))):
                self.see(what, value, f"{robot} {thing}")

    def see(self, what: str, value: float, whose: str) -> None:
        if value > self.most[what][0]:
            self.most[what] = (value, whose)


class Seen(NamedTuple):
    """One episode: the largest of each, and whose it was."""

    success: bool
    rounds: int
    planning: float
    gap: tuple[float, str]
    farther: tuple[float, str]
    inside: tuple[float, str]
    speed: tuple[float, str]
    torque: tuple[float, str]
    cpu_s: float


def episode(job: str, level: str, seed: int) -> Seen:
    begun = time.process_time()
    with Watch() as watch:
        played, world = in_its_world(Config(task=job, protocol="task-expert", seed=seed, level=level))
    done, planning = played.result, world.rounds.planning_cpu_s
    return Seen(bool(done.success), done.steps, planning, **watch.most, cpu_s=time.process_time() - begun)


def kept_in(options: argparse.Namespace, job: str) -> Path:
    return Path(options.out) / f"{job}-{options.level}.jsonl"


def row(job: str, seen: list[Seen]) -> tuple[str, ...]:
    most = {k: max(tuple(getattr(s, k)) for s in seen) for k in ("gap", "farther", "inside", "speed", "torque")}
    means = [statistics.fmean(getattr(s, k) for s in seen) for k in ("rounds", "planning", "cpu_s")]
    return (
        job,
        f"{sum(s.success for s in seen)} / {len(seen)}",
        f"{means[0]:.1f}",
        f"{means[1]:.2f}",
        *(f"{1e3 * most[k][0]:.1f} {most[k][1]}".rstrip() for k in ("gap", "farther", "inside")),
        *(f"{most[k][0]:.2f} {most[k][1]}" for k in ("speed", "torque")),
        f"{means[2]:.1f}",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=3)
    parser.add_argument("--jobs", default=",".join(TEAMS))
    parser.add_argument("--level", default="rocobench")
    parser.add_argument("--first", type=int, default=30000)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--out", default="results/grasps")
    options = parser.parse_args()
    folder(options)
    jobs = options.jobs.split(",")
    played = {job: {int(r[0]) for r in rows(kept_in(options, job))} for job in jobs}
    total = options.episodes * len(jobs)

    def there() -> int:
        return sum(len(rows(kept_in(options, job))) for job in jobs)

    estimate(total - there(), total, options.processes)
    with ProcessPoolExecutor(options.processes) as pool:
        waiting = {
            pool.submit(episode, job, options.level, options.first + n): (job, options.first + n)
            for n in range(options.episodes)
            for job in jobs
            if options.first + n not in played[job]
        }
        for done in watched(waiting, there, total):
            job, seed = waiting[done]
            with kept_in(options, job).open("a", encoding="utf-8") as out:
                print(json.dumps([seed, *done.result()]), file=out)
            if not done.result().success:
                print(f"{job}, seed {seed}: not achieved", flush=True)
    table = [row(job, [Seen(*r[1:]) for r in rows(kept_in(options, job))]) for job in jobs]
    print("\n".join(markdown(HEAD, table)))


HEAD = ["job", "solved", "rounds", "planning s", "largest gap [mm]", "farther finger [mm]", "deepest inside [mm]"]
HEAD += ["speed / limit", "torque / limit", "processor s"]

if __name__ == "__main__":
    main()
