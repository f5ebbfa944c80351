"""How the difficulty score depends on its weights (App. 5.3, Tab. 13), and how targets go with PS and TS (Fig. 10)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from coterie.bench.results import Row
from coterie.bench.statistics import spearman
from coterie.bench.studies.dynahmrc.paper import SENSITIVITY
from coterie.bench.summary import label
from coterie.core.lazy import np
from coterie.worlds.indoor.tasks.difficulty import WEIGHTS, difficulty, level_of

if TYPE_CHECKING:
    from coterie.bench.statistics import Floats

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
