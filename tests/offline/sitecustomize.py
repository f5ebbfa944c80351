"""Keeps tests off the network, also in the processes they start: this folder is on their PYTHONPATH, so that Python
imports this file before anything else.

Whoever tries to reach another machine is refused, and the attempt is noted in a file: the test that is to blame fails
even where the refusal was caught, in a thread, or in a process whose end nobody looked at. Programs that are not
Python are not watched.
"""

from __future__ import annotations

import os
import sys
from typing import Any

NOTES = "OFFLINE_TESTS_NOTES"  # names the file; without it everything is allowed
#: Events of `sys.audit`, and which of their arguments says where to.
WHERE = {
    "socket.connect": 1,
    "socket.bind": 1,
    "socket.sendto": 1,
    "socket.sendmsg": 1,
    "socket.getaddrinfo": 0,
    "socket.gethostbyname": 0,
    "socket.gethostbyaddr": 0,
}


class Offline(RuntimeError):  # no OSError: those are taken for a machine that is down, and tried again
    """A test tried to reach another machine."""


def watch(event: str, args: tuple[Any, ...]) -> None:
    if event not in WHERE:
        return
    notes, where = os.environ.get(NOTES), args[WHERE[event]]
    if not notes or _here(where, anywhere=event != "socket.bind"):
        return
    words = (
        f"A test tried to {'listen at' if event == 'socket.bind' else 'reach'} {_shown(where)}. Tests have no network: "
        "one that fetches something says so with @pytest.mark.network('what it fetches')."
    )
    with open(notes, "a", encoding="utf-8") as file:
        file.write(words + "\n")
    raise Offline(words)


def _here(where: Any, anywhere: bool) -> bool:
    """No other machine can be meant; `anywhere`: an empty address is this machine, rather than all that call it."""
    if isinstance(where, tuple):
        where = where[0]
    if isinstance(where, (bytes, bytearray)):
        where = where.decode("latin-1")
    if where is None or where == "":
        return anywhere
    if not isinstance(where, str) or "/" in where or where.startswith("\0"):  # a file of this machine, or its kernel
        return True
    import ipaddress  # not at the top: it would cost every process that a test starts

    try:
        address = ipaddress.ip_address(where.partition("%")[0])
    except ValueError:
        return where in ("localhost", "ip6-localhost")
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


def _shown(where: Any) -> str:
    host, port = (where[0], f" (port {where[1]})") if isinstance(where, tuple) else (where, "")
    return f"{host or 'all addresses'}{port}"


sys.addaudithook(watch)
