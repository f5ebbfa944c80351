"""The suites of the MeCo paper, and RoCoBench's: arms around one table, six jobs."""

from __future__ import annotations

import random
from collections.abc import Iterator

from coterie.bench.methods import method_sets
from coterie.bench.spec import FIRST_SEED, EpisodeSpec, lessons, seed_in, suites
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.seeds import rng_of
from coterie.worlds.tabletop.tasks import TABLE, TEAMS

TASKS = tuple(TEAMS)
CACHE_TASKS, CACHE_SEEDS = ("sort-cubes", "sandwich", "pack-grocery"), 80


def table_spec(setting: str, task: str, level: str, seed: int) -> EpisodeSpec:
    """One episode at the table; its group is its task, so that averages weigh tasks equally."""
    labels = {
        "setting": setting, "task": task, "level": level, "team": TEAMS[task], "group": task, "scene": TABLE,
        "seed": seed, "change": "", "change_step": None, "change_detail": "", "transition": "",
    }  # fmt: skip
    return EpisodeSpec(f"{setting}/{task}/{level}/{seed}", Config(task=task, seed=seed, level=level), labels)


def _all_jobs(name: str, level: str, seeds: int, about: str) -> None:
    """Register a suite of all six jobs at one level, with so many seeds each."""

    def made(seed: int = FIRST_SEED) -> list[EpisodeSpec]:
        setting = name.removeprefix("meco-")
        return [table_spec(setting, task, level, seed + n) for task in TASKS for n in range(seeds)]

    made.__doc__ = about
    suites.put(name, made, name.partition("-")[0], "tabletop")


_all_jobs("meco-s1", "mecobench", 30, "Random tasks at the table, six jobs, 30 seeds each (MeCoBench S1).")
_all_jobs("meco-s2", "mecobench-similar", 30, "All tasks of a job are similar to its first (MeCoBench S2).")
_all_jobs(
    "meco-s3",
    "mecobench-different",
    30,
    "No two tasks of a job are similar (MeCoBench S3); jobs that have no 30 such tasks are cut short, and say so.",
)
_all_jobs(
    "meco-posts", "cluttered-similar", 20, "As in S2, with posts in the way on the table; six jobs, 20 seeds each."
)


@suites.add("meco", "tabletop", name="meco-cache")
def meco_cache(seed: int = FIRST_SEED) -> list[EpisodeSpec]:
    """Long random streams of three jobs, for memos of several sizes: --methods "task-expert+memo:k=5,..." (Fig. 4)."""
    return [table_spec("cache", task, "mecobench", seed + n) for task in CACHE_TASKS for n in range(CACHE_SEEDS)]


_all_jobs("rocobench", "rocobench", 20, "The six jobs of RoCoBench with its own randomisation, 20 seeds each.")


@suites.add("quick", "tabletop", name="meco-smoke")
def meco_smoke(seed: int = FIRST_SEED) -> list[EpisodeSpec]:
    """Three similar tasks of Sort Cubes and Make Sandwich and one of every other job, in a minute or two."""
    specs = [table_spec("s2", task, "mecobench-similar", seed + n) for task in TASKS[:2] for n in range(3)]
    return specs + [table_spec("s1", task, "mecobench", seed) for task in TASKS[2:]]


WHOLE = "memo:reuse=tasks"  # as in the paper: whole tasks


def _beside(planner: str, *memos: str) -> tuple[str, ...]:
    """A planner without a memo, and with each of these."""
    return (planner, *(f"{planner}+{memo}" for memo in memos))


method_sets["meco-ablations"] = _beside(
    "roco", WHOLE, *(f"{WHOLE}-and-no-{part}" for part in ("similarity", "splanner", "continue", "selective"))
)  # Table 1, C.2
method_sets["meco-sweeps"] = _beside(
    "roco", WHOLE, *(f"{WHOLE}-and-{part}" for part in ("eps=0.003", "eps=0.03", "eta=0.1", "eta=0.4", "tau=0.5")),
    *(f"{WHOLE}-and-{part}" for part in ("tau=0.95", "base=4", "base=20", "k=1", "no-selective")),
)  # what the paper leaves open  # fmt: skip
method_sets["meco-kinds"] = _beside(
    "central-plan", *(f"memo:reuse={kind}" for kind in ("tasks", "prefixes", "transitions", "things"))
)  # from the paper's whole tasks to what was done to single things


# -- rounds that are learnt from --------------------------------------------------------------------------------------
# Which rounds at the table are learnt from: jobs, layouts and planners, drawn from a seed.
PLANNERS = ("roco", "central-plan", "react", "hmas2")
OFTEN = {"sort-cubes": 3, "arrange-cabinet": 4, "move-rope": 5}  # jobs of few rounds, for as many samples of each
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
        task=rng.choices(list(TASKS), [OFTEN.get(task, 1) for task in TASKS])[0],
        protocol=rng.choice(planners),
        model="oracle",
        seed=seed_in(split, rng),
        level=rng.choices(list(LEVELS), list(LEVELS.values()))[0],
        noise=rng.choice(("none", "none", "none", "real")),
    )
