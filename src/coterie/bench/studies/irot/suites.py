"""The tasks of the paper on strangers, and a balanced part of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from coterie.bench.methods import method_sets
from coterie.bench.spec import FIRST_SEED, EpisodeSpec, lessons, seed_in, suites
from coterie.bench.studies.household import LEVELS, SIZES, mini, tidy, tidy_real
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.seeds import rng_of

SETTING = "stranger"
JOINING = (0, 50, 100)  # steps at which the paper's strangers come
TEAM = "heuristic"
TEAMS = (TEAM, "learning", "negotiate")
LLM_TEAM = "negotiate"  # with which the paper tries what parts of IRoT are worth
RIVALS = ("random", "heuristic", "plastic", "naive", "gpl", "cot", "irot")
ABLATIONS = ("irot:no-stp", "irot:no-ev-rf", "irot:no-ev", "irot:no-rf", "irot")
WEAKER = "garbled:0.3@Zoe"  # three of ten replies to the stranger are spoilt, and none to others


def _as_stranger(spec: EpisodeSpec) -> EpisodeSpec:
    return replace(spec, key=f"{SETTING}/{spec.key}", labels={**spec.labels, "setting": SETTING})


@suites.add("irot", "household", name="irot")
def irot(seed: int = FIRST_SEED) -> list[EpisodeSpec]:
    """The 1350 tasks of tidying up, for teams that a stranger joins: --methods heuristic,heuristic+irot@0."""
    return [_as_stranger(spec) for spec in tidy(seed)]


@suites.add("irot", "household", name="irot-real")
def irot_real(seed: int = FIRST_SEED) -> list[EpisodeSpec]:
    """The tasks of tidy-real, for teams that a stranger joins."""
    return [_as_stranger(spec) for spec in tidy_real(seed)]


@suites.add("irot", "household", name="irot-mini")
def irot_mini(seed: int = FIRST_SEED) -> list[EpisodeSpec]:
    """54 of them, as many of each number of rooms and each size of team."""
    return [_as_stranger(spec) for spec in mini(seed)]


def with_strangers(team: str, methods: tuple[str, ...], joining: tuple[int, ...]) -> tuple[str, ...]:
    """A team by itself, and with each method at each step."""
    return (team, *(f"{team}+{method}@{step}" for step in joining for method in methods))


method_sets["irot-main"] = with_strangers(TEAM, ("heuristic", "irot"), (0, 50))
method_sets["irot-tables"] = tuple(m for team in TEAMS for m in with_strangers(team, RIVALS, JOINING))  # I to III
method_sets["irot-ablations"] = (
    *with_strangers(LLM_TEAM, ABLATIONS, JOINING),
    *(f"{LLM_TEAM}@{WEAKER}+irot@{step}" for step in JOINING),
)  # IV


# -- episodes that a stranger learns from -----------------------------------------------------------------------------
# Which episodes a stranger learns from: houses, teams, steps at which it comes, drawn from a seed.
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
