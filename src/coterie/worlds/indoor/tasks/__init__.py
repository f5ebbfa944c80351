"""The tasks of the indoor world by name, with goals, difficulty, drawing and change.

Whatever lies in this folder is imported when the world is, and may put tasks into `tasks`.
"""

from __future__ import annotations

from coterie.core.config import Config
from coterie.core.entry import TaskFactory
from coterie.core.errors import CoterieError
from coterie.core.registry import Registry
from coterie.core.task import Task
from coterie.houses.names import scene
from coterie.worlds.indoor.tasks.changes import Dynamic, Several, parse_change
from coterie.worlds.indoor.tasks.draw import draw_task

tasks: Registry[TaskFactory] = Registry("task")


def _drawn(kind: str, about: str) -> TaskFactory:
    def factory(config: Config) -> Task:
        found = [Dynamic(*parse_change(text)) for text in config.changes]
        if sum(d.before_feasible for d in found) and len(found) > 1:
            raise CoterieError("Where a robot joins that is needed (anc), nothing else changes; give one --change.")
        accept = Several(found) if len(found) > 1 else next(iter(found), None)
        return draw_task(kind, config.level, config.team, scene(config.scene), config.seed, accept=accept)

    factory.__doc__ = about
    return factory


for _name, _tag, _about in (
    ("pack-objects", "pack", "put the listed objects, and nothing else, into the tray"),
    ("sort-solids", "sort", "put each solid onto the panel of its colour"),
    ("make-sandwich", "stack", "stack the ingredients of the menu in order"),
):
    tasks.put(_name, _drawn(_name, _about), _tag)
