"""What arms really do: gaps between hands and what they hold, speeds and torques of joints, over whole episodes.

    python benchmarks/grasps.py [--episodes 3] [--jobs a,b] [--level rocobench] [--first 30000] [--processes 1]
                                [--arms welded] [--out grasps.jsonl]

Every step of the physics is looked at. `gap` is the largest distance between the surfaces of a thing that is held and
of the cup, the palm or the nearer finger that holds it; `farther` is that of the other finger, `inside` how deep a hand
was in a thing, and `sunk` how deep two things were in each other. `speed` is the largest of any joint over its limit
here, `torque` over that of its maker: what its servo asks for, before that is limited, and what carries the arm
against gravity, which the
simulation takes off its servos. With --arms welded, fingers are welded to what they hold, instead of by friction.
Rounds and processor seconds of planning are means of an episode. Every episode is a line in
--out, and a run that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from coterie.bench.table import markdown
from coterie.core.config import Config
from coterie.episode.play import play
from coterie.worlds.tabletop.arms.grips import Pairs, gaps, pairs
from coterie.worlds.tabletop.arms.rounds import SPEED
from coterie.worlds.tabletop.table import Table
from coterie.worlds.tabletop.tasks import TEAMS

LOOKED_AT = ("gap", "farther", "inside", "sunk", "speed", "torque")


class Joints(NamedTuple):
    """The joints of all arms of a model, and which of its geoms belong to things."""

    model: Any
    names: list[str]
    dof: np.ndarray
    act: np.ndarray
    qpos: np.ndarray
    of_thing: np.ndarray


class Watch:
    """The extremes of one job. It stands in for a table's own step."""

    def __init__(self) -> None:
        self.most = dict.fromkeys(LOOKED_AT, (0.0, ""))
        self.between: dict[tuple[str, str], Pairs] = {}
        self.step = Table.step
        self.joints: Joints | None = None

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
        joints, model, data = self.joints_of(table), table.model, table.data
        gain, bias = model.actuator_gainprm[joints.act, 0], model.actuator_biasprm[joints.act]
        moves = data.qvel[joints.dof]
        asked = gain * data.ctrl[joints.act] + bias[:, 1] * data.qpos[joints.qpos] + bias[:, 2] * moves
        pull = np.abs(asked + data.qfrc_gravcomp[joints.dof]) / model.actuator_forcerange[joints.act, 1]
        for what, found in (("speed", np.abs(moves) / SPEED), ("torque", pull)):
            most = int(found.argmax())
            self.see(what, float(found[most]), joints.names[most])
        for robot, thing in table.held.items():
            if (robot, thing) not in self.between:
                self.between[robot, thing] = pairs(table, robot, thing)
            far = gaps(table, self.between[robot, thing]).values()
            for what, value in (("gap", min(far)), ("farther", max(far)), ("inside", -min(far))):
                self.see(what, value, f"{robot} {thing}")
        dist = data.contact.dist
        for k in np.flatnonzero(joints.of_thing[data.contact.geom].all(axis=1) & (dist < 0.0)):
            a, b = (model.body(i).name for i in model.geom_bodyid[data.contact.geom[k]])
            self.see("sunk", -float(dist[k]), f"{a} {b}")

    def joints_of(self, table: Table) -> Joints:
        """The joints of all arms in a row, and which geoms are things; worked out once for a model."""
        if self.joints is None or self.joints.model is not table.model:
            arms, things, bodies = table.arms, set(table.layout.things), table.model.geom_bodyid
            self.joints = Joints(
                table.model,
                [f"{name} j{j}" for name, arm in arms.items() for j in range(len(arm.dof))],
                *(np.concatenate([getattr(arm, key) for arm in arms.values()]) for key in ("dof", "act", "qpos")),
                np.array([table.model.body(b).name in things for b in bodies]),
            )
        return self.joints

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
    sunk: tuple[float, str]
    speed: tuple[float, str]
    torque: tuple[float, str]
    cpu_s: float


def episode(job: str, level: str, seed: int, arms: str = Config().arms) -> Seen:
    begun, worlds = time.process_time(), list[Any]()
    with Watch() as watch:
        config = Config(task=job, protocol="task-expert", seed=seed, level=level, arms=arms)
        done = play(config, watch=lambda e: worlds.append(e.world)).result
    planning = worlds[-1].rounds.planning_cpu_s
    return Seen(bool(done.success), done.steps, planning, **watch.most, cpu_s=time.process_time() - begun)


def row(job: str, seen: list[Seen]) -> tuple[str, ...]:
    most = {k: max(tuple(getattr(s, k)) for s in seen) for k in LOOKED_AT}
    means = [statistics.fmean(getattr(s, k) for s in seen) for k in ("rounds", "planning", "cpu_s")]
    return (
        job,
        f"{sum(s.success for s in seen)} / {len(seen)}",
        f"{means[0]:.1f}",
        f"{means[1]:.2f}",
        *(f"{1e3 * most[k][0]:.1f} {most[k][1]}".rstrip() for k in LOOKED_AT[:4]),
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
    parser.add_argument("--arms", default=Config().arms)
    parser.add_argument("--out", type=Path, default=Path("grasps.jsonl"))
    options = parser.parse_args()
    jobs, seeds = options.jobs.split(","), range(options.first, options.first + options.episodes)
    rows = [json.loads(line) for line in options.out.read_text().splitlines()] if options.out.exists() else []
    seen = {(job, level, seed): Seen(*found) for job, level, seed, *found in rows}
    wanted = [(job, options.level, seed) for seed in seeds for job in jobs]
    with ProcessPoolExecutor(options.processes) as pool, options.out.open("a", encoding="utf-8") as out:
        waiting = {pool.submit(episode, *one, options.arms): one for one in wanted if one not in seen}
        for n, done in enumerate(as_completed(waiting), 1):
            one = waiting[done]
            seen[one] = done.result()
            print(json.dumps([*one, *seen[one]]), file=out, flush=True)
            end = "achieved" if seen[one].success else "not achieved"
            print(f"{n} of {len(waiting)}: {one[0]}, seed {one[2]} {end}", flush=True)
    print("\n".join(markdown(HEAD, [row(job, [seen[o] for o in wanted if o[0] == job]) for job in jobs])))


HEAD = [
    "job",
    "solved",
    "rounds",
    "planning s",
    "largest gap [mm]",
    "farther finger [mm]",
    "deepest inside [mm]",
    "sunk [mm]",
]
HEAD += ["speed / limit", "torque / limit", "processor s"]

if __name__ == "__main__":
    main()
