"""The near end of a page: begins its process, hands it the log as it is written, and takes what people do there."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.core.errors import CoterieError
from coterie.live.doors import Guest, check_bind, new_token
from coterie.log.file import Log

if TYPE_CHECKING:
    from coterie.episode.inputs import Inputs

LOOK_S = 0.02  # between two looks at what people say meanwhile
GONE_S = 3.0  # without a watcher, before a page of an episode that is over ends


_begun: list[subprocess.Popen[str]] = []  # processes of pages that nobody uses yet


def _begin() -> subprocess.Popen[str]:
    words = [sys.executable, "-m", "coterie.live.child"]
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")


def _close(child: subprocess.Popen[str]) -> None:
    with contextlib.suppress(OSError, ValueError):
        if child.stdin is not None:
            child.stdin.close()  # that ends it
    try:
        child.wait(2.0)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
    if child.stdout is not None:
        child.stdout.close()


@contextlib.contextmanager
def begun_early() -> Iterator[None]:
    """Begin the process of a page before all is known that it is to show: it loads what draws meanwhile. One that
    nobody has used is ended."""
    _begun.append(_begin())
    try:
        yield
    finally:
        while _begun:
            _close(_begun.pop())


class Live:
    """A page for one episode; use it with `with`, and give `follow` to `play`.

    `act` is told what people do: `{"do": "say", "person": "nurse", "text": ...}`; also answers to proposals, stops and
    releases. Pausing, stepping and speed are done here (`rest`)."""

    def __init__(
        self,
        mode: str,
        guests: Iterable[tuple[Guest, str]],
        port: int = 0,
        bind: str = "127.0.0.1",
        hosts: Sequence[str] = (),
        cert: Path | None = None,
        key: Path | None = None,
        load: Sequence[str] = (),
        paces: bool = True,
        folder: Path | None = None,
    ):
        """`guests` come with their tokens, or with an empty one, and get a fresh one then."""
        check_bind(bind, cert, key)
        self.cert = cert
        self.guests = [(guest, token or new_token()) for guest, token in guests]
        self.act: Callable[[dict[str, Any]], None] = lambda wish: None
        self.links: dict[str, str] = {}
        self.watchers, self.speed = 0, 1.0
        self.paused, self._steps = False, 0
        self._changed = threading.Condition()
        self._lock = threading.Lock()
        names = list(hosts) or [bind]
        self._about: dict[str, Any] = {
            "mode": mode, "bind": bind, "port": port, "hosts": [f"[{n}]" if ":" in n else n for n in names],
            "cert": str(cert) if cert else None, "key": str(key) if key else None, "load": list(load), "paces": paces,
            "folder": str(folder) if folder else None,
            "guests": [{"name": g.name, "rights": sorted(g.rights), "token": t} for g, t in self.guests],
        }  # fmt: skip

    def __enter__(self) -> Live:
        self._child = _begun.pop() if _begun else _begin()
        self._write(json.dumps(self._about))
        assert self._child.stdout is not None
        first = json.loads(self._child.stdout.readline() or '{"error": "The process of the page did not begin."}')
        if "error" in first:
            self.__exit__()
            raise CoterieError(first["error"])
        secure = "https" if self._about["cert"] else "http"
        self._address = f"{secure}://{self._about['hosts'][0]}:{first['port']}/#key="
        self.links |= {guest.name: self._address + token for guest, token in self.guests}
        threading.Thread(target=self._listen, name="page", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        _close(self._child)

    def admit(self, person: str) -> dict[str, str]:
        """Let a further person enter; the link."""
        token = new_token()
        self.tell({"guest": person, "token": token})
        self.links[person] = self._address + token
        return {person: self.links[person]}

    # -- to the page --------------------------------------------------------------------------------------------------
    def follow(self, log: Log) -> None:
        """Hand on every line of a log from now on. The page's process reads its file; a log that has none, or goes on
        with an earlier run, is handed on in a thread of its own."""
        path = log.read_elsewhere(self._end)
        if path is not None:
            self.tell({"read": str(path.absolute())})
        else:
            threading.Thread(target=self._hand_on, args=(log.follow_lines(),), name="follow", daemon=True).start()

    def _hand_on(self, news: Iterable[list[str]]) -> None:
        for lines in news:
            if not self._write("\n".join(lines)):
                return
        self._end()

    def _end(self) -> None:
        self.tell({"over": True})

    def tell(self, told: Mapping[str, Any]) -> None:
        """Something that is in no log: names that can be completed, words that are told ahead."""
        self._write(json.dumps(told))

    def announced(self, wish: Mapping[str, Any], joins: Callable[[str], str]) -> bool:
        """True if the person who began it lets a newcomer join by these words; they are answered."""
        words = joins(wish.get("text", "")) if wish["person"] == self.guests[0][0].name else ""
        if words:
            self.tell({"told": {"to": wish["person"], "text": words, "t": 0.0, "said": wish["text"]}})
        return bool(words)

    def _write(self, line: str) -> bool:
        with self._lock, contextlib.suppress(OSError, ValueError):
            assert self._child.stdin is not None
            self._child.stdin.write(line + "\n")
            self._child.stdin.flush()
            return True
        return False

    # -- from the page -----------------------------------------------------------------------------------------------
    def _listen(self) -> None:
        assert self._child.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            for line in self._child.stdout:
                wish = json.loads(line)
                if "watchers" in wish:
                    self.watchers = int(wish["watchers"])
                elif wish["do"] in ("pause", "step", "speed"):
                    self._pace(wish)
                else:
                    self.act(wish)

    def _pace(self, wish: Mapping[str, Any]) -> None:
        with self._changed:
            if wish["do"] == "pause":
                self.paused = bool(wish["value"])
            elif wish["do"] == "step":
                self.paused, self._steps = True, self._steps + 1
            else:
                self.speed = float(wish["value"])
            self._changed.notify_all()
        self.tell({"paused": self.paused, "speed": self.speed})

    def rest(self, seconds: float, inputs: Inputs | None = None) -> float:
        """Let time go by after a step, as long as people at the page want; how long that was. What comes in by `inputs`
        is not kept waiting, also while it is paused."""
        begun, look_s = time.monotonic(), LOOK_S if inputs is not None else 60.0
        with self._changed:
            while not (inputs is not None and inputs.waiting):
                left = begun + seconds / self.speed - time.monotonic()
                if self.paused and self._steps:
                    self._steps -= 1
                    break
                if not self.paused and left <= 0:
                    break
                self._changed.wait(look_s if self.paused else min(left, look_s))
        return time.monotonic() - begun

    def linger(self, for_good: bool) -> None:
        """Stay while somebody looks at an episode that is over; `for_good`: until the user ends it."""
        alone = time.monotonic() if self.watchers == 0 else None
        while self._child.poll() is None and (for_good or alone is None or time.monotonic() < alone + GONE_S):
            self.tell({"watchers": True})
            time.sleep(0.2)
            alone = None if self.watchers else alone or time.monotonic()
