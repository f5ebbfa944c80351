"""The orderings of the paper's tables beside ours: who is better than whom, whether that shows, and if not, why."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from coterie.bench.results import Row
from coterie.bench.statistics import FEWEST, Paired
from coterie.bench.studies.irot.numbers import Joined, gain, joined, pairs, success, told
from coterie.bench.studies.irot.paper import WEAKER, numbers
from coterie.bench.table import NONE, interval, markdown

SUC, TS = "%Suc ↑", "#TS ↓"
RIVALS = ("", "random", "plastic", "heuristic", "naive", "gpl", "cot", "irot")  # as they follow in Tables I to III
PARTS = ("", "irot:no-stp", "irot:no-ev-rf", "irot:no-rf", "irot:no-ev", WEAKER, "irot")  # and in Table IV
NUMBERS = {0: "I", 50: "II", 100: "III"}  # tables of the paper, by the step at which strangers come
SHOWS, REVERSED, UNCLEAR = "shows", "the other way round", "not told apart"
ALIKE, APART, SAME, FEW = "alike, as there", "told apart", "the same in every task", "too few tasks"
FINDINGS = (("medium", "easy"), ("medium", "difficult"), ("with an arm", "without"))
AS_THERE = (SHOWS, ALIKE)
MOST_REASONS = 3
_Z = 1.96


class Ordering(NamedTuple):
    """What the paper puts first, and what after it; the two as methods here."""

    table: str
    team: str
    first: str
    second: str
    method: str
    other: str
    suc: float  # by which the first is better in the paper, in points
    ts: float  # and by how many steps it is slower


def orderings(rows: Sequence[Row], methods: Sequence[str]) -> Iterator[str]:
    known = [o for o in claimed(methods) if pairs(rows, o.method, o.other)]
    if not known:
        return
    yield (
        "Neighbours in the paper's tables by %Suc, a stranger that comes at one step and at the next, and what we see "
        f"of it in the same tasks. {SHOWS}: the interval lies on the paper's side; {UNCLEAR}: it holds 0; {ALIKE}: it "
        "holds 0 where the paper has the same number twice."
    )
    yield ""
    lines, found = [], []
    for o in known:
        both = pairs(rows, o.method, o.other)
        suc, ts = gain(both, SUC), gain(both, TS)
        seen = verdict(suc, o.suc), verdict(ts, o.ts)
        found.append((o, both, suc, *seen))
        lines.append(
            [o.table, o.team, o.first, o.second, str(len(both)), f"{o.suc:+.1f}", _with(suc), seen[0],
             f"{o.ts:+.1f}", _with(ts), seen[1]]
        )  # fmt: skip
    head = ["table", "team", "first", "second", "n", "paper's %Suc", "%Suc", "in %Suc", "paper's #TS", "#TS", "in #TS"]
    yield from markdown(head, lines, left=4)
    for name, at in (("%Suc", 3), ("#TS", 4)):
        counts = Counter(str(entry[at]) for entry in found)
        yield f"In {name}, of {len(found)}: {', '.join(f'{words} {n}' for words, n in counts.most_common())}."
    yield ""
    reasons = [why(o, both, suc, seen) for o, both, suc, seen, _ in found if seen not in (*AS_THERE, FEW)]
    if reasons:
        yield "Where %Suc is not as there:"
        yield ""
        yield from (*reasons, "")
    parts = list(_parts(rows, methods))
    if parts:
        yield "The paper finds that IRoT gains most in medium tasks (Fig. 8b), and more with an arm than without (8c):"
        yield ""
        head = ["method", "gains more", "than", "n", "points of %Suc", "difference", "seen"]
        yield from markdown(head, parts, left=3)


def claimed(methods: Sequence[str]) -> Iterator[Ordering]:
    """The paper's orderings of which both sides are among the methods."""
    by: dict[tuple[str, str, int], tuple[str, Joined]] = {}
    for method in methods:
        j = joined(method)
        if j is not None and j.in_paper is not None:
            by.setdefault((j.team, j.in_paper, j.step), (method, j))
    teams = dict.fromkeys(team for team, _, _ in by)
    steps = sorted({step for _, _, step in by if step in NUMBERS})
    for names, fourth in ((RIVALS, False), (PARTS, True)):
        for step in steps:
            for team in teams:
                there = [n for n in names if (not n and team in methods) or (team, n, step) in by]
                if fourth and there == ["", "irot"]:
                    continue  # no part of IRoT was left out
                for low, high in pairwise(there):
                    table = f"IV, step {step}" if fourth else NUMBERS[step]
                    yield from _ordered(table, team, (high, step), (low, step), by)
    for team in teams:
        for early, late in pairwise(steps):
            tables = f"{NUMBERS[early]}, {NUMBERS[late]}"
            yield from _ordered(tables, team, ("irot", early), ("irot", late), by)


def _parts(rows: Sequence[Row], methods: Sequence[str]) -> Iterator[list[str]]:
    """Gains of IRoT in one part of the tasks and in another: these are other tasks, so nothing is paired."""
    for method in methods:
        j = joined(method)
        if j is None or j.in_paper != "irot":
            continue
        groups: dict[str, list[float]] = {}
        for a, b in pairs(rows, method, j.alone):
            arm = a.get("stranger", {}).get("arm")
            names = [a["labels"].get("difficulty", ""), "" if arm is None else "with an arm" if arm else "without"]
            for name in filter(None, names):
                groups.setdefault(name, []).append(success(a) - success(b))
        for more, less in FINDINGS:
            one, two = groups.get(more, []), groups.get(less, [])
            if min(len(one), len(two)) >= FEWEST:
                means = statistics.fmean(one), statistics.fmean(two)
                far = means[0] - means[1]
                half = _Z * math.sqrt(statistics.variance(one) / len(one) + statistics.variance(two) / len(two))
                seen = verdict(Paired(far, far - half, far + half, math.nan, len(one) + len(two)), 1.0)
                words = f"{far:+.1f} {interval(far - half, far + half, 1, '+')}"
                sizes, points = f"{len(one)}, {len(two)}", f"{means[0]:+.1f}, {means[1]:+.1f}"
                yield [method, more, less, sizes, points, words, seen]


def _ordered(
    table: str, team: str, a: tuple[str, int], b: tuple[str, int], by: dict[tuple[str, str, int], tuple[str, Joined]]
) -> Iterator[Ordering]:
    """Two rows of the paper, the better one first."""
    sides = []
    for name, step in (a, b):
        paper, found = numbers(team, name, step), by.get((team, name, step))
        if paper is None or (name and found is None):
            return
        words = "none" if found is None else f"{found[1].words}@{step}" if a[0] == b[0] else found[1].words
        sides.append((paper[0], paper[2], words, team if found is None else found[0]))
    one, two = sides if sides[0][0] >= sides[1][0] else reversed(sides)
    yield Ordering(table, team, one[2], two[2], one[3], two[3], one[0] - two[0], one[1] - two[1])


def verdict(found: Paired, paper: float) -> str:
    """What is seen of a difference that the paper has; `paper` says on which side of 0 it lies there."""
    if math.isnan(found.low):
        return FEW
    if found.low == found.high == 0.0:
        return ALIKE if abs(paper) < 0.05 else SAME
    clear = found.low > 0.0 or found.high < 0.0
    if abs(paper) < 0.05:
        return APART if clear else ALIKE
    if not clear:
        return UNCLEAR
    return SHOWS if (found.low > 0.0) == (paper > 0.0) else REVERSED


def why(o: Ordering, both: Sequence[tuple[Row, Row]], found: Paired, seen: str) -> str:
    """Why an ordering does not show, in numbers: tasks that one of the two did alone, what stayed astray in those that
    the first did not, and how many tasks the paper's difference would take to show."""
    alone = [(a, b) for a, b in both if a["success"] and not b["success"]]
    missed = [(a, b) for a, b in both if b["success"] and not a["success"]]
    words = (
        f"- {o.table}, {o.team} team, {o.first} over {o.second}: {seen}; {found.difference:+.1f} where the paper has "
        f"{o.suc:+.1f}. Of {len(both)} tasks the first alone did {len(alone)}, the second alone {len(missed)}"
    )
    left = Counter(reason for a, _ in missed for reason in a.get("left") or ())
    if left:
        words += f" (what the first left: {', '.join(f'{w} {n}' for w, n in left.most_common(MOST_REASONS))})"
    spread = statistics.pstdev([success(a) - success(b) for a, b in both])
    if seen == UNCLEAR and o.suc >= 0.05:
        needed = math.ceil((_Z * spread / o.suc) ** 2)
        words += f"; with this spread a difference like the paper's shows from some {needed:,} tasks on"
    return f"{words}."


def _with(found: Paired) -> str:
    return told(found) if found.n else NONE
