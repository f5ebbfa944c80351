"""A line editor for talks: history, arrows, names completed with Tab. What is printed stands above the line."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from coterie.cli.out import complain

if TYPE_CHECKING:
    from prompt_toolkit.document import Document

MOST_WORDS = 4  # of a name that is completed
CLOSING_S = 2.0  # for the terminal to be as it was
MISSING = "Without prompt_toolkit lines have no history and names are not completed: pip install 'coterie[mission]'."


def line_editor(prompt: str, names: Callable[[], Iterable[str]] = tuple) -> LineEditor | None:
    """An editor where a person sits at a terminal; None for pipes, files and terminals that cannot move a cursor."""
    if not sys.stdin.isatty() or not sys.stdout.isatty() or os.environ.get("TERM", "dumb") == "dumb":
        return None
    try:
        return LineEditor(prompt, names)
    except ImportError:
        complain(MISSING)
        return None


def completions(text: str, names: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Names that the end of a text may become, each with how many characters of the text it stands for."""
    words = text.split(" ")
    for count in range(min(MOST_WORDS, len(words)), 0, -1):
        begun = " ".join(words[-count:])
        found = [n for n in names if n.lower().startswith(begun.lower()) and n != begun]
        if begun.strip() and found:
            yield from ((name, len(begun)) for name in sorted(found))
            return


class LineEditor:
    """Reads lines in any thread, while others print."""

    def __init__(self, prompt: str, names: Callable[[], Iterable[str]]):
        from prompt_toolkit import PromptSession
        from prompt_toolkit.completion import Completer, Completion
        from prompt_toolkit.patch_stdout import patch_stdout
        from prompt_toolkit.shortcuts import CompleteStyle

        class Names(Completer):
            def get_completions(self, document: Document, complete_event: Any) -> Iterator[Completion]:
                for name, length in completions(document.text_before_cursor, list(names())):
                    yield Completion(name, -length)

        self._session: PromptSession[str] = PromptSession(
            [("bold", prompt)],
            completer=Names(),
            complete_while_typing=False,
            complete_style=CompleteStyle.READLINE_LIKE,
            enable_history_search=True,
        )
        self._closed = self._interrupted = False
        self._over = threading.Event()
        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell began this in the background
            signal.signal(signal.SIGINT, signal.default_int_handler)
        self._reading = threading.Lock()
        self._printing = ExitStack()
        self._printing.enter_context(patch_stdout(raw=True))

    def __iter__(self) -> Iterator[str]:
        """The lines, until Ctrl-D. Ctrl-C interrupts the main thread, as it does without an editor."""
        while not self._closed:
            try:
                with self._reading:
                    text = self._session.prompt()
            except EOFError:
                return
            except KeyboardInterrupt:
                self._interrupted = True
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
                self._over.wait(CLOSING_S)  # a reader that ended now would be taken for one that has left
                return
            yield from text.splitlines()  # several, where they were pasted

    def __enter__(self) -> LineEditor:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        """Give the terminal back as it was, even while it is still read from. A Ctrl-C that came while Python could not
        raise an exception, as in a callback of the import system, is raised here."""
        self._closed = True
        self._over.set()
        loop = self._session.app.loop
        if loop is not None and self._session.app.is_running:
            loop.call_soon_threadsafe(self._leave)
        if self._reading.acquire(timeout=CLOSING_S):
            self._reading.release()
        self._printing.close()
        if self._interrupted and kind is None:
            raise KeyboardInterrupt

    def _leave(self) -> None:
        if self._session.app.is_running and not self._session.app.is_done:
            self._session.app.exit(exception=EOFError)
