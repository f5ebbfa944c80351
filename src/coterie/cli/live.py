"""A run as it happens: in a terminal a table of the team below a running account, in a pipe the account alone."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

from coterie.cli.follow import Follower
from coterie.cli.out import console
from coterie.cli.show import Lines, line, title
from coterie.core.errors import CoterieError
from coterie.core.event import from_line
from coterie.core.protocol import Ask
from coterie.log.file import Reader
from coterie.log.fold import apply, beginning
from coterie.log.state import RobotState, State
from coterie.log.words import action_words
from coterie.render import palette
from coterie.render.pictures import Pictures

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

    from coterie.cli.terminal import Terminal
    from coterie.episode.loop import Episode


PACE_S = 0.25  # how long a terminal shows each step, unless told otherwise
LEAST_ROWS, MOST_ROWS = 8, 30  # of a map
WIDE = 110  # columns from which on the board has one line for each robot


class Watcher(Follower):
    """Shows the log of a running episode.

    Each step stays for `pace` seconds; without one, a terminal gets a quarter of a second and a pipe no time at all.
    The foreword is said once the episode has begun, and never where it cannot.
    """

    out: Terminal

    def __init__(self, pace: float | None = None, foreword: str = "", protocol: str = ""):
        super().__init__(protocol)
        self.foreword, self.out = foreword, console()
        self.pace = pace if pace is not None else PACE_S if self.out.is_terminal else 0.0
        self.state: State | None = None
        self._lines: Lines | None = None
        self._reader: Reader | None = None
        self._live: Any = None

    def __enter__(self) -> Watcher:
        if self.out.is_terminal:
            from rich.live import Live

            self._live = Live(console=self.out, auto_refresh=False, transient=True)  # the account and score remain
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()
        if self._reader is not None:
            self._reader.close()

    def step(self, episode: Episode) -> None:
        super().step(episode)
        if self.pace > 0:
            begun = time.perf_counter()
            try:
                time.sleep(self.pace)
            finally:
                self.rested_s += time.perf_counter() - begun

    def catch_up(self) -> None:
        if self._log is None:
            return
        self._reader = self._reader or Reader(self._log)  # in the episode's own thread, so that words keep their order
        new = [from_line(text) for text in self._reader.take()]
        for event in new:
            if self.state is None:
                self.state = beginning(event)
                self._lines = Lines(self.state.start)
                self._introduce(self.state)
                continue
            apply(self.state, event)
        if self._lines is not None:
            for text in self._lines.of(new):
                self.out.print(text)
        self.refresh()

    def _introduce(self, state: State) -> None:
        for words in self.foreword.splitlines():
            self.out.print(line((words, "yellow")), soft_wrap=True)
        self.out.print(title(state.start))
        self.out.print(line(("goal  ", "dim"), state.goal_text))

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        with super().paused():
            if self._live is not None:
                self._live.stop()
            yield
            if self._live is not None:
                self._live.start()

    def progress(self, words: str, done: int, total: int) -> None:
        if self._live is not None:
            share = f" {100 * done // total} %" if total else ""
            self._live.update(line((f"{words}{share}", "yellow")), refresh=True)
        elif done == 0:
            self.out.print(line(words))

    def thinks(self, asks: Sequence[Ask]) -> None:
        """Show which robots are asked. Before the first step there is nothing else to show."""
        super().thinks(asks)
        if self.begun or not self.thinking:
            return
        stages = ", ".join(dict.fromkeys(self.thinking.values()))
        verb = "thinks" if len(self.thinking) == 1 else "think"
        words = f"before the first step: {', '.join(self.thinking)} {verb} ({stages})"
        if self._live is not None:
            self._live.update(line((f"{words} …", "yellow")), refresh=True)
        else:
            self.out.print(line((words, "dim")))

    def again(self, ask: Ask) -> None:
        self.out.print(line((f"{ask.robot}'s reply could not be used ({ask.stage}); asked again", "dim")))

    def warn(self, words: str) -> None:
        self.out.print(line((words, "yellow")), soft_wrap=True)

    def refresh(self) -> None:
        if self._live is not None and self.state is not None:
            shown = board(self.state, self.thinking, self.out.width, self.out.height, self.unread_words())
            self._live.update(shown, refresh=True)


def board(
    state: State, thinking: dict[str, str], width: int = WIDE, height: int = 24, unread: str = ""
) -> RenderableType:
    """The team at a glance: who is where, holds what, does what, and thinks what."""
    from rich.console import Group
    from rich.panel import Panel
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    colours = palette.robots({n: r.card for n, r in state.robots.items()})
    wide, draws = width >= WIDE, _pictures(state)
    table = Table(box=None, padding=(0, 2, 0, 0), expand=True, header_style="dim")
    table.add_column("robot", no_wrap=True)
    known = {name: (draws.whereabouts(state, name), _held(state, name)) for name in state.robots}
    told = [i for i in (0, 1) if i or any(cells[0] for cells in known.values())]  # arms at a table are nowhere else
    for i in told:
        table.add_column(("is at", "holds")[i], no_wrap=True, overflow="ellipsis", max_width=24 if wide else 14)
    table.add_column("does", ratio=2)
    if wide:
        table.add_column("because", ratio=3)
    for name, robot in state.robots.items():
        does, because = _doing(robot, thinking.get(name))
        label = line((name, f"bold {colours[name]}"), (f" {robot.body}", "dim"))
        rest = [does, because] if wide else [Group(does, because) if because.plain else does]
        table.add_row(label, *(line(known[name][i] or "–") for i in told), *rest)
    progress = Table.grid(padding=(0, 2))
    bar = ProgressBar(
        total=1.0,
        completed=state.partial,
        width=30 if wide else 14,
        complete_style="green",
        finished_style="green",
    )
    progress.add_row(bar, Text(f"{round(100 * state.partial)} %", "bold"), line(state.status_text))
    steps = f"step {max(0, state.step)}" + (f" of {state.limit}" if state.limit else "")
    rows = height - len(state.robots) * (1 if wide else 2) - 12  # what the table and the account leave
    parts = Group(line(state.goal_text), progress, Text(""), *_map(draws, state, width - 6, rows), table)
    below = line((f"replies that could not be used: {unread}", "yellow")) if unread else None
    return Panel(parts, title=line(f"{steps}, {state.t:.0f} s simulated"), subtitle=below, border_style="dim")


def _held(state: State, name: str) -> str:
    """Return what a robot holds; its own belief where the log has the truth of a table in pictures only."""
    robot = state.robots[name]
    if any(key[0] == "holding" for key in state.true):
        return str(robot.holding or "")
    return str(robot.believes.get(("holding", name)) or "")


def _pictures(state: State) -> Pictures:
    """How the world of an episode is drawn; plainly, where it does not say so."""
    from coterie.worlds import pictures_of

    try:
        drawn: Pictures = pictures_of(state.start.raw)
        return drawn
    except CoterieError:
        return Pictures()


def _map(draws: Pictures, state: State, columns: int, rows: int) -> list[Text]:
    """The house from above, in worlds where it has to be found out and where there is room for it."""
    lines = draws.glimpse(state, columns, min(rows, MOST_ROWS)) if rows >= LEAST_ROWS else []
    return [line(*((text, _style(*colours)) for text, *colours in runs)) for runs in lines]


def _style(colour: str, behind: str) -> str:
    return f"{colour or 'default'} on {behind}" if behind else colour


def _doing(robot: RobotState, stage: str | None) -> tuple[Text, Text]:
    """Return what a robot does and its reason; for a failed action, why it failed."""
    act = robot.act
    if not robot.online:
        return line((f"gone since step {robot.left}", "dim")), line()
    if stage is not None:
        return line((f"thinks ({stage}) …", "yellow")), line()
    if act is None:
        return line(), line()
    mark = {"done": ("✓", "green"), "": ("…", "dim")}.get(act.status, ("✗", "bold red"))
    failed = act.status not in ("done", "")
    because = line((str(act.reason if failed else act.why), "red" if failed else "dim italic"))
    because.no_wrap, because.overflow = True, "ellipsis"
    return line(mark, " ", action_words(act.skill, act.args)), because
