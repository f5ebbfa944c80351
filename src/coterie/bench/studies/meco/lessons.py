"""Which rounds at the table are learnt from: jobs, layouts and planners, drawn from a seed."""

from __future__ import annotations

import random
from collections.abc import Iterator

from coterie.bench.spec import lessons, seed_in
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.seeds import rng_of
from coterie.worlds.tabletop.declared import JOBS

PLANNERS = ("roco", "central-plan", "react", "hmas2")
LEVELS = {"mecobench": 4, "mecobench-similar": 1, "rocobench": 2, "cluttered": 1}  # how often each


@lessons.add(name="table")
def table(seed: int, count: int, protocol: str = ",".join(PLANNERS), split: str = "train") -> Iterator[Config]:
    """Jobs at the table, with the planners that are named; commas between several."""
    planners = [name for name in protocol.split(",") if name.partition(":")[0] in PLANNERS]
    if not planners:
        raise CoterieError(f"'{protocol}' plans nothing at the table: say --protocol {','.join(PLANNERS)}.")
    for number in range(count):
        yield _one(rng_of("demonstrations", "table", split, seed, number), split, planners)


def _one(rng: random.Random, split: str, planners: list[str]) -> Config:
    return Config(
        task=rng.choice(list(JOBS)),
        protocol=rng.choice(planners),
        model="oracle",
        seed=seed_in(split, rng),
        level=rng.choices(list(LEVELS), list(LEVELS.values()))[0],
        noise=rng.choice(("none", "none", "none", "real")),
    )
