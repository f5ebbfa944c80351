"""`coterie robot`: the driver of some robots, as a process of its own."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from coterie.cli.numbers import add_rows
from coterie.cli.out import say, say_json

if TYPE_CHECKING:
    from coterie.core.card import Card
    from coterie.link.host import Host

SWITCH_S = 0.0001  # how long one thread may keep the others waiting: an action that computes must not delay a stop

_EXAMPLES = """\
examples:
  coterie robot examples/pretend_robot.py Alice Bob
  coterie run pack-objects --async --drive Alice,Bob          in another terminal: a team with these two
  coterie stop                                                in a third

FILE is Python code that defines make(name), which returns a coterie.link.Robot: see docs/drivers.md. Or it is a TOML
file that names the topics, services and message fields of one robot that speaks ROS 2: see docs/ros2.md.
"""


def add(commands: Any) -> None:
    p = commands.add_parser(
        "robot",
        description="Serve robots to a coordinator on this machine, until it is ended with Ctrl-C. A robot is stopped "
        "when its coordinator falls silent, and by `coterie stop`.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_rows(
        p,
        ("file", "FILE", "a Python file with make(name), or a TOML file for ROS 2"),
        ("robots", "ROBOT", "the robots that it drives, as the team calls them", {"nargs": "+"}),
        ("--card", "FILE", "what its body can do, with which it joins a team that is at work", {"type": Path}),
        ("--bridge", "URL", "speak ROS over the rosbridge there, like ws://robot:9090, instead of rclpy",
         {"default": ""}),
        ("--network", "ENDPOINT", "serve coordinators on other computers, too (coterie reach), over zenoh; where to "
         "listen, such as tcp/0.0.0.0:7447 (default: they discover each other)", {"nargs": "?", "const": ""}),
        ("--folder", "DIR", "where drivers are found (COTERIE_ROBOTS)", {"type": Path}),
        ("--json", "", "say who is ready as one JSON object, and nothing else", {"action": "store_true"}),
    )  # fmt: skip
    p.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    from coterie.cli.codes import DONE
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
