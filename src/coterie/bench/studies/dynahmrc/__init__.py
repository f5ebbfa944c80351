"""The study of the DynaHMRC paper: teams of unlike robots in rooms, and what becomes of them when the task changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from coterie.bench.drawing import bars
from coterie.bench.methods import Method
from coterie.bench.results import Bench, Row
from coterie.bench.sections import breakdown
from coterie.bench.spec import EpisodeSpec
from coterie.bench.statistics import FEWEST
from coterie.bench.studies.dynahmrc import lessons as lessons
from coterie.bench.studies.dynahmrc import paper, plots, sections, suites
from coterie.bench.studies.dynahmrc.columns import columns
from coterie.bench.studies.dynahmrc.coordination import coordination, elections
from coterie.bench.studies.dynahmrc.paper import against, matched
from coterie.bench.studies.dynahmrc.sections import DYNAMIC
from coterie.bench.studies.dynahmrc.suites import TASKS, arrow
from coterie.bench.study import Section, Study, studies
from coterie.bench.summary import label, scored, select
from coterie.core.event import Event
from coterie.worlds.indoor.bodies import TEAMS
from coterie.worlds.indoor.tasks.changes import TRANSITIONS
from coterie.worlds.indoor.tasks.difficulty import LEVELS

_ARROWS = tuple(arrow(a, b) for a, b in TRANSITIONS) + tuple(arrow(b, a) for a, b in TRANSITIONS)


_HARD = tuple(f"{1 + sum(bodies.values())} robots" for _, bodies in suites.SIZES)


def _mine(bench: Bench) -> Sequence[Row]:
    return scored(DYNAHMRC.rows(bench))


def _static(bench: Bench) -> Sequence[Row]:
    return [r for r in _mine(bench) if label(r, "setting") in ("static", "static-search")]


def _packs(bench: Bench) -> Sequence[Row]:
    return [r for r in _static(bench) if label(r, "task") == "pack-objects"]


class DynaHmrcStudy(Study, table="study.toml"):
    name = "dynahmrc"
    about = "teams of unlike robots in rooms; goals, zones and teams change"
    settings = {**suites.HARD_SETTINGS, **suites.INJECTION_SETTINGS}
    orders = {
        "task": TASKS,
        "level": LEVELS,
        "team": TEAMS,
        "transition": _ARROWS,
        "group": ("2 types", "3 types", "4 types", *_ARROWS, *_HARD),
    }
    together = {"all changes": DYNAMIC, "all hard": tuple(suites.HARD_SETTINGS)}
    ticks = {**{name: name.upper() for name in DYNAMIC}}
    plots = {
        "difficulty": lambda b: bars(_static(b), b.names, "level"),
        "team_size": lambda b: bars(select(_mine(b), setting="static"), b.names, "group"),
        "settings": lambda b: bars(plots.at_medium(_mine(b)), b.names, "setting"),
        "targets": lambda b: plots.scatter(matched(_mine(b)), b.names),
        "pack_boxes": lambda b: plots.boxes(_packs(b), b.names),
        "elections": lambda b: plots.elections(_mine(b), b.names),
        "leaders": lambda b: plots.leaders(_mine(b), b.names),
    }

    def columns(self, events: Sequence[Event]) -> dict[str, Any]:
        return columns(events)

    def sections(self, bench: Bench) -> Iterable[Section]:
        every, names = self.rows(bench), bench.names
        rows = scored(every)
        moved = [r for r in rows if label(r, "transition")]
        last = "Replies and loops"
        return (
            Section("Beside the paper", sections.beside(rows, names), "Settings"),
            Section("Against the bound", against(rows, names), "Settings"),
            Section("Transitions", breakdown(moved, names, "transition"), "Teams"),
            Section("Time and size of the change", sections.sweeps(rows, names), "Teams"),
            Section("Coordination", coordination(rows, names), "Paired comparison"),
            Section("Failure modes", sections.failures(rows, names), "Paired comparison"),
            Section("Elections", elections(rows, names), last),
            Section("Changes", sections.changes(rows, names), last),
            Section("Task generator", sections.generator(every), last),
            Section("Difficulty weights", sections.weights(rows, names), last),
            Section("Cells", sections.cells(rows, names), last),
        )

    def plot_notes(self, bench: Bench) -> Iterable[str]:
        fewest = plots.fewest(_packs(bench), bench.names)
        if 0 < fewest < FEWEST:
            yield f"No box plot of Pack Objects: a box needs {FEWEST} episodes, and there are {fewest} at some level."

    def stand_in(self, method: Method) -> Method:
        """A search asks its model as often with its smallest budget, and is done sooner."""
        from coterie.protocols.mcts import BUDGETS

        if method.protocol in ("llm-mcts", *(f"llm-mcts:{n}" for n in BUDGETS)):
            return replace(method, protocol=f"llm-mcts:{min(BUDGETS)}")
        return method

    def reported(self, specs: Sequence[EpisodeSpec], method: Method) -> tuple[float, float, str] | None:
        """Tab. 26: calls per episode and tokens per call."""
        family = method.protocol.partition(":")[0]
        calls = tokens = 0.0
        for spec in specs:
            setting = spec.labels.get("setting", "static")
            setting = setting if setting in paper.STAGE_COSTS else "static"
            if family == "dynahmrc":
                stages = list(paper.STAGE_COSTS[setting].values())
            elif family == "coherent":
                stages = [paper.CENTRAL_COSTS[setting]]
            else:
                return None
            calls += sum(c for c, _ in stages)
            tokens += sum(c * t for c, t in stages)
        return calls, tokens, "Tab. 26"


DYNAHMRC = studies.put(DynaHmrcStudy.name, DynaHmrcStudy())
