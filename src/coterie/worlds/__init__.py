"""Worlds by name, one folder each, and the tasks in them.

The `entry.py` of every folder here puts a `WorldEntry` into `worlds`; a world of a user's own does the same from a file
that `--load` names. That of rooms is there at once, and the others are imported when one of them is asked for, or
for all: most runs need none.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from coterie.core.config import Config
from coterie.core.entry import WorldEntry, worlds
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.reader import Reader, load_toml
from coterie.core.registry import import_all
from coterie.core.task import Task, goals
from coterie.worlds.indoor.entry import INDOOR


def entry_of(task: str) -> WorldEntry:
    """The world that a task is played in: a registered one, or a file, which may say `world = "..."`."""
    if task.endswith(".toml"):
        r = Reader(load_toml(Path(task), "task"), task)
        return worlds.get(r.text("world", INDOOR.name, choices=tuple(worlds)))
    for some in (worlds.here, worlds.items):
        for _, entry in some():
            if task in entry.tasks:
                return entry
    raise unknown_name("task", task, task_names())


def task_names() -> list[str]:
    return [name for _, entry in worlds.items() for name in entry.tasks]


def pictures_of(start: Mapping[str, Any]) -> Any:
    """The module that draws a log with this first line."""
    name = start.get("world", "")
    if name not in worlds:
        raise CoterieError(f"The log comes from the world '{name}', which is not here; name its file with --load.")
    pictures = worlds.get(name).pictures()
    if pictures is None:
        raise CoterieError(f"The world '{name}' cannot be drawn; replay it in words.")
    return pictures


def make_task(config: Config) -> Task:
    """The task of a settled configuration."""
    return entry_of(config.task).task(config)


def _every() -> None:
    worlds.names()


worlds.later(lambda: import_all(__name__, __path__, part="entry"))
goals.later(_every)  # kinds of goals stand in the folders of their worlds

__all__ = ["WorldEntry", "entry_of", "make_task", "pictures_of", "task_names", "worlds"]
