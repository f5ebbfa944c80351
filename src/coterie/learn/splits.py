"""Seeds and houses of training, tuning and testing do not mix, whoever draws the lessons."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator

import coterie.bench.studies  # noqa: F401 (brings the scenes of its suites)
from coterie.bench.spec import FIRST_SEED, TESTED
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.worlds import entry_of

SEEDS = FIRST_SEED // 2  # of each split
_HOUSE = re.compile(r"house:(\d+)")


def split_of(seed: int) -> str:
    """As generated houses are shared out."""
    return "test" if seed >= FIRST_SEED else ("train" if seed % 2 == 0 else "dev")


def seed_in(split: str, rng: random.Random) -> int:
    """A seed for things or for a house of this split ("train" or "dev")."""
    return 2 * rng.randrange(SEEDS) + (split == "dev")


def checked(configs: Iterable[Config], split: str, lessons: str) -> Iterator[Config]:
    """The same; complains where lessons draw what is kept for something else."""
    for config in configs:
        scene = _scene(config)
        house = _HOUSE.match(scene)
        for what, seed in (("seed", config.seed), ("house", int(house.group(1)) if house else config.seed)):
            if (found := split_of(seed)) != split:
                raise CoterieError(
                    f"The lessons '{lessons}' draw {what} {seed}, which is kept for {found}, where {split} is asked "
                    "for. Draw seeds and houses with seed_in(split, rng) of coterie.learn.splits."
                )
        if scene.partition(":")[0] in TESTED:
            raise CoterieError(
                f"The lessons '{lessons}' draw the scene '{scene}', which suites test in, whatever the seed, where "
                f'{split} is asked for. Draw houses instead: scene=f"house:{{seed_in(split, rng)}}".'
            )
        yield config


def _scene(config: Config) -> str:
    """Where it is played, also where the config leaves it to the task or the world."""
    try:
        return config.scene or entry_of(config.task).settle(config).scene
    except CoterieError:  # it cannot be played at all
        return ""
