"""`coterie mcp`: a server for agents, over standard input and output or HTTP on this machine."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

from coterie.cli.out import complain
from coterie.core.errors import CoterieError

_EXAMPLES = """\
examples:
  coterie mcp                                     for an agent that starts it (stdio)
  coterie mcp --http 8000                         on this machine; the address is printed
  coterie mcp --drive Alice --grant Alice=10      Alice is real, and the agent may command it for ten minutes
  coterie mcp --join                              in another terminal: allow what the agent proposes
"""


def add(commands: Any) -> None:
    p = commands.add_parser(
        "mcp",
        description="Serve an agent: list, run, bench, replay, explain, talk, and decide for robots. What would move a "
        "driven robot without a right is proposed to a person, who joins with --join.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    p.add_argument("--http", type=int, metavar="PORT", help="serve HTTP on this machine (default: stdio)")
    p.add_argument("--drive", default="", metavar="R", help="robots that are not simulated, like Alice,Bob")
    p.add_argument(
        "--grant", action="append", default=[], metavar="ROBOT=MINUTES", help="let the agent command a robot"
    )
    p.add_argument("--agent", default="agent", metavar="NAME", help="the agent's name in logs (default agent)")
    p.add_argument(
        "--folder", type=Path, default=Path("runs/mcp"), metavar="DIR", help="for its logs (default runs/mcp)"
    )
    p.add_argument("--robots", type=Path, metavar="DIR", help="where drivers are found (default COTERIE_ROBOTS)")
    p.add_argument("--join", action="store_true", help="be the person who allows what the agent of a server proposes")
    p.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    if args.join:
        from coterie.cli.talk import converse
        from coterie.mcp.consent import APPROVER, HELP

        return converse(APPROVER, args.folder / "doors", HELP)
    from coterie.cli.codes import DONE
    from coterie.episode.talk import Told
    from coterie.episode.talk_room import Room
    from coterie.link.fleet import Fleet
    from coterie.mcp.consent import APPROVER, Consent
    from coterie.mcp.server import Tools, server

    folder = args.folder.absolute()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    consent = Consent(args.agent, folder)
    for text in args.grant:
        robot, _, minutes = text.partition("=")
        if not robot or not minutes.isdecimal():
            raise CoterieError(f"'{text}' is no right: write ROBOT=MINUTES, like Alice=10.")
        consent.grant(robot, float(minutes))
    driven = [r for r in args.drive.split(",") if r]
    tools = Tools(folder, consent, lambda: Fleet(driven, args.robots), args.robots)
    made = server(tools)
    room = Room(lambda who, text: consent.heard(text) if who == APPROVER else None, [APPROVER], folder / "doors")
    consent.tell = lambda words: room.tell(Told(1, 0.0, APPROVER, words))
    try:
        with room:
            if args.http is None:
                made.run("stdio")
            else:
                path = f"/{os.urandom(16).hex()}"  # whoever knows the address is the agent
                complain(f"http://127.0.0.1:{args.http}{path}")
                made.run("streamable-http", host="127.0.0.1", port=args.http, streamable_http_path=path)
    finally:
        tools.close()
    return DONE
