"""How far methods are from the bound: their steps against the expert's on the same episodes, and all their talk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coterie.bench.results import Row
from coterie.bench.study import setting_name
from coterie.bench.summary import distinct, estimate, select
from coterie.bench.table import NONE, markdown, number, with_interval

BOUND = "expert"
WITHIN = (1.3, 1.5)


def against(rows: Sequence[Row], methods: Sequence[str]) -> Iterator[str]:
    """One line a method and setting, and one over all."""
    bound = {r["key"]: r for r in select(rows, method=BOUND) if r["success"]}
    if not bound or len(methods) < 2:
        return
    settings = distinct(rows, "setting")
    kinds = [("all", rows), *((setting_name(s), select(rows, setting=s)) for s in settings if len(settings) > 1)]
    table = []
    for name, here in kinds:
        for method in methods:
            mine = [r for r in select(here, method=method) if r["key"] in bound]
            if mine:
                table.append([name, method, str(len(mine)), *_line(mine, bound)])
    yield (
        f"On episodes that `{BOUND}` solves: steps of the episodes that a method solves too, over the bound's; success "
        f"within {WITHIN[0]} and {WITHIN[1]} times the bound's steps; all messages per robot, those inside decisions "
        "included, and those among them that cost a step."
    )
    yield ""
    heads = ["setting", "method", "n", "steps / bound", *(f"SUCC ≤ {w}×" for w in WITHIN), "all talk", "CC"]
    yield from markdown(heads, table, left=2)


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
    """Whether an episode was solved in at most so many times the bound's steps."""
    return bool(row["success"]) and row["ts"] <= times * bound["ts"] + 1e-9
