"""Episodes of small houses that are tidied."""

from __future__ import annotations

from coterie.core.protocol import Party
from coterie.episode.loop import Settings, run
from coterie.log.file import Log
from coterie.protocols.dynahmrc.oracle import Oracle
from coterie.worlds.household.setting import Start
from coterie.worlds.household.world import HouseholdWorld

STARTS = {"Ann": Start(1.0, 1.0, 0), "Eve": Start(6.0, 1.5, 90)}  # one in the kitchen, one in the bedroom


def played(task, make, answer=None, parties=None):
    """A task played by one kind of teammates, or by these parties: the result, the world, the log, the episode."""
    world, log, kept = HouseholdWorld(task, 0), Log(), {}
    parties = parties or [Party("team", make, tuple(name for name, _ in task.robots))]
    result = run(world, task, parties, log, answer or Oracle().answer, Settings(), lambda e: kept.update(e=e))
    return result, world, log, kept["e"]


def said(log, who=None):
    return [e for e in log.events if e.kind == "say" and who in (None, e.who)]


def did(log, skill):
    return [tuple(e.data["args"]) for e in log.events if e.kind == "did" and e.data["skill"] == skill]
