"""Sections of the report that make sense of any world, and the pieces that studies make theirs of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from coterie.bench.results import Bench, Row
from coterie.bench.statistics import FEWEST, RESAMPLES, holm
from coterie.bench.study import every, setting_name
from coterie.bench.summary import by_method, compare, cost, distinct, estimate, label, metrics_of, select, some, talk_of
from coterie.bench.table import NONE, interval, markdown, number, p_value, paragraph, signed, with_interval
from coterie.bench.table import told as with_words
from coterie.protocols import asked_as, level_of

DIGITS = {"succ": 3, "ps": 3, "ts": 1, "as": 1, "cc": 2}
FEW = 5  # episodes per line of a section; with fewer the section is left out
TOLD = "told"  # how much a prompt tells: `paper`, `full` or `assisted`
SIGHT = {"own": "its own belief", "pooled": "the beliefs of all its robots", "truth": "the truth of the world"}


def who(bench: Bench) -> list[str]:
    told = levels(bench)
    rows = [
        [m.name, SIGHT[m.sees], *([told[m.name] or NONE] if any(told.values()) else []), "on" if m.guard else "off",
         ", ".join(sorted({r.get("prompts", "") for r in select(bench.rows, method=m.name)} - {""})) or NONE,
         m.about or NONE]
        for m in bench.methods
    ]  # fmt: skip
    heads = ["method", "it sees", *([TOLD] if any(told.values()) else []), "guard rails", "prompts", "about"]
    note = [paragraph("methods"), ""] if any(told.values()) else []
    return [*markdown(heads, rows, left=len(heads)), *note]


def levels(bench: Bench) -> dict[str, str]:
    """The level of information of each method's prompts: `paper`, `full` or `assisted`; empty where there is no such
    choice."""
    models = {r["method"]: r["model"] for r in bench.rows}
    return {m.name: level_of(asked_as(m.protocol, models.get(m.name, ""))) for m in bench.methods}


def legend(rows: Sequence[Row]) -> list[str]:
    messages = "CC: messages (`communicate`), per robot. " if "cc" in metrics_of(rows) or not rows else ""
    return [*paragraph("legend", messages=messages, resamples=RESAMPLES, fewest=FEWEST).splitlines(), ""]


def scores(rows: Sequence[Row], metrics: Iterable[str]) -> list[str]:
    """How many episodes, and their metrics with intervals."""
    return [str(len(rows)), *(with_interval(estimate(rows, m), DIGITS[m]) for m in metrics)]


def breakdown(rows: Sequence[Row], methods: Sequence[str], by: str) -> list[str]:
    """The metrics for every value of a label; nothing if the label takes one value and is no news."""
    values, heads = distinct(rows, by), metrics_of(rows)
    if not values or (len(values) == 1 and by != "setting") or (by != "setting" and thin(rows, methods, len(values))):
        return []
    table = [
        [setting_name(v) if by == "setting" else str(v), method, *scores(mine, heads)]
        for v in values
        for method, mine in by_method(select(rows, **{by: v}), methods)
    ]
    return markdown([by, "method", "n", *heads.values()], table, left=2)


def everything(rows: Sequence[Row], methods: Sequence[str], told: Mapping[str, str] = {}) -> list[str]:
    """One line a method: what a reader looks for first. With a single setting its own table says the same."""
    if len(distinct(rows, "setting")) < 2:
        return []
    table, heads, some_told = [], metrics_of(rows), any(told.values())
    for method, mine in by_method(rows, methods):
        costs = [number(cost(mine, k), 0) if some(mine, "calls") else NONE for k in ("calls", "tokens")]
        table.append([method, *([told[method] or NONE] if some_told else []), *scores(mine, heads), *costs])
    first = ["method", *([TOLD] if some_told else [])]
    return markdown([*first, "n", *heads.values(), "calls", "tokens"], table, left=len(first))


def talk(rows: Sequence[Row], methods: Sequence[str]) -> list[str]:
    """The messages of robots, by method; nothing where nobody said anything, or it was not counted yet."""
    heads = talk_of(rows)
    lines = [[m, *(number(cost(mine, k), 1) for k in heads)] for m, mine in by_method(rows, methods)]
    if not heads:
        return []
    return with_words(paragraph("talk"), ["method", *heads.values()], lines)


def by_setting(rows: Sequence[Row]) -> list[tuple[str, Sequence[Row]]]:
    """The rows of each setting, by its name in tables."""
    return [(setting_name(s), select(rows, setting=s)) for s in distinct(rows, "setting")]


def thin(rows: Sequence[Row], methods: Sequence[str], parts: int) -> bool:
    """Too few episodes for so many lines?"""
    return played(rows, methods) < FEW * parts


def played(rows: Sequence[Row], methods: Sequence[str]) -> int:
    """Episodes of the method that has most."""
    return max((len(select(rows, method=m)) for m in methods), default=0)


def pairs(rows: Sequence[Row], methods: Sequence[str]) -> Iterator[str]:
    """The same episodes, one method minus the other."""
    if len(methods) < 2:
        return
    kinds = by_setting(rows)
    for name, settings in ((n, s) for study in every() for n, s in study.together.items()):
        these = [r for r in rows if label(r, "setting") in settings]
        if len(distinct(these, "setting")) > 1:
            kinds.append((name, these))
    if len(distinct(rows, "setting")) > 1:
        kinds.append(("all", rows))
    table, ps = [], []
    pairs = combinations(methods, 2) if len(methods) <= 4 else ((methods[0], m) for m in methods[1:])
    for first, second in pairs:  # of many methods, each against the first
        for name, here in kinds:
            for metric, head in metrics_of(here).items():
                c = compare(here, first, second, metric)
                if c.n >= FEWEST or (c.n and len(kinds) == 1):
                    d = DIGITS[metric]
                    pair, ends = f"{first} − {second}", interval(c.low, c.high, d, "+")
                    table.append([pair, name, head[:-2], str(c.n), signed(c.difference, d), ends, p_value(c.p)])
                    ps.append(c.p)
    if not table:
        return
    table = [[*row, p_value(p)] for row, p in zip(table, holm(ps))]
    yield from paragraph("pairs").splitlines()
    if len(kinds) > 1:
        yield f"Settings with fewer than {FEWEST} common episodes are left out."
    yield ""
    heads = ["pair", "setting", "metric", "n", "mean difference", "95% interval", "p", "p, all lines"]
    yield from markdown(heads, table, left=3)


def by_composition(rows: Sequence[Row], methods: Sequence[str], digits: Mapping[str, int]) -> list[str]:
    """Means for every setting and team, or transition where the team changes: a line a team, columns a method."""
    name: Callable[[Row], str] = lambda r: str(label(r, "transition") or label(r, "team"))  # noqa: E731
    teams = {(label(r, "setting"), name(r)) for r in rows}
    if len(teams) < 2 or thin(rows, methods, len(teams)):
        return []
    table = []
    for setting in distinct(rows, "setting"):
        here = select(rows, setting=setting)
        for team in dict.fromkeys(name(r) for r in here):
            own = [r for r in here if name(r) == team]
            cells = [mean(select(own, method=m), key, d) for m in methods for key, d in digits.items()]
            n = str(len(select(own, method=methods[0])))
            table.append([setting_name(setting), team, n, *cells])
    heads = [f"{m}: {what}" for m in methods for what in digits]
    return with_words("By team, or transition, means per episode.", ["setting", "team", "n", *heads], table, left=2)


def mean(rows: Sequence[Row], key: str, digits: int = 2) -> str:
    return number(sum(r[key] for r in rows) / len(rows), digits) if rows else NONE


def per_episode(rows: Sequence[Row], key: str, digits: int = 2) -> str:
    return with_interval(estimate(rows, lambda r: float(r[key])), digits)
