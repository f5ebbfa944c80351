"""What a row of results holds besides the usual numbers: the task's difficulty, coordination, elections, failures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coterie.bench.story import plain
from coterie.bench.studies.dynahmrc.coordination import coordination_counts
from coterie.bench.studies.dynahmrc.elections import held_elections
from coterie.bench.studies.dynahmrc.failures import failure_modes
from coterie.core.event import Event


def columns(events: Sequence[Event]) -> dict[str, Any]:
    """From the log alone."""
    start = events[0].data
    goal = plain(start["goal"])
    about = {k: start["about"].get(k) for k in ("difficulty", "locations", "helpers", "rejected")}
    about["targets"] = len(goal.get("pairs") or goal.get("targets") or ())
    return {
        "about": about,
        **coordination_counts(events),
        "elections": held_elections(events),
        "failures": failure_modes(events),
    }
