"""The paper's tables from rows of a bench: strangers by team and step, ablations, where a stranger helps, what went
wrong, and how well minds judge what is misplaced."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from coterie.bench.results import Row
from coterie.bench.statistics import FEWEST
from coterie.bench.studies.irot.numbers import (
    METRICS,
    Joined,
    actions,
    by_key,
    efficiency,
    gain,
    joined,
    means,
    pairs,
    told,
)
from coterie.bench.studies.irot.paper import numbers
from coterie.bench.summary import scored, select
from coterie.bench.table import NONE, markdown, paragraph
from coterie.bench.table import told as with_words
from coterie.core.protocol import asks_model

DIFFICULTIES = ("easy", "medium", "difficult")
NUMBERS = {0: "Table I. ", 50: "Table II. ", 100: "Table III. "}  # of the paper, by the step at which strangers come
HEAD = ("n", *METRICS, "%SE ↑", "gain in %Suc", "gain in #TS", "paper's %PS, #TS, #AS, %SE", "paper's %Suc")
RULES = "oracle"
#: Strangers that are the same by construction where a rule mind answers, and why.
SAME = {"irot:free": ("irot", "the rule mind words sub-tasks in the given form, whether it is given or not.")}


def by_team(rows: Sequence[Row], methods: Sequence[str]) -> Iterator[str]:
    """Tables I to III: a table a step at which the stranger comes."""
    known = [(m, j) for m in methods if (j := joined(m)) is not None and not _ablation(j)]
    if not known:
        return
    yield from (paragraph("strangers"), "")
    for step in sorted({j.step for _, j in known}):
        yield f"{NUMBERS.get(step, '')}Strangers that come at step {step}:"
        yield ""
        lines = []
        for team in dict.fromkeys(j.team for _, j in known):
            some = [(m, j) for m, j in known if (j.team, j.step) == (team, step)]
            lines += _alone_lines(rows, team, [j for _, j in some], [m for m, j in some if not j.model])
            lines += [_method_line(rows, method, j) for method, j in some]
        yield from markdown(["team", "stranger", *HEAD], lines, left=2)
    left = [m for m in methods if joined(m) is None and "+" in m and "@" in m.partition("+")[2]]
    if left:
        yield f"Not in these tables, as it is not one stranger alone that joins: {', '.join(left)}."
        yield ""


def ablations(rows: Sequence[Row], methods: Sequence[str]) -> list[str]:
    """Table IV: IRoT without some of its parts, and with a weaker model; the team of each step by itself first."""
    known = [(m, j) for m in methods if (j := joined(m)) is not None]
    teams = dict.fromkeys(j.team for _, j in known if _ablation(j))
    shown = [(m, j) for m, j in known if j.team in teams and (_ablation(j) or j == Joined(j.team, "irot", j.step))]
    shown.sort(key=lambda item: item[1] == Joined(item[1].team, "irot", item[1].step))  # whole as it is, last
    lines = []
    for step in sorted({j.step for _, j in shown}):
        for team in teams:
            some = [(m, j) for m, j in shown if (j.team, j.step) == (team, step)]
            part = _alone_lines(rows, team, [j for _, j in some]) + [_method_line(rows, m, j) for m, j in some]
            lines += [[str(step), *line] for line in part]
    return with_words("Table IV. What parts of IRoT are worth:", ["step", "team", "stranger", *HEAD], lines, left=3)


#: Strangers that can differ only now and then where a rule mind answers, and why.
NEARLY = {
    ("cot", "irot:no-rf"): "they weigh sub-tasks alike, the one all of them and the other three.",
}


def same(rows: Sequence[Row], methods: Sequence[str]) -> Iterator[str]:
    """Which rows are the same by construction, and which did the same in all tasks."""
    ruled = {r["method"] for r in rows if r.get("model") == RULES}
    for name, (other, why) in SAME.items():
        whole = sorted({j.team for m in ruled if (j := joined(m)) is not None and j.stranger == other})
        if whole:
            yield f"- By rule, {name} is {other} by construction: {why} The rows of {other} stand for both."
    names = {j.stranger for m in ruled if (j := joined(m)) is not None}
    names |= {j.stranger for m in methods if (j := joined(m)) is not None and not asks_model(j.stranger)}
    for (one, two), why in NEARLY.items():
        if {one, two} <= names:
            yield f"- By rule, {one} is nearly {two}: {why}"
    yield from _alike(rows, [(m, j) for m in methods if (j := joined(m)) is not None])


def _alike(rows: Sequence[Row], known: Sequence[tuple[str, Joined]]) -> Iterator[str]:
    """Strangers that came to the same team at the same step and did the same in every task that all of these played,
    in groups."""
    for team, step in dict.fromkeys((j.team, j.step) for _, j in known):
        played = {m: by_key(rows, m) for m, j in known if (j.team, j.step) == (team, step)}
        played = {m: found for m, found in played.items() if found}
        keys = sorted(set.intersection(*map(set, played.values()))) if played else []
        groups: dict[tuple[Any, ...], list[str]] = {}
        for method, found in played.items() if len(keys) >= FEWEST else ():
            told = ((r["success"], r["ps"], r["ts"], actions(r)) for r in (found[key] for key in keys))
            groups.setdefault(tuple(told), []).append(method)
        for names in groups.values():
            if len(names) > 1:
                listed = f"{', '.join(names[:-1])} and {names[-1]}"
                yield f"- {listed} did the same in all {len(keys)} tasks that they all played."


def _ablation(j: Joined) -> bool:
    """True if a stranger is IRoT changed: Table IV, and not I to III."""
    return j.stranger.startswith("irot:") or bool(j.model)


def _alone_lines(
    rows: Sequence[Row], team: str, some: Sequence[Joined], methods: Sequence[str] = ()
) -> list[list[str]]:
    """The team by itself, and with each of the models that it is played with besides; also in those of its tasks alone
    that most of the methods were played in, where these are fewer."""
    lines = []
    for name in dict.fromkeys([team, *(j.alone for j in some)]):
        alone = by_key(rows, name)
        if alone:
            paper = _paper(team, "", 0) if name == team else (NONE, NONE)
            words = "none" if name == team else f"none ({name.partition('@')[2]})"
            lines.append(_line(team, words, means(list(alone.values())), {}, None, paper, len(alone)))
    alone = by_key(rows, team)
    played = Counter(frozenset(by_key(rows, m)) & frozenset(alone) for m in methods)
    fewer = [keys for keys, _ in played.most_common() if 0 < len(keys) < len(alone)]
    if fewer:
        part = [row for key, row in alone.items() if key in fewer[0]]
        lines.append(_line(team, "none, in the sample", means(part), {}, None, (NONE, NONE), len(part)))
    return lines


def _method_line(rows: Sequence[Row], method: str, j: Joined) -> list[str]:
    found = pairs(rows, method, j.alone)
    paper = (NONE, NONE) if j.in_paper is None else _paper(j.team, j.in_paper, j.step)
    if not found:
        mine = list(by_key(rows, method).values())
        return _line(j.team, j.words, means(mine), {}, None, paper, len(mine))
    saved = sum(efficiency(a, b) for a, b in found) / len(found)
    own, other = means([a for a, _ in found]), means([b for _, b in found])
    line = _line(j.team, j.words, own, other, saved, paper, len(found))
    line[-4:-2] = [told(gain(found, "%Suc ↑")), told(gain(found, "#TS ↓"))]
    return line


def _paper(team: str, stranger: str, step: int) -> tuple[str, str]:
    """The paper's numbers: %PS and what follows it, and %Suc with by how many percent that is better than the team by
    itself."""
    found, alone = numbers(team, stranger, step), numbers(team, "", 0)
    if found is None:
        return NONE, NONE
    others = (NONE if value is None else f"{value:.1f}" for value in found[1:])
    more = f" ({100.0 * (found[0] - alone[0]) / alone[0]:+.1f})" if alone is not None and stranger else ""
    return ", ".join(others), f"{found[0]:.1f}{more}"


def _line(
    team: str,
    name: str,
    own: Mapping[str, float],
    other: Mapping[str, float],
    saved: float | None,
    paper: tuple[str, str],
    n: int,
) -> list[str]:
    cells = []
    for metric in METRICS:
        if metric not in own:
            cells.append(NONE)
            continue
        before = other.get(metric)
        sign = 1 if "↑" in metric else -1
        more = "" if not before else f" ({round(sign * 100 * (own[metric] - before) / before, 1) + 0.0:+.1f})"
        cells.append(f"{own[metric]:.1f}{more}")
    return [team, name, str(n), *cells, NONE if saved is None else f"{saved:.1f}", NONE, NONE, *paper]


def against(rows: Sequence[Row], methods: Sequence[str]) -> list[str]:
    """Strangers against each other: the same team, task and step."""
    known = [(m, j) for m in methods if (j := joined(m)) is not None]
    lines = []
    for (method, j), (other, k) in product(known, known):
        alike = (j.team, j.step, j.body, j.leaves) == (k.team, k.step, k.body, k.leaves)
        if alike and j.stranger == "irot" and not j.model and (k.stranger != "irot" or k.model):
            found = pairs(rows, method, other)
            if found:
                gains = [told(gain(found, metric)) for metric in METRICS]
                lines.append([j.team, str(j.step), k.words, str(len(found)), *gains])
    return with_words("", ["team", "step", "irot against", "n", *METRICS], lines, left=3)


def parts_of(found: Sequence[tuple[Row, Row]], arm: str, no_arm: str) -> dict[str, list[tuple[Row, Row]]]:
    """Tasks by difficulty, and by whether the stranger has an arm, under these names; those that there are."""
    parts = {d: [(a, b) for a, b in found if a["labels"].get("difficulty") == d] for d in DIFFICULTIES}
    for name, has in ((arm, True), (no_arm, False)):
        parts[name] = [(a, b) for a, b in found if a.get("stranger", {}).get("arm") is has]
    return {name: some for name, some in parts.items() if some}


def where(rows: Sequence[Row], methods: Sequence[str]) -> list[str]:
    """Figures 8 (b) and (c): by difficulty, and by what the stranger can do."""
    lines = []
    for method in methods:
        j = joined(method)
        found = pairs(rows, method, j.alone) if j is not None else []
        for name, some in parts_of(found, "with an arm", "without an arm").items():
            own, other = means([a for a, _ in some]), means([b for _, b in some])
            lines.append(
                [method, name, str(len(some)), f"{other['%Suc ↑']:.1f}", f"{own['%Suc ↑']:.1f}",
                 told(gain(some, "%Suc ↑")), told(gain(some, "%PS ↑"))]
            )  # fmt: skip
    return with_words("", ["method", "tasks", "n", "%Suc alone", "%Suc", "gain in %Suc", "gain in %PS"], lines, left=2)


def _total(rows: Sequence[Row], column: str) -> Counter[str]:
    """The counts of a column of all these episodes."""
    found: Counter[str] = Counter()
    for row in rows:
        found.update(row.get(column, {}))
    return found


def failures(rows: Sequence[Row], methods: Sequence[str]) -> list[str]:
    """The fates of things in tasks that were not done, and of sub-tasks that strangers took on (Fig. A5)."""
    things = ("never seen", "seen, not taken", "in a hand", "put down")
    tasks = ("sub_tasks", "beyond_ability", "others_at_it", "turned_down")
    lines = []
    for method in methods:
        own = select(scored(rows), method=method)
        lost = [r for r in own if not r["success"]]
        fates, plans = _total(lost, "fates"), _total(own, "plans")
        done = [str(plans[w]) if plans else NONE for w in tasks]
        lines.append([method, str(len(lost)), *(str(fates[w]) for w in things), *done])
    head = ["method", "not done", *things, "sub-tasks", "beyond ability", "others at it", "turned down"]
    return with_words("Things of tasks that were not done, then sub-tasks of strangers:", head, lines)


def judging(rows: Sequence[Row], methods: Sequence[str]) -> list[str]:
    """Precision and recall of what strangers called misplaced, of the things that they saw, and of teammates for whom a
    model judges; and how many of the homes that they named for things are such by the table."""
    lines = []
    for method, column in product(methods, ("judged", "judged_by_team")):
        total = _total(select(scored(rows), method=method), column)
        called, true = total["right"] + total["wrong"], total["right"] + total["missed"]
        homes = total["home_right"] + total["home_wrong"]
        if called or true:
            shares = ((total["right"], called), (total["right"], true), (total["home_right"], homes))
            part = [f"{right / n:.3f}" if n else NONE for right, n in shares]
            who = method if column == "judged" else f"{method}, the team"
            lines.append([who, str(called), str(true), *part[:2], str(homes), part[2]])
    head = ["called misplaced", "misplaced and seen", "precision", "recall", "homes named", "of them right"]
    return with_words("", ["method", *head], lines)
