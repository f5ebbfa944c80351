"""Strangers that know types of teammates: which type they took the team for, and how sure they were."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from coterie.bench.statistics import bootstrap
from coterie.bench.studies.irot.numbers import Row, by_key, joined
from coterie.bench.table import NONE, interval, told
from coterie.core.event import Event

AFTER_STEPS = 50  # the first word after so many steps with the team counts


def column(events: Sequence[Event]) -> dict[str, Any] | None:
    """The type of the team as a stranger's log has it; None where it says nothing."""
    notes = (e.data for e in events if e.kind == "mission" and e.data.get("what") == "types")
    note = next((n for n in notes if n["since"] >= AFTER_STEPS), None)
    if note is None:
        return None
    named = max(note["types"], key=lambda t: note["types"][t])
    team = str(events[0].data["config"].get("protocol", "")).partition(":")[0]
    return {"team": team, "named": named, "share": note["types"][named], "right": named == team}


def table(rows: Sequence[Row], methods: Sequence[str]) -> list[str]:
    lines = []
    together: dict[tuple[str, int], dict[str, list[Any]]] = {}
    for method in methods:
        j = joined(method)
        found = [r["typed"] for r in by_key(rows, method).values() if r.get("typed")] if j is not None else []
        if j is None or not found:
            continue
        named = ", ".join(f"{name} {n}" for name, n in Counter(t["named"] for t in found).most_common())
        right, sure = sum(t["right"] for t in found), sum(t["share"] for t in found) / len(found)
        share = f"{100 * right / len(found):.1f}"
        lines.append([j.team, j.stranger, str(j.step), str(len(found)), share, f"{100 * sure:.1f}", named])
        together.setdefault((j.stranger, j.step), {})[j.team] = found
    for (stranger, step), teams in together.items():
        if len(teams) > 1:
            each = [t for found in teams.values() for t in found]
            right = bootstrap([float(t["right"]) for t in each], seed="types", shares=True)
            sure = sum(t["share"] for t in each) / len(each)
            share = f"{100 * right.mean:.1f} {interval(100 * right.low, 100 * right.high, 1)}"
            lines.append(["all of these", stranger, str(step), str(len(each)), share, f"{100 * sure:.1f}", NONE])
    head = ["team", "stranger", "comes at", "n", f"% named rightly after {AFTER_STEPS} steps", "% sure", "named"]
    return told("", head, lines, left=2)
