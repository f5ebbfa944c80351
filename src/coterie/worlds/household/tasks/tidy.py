"""Tasks drawn in houses, as the paper on strangers draws them: what is misplaced, and who is there.

The house comes from the scene, what is misplaced from the house, the level and the seed, the robots from all of these
and the size of the team: so the same things are misplaced for teams of three, four and five.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from coterie.core.bounds import can_take_part
from coterie.core.card import Card
from coterie.core.config import Config
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.seeds import rng_of
from coterie.core.task import Goal, Task
from coterie.houses.generate import TEST_FROM, split_of
from coterie.houses.model import House
from coterie.houses.names import house
from coterie.worlds.household.bodies import DWELLER, HUMAN, STRANGER, USUAL, drawn, drawn_team
from coterie.worlds.household.setting import Setting
from coterie.worlds.household.tasks.draw import mislaid, starts_in, tidied
from coterie.worlds.household.tasks.goals import Search, Tidy

NAMES = (STRANGER, "Yuri", "Xenia", "Walt", "Vera", "Umar", "Tess", "Sven")  # of strangers, in this order
ARMS = {"": None, "arm": True, "eye": False}  # what may be said of a body: nothing, with an arm, without one


def newcomer(task: Task, number: int = 0, body: str = "") -> Mapping[str, Any]:
    """The stranger of that number: a body that may lack an arm, somewhere on the free floor.

    The draws are the same whatever was said of its arm: a robot that is told to have none is otherwise as it would be.
    """
    house = task.setting.house
    about = (task.about.get(key) for key in ("level", "team"))
    rng = rng_of("stranger", number, house.name, task.name, *about, task.seed)
    taken = {name for name, _ in task.robots} | {str(c.data.get("robot", "")) for c in task.changes}
    name = next(n for n in (*NAMES[number:], *(f"Stranger{i}" for i in range(99))) if n not in taken)
    arm = rng.random() < 0.5
    card = drawn(rng, arm if ARMS.get(body) is None else ARMS[body], name)
    if body not in ARMS:
        card = _usual(body)
    ((_, start),) = starts_in(house, [name], rng)
    return {"robot": name, "card": card, "start": tuple(start)}


def _usual(body: str) -> Card:
    if body not in USUAL:
        words = f"arm, eye, {', '.join(USUAL)}"
        raise CoterieError(f"No robot '{body}' for a stranger. There are: {words}; without one, it is drawn.")
    return USUAL[body]


SUITE_ROOMS = (1, 2, 3, 4, 5, 6, 7, 8, 10)  # ProcTHOR-10K has no house of nine
HOUSES_EACH = 10
LIMIT = 500
#: Bodies of humans by who decides for them.
HUMANS = {"person": HUMAN, "keyboard": HUMAN, "resident": DWELLER}
MOST_ROBOTS = 32
ANY = "any"  # a level: the seed says how many
LEVELS = {
    ANY: "one to five things, as the seed has it",
    **{str(n): f"{n} things" for n in range(1, 6)},
    "1": "one thing",
}
#: By task and scene, what is shown where nobody says more: a mug lies in the bathtub, and one of three robots carries
#: it to the kitchen. Houses and seeds of the suites are others.
EXAMPLES = {("tidy", "rooms:6"): {"scene": "rooms:6:50", "level": "1", "seed": 92}}
#: With a stranger, who comes, is contradicted, changes its mind and carries something home.
JOINED = {("tidy", "rooms:6", "irot@50"): {"seed": 27}}
DIFFICULTIES = ((3, "easy"), (6, "medium"))  # by rooms, up to; more are difficult


def house_name(rooms: int, seed: int) -> str:
    return f"rooms:{rooms}:{seed}"


def suite_houses() -> list[str]:
    """The houses of the suites: ten of each number of rooms. Any other seed makes a house, too."""
    return [house_name(rooms, TEST_FROM + i) for rooms in SUITE_ROOMS for i in range(HOUSES_EACH)]


def draw_tidy(config: Config) -> Task:
    """put everything where it belongs; what is misplaced, and how much, the robots have to find out"""
    where = house(config.scene, config.seed)
    rng = rng_of("astray", where.name, config.level, config.seed)
    found, misplaced = mislaid(where, count_of(config, rng), rng)
    return make_task("tidy", Tidy(), found, misplaced, config)


def draw_search(config: Config) -> Task:
    """find named things, and report where each of them is"""
    where = tidied(house(config.scene, config.seed))
    rng = rng_of("sought", where.name, config.level, config.seed)
    count = count_of(config, rng)
    if len(where.things) < count:
        raise CoterieError(
            f"The house '{where.name}' has {len(where.things)} things, not {count} to look for; take a lower level."
        )
    things = tuple(sorted(rng.sample([t.name for t in where.things], count)))
    return make_task("search", Search(things), where, (), config)


def count_of(config: Config, rng: random.Random) -> int:
    if config.level not in LEVELS:
        raise unknown_name("level", config.level, LEVELS)
    return rng.randint(1, 5) if config.level == ANY else int(config.level)


def team_of(config: Config, rng: random.Random) -> list[tuple[str, Card]]:
    """`drawn:3`, or bodies joined with dashes."""
    if config.team.startswith("drawn:"):
        size = config.team.removeprefix("drawn:")
        if not (size.isascii() and size.isdecimal()) or not 1 <= int(size[:4]) <= MOST_ROBOTS:
            raise CoterieError(f"'{config.team}' is no team; write drawn:3, for one to {MOST_ROBOTS} robots.")
        return drawn_team(rng, int(size))
    found: list[tuple[str, Card]] = []
    for body in config.team.split("-"):
        if body not in USUAL:
            raise CoterieError(f"No robot '{body}'. There are: {', '.join(USUAL)}; or drawn:3 for three drawn ones.")
        found.append((f"{body}{len(found) + 1}", USUAL[body]))
    return found


def people(config: Config) -> dict[str, str]:
    """The deciders of the humans of `--card person:Ann`, `keyboard:Bea`, `resident:Cem`, `resident:Dan:habits.toml` (or
    `resident:Eve:keyboard`)."""
    found: dict[str, str] = {}
    for file in config.cards:
        kind, _, rest = file.partition(":")
        name, _, habits = rest.partition(":")
        if kind not in HUMANS or not can_take_part(name) or name in found or (habits and kind != "resident"):
            raise CoterieError(
                f"--card {', '.join(config.cards)}: houses that are tidied take people, each once; write --card "
                "person:Ann for one who tidies up with the robots, keyboard:Ann for one who is asked at this keyboard, "
                "resident:Ann for one who lives there, or resident:Ann:keyboard for both."
            )
        found[name] = f"{kind}:{habits}" if habits else kind
    return found


def make_task(name: str, goal: Goal, where: House, misplaced: tuple[str, ...], config: Config) -> Task:
    rng = rng_of("team", where.name, name, config.level, config.team, config.seed)
    robots = tuple(team_of(config, rng))
    humans = {n: HUMANS[mind.partition(":")[0]] for n, mind in people(config).items()}
    counted = len(robots) + sum(card is HUMAN for card in humans.values())
    robots += tuple((name, replace(card, name=name)) for name, card in humans.items())
    setting = Setting(where, starts_in(where, [n for n, _ in robots], rng), misplaced)
    about = {
        "level": config.level,
        "team": config.team,
        "scene": config.scene,
        "rooms": len(where.rooms),
        "robots": counted,
        "astray": len(misplaced),  # the name it has in logs
        "difficulty": difficulty(len(where.rooms)),
    }
    return Task(
        name, goal, setting, robots, step_limit=LIMIT, split=split_of(config.seed), seed=config.seed, about=about
    )


def difficulty(rooms: int) -> str:
    return next((word for most, word in DIFFICULTIES if rooms <= most), "difficult")
