"""The indoor world for many episodes at once, in numpy: the same states, outcomes, beliefs and masks as those of
`world.py` and its learning environment, without words, seconds and logs. Property tests hold the two together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.task import Task
from coterie.worlds.indoor.fluents import fluents_of
from coterie.worlds.indoor.skills import FIRST
from coterie.worlds.indoor.twin import tables
from coterie.worlds.indoor.twin.shown import Shown
from coterie.worlds.indoor.twin.tables import Array, Tables
from coterie.worlds.indoor.twin.worlds import COMMUNICATE, COVERS, PICK, PLACE, WAIT, Start, Worlds, check


class Twin:
    """Worlds, and what is shown of them."""

    skills = FIRST

    def __init__(
        self,
        tasks: Sequence[Task],
        layout: Any,
        spans: Mapping[str, tuple[int, int]],
        moves: Sequence[tuple[float, float]],
        n: int,
    ):
        for task in tasks:
            check(task)
        first = tasks[0]
        places = dict.fromkeys(k[1] for k in fluents_of(first.setting).map if k[0] in ("destination", "platform"))
        things = max(len(task.setting.things) for task in tasks) + 1  # the last is none
        self.tables = Tables(first, list(places), moves, things)
        starts = [Start(task, self.tables) for task in tasks]
        self.worlds = Worlds(self.tables, starts, first.goal.kind, n, layout.room["things"])
        self.shown = Shown(self.worlds, layout.size, layout.parts, spans)

    def begin(self, worlds: Array, chosen: Array) -> None:
        """Begin episodes of the chosen tasks in some worlds."""
        self.worlds.begin(worlds, chosen)
        self.shown.begin(worlds)

    def act(self, skill: Array, first: Array, second: Array) -> None:
        """All robots do something, named by the rows that they see; what names an empty row is a wait."""
        w, b = self.worlds, self.worlds.beliefs
        if len(self.tables.pose_number) > tables.MOST_POSES:
            w.forget_poses()
        row = np.arange(w.n * w.robots).reshape(w.n, w.robots)
        taken = skill == PICK
        thing = b.thing_in[row, np.where(taken, first, 0)]
        idle = (taken & (thing == self.tables.none)) | ((skill == PLACE) & (w.held < 0))
        talks = skill == COMMUNICATE
        if talks.any():
            idle |= talks & ~(b.has_news().reshape(row.shape) & (w.robots > 1))
        w.act(np.where(idle, WAIT, skill), np.where(taken, thing, first), second)
        w.observe(np.arange(w.n))

    def look(self, worlds: Array | None = None) -> None:
        """Show what robots of all worlds see, or of some."""
        self.shown.look(None if worlds is None else self.worlds.flat(worlds))


def twin(config: Config) -> type[Twin]:
    """The twin of a configuration; complains about one that it does not cover."""
    odd = [
        f"{name}={value!r}"
        for name, value, usual in (
            ("changes", config.changes, ()),
            ("guard", config.guard, False),
            ("noise", config.noise, "none"),
            ("radio", config.radio, "none"),
            ("arms", config.arms, "geometric"),
            ("parties", config.parties, ()),
            ("load", config.load, ()),
            ("heartbeat", config.heartbeat, ""),
            ("real", config.real, ""),
            ("stranger", config.stranger, ""),
        )
        if value not in (usual, "", "full")
    ]
    if odd:
        raise CoterieError(f"There are no batched worlds with {', '.join(odd)}. {COVERS}")
    return Twin
