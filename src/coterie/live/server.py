"""The page's own server: the standard library's, a thread for each connection, and checks before anything is done."""

from __future__ import annotations

import contextlib
import json
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

from coterie.core.errors import CoterieError
from coterie.live.book import Book
from coterie.live.doors import Doors, Guest

MOST_BODY = 64_000  # bytes
MOST_WATCHERS = 100
MOST_OPEN = 300  # connections
HEADERS_S = 10.0  # for a whole request
SEND_S = 10.0  # for a watcher to take what was sent
REST_S = 0.02  # between two looks of a watcher: a hundred of them must not keep out who presses Stop
BEAT_S = 10.0  # between two signs of life
RULE = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'"
)
HEADERS = {
    "Content-Security-Policy": RULE,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
KINDS = {"html": "text/html", "js": "text/javascript", "css": "text/css"}


class Answer(NamedTuple):
    """The response to a request: JSON, or other data."""

    data: Any = None
    status: int = 200
    kind: str = "application/json"


class Refused(Exception):
    """A request that is not answered as asked."""

    def __init__(self, status: int, words: str):
        super().__init__(words)
        self.status = status


class Site:
    """The content of a server; a live episode and a folder of logs fill it in."""

    title = "Coterie"
    script = "live.js"

    def __init__(self, doors: Doors):
        self.doors = doors

    def about(self, guest: Guest) -> dict[str, Any]:
        """The data that a page needs before it begins."""
        return {}

    def book(self, guest: Guest, query: Mapping[str, str]) -> Book:
        """The rows that a guest follows."""
        raise Refused(404, "There is nothing to follow here.")

    def get(self, guest: Guest, path: str, query: Mapping[str, str]) -> Answer:
        raise Refused(404, "There is nothing here.")

    def do(self, guest: Guest, wish: Mapping[str, Any]) -> Any:
        """Something that a guest does."""
        raise Refused(404, "Nothing can be done here.")


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, site: Site, address: str, port: int, context: ssl.SSLContext | None):
        self.site, self.context = site, context
        self.cookie = ""
        self.waiting: dict[socket.socket, float] = {}  # connections whose request is not whole yet, and since when
        self.count, self.watchers, self.lock = 0, 0, threading.Lock()
        self.address_family = socket.AF_INET6 if ":" in address else socket.AF_INET
        try:
            super().__init__((address, port), Handler)
        except OSError as err:
            raise CoterieError(f"Cannot open port {port} of {address}: {err.strerror}. Name another one.") from err
        self.cookie = f"coterie_{self.server_address[1]}"  # cookies are shared by all ports of a machine

    def server_bind(self) -> None:
        """As a socket does, without asking what the machine is called."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = str(self.server_address[0]), int(self.server_address[1])

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, where = super().get_request()
        connection.settimeout(HEADERS_S)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self.context is not None:  # greeted in the connection's own thread
            connection = self.context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
        return connection, where

    def process_request(self, request: Any, client_address: Any) -> None:
        with self.lock:
            if self.count >= MOST_OPEN and self.waiting:
                _shut(next(iter(self.waiting)))  # who has waited longest to say something makes way
            self.count += 1
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        with self.lock:
            self.count -= 1
            self.waiting.pop(request, None)
        super().shutdown_request(request)

    def service_actions(self) -> None:
        """Several times a second: those who take too long to say what they want."""
        with self.lock:
            for connection, since in list(self.waiting.items()):
                if time.monotonic() > since + HEADERS_S:
                    _shut(connection)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Connections break; nobody is told."""


def _shut(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


class Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "Coterie", ""

    def handle_one_request(self) -> None:
        self.close_connection = True
        with self.server.lock:
            self.server.waiting[self.connection] = time.monotonic()
        with contextlib.suppress(OSError, ValueError):
            super().handle_one_request()

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is printed."""

    def handle_expect_100(self) -> bool:
        self._send(Answer({"error": "Send the whole request."}, 417))
        return False

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """For what is no request at all."""
        self.close_connection = True
        with contextlib.suppress(ValueError):
            self._send(Answer({"error": message or HTTPStatus(code).phrase}, code))

    def do_GET(self) -> None:
        self._answer(self._get)

    def do_HEAD(self) -> None:
        self._answer(self._get)

    def do_POST(self) -> None:
        self._answer(self._post)

    def _answer(self, find: Callable[[str, dict[str, str]], Answer | None]) -> None:
        try:
            path, query = self._checked()
            found = find(path, query)
            if found is not None:
                self._send(found)
        except Refused as err:
            self.close_connection = True  # there may be a body that nobody has read
            self._send(Answer({"error": str(err)}, err.status))
        except CoterieError as err:
            self._send(Answer({"error": str(err)}, 409))

    # -- checks -----------------------------------------------------------------------------------------------------
    def _checked(self) -> tuple[str, dict[str, str]]:
        """The path and the query of a request that is meant for this page."""
        doors, headers = self.server.site.doors, self.headers
        hosts, origins = headers.get_all("Host") or [], headers.get_all("Origin") or []
        if len(hosts) != 1 or not doors.knows_host(hosts[0]):
            raise Refused(421, "This page is not known by that name.")
        if len(origins) > 1 or any(not doors.knows_origin(o, hosts[0]) for o in origins):
            raise Refused(403, "Another page asks; that is not answered.")
        if self.command == "POST" and not origins:
            raise Refused(403, "A request that does something says from which page it comes (Origin).")
        if headers.get("Sec-Fetch-Site", "none") not in ("same-origin", "none") and urlsplit(self.path).path != "/":
            raise Refused(403, "Another page asks; that is not answered.")
        if headers.get("Upgrade") or headers.get("Transfer-Encoding"):
            raise Refused(400, "No upgrade, and no body in pieces.")
        if not self.path.startswith("/") or len(self.path) > 2000:
            raise Refused(400, "That is no path of this page.")
        with self.server.lock:
            self.server.waiting.pop(self.connection, None)
        parts = urlsplit(self.path)
        return parts.path, {k: v[-1] for k, v in parse_qs(parts.query, max_num_fields=20).items()}

    def _guest(self) -> Guest:
        cookie = SimpleCookie()
        with contextlib.suppress(CookieError):
            cookie.load(self.headers.get("Cookie", ""))
        token = cookie.get(self.server.cookie)
        guest = self.server.site.doors.guest(token.value if token is not None else "")
        if guest is None:
            raise Refused(401, "Open the link that the command printed: it lets you in.")
        return guest

    def _body(self) -> dict[str, Any]:
        lengths = self.headers.get_all("Content-Length") or []
        if len(lengths) != 1 or not lengths[0].isascii() or not lengths[0].isdigit():
            raise Refused(411, "Say how long the request is.")
        if len(lengths[0]) > 8 or int(lengths[0]) > MOST_BODY:
            raise Refused(413, f"A request has at most {MOST_BODY} bytes.")
        if self.headers.get_content_type() != "application/json":
            raise Refused(415, "Requests are JSON.")
        with self.server.lock:
            self.server.waiting[self.connection] = time.monotonic()
        raw = self.rfile.read(int(lengths[0]))
        with self.server.lock:
            self.server.waiting.pop(self.connection, None)
        if len(raw) < int(lengths[0]):
            raise Refused(400, "The request ends too early.")
        try:
            data = json.loads(raw)
        except (ValueError, RecursionError):
            raise Refused(400, "That is no JSON.") from None
        if not isinstance(data, dict):
            raise Refused(400, "A request is an object.")
        return data

    # -- requests -----------------------------------------------------------------------------------------------------
    def _get(self, path: str, query: dict[str, str]) -> Answer | None:
        site = self.server.site
        if path == "/":  # it holds nothing; all that it shows needs a token
            return Answer(shell(site), kind="text/html")
        if path[1:] in STATIC:
            package = "coterie.page" if path.startswith("/page.") else "coterie.live"
            text = files(package).joinpath(path[1:]).read_text(encoding="utf-8")
            return Answer(text, kind=KINDS[path.rpartition(".")[2]])
        guest = self._guest()
        if path == "/me":
            return Answer({"name": guest.name, "rights": sorted(guest.rights), **site.about(guest)})
        if path == "/rows":
            self._stream(site.book(guest, query), guest)
            return None
        return site.get(guest, path, query)

    def _post(self, path: str, query: dict[str, str]) -> Answer | None:
        if path == "/enter":
            said, doors = self._body(), self.server.site.doors
            token = said.get("token")
            if "name" in said:
                token = doors.sign_in(str(said["name"])[:100], str(said.get("code"))[:100])
            guest = doors.guest(token) if isinstance(token, str) else None
            if guest is None:
                raise Refused(401, "That is not valid, or no longer: a new run has new links and codes.")
            self._cookie = str(token)
            return Answer({"name": guest.name})
        if path != "/do":
            raise Refused(404, "There is nothing here.")
        guest = self._guest()
        return Answer(self.server.site.do(guest, self._body()) or {})

    _cookie = ""

    def _send(self, answer: Answer) -> None:
        text = json.dumps(answer.data) if answer.kind == "application/json" else answer.data
        raw = text if isinstance(text, bytes) else text.encode("utf-8", "replace")
        self._head(answer.status, answer.kind, len(raw))
        if self.command != "HEAD":
            self.wfile.write(raw)

    def _head(self, status: int, kind: str, length: int | None) -> None:
        self.send_response(status)
        charset = "; charset=utf-8" if kind.startswith("text/") else ""
        self.send_header("Content-Type", kind + charset)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        if self._cookie:
            secure = "; Secure" if self.server.context is not None else ""
            cookie = f"{self.server.cookie}={self._cookie}; HttpOnly; SameSite=Strict; Path=/{secure}"
            self.send_header("Set-Cookie", cookie)
            self._cookie = ""
        if length is not None:
            self.send_header("Content-Length", str(length))
        if length is None or self.close_connection or status >= 400:
            self.close_connection = True
            self.send_header("Connection", "close")
        self.end_headers()

    def _stream(self, book: Book, guest: Guest) -> None:
        """Rows as they come, with their numbers: a browser that comes back says the last that it has."""
        last = self.headers.get("Last-Event-ID", "")
        at = int(last) + 1 if last.isascii() and last.isdigit() and len(last) < 12 else 0
        with self.server.lock:
            if self.server.watchers >= MOST_WATCHERS:
                raise Refused(503, f"{MOST_WATCHERS} pages watch already.")
            self.server.watchers += 1
        try:
            self._head(200, "text/event-stream", None)
            self.connection.settimeout(SEND_S)
            while True:
                at, rows = book.read(at, guest, BEAT_S)
                text = f"id: {at - 1}\ndata: [{','.join(rows)}]\n\n" if rows else ": still here\n\n"
                self.wfile.write(text.encode("utf-8", "backslashreplace"))
                if book.closed and at >= len(book.lines):
                    return
                time.sleep(REST_S)
        except OSError:
            return  # who does not read, or is gone, is let go
        finally:
            with self.server.lock:
                self.server.watchers -= 1


STATIC = ("page.js", "page.css", "live.js", "live.css", "talk.js", "folder.js")


def shell(site: Site) -> str:
    """The page without anything in it: the same body as that of an episode in a file."""
    whole = files("coterie.page").joinpath("page.html").read_text(encoding="utf-8")
    body = whole[whole.index("<body>") : whole.index('<script type="application/json"')]
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="color-scheme" content="light dark">\n<title>{site.title}</title>\n'
        '<link rel="stylesheet" href="page.css">\n<link rel="stylesheet" href="live.css">\n'
        f'<link rel="icon" href="data:,">\n<script src="page.js" defer></script>\n'
        f'<script type="module" src="{site.script}"></script>\n</head>\n{body}</body>\n</html>\n'
    )
