"""Further columns of a row of results: the task's difficulty, coordination, elections, failures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coterie.bench.studies.dynahmrc.coordination import Coordination, held_elections
from coterie.bench.studies.dynahmrc.failures import DETECTORS
from coterie.core.event import Event
from coterie.log.fold import moments, opened
from coterie.log.state import homes

ZONES = ("allowed", "stand_allowed", "closed_room")  # clauses that fail at a closed zone


def zone_met(event: Event) -> bool:
    """A robot was stopped at a zone that is closed to it."""
    cause = event.data.get("cause") if event.kind == "outcome" else None
    return cause is not None and (cause["clause"] if isinstance(cause, dict) else cause.clause) in ZONES


def columns(events: Sequence[Event]) -> dict[str, Any]:
    """From the log alone, in one walk."""
    state, coordination, detectors = opened(events), Coordination(), [make() for make in DETECTORS]
    start = state.start
    for moment in moments(state, events):
        coordination.look(state, moment)
        for detector in detectors:
            detector.look(state, moment)
    about = {k: start.about.get(k) for k in ("difficulty", "locations", "helpers", "rejected")}
    about["targets"] = len(homes(start.goal))
    return {
        "about": about,
        **coordination.counts,
        "elections": held_elections(events, {name: card.get("body", "?") for name, card in state.cards.items()}),
        "failures": {d.mode: int(d.found) for d in detectors},
        "zones_met": sum(zone_met(e) for e in events),
    }
