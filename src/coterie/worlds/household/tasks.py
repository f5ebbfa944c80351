"""Tasks drawn in houses."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from coterie.core.card import Card
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.seeds import rng_of
from coterie.core.task import Goal, Task
from coterie.worlds.household.bodies import USUAL, drawn_team
from coterie.worlds.household.floor import floor_of
from coterie.worlds.household.goals import Search, Tidy
from coterie.worlds.household.house import FLOOR, House, Thing
from coterie.worlds.household.load import load_house
from coterie.worlds.household.placement import belongs, homes
from coterie.worlds.household.setting import Setting

LIMIT = 500
SCENES = [("rooms:N", "a house drawn from the seed"), ("FILE.json", "a house in ProcTHOR's format")]


def house_of(config: Config) -> House:
    return load_house(config.scene)


def team_of(config: Config, rng: Random) -> list[tuple[str, Card]]:
    """`drawn:3`, or bodies joined with dashes."""
    if config.team.startswith("drawn:"):
        size = config.team.removeprefix("drawn:")
        if not size.isdecimal() or not 1 <= int(size) <= 32:
            raise CoterieError(f"'{config.team}' is no team; write drawn:3, for one to 32 robots.")
        return drawn_team(rng, int(size))
    found = []
    for body in config.team.split("-"):
        if body not in USUAL:
            raise CoterieError(f"No robot '{body}'. There are: {', '.join(USUAL)}; or drawn:3 for three drawn ones.")
        found.append((f"{body}{len(found) + 1}", USUAL[body]))
    return found


def draw_tidy(config: Config) -> Task:
    rng = rng_of("tidy", config.seed)
    house = house_of(config)
    house, astray = misplace(house, rng, rng.randint(1, 5))
    return _task("tidy", Tidy(), Setting(house, (), astray), config, rng)


def draw_search(config: Config) -> Task:
    rng = rng_of("search", config.seed)
    house = house_of(config)
    things = tuple(sorted(rng.sample([t.name for t in house.things], min(3, len(house.things)))))
    return _task("search", Search(things), Setting(house), config, rng)


def _task(name: str, goal: Goal, setting: Setting, config: Config, rng: Random) -> Task:
    robots = tuple(team_of(config, rng))
    about = {"rooms": len(setting.house.rooms), "robots": len(robots), "astray": len(setting.astray)}
    return Task(name, goal, setting, robots, step_limit=LIMIT, seed=config.seed, about=about)


def misplace(house: House, rng: Random, count: int) -> tuple[House, tuple[str, ...]]:
    """Some things lie where they do not belong: on a wrong piece, or on the floor."""
    room_kind = {r.name: r.kind for r in house.rooms}
    there = {(p.kind, room_kind[p.room]) for p in house.pieces if p.receptacle}
    can = [t for t in house.things if set(homes(t.kind)) & there]
    picked = rng.sample(can, min(count, len(can)))
    floor = floor_of(house)
    stands = [p for p in house.pieces if p.receptacle and len(floor.stands(p))]
    rows, columns = floor.reachable(0.25).nonzero()
    moved: dict[str, Thing] = {}
    for t in picked:
        wrong = [p for p in stands if not belongs(t.kind, p.kind, room_kind[p.room])]
        if wrong and rng.random() < 0.5:
            p = rng.choice(wrong)
            moved[t.name] = replace(t, on=p.name, spot=(*p.centre, p.surface_m))
        else:
            i = rng.randrange(len(rows))
            moved[t.name] = replace(t, on=FLOOR, spot=(*floor.middle(int(rows[i]), int(columns[i])), 0.0))
    things = tuple(moved.get(t.name, t) for t in house.things)
    return replace(house, things=things), tuple(sorted(moved))
