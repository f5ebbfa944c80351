"""The study of the MeCo paper, and of RoCoBench: arms around a table, with and without a memo of solved tasks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from coterie.bench.results import Bench
from coterie.bench.studies.dynahmrc import DynaHmrcStudy
from coterie.bench.studies.dynahmrc.columns import columns
from coterie.bench.studies.meco import numbers, plots
from coterie.bench.studies.meco import suites as _suites  # noqa: F401 (they register themselves)
from coterie.bench.studies.meco.numbers import clock, on_table
from coterie.bench.studies.meco.report import planning_and_memo
from coterie.bench.study import Column, Section, Study, studies
from coterie.bench.summary import scored
from coterie.bench.table import NONE, number
from coterie.core.event import Event


class MecoStudy(Study, table="study.toml"):
    name = "meco"
    about = "arms around one table, which may remember tasks they have solved"
    plots = {
        "jobs": lambda b: plots.jobs(on_table(scored(b.rows)), clock(b.walls), b.names),
        "cache": lambda b: plots.cache(on_table(scored(b.rows)), clock(b.walls), b.names),
    }
    told = {**DynaHmrcStudy.told, "cc": ("number", "0: arms say nothing that costs a step")}
    shown = (
        Column("planning_s", "planning s", lambda seconds: number(seconds, 2)),
        Column("memo_hits", "memo hits", lambda part: NONE if part is None else f"{100 * part:.0f}%"),
    )

    def columns(self, events: Sequence[Event]) -> dict[str, Any]:
        """The same as in rooms; arms say nothing that costs a step."""
        return {"cc": 0.0, **columns(events)}

    def sections(self, bench: Bench) -> Iterable[Section]:
        return (Section("Planning and memo", planning_and_memo(bench.rows, bench.walls, bench.names), "Tasks"),)

    def overview(self, bench: Bench) -> Mapping[str, Mapping[str, Any]]:
        return numbers.overview(bench.rows, bench.walls, bench.names)


MECO = studies.put(MecoStudy.name, MecoStudy())
