"""Figures from rows of a bench: %Suc over the step at which a stranger comes, by difficulty, by ability (Fig. 8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coterie.bench.drawing import figure
from coterie.bench.results import Row
from coterie.bench.studies.irot.numbers import Joined, by_key, joined, means, pairs
from coterie.bench.studies.irot.tables import parts_of

SUC = "%Suc ↑"


def _of_tables(j: Joined) -> bool:
    """True if a stranger is as in Tables I to III: nothing of it is changed."""
    return not (j.body or j.model or j.leaves is not None or j.stranger.startswith("irot:"))


def joining(rows: Sequence[Row], methods: Sequence[str]) -> Any:
    """A line a stranger over the step at which it comes, a panel a team; the team by itself is dashed."""
    known = [(m, j) for m in methods if (j := joined(m)) is not None and by_key(rows, m) and _of_tables(j)]
    teams = list(dict.fromkeys(j.team for _, j in known))
    if not teams or len({j.step for _, j in known}) < 2:
        return None
    drawn, axes = figure(3.6 * len(teams), 3.0, ncols=len(teams), squeeze=False)
    for axis, team in zip(axes[0], teams):
        for stranger in dict.fromkeys(j.stranger for _, j in known if j.team == team):
            points = sorted(
                (j.step, means(list(by_key(rows, m).values()))[SUC])
                for m, j in known
                if j.team == team and j.stranger == stranger
            )
            axis.plot([p[0] for p in points], [p[1] for p in points], marker="o", label=stranger)
        alone = by_key(rows, team)
        if alone:
            axis.axhline(means(list(alone.values()))[SUC], linestyle="--", color="0.5", label="none")
        axis.set_title(f"{team} team")
        axis.set_xlabel("step at which the stranger comes")
        axis.set_ylabel("%Suc")
        axis.legend(fontsize=7)
    return drawn


def parts(rows: Sequence[Row], methods: Sequence[str]) -> Any:
    """%Suc with IRoT beside that without (with others where it was not played), by difficulty and by whether it has an
    arm."""
    known = [m for m in methods if (j := joined(m)) is not None and pairs(rows, m, j.alone) and _of_tables(j)]
    known = [m for m in known if joined(m).stranger == "irot"] or known  # type: ignore[union-attr]
    if not known:
        return None
    drawn, axes = figure(7.2, 1.2 + 1.6 * len(known), nrows=len(known), squeeze=False)
    for axis, method in zip(axes[:, 0], known):
        j = joined(method)
        found = pairs(rows, method, j.alone) if j is not None else []
        groups = parts_of(found, "arm", "no arm")
        for i, some in enumerate(groups.values()):
            own, other = means([a for a, _ in some])[SUC], means([b for _, b in some])[SUC]
            axis.bar(i - 0.2, other, 0.38, color="0.7")
            axis.bar(i + 0.2, own, 0.38, color="C0")
        axis.set_xticks(range(len(groups)), list(groups))
        axis.set_ylabel("%Suc")
        axis.set_title(f"{method}: alone (grey) and with the stranger", fontsize=8)
    return drawn
