"""The study of the paper on strangers (IRoT): what a robot that joins a team on the way is worth to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from coterie.bench.results import Bench
from coterie.bench.studies.irot import figures, overall, tables, typed
from coterie.bench.studies.irot.columns import columns
from coterie.bench.studies.irot.numbers import efficiency, joined, pairs
from coterie.bench.studies.irot.suites import SETTING
from coterie.bench.study import Column, Section, Study, studies
from coterie.bench.table import NONE
from coterie.core.event import Event


class IrotStudy(Study, table="study.toml"):
    name = "irot"
    about = "teams in houses that a stranger joins on the way"
    settings = {SETTING: "Strangers"}
    shown = (Column("se", "%SE", lambda part: NONE if part is None else f"{part:.1f}"),)
    plots = {
        "strangers": lambda b: figures.joining(_mine(b), b.names),
        "where-strangers-help": lambda b: figures.parts(_mine(b), b.names),
    }

    def owns(self, row: Any) -> bool:
        return row["labels"].get("setting") in self.settings

    def columns(self, events: Sequence[Event]) -> dict[str, Any]:
        return columns(events)

    def sections(self, bench: Bench) -> Iterable[Section]:
        rows, names = _mine(bench), bench.names
        if not rows:
            return ()
        return (
            Section("Strangers", tables.by_team(rows, names), "Tasks"),
            Section("What parts of IRoT are worth", tables.ablations(rows, names), "Strangers"),
            Section("The same", tables.same(rows, names), "Strangers"),
            Section("Over all teams and steps", overall.table(rows, names), "Strangers"),
            Section("IRoT against other strangers", tables.against(rows, names), "Strangers"),
            Section("Where strangers help", tables.where(rows, names), "Strangers"),
            Section("What went wrong", tables.failures(rows, names), "Strangers"),
            Section("What is misplaced", tables.judging(rows, names), "Strangers"),
            Section("Which type a team is taken for", typed.table(rows, names), "Strangers"),
        )

    def overview(self, bench: Bench) -> Mapping[str, Mapping[str, Any]]:
        found = {}
        for method in bench.names:
            j = joined(method)
            both = pairs(_mine(bench), method, j.alone) if j is not None else []
            if both:
                found[method] = {"se": round(sum(efficiency(a, b) for a, b in both) / len(both), 4)}
        return found


def _mine(bench: Bench) -> Sequence[Any]:
    return IROT.rows(bench)


IROT = studies.put(IrotStudy.name, IrotStudy())
