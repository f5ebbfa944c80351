"""The score of one episode, from its log alone."""

from __future__ import annotations

from collections.abc import Sequence

import coterie.bench.studies  # noqa: F401 (their columns enter the rows)
from coterie.bench.metrics import episode_metrics
from coterie.bench.results import Row
from coterie.bench.study import columns
from coterie.core.event import Event
from coterie.core.record import read
from coterie.core.records import StartEvent


def score(events: Sequence[Event]) -> Row:
    """Everything that tables need."""
    start = read(StartEvent, events[0])
    said = {"sees": start.sees, "prompts": start.prompts}
    return {**said, **episode_metrics(events), **columns(events)}
