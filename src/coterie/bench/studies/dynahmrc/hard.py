"""A suite with room at the top: large houses, short time, two or three changes an episode, a radio that fails.

Limits are simulated time, so distance costs. Doors are partly closed, zones are rooms, teams have 4 to 16 robots,
there is no heartbeat, and only words travel between robots. Frozen once calibrated: what methods gain later are gains.
"""

from __future__ import annotations

from itertools import product

from coterie.bench.spec import FIRST_SEED, EpisodeSpec, suites
from coterie.bench.studies.dynahmrc.suites import TASKS
from coterie.core.config import Config
from coterie.episode.radio import OFF
from coterie.worlds.indoor.tasks.difficulty import WIDE

#: Rooms of the house, and who is in it besides the arm: few who open doors, drones that need them for that, and scouts
#: that can do nothing about what they find but tell it.
SIZES = (
    (6, {"MoMa": 1, "UAV": 1, "Mo": 1}),
    (10, {"MoMa": 1, "UAV": 2, "Mo": 2}),
    (14, {"MoMa": 2, "UAV": 2, "Mo": 3}),
    (17, {"MoMa": 3, "UAV": 3, "Mo": 5}),
    (20, {"MoMa": 4, "UAV": 4, "Mo": 7}),
)

#: What happens, by the name of the setting. Steps are spans of six seconds.
CHANGES = {
    "hard-goal-loss": ("cto@2", "rec@5:any"),
    "hard-room-loss": ("irz@2:rooms", "rec@5:any"),
    "hard-door-loss": ("door@2:any", "rec@5:any"),
    "hard-goal-room": ("cto@2", "irz@4:rooms"),
    "hard-goal-room-loss": ("cto@2", "irz@4:rooms", "rec@6:any"),
}
SETTINGS = {
    "hard-goal-loss": "hard: goal, loss",
    "hard-room-loss": "hard: room, loss",
    "hard-door-loss": "hard: door, loss",
    "hard-goal-room": "hard: goal, room",
    "hard-goal-room-loss": "hard: goal, room, loss",
}
RADIO = "range=15,loss=0.2,text=1"
REPEATS = 2


def team_of(bodies: dict[str, int]) -> str:
    return "-".join(["Ma", *(body for body, n in bodies.items() for _ in range(n))])


@suites.add("dynahmrc", "hard", name="dynahmrc-hard")
def dynahmrc_hard(seed: int = FIRST_SEED) -> list[EpisodeSpec]:
    """Houses of 6 to 20 rooms, 4 to 16 robots, two or three changes, limits in time, words alone over a bad radio."""
    specs = []
    for (setting, changes), task, (rooms, bodies), nth in product(CHANGES.items(), TASKS, SIZES, range(REPEATS)):
        team, n = team_of(bodies), seed + nth
        scene = f"house:{n}:{rooms}"
        config = Config(
            task=task, team=team, seed=n, scene=scene, level=WIDE, changes=changes, radio=RADIO, heartbeat=OFF,
            synchronous=False,
        )  # fmt: skip
        size = 1 + sum(bodies.values())
        labels = {
            "setting": setting, "task": task, "level": WIDE, "team": f"{size} robots", "group": f"{size} robots",
            "scene": f"{rooms} rooms", "seed": n, "change": "+".join(c.partition("@")[0] for c in changes),
            "change_step": int(changes[0].partition("@")[2].partition(":")[0]), "change_detail": "", "transition": "",
        }  # fmt: skip
        specs.append(EpisodeSpec(f"{setting}/{task}/{rooms}/{size}/{n}", config, labels))
    return specs
