"""The additions of a study to the bench: its suites, the names and orders of its labels, columns, sections, plots.

The bench plays, keeps and compares episodes of any world. What only one paper or one world needs belongs in a study.
Built-in studies register themselves the way a file of a user's own does that `--load` names.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from coterie.bench.methods import Method
from coterie.bench.results import Bench, Row
from coterie.bench.spec import EpisodeSpec
from coterie.core.event import Event
from coterie.core.files import tables
from coterie.core.registry import Registry

Plot = Callable[[Bench], Any]  # a figure of matplotlib, or None where the rows do not allow it


class Section(NamedTuple):
    """A part of table.md. It stands behind the section that `after` names; without lines it is left out."""

    title: str
    lines: Iterable[str]
    after: str


class Column(NamedTuple):
    """A number that `coterie bench` shows for each method besides the usual ones."""

    key: str  # in `overview`
    head: str
    write: Callable[[Any], str]


class Study:
    """Subclass it, give it a name, and put one into `studies`. Everything else has a default that adds nothing."""

    name = ""
    about = ""  # one line for people
    settings: Mapping[str, str] = {}  # the label `setting` of its episodes -> as tables write it, in their order
    worlds: frozenset[str] = frozenset()  # whose episodes it adds columns to
    orders: Mapping[str, Sequence[str]] = {}  # label -> its values in the order of tables
    silent: frozenset[str] = frozenset()  # labels that say nothing of its own episodes: no tables by them
    together: Mapping[str, Sequence[str]] = {}  # settings that are also compared as one, under a name
    stages: Sequence[str] = ()  # stages of model calls, in the order of tables
    stage_legend = ""  # what they are, in words
    ticks: Mapping[str, str] = {}  # value of a label -> as it stands below an axis, in lines
    plots: Mapping[str, Plot] = {}  # name of the file -> how it is drawn
    told: Mapping[str, tuple[str, str]] = {}  # its columns -> their type and what they say (`coterie.bench.schema`)
    shown: Sequence[Column] = ()  # beside the usual columns of `coterie bench`, where `overview` has them
    instead_of: frozenset[str] = frozenset()  # usual columns that leave their room to these

    def __init_subclass__(cls, table: str = "") -> None:
        """With `table`, what a study declares is read from this TOML file beside it; mappings add to those in code."""
        told = tables(sys.modules[cls.__module__].__package__, table) if table else {}
        for name, value in told.items():
            own = getattr(cls, name)
            setattr(cls, name, {**value, **own} if isinstance(own, Mapping) else type(own)(value))

    # -- of one episode -------------------------------------------------------------------------------------------
    def columns(self, events: Sequence[Event]) -> dict[str, Any]:
        """Further columns of a row, from the log alone."""
        return {}

    # -- of a bench -----------------------------------------------------------------------------------------------
    def owns(self, row: Row) -> bool:
        """Is this an episode of this study: of one of its settings, or of one of its worlds without a suite?"""
        labels = row["labels"]
        return labels.get("setting") in self.settings or labels.get("world") in self.worlds

    def rows(self, bench: Bench) -> Sequence[Row]:
        """Its own episodes, those that could not be played included."""
        return [row for row in bench.rows if self.owns(row)]

    def sections(self, bench: Bench) -> Iterable[Section]:
        return ()

    def plot_notes(self, bench: Bench) -> Iterable[str]:
        """Sentences about plots that the rows do not allow."""
        return ()

    def overview(self, bench: Bench) -> Mapping[str, Mapping[str, Any]]:
        """Method -> what `coterie bench --json` says of it besides the usual numbers."""
        return {}

    # -- before it is played --------------------------------------------------------------------------------------
    def stand_in(self, method: Method) -> Method:
        """A method that asks its model as this one does, and is done sooner, to estimate what this one will cost."""
        return method

    def reported(self, specs: Sequence[EpisodeSpec], method: Method) -> tuple[float, float, str] | None:
        """Calls and tokens that a paper reports for such episodes, and where."""
        return None


studies: Registry[Study] = Registry("study")


def every() -> list[Study]:
    return [study for _, study in studies.items()]


def columns(events: Sequence[Event]) -> dict[str, Any]:
    """The columns that studies of the log's world add to a row."""
    world = events[0].data.get("world", "")
    found: dict[str, Any] = {}
    for study in every():
        if world in study.worlds:
            found |= study.columns(events)
    return found


def setting_name(setting: object) -> str:
    """As tables write it."""
    return next((s.settings[str(setting)] for s in every() if setting in s.settings), str(setting))


def order_of(label: str) -> list[str]:
    """The values of a label in the order of tables, study after study."""
    if label == "setting":
        return [name for study in every() for name in study.settings]
    return list(dict.fromkeys(value for study in every() for value in study.orders.get(label, ())))


def telling(rows: Sequence[Row], label: str) -> Sequence[Row]:
    """Rows of which this label says something."""
    others = [study for study in every() if label in study.silent]
    return [r for r in rows if not any(study.owns(r) for study in others)] if others else rows


def stage_order(stages: Iterable[str]) -> list[str]:
    """Known stages as studies order them, then any others by name."""
    found = set(stages)
    known = [name for study in every() for name in study.stages if name in found]
    return [*known, *sorted(found.difference(known))]


def stage_legends(stages: Iterable[str]) -> list[str]:
    """The legends of studies for these stages."""
    found = set(stages)
    return [s.stage_legend for s in every() if s.stage_legend and found.intersection(s.stages)]


def tick_name(value: str) -> str:
    """A value of a label as it stands below an axis, where a study has a name for that."""
    return next((s.ticks[value] for s in every() if value in s.ticks), value)
