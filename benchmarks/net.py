"""A net for those who move code: two hundred logs of all worlds, teams, changes and protocols, kept and compared.

    python benchmarks/net.py keep net/        before: plays everything and keeps the logs
    python benchmarks/net.py compare net/     after: plays everything again and names what differs

Prompts are part of the logs, so they are held too. `--drop cause` leaves a key out of all events before comparing, for
a change of format that is meant.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

from coterie.core.config import Config
from coterie.episode.play import play

TASKS = ("pack-objects", "sort-solids", "make-sandwich")
TEAMS = ("Ma-MoMa", "Ma-UAV", "Ma-MoMa-Mo", "Ma-MoMa-UAV", "Ma-Mo-UAV", "Ma-MoMa-Mo-UAV")
CHANGES = ("cto@5", "irz@5:2", "anc@5:UAV", "rec@5:MoMa")
TALKERS = ("dynahmrc", "coherent", "coela", "dynahmrc:full", "dynahmrc:no-leader", "dynahmrc:no-feedback")
JOBS = ("sort-cubes", "sandwich", "sweep-floor", "arrange-cabinet", "pack-grocery", "move-rope")
PLANNERS = ("roco", "central-plan", "react", "hmas2")


def team_for(change: str) -> str:
    return "Ma-MoMa" if change.startswith("anc") else "Ma-MoMa-UAV"


def rooms() -> Iterator[tuple[str, dict[str, Any]]]:
    for i, (task, team) in enumerate(product(TASKS, TEAMS)):
        for protocol in ("rules", "expert"):
            yield f"{task}-{team}-{protocol}", {"task": task, "team": team, "protocol": protocol, "seed": i}
    for i, (task, change) in enumerate(product(TASKS, CHANGES)):
        for protocol in ("rules", "expert", "dynahmrc", "coela"):
            config = {"task": task, "team": team_for(change), "changes": (change,), "protocol": protocol, "seed": i}
            asks = protocol in TALKERS
            yield f"{task}-{change}-{protocol}", {**config, **({"model": "oracle"} if asks else {})}
    for i, (task, protocol) in enumerate(product(TASKS, TALKERS)):
        config = {"task": task, "team": TEAMS[3 + i % 3], "protocol": protocol, "model": "oracle", "seed": 40 + i}
        yield f"{task}-{protocol}", {**config, "scene": ("flat", "loft", "bungalow")[i % 3]}
    for i, protocol in enumerate(("mcts:100", "mcts-noins:100", "llm-mcts:100")):
        config = {"protocol": protocol, "seed": 70 + i, "team": "Ma-MoMa", "level": "medium"}
        yield f"search-{protocol}", {**config, **({"model": "oracle"} if protocol.startswith("llm") else {})}
    for i, protocol in enumerate(("random", "random-legal")):
        for task in TASKS:
            yield f"{task}-{protocol}", {"task": task, "protocol": protocol, "seed": 80 + i}
    for i in range(48):
        scene = f"house:{2 * i + 1}" if i % 2 else f"house:{10_000 + i}"
        config = {"task": TASKS[i % 3], "scene": scene, "seed": i, "team": TEAMS[3 + 2 * (i % 2)]}
        odd: dict[str, Any] = [
            {},
            {"noise": "real"},
            {"guard": True},
            {"synchronous": False},
            {"noise": "slip=0.2,drift=0.2,miss=0.1", "guard": True},
            {"synchronous": False, "protocol": "dynahmrc", "model": "oracle"},
        ][i % 6]
        yield f"house-{i}", {**config, **odd}
    for i, level in enumerate(("easy", "medium", "hard")):
        for task in TASKS:
            yield f"{task}-{level}", {"task": task, "level": level, "seed": 100 + i}
    for i in range(3):
        yield f"planned-{i}", {"task": TASKS[i], "arms": "planned", "team": "Ma-MoMa", "seed": i}
    yield "real-basket", {"scene": "real", "team": "Ma-MoMa-Mo", "seed": 3}


def table() -> Iterator[tuple[str, dict[str, Any]]]:
    for i, job in enumerate(JOBS):
        for level in ("rocobench", "mecobench"):
            yield f"{job}-{level}", {"task": job, "level": level, "seed": i}
        protocol = PLANNERS[i % 4]
        yield f"{job}-{protocol}", {"task": job, "protocol": protocol, "model": "oracle", "seed": 10 + i}
    for protocol in PLANNERS:
        yield f"sandwich-{protocol}-more", {"task": "sandwich", "protocol": protocol, "model": "oracle", "seed": 3}


def yard() -> Iterator[tuple[str, dict[str, Any]]]:
    """The tiny world, with and without a barrier, with thinking that costs time, and with a stranger."""
    for mind in ("Tidier", "Foreman", "Chooser"):
        yield f"yard-{mind}", {"mind": mind}
        yield f"yard-{mind}-async", {"mind": mind, "synchronous": False, "think_call_s": 0.4}
        yield f"yard-{mind}-stranger", {"mind": mind, "stranger": True}


def everything() -> dict[str, dict[str, Any]]:
    return {**dict(rooms()), **dict(table()), **dict(yard())}


def lines_of(item: tuple[str, dict[str, Any]]) -> tuple[str, list[str]]:
    name, config = item
    if "mind" in config:
        return name, yard_lines(**config)
    return name, play(Config(**config)).log.lines()


def yard_lines(mind: str, stranger: bool = False, **settings: Any) -> list[str]:
    from coterie.episode.loop import Settings

    sys.path.insert(0, str(Path(__file__).parent.parent))
    from examples import yard
    from tests.yard import play as play_yard

    task = yard.yard_task(changes=(yard.stranger_joins(2),)) if stranger else yard.yard_task()
    return play_yard(getattr(yard, mind), task, Settings(**settings), yard.seeded_choice).log.lines()


def without(line: str, keys: frozenset[str]) -> Any:
    def strip(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: strip(v) for k, v in value.items() if k not in keys}
        return [strip(v) for v in value] if isinstance(value, list) else value

    return strip(json.loads(line))


def difference(before: list[str], after: list[str], keys: frozenset[str]) -> str:
    for n, (a, b) in enumerate(zip(before, after), 1):
        if a != b and (not keys or without(a, keys) != without(b, keys)):
            at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
            return f"line {n}: ...{a[max(0, at - 80) : at + 80]}... is now ...{b[max(0, at - 80) : at + 80]}..."
    return "" if len(before) == len(after) else f"{len(before)} lines are now {len(after)}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=("keep", "compare"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--drop", action="append", default=[], metavar="KEY", help="leave a key of events out")
    parser.add_argument("--only", default="", metavar="TEXT", help="only logs with this in their name")
    args = parser.parse_args()
    work = {n: c for n, c in everything().items() if args.only in n}
    args.folder.mkdir(parents=True, exist_ok=True)
    wrong = 0
    with ProcessPoolExecutor(2) as pool:
        for n, (name, lines) in enumerate(pool.map(lines_of, work.items(), chunksize=4), 1):
            path = args.folder / f"{name.replace(':', '_')}.jsonl.gz"
            if args.verb == "keep":
                path.write_bytes(gzip.compress("\n".join(lines).encode(), 5, mtime=0))
                continue
            before = gzip.decompress(path.read_bytes()).decode().split("\n")
            found = difference(before, lines, frozenset(args.drop))
            if found:
                wrong += 1
                print(f"{name}: {found}")
            print(f"\r{n} of {len(work)}", end="", file=sys.stderr)
    print(f"{len(work)} logs {'kept' if args.verb == 'keep' else f'compared, {wrong} differ'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
