"""What a protocol of language models costs besides the model.

    python benchmarks/minds.py [--episodes 20]

Everything but the model, per decision and robot; how well requests of one step are answered together by a model that
takes 200 ms a call; how busy many episodes keep a model that answers 64 requests at once.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from coterie.bench.table import markdown
from coterie.core.event import Log
from coterie.core.loop import Settings, episode
from coterie.core.protocol import Ask, Party, Reply
from coterie.episodes import Config, build, play
from coterie.protocols import protocols
from coterie.protocols.dynahmrc.oracle import Oracle

FOUR = "Ma-MoMa-Mo-UAV"


class Timed:
    """A model whose own time is kept apart."""

    name = "timed"

    def __init__(self) -> None:
        self.oracle, self.seconds, self.calls, self.decisions = Oracle(), 0.0, 0, 0

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        begun = time.perf_counter()
        replies = self.oracle.answer(asks)
        self.seconds += time.perf_counter() - begun
        self.calls += len(asks)
        self.decisions += sum(a.stage == "HMRC" for a in asks)
        return replies


class Slow:
    """A model that takes 200 ms a call and answers calls at the same time."""

    name = "slow"

    def __init__(self) -> None:
        self.oracle, self.batches = Oracle(), 0

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        self.batches += 1
        with ThreadPoolExecutor(len(asks)) as pool:
            return list(pool.map(self._one, asks))

    def _one(self, ask: Ask) -> Reply:
        time.sleep(0.2)
        return self.oracle.answer([ask])[0]


def overhead(episodes: int) -> tuple[float, int]:
    """Milliseconds per decision and robot that are not the model's."""
    model = Timed()
    begun = time.perf_counter()
    for seed in range(episodes):
        play(Config(protocol="dynahmrc", team=FOUR, seed=10_000 + seed, changes=("cto@5",)), model=model)
    spent = time.perf_counter() - begun - model.seconds
    return 1000 * spent / model.decisions, model.decisions


def together() -> float:
    """Seconds of a step over seconds of the slowest call, with four robots that ask at the same time."""
    model = Slow()
    begun = time.perf_counter()
    play(Config(protocol="dynahmrc", team=FOUR, seed=10_000, level="easy"), model=model)
    return (time.perf_counter() - begun) / (model.batches * 0.2)


def many(episodes: int, at_once: int = 64) -> tuple[float, int]:
    """Mean share of a model's places that are filled when many episodes share it, and the number of rounds."""
    running = []
    for seed in range(episodes):
        world, task = build(Config(protocol="dynahmrc", seed=20_000 + seed, model="oracle"))
        party = Party("team", protocols.get("dynahmrc"), tuple(n for n, _ in task.robots))
        running.append(episode(world, task, [party], Log(keep=False), Settings(seed=seed)))
    oracle = Oracle()
    waiting = [(e, next(e)) for e in running]
    filled, rounds = 0, 0
    while waiting:
        chosen, count = [], 0
        while waiting and count + len(waiting[0][1]) <= at_once:
            chosen.append(waiting.pop(0))
            count += len(chosen[-1][1])
        replies = oracle.answer([a for _, asks in chosen for a in asks])
        for e, asks in chosen:
            mine, replies = replies[: len(asks)], replies[len(asks) :]
            try:
                waiting.append((e, e.send(mine)))
            except StopIteration:
                continue
        filled, rounds = filled + count, rounds + 1
    return filled / (rounds * at_once), rounds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=20)
    args = parser.parse_args()
    ms, decisions = overhead(args.episodes)
    share, rounds = many(200)
    rows = [
        (f"everything but the model, per decision and robot ({decisions} decisions)", f"{ms:.2f} ms"),
        ("a step of four robots, over the slowest call of 200 ms", f"{together():.2f}"),
        (f"200 episodes on a model of 64 places: places filled ({rounds} rounds)", f"{share:.0%}"),
    ]
    print("\n".join(markdown(["measure", "value"], rows)))


if __name__ == "__main__":
    main()
