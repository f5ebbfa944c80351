"""Kills missions at random moments, lets them go on, and compares log, knowledge, goals, and history with those of the
same missions unharmed.

    python benchmarks/mission_kills.py [--kills 100] [--seed 0] [--jobs 4]

Each mission has several goals, a fault, approvals, a kit that is changed on the way, news that somebody tells, an order
that is refused, a pause and an urgent goal. A moment is a byte of the log: as soon as so much of it is written, the
process is killed (SIGKILL); some are killed twice or three times. Then it is begun again and left to end. The log must
be the same byte for byte, and so must all that the mission holds at its end. Exits with 1 if anything differs.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

LONGEST_S = 900.0  # on the clock


class Scenario(NamedTuple):
    """What is asked for, what is wrong, and what people say on the way: (time, person, words)."""

    name: str
    goals: Sequence[str]
    faults: Sequence[str] = ()
    said: Sequence[tuple[float, str, str]] = ()
    noise: str = "none"
    answers: str | None = "yes"
    planning_s: float = 0.0


SCENARIOS = (
    Scenario("missing", ["medkit at alpha"], ["missing"], [(20, "visitor", "cancel g1")]),
    Scenario(
        "two goals, changed",
        ["medkit at alpha", "feverkit at beta"],
        ["missing:bandagebox"],
        [
            (15, "pharmacist", "medkit at gamma"),
            (40, "instructor", "change medkit to 1 painkiller and 1 bandage box"),
            (60, "pharmacist", "the side door is jammed"),
            (80, "instructor", "pause g2"),
            (120, "teacher", "resume g2"),
        ],
        "real",
    ),
    Scenario(
        "stopped, more urgent",
        ["woundkit at beta"],
        ["grasp"],
        [(30, "visitor", "stop"), (50, "teacher", "resume g1"), (70, "instructor", "feverkit at alpha at once")],
    ),
    Scenario("given up", ["medkit at alpha"], ["robot:Temi"]),
    Scenario("nobody answers", ["medkit at alpha"], ["missing"], answers=None),
    Scenario(
        "planning takes time",
        ["medkit at alpha"],
        ["missing"],
        [
            (35, "teacher", "feverkit at beta"),
            (75, "visitor", "stop"),
            (110, "teacher", "resume g1"),
            (111, "teacher", "resume g2"),
        ],
        "real",
        planning_s=15.0,
    ),
)


def child(number: int, seed: int, folder: Path) -> None:
    """Begin a mission, or go on with it; at the end all that it holds is written down."""
    from coterie.episode.mission import Said, resume, serve

    scenario, log = SCENARIOS[number], folder / "mission.jsonl"
    script = [Said(*row) for row in scenario.said]
    if log.is_file() and b"\n" in log.read_bytes():
        served = resume(log, answers=scenario.answers, script=script)
    else:
        log.unlink(missing_ok=True)
        options: dict[str, Any] = {"faults": scenario.faults, "noise": scenario.noise, "log_path": log}
        options["planning_s"] = scenario.planning_s
        served = serve("hospital", scenario.goals, seed=seed, answers=scenario.answers, script=script, **options)
    (folder / "state.json").write_text(json.dumps(state(served.mission), indent=1))


def state(mission: Any) -> dict[str, Any]:
    """What must have survived: knowledge, goals with their history, what people want now, refusals, experience."""
    facts = list(mission.knowledge.facts())
    return {
        "facts": sorted(repr(f) for f in facts),
        "unknown to": {p: sorted(repr(f) for f in mission.knowledge.lacks(p, facts)) for p in mission.domain.people()},
        "goals": [repr(g) for g in mission.goals.all()],
        "wanted": {id: [repr(w.wish), w.taken, sorted(w.scope), w.asked] for id, w in mission.wanted.items()},
        "refusals": [str(r) for r in mission.authority.refusals],
        "trials": [repr(t) for t in mission.trials.of()],
        "rules": sorted(mission.recovery.rules),
        "troubles": {id: [str(f) for f in t.failures] for id, t in mission.recovery.troubles.items()},
    }


def begin(number: int, seed: int, folder: Path) -> subprocess.Popen[bytes]:
    words = [sys.executable, __file__, "--child", str(number), "--seed", str(seed), "--folder", str(folder)]
    return subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def kill_at(process: subprocess.Popen[bytes], log: Path, byte: int) -> bool:
    """Kill it when the log has so many bytes; False where it ended before."""
    until = time.monotonic() + LONGEST_S
    while process.poll() is None and size(log) < byte and time.monotonic() < until:
        time.sleep(0.002)
    killed = process.poll() is None
    with contextlib.suppress(ProcessLookupError):
        os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    return killed


def attack(number: int, seed: int, kills: int) -> list[str]:
    """Complaints about one mission after so many kills."""
    rng, found = random.Random(f"{number} {seed} {kills}"), []
    name = f"{SCENARIOS[number].name}, seed {seed}"
    with tempfile.TemporaryDirectory() as home:
        whole, folder = Path(home) / "whole", Path(home) / "killed"
        whole.mkdir()
        process = begin(number, seed, whole)
        _, words = process.communicate(timeout=LONGEST_S)
        if process.returncode:
            return [f"{name}: unharmed it ends with {words.decode()[-300:]}"]
        log, left = folder / "mission.jsonl", kills
        while left > 0:
            for path in sorted(folder.glob("*")) if folder.is_dir() else ():
                path.unlink()
            folder.mkdir(exist_ok=True)
            moments = sorted(rng.randrange(1, size(whole / "mission.jsonl")) for _ in range(rng.choice((1, 1, 2, 3))))
            for byte in moments[:left]:
                left -= 1
                if not kill_at(begin(number, seed, folder), log, byte):
                    break  # it had written the rest already
            process = begin(number, seed, folder)
            _, words = process.communicate(timeout=LONGEST_S)
            if process.returncode:
                found.append(f"{name}: killed at {moments} it ends with {words.decode()[-300:]}")
            for what in ("mission.jsonl", "state.json"):
                if process.returncode == 0 and (folder / what).read_bytes() != (whole / what).read_bytes():
                    found.append(f"{name}: killed at {moments} {what} differs")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0, help="the first seed of the missions")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child is not None:
        child(args.child, args.seed, args.folder)
        return 0
    each = 5  # of one mission; then another seed
    todo = [(i % len(SCENARIOS), args.seed + i // len(SCENARIOS), min(each, args.kills - i * each))
            for i in range(-(-args.kills // each))]  # fmt: skip
    bad = 0
    with ThreadPoolExecutor(args.jobs) as pool:
        for (number, seed, kills), found in zip(todo, pool.map(lambda row: attack(*row), todo)):
            bad += len(found)
            print(f"{SCENARIOS[number].name}, seed {seed}: {kills} kills, {len(found)} differences", flush=True)
            print("".join(f"  {words}\n" for words in found), end="", flush=True)
    print(f"{args.kills} kills, {bad} differences")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
