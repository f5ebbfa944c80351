"""`coterie reach`: robots whose drivers run on other computers, as if they were driven here."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from typing import Any

from coterie.cli.options import add_command
from coterie.cli.out import say, say_json


def add(commands: Any) -> None:
    add_command(commands, "reach", run)


def run(args: argparse.Namespace) -> int:
    from coterie.cli.out import DONE
    from coterie.link.folder import Folder
    from coterie.link.network import Reach, Wire

    def tell(words: str) -> None:
        say_json({"told": words}) if args.json else say(words)
        sys.stdout.flush()

    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    folder = Folder(args.folder)
    wire = Wire(folder, connect=args.at)
    tell(f"Looking for {', '.join(args.robots) or 'robots'} with the key in '{folder.path}'.")
    reach = Reach(folder, wire, args.robots, tell)
    try:
        ended.wait()
    finally:
        reach.close()
    return DONE
