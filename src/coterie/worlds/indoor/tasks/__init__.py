"""The tasks of the indoor world by name, with goals, difficulty, drawing and change.

Whatever lies in this folder is imported when the world is, and may put tasks into `tasks`.
"""

from __future__ import annotations

from coterie.core.config import Config
from coterie.core.entry import TaskFactory
from coterie.core.errors import CoterieError
from coterie.core.registry import Registry
from coterie.core.task import Task
from coterie.worlds.indoor.scenes import scene
from coterie.worlds.indoor.tasks.changes import Dynamic, parse_change
from coterie.worlds.indoor.tasks.draw import draw_task

tasks: Registry[TaskFactory] = Registry("task")


def _drawn(kind: str, about: str) -> TaskFactory:
    def factory(config: Config) -> Task:
        accept = None
        for text in config.changes:
            if accept is not None:
                raise CoterieError("Give one --change; a task drawn from a seed takes one.")
            accept = Dynamic(*parse_change(text))
        return draw_task(kind, config.level, config.team, scene(config.scene), config.seed, accept=accept)

    factory.__doc__ = about
    return factory


for _name, _tag, _about in (
    ("pack-objects", "pack", "put the listed objects, and nothing else, into the tray"),
    ("sort-solids", "sort", "put each solid onto the panel of its colour"),
    ("make-sandwich", "stack", "stack the ingredients of the menu in order"),
):
    tasks.put(_name, _drawn(_name, _about), _tag)
