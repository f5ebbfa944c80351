"""One call for one episode in the tiny world."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from coterie.core.protocol import Ask, Party, TeamProtocol
from coterie.core.task import Task
from coterie.episode.loop import Episode, Result, Settings, run
from coterie.log.file import Log
from coterie.models.scripted import Scripted
from examples.yard import Tidier, YardWorld, first_choice, yard_task


class Played(NamedTuple):
    result: Result
    log: Log
    model: Scripted

    def said(self, kind: str, who: str | None = None) -> list[tuple[float, str, dict[str, object]]]:
        """(time, who, data) of the events of one kind."""
        return [(e.t, e.who, e.data) for e in self.log.events if e.kind == kind and who in (None, e.who)]


def parties(team: Callable[[], TeamProtocol], stranger: Callable[[], TeamProtocol] = Tidier) -> list[Party]:
    """The team of Ada and Bo, and the party of the stranger Zed, who need not come."""
    return [Party("team", team, ("Ada", "Bo")), Party("stranger", stranger, ("Zed",))]


def play(
    team: Callable[[], TeamProtocol],
    task: Task | None = None,
    settings: Settings | None = None,
    script: Callable[[Ask], str] = first_choice,
    log: Log | None = None,
    stranger: Callable[[], TeamProtocol] = Tidier,
    watch: Callable[[Episode], None] | None = None,
) -> Played:
    """Run a protocol for Ada and Bo to the end, with a scripted model."""
    task = task if task is not None else yard_task()
    model, log = Scripted(script), log if log is not None else Log()
    log.add("start", data={"task": task.name})
    result = run(YardWorld(task), task, parties(team, stranger), log, model.answer, settings, watch)
    return Played(result, log, model)
