"""What arms really do: gaps between hands and what they hold, speeds and torques of joints, over whole episodes.

    python benchmarks/grasps.py [--episodes 3] [--jobs a,b] [--level rocobench] [--first 30000]

Every step of the physics is looked at. `gap` is the distance between the nearest surfaces of a hand and the thing that
it holds, from a quarter of a second after it took it; `speed` the largest of any joint over its limit here, `torque`
over that of its maker.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

from coterie.bench.table import markdown
from coterie.core.config import Config
from coterie.episode.play import play
from coterie.worlds.tabletop.rounds import SPEED
from coterie.worlds.tabletop.table import Table
from coterie.worlds.tabletop.tasks import TEAMS

TAKEN_S = 0.25  # fingers need this long to close


class Watch:
    """The extremes of one job. It stands in for a table's own step."""

    def __init__(self) -> None:
        self.gap, self.gap_of, self.speed, self.speed_of, self.torque, self.torque_of = 0.0, "", 0.0, "", 0.0, ""
        self.since: dict[tuple[str, str], float] = {}
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
            if speeds.max() > self.speed:
                self.speed, self.speed_of = float(speeds.max()), f"{name} j{int(speeds.argmax())}"
            most = table.model.actuator_forcerange[arm.act, 1]
            pull = np.abs(table.data.actuator_force[arm.act]) / most
            if pull.max() > self.torque:
                self.torque, self.torque_of = float(pull.max()), f"{name} j{int(pull.argmax())}"
        now = float(table.data.time)
        held = {(r, t) for r, t in table.held.items()}
        self.since = {k: self.since.get(k, now) for k in held}
        for (robot, thing), since in self.since.items():
            if now - since > TAKEN_S and int(now / table.model.opt.timestep) % 10 == 0:
                gap = distance(table, robot, thing)
                if gap > self.gap:
                    self.gap, self.gap_of = gap, f"{robot} {thing}"


def distance(table: Table, robot: str, thing: str) -> float:
    """Between the nearest surfaces of a hand with its fingers and a thing [m]."""
    model, body = table.model, table.body(thing)
    root = body if model.body_geomnum[body] else int(model.body_parentid[body])  # an end of a rope is part of its link
    hand = table.arms[robot].hand
    mine = [g for g in range(model.ngeom) if _under(model, int(model.geom_bodyid[g]), hand)]
    own = [g for g in range(model.ngeom) if _under(model, int(model.geom_bodyid[g]), root)]
    best = 1.0
    line = np.zeros(6)
    for a in mine:
        for b in own:
            best = min(best, float(table.mj.mj_geomDistance(model, table.data, a, b, 0.2, line)))
    return max(0.0, best)


def _under(model: Any, body: int, root: int) -> bool:
    while body and body != root:
        body = int(model.body_parentid[body])
    return body == root


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=3)
    parser.add_argument("--jobs", default=",".join(TEAMS))
    parser.add_argument("--level", default="rocobench")
    parser.add_argument("--first", type=int, default=30000)
    options = parser.parse_args()
    rows = []
    for job in options.jobs.split(","):
        done, begun = 0, time.process_time()
        with Watch() as watch:
            for n in range(options.episodes):
                config = Config(task=job, protocol="task-expert", seed=options.first + n, level=options.level)
                done += bool(play(config).result.success)
        rows.append(
            (
                job,
                f"{done} / {options.episodes}",
                f"{1e3 * watch.gap:.1f} ({watch.gap_of})",
                f"{watch.speed:.2f} ({watch.speed_of})",
                f"{watch.torque:.2f} ({watch.torque_of})",
                f"{time.process_time() - begun:.0f}",
            )
        )
        print(rows[-1], flush=True)
    head = ["job", "solved", "largest gap [mm]", "speed / limit", "torque / limit", "processor s"]
    print("\n".join(markdown(head, rows)))


if __name__ == "__main__":
    main()
