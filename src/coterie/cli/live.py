"""A run as it happens: in a terminal a table of the team below a running account, in a pipe the account alone."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import TYPE_CHECKING, Any

from coterie.cli.show import Lines, console
from coterie.core.event import from_line, to_line
from coterie.core.protocol import Ask, Reply
from coterie.view import palette
from coterie.view.state import State, beginning
from coterie.view.words import action_words

if TYPE_CHECKING:
    from rich.console import RenderableType

    from coterie.core.event import Log
    from coterie.core.loop import Episode
    from coterie.llm.chat import Model


class Watcher(AbstractContextManager["Watcher"]):
    """Follows the log of a running episode. Silent, it follows it without showing anything."""

    def __init__(self, silent: bool = False):
        self.silent = silent
        self.out = console()
        self.state: State | None = None
        self.thinking: dict[str, str] = {}  # robot -> stage for which a model is being asked
        self._lines: Lines | None = None
        self._log: Log | None = None
        self._seen = 0
        self._live: Any = None

    def __enter__(self) -> Watcher:
        if not self.silent and self.out.is_terminal:
            from rich.live import Live

            self._live = Live(console=self.out, auto_refresh=False, transient=False)
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def step(self, episode: Episode) -> None:
        """Called by the loop after every step."""
        self._log = episode.log
        self.catch_up()

    @property
    def begun(self) -> bool:
        """Whether a step has been taken."""
        return self._log is not None

    def catch_up(self) -> None:
        """Show what has been logged since."""
        if self._log is None or self.silent:
            return
        new = [from_line(to_line(e)) for e in self._log.events[self._seen :]]  # as readers of the file see them
        self._seen = len(self._log.events)
        for event in new:
            if self.state is None:
                self.state, self._lines = beginning(event), Lines(event.data)
                self._introduce(self.state)
                continue
            self.state.apply(event)
        if self._lines is not None:
            for line in self._lines.of(new):
                self.out.print(line)
        self.refresh()

    def _introduce(self, state: State) -> None:
        from rich.text import Text

        config = state.start["config"]
        title = f"{config['task']} in {state.start['scene']['name']}, {config['team']}, {config['protocol']}"
        self.out.print(Text.assemble((title, "bold"), (f"  seed {config['seed']}", "dim")))
        self.out.print(Text.assemble(("goal  ", "dim"), state.goal_text))

    def refresh(self) -> None:
        if self._live is not None and self.state is not None:
            self._live.update(board(self.state, self.thinking), refresh=True)


def board(state: State, thinking: dict[str, str]) -> RenderableType:
    """The team at a glance: who is where, holds what, does what, and thinks what."""
    from rich.console import Group
    from rich.panel import Panel
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    colours = palette.robots({n: r.card for n, r in state.robots.items()})
    table = Table(box=None, padding=(0, 2, 0, 0), expand=True, header_style="dim")
    for heading, ratio in (("robot", 2), ("is at", 2), ("holds", 2), ("does", 4), ("because", 5)):
        table.add_column(heading, ratio=ratio, no_wrap=heading != "because", overflow="ellipsis")
    for name, robot in state.robots.items():
        act = robot.act
        does, because = Text(""), Text("")
        if not robot.online:
            does = Text(f"gone since step {robot.left}", "dim")
        elif name in thinking:
            does = Text(f"thinks ({thinking[name]}) …", "yellow")
        elif act is not None:
            mark = {"done": ("✓", "green"), "": ("…", "dim")}.get(act.status, ("✗", "bold red"))
            does = Text.assemble(mark, " ", action_words(act.skill, act.args))
            failed = act.status not in ("done", "")
            because = Text(act.reason if failed else act.why, "red" if failed else "dim italic")
        label = Text.assemble((name, f"bold {colours[name]}"), (f" {robot.body}", "dim"))
        table.add_row(label, robot.at or "–", robot.holding or "–", does, because)
    progress = Table.grid(padding=(0, 2))
    bar = ProgressBar(total=1.0, completed=state.partial, width=30, complete_style="green", finished_style="green")
    progress.add_row(bar, Text(f"{round(100 * state.partial)} %", "bold"), Text(state.status_text))
    title = f"step {max(0, state.step)}" + (f" of {state.limit}" if state.limit else "") + f", {state.t:.0f} s"
    return Panel(Group(Text(state.goal_text), progress, Text(""), table), title=title, border_style="dim")


class Watched:
    """A model that tells the watcher who is thinking."""

    def __init__(self, model: Model, watcher: Watcher):
        self.model, self.watcher = model, watcher
        self.name = model.name

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        self.watcher.thinking = {a.robot: a.stage for a in asks}
        self.watcher.catch_up()
        try:
            return self.model.answer(asks)
        finally:
            self.watcher.thinking = {}
