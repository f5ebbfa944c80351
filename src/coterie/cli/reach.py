"""`coterie reach`: robots whose drivers run on other computers, as if they were driven here."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from pathlib import Path
from typing import Any

from coterie.cli.out import say, say_json

_EXAMPLES = """\
examples:
  coterie robot arm.py Alice --network                        on the robot's computer
  coterie reach Alice                                         here, in a terminal of its own
  coterie run pack-objects --async --drive Alice              here, in another
  coterie stop                                                here, or there

Both computers need the files `key` and `stop-key` of one of them in their folders of robots: see docs/drivers.md.
"""


def add(commands: Any) -> None:
    p = commands.add_parser(
        "reach",
        description="Find robots whose drivers run on other computers (coterie robot --network), and let them be "
        "driven and stopped from here, until it is ended with Ctrl-C.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    p.add_argument("robots", nargs="*", metavar="ROBOT", help="which ones (default: all that have the same key)")
    p.add_argument("--at", default="", metavar="ENDPOINT", help="where a driver listens, such as tcp/10.0.0.2:7447")
    p.add_argument("--folder", type=Path, metavar="DIR", help="where drivers are found (COTERIE_ROBOTS)")
    p.add_argument("--json", action="store_true", help="tell each thing as a JSON object in a line of its own")
    p.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    from coterie.cli.codes import DONE
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
