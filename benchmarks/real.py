"""A team of real robots, played by a simulator apart (`examples/stand_in.py`), in another process: how often does it
pack its tray, under noise, with a robot that is lost for a while, or for good, and a thing that is carried off?

    python benchmarks/real.py --seeds 50 --first 1000
    python benchmarks/real.py --seeds 50 --first 1000 --lose 3        the robot does not come back
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def play(seed: int, lose: str, carry_off: float, noise: float, speed: float, keep: Path | None) -> tuple[bool, str]:
    """Whether the goal was reached, and what happened on the way; the log of a miss is kept in the folder `keep`."""
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "COTERIE_ROBOTS": f"{folder}/robots"}
        robot = random.Random(seed).choice(["Alice", "Bob", "Lucy"])
        words = ["pack-objects", "--seed", str(seed)]
        more = [
            "--noise",
            str(noise),
            "--speed",
            str(speed),
            "--carry-off",
            str(carry_off),
            "--lose",
            f"{robot}@{lose}",
        ]
        example = [sys.executable, str(ROOT / "examples" / "stand_in.py"), *words, *more]
        house = subprocess.Popen(example, env=env, stdout=subprocess.PIPE, text=True)
        assert house.stdout is not None
        try:
            names = house.stdout.readline().partition(":")[0].replace(", ", ",")
            run = ["run", *words, "--real", "--drive", names, "--json", "--log", f"{folder}/log.jsonl"]
            said = subprocess.run([sys.executable, "-m", "coterie", *run], env=env, capture_output=True, text=True)
        finally:
            house.terminate()
            told = house.communicate()[0]
        ended = said.returncode in (0, 1)
        score = json.loads(said.stdout) if ended else {"success": False, "status": said.stderr.strip()}
        if keep is not None and not score["success"]:
            keep.mkdir(parents=True, exist_ok=True)
            shutil.copy(f"{folder}/log.jsonl", keep / f"{seed}.jsonl")
    return bool(score["success"]), f"{score['status']}; {', '.join(told.splitlines())}"


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--seeds", type=int, default=50)
    p.add_argument("--first", type=int, default=1000)
    p.add_argument("--lose", default="2-5", metavar="S[-S]", help="when a robot is lost, and back [s]")
    p.add_argument("--carry-off", type=float, default=1.5, metavar="S")
    p.add_argument("--noise", type=float, default=1.0)
    p.add_argument("--speed", type=float, default=20.0)
    p.add_argument("--keep", type=Path, metavar="DIR", help="where logs of misses are kept")
    args = p.parse_args()
    won = 0
    for seed in range(args.first, args.first + args.seeds):
        good, told = play(seed, args.lose, args.carry_off, args.noise, args.speed, args.keep)
        won += good
        print(f"{seed}  {'reached' if good else 'missed '}  {told}", flush=True)
    print(f"\n{won} of {args.seeds} reached")


if __name__ == "__main__":
    main()
