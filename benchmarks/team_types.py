"""Records how teams of each known type behave, and writes `types.npz`, which `plastic` reads.

    python benchmarks/team_types.py [--episodes 12] [--out FILE]

Teams play in training houses (even seeds). The same arguments give the same file, byte for byte.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.core.config import Config
from coterie.episode.play import play
from coterie.episode.setup import resolve, task_of
from coterie.protocols.adhoc import types as known
from coterie.protocols.adhoc.types import EVERY, KINDS, ORDER, Track, place, symbols

ROOMS = (2, 3, 4, 5, 6, 4)
STEPS = 150


def counted(runs: Iterable[Sequence[int]]) -> list[NDArray[np.float64]]:
    """How often each symbol came after each past, by the length of the past."""
    found = [np.zeros((KINDS**length, KINDS)) for length in range(ORDER + 1)]
    for run in runs:
        for at, symbol in enumerate(run):
            for length in range(min(at, ORDER) + 1):
                found[length][place(run[at - length : at]), symbol] += 1
    return found


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
    play(config, watch=watch, task=replace(task_of(config), step_limit=STEPS))
    return found


def make(episodes: int, out: Path) -> None:
    counts: list[list[np.ndarray]] = []
    together = np.zeros((len(known.TYPES), known.MOST_ROBOTS + 1, known.LONG + 1))
    for kind, protocol in enumerate(known.TYPES):
        runs = []
        for i in range(episodes):
            tracks = list(tracks_of(protocol, i, 2 * (i + 500)).values())
            for robots, still in known.stillness([t.looks for t in tracks]):
                together[kind, min(robots, known.MOST_ROBOTS), still] += 1
            runs += [run for t in tracks for run in symbols(t.looks)]
        counts.append(counted(runs))
    arrays = {f"counts{n}": np.stack([c[n] for c in counts]).astype(np.uint32) for n in range(known.ORDER + 1)}
    with out.open("wb") as file:
        np.savez_compressed(file, **arrays, together=together.astype(np.uint32))
    print(f"{out}: {out.stat().st_size / 1000:.0f} kB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=12)
    parser.add_argument("--out", type=Path, default=known.FILE)
    args = parser.parse_args()
    make(args.episodes, args.out)


if __name__ == "__main__":
    main()
