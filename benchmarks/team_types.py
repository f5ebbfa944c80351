"""Known types of teammates: records how teams of each type behave, and measures how well their type is named.

    python benchmarks/team_types.py make [--episodes 12]
    python benchmarks/team_types.py test [--episodes 12]
    python benchmarks/team_types.py play [--episodes 12] [--strangers plastic,retrieval] [--jobs 2]

`make` plays in training houses (even seeds) and writes types.npz; `test` plays in tuning houses (odd seeds) and tells
how often the type is named after 50 steps, and by how much types differ in behaviour. `play` lets the strangers
themselves join: they have what teammates tell of where they are and what they hold, and the log says whom they named
after 50 steps with the team.
The same arguments give the same file, byte for byte.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from coterie.bench.statistics import bootstrap
from coterie.bench.studies.irot.typed import column
from coterie.core.config import Config
from coterie.episode.play import play
from coterie.episode.setup import resolve, task_of
from coterie.protocols.adhoc.types.known import (
    FILE,
    LONG,
    MOST_ROBOTS,
    ORDER,
    TYPES,
    Library,
    counted,
    library,
    often_still,
    profile,
    stillness,
)
from coterie.protocols.adhoc.types.tracks import EVERY, Track, symbols

ROOMS = (2, 3, 4, 5, 6, 4)
WINDOW = 50  # steps that are looked at
STARTS = (0, 50, 100)  # when a stranger may come
SLACK = 15  # steps within which it tells what it thinks


def tracks_of(protocol: str, number: int, seed: int) -> dict[str, Track]:
    """What every robot of a team did, looked at as a stranger would."""
    found: dict[str, Track] = {}

    def watch(e: Any) -> None:
        now = e.deciding.step + 1  # a step has just ended
        if now % EVERY:
            return
        for agent in e.roster:
            pose = agent.view.belief.value("pose", agent.name)
            held = agent.view.belief.value("holding", agent.name)
            if isinstance(pose, tuple):
                found.setdefault(agent.name, Track()).add(now, pose[:2], isinstance(held, str))

    config = Config(
        task="tidy", scene=f"rooms:{ROOMS[number % len(ROOMS)]}", level=str(1 + number % 5),
        team=f"drawn:{3 + number % 3}", protocol=protocol, seed=seed,
    )  # fmt: skip
    config = resolve(config)
    play(config, watch=watch, task=replace(task_of(config), step_limit=STARTS[-1] + WINDOW))
    return found


def window(track: Track, start: int) -> list[Any]:
    return [look for look in track.looks if start <= look.step < start + WINDOW]


def make(episodes: int, out: Path) -> None:
    counts: list[list[np.ndarray]] = []
    recorded, labels = [], []
    together = np.zeros((len(TYPES), MOST_ROBOTS + 1, LONG + 1))
    for kind, protocol in enumerate(TYPES):
        runs = []
        for i in range(episodes):
            tracks = list(tracks_of(protocol, i, 2 * (i + 500)).values())
            for robots, still in stillness([t.looks for t in tracks]):
                together[kind, min(robots, MOST_ROBOTS), still] += 1
            for start in STARTS:
                shared = often_still([window(t, start) for t in tracks])
                for part in (symbols(window(t, start)) for t in tracks):
                    if sum(map(len, part)) >= 15:
                        recorded.append(profile(part, shared))
                        labels.append(kind)
            runs += [run for t in tracks for run in symbols(t.looks)]
        counts.append(counted(runs))
    arrays = {f"counts{n}": np.stack([c[n] for c in counts]).astype(np.uint32) for n in range(ORDER + 1)}
    with out.open("wb") as file:
        np.savez_compressed(
            file, **arrays, together=together.astype(np.uint32), recorded=np.array(recorded, np.float16),
            labels=np.array(labels, np.int8),
        )  # fmt: skip
    print(f"{out}: {out.stat().st_size / 1000:.0f} kB, {len(labels)} recorded tracks")


def test(episodes: int, known: Library) -> None:
    named = {way: np.zeros((len(STARTS), len(TYPES), len(TYPES)), int) for way in ("posterior", "retrieved")}
    gaps: list[float] = []
    for i in range(episodes):
        first: dict[str, list[Any]] = {}
        for kind, protocol in enumerate(TYPES):
            tracks = tracks_of(protocol, i, 2 * (i + 900) + 1)
            first[protocol] = [t.looks for t in tracks.values()]
            for at, start in enumerate(STARTS):
                parts = [window(t, start) for t in tracks.values()]
                if sum(len(p) for p in parts) < 10:
                    continue  # everybody has stopped
                for way, table in named.items():
                    shares = getattr(known, way)(parts)
                    table[at, kind, TYPES.index(max(shares, key=lambda t: shares[t]))] += 1
        gaps += [_apart(first[a], first[b]) for n, a in enumerate(TYPES) for b in TYPES[n + 1 :]]
    for way, table in named.items():
        print(f"\n{way}: named after {WINDOW} steps (rows: true type; columns: {', '.join(TYPES)})")
        for at, start in enumerate(STARTS):
            right, all_of = int(np.trace(table[at])), int(table[at].sum())
            print(
                f"  t0 = {start:<4} right in {right} of {all_of} ({right / max(1, all_of):.0%})  {table[at].tolist()}"
            )
    print(f"\nsame task, other type: at {np.mean(gaps):.0%} of the looks within {WINDOW} steps a robot is elsewhere")


def joined(given: tuple[str, str, int, int]) -> str | None:
    """The type that a stranger names after 50 steps with a team; None where it left or stopped before."""
    protocol, stranger, start, i = given
    config = Config(
        task="tidy", scene=f"rooms:{ROOMS[i % len(ROOMS)]}", level=str(1 + i % 5), team=f"drawn:{3 + i % 3}",
        protocol=protocol, seed=2 * (i + 900) + 1, stranger=f"{stranger}@{start}:TallEye", model="oracle",
    )  # fmt: skip
    config = resolve(config)
    task = replace(task_of(config), step_limit=start + WINDOW + SLACK)
    found = column(play(config, task=task).log.events)
    return None if found is None else str(found["named"])


def joining(episodes: int, strangers: Sequence[str], jobs: int) -> None:
    for stranger in strangers:
        cases = [(t, stranger, start, i) for start in STARTS for t in TYPES for i in range(episodes)]
        with ProcessPoolExecutor(jobs) as pool:
            names = list(pool.map(joined, cases, chunksize=2))
        for start in STARTS:
            some = [(case[0], name) for case, name in zip(cases, names) if case[2] == start and name is not None]
            right = sum(true == name for true, name in some)
            share = bootstrap([float(true == name) for true, name in some], seed="types", shares=True)
            each = ", ".join(
                f"{t} {sum(n == t for true, n in some if true == t)} of {sum(true == t for true, _ in some)}"
                for t in TYPES
            )
            print(
                f"{stranger} at {start}: right in {right} of {len(some)} episodes "
                f"({100 * share.mean:.0f} % [{100 * share.low:.0f}, {100 * share.high:.0f}]); {each}",
                flush=True,
            )


def _apart(a: list[Any], b: list[Any]) -> float:
    """The share of looks at which robots that began at the same place are elsewhere by more than a step."""
    pairs = [
        (x, y) for one, other in zip(a, b) for x, y in zip(one, other) if x.step == y.step and x.step < WINDOW
    ]  # fmt: skip
    return float(np.mean([np.hypot(x.x - y.x, x.y - y.y) > 0.3 or x.full != y.full for x, y in pairs] or [0.0]))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("make", "test", "play"))
    parser.add_argument("--episodes", type=int, default=12)
    parser.add_argument("--out", type=Path, default=FILE)
    parser.add_argument("--strangers", default="plastic,retrieval", help="of play")
    parser.add_argument("--jobs", type=int, default=1, help="of play")
    args = parser.parse_args()
    if args.what == "make":
        make(args.episodes, args.out)
    elif args.what == "play":
        joining(args.episodes, args.strangers.split(","), args.jobs)
    else:
        test(args.episodes, library())
    sys.stdout.flush()


if __name__ == "__main__":
    main()
