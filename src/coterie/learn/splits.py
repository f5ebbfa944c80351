"""Seeds, houses and kinds of things of training, tuning and testing do not mix."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator
from functools import cache

import coterie.bench.studies  # noqa: F401 (brings the scenes of its suites)
from coterie.bench.spec import FIRST_SEED, TESTED, lessons, seed_in
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.protocol import Prompt
from coterie.core.seeds import rng_of
from coterie.houses.placement import homes, kinds
from coterie.worlds import entry_of

__all__ = ["checked", "draw", "held_out", "seed_in", "spared", "split_of"]
_HOUSE = re.compile(r"house:(\d+)")
_LYING = re.compile(r"^\w+ \((\w+)\) on .*\n", re.M)  # a thing, its kind, and where it lies
_ASKED = "Which of them are misplaced?"


def draw(names: str, seed: int, count: int, protocol: str, split: str) -> Iterator[Config]:
    """Episodes of lessons, checked. Several have commas between, and how often each comes: `dynahmrc=2,table=1`."""
    parts = [(name, float(often or 1)) for name, _, often in (part.partition("=") for part in names.split(","))]
    drawn = [checked(lessons.get(name)(seed, count, protocol, split), split, name) for name, _ in parts]
    for number in range(count):
        rng = rng_of("lessons", names, split, seed, number)
        (one,) = rng.choices(drawn, [often for _, often in parts]) if len(drawn) > 1 else drawn
        if (config := next(one, None)) is not None:
            yield config


@cache
def held_out() -> frozenset[str]:
    """Kinds of things of which no lesson says where they belong: whether that carries over is asked about these."""
    return frozenset(kind for kind in kinds() if homes(kind) and zlib.crc32(kind.encode()) % 3 == 0)


def spared(prompt: Prompt) -> Prompt | None:
    """The same without things of these kinds where it is asked what is misplaced; None where one of them is called
    misplaced, or none are left to ask about."""
    *before, (role, text) = prompt
    some = {kind: kind in held_out() for kind in _LYING.findall(text)}
    if not any(some.values()):
        return prompt
    if _ASKED not in text or all(some.values()):
        return None
    return (*before, (role, _LYING.sub(lambda m: "" if some[m[1]] else m[0], text)))


def split_of(seed: int) -> str:
    """As generated houses are shared out."""
    return "test" if seed >= FIRST_SEED else ("train" if seed % 2 == 0 else "dev")


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
