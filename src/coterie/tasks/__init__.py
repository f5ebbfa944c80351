"""Tasks by name: indoor ones with goals, difficulty, drawing and change, and those on the table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from coterie.core.errors import CoterieError
from coterie.core.registry import Registry
from coterie.core.task import Task
from coterie.robots import add_card, robots
from coterie.tasks.changes import Dynamic, parse_change
from coterie.tasks.draw import draw_task
from coterie.tasks.files import load_task
from coterie.tasks.tabletop import ABOUT as _TABLE
from coterie.tasks.tabletop import tabletop_task
from coterie.worlds.indoor.scenes import scene

if TYPE_CHECKING:
    from coterie.episodes import Config

TaskFactory = Callable[["Config"], Task]
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
    tasks.put(_name, _drawn(_name, _about), "indoor", _tag)
for _name in _TABLE:
    tasks.put(_name, tabletop_task(_name), "tabletop")


def make_task(config: Config) -> Task:
    """The task a configuration names: a registered one, or a file that a person wrote."""
    for path in config.cards:
        _register_card(Path(path))
    if config.task.endswith(".toml"):
        return load_task(Path(config.task), config)
    return tasks.get(config.task)(config)


_loaded: set[Path] = set()


def _register_card(path: Path) -> None:
    if path.resolve() not in _loaded:
        card = add_card(path)
        _loaded.add(path.resolve())
        assert card.body in robots
