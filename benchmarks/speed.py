"""How fast and how big: actions and episodes per second, memory over many episodes, two processes against one.

    python benchmarks/speed.py [--episodes 10000] [--seconds 5] [--suite dynahmrc-static,dynahmrc-cto]
    python benchmarks/speed.py --gym
    python benchmarks/speed.py --against ../older-checkout [--rounds 15]

Every figure is of one core of the machine it runs on. Beliefs are on, and logs are written to disk where actions are
counted. `--against` measures this checkout and another side by side, in turns of half a second of the processor's time,
and prints the ratios: machines are noisy, and what disturbs one turn disturbs its neighbour as well.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from statistics import median, quantiles
from subprocess import PIPE
from typing import Any, ClassVar

import numpy as np

from coterie.bench.methods import parse_methods
from coterie.bench.playing import play_job
from coterie.bench.runner import make_jobs, run_bench
from coterie.bench.suites import make_suite
from coterie.bench.table import markdown
from coterie.core.action import Action
from coterie.core.config import Config
from coterie.core.protocol import RobotView, SoloProtocol
from coterie.episode.play import play
from coterie.episode.setup import build
from coterie.gym import batched, parallel_env
from coterie.protocols import protocols
from coterie.protocols.mcts.search import Search

FOUR = "Ma-MoMa-Mo-UAV"


def actions_per_second(protocol: str, seconds: float) -> float:
    """Atomic actions of a four-robot Pack episode with its log on disk, without the drawing of the task."""
    config = Config(task="pack-objects", team=FOUR, protocol=protocol, level="hard", seed=10_000)
    _, task = build(config)
    play(config, task=task)  # maps and paths are found once
    with tempfile.TemporaryDirectory() as folder:
        actions, begun = 0, time.perf_counter()
        while time.perf_counter() - begun < seconds:
            played = play(config, Path(folder) / "log.jsonl", task=task)
            actions += sum(e.kind == "act" for e in played.log.events)
        return actions / (time.perf_counter() - begun)


class Again(SoloProtocol):
    """Does again what was done before: what is left is the world, the beliefs, the loop and the log."""

    script: ClassVar[dict[str, list[Action]]] = {}

    def act(self, me: RobotView) -> Action:
        return self.script[me.name][me.step]


def engine_actions_per_second(seconds: float) -> float:
    """Atomic actions of a four-robot Pack episode, without the time of deciding."""
    config = Config(task="pack-objects", team=FOUR, protocol="random-legal", level="hard", seed=10_000)
    _, task = build(config)
    Again.script = {name: [] for name, _ in task.robots}
    for event in play(config, task=task).log.events:
        if event.kind == "act":
            Again.script[event.who].append(Action(event.data["skill"], tuple(event.data["args"])))
    if "again" not in protocols:
        protocols.put("again", Again)
    return actions_per_second("again", seconds)


def episodes_per_second(protocol: str, seconds: float) -> float:
    """Complete episodes of the smoke suite: drawn, played, scored and labelled."""
    jobs = make_jobs(make_suite("smoke"), parse_methods(protocol), "none")
    for job in jobs:
        play_job(job)
    n, begun = 0, time.perf_counter()
    while time.perf_counter() - begun < seconds:
        play_job(jobs[n % len(jobs)])
        n += 1
    return n / (time.perf_counter() - begun)


def environment_steps_per_second(worlds: int, seconds: float) -> float:
    """Steps of the learning environment with three robots, for legal actions drawn at random; 0 worlds: parallel_env.

    The clock is that of the processor, and stands still while actions are drawn."""
    rng, spent, steps = np.random.default_rng(0), 0.0, 0
    config = Config("pack-objects", level="medium-search")
    env = batched(config, worlds) if worlds else parallel_env(config, seeds=range(100))
    observed, _ = env.reset(seed=0)
    warm = 60
    while spent < seconds:
        if worlds:
            masks = env.twin.shown.masks
            drawn = (rng.random(masks.shape, np.float32) * masks).argmax(1).reshape(worlds, -1)
        else:
            if not env.agents:
                observed, _ = env.reset()
            drawn = {a: int(rng.choice(np.flatnonzero(observed[a]["action_mask"]))) for a in env.agents}
        begun = time.process_time()
        observed = env.step(drawn)[0]
        if warm:
            warm -= 1
            continue
        spent, steps = spent + time.process_time() - begun, steps + max(1, worlds)
    return steps / spent


def searched_steps_per_second(protocol: str, seconds: float) -> float:
    """Joint steps that a tree search plays in its own model, by the processor's time in its searches."""
    spent, steps, seed = 0.0, 0, 0
    run, step = Search.run, Search._step

    def timed(search: Search) -> None:
        nonlocal spent
        begun = time.process_time()
        run(search)
        spent += time.process_time() - begun

    def counted(search: Search, *given: Any) -> int:
        nonlocal steps
        steps += 1
        return step(search, *given)

    try:
        Search.run, Search._step = timed, counted
        while spent < seconds:
            play(Config("pack-objects", level="medium-search", protocol=protocol, seed=seed))
            seed += 1
    finally:
        Search.run, Search._step = run, step
    return steps / spent


def rss_mib() -> float:
    """Memory of this process now [MiB]."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(row for row in status.read_text().splitlines() if row.startswith("VmRSS"))
        return int(line.split()[1]) / 1024
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 / (1024 if sys.platform == "darwin" else 1)


def memory(episodes: int, points: int = 5) -> list[tuple[int, float]]:
    """RSS at several points of a run over ever new tasks."""
    config = Config(task="pack-objects", team=FOUR, protocol="rules")
    marks = {max(1, episodes * k // points) for k in range(1, points + 1)} | {min(100, episodes)}
    found = []
    for n in range(1, episodes + 1):
        scene = ("flat", "loft", "bungalow")[n % 3]
        play(replace(config, seed=20_000 + n, scene=scene))
        if n in marks:
            gc.collect()
            found.append((n, rss_mib()))
    return found


def two_against_one(suite: str) -> tuple[float, float]:
    """Seconds of the same bench with one process and with two."""
    specs, methods = make_suite(suite), parse_methods("rules")
    took = []
    for jobs in (1, 2):
        with tempfile.TemporaryDirectory() as folder:
            begun = time.perf_counter()
            run_bench(specs, methods, Path(folder), jobs=jobs)
            took.append(time.perf_counter() - begun)
    return took[0], took[1]


#: What is measured, by which function of this file, over what.
MEASURES: dict[str, tuple[str, ...]] = {
    "actions/s and core, replayed (world, beliefs, loop, log)": ("engine_actions_per_second",),
    "actions/s and core, random-legal": ("actions_per_second", "random-legal"),
    "actions/s and core, rules": ("actions_per_second", "rules"),
    "complete episodes/s, rules": ("episodes_per_second", "rules"),
}

#: Worlds of the learning environment; 0: `parallel_env`.
BATCHES = (0, 1, 64, 1024)

# What a checkout runs to take its turn: its own functions of these names, over its own sources. The clock is that of
# the processor: what others do on the machine does not count.
TURN = """
import json, sys, time
time.perf_counter = time.process_time
sys.path[:0] = [sys.argv[1] + "/src", sys.argv[1] + "/benchmarks"]
import speed
for line in sys.stdin:
    name, *over = json.loads(line)
    print(getattr(speed, name)(*over, 0.5), flush=True)
"""


def side_by_side(other: Path, rounds: int) -> list[tuple[str, str, str, str]]:
    """Each measure here and there, turn about, and the median of the ratios with the middle half of them."""
    here = Path(__file__).parents[1]
    command = [sys.executable, "-c", TURN]
    players = [subprocess.Popen([*command, str(p)], stdin=PIPE, stdout=PIPE, text=True) for p in (here, other)]

    def turn(player: subprocess.Popen[str], measure: tuple[str, ...]) -> float:
        assert player.stdin is not None and player.stdout is not None
        player.stdin.write(json.dumps(measure) + "\n")
        player.stdin.flush()
        return float(player.stdout.readline())

    rows = []
    for name, measure in MEASURES.items():
        for player in players:
            turn(player, measure)  # to warm up
        pairs = [(turn(players[0], measure), turn(players[1], measure)) for _ in range(rounds)]
        low, middle, high = quantiles([a / b for a, b in pairs], n=4)
        mine, its = median(a for a, _ in pairs), median(b for _, b in pairs)
        rows.append((name, f"{mine:,.1f}", f"{its:,.1f}", f"{middle:.2f} ({low:.2f} to {high:.2f})"))
    for player in players:
        player.communicate()
    return rows


def show(rows: Iterable[tuple[str, str]]) -> None:
    print("\n".join(markdown(["measure", "value"], list(rows))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=10_000, help="episodes of the memory run (default 10000)")
    parser.add_argument("--seconds", type=float, default=5.0, help="length of each timing (default 5)")
    parser.add_argument("--suite", default="dynahmrc-static,dynahmrc-cto", help="what one and two processes play")
    parser.add_argument("--against", type=Path, metavar="CHECKOUT", help="measure this and another, side by side")
    parser.add_argument("--gym", action="store_true", help="the learning environments alone")
    parser.add_argument("--rounds", type=int, default=15, help="turns each has (default 15)")
    args = parser.parse_args()
    print(f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores\n")
    if args.against:
        rows = side_by_side(args.against.resolve(), args.rounds)
        print("\n".join(markdown(["measure", "here", "there", "ratio (middle half)"], rows)))
        return
    rows = [(f"{n} worlds" if n else "parallel_env", environment_steps_per_second(n, args.seconds)) for n in BATCHES]
    rows.append(("in the searches of mcts:100", searched_steps_per_second("mcts:100", args.seconds)))
    show((f"environment steps/s, {name}", f"{rate:,.0f}") for name, rate in rows)
    if args.gym:
        return
    show((name, f"{globals()[by](*over, args.seconds):,.1f}") for name, (by, *over) in MEASURES.items())
    one, two = two_against_one(args.suite)
    show([("bench --jobs 1", f"{one:.1f} s"), ("bench --jobs 2", f"{two:.1f} s"), ("ratio", f"{one / two:.2f}")])
    show((f"RSS after {n:,} episodes", f"{mib:.0f} MiB") for n, mib in memory(args.episodes))


if __name__ == "__main__":
    main()
