"""Which episodes demonstrations come from: tasks, teams, houses, changes and switches, drawn from a seed.

Houses and names of things are those for training (even seeds below 10,000) or tuning (odd ones); tests use others.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from coterie.bench.spec import lessons, seed_in
from coterie.core.config import Config
from coterie.core.seeds import rng_of
from coterie.episode.radio import OFF
from coterie.worlds.indoor.bodies import TEAMS
from coterie.worlds.indoor.tasks.difficulty import WIDE

TASKS = ("pack-objects", "sort-solids", "make-sandwich")
LEVELS = {"easy": 1, "medium": 2, "hard": 2, "medium-search": 6}  # how often each
JOINERS = ("UAV", "Mo", "MoMa")
PLAYED = ("dynahmrc", "coela", "coherent")
#: Besides those at the work table: who brings things all over a house, up to six robots.
BRINGERS = ("MoMa", "MoMa-MoMa", "MoMa-UAV", "MoMa-UAV", "Ma-MoMa-UAV", "MoMa-UAV-Mo", "MoMa-MoMa-UAV-UAV-Mo-Mo")
MANY = ("Ma-MoMa-MoMa-UAV", "Ma-MoMa-UAV-UAV-Mo", "Ma-MoMa-MoMa-UAV-UAV-Mo")
ROOMS = (6, 7, 8, 9)  # of large houses, most of whose doors begin closed
SHORT = 0.1  # of episodes, where levels are mixed: with the short prompts


@lessons.add(name="dynahmrc")
def draw(seed: int, count: int, protocol: str = "dynahmrc", split: str = "train") -> Iterator[Config]:
    """Episodes one after another; the same for a seed, however many are taken."""
    for number in range(count):
        yield _one(rng_of("demonstrations", split, seed, number), split, _in_rooms(protocol))


@lessons.add(name="dynahmrc-levels")
def levels(seed: int, count: int, protocol: str = "dynahmrc:paper", split: str = "train") -> Iterator[Config]:
    """The same, a part of them with the short prompts, so that these are not forgotten while others are learnt."""
    for number in range(count):
        rng = rng_of("demonstrations", "levels", split, seed, number)
        yield _one(rng, split, "dynahmrc" if rng.random() < SHORT else _in_rooms(protocol))


@lessons.add(name="rooms-more")
def more(seed: int, count: int, protocol: str = "dynahmrc:paper", split: str = "train") -> Iterator[Config]:
    """What users play besides: things brought to places, rooms, people and caddies, closed doors, up to six robots."""
    for number in range(count):
        yield _more(rng_of("demonstrations", "more", split, seed, number), split, _in_rooms(protocol))


def _more(rng: random.Random, split: str, protocol: str) -> Config:
    """Things all over a house, a team of many in a large house, or a door that is closed on the way."""
    house, seed, step = seed_in(split, rng), seed_in(split, rng), rng.randrange(2, 10)
    small, large = f"house:{house}", f"house:{house}:{rng.choice(ROOMS)}"
    door = f"door@{rng.choice((0, step))}:any"
    kind = rng.choices(("bring", "many", "doors"), (3, 1, 1))[0]
    if kind == "bring":
        task, team, level = "bring-things", rng.choice(BRINGERS), rng.choice(tuple(LEVELS))
        scene = rng.choice((small, small, large))
        change = rng.choice(("", "", f"cto@{step}", f"irz@{step}:{rng.choice((1, 2))}", door))
    elif kind == "many":
        task, team, level, scene = rng.choice(TASKS), rng.choice(MANY), WIDE, large
        change = rng.choice(("", f"cto@{step}", f"rec@{step}:any", door))
    else:
        task, team, level, scene, change = rng.choice(TASKS), rng.choice(TEAMS), "medium-search", small, door
    return Config(
        task=task, team=team, protocol=protocol, model="oracle", seed=seed, scene=scene, level=level,
        changes=(change,) if change else (), guard=rng.random() < 0.3,
        noise=rng.choice(("none", "none", "none", "real", "slip=0.2")),
        radio=rng.choice(("none", "none", "none", "loss=0.2")), heartbeat=rng.choice((OFF, OFF, OFF, "")),
    )  # fmt: skip


def _in_rooms(protocols: str) -> str:
    """The first of several that plays these tasks; one alone is taken at its word."""
    every = protocols.split(",")
    return next((name for name in every if name.partition(":")[0] in PLAYED), every[0])


def _one(rng: random.Random, split: str, protocol: str) -> Config:
    team = rng.choice(TEAMS)
    house = seed_in(split, rng)
    change = _change(rng, team)
    return Config(
        task=rng.choice(TASKS),
        team=team,
        protocol=protocol,
        model="oracle",
        seed=seed_in(split, rng),
        scene=f"house:{house}",
        level=rng.choices(list(LEVELS), list(LEVELS.values()))[0],
        changes=(change,) if change else (),
        guard=rng.random() < 0.3,
        noise=rng.choice(("none", "none", "none", "real", "slip=0.2", "miss=0.2")),
        radio=rng.choice(("none", "none", "none", "loss=0.2", "loss=0.4")),
        heartbeat=rng.choice((OFF, OFF, OFF, OFF, "", "8")),
    )


def _change(rng: random.Random, team: str) -> str:
    """Two of three episodes meet one; those that bodies do not allow are not drawn."""
    bodies, step = team.split("-"), rng.randrange(3, 14)
    kind = rng.choice(("", "", "cto", "cto", "irz", "anc", "rec"))
    if kind == "irz":
        return f"irz@{step}:{rng.choice((1, 2, 3))}"
    if kind == "anc":
        joining = [b for b in JOINERS if b not in bodies]
        return f"anc@{step}:{rng.choice(joining)}" if joining else ""
    if kind == "rec":
        leaving = [b for b in bodies if b in ("MoMa", "UAV")]  # tasks in which nobody misses Mo are not drawn
        return f"rec@{step}:{rng.choice(leaving)}" if len(leaving) > 1 else ""
    return f"cto@{step}" if kind == "cto" else ""
