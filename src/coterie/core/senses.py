"""What a robot believes, as numbers: the part of a learning environment that a world has to fill in.

An observation is a vector: what is known of the robot itself, then tables with a row for everything it has heard of.
Rows keep their place for a whole episode, and an action names a row, so that "take the thing of row 3" and "the thing
of row 3 is near" are about the same thing. Everything is read from the robot's own view; the truth is out of reach.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from coterie.core.facts import Fact
from coterie.core.protocol import RobotView
from coterie.core.task import Task


class Senses(ABC):
    """Columns are between -1 and 1; what lies beyond is cut off. A row that nothing stands in is zero throughout."""

    #: What is told of the robot itself, column by column.
    own: tuple[str, ...] = ()
    #: Tables, by name, with their columns.
    tables: Mapping[str, tuple[str, ...]] = {}
    #: Parameters of actions: the kind -> the table whose rows it can be.
    kinds: Mapping[str, str] = {}
    #: Parameters that are the same few values everywhere: the kind -> those values.
    values: Mapping[str, Sequence[Any]] = {}

    @abstractmethod
    def room(self, task: Task) -> Mapping[str, int]:
        """How many rows each table has: the same for all tasks of one configuration, whatever their seed."""

    @abstractmethod
    def names(self, me: RobotView) -> Mapping[str, Sequence[str]]:
        """What stands in the rows of each table. New names go into the next free rows; nobody loses a row again."""

    @abstractmethod
    def about_me(self, me: RobotView) -> Sequence[float]:
        """The columns of `own`."""

    @abstractmethod
    def about(self, me: RobotView, table: str, names: Sequence[str]) -> Sequence[Sequence[float]]:
        """The columns of some rows of a table."""

    def news(self, me: RobotView, since: int) -> tuple[str, Sequence[Fact]]:
        """What the robot has seen itself since its belief was this long: words and facts to tell all teammates with one
        action. Nothing where there is none, or where robots of this world do not talk."""
        return "", ()
