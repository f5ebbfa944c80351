"""Which episodes a stranger learns from: houses, teams, steps at which it comes, drawn from a seed."""

from __future__ import annotations

import random
from collections.abc import Iterator

from coterie.bench.spec import lessons, seed_in
from coterie.bench.studies.household import LEVELS, SIZES
from coterie.bench.studies.irot.suites import JOINING, LLM_TEAM, TEAM
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.seeds import rng_of

STRANGERS = ("irot", "naive", "cot", "gpl")
ROOMS = (2, 3, 4, 5, 6)


@lessons.add(name="strangers")
def strangers(seed: int, count: int, protocol: str = ",".join(STRANGERS), split: str = "train") -> Iterator[Config]:
    """Strangers by their methods, with commas between several; `negotiate` among them: a team that talks, too."""
    named = protocol.split(",")
    joining = [name for name in named if name.partition(":")[0] in STRANGERS]
    if not joining:
        raise CoterieError(f"'{protocol}' joins nobody: say --protocol {','.join(STRANGERS)}.")
    teams = [TEAM, *(name for name in named if name == LLM_TEAM)]
    for number in range(count):
        yield _one(rng_of("demonstrations", "strangers", split, seed, number), split, joining, teams)


def _one(rng: random.Random, split: str, joining: list[str], teams: list[str]) -> Config:
    house = seed_in(split, rng)
    return Config(
        task="tidy",
        team=f"drawn:{rng.choice(SIZES)}",
        protocol=rng.choice(teams),
        model="oracle",
        seed=house,
        scene=f"rooms:{rng.choice(ROOMS)}:{house}",
        level=rng.choice(LEVELS),
        stranger=f"{rng.choice(joining)}@{rng.choice(JOINING)}",
    )
