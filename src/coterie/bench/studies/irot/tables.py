"""The paper's tables from rows of a bench: strangers by team and step, ablations, where a stranger helps, what went
wrong, and how well minds judge what is misplaced."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from coterie.bench.results import Row
from coterie.bench.statistics import Paired
from coterie.bench.studies.irot.numbers import METRICS, Joined, by_key, efficiency, gain, joined, means, pairs
from coterie.bench.studies.irot.paper import reported
from coterie.bench.summary import scored
from coterie.bench.table import NONE, interval, markdown

LEGEND = (
    "%Suc: tasks in which everything ended up where it belongs. %PS: part of what lay astray. #TS: steps, the limit "
    "where a task was not done. #AS: steps of all robots together, each the limit where it was not done. %SE: steps "
    "saved against the same team with the same seed without a stranger, over tasks that were done. In brackets: by how "
    "many percent the number is better. Gains are paired, with intervals of 95%."
)
DIFFICULTIES = ("easy", "medium", "difficult")


def by_team(rows: Sequence[Row], methods: Sequence[str]) -> Iterator[str]:
    """Tables I to III: a table a step at which the stranger comes."""
    known = [(m, j) for m in methods if (j := joined(m)) is not None]
    if not known:
        return
    yield LEGEND
    yield ""
    for step in sorted({j.step for _, j in known}):
        yield f"Strangers that come at step {step}:"
        yield ""
        lines = []
        for team in dict.fromkeys(j.team for _, j in known):
            alone = by_key(rows, team)
            if alone:
                lines.append(
                    _line(team, "none", means(list(alone.values())), {}, None, reported(team, "", 0), len(alone))
                )
            for method, j in known:
                if j.team == team and j.step == step:
                    lines.append(_method_line(rows, method, j))
        head = ["team", "stranger", "n", *METRICS, "%SE ↑", "gain in %Suc", "gain in #TS", "paper's %Suc"]
        yield from markdown(head, lines, left=2)


def _method_line(rows: Sequence[Row], method: str, j: Joined) -> list[str]:
    found = pairs(rows, method, j.team)
    name = j.stranger + (f" ({j.body})" if j.body else "")
    if not found:
        mine = list(by_key(rows, method).values())
        return _line(j.team, name, means(mine), {}, None, reported(j.team, j.stranger, j.step), len(mine))
    saved = sum(efficiency(a, b) for a, b in found) / len(found)
    line = _line(
        j.team, name, means([a for a, _ in found]), means([b for _, b in found]), saved,
        reported(j.team, j.stranger, j.step), len(found),
    )  # fmt: skip
    line[-3:-1] = [_gain(gain(found, "%Suc ↑")), _gain(gain(found, "#TS ↓"))]
    return line


def _line(
    team: str, name: str, mine: object, theirs: object, saved: float | None, paper: float | None, n: int
) -> list[str]:
    own, other = dict(mine), dict(theirs)  # type: ignore[call-overload]
    cells = []
    for metric in METRICS:
        if metric not in own:
            cells.append(NONE)
            continue
        before = other.get(metric)
        better = "" if not before else f" ({100 * (own[metric] - before) / before * (1 if '↑' in metric else -1):+.1f})"
        cells.append(f"{own[metric]:.1f}{better}")
    return [
        team, name, str(n), *cells, NONE if saved is None else f"{saved:.1f}", NONE, NONE,
        NONE if paper is None else f"{paper:.1f}",
    ]  # fmt: skip


def _gain(found: Paired) -> str:
    return f"{found.difference:+.1f} {interval(found.low, found.high, 1, '+')}"


def against(rows: Sequence[Row], methods: Sequence[str]) -> Iterator[str]:
    """Strangers against each other: the same team, task and step."""
    known = [(m, j) for m in methods if (j := joined(m)) is not None]
    lines = []
    for method, j in known:
        for other, k in known:
            if j.stranger == "irot" and k.stranger != "irot" and (j.team, j.step, j.body) == (k.team, k.step, k.body):
                found = pairs(rows, method, other)
                if found:
                    gains = [_gain(gain(found, metric)) for metric in METRICS]
                    lines.append([j.team, str(j.step), k.stranger, str(len(found)), *gains])
    if lines:
        yield from markdown(["team", "step", "irot against", "n", *METRICS], lines, left=3)


def where(rows: Sequence[Row], methods: Sequence[str]) -> Iterator[str]:
    """Figures 8 (b) and (c): by difficulty, and by what the stranger can do."""
    lines = []
    for method in methods:
        j = joined(method)
        found = pairs(rows, method, j.team) if j is not None else []
        parts = {d: [(a, b) for a, b in found if a["labels"].get("difficulty") == d] for d in DIFFICULTIES}
        parts |= {
            "with an arm": [(a, b) for a, b in found if a.get("stranger", {}).get("arm")],
            "without an arm": [(a, b) for a, b in found if a.get("stranger", {}).get("arm") is False],
        }
        for name, some in parts.items():
            if some:
                own, other = means([a for a, _ in some]), means([b for _, b in some])
                lines.append(
                    [method, name, str(len(some)), f"{other['%Suc ↑']:.1f}", f"{own['%Suc ↑']:.1f}",
                     _gain(gain(some, "%Suc ↑")), _gain(gain(some, "%PS ↑"))]
                )  # fmt: skip
    if lines:
        head = ["method", "tasks", "n", "%Suc alone", "%Suc", "gain in %Suc", "gain in %PS"]
        yield from markdown(head, lines, left=2)


def failures(rows: Sequence[Row], methods: Sequence[str]) -> Iterator[str]:
    """What became of things in tasks that were not done, and of sub-tasks that strangers took on (Fig. A5)."""
    lines = []
    for method in methods:
        own = [r for r in scored(rows) if r["method"] == method]
        lost = [r for r in own if not r["success"]]
        fates: Counter[str] = Counter()
        for row in lost:
            fates.update(row.get("fates", {}))
        plans: Counter[str] = Counter()
        for row in own:
            plans.update(row.get("plans", {}))
        words = [f"{fates[w]}" for w in ("never seen", "seen, not taken", "in a hand", "put down")]
        done = [
            str(plans[w]) if plans else NONE for w in ("sub_tasks", "beyond_ability", "others_at_it", "turned_down")
        ]
        lines.append([method, str(len(lost)), *words, *done])
    if lines:
        yield "Things of tasks that were not done, then sub-tasks of strangers:"
        yield ""
        head = ["method", "not done", "never seen", "seen, not taken", "in a hand", "put down", "sub-tasks",
                "beyond ability", "others at it", "turned down"]  # fmt: skip
        yield from markdown(head, lines)


def judging(rows: Sequence[Row], methods: Sequence[str]) -> Iterator[str]:
    """Precision and recall of what strangers called misplaced, of the things that they saw; and how many of the homes
    that they named for things are such by the table."""
    lines = []
    for method in methods:
        total: Counter[str] = Counter()
        for row in scored(rows):
            if row["method"] == method:
                total.update(row.get("judged", {}))
        called, true = total["right"] + total["wrong"], total["right"] + total["missed"]
        homes = total["home_right"] + total["home_wrong"]
        if called or true:
            shares = ((total["right"], called), (total["right"], true), (total["home_right"], homes))
            part = [f"{right / n:.3f}" if n else NONE for right, n in shares]
            lines.append([method, str(called), str(true), *part[:2], str(homes), part[2]])
    if lines:
        head = [
            "method",
            "called misplaced",
            "misplaced and seen",
            "precision",
            "recall",
            "homes named",
            "of them right",
        ]
        yield from markdown(head, lines)
