"""`coterie stop`: every driven robot of this machine stands still, now, until it is released."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from coterie.cli.codes import DONE, NOT_ACHIEVED
from coterie.cli.out import complain, say, say_json

_EXAMPLES = """\
examples:
  coterie stop                    all robots, whatever their coordinators do
  coterie stop Alice              one of them
  coterie stop --ready            have everything ready, and stop when Enter is pressed
  coterie stop --release          they may move again; nothing moves because of it alone
  coterie stop --list             who is driven, and who is stopped
"""


def add(commands: Any) -> None:
    p = commands.add_parser(
        "stop",
        description="Stop robots that have drivers of their own (see: coterie robot), past whatever plans for them. "
        "They stay stopped until they are released.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    p.add_argument("robots", nargs="*", metavar="ROBOT", help="which ones (default all)")
    p.add_argument("--release", action="store_true", help="let them move again when they are next asked to")
    p.add_argument("--ready", action="store_true", help="have everything ready, and stop when Enter is pressed")
    p.add_argument("--list", action="store_true", help="say who is driven and who is stopped")
    p.add_argument("--by", metavar="NAME", help="who stops them (default your user name)")
    p.add_argument("--folder", type=Path, metavar="DIR", help="where drivers are found (COTERIE_ROBOTS)")
    p.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    p.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    from coterie.link.fire import me
    from coterie.link.stopping import Answers, Button, release, stop

    if args.list:
        return _list(args)
    by = args.by or me()
    if args.release:
        answers: Answers = release(by, args.robots, args.folder)
    elif args.ready:
        button = Button(args.robots, args.folder)
        names = ", ".join(button.entries)
        if not args.json:
            say(f"Ready to stop {names or 'nobody'}. Press Enter.")
            sys.stdout.flush()
        try:
            sys.stdin.readline()
            answers = button.stop(by)
        finally:
            button.close()
    else:
        answers = stop(by, args.robots, args.folder)
    done = "released" if args.release else "stopped"
    if args.json:
        took_ms = round(1000 * answers.took_s, 3)
        say_json({done: answers.robots, "wrong": answers.wrong, "unkept": answers.unkept, "took_ms": took_ms})
    else:
        if answers.robots:
            say(f"{done}: {', '.join(answers.robots)} ({1000 * answers.took_s:.0f} ms)")
        elif not answers.wrong:
            say("No robots are driven here.")
        for robot, words in answers.wrong.items():
            verb = "released" if args.release else "stopped"
            complain(f"{robot} was not {verb}: {words.rstrip('.')}.")
        for robot, words in answers.unkept.items():
            complain(unkept_words(robot, words))
    return NOT_ACHIEVED if answers.wrong or answers.unkept else DONE


def unkept_words(robot: str, why: str) -> str:
    return f"{robot} is stopped, but that could not be kept: {why.rstrip('.')}. A new driver finds it free."


def _list(args: argparse.Namespace) -> int:
    from coterie.link.folder import Folder
    from coterie.link.stopping import alive

    folder = Folder(args.folder)
    rows = [
        {
            "robot": e.robot,
            "process": e.pid,
            "since": e.since,
            "runs": alive(e.pid),
            "stopped": folder.stopped(e.robot),
            "far": bool(e.far_port),
        }
        for e in folder.entries()
        if not args.robots or e.robot in args.robots
    ]
    if args.json:
        say_json({"robots": rows})
        return DONE
    for row in rows:
        state = f"stopped by {row['stopped']}" if row["stopped"] else "driven elsewhere" if row["far"] else "free"
        runs = f"process {row['process']} since {row['since']}" if row["runs"] else "its driver does not run any more"
        say(f"{row['robot']}: {state}; {runs}")
    if not rows:
        say(f"No robots are driven here ('{folder.path}').")
    return DONE
