"""Demonstrations from several processes, in the order in which they were drawn: a seed gives the same file."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from coterie import __version__
from coterie.bench.runner import spread_in_order
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.seeds import rng_of
from coterie.episode.setup import load_plugins
from coterie.learn.demos import RENAMED, Played, Whose, played
from coterie.learn.dev import play
from coterie.learn.samples import Sample, thinned, write
from coterie.learn.splits import draw
from coterie.models import make_model

CHUNK = 12  # episodes for a process at a time


class Wish(NamedTuple):
    """Which demonstrations are wanted."""

    seed: int = 0
    episodes: int = 100
    split: str = "train"
    lessons: str = "dynahmrc"
    protocol: str = "dynahmrc"
    player: str = "straying:0.1"
    rename: float = RENAMED
    at_once: int = 4  # in one process
    load: tuple[str, ...] = ()  # Python files that register lessons, tasks, worlds
    keep: str = "all"  # "success": nothing of episodes that failed; "faster": only of those shorter than the teacher's
    whose: Whose = "teacher"  # actions are learnt; "played": what the player did, where it worked


def gather(wish: Wish, jobs: int = 1, tell: Callable[[int, int], None] | None = None) -> Iterator[Played]:
    """Episodes with their samples, one after another."""
    load_plugins(wish.load)
    configs = list(draw(wish.lessons, wish.seed, wish.episodes, wish.protocol, wish.split))
    done = 0
    for count, found in spread_in_order(partial(_chunk, wish), configs, max(CHUNK, wish.at_once), jobs):
        done += count
        if tell is not None:
            tell(done, len(configs))
        yield from found


def _chunk(wish: Wish, configs: Sequence[Config]) -> list[Played]:
    import coterie.protocols.noisy_oracle  # noqa: F401 (registers its model in this process)

    load_plugins(wish.load)
    found = played(configs, make_model(wish.player), wish.at_once, rename=wish.rename, whose=wish.whose)
    if wish.keep == "all":
        return list(found)
    bar = _teachers_steps(configs, wish.at_once) if wish.keep == "faster" else {}
    return [p if p.success and p.steps < bar.get(p.config, math.inf) else p._replace(samples=[]) for p in found]


def _teachers_steps(configs: Sequence[Config], at_once: int) -> dict[Config, float]:
    """How many steps the teacher takes for the same episodes; those that it fails have no limit."""
    ended = play(configs, make_model("oracle"), at_once)
    return {one.config: one.steps if one.success else math.inf for one in ended}


class Gathered(NamedTuple):
    episodes: int
    successes: int
    card: dict[str, Any]


def gather_into(
    path: Path, wish: Wish, jobs: int = 1, tell: Callable[[int, int], None] | None = None,
    about: Mapping[str, Any] = {},
) -> Gathered:  # fmt: skip
    """A file of samples, its card, and how the player did. `about`: what else the card says, or says otherwise."""
    if wish.whose == "played" and any(name.partition(":")[0] != "dynahmrc" for name in wish.protocol.split(",")):
        raise CoterieError(f"--actions played is for dynahmrc, not for {wish.protocol}.")
    rng: random.Random = rng_of("thinning", wish.seed)
    counts = {"episodes": 0, "successes": 0}

    def samples() -> Iterator[Sample]:
        for one in gather(wish, jobs, tell):
            counts["episodes"] += 1
            counts["successes"] += bool(one.success)
            yield from one.samples

    card = write(
        path, thinned(samples(), rng),
        {"coterie": __version__, "made by": "coterie learn demos", **wish._asdict(), **about},
    )  # fmt: skip
    return Gathered(counts["episodes"], counts["successes"], card)
