"""The yard: a tiny world that uses every part of the interfaces, with minds for its robots.

Tests of the loop run on it, and it is the shortest complete example of a world.
"""

from coterie.worlds.yard.minds import Chooser, Foreman, Tidier, WalkTo, first_choice, seeded_choice
from coterie.worlds.yard.skills import SKILLS
from coterie.worlds.yard.tasks import CRAWLER, RUNNER, Tidy, Yard, stranger_joins, yard_task
from coterie.worlds.yard.world import YardWorld

__all__ = [
    "CRAWLER",
    "RUNNER",
    "SKILLS",
    "Chooser",
    "Foreman",
    "Tidier",
    "Tidy",
    "WalkTo",
    "Yard",
    "YardWorld",
    "first_choice",
    "seeded_choice",
    "stranger_joins",
    "yard_task",
]
