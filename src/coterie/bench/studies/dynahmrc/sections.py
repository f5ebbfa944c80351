"""Sections of the report that hold a bench against the DynaHMRC paper, table by table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from coterie.bench.results import Row
from coterie.bench.sections import by_setting, played, scores, thin
from coterie.bench.studies.dynahmrc import paper
from coterie.bench.studies.dynahmrc.failures import LINES, MODES
from coterie.bench.studies.dynahmrc.paper import matched, sensitivity
from coterie.bench.studies.dynahmrc.suites import CHANGE_STEP, TASKS
from coterie.bench.study import setting_name
from coterie.bench.summary import by_method, distinct, estimate, label, metrics_of, scored, select
from coterie.bench.table import NONE, markdown, number, paragraph, share, told, with_interval

DYNAMIC = ("cto", "irz", "anc", "rec")
PAPER = 15  # episodes of a setting, to be held against the paper's
MATCHED = 20  # episodes for correlations with the difficulty


def standard(rows: Iterable[Row]) -> Sequence[Row]:
    """Without the sweeps: changes at the usual step, and as many zones as the seed says."""
    return [
        r
        for r in rows
        if label(r, "change_step") in (None, CHANGE_STEP)
        and not (label(r, "change") == "irz" and label(r, "change_detail"))
    ]


def bit(row: Row) -> bool:
    """True if the changes of an episode mattered to the method that played it: it met a zone that was closed, or the
    best plan of the moment at which something changed did not hold any more."""
    if label(row, "change") == "irz":
        return bool(row.get("zones_met", 1))
    return not row["changes"] or row["change_bites"] > 0


def where_it_bit(rows: Sequence[Row]) -> str:
    """Success in the episodes whose change bit; a cell without any says so."""
    some = [r for r in rows if bit(r)]
    if not some:
        return f"no bite (0 of {len(rows)})" if rows else NONE
    of = f", {len(some)} of {len(rows)}" if len(some) < len(rows) else ""
    return with_interval(estimate(some, "succ")) + of


def cells(rows: Sequence[Row], methods: Sequence[str]) -> list[str]:
    """Task, level and team size of the static episodes, as in Tab. 3; task and group of the others (Tab. 5-8)."""
    cells = {tuple(label(r, k) for k in ("setting", "group", "level", "task")) for r in rows}
    if not cells or thin(rows, methods, len(cells)):
        return []
    table, heads = [], metrics_of(rows)
    for setting in distinct(rows, "setting"):
        here = select(rows, setting=setting)
        for group, level, task in product(*(distinct(here, k) for k in ("group", "level", "task"))):
            for method, mine in by_method(select(here, group=group, level=level, task=task), methods):
                table.append([setting, str(group), level, task, method, *scores(mine, heads)])
    return markdown(["setting", "group", "level", "task", "method", "n", *heads.values()], table, left=5)


def beside(rows: Sequence[Row], methods: Sequence[str]) -> Iterator[str]:
    """Average success beside Tab. 11, for settings of which all three tasks were played."""
    rows = standard(rows)
    settings = []
    for s in ("static", *DYNAMIC):
        here = select(rows, setting=s)
        if len(distinct(here, "task")) == len(TASKS) and played(here, methods) >= PAPER:
            settings.append(s)
    real = select(rows, setting="real")
    if not settings and not real:
        return
    models = (paper.GPT4O, paper.QWEN)
    table = []
    for s in settings:
        ours = [where_it_bit(select(rows, setting=s, method=m)) for m in methods]
        table.append([setting_name(s), *ours, *(number(paper.SETTINGS[k][s].succ, 4) for k in models)])
    if real:
        ours = [with_interval(estimate(select(real, method=m), "succ")) for m in methods]
        table.append([setting_name("real"), *ours, *(number(paper.REAL[k], 4) for k in models)])
    yield paragraph("beside")
    if any(s in DYNAMIC for s in settings):
        yield paragraph("bites")
    if "static" in settings:
        yield paragraph("static")
    yield ""
    yield from markdown(["setting", *methods, *models], table)


def sweeps(rows: Sequence[Row], methods: Sequence[str]) -> list[str]:
    """Success by the step of the change and by the number of zones, beside Tab. 21-23."""
    table = []
    for setting in DYNAMIC:
        here = [r for r in select(rows, setting=setting) if label(r, "task") == "pack-objects"]
        name = "change_detail" if setting == "irz" else "change_step"
        values = sorted({int(label(r, name) or 0) for r in here})
        if len(values) < 2:
            continue
        for v in values:
            what = f"{setting_name(setting)}, {v} zone(s)" if setting == "irz" else f"{setting_name(setting)} at {v}"
            if setting == "irz" and v == 0:
                what = "IRZ, 1-3 zones"
            cells = [
                where_it_bit([r for r in select(here, method=m) if int(label(r, name) or 0) == v]) for m in methods
            ]
            theirs = (paper.SWEEPS[k][setting].get(v) for k in (paper.GPT4O, paper.QWEN))
            table.append([what, *cells, *(number(x, 4) for x in theirs)])
    words = f"SUCC on Pack Objects; the last two columns are the paper's (Tab. 21-23). {paragraph('bites')}"
    return told(words, ["change", *methods, paper.GPT4O, paper.QWEN], table)


def failures(rows: Sequence[Row], methods: Sequence[str]) -> Iterator[str]:
    """The eight modes of Sec. 4.5.5: in how many episodes, how often, and in how many of the lost ones."""
    if not rows:
        return
    yield paragraph("failures")
    yield ""
    yield from (f"- {mode}: {line}." for mode, line in LINES.items())
    yield ""
    shown = [mode for mode in MODES if any(r["failures"][mode] for r in rows)]
    if len(shown) < len(MODES):
        yield f"Seen in no episode: {', '.join(mode for mode in MODES if mode not in shown)}."
        yield ""
    table = [[mode, method, *_signs(select(rows, method=method), mode)] for mode in shown for method in methods]
    yield from markdown(["mode", "method", "episodes", "per episode", "lost episodes"], table, left=2)


def _signs(rows: Sequence[Row], mode: str) -> list[str]:
    lost = [r for r in rows if not r["success"]]
    shown, among = (sum(bool(r["failures"][mode]) for r in some) for some in (rows, lost))
    often = number(sum(r["failures"][mode] for r in rows) / len(rows), 2) if rows else NONE
    return [share(shown, len(rows)), often, share(among, len(lost))]


def changes(rows: Sequence[Row], methods: Sequence[str]) -> list[str]:
    """Did the changes happen, and did they matter?"""
    table = []
    for setting, here in by_setting(rows):
        for method, mine in by_method(here, methods):
            due, fired, bites = (sum(r[k] for r in mine) for k in ("changes", "change_fired", "change_bites"))
            if due:
                met = share(sum(map(bit, mine)), len(mine))
                table.append([setting, method, share(fired, due), share(bites, fired), met])
    heads = ["setting", "method", "fired", "of these it bit", "bit for the method"]
    return told(paragraph("changes"), heads, table, left=2)


def generator(rows: Sequence[Row]) -> Iterator[str]:
    """Draws that the generator turned down; the same for every method, so one is asked."""
    first: dict[str, Row] = {}
    for row in rows:
        first.setdefault(row["key"], row)
    if not first:
        return
    table = []
    for setting, here in by_setting(list(first.values())):
        drawn = scored(here)
        rejected = sum(r["about"]["rejected"] or 0 for r in drawn)
        table.append([
            setting, str(len(drawn)), str(rejected),
            number(rejected / (rejected + len(drawn)) if drawn else None), str(len(here) - len(drawn)),
        ])  # fmt: skip
    yield from markdown(["setting", "tasks", "rejected draws", "rejection rate", "could not be drawn"], table)
    errors = Counter(r["error"] for r in first.values() if "error" in r)
    for text, n in sorted(errors.items()):
        yield f"- {n} ×: {text}"
    if errors:
        yield ""


def weights(rows: Sequence[Row], methods: Sequence[str]) -> list[str]:
    """Tab. 13, one block per method, beside the paper's columns."""
    table = []
    for method, mine in by_method(rows, methods):
        for line in sensitivity(mine) if len(matched(mine)) >= MATCHED else ():
            ours = (line.rho_ps, line.rho_ts, line.rho_hard, line.pairwise)
            pairs = [f"{number(a)} ({number(b)})" for a, b in zip(ours, paper.SENSITIVITY[line.weights])]
            weights = "/".join(f"{w:.1f}" for w in line.weights)
            table.append([method, weights, *pairs, f"{line.changed}/{line.tasks}"])
    heads = ["method", "α/β/γ", "ρ(D, PS)", "ρ(D, TS)", "ρ(D, H)", "pairwise", "labels changed"]
    return told(paragraph("difficulty"), heads, table, left=2)
