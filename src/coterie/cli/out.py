"""All that is printed goes through here and `core/visible.py`, with colours (`console`) and without; the exit codes."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, Any

from coterie.core.visible import json_text, sentence, visible_lines

if TYPE_CHECKING:
    from coterie.cli.terminal import Terminal

#: Exit codes; others rely on them.
DONE, NOT_ACHIEVED, WRONG_USE, UNFORESEEN, INTERRUPTED = 0, 1, 2, 70, 130


def console(plain_width: int = 160) -> Terminal:
    """Standard output. In a pipe lines are not broken and carry no colours."""
    from coterie.cli.terminal import terminal

    out = terminal()
    return out if out.is_terminal else terminal(width=plain_width, soft_wrap=True)


def say(text: str, error: bool = False) -> None:
    """Lines on standard output, or beside it."""
    print(visible_lines(text), file=sys.stderr if error else None)


def say_json(data: Any) -> None:
    """Print one JSON object and nothing else, at once: its reader may wait for it."""
    print(json_text(data), flush=True)


def say_result(as_json: bool, words: str, **data: Any) -> None:
    """Print a result: its data as one JSON object, or in words."""
    if as_json:
        say_json(data)
    else:
        console(plain_width=240).print(words, soft_wrap=True)


def complain(error: object) -> None:
    """A sentence on standard error, where there is one that takes it: the exit code says it as well."""
    with contextlib.suppress(OSError, ValueError):
        print(sentence(str(error)), file=sys.stderr)
