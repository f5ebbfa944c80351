"""The report's sections on language models: what their calls cost, and what became of the replies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from coterie.bench.results import Row
from coterie.bench.sections import by_composition, per_episode
from coterie.bench.study import setting_name, stage_legends, stage_order
from coterie.bench.summary import distinct, select, some
from coterie.bench.table import markdown, number


def calls(rows: Sequence[Row], methods: Sequence[str]) -> Iterator[str]:
    """Calls per episode and tokens per call for each stage, and both by setting and team."""
    if not some(rows, "calls"):
        return
    table = []
    for method in methods:
        mine = select(rows, method=method)
        if not some(mine, "calls"):
            continue
        for stage in stage_order(s for r in mine for s in r["stages"]):
            table.append([method, stage, *_costs(mine, (r["stages"].get(stage, {}) for r in mine))])
        table.append([method, "all", *_costs(mine, (s for r in mine for s in r["stages"].values()))])
    heads = ["calls per episode", "tokens per call", "of these in the reply", "tokens per episode"]
    legends = stage_legends(s for r in rows for s in r["stages"])
    yield f"By stage: {'; '.join(legends)}." if legends else "By stage."
    yield ""
    yield from markdown(["method", "stage", *heads], table, left=2)
    settings = distinct(rows, "setting")
    table = []
    for setting in settings if len(settings) > 1 else ():
        for method in methods:
            mine = select(rows, method=method, setting=setting)
            if some(mine, "calls"):
                costs = _costs(mine, (s for r in mine for s in r["stages"].values()))
                table.append([setting_name(setting), method, *costs])
    if table:
        yield from markdown(["setting", "method", *heads], table, left=2)
    asking = [m for m in methods if some(select(rows, method=m), "calls")]
    yield from by_composition(rows, asking, {"calls": 1, "tokens": 0})


def _costs(rows: Sequence[Row], stages: Iterable[dict[str, int]]) -> list[str]:
    calls = tokens = out = 0
    for stage in stages:
        calls, tokens = calls + stage.get("calls", 0), tokens + stage.get("tokens", 0)
        out += stage.get("tokens_out", 0)
    each = [number(x / calls if calls else None, 1) for x in (tokens, out)]
    return [number(calls / len(rows), 2), *each, number(tokens / len(rows), 0)]


def loops(rows: Sequence[Row], methods: Sequence[str]) -> Iterator[str]:
    """What replies could not be read, and what was tried or said again."""
    if not some(rows, "calls"):
        return
    heads = {
        "unreadable": "unreadable replies",
        "asked_again": "asked again",
        "reply_errors": "errors of the model",
        "repeated_failures": "repeated failures",
        "repeated_messages": "repeated messages",
    }
    table = []
    for method in methods:
        mine = select(rows, method=method)
        if mine:
            table.append([method, str(len(mine)), *(per_episode(mine, k) for k in heads)])
    yield (
        "Per episode. Unreadable: a robot waits because no reply could be read. Asked again: a question put a second "
        "time with the reason. Repeated failures: the action that has just failed, tried again, fails again. Repeated "
        "messages: a robot says again what it has said since the last change."
    )
    yield ""
    yield from markdown(["method", "n", *heads.values()], table)
