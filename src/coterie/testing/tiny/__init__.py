"""A second, tiny world that uses every part of the interfaces, with minds for its robots.

Tests of the loop run on it, and it is the shortest complete example of a world.
"""

from coterie.testing.tiny.minds import Chooser, Foreman, Tidier, WalkTo, first_choice, seeded_choice
from coterie.testing.tiny.play import Played, parties, play
from coterie.testing.tiny.skills import SKILLS
from coterie.testing.tiny.task import CRAWLER, RUNNER, Tidy, Yard, stranger_joins, tiny_task
from coterie.testing.tiny.world import TinyWorld

__all__ = [
    "CRAWLER",
    "RUNNER",
    "SKILLS",
    "Chooser",
    "Foreman",
    "Played",
    "Tidier",
    "Tidy",
    "TinyWorld",
    "WalkTo",
    "Yard",
    "first_choice",
    "parties",
    "play",
    "seeded_choice",
    "stranger_joins",
    "tiny_task",
]
