"""A belief as numbers: the part of a learning environment that a world fills in.

An observation is a vector: what is known of the robot itself, then tables with a row for everything it has heard of.
Rows keep their place for a whole episode, and an action names a row, so that "take the thing of row 3" and "the thing
of row 3 is near" are about the same thing. Everything is read from the robot's own view; the truth is out of reach.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from coterie.core.facts import Fact
from coterie.core.files import tables
from coterie.core.protocol import Option, RobotView
from coterie.core.task import Task


def read_columns(package: str | None) -> tuple[tuple[str, ...], Mapping[str, tuple[str, ...]]]:
    """The columns that `senses.toml` of a package names: those of `own`, and of each of the `tables`."""
    data = tables(package, "senses.toml")
    return tuple(data["own"]), {table: tuple(columns) for table, columns in data["tables"].items()}


class Senses(ABC):
    """Columns are between -1 and 1; what lies beyond is cut off. A row that nothing stands in is zero throughout."""

    #: What is told of the robot itself, column by column.
    own: tuple[str, ...] = ()
    #: Tables, by name, with their columns.
    tables: Mapping[str, tuple[str, ...]] = {}
    #: Maps, by name: how many rows and columns of numbers.
    maps: Mapping[str, tuple[int, int]] = {}
    #: Parameters of actions: the kind -> the table whose rows it can be.
    kinds: Mapping[str, str] = {}
    #: Parameters that are the same few values everywhere: the kind -> those values.
    values: Mapping[str, Sequence[Any]] = {}
    #: Parameters that are not chosen, since they follow from the others: (skill, parameter).
    follows: frozenset[tuple[str, str]] = frozenset()
    #: Decisions over many actions, by name: the tables that their parameters are rows of.
    options: Mapping[str, tuple[str, ...]] = {}

    @abstractmethod
    def room(self, task: Task) -> Mapping[str, int]:
        """How many rows each table has: the same for all tasks of one configuration, whatever their seed."""

    @abstractmethod
    def names(self, me: RobotView) -> Mapping[str, Sequence[str]]:
        """Return the names in the rows of each table. New names go into the next free rows; a name keeps its row."""

    @abstractmethod
    def about_me(self, me: RobotView) -> Sequence[float]:
        """The columns of `own`."""

    @abstractmethod
    def about(self, me: RobotView, table: str, names: Sequence[str]) -> Sequence[Sequence[float]]:
        """The columns of some rows of a table."""

    def map_of(self, me: RobotView, name: str) -> Any:
        """The numbers of one of `maps`, (rows, columns)."""
        raise NotImplementedError

    # -- actions --------------------------------------------------------------------------------------------------
    def following(self, me: RobotView, skill: str, param: str, args: Sequence[Any]) -> Any:
        """Return the value of a parameter in `follows`, given those before it; None where it is unknown."""
        return None

    def sensible(self, me: RobotView, skill: str, args: Sequence[Any]) -> bool:
        """Whether an action that is not known to be impossible has any use at all."""
        return True

    def beside_options(self, skill: str) -> bool:
        """Whether a skill is offered beside `options`, since none of them has a use for it."""
        return True

    def option(self, me: RobotView, name: str, args: Sequence[str]) -> Option | None:
        """One of `options`; None where the robot knows that it cannot do it."""
        return None

    # -- talk -----------------------------------------------------------------------------------------------------
    def cursor(self, me: RobotView) -> Any:
        """How much a robot knows by now; for `news`, and to see whether anything is new."""
        return me.belief.cursor

    def news(self, me: RobotView, since: Any) -> tuple[str, Sequence[Fact]]:
        """The robot's own sights since `cursor` was this, or in all its life (None): words and facts for its
        teammates. Nothing where there is none, or where robots of this world do not talk."""
        return "", ()
