"""The tasks of the indoor world by name, with goals, difficulty, drawing and change.

Whatever lies in this folder is imported when the world is, and may put tasks into `tasks`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from coterie.core.config import Config
from coterie.core.entry import TaskFactory
from coterie.core.errors import CoterieError
from coterie.core.registry import Registry
from coterie.core.task import Task
from coterie.houses.names import scene
from coterie.worlds.indoor.tasks.bring import NAME, draw_bring
from coterie.worlds.indoor.tasks.changes import Dynamic, Several, parse_change
from coterie.worlds.indoor.tasks.draw import can_do, draw_task, with_team

tasks: Registry[TaskFactory] = Registry("task")


def _drawn(draw: Callable[..., Task], about: str) -> TaskFactory:
    def factory(config: Config) -> Task:
        found = [Dynamic(*parse_change(text)) for text in config.changes]
        if sum(d.before_feasible for d in found) and len(found) > 1:
            raise CoterieError("Where a robot joins that is needed (anc), nothing else changes; give one --change.")
        accept: Any = Several(found) if len(found) > 1 else next(iter(found), None)
        drawn_for, *others = config.teams.split(",") if config.teams else [config.team]
        if others and found:
            raise CoterieError("A task that several teams share has no change: leave out --change or --same-tasks.")
        if others:
            accept = lambda task, _: task if all(can_do(with_team(task, team)) for team in others) else None  # noqa: E731
        task = draw(config.level, drawn_for, scene(config.scene), config.seed, accept=accept)
        return task if drawn_for == config.team else with_team(task, config.team)

    factory.__doc__ = about
    return factory


for _name, _tag, _about in (
    ("pack-objects", "pack", "put the listed objects, and nothing else, into the tray"),
    ("sort-solids", "sort", "put each solid onto the panel of its colour"),
    ("make-sandwich", "stack", "stack the ingredients of the menu in order"),
):
    tasks.put(_name, _drawn(partial(draw_task, _name), _about), _tag)
tasks.put(NAME, _drawn(draw_bring, "bring each thing to its home: a place, a room, a person or a caddy"), "bring")
