"""`coterie talk --join`: another terminal into a talk that runs on this machine."""

from __future__ import annotations

import argparse
import contextlib
import sys
import threading
import time
from pathlib import Path

from coterie.cli.line_editor import line_editor
from coterie.cli.out import complain, say
from coterie.cli.talk_terminal import QUIT, Printer
from coterie.core.errors import CoterieError

ANSWER_S = 20.0  # by the clock


def join(args: argparse.Namespace) -> int:
    given = [
        n for n in ("scene", "script", "seed", "level", "fault", "noise", "log", "resume", "taught") if getattr(args, n)
    ]
    if given:
        raise CoterieError(f"--join takes everything from the talk; leave --{given[0]} out.")
    return converse(args.join, args.folder, "Ask for example: What is going on?")


def converse(person: str, folder: Path | None, hint: str) -> int:
    """Say what is typed at a person's door, and print what that person is told."""
    from coterie.cli.codes import DONE
    from coterie.episode.talk_room import joined
    from coterie.link.lines import Gone, Line

    line = joined(person, folder)
    say(f"You are {person}. {hint}")
    over = threading.Event()
    asked = threading.Event()  # something was said that has not been answered
    editor, printer = line_editor(f"{person}: "), Printer(people={person})
    printer.coloured = editor is not None

    def listen(line: Line) -> None:
        try:
            while True:
                message = line.read()
                if message is not None and isinstance(message.get("tell"), str):
                    if not message.get("more"):  # else they were heard, and the answer is to come
                        asked.clear()
                    printer.tell(person, message["tell"])
        except Gone:
            if not over.is_set():
                complain("The talk is over.")
            over.set()

    threading.Thread(target=listen, args=(line,), daemon=True).start()
    try:
        with editor or contextlib.nullcontext():
            for row in editor or sys.stdin:
                text = row.strip()
                if over.is_set() or text.lower() in QUIT:
                    break
                if text:
                    asked.set()
                    line.send({"say": text})
            else:  # the end of a pipe: its last answer, and what comes with it
                until = time.monotonic() + ANSWER_S
                while asked.is_set() and time.monotonic() < until and not over.wait(0.05):
                    pass
                over.wait(1.0)
    except Gone:
        complain("The talk is over.")
    over.set()
    line.close()
    return DONE
