"""Small houses for tests, and robots in them."""

from __future__ import annotations

import math
from dataclasses import replace

from coterie.core.task import Task
from coterie.houses.model import FLOOR, Door, Furniture, House, Room, Thing, Wall
from coterie.worlds.household.bodies import card
from coterie.worlds.household.perception import Camera
from coterie.worlds.household.setting import Setting, Start
from coterie.worlds.household.tasks.goals import Tidy
from coterie.worlds.household.world import HouseholdWorld

TALL, LOW = Camera(1.6, 90.0, 5.0), Camera(0.9, 90.0, 5.0)


def names(seen):
    """Of the things that a look has found."""
    return {t.name for t in seen.things}


def two_rooms(pieces=(), things=(), opened=True):
    """A kitchen and a bedroom of 4 x 4 m each, side by side, with a door from y = 1.5 to 2.5 between them."""
    square = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0))
    rooms = (Room("kitchen_0", "Kitchen", square), Room("bedroom_0", "Bedroom", tuple((x + 4, y) for x, y in square)))
    lines = [((0, 0), (8, 0)), ((8, 0), (8, 4)), ((8, 4), (0, 4)), ((0, 4), (0, 0))]
    lines += [((4, 0), (4, 1.5)), ((4, 2.5), (4, 4))]
    walls = tuple(Wall(a, b, 2.5) for a, b in lines)
    doors = (Door("door_0", ("kitchen_0", "bedroom_0"), (4.0, 1.5), (4.0, 2.5), 2.0, opened),)
    return House("two rooms", rooms, walls, doors, tuple(pieces), tuple(things))


def piece(name, kind, at, size=(0.8, 0.8, 0.7), room="kitchen_0", surface=None, base=0.0, receptacle=True):
    high = base + size[2] if surface is None else surface
    return Furniture(name, kind, room, at, size, 0.0, base, receptacle, high if receptacle else 0.0)


def thing(name, kind, on=FLOOR, spot=(2.0, 2.0, 0.0), size=(0.1, 0.1, 0.1), mass=0.3):
    return Thing(name, kind, on, spot, size, mass)


def furnished():
    """A counter, a fridge and a pillow on the floor in the kitchen; a bed with a mug and a dresser in the bedroom."""
    pieces = (
        piece("counter_top_0", "CounterTop", (1.0, 3.65), (1.6, 0.7, 0.9)),
        piece("fridge_0", "Fridge", (3.6, 3.6), (0.8, 0.8, 1.8)),
        piece("bed_0", "Bed", (7.3, 3.0), (1.4, 2.0, 0.5), "bedroom_0"),
        piece("dresser_0", "Dresser", (7.6, 0.6), (0.7, 1.0, 1.0), "bedroom_0"),
    )
    things = (
        thing("mug_0", "Mug", "bed_0", (6.8, 2.6, 0.5)),
        thing("pillow_0", "Pillow", FLOOR, (1.5, 1.0, 0.0), (0.5, 0.4, 0.15), 0.4),
        thing("plate_0", "Plate", "counter_top_0", (0.7, 3.5, 0.9), (0.2, 0.2, 0.03)),
    )
    return two_rooms(pieces, things)


def crosses(a, b, c, d, away=0.0):
    """Whether two lines cross well inside both; `away`: further than so many metres from the ends of the first."""

    def side(p, q, r):
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    one, two, three, four = side(c, d, a), side(c, d, b), side(a, b, c), side(a, b, d)
    return one * two < 0 and three * four < 0 and min(abs(one), abs(two)) >= away * math.dist(c, d)


def arm(name="Ann", tall=True, payload=5.0, battery=500, sight=5.0):
    return name, replace(card(tall, True, payload, battery, name), sight_m=sight)


def eye(name="Eve", tall=False, battery=500, sight=5.0):
    return name, replace(card(tall, False, 0.0, battery, name), sight_m=sight)


def task(house=None, robots=None, starts=None, astray=("mug_0", "pillow_0"), goal=None, limit=500):
    robots = robots or (arm(),)
    starts = starts or {name: Start(2.0 + i, 2.0) for i, (name, _) in enumerate(robots)}
    setting = Setting(house or furnished(), tuple(starts.items()), tuple(astray))
    return Task("tidy", goal or Tidy(), setting, tuple(robots), step_limit=limit)


def world(*args, noise=None, steps=None, seed=0, **more):
    return HouseholdWorld(task(*args, **more), seed, noise, steps)
