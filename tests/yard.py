"""One call for one episode in the tiny world."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from coterie.core.action import Action
from coterie.core.protocol import Ask, Decision, Party, RobotView, SoloProtocol, TeamProtocol
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


def solo(act: Callable[[RobotView], Decision | str]) -> type[SoloProtocol]:
    """Minds of single robots that do what `act(me)` says, an action or the name of one."""

    class Does(SoloProtocol):
        def act(self, me: RobotView) -> Decision:
            what = act(me)
            return Action(what) if isinstance(what, str) else what

    return Does


def together(
    mind: Callable[[], TeamProtocol] = Tidier,
    task: Task | None = None,
    log: Log | None = None,
    settings: Settings | None = None,
    **outside: Any,
) -> tuple[Result, Log]:
    """Run one party of Ada and Bo, whom no model answers; `outside` is what comes from there."""
    task = task if task is not None else yard_task()
    log = log if log is not None else Log()
    log.add("start", data={"task": task.name})
    party = Party("team", mind, ("Ada", "Bo"))
    return run(YardWorld(task), task, [party], log, lambda asks: [], settings, **outside), log


def cut_anywhere(again: Callable[[Log], object], lines: list[str], every: int) -> None:
    """A run that goes on from any part of its log comes to the same one."""
    for cut in range(2, len(lines), every):
        log = Log(past=lines[:cut])
        again(log)
        assert log.lines() == lines, f"cut after line {cut}"


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
