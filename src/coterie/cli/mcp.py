"""`coterie mcp`: a server for agents, over standard input and output or HTTP on this machine."""

from __future__ import annotations

import argparse
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from typing import TYPE_CHECKING, Any

from coterie.cli.ending import told_to_end
from coterie.cli.live_page import has_page, live_page, show_links
from coterie.cli.options import add_command
from coterie.cli.out import complain
from coterie.core.errors import CoterieError

if TYPE_CHECKING:
    from coterie.live.process import Live
    from coterie.mcp.consent import Consent


def add(commands: Any) -> None:
    add_command(commands, "mcp", run)


def run(args: argparse.Namespace) -> int:
    if args.join:
        from coterie.cli.talk import converse
        from coterie.mcp.consent import APPROVER, HELP

        return converse(APPROVER, args.folder / "doors", HELP)
    from coterie.cli.out import DONE
    from coterie.episode.talk import Told
    from coterie.episode.talk_room import Room
    from coterie.link.fleet import Fleet
    from coterie.mcp.consent import APPROVER, Consent
    from coterie.mcp.server import Tools, server

    folder = args.folder.absolute()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    consent, driven = Consent(args.agent, folder), [r for r in args.drive.split(",") if r]
    consent.robots = tuple(driven)
    for text in args.grant:
        robot, _, minutes = text.partition("=")
        if not robot or not minutes.isdecimal():
            raise CoterieError(f"'{text}' is no right: write ROBOT=MINUTES, like Alice=10.")
        consent.grant(robot, float(minutes))
    room = Room(lambda who, text: consent.heard(text) if who == APPROVER else None, [APPROVER], folder / "doors")
    with room, _page(args) as live:
        tools = Tools(folder, consent, lambda: Fleet(driven, args.robots), args.robots, live.follow if live else None)
        made = server(tools)
        consent.tell = lambda words: room.tell(Told(1, 0.0, APPROVER, words))
        if live is not None:
            _to_page(live, consent, driven)
        with told_to_end(), closing(tools):
            if args.http is None:
                _serve(made.run, "stdio")
            else:
                path = f"/{os.urandom(16).hex()}"  # whoever knows the address is the agent
                complain(f"http://127.0.0.1:{args.http}{path}")
                _serve(made.run, "streamable-http", host="127.0.0.1", port=args.http, streamable_http_path=path)
    return DONE


def _serve(serve: Callable[..., None], *given: Any, **more: Any) -> None:
    """Serve in a thread that ends with the process: it reads its next line, whatever tells it to end."""
    raised: list[BaseException] = []

    def go_on() -> None:
        try:
            serve(*given, **more)
        except BaseException as err:  # noqa: BLE001 (also what is no Exception is raised again below)
            raised.append(err)

    thread = threading.Thread(target=go_on, name="mcp", daemon=True)
    thread.start()
    thread.join()
    if raised:
        raise raised[0]


def _page(args: argparse.Namespace) -> AbstractContextManager[Live | None]:
    if not has_page(args):
        return nullcontext()
    from coterie.live.doors import OPERATOR, PERSON, WATCHER, Guest
    from coterie.mcp.consent import APPROVER

    guests = [(Guest(APPROVER, PERSON | OPERATOR), ""), (Guest(WATCHER), "")]
    return live_page(args, "agent", guests, paces=False, folder=args.robots)


def _to_page(live: Live, consent: Consent, driven: Sequence[str]) -> None:
    """Show proposals of the agent at the page, and take answers there as at the door of `--join`."""
    from coterie.mcp.consent import APPROVER, HELP, Proposal

    def show(proposal: Proposal, over: str) -> None:
        way = {"words": f"{proposal.robot}: {proposal.action}"}
        offer = {"goal": str(proposal.number), "seq": proposal.number, "to": APPROVER, "ways": [way], "over": over}
        live.tell({"offer": offer})

    def tell(words: str) -> None:
        live.tell({"told": {"to": APPROVER, "text": words, "t": 0.0}})
        at_the_door(words)

    def act(wish: Mapping[str, Any]) -> None:
        if wish["do"] in ("stop", "release"):
            consent.stop(wish["person"], wish["do"] == "stop")
        elif wish["do"] == "answer":
            consent.heard(f"{wish['answer']} {wish['goal']}")
        elif wish["do"] == "say":
            consent.heard(wish["text"])

    show_links(live.links, quiet=True, cert=live.cert)  # what goes to standard output is the agent's
    at_the_door, consent.tell, consent.show, live.act = consent.tell, tell, show, act
    verbs = ("ask", "yes", "no", "list", "grant", "revoke", "stop", "release")
    live.tell({"stops": list(driven), "names": [*driven, *verbs]})
    live.tell({"told": {"to": APPROVER, "text": HELP, "t": 0.0}})
