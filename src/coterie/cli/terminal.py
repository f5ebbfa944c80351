"""The console everything is printed on that has colours: nothing reaches a terminal that was not made visible first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from coterie.core.visible import visible


class Terminal(Console):
    """A console on which words are words. Square brackets and colons in a name mean nothing, and whatever a text holds
    besides letters is written out; what steers the terminal are the console's own segments alone."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            text, style, control = segment
            yield segment if control else Segment(visible(text, "\n"), style)

    def print(self, *objects: Any, **options: Any) -> None:
        """Words for a pipe are written as they are: laying out thousands of lines takes longer than all else."""
        words = objects[0] if len(objects) == 1 and options.keys() <= {"soft_wrap"} else None
        plain = words.plain if isinstance(words, Text) else words
        if not self.soft_wrap or self.is_terminal or not isinstance(plain, str) or "\t" in plain:
            super().print(*objects, **options)
            return
        self.file.write(visible(plain, "\n") + "\n")
        self.file.flush()  # one who reads along reads in time

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError  # which `main` answers for; of itself it would end everything with code 1


def terminal(stderr: bool = False, width: int | None = None, soft_wrap: bool = False) -> Terminal:
    return Terminal(stderr=stderr, highlight=False, emoji=False, markup=False, width=width, soft_wrap=soft_wrap)
