"""How many instructions an episode takes: a figure that does not depend on what else the machine does.

    python benchmarks/instructions.py [--against ../older-checkout] [--episodes 2] [rules again smoke]

Counted by valgrind (which has to be there), of the program alone and not of the system, as the difference between runs
with more and with fewer episodes: what starting and the first episodes take does not count. `again` replays the actions
of a random team, `smoke` are eight complete episodes of that suite, drawn and scored. A run takes a minute or more.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import subprocess
import sys
from pathlib import Path

from coterie.bench.table import markdown

# What a checkout runs, over its own sources.
RUN = """
import sys, tempfile
from pathlib import Path
sys.path[:0] = [sys.argv[1] + "/src", sys.argv[1] + "/benchmarks"]
import speed
what, episodes = sys.argv[2], int(sys.argv[3])
if what == "smoke":
    jobs = speed.make_jobs(speed.make_suite("smoke"), speed.parse_methods("rules"), "none")[:8]
    for job in jobs * (1 + episodes): speed.play_job(job)
else:
    if what == "again": speed.engine_actions_per_second(0.001)
    config = speed.Config(task="pack-objects", team=speed.FOUR, protocol=what, level="hard", seed=10_000)
    task = speed.build(config)[1]
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(1 + episodes): speed.play(config, Path(folder) / "log.jsonl", task=task)
"""


def counted(checkout: Path, what: str, episodes: int) -> int:
    """Instructions of a whole run."""
    tool = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    command = [*tool, sys.executable, "-c", RUN, str(checkout), what, str(episodes)]
    env = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": str(checkout / "src")}
    try:
        ran = subprocess.run(command, capture_output=True, text=True, env=env)
    except FileNotFoundError:
        raise SystemExit("There is no valgrind here; it comes with most systems' packages.") from None
    found = re.search(r"I\s+refs:\s+([\d,]+)", ran.stderr)
    if ran.returncode or found is None:
        raise SystemExit(why_not(ran.stderr, checkout, what))
    return int(found[1].replace(",", ""))


def why_not(said: str, checkout: Path, what: str) -> str:
    """Why nothing was counted: valgrind gave up, as some versions do on ARM machines, or the program failed."""
    lines = [line for line in said.splitlines() if line.strip()]
    if "valgrind: " in said or "www.valgrind.org" in said:
        told = next((line for line in lines if "Assertion" in line or "impossible" in line), "it crashed")
        told = re.sub(r"^[\W\d]*|^valgrind: ", "", told).rstrip(". ")
        return (
            f"valgrind cannot run this program on this machine ({platform.machine()}): {told}. A newer valgrind or an "
            "x86_64 machine may; `make speed` and benchmarks/own_cost.py measure time anywhere."
        )
    own = [line for line in lines if not re.match(r"(?:==|--)\d+", line)]
    return f"'{what}' failed in {checkout}: {own[-1] if own else 'it said nothing'}"


def each(checkout: Path, what: str, episodes: int) -> float:
    """Millions of instructions an episode."""
    more = counted(checkout, what, episodes) - counted(checkout, what, 0)
    return more / episodes / (8 if what == "smoke" else 1) / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", default=["rules", "again", "smoke"], help="protocols, again or smoke")
    parser.add_argument("--against", type=Path, metavar="CHECKOUT", help="count in another checkout as well")
    parser.add_argument("--episodes", type=int, default=2, help="that are counted (default 2)")
    args = parser.parse_args()
    checkouts = [Path(__file__).parents[1], *([args.against.resolve()] if args.against else [])]
    rows = []
    for what in args.what:
        found = [each(checkout, what, args.episodes) for checkout in checkouts]
        rows.append((what, *(f"{f:.1f}" for f in found), *([f"{found[1] / found[0]:.2f}"] if args.against else [])))
    heads = ["million instructions an episode", "here", *(["there", "there / here"] if args.against else [])]
    print("\n".join(markdown(heads, rows)))


if __name__ == "__main__":
    main()
