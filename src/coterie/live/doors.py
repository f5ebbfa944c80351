"""Who may enter: a token for each guest, which is one person with some rights. Nothing else here knows tokens."""

from __future__ import annotations

import base64
import hashlib
import ipaddress
import os
import ssl
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from coterie.core.errors import CoterieError, unknown_name

#: What a guest may do besides watching. What words may order is decided by the team's own authority, as in a talk.
TALK, STOP, CONTROL, PROMPTS, ALL_WORDS = "talk", "stop", "control", "prompts", "words"
OPERATOR = frozenset({STOP, CONTROL, PROMPTS, ALL_WORDS})
PERSON = frozenset({TALK, STOP})
GIVEN = (PROMPTS, ALL_WORDS)  # rights that may be given to others
WATCHER = "watcher"
MOST_WRONG = 10  # attempts to sign in, in a minute
HERE = ("127.0.0.1", "localhost", "[::1]")


class Guest(NamedTuple):
    """A person at the page."""

    name: str
    rights: frozenset[str] = frozenset()


def allowed(guests: Iterable[Guest], given: Iterable[str]) -> list[Guest]:
    """The guests with the rights that they are given besides their own, like "nurse=prompts"."""
    some = list(guests)
    found = {guest.name: guest for guest in some}
    if len(found) < len(some):
        raise CoterieError(
            f"Nobody but those who only watch is '{WATCHER}' on a page: name whoever wants something otherwise "
            "(--by of a mission), or use another account."
        )
    for text in given:
        name, _, right = text.partition("=")
        if right not in GIVEN:
            raise CoterieError(f"'{text}' gives no right: write PERSON=prompts or PERSON=words, like watcher=prompts.")
        if name not in found:
            raise unknown_name("person of the page", name, found)
        found[name] = Guest(name, found[name].rights | {right})
    return list(found.values())


def new_token() -> str:
    return os.urandom(24).hex()


def code_of(token: str) -> str:
    """A code to type in where a link cannot be followed: 40 bits, and few tries a minute for guesses."""
    found = base64.b32encode(_digest(f"code {token}")).decode()[:8].lower()
    return f"{found[:4]}-{found[4:]}"


class Doors:
    """The guests of a page, and the addresses under which it answers."""

    def __init__(self, hosts: Iterable[str] = HERE, secure: bool = False):
        self.hosts, self.scheme = frozenset(h.lower() for h in hosts), "https" if secure else "http"
        self._guests: dict[bytes, Guest] = {}
        self._codes: dict[tuple[str, str], str] = {}  # tokens by who signs in
        self._wrong: list[float] = []  # when somebody tried in vain

    def admit(self, guest: Guest, token: str = "") -> str:
        """Let somebody enter with a token, which is returned."""
        token = token or new_token()
        self._guests[_digest(token)] = guest
        self._codes[guest.name.lower(), code_of(token)] = token
        return token

    def sign_in(self, name: str, code: str) -> str:
        """The token of a person who says name and code; empty where they are wrong, or too many were of late. Only a
        page that is encrypted has this door."""
        now = time.monotonic()
        self._wrong = [t for t in self._wrong if t > now - 60.0]
        if self.scheme != "https" or len(self._wrong) >= MOST_WRONG:
            return ""
        bare = code.replace("-", "").replace(" ", "").lower()[:8]
        token = self._codes.get((name.strip().lower(), f"{bare[:4]}-{bare[4:]}"), "")
        if not token:
            self._wrong.append(now)
        return token

    def guest(self, token: str) -> Guest | None:
        return self._guests.get(_digest(token)) if token else None  # a digest tells nothing by the time it takes

    def knows_host(self, header: str) -> bool:
        """Whether a request was meant for this page: names of strangers that lead here are not answered. The port is
        that of a tunnel, perhaps."""
        name, colon, port = header.rpartition(":") if not header.endswith("]") else (header, "", "")
        if not colon:
            name = header
        return name.lower() in self.hosts and (not colon or (port.isascii() and port.isdigit() and len(port) < 6))

    def knows_origin(self, origin: str, host: str) -> bool:
        """Whether a script that asks belongs to this very page."""
        return origin.lower() == f"{self.scheme}://{host.lower()}"


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def is_here(address: str) -> bool:
    """Whether an address is reached from this machine alone."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address == "localhost"


def check_bind(address: str, cert: Path | None, key: Path | None) -> ssl.SSLContext | None:
    """How a page is encrypted; a sentence where it would be open to others without."""
    if (cert is None) != (key is None):
        raise CoterieError("--cert and --key go together: a certificate, and its key.")
    if cert is None or key is None:
        if not is_here(address):
            raise CoterieError(
                f"Beyond this machine (--bind {address}) the page needs TLS, since words and tokens could be read "
                "on the way: give --tls (a certificate is made) or --cert FILE and --key FILE; or leave --bind out and "
                "use a tunnel (ssh -L)."
            )
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(cert, key)
    except (OSError, ssl.SSLError) as err:
        raise CoterieError(f"'{cert}' and '{key}' are no certificate with its key: {err}.") from err
    return context
