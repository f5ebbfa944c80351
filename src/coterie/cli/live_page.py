"""The options of commands that show a page, and the lines that say where it is."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.cli.numbers import whole
from coterie.cli.out import complain, say

if TYPE_CHECKING:
    from coterie.live.doors import Guest
    from coterie.live.process import Live


def add_live(p: argparse.ArgumentParser, what: str) -> None:
    p.add_argument(
        "--live",
        nargs="?",
        const=0,
        type=whole("a port", 0, 65535),
        metavar="PORT",
        help=f"{what} on a page in your browser; the link is printed (without a port, at a free one)",
    )
    add_bind(p)


def add_bind(p: argparse.ArgumentParser) -> None:
    p.add_argument("--bind", metavar="ADDRESS", help="where the page listens (default 127.0.0.1); others need --cert")
    p.add_argument("--cert", type=Path, metavar="FILE", help="a certificate, for a page beyond this machine")
    p.add_argument("--key", type=Path, metavar="FILE", help="its key")
    p.add_argument(
        "--host", action="append", metavar="NAME", help="by which name that page is reached; may be repeated"
    )


def address(args: argparse.Namespace) -> dict[str, Any]:
    return {"bind": args.bind or "127.0.0.1", "cert": args.cert, "key": args.key, "hosts": args.host or ()}


def live_page(args: argparse.Namespace, mode: str, guests: Iterable[tuple[Guest, str]], **more: Any) -> Live:
    from coterie.live.process import Live

    return Live(mode, guests, port=args.live, folder=getattr(args, "folder", None), **address(args), **more)


def show_links(links: dict[str, str], quiet: bool = False) -> None:
    """Where everybody finds the page. With --json, on the standard error."""
    for name, link in links.items():
        (complain if quiet else say)(f"page for {name}: {link}")
    sys.stdout.flush()


def linger(live: Live, quiet: bool = False) -> None:
    """The page stays while somebody looks, and at a terminal until the user ends it."""
    stays = sys.stdin.isatty() and sys.stdout.isatty()
    if stays and not quiet:
        say("The page stays. End it with Ctrl-C.")
    try:
        live.linger(stays)
    except KeyboardInterrupt:
        return
