"""`coterie robot`: the driver of some robots, as a process of its own."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from dataclasses import replace
from types import FrameType
from typing import TYPE_CHECKING, Any

from coterie.cli.options import add_command
from coterie.cli.out import say, say_json

if TYPE_CHECKING:
    from coterie.core.card import Card
    from coterie.link.host import Host

SWITCH_S = 0.0001  # how long one thread may keep the others waiting: an action that computes must not delay a stop


def add(commands: Any) -> None:
    add_command(commands, "robot", run)


def run(args: argparse.Namespace) -> int:
    from coterie.cli.out import DONE
    from coterie.link.folder import Folder
    from coterie.link.host import Host
    from coterie.link.making import make_robots

    ended = threading.Event()

    def end(_: int, __: FrameType | None) -> None:
        ended.set()

    sys.setswitchinterval(SWITCH_S)
    robots = make_robots(args.file, args.robots, args.bridge)
    if args.card is not None:
        robots[0].card = _card(args)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    host = Host(robots, Folder(args.folder))
    share = None
    try:
        if args.network is not None:
            from coterie.link.network import Share, Wire  # only these need it

            share = Share(host, Wire(host.folder, listen=args.network))
        _serve(host, ended, args.json)
    finally:
        if share is not None:
            share.close()
        host.close()
    if not args.json:
        say("Ended; the robots stand still.")
    return DONE


def _card(args: argparse.Namespace) -> Card:
    from coterie.core.errors import CoterieError
    from coterie.worlds import worlds

    if len(args.robots) > 1:
        raise CoterieError(f"'{args.card}' is of one robot; start a driver for each of {', '.join(args.robots)}.")
    wrong: list[CoterieError] = []
    for entry in [entry for _, entry in worlds.items() if "cards" in entry.takes]:  # skills say which world it is of
        try:
            return replace(entry.read_card(args.card), name=args.robots[0])
        except CoterieError as err:
            wrong.append(err)
    raise wrong[0]


def _serve(host: Host, ended: threading.Event, as_json: bool) -> None:
    stopped = [s.name for s in host.stations.values() if s.stopped_by]
    if as_json:
        say_json({"ready": list(host.stations), "stopped": stopped})
    else:
        say(f"{', '.join(host.stations)}: ready. Stop with: coterie stop")
    if stopped and not as_json:
        say(f"{', '.join(stopped)} were stopped before; release with: coterie stop --release")
    sys.stdout.flush()
    ended.wait()
