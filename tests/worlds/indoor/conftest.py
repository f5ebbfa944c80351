"""A small, known setting in the hand-made flat: each test says which things lie where."""

import importlib.util
import sys
from pathlib import Path

import pytest

from coterie.core.action import Action
from coterie.core.task import Task
from coterie.houses.names import scene
from coterie.worlds.indoor.bodies import team as make_team
from coterie.worlds.indoor.fluents import Fluents
from coterie.worlds.indoor.setting import Setting, Thing
from coterie.worlds.indoor.tasks.draw import FINAL_PLACEMENT, platforms_for
from coterie.worlds.indoor.tasks.goals import Pack, Sort, Stack
from coterie.worlds.indoor.world import IndoorWorld
from tests.logs import log  # noqa: F401


@pytest.fixture(scope="session")
def stand_in():
    """The robots of `examples/stand_in.py`, which live in a house of their own."""
    path = Path(__file__).parents[3] / "examples" / "stand_in.py"
    spec = importlib.util.spec_from_file_location("stand_in", path)
    module = sys.modules["stand_in"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    del sys.modules["stand_in"]


KIND = {"pack": "pack-objects", "sort": "sort-solids", "stack": "make-sandwich"}


def make_task(places, team="Ma-MoMa-Mo-UAV", kind="pack", targets=None, where="flat", mass=0.2):
    """`places` maps thing -> furniture, or thing -> (furniture, spot number)."""
    s = scene(where)
    robots = make_team(team)
    arm = next(c for _, c in robots if c.mobility == "fixed")
    colours = tuple(dict.fromkeys(n.split("_")[0] for n in places)) if kind == "sort" else ()
    platforms = platforms_for(KIND[kind], s, arm, "test", colours)
    blocked = Fluents(Setting(s, platforms, ())).blocked_spots
    used, things = set(), []
    for name, place in places.items():
        place, number = place if isinstance(place, tuple) else (place, None)
        spots = [p for p in s.piece[place].spots if p not in blocked]
        spot = spots[number] if number is not None else next(p for p in spots if p not in used)
        used.add(spot)
        colour = name.split("_")[0] if kind == "sort" else ""
        things.append((Thing(name, name, mass, colour), place, spot))
    targets = tuple(targets or places)
    goal = {
        "pack": lambda: Pack(targets),
        "stack": lambda: Stack(targets),
        "sort": lambda: Sort(tuple((t, f"{t.split('_')[0]}_panel") for t in targets), tuple(p.name for p in platforms)),
    }[kind]()
    return Task("test", goal, Setting(s, platforms, tuple(things)), robots, (FINAL_PLACEMENT,), step_limit=30)


def make_world(places, team="Ma-MoMa-Mo-UAV", kind="pack", targets=None, where="flat", mass=0.2, **kwargs):
    """A world of such a task; further settings are the world's."""
    return IndoorWorld(make_task(places, team, kind, targets, where, mass), **kwargs)


def do(world, robot, skill, *args):
    """One action of one robot, to its end."""
    world.start({robot: Action(skill, args)})
    (outcome,) = world.advance(None)
    return outcome


def says(outcome, *parts, status="failed"):
    assert outcome.status == status, outcome
    for part in parts:
        assert part in outcome.reason, outcome.reason
