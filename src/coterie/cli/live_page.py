"""The options of commands that show a page, and the lines that say where it is."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.cli.out import complain, say
from coterie.core.errors import CoterieError

if TYPE_CHECKING:
    from coterie.live.doors import Guest
    from coterie.live.process import Live


def has_page(args: argparse.Namespace) -> bool:
    """True if --live is given; without it, options that only a page has are refused."""
    for name in ("bind", "tls", "cert", "key", "may", "host"):
        if args.live is None and getattr(args, name):
            raise CoterieError(f"--{name} sets up the page of --live; add --live, or leave it out.")
    return args.live is not None


def address(args: argparse.Namespace) -> dict[str, Any]:
    """Where a page listens, by which names it is reached, and how it is encrypted."""
    bind, hosts, cert, key = args.bind or "127.0.0.1", list(args.host or ()), args.cert, args.key
    if bind in ("0.0.0.0", "::") and not hosts:
        from coterie.live.tls import own_names

        hosts = own_names()
    if args.tls:
        from coterie.live.tls import made

        if cert is not None or key is not None:
            raise CoterieError("--tls makes a certificate, and --cert and --key give one; leave one of them out.")
        cert, key = made(hosts or [bind])
    return {"bind": bind, "cert": cert, "key": key, "hosts": hosts}


def live_page(args: argparse.Namespace, mode: str, guests: Iterable[tuple[Guest, str]], **more: Any) -> Live:
    from coterie.live.doors import allowed
    from coterie.live.process import Live

    given = list(guests)
    guests = zip(allowed((guest for guest, _ in given), args.may), (token for _, token in given), strict=True)
    folder = more.pop("folder", getattr(args, "folder", None))
    return Live(mode, guests, port=args.live, folder=folder, **address(args), **more)


def show_links(links: dict[str, str], quiet: bool = False, cert: Path | None = None) -> None:
    """Where everybody finds the page, and on another device, how they sign in. With --json, on the standard error."""
    from coterie.live.doors import code_of
    from coterie.live.tls import fingerprint

    tell = complain if quiet else say
    for name, link in links.items():
        tell(f"page for {name}: {link}")
        if cert is not None:
            page, _, token = link.partition("#key=")
            tell(f"  or sign in at {page} as {name} with {code_of(token)}")
    if cert is not None:
        tell(f"fingerprint of its certificate (SHA-256): {fingerprint(cert)}")
    sys.stdout.flush()


def linger(live: Live, quiet: bool = False) -> None:
    """Keep a page up while a person looks, and at a terminal until the user ends it."""
    stays = sys.stdin.isatty() and sys.stdout.isatty()
    if stays and not quiet:
        say("The page stays. End it with Ctrl-C.")
    try:
        live.linger(stays)
    except KeyboardInterrupt:
        return
