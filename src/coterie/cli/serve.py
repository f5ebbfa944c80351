"""`coterie serve`: what was recorded, on a page."""

from __future__ import annotations

import argparse
from typing import Any

from coterie.cli.live_page import address, show_links
from coterie.cli.options import add_command
from coterie.cli.out import say, say_json


def add(commands: Any) -> None:
    add_command(commands, "serve", run)


def run(args: argparse.Namespace) -> int:
    from coterie.cli.out import DONE
    from coterie.episode.setup import load_plugins
    from coterie.link.fire import me
    from coterie.live.doors import ALL_WORDS, HERE, PROMPTS, WATCHER, Doors, Guest, allowed, check_bind, is_here
    from coterie.live.recorded import Shelf
    from coterie.live.server import Server

    load_plugins(args.load)
    at = address(args)
    context = check_bind(at["bind"], at["cert"], at["key"])
    names = [f"[{n}]" if ":" in n else n for n in at["hosts"] or [at["bind"]]]
    doors = Doors(HERE if is_here(at["bind"]) else (*HERE, *names), context is not None)
    with Server(Shelf(doors, args.folder), at["bind"], args.port, context) as server:
        base = f"{doors.scheme}://{names[0]}:{server.server_port}/#key="
        guests = allowed((Guest(me(), frozenset({PROMPTS, ALL_WORDS})), Guest(WATCHER)), args.may)
        links = {guest.name: base + doors.admit(guest) for guest in guests}
        if args.json:
            say_json({"links": links})
        else:
            show_links(links, cert=at["cert"])
            say("End it with Ctrl-C.")
        try:
            server.serve_forever(0.2)
        except KeyboardInterrupt:
            return DONE
    return DONE
