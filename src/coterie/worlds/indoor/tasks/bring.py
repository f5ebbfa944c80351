"""Drawing tasks in which things are brought all over a house: to furniture, rooms and people, and into a caddy.

They are what task files with `kind = "bring"` describe, from a seed: other things, homes and people each time.
"""

from __future__ import annotations

import math
import random
from dataclasses import replace
from typing import Any

from coterie.core.errors import CoterieError, unknown_name
from coterie.core.seeds import rng_of
from coterie.core.task import Task
from coterie.houses.checks import with_people
from coterie.houses.scene import Scene
from coterie.houses.toml import PERSON_M, person
from coterie.worlds.indoor.bodies import team as make_team
from coterie.worlds.indoor.plans.errands import planner_of
from coterie.worlds.indoor.setting import Setting, Thing
from coterie.worlds.indoor.tasks.difficulty import SPARE_STEPS, STEP_LIMITS, TIMES, WIDE
from coterie.worlds.indoor.tasks.draw import MOST_DRAWS
from coterie.worlds.indoor.tasks.goals import Bring
from coterie.worlds.indoor.tasks.vocabulary import CADDIES, PACK, PEOPLE
from coterie.worlds.indoor.world import IndoorWorld

NAME = "bring-things"
#: The fewest and the most things, by level.
COUNTS = {"easy": (1, 1), "medium": (2, 3), "medium-search": (2, 4), WIDE: (3, 5), "hard": (4, 5)}
SAME = 0.2  # of things: one more of the kind of the last one
SOMEBODY = 0.4  # of tasks: a person stands in the house
CADDY = 0.3  # of tasks with at least two things: the first one holds others
INTO = 0.4  # of the other things, where there is one: they belong into it
OTHERS = 3  # things that belong nowhere
ROOM_M = 0.6  # from a person to the walls


def draw_bring(level: str, team: str, scene: Scene, seed: int, accept: Any = None) -> Task:
    """The first task from this seed that the team can do. `accept` is as in `draw_task`."""
    if level not in COUNTS:
        raise unknown_name("level", level, COUNTS)
    if getattr(accept, "before_feasible", False):
        raise CoterieError(f"'{NAME}' takes no --change anc: whoever can carry is there from the beginning.")
    robots = make_team(team)
    if not any(c.moves and c.manipulates for _, c in robots):
        raise CoterieError(f"Nobody in team {team} can fetch anything; add MoMa or UAV.")
    where = _peopled(scene, rng_of("people", scene.name, seed))
    for n in range(MOST_DRAWS):
        rng = rng_of("task", NAME, level, team, scene.name, seed, n)
        found = _things(rng, where, level)
        if found is None:
            continue
        goal, placed = found
        about = {"kind": "bring", "level": level, "team": team, "scene": scene.name, "rejected": n}
        task = Task(NAME, goal, Setting(where, (), placed), robots, split=scene.split, seed=seed, about=about)
        world = IndoorWorld(task)
        plan = planner_of(world).best()
        if plan is None:
            continue
        task = replace(task, step_limit=min(STEP_LIMITS[WIDE], math.ceil(TIMES * plan.steps) + SPARE_STEPS))
        accepted: Task | None = task if accept is None else accept(task, world)
        if accepted is not None:
            return accepted
    raise CoterieError(f"No feasible {NAME} for team {team} in scene '{scene.name}' in {MOST_DRAWS} draws.")


def _peopled(scene: Scene, rng: random.Random) -> Scene:
    """The scene with a person in it, where one is drawn and there is room."""
    names = [n for n in PEOPLE[scene.split] if n not in scene.piece]
    if rng.random() >= SOMEBODY or not names:
        return scene
    name, half = rng.choice(names), PERSON_M / 2
    for room in rng.sample(scene.rooms, len(scene.rooms)):
        x0, y0, x1, y1 = room.rect
        if min(x1 - x0, y1 - y0) <= 2 * ROOM_M:
            continue
        x, y = round(rng.uniform(x0 + ROOM_M, x1 - ROOM_M), 1), round(rng.uniform(y0 + ROOM_M, y1 - ROOM_M), 1)
        rect = (round(x - half, 3), round(y - half, 3), round(x + half, 3), round(y + half, 3))
        try:
            return with_people(scene, [person(name, room.name, rect, 1.0, 1.7)])
        except CoterieError:  # something stands there
            continue
    return scene


def _things(rng: random.Random, where: Scene, level: str) -> tuple[Bring, tuple[Any, ...]] | None:
    """A goal, and things with their first places, none of which is at home."""
    count = rng.randint(*COUNTS[level])
    caddy = count > 1 and rng.random() < CADDY
    words = rng.sample(PACK[where.split], min(len(PACK[where.split]), count + OTHERS))
    things = [Thing(f"{w.kind}_0", w.kind, w.mass_kg) for w in words]
    if caddy:
        word = rng.choice(CADDIES[where.split])
        things[0] = Thing(f"{word.kind}_0", word.kind, word.mass_kg, holds=4)
    for i in range(1 + caddy, count):
        if rng.random() < SAME and things[i - 1].name.endswith("_0"):
            things[i] = replace(things[i - 1], name=f"{things[i - 1].kind}_1")
    people = [f.name for f in where.places if f.person]
    pairs, placed, used = [], [], set()
    for i, thing in enumerate(things):
        f = rng.choice([f for f in where.places if not f.person])
        spots = [s for s in f.spots if s not in used]
        if not spots:
            return None
        spot = rng.choice(spots)
        used.add(spot)
        placed.append((thing, f.name, spot))
        if i < count:
            home = things[0].name if caddy and i and rng.random() < INTO else home_of(rng, where, people)
            if home in (f.name, f.room):
                return None
            pairs.append((thing.name, home))
    rng.shuffle(placed)
    rng.shuffle(pairs)
    return Bring(tuple(pairs)), tuple(placed)


def home_of(rng: random.Random, where: Scene, people: list[str]) -> str:
    """A piece of furniture, a room, or somebody."""
    furniture = [f for f in where.places if not f.person]
    kinds = [[f.name for f in furniture], sorted({f.room for f in furniture}), people]
    return rng.choice(rng.choices(kinds, (2, 1, 2 if people else 0))[0])
