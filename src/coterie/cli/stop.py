"""`coterie stop`: every driven robot of this machine stands still, now, until it is released."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from coterie.cli.options import add_command
from coterie.cli.out import DONE, NOT_ACHIEVED, complain, say, say_json


def add(commands: Any) -> None:
    add_command(commands, "stop", run)


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
