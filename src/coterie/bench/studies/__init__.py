"""Studies by name, one folder or file each: what one paper compares, and how its tables and plots look.

Every module in this folder is imported and registers itself; a study of a user's own does the same from a file that
`--load` names.
"""

from __future__ import annotations

from collections.abc import Sequence

from coterie.bench.metrics import episode_metrics
from coterie.bench.results import Row
from coterie.bench.study import Study, columns, studies
from coterie.core.event import Event
from coterie.core.record import read
from coterie.core.records import StartEvent
from coterie.core.registry import import_all

import_all(__name__, __path__)

__all__ = ["Study", "score", "studies"]


def score(events: Sequence[Event]) -> Row:
    """The score of one episode, everything that tables need, from its log alone."""
    start = read(StartEvent, events[0])
    return {"sees": start.sees, "prompts": start.prompts, **episode_metrics(events), **columns(events)}
