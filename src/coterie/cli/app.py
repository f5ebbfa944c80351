"""The entry point: finds the command, runs it, and turns every complaint into one sentence and an exit code.

A command is a module of this package with `add(commands)`, which adds a parser with the options of its file in
`commands` (see `options.py`) and the function that runs it, from parsed arguments to an exit code. A command that is
not asked for is not loaded.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import importlib
import io
import os
import sys
from collections.abc import Container, Sequence
from pathlib import Path
from typing import Any, NoReturn, TextIO

from coterie import __version__
from coterie.cli.options import read_commands
from coterie.cli.out import DONE, INTERRUPTED, UNFORESEEN, WRONG_USE, complain
from coterie.core.bounds import MOST_NAME, brief, is_name
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.visible import visible_lines

MOST_NEW = 60_000  # things that are made before Python looks which of them are still needed

_TOLD = read_commands("coterie")
#: The modules of this package that are commands, each with its line in `coterie --help`, which loads none of them.
COMMANDS: dict[str, str] = _TOLD["commands"]


class Parser(argparse.ArgumentParser):
    """Like argparse, but complaints are sentences, and they are raised."""

    def error(self, message: str) -> NoReturn:
        words = message[:1].upper() + message[1:].rstrip(".")
        raise CoterieError(f"{words}. See: {self.prog} --help")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Complain about unknown arguments here, in the parser of the command, which knows its options."""
        found, left = super().parse_known_args(args, namespace)
        many = [a for a in self._get_positional_actions() if a.nargs in ("+", "*")]
        if len(many) == 1 and many[0].type is None:  # options may stand between words of a list
            more = [word for word in left if not word.startswith("-")]
            setattr(found, many[0].dest, [*getattr(found, many[0].dest), *more])
            left = [word for word in left if word.startswith("-")]
        odd = [word.partition("=")[0] for word in left if word.startswith("-")]
        if odd:
            import difflib

            near = difflib.get_close_matches(odd[0], self._option_string_actions, n=1)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise CoterieError(f"No option {brief(odd[0])}.{hint} See: {self.prog} --help")
        if left:
            self.error(f"unrecognized arguments: {' '.join(left)}")
        return found, left

    def _print_message(self, message: str, file: Any = None) -> None:
        super()._print_message(visible_lines(message), file)  # names of plugins stand in some helps


def parser(names: Container[str]) -> Parser:
    """Return the parser that has the options of these commands, and one line of help for each of the others."""
    top = Parser(
        prog="coterie",
        description=_TOLD["description"],
        epilog=_TOLD["examples"],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"coterie {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name, summary in COMMANDS.items():
        if name in names:
            importlib.import_module(f"coterie.cli.{name}").add(commands)
        else:
            commands.add_parser(name, help=summary)
    return top


def _unraised(found: Any) -> None:
    """Print an exception that could not be raised, as in a generator that is collected, as one sentence."""
    complain(f"{found.err_msg or 'Ignored'}: {type(found.exc_value).__name__}: {found.exc_value}.")


def main(argv: Sequence[str] | None = None) -> int:
    gc.set_threshold(MOST_NEW, *gc.get_threshold()[1:])  # what is loaded stays; looking it through takes a while
    words = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):  # a terminal that lacks a sign gets its number, never a traceback
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.unraisablehook = _unraised
    try:
        return _main(words)
    except CoterieError as err:
        complain(err)
        return WRONG_USE
    except KeyboardInterrupt:
        complain("Stopped.")
        return INTERRUPTED
    except BrokenPipeError:  # the reader of a pipe has seen enough
        _mute(sys.stdout)
        return DONE
    except SystemExit as stop:
        return _ended(stop)
    except OSError as err:  # a disk that is full, a file that may not be touched
        if _own_line(err):
            return _failed(err, words)
        _mute(sys.stdout)  # what is left in it would complain again at the end
        complain(os_words(err))
        return WRONG_USE
    except MemoryError:
        complain("There is not enough memory for this. Make it smaller, or close other programs.")
        return WRONG_USE
    except Exception as err:  # noqa: BLE001 (the one place that answers for everything else)
        return _failed(err, words)


def os_words(err: OSError) -> str:
    name = f" '{err.filename}'" if err.filename is not None else ""
    return f"Cannot read or write{name or ' what is needed'}: {err.strerror or err}."


def _own_files() -> Sequence[Path]:
    """The files of the user's own that run in this process; nothing is imported only to ask."""
    setup = sys.modules.get("coterie.episode.setup")
    return setup.loaded_files() if setup is not None else ()


def _own_line(err: BaseException) -> str:
    """Where in a file of the user's own something went wrong, if it did there."""
    files = _own_files()
    return sys.modules["coterie.episode.setup"].own_line(err, files) if files else ""


def _ended(stop: SystemExit) -> int:
    """Nothing of ours leaves in this way; codes have meanings that others rely on."""
    where = _own_line(stop)
    complain(f"The program was ended with {stop.code!r}" + (f" by your file: {where}." if where else "."))
    return WRONG_USE


def _failed(err: Exception, words: Sequence[str]) -> int:
    """Report an unexpected exception: as the user's, if it comes from a file of their own, else as a bug of ours."""
    from coterie.cli.report import without_secrets, write_report

    path = write_report(err, words)
    what = without_secrets(f"{type(err).__name__}: {err}")[:300].rstrip(".")
    own = _own_line(err)
    if own:
        more = f" The whole trace is in {path}." if path else ""
        complain(f"Your file failed: {own}: {what}.{more}")
        return WRONG_USE
    where = f"Please report it with the file {path}" if path else "Please report it; no file could be written about it"
    loaded = "Files of your own are loaded; coterie.testing checks what they give back. " if _own_files() else ""
    complain(f"This should not have happened: {what}. {loaded}{where}.")
    return UNFORESEEN


def _mute(stream: TextIO) -> None:
    """Whatever is still to come goes nowhere."""
    with contextlib.suppress(OSError, ValueError):  # also of a stream that is no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _main(words: list[str]) -> int:
    for word in words:
        if not is_name(word[:MOST_NAME]):
            raise CoterieError(f"'{word[:80]}' holds a character that no word of a command can; leave it out.")
    if words and not words[0].startswith("-") and words[0] not in COMMANDS:
        raise unknown_name("command", words[0], COMMANDS)
    top = parser(words[:1])
    try:
        args = top.parse_args(words)
    except SystemExit as stop:  # --help and --version
        return int(stop.code or 0)
    if args.command is None:
        top.print_help()
        return WRONG_USE if words else DONE
    with contextlib.ExitStack() as early:
        if getattr(args, "live", None) is not None:
            from coterie.live.process import begun_early

            early.enter_context(begun_early())
        code: int = args.func(args)
    sys.stdout.flush()  # complains here about a disk that is full
    return code
