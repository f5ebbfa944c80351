"""Figures that the DynaHMRC paper reports, each with its table. Nothing here is measured by this program."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from coterie.bench.results import Row
from coterie.bench.sections import by_setting
from coterie.bench.statistics import spearman
from coterie.bench.summary import by_method, estimate, label, select
from coterie.bench.table import NONE, number, paragraph, told, with_interval
from coterie.core.files import tables
from coterie.core.lazy import np
from coterie.worlds.indoor.tasks.difficulty import WEIGHTS, difficulty, level_of

if TYPE_CHECKING:
    from coterie.bench.statistics import Floats


class Figures(NamedTuple):
    succ: float
    ps: float
    ts: float
    as_: float
    cc: float


GPT4O, QWEN = "DynaHMRC-GPT4o", "DynaHMRC-Qwen3-4B (fine-tuned)"

_TABLES = tables(__package__, "paper.toml")
#: Averages of the five settings (Tab. 11).
SETTINGS = {model: {name: Figures(*row) for name, row in rows.items()} for model, rows in _TABLES["settings"].items()}

#: Success on real robots, eight trials (Tab. 12).
REAL = {GPT4O: 5 / 8, QWEN: 8 / 8}

#: Success on Pack Objects by the step of the change or the number of zones (Tab. 21, 22, 23).
SWEEPS: dict[str, dict[str, dict[int, float]]] = {
    model: {kind: {int(n): share for n, share in row.items()} for kind, row in rows.items()}
    for model, rows in _TABLES["sweeps"].items()
}

#: Difficulty weights (alpha, beta, gamma) of Tab. 13, and its columns rho(D, PS), rho(D, TS), rho(D, H), pairwise
#: accuracy.
SENSITIVITY: dict[tuple[float, float, float], tuple[float, float, float, float]] = {
    tuple(weights): tuple(row) for weights, row in _TABLES["sensitivity"]
}

#: Mean redundant actions per episode over all settings (App. 5.20, from Tab. 29).
REDUNDANT = {GPT4O: 3.64, "COHERENT": 7.67}

#: Calls per episode and tokens per call, by setting and stage, DynaHMRC-GPT4o (Tab. 26).
STAGE_COSTS: dict[str, dict[str, tuple[float, float]]] = {
    name: {stage: (row[0], row[1]) for stage, row in rows.items()} for name, rows in _TABLES["stage_costs"].items()
}

#: COHERENT asks one central model (Tab. 26).
CENTRAL_COSTS: dict[str, tuple[float, float]] = {name: (r[0], r[1]) for name, r in _TABLES["central_costs"].items()}


BOUND = "expert"
WITHIN = (1.3, 1.5)


def against(rows: Sequence[Row], methods: Sequence[str]) -> list[str]:
    """One line a method and setting, and one over all."""
    bound = {r["key"]: r for r in select(rows, method=BOUND) if r["success"]}
    if not bound or len(methods) < 2:
        return []
    solved, kinds = [r for r in rows if r["key"] in bound], by_setting(rows)
    table = [
        [name, method, str(len(mine)), *_line(mine, bound)]
        for name, here in [("all", solved), *(by_setting(solved) if len(kinds) > 1 else ())]
        for method, mine in by_method(here, methods)
    ]
    words = paragraph("bound", bound=BOUND, near=WITHIN[0], far=WITHIN[1])
    heads = ["setting", "method", "n", "steps / bound", *(f"SUCC ≤ {w}×" for w in WITHIN), "all talk", "CC"]
    return told(words, heads, table, left=2)


def _line(mine: Sequence[Row], bound: dict[str, Row]) -> list[str]:
    solved = [r for r in mine if r["success"]]
    ratio = sum(r["ts"] / max(1, bound[r["key"]]["ts"]) for r in solved) / len(solved) if solved else None
    shares = [
        with_interval(estimate(mine, lambda r, w=w: float(within(r, bound[r["key"]], w))))  # type: ignore[misc]
        for w in WITHIN
    ]
    talk = sum((r.get("messages", 0) + r.get("said", 0)) / max(1, len(r["robots"])) for r in mine) / len(mine)
    cc = sum(r.get("cc", 0) for r in mine) / len(mine)
    return [number(ratio, 2) if ratio is not None else NONE, *shares, number(talk, 1), number(cc, 2)]


def within(row: Row, bound: Row, times: float) -> bool:
    """True if an episode was solved in at most so many times the bound's steps."""
    return bool(row["success"]) and row["ts"] <= times * bound["ts"] + 1e-9


TIE = 1e-9  # numbers nearer than that are the same


class Line(NamedTuple):
    weights: tuple[float, float, float]  # of location, number and collaboration
    rho_ps: float
    rho_ts: float
    rho_hard: float  # with z(1 - PS) + z(TS)
    pairwise: float  # share of pairs that D orders as their hardness does
    changed: int  # labels that differ from those of the usual weights
    tasks: int


def matched(rows: Sequence[Row]) -> list[Row]:
    """The rows this is about: Pack Objects without changes, at the three levels of the formula."""
    return [r for r in rows if label(r, "task") == "pack-objects" and label(r, "setting") == "static"]


def sensitivity(rows: Sequence[Row]) -> list[Line]:
    """One line per weighting of Tab. 13, from the episodes of one method."""
    rows = matched(rows)
    if len(rows) < 3:
        return []
    ps, ts = [float(r["ps"]) for r in rows], [float(r["ts"]) for r in rows]
    hard = _z(1.0 - np.asarray(ps)) + _z(np.asarray(ts))
    usual = [level_of(d) for d in _scores(rows, WEIGHTS)]
    lines = []
    for weights in SENSITIVITY:
        scores = _scores(rows, weights)
        changed = sum(level_of(d) != old for d, old in zip(scores, usual))
        lines.append(
            Line(
                weights,
                spearman(scores, ps),
                spearman(scores, ts),
                spearman(scores, hard.tolist()),
                _pairwise(scores, hard.tolist()),
                changed,
                len(rows),
            )
        )
    return lines


def _scores(rows: Sequence[Row], weights: tuple[float, float, float]) -> list[float]:
    return [difficulty(r["about"]["locations"], r["about"]["helpers"] or 0, weights) for r in rows]


def _z(values: Floats) -> Floats:
    spread = values.std()
    return (values - values.mean()) / spread if spread > 0 else values * 0.0


def _pairwise(scores: Sequence[float], hard: Sequence[float]) -> float:
    """Pairs that differ in both; ties say nothing. Scores are few, however many tasks: what is hard is counted against
    each of them at once, and no pair is looked at by itself."""
    each, values = np.asarray(scores), np.asarray(hard)
    tasks = [(score, np.sort(values[each == score])) for score in np.unique(each)]
    agreeing = every = 0
    for (low, easy), (high, difficult) in combinations(tasks, 2):
        if high - low > TIE:
            below = int(np.searchsorted(easy, difficult - TIE).sum())
            above = int((len(easy) - np.searchsorted(easy, difficult + TIE, side="right")).sum())
            agreeing, every = agreeing + below, every + below + above
    return agreeing / every if every else float("nan")
