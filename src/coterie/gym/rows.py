"""The vector that one robot's learner sees: itself, then a table for each group of names it has heard of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.core.errors import CoterieError
from coterie.core.protocol import RobotView
from coterie.core.senses import Senses

THERE = "there"  # the first column of every table: something stands in this row
OWN = "self"


class Part(NamedTuple):
    """Where a part of the vector lies, and what its columns mean; `rows` is 0 for what is no table. A map has as many
    columns without names."""

    start: int
    rows: int
    columns: tuple[str, ...]

    @property
    def end(self) -> int:
        return self.start + max(1, self.rows) * len(self.columns)

    def of(self, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """This part as an array of its own shape, (columns) or (rows, columns)."""
        part = vector[self.start : self.end]
        return part.reshape(self.rows, len(self.columns)) if self.rows else part


class Layout:
    """The layout of the observation vector: the same for all robots of an environment."""

    def __init__(self, senses: Senses, room: Mapping[str, int]):
        self.senses, self.room = senses, dict(room)
        self.parts = {OWN: Part(0, 0, tuple(senses.own))}
        end = self.parts[OWN].end
        for table, columns in senses.tables.items():
            if self.room[table] > 0:
                self.parts[table] = Part(end, self.room[table], (THERE, *columns))
                end = self.parts[table].end
        for name, (high, wide) in senses.maps.items():
            self.parts[name] = Part(end, high, ("",) * wide)
            end = self.parts[name].end
        self.size = end


class Rows:
    """The names that one robot has heard of, each in a row that it keeps."""

    def __init__(self, layout: Layout):
        self.layout = layout
        self.names: dict[str, list[str]] = {table: [] for table in layout.senses.tables}
        self._known: dict[str, set[str]] = {table: set() for table in self.names}

    def look(self, me: RobotView) -> NDArray[np.float32]:
        """The robot's belief as a vector of this moment."""
        layout = self.layout
        for table, names in layout.senses.names(me).items():
            self._enter(table, names)
        vector = np.zeros(layout.size, np.float32)
        layout.parts[OWN].of(vector)[:] = layout.senses.about_me(me)
        for table, part in layout.parts.items():
            if table in layout.senses.maps:
                part.of(vector)[:] = layout.senses.map_of(me, table)
                continue
            mine = self.names.get(table)
            if mine:
                rows = part.of(vector)[: len(mine)]
                rows[:, 0], rows[:, 1:] = 1.0, layout.senses.about(me, table, mine)
        return np.clip(vector, -1.0, 1.0, out=vector)

    def _enter(self, table: str, names: Sequence[str]) -> None:
        mine, known, most = self.names[table], self._known[table], self.layout.room[table]
        for name in names:
            if name in known:
                continue
            if len(mine) >= most:
                raise CoterieError(
                    f"There is no row left for '{name}': the table '{table}' has {most}. Make the environment with "
                    f"room={{'{table}': {2 * most + 8}}} or more."
                )
            mine.append(name)
            known.add(name)

    def name(self, table: str, row: int) -> str | None:
        """Return the name in a row."""
        names = self.names[table]
        return names[row] if row < len(names) else None
