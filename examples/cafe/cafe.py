"""A café: a world, a scene, a robot, a skill, a task, a protocol and a suite of one's own, in one folder.

    coterie run serve --load examples/cafe/cafe.py
    coterie bench cafe --load examples/cafe/cafe.py --methods barista,rules

This file is the one that `--load` names; it imports the others. docs/write-a-suite.md walks through the folder.
"""

from dataclasses import replace
from pathlib import Path

import minds  # noqa: F401 (registers the protocol)
import rinsing  # noqa: F401 (registers the skill)
from serving import LEVELS, Serve, serve

from coterie import SUITES, WORLDS, Config, EpisodeSpec, Registry, Task
from coterie.worlds.indoor.entry import Indoor
from coterie.worlds.indoor.setting import Noise
from coterie.worlds.indoor.world import IndoorWorld

HERE = Path(__file__).parent


class CafeWorld(IndoorWorld):
    """Rooms as they are, with a sink that has water for a while."""

    def __init__(self, task: Task, config: Config):
        super().__init__(task, config.seed, Noise.read(config.noise), arms=config.arms)
        self.set(("water", "sink"), 2 * len(task.goal.targets))


class Cafe(Indoor):
    name = "cafe"
    about = "a café: rooms with a sink, in which cups are rinsed before they are served"
    place = "café"
    like = ("indoor",)  # whoever decides there can decide here, `rules` too
    protocol = "barista"
    expert = "barista"
    takes = frozenset({"team", "scene", "level", "noise", "cards", "arms"})
    usual = {"team": "Waiter-Waiter", "scene": str(HERE / "cafe.toml"), "level": "quiet"}

    def __init__(self) -> None:
        super().__init__()
        self.tasks = Registry("task")
        self.tasks.put("serve", serve)

    def settle(self, config: Config) -> Config:
        return super().settle(replace(config, cards=config.cards or (str(HERE / "waiter.toml"),)))

    def task(self, config: Config) -> Task:
        task = super().task(config)  # a file says `bring`; here that means to serve
        return task if isinstance(task.goal, Serve) else replace(task, goal=Serve(task.goal.pairs))

    def world(self, task: Task, config: Config) -> CafeWorld:
        return CafeWorld(task, config)

    def levels(self):
        return {name: f"{count} things are ordered" for name, count in LEVELS.items()}

    def changes(self):
        return {}

    def reached(self, goal, world) -> bool:
        """Judged apart from the goal's own code, for `coterie bench --validate`."""
        lies = {thing: place for place, things in world.inside.items() for thing in things}
        rinsed = all(world.truth.get(("rinsed", t)) for t, _ in goal["pairs"] if t.startswith("cup"))
        return rinsed and all(lies[thing] == table for thing, table in goal["pairs"])


WORLDS.put(Cafe.name, Cafe())


@SUITES.add("mine", name="cafe")
def orders(seed: int) -> list[EpisodeSpec]:
    """Ten orders on a quiet and ten on a busy morning."""
    return [
        EpisodeSpec(f"cafe/{level}/{n}", Config(task="serve", level=level, seed=n), {"setting": level})
        for level in LEVELS
        for n in range(seed, seed + 10)
    ]
