"""The entry point: finds the command, runs it, and turns every complaint into one sentence and an exit code.

A command is a module of this package with `add(commands)`: it adds a parser to the argparse sub-parsers it is given
and sets `func`, a function from the parsed arguments to an exit code (0 done, 1 task not achieved, 2 wrong use).
A command that is not asked for is not loaded.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import io
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from coterie import __version__
from coterie.core.errors import CoterieError, unknown_name

DONE, NOT_ACHIEVED, WRONG_USE, INTERRUPTED = 0, 1, 2, 130
COMMANDS = ("run", "bench", "list", "replay", "memo", "doctor")

_EXAMPLES = """\
first steps:
  coterie doctor                                  is everything there?
  coterie run pack-objects                        three unlike robots pack a tray; watch them
  coterie run sort-solids --team Ma-MoMa-Mo-UAV --seed 7
  coterie run pack-objects --change cto@5         the goal changes at step 5
  coterie run make-sandwich --scene loft --gif sandwich.gif
  coterie replay runs/pack-objects-Ma-MoMa-UAV-rules-0.jsonl --step 3 --robot Alice
  coterie list protocols                          also: tasks, teams, robots, models, suites, scenes

exit codes: 0 done, 1 the task was not achieved, 2 wrong use
"""


class Parser(argparse.ArgumentParser):
    """Like argparse, but complaints are sentences, and they are raised."""

    def error(self, message: str) -> NoReturn:
        words = message[:1].upper() + message[1:].rstrip(".")
        raise CoterieError(f"{words}. See: {self.prog} --help")


def parser(names: Sequence[str]) -> Parser:
    """The parser of these commands; one that is not asked for need not be loaded."""
    top = Parser(
        prog="coterie",
        description="Makes a team out of unlike robots: they introduce themselves, divide work, act, talk, notice "
        "failure and re-plan.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"coterie {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name in names:
        importlib.import_module(f"coterie.cli.{name}").add(commands)
    return top


def available() -> list[str]:
    return [n for n in COMMANDS if importlib.util.find_spec(f"coterie.cli.{n}") is not None]


def main(argv: Sequence[str] | None = None) -> int:
    words = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):  # a terminal that lacks a sign gets its number, never a traceback
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        return _main(words)
    except CoterieError as err:
        print(err, file=sys.stderr)
        return WRONG_USE
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader of a pipe has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE


def _main(words: list[str]) -> int:
    if words and not words[0].startswith("-") and words[0] not in available():
        raise unknown_name("command", words[0], available())
    top = parser([words[0]] if words and words[0] in available() else available())
    try:
        args = top.parse_args(words)
    except SystemExit as stop:  # --help and --version
        return int(stop.code or 0)
    if args.command is None:
        top.print_help()
        return WRONG_USE if words else DONE
    code: int = args.func(args)
    sys.stdout.flush()
    return code
