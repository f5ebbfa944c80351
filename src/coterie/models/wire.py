"""JSON over HTTP to a model endpoint, with the standard library: time limits, tries, waiting, and words for failures.

A request has a deadline that holds for all of its tries and waits together, and what a server sends has a limit, so
that no server keeps a run waiting or fills its memory.

The key goes into one header and nowhere else: it is cut out of whatever a server says before a person reads it, and
redirections, which might carry it to another host, are not followed.
"""

from __future__ import annotations

import base64
import contextlib
import email.utils
import http.client
import json
import math
import os
import random
import re
import select
import socket
import ssl
import threading
import time
import urllib.parse
import urllib.request
from typing import Any, NamedTuple

from coterie.core.bounds import MOST_DEADLINE_S, load_json
from coterie.core.errors import CoterieError
from coterie.models import streamed
from coterie.models.bounded import BODY_BYTES, Limits, Plain, Secure, TooMuch, read_all
from coterie.models.budget import Pace

OPENAI = "https://api.openai.com/v1"
DEADLINE_S = 600.0  # of one request, with all its tries; a large model on a slow machine takes minutes
DEADLINE = "COTERIE_DEADLINE"
SECRET = 16  # characters from which on a key is one; local servers take any word
_TOO_LONG = ("context length", "context size", "context window", "context_length", "maximum context", "too many tokens")
_FILTERED = ("content_filter", "content filter", "content management policy", "content policy", "responsibleai")
_NEVER = re.compile(
    r"unrecogni[sz]ed|unknown|unsupported|not support|unexpected|extra (?:inputs|fields)|not permitted|not allowed|"
    r"additional propert|unavailable",
    re.IGNORECASE,
)
RETRIED = {408, 409, 425, 429, *range(500, 600)}


class Refused(Exception):
    """The endpoint understood a request and declines it: trying again as it is does not help."""

    def __init__(self, status: int, words: str):
        super().__init__(f"{status}: {words}")
        self.status, self.words = status, words

    @property
    def filtered(self) -> bool:
        """Whether a filter of contents stands before the model: another prompt may well pass."""
        return self.status in (400, 403, 422) and any(words in self.words.lower() for words in _FILTERED)

    @property
    def too_long(self) -> bool:
        """Whether it is about a prompt that the model cannot hold."""
        return self.status in (400, 413, 422) and any(words in self.words.lower() for words in _TOO_LONG)

    def names(self, parameter: str) -> bool:
        """Whether it is about this parameter."""
        return re.search(rf"(?<!\w){re.escape(parameter)}(?!\w)", self.words) is not None

    @property
    def lasts(self) -> bool:
        """Whether any other request with the same parameter would be refused, too."""
        return _NEVER.search(self.words) is not None


class Answer(NamedTuple):
    data: Any
    raw: bytes
    seconds: float  # of the try that succeeded
    tries: int
    first_s: float | None = None  # until the first word of a streamed answer


class Failure(NamedTuple):
    """One try that failed, and how long the server asks to wait."""

    words: str
    wait_s: float | None = None
    late: bool = False  # it took too long


class Endpoint:
    """One base URL. Idle connections are kept; any number of threads may call at once."""

    def __init__(
        self,
        base_url: str | None = None,
        key: str | None = None,
        timeout_s: float | None = None,
        retries: int = 4,
        backoff_s: float = 0.5,
        patience_s: float = 60.0,
        root: str = "/v1",
        deadline_s: float | None = None,
        pace: Pace | None = None,
    ):
        """`deadline_s` is for a request with all its tries and waits, `timeout_s` for one try, from the connection to
        the last byte (half of the deadline unless told). `patience_s` is the longest wait between two tries; a server
        that asks for more is given up. `root`: where the API lies at an address that names no path. `pace`: how often
        it may be asked; a try waits for its turn, and no deadline runs meanwhile."""
        self._key = _good_key(key if key is not None else os.environ.get("OPENAI_API_KEY", ""))
        base = base_url or os.environ.get("OPENAI_BASE_URL") or (OPENAI if self._key else "")
        if not base:
            raise CoterieError(
                "No model endpoint is named: give --base-url or set OPENAI_BASE_URL; OpenAI's own needs only "
                "OPENAI_API_KEY."
            )
        self._url = _good_url(base)
        self.deadline_s = _good_deadline(deadline_s)
        self.timeout_s = self.deadline_s / 2 if timeout_s is None else min(timeout_s, self.deadline_s)
        self.retries = max(0, retries)
        self.backoff_s, self.patience_s, self.pace = backoff_s, patience_s, pace
        self._prefix = self._url.path.rstrip("/") or root
        self._idle: list[Plain | Secure] = []
        self._busy: dict[socket.socket, threading.Event] = {}
        self._lock = threading.Lock()

    @property
    def address(self) -> str:
        """The base URL as it may be shown: without a user name, a password or a query."""
        host = self._url.hostname or ""
        host = f"[{host}]" if ":" in host else host
        return f"{self._url.scheme}://{host}{f':{self._url.port}' if self._url.port else ''}{self._prefix}"

    @property
    def has_key(self) -> bool:
        return bool(self._key)

    def __repr__(self) -> str:
        return f"Endpoint({self.address!r})"

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def abandon(self, stop: threading.Event) -> bool:
        """Break off the calls that were given this `stop`, so that the server, too, ends its work on them."""
        with self._lock:
            busy = [sock for sock, its in self._busy.items() if its is stop]
            for sock in busy:
                with contextlib.suppress(OSError):  # closed by the other side, or by its thread
                    sock.shutdown(socket.SHUT_RDWR)
        return bool(busy)

    # -- one request ----------------------------------------------------------------------------------------------
    def call(self, method: str, path: str, body: Any = None, stop: threading.Event | None = None) -> Answer:
        """The decoded answer; `Refused` if the server declines, CoterieError once all tries have failed."""
        stop = stop or threading.Event()
        sent = None if body is None else json.dumps(body).encode()
        until, failure = time.monotonic() + self.deadline_s, Failure("")
        for tries in range(1, self.retries + 2):
            until += self.pace.turn(stop) if self.pace is not None else 0.0
            begun = time.perf_counter()
            limit_s = min(self.timeout_s, until - time.monotonic())
            result = self._try(method, path, sent, stop, limit_s)
            if not isinstance(result, Failure):
                data, raw, first = result
                first_s = None if first is None else first - begun
                return Answer(data, raw, time.perf_counter() - begun, tries, first_s)
            if not failure.words or not result.late or limit_s >= self.timeout_s:  # the rest of the time is no reason
                failure = result
            asked_s = result.wait_s or 0.0
            wait_s = self.backoff_s * 2 ** (tries - 1) * (0.75 + 0.5 * random.random())
            wait_s = min(max(wait_s, asked_s), self.patience_s)
            if tries > self.retries or asked_s > self.patience_s or time.monotonic() + wait_s >= until:
                break
            stop.wait(wait_s)
        often = "" if tries == 1 else f" ({tries} tries)"
        said = f"The model endpoint {self.address} {failure.words}{often}."
        if asked_s > self.patience_s:
            said += f" It asks to wait {_seconds(asked_s)}."
        elif failure.late:
            said += f" A request has {self.deadline_s:g} s in all; for a slower model, raise --deadline ({DEADLINE})."
        raise CoterieError(said)

    def _try(
        self, method: str, path: str, body: bytes | None, stop: threading.Event, limit_s: float
    ) -> tuple[Any, bytes, float | None] | Failure:
        came: list[tuple[float, bytes]] = []
        try:
            response, raw = self._exchange(method, path, body, stop, limit_s, came)
        except ssl.SSLCertVerificationError as err:
            raise CoterieError(f"The certificate of {self.address} is not trusted: {err.verify_message}.") from None
        except TimeoutError:
            return Failure(f"did not answer within {max(limit_s, 0.0):.3g} s", late=True)
        except TooMuch as err:
            return Failure(str(err))
        except (OSError, http.client.HTTPException, ValueError) as err:  # the last: numbers that are none
            return Failure(f"does not answer: {self._clean(_reason(err))[:200]}")
        if response.status in RETRIED:
            words = self.words(raw)
            if response.status == 429 and "insufficient_quota" in raw.decode("utf-8", "replace"):
                raise CoterieError(f"The account at {self.address} has nothing left to spend: {words}.")
            verb = "limits how much it is asked" if response.status == 429 else "fails"
            return Failure(f"{verb} ({response.status}: {words})", _retry_after(response))
        if 300 <= response.status < 400:
            where = self._clean(response.getheader("Location") or "nowhere")[:200]
            raise CoterieError(f"{self.address} sends requests on to '{where}'; give that address as --base-url.")
        if response.status != 200:
            raise Refused(response.status, self.words(raw))
        packed = (response.getheader("Content-Encoding") or "identity").lower()
        if packed != "identity":
            return Failure(f"gave an answer that is packed ({self._clean(packed)[:20]}), which it was not asked to be")
        try:
            if came:
                return streamed.whole(raw), raw, streamed.first_word(came)
            return json.loads(raw, parse_int=_int), raw, None
        except (ValueError, RecursionError):
            return Failure("gave an answer that is not JSON; is it an OpenAI-compatible endpoint?")

    def _exchange(
        self, method: str, path: str, body: bytes | None, stop: threading.Event, limit_s: float,
        came: list[tuple[float, bytes]],
    ) -> tuple[http.client.HTTPResponse, bytes]:  # fmt: skip
        headers = {"Accept": "application/json", "User-Agent": "coterie"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        limits = Limits(limit_s)
        while True:
            connection, used = self._connection()
            connection.bound(limits)
            kept, sock = False, None
            try:
                sock = self._occupy(connection, stop)
                target, more = self._target(path)
                with contextlib.suppress(BrokenPipeError):  # a server may have heard enough, and say why
                    connection.request(method, target, body, {**headers, **more})
                response = connection.getresponse()
                limits.go_on_with("an answer", BODY_BYTES)
                kind = (response.getheader("Content-Type") or "").partition(";")[0].strip().lower()
                raw = read_all(response, came if kind == streamed.KIND and response.status == 200 else None)
                kept = response.isclosed() and not response.will_close and not limits.unasked
                return response, raw
            except (ConnectionError, http.client.BadStatusLine):  # the server may drop what was idle for long
                if not used:
                    raise
            finally:
                with self._lock:
                    if sock is not None:
                        self._busy.pop(sock, None)
                    if kept:
                        self._idle.append(connection)
                if not kept:
                    connection.close()

    def _occupy(self, connection: Plain | Secure, stop: threading.Event) -> socket.socket:
        if connection.sock is None:
            connection.connect()
        sock: socket.socket = connection.sock
        with self._lock:
            if stop.is_set():
                raise CoterieError("Stopped, since another request failed.")
            self._busy[sock] = stop
        return sock

    # -- connections ----------------------------------------------------------------------------------------------
    def _connection(self) -> tuple[Plain | Secure, bool]:
        """A connection, and whether it was used before."""
        while True:
            with self._lock:
                if not self._idle:
                    break
                connection = self._idle.pop()
            if _quiet(connection):
                return connection, True
            connection.close()
        url, proxy = self._url, self._proxy()
        make: Any = Secure if url.scheme == "https" else Plain
        if proxy is None:
            return make(url.hostname, url.port, timeout=self.timeout_s), False
        connection = make(proxy.hostname, proxy.port or 80, timeout=self.timeout_s)
        if url.scheme == "https":
            connection.set_tunnel(url.hostname, url.port, _proxy_login(proxy))
        return connection, False

    def _target(self, path: str) -> tuple[str, dict[str, str]]:
        proxy = self._proxy() if self._url.scheme == "http" else None
        if proxy is None:
            return self._prefix + path, {}
        return self.address + path, _proxy_login(proxy)

    def _proxy(self) -> urllib.parse.SplitResult | None:
        host = self._url.hostname or ""
        named = urllib.request.getproxies().get(self._url.scheme)
        if not named or host in ("localhost", "127.0.0.1", "::1") or urllib.request.proxy_bypass(host):
            return None
        return urllib.parse.urlsplit(named if "//" in named else f"http://{named}")

    # -- words ----------------------------------------------------------------------------------------------------
    def words(self, raw: bytes) -> str:
        """Return the error message of a server in one line, without the key."""
        text = self._without_secrets(raw.decode("utf-8", "replace"))[:20_000]
        try:
            data = load_json(text)
            error = data.get("error", data) if isinstance(data, dict) else data
            text = str(error.get("message", error) if isinstance(error, dict) else error)
        except ValueError:
            pass
        return " ".join(self._clean(text).split())[:300].rstrip(". ") or "no reason given"

    def _clean(self, text: str) -> str:
        return "".join(c if c.isprintable() else " " for c in self._without_secrets(text)).strip()

    def _without_secrets(self, text: str) -> str:
        for secret in (self._key, self._url.password):
            if secret:
                text = text.replace(secret, "***")
        return text

    def without_key(self, text: str) -> str:
        """A reply as it may be kept; words such as `none`, which local servers take for a key, are no secrets."""
        return text.replace(self._key, "***") if len(self._key) >= SECRET else text


def _good_key(key: str) -> str:
    key = key.strip()
    if not key.isascii() or any(c.isspace() or not c.isprintable() for c in key):
        raise CoterieError("The key in OPENAI_API_KEY holds characters that no key has; copy it again.")
    return key


def _good_deadline(seconds: float | None) -> float:
    """The deadline that was asked for, or else the environment's, or the usual one."""
    told = os.environ.get(DEADLINE, "").strip()
    if seconds is None and not told:
        return DEADLINE_S
    try:
        found = float(told) if seconds is None else float(seconds)
    except ValueError:
        found = math.nan
    if not 0 < found <= MOST_DEADLINE_S:
        what = "--deadline" if seconds is not None else DEADLINE
        raise CoterieError(
            f"{what} must be a number of seconds above zero, not '{told if seconds is None else seconds}'."
        )
    return found


def _quiet(connection: http.client.HTTPConnection) -> bool:
    """Return whether an idle connection can be reused: one with bytes to read was closed, or sends unasked data."""
    try:
        return connection.sock is not None and not select.select([connection.sock], [], [], 0)[0]
    except (OSError, ValueError):
        return False


def _int(digits: str) -> int | None:
    return int(digits) if len(digits) < 19 else None  # no count is so large, and Python refuses thousands of digits


def _seconds(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 1e6 else "for ever"


def _good_url(base: str) -> urllib.parse.SplitResult:
    try:
        url = urllib.parse.urlsplit(base.strip())
        fine = url.scheme in ("http", "https") and bool(url.hostname) and url.port != 0 and base.strip().isascii()
    except ValueError:
        fine = False
    if not fine or any(c.isspace() for c in base.strip()):
        raise CoterieError("--base-url must look like http://localhost:8000/v1 or https://host/v1.")
    return url


def _proxy_login(proxy: urllib.parse.SplitResult) -> dict[str, str]:
    if not proxy.username:
        return {}
    pair = f"{urllib.parse.unquote(proxy.username)}:{urllib.parse.unquote(proxy.password or '')}"
    return {"Proxy-Authorization": "Basic " + base64.b64encode(pair.encode()).decode()}


def _reason(err: Exception) -> str:
    if isinstance(err, http.client.RemoteDisconnected):
        return "it closed the connection"
    if isinstance(err, http.client.IncompleteRead):
        return "it broke off in the middle"
    return str(getattr(err, "strerror", None) or str(err) or type(err).__name__).rstrip(".").lower()


def _retry_after(response: http.client.HTTPResponse) -> float | None:
    value = response.getheader("Retry-After")
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return None
