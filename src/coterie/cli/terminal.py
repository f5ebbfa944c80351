"""The console everything is printed on that has colours: nothing reaches a terminal that was not made visible first."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from coterie.core.visible import visible


class Terminal(Console):
    """A console on which words are words. Square brackets and colons in a name mean nothing, and whatever a text holds
    besides letters is written out; what steers the terminal are the console's own segments alone."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            text, style, control = segment
            yield segment if control else Segment(visible(text, "\n"), style)


def terminal(stderr: bool = False, width: int | None = None, soft_wrap: bool = False) -> Terminal:
    return Terminal(stderr=stderr, highlight=False, emoji=False, markup=False, width=width, soft_wrap=soft_wrap)
