"""The process of a page: `python -m coterie.live.child`. It reads what happens from its standard input (first how it is
to be set up, then lines of a log, and objects), draws and serves the page, and writes what people do to its output."""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.core.errors import CoterieError
from coterie.core.event import from_line
from coterie.live.book import Book, private, words
from coterie.live.doors import CONTROL, HERE, PERSON, STOP, TALK, Doors, Guest, check_bind, is_here
from coterie.live.server import Refused, Server, Site
from coterie.log.file import Tail

if TYPE_CHECKING:  # what draws takes a while to load: the page answers before
    from coterie.live.board import Board
    from coterie.page.telling import Telling

REST_S = 0.03  # without a line, before what is so meanwhile is drawn
SWITCH_S = 0.0002  # how long one thread may keep the others waiting: drawing must not delay a stop
MOST_WORDS = 2_000  # characters of what somebody says


class Episode(Site):
    """An episode that goes on elsewhere. `say` sends something there."""

    def __init__(self, doors: Doors, about: Mapping[str, Any], say: Any):
        super().__init__(doors)
        self.rows, self.say = Book(), say
        self.mode, self.folder = str(about["mode"]), about.get("folder")
        self.stops: list[str] | None = about.get("stops")  # robots that are stopped past the coordinator, once known
        self._early = ""  # who pressed Stop before that
        self.known: dict[str, Any] = {"mode": self.mode, "paces": bool(about.get("paces"))}
        self.telling: Telling | None = None
        self.board: Board | None = None
        self.offers: dict[str, dict[str, Any]] = {}  # proposals that are in no log
        self._asked: dict[tuple[int, int], float] = {}  # when a model was asked, by the place of its entry
        self._fresh = False

    def about(self, guest: Guest) -> dict[str, Any]:
        return self.known

    def book(self, guest: Guest, query: Mapping[str, str]) -> Book:
        return self.rows

    # -- what happens -----------------------------------------------------------------------------------------------
    def line(self, text: str) -> None:
        """A line of the log."""
        event = from_line(text)
        if event.seq == 0 and self.telling is not None:
            self.rows.anew()
            self.telling = None
            self._asked.clear()
            self.known.pop("over", None)
            for offer in self.offers.values():
                self.rows.add({"offer": offer})
        if self.telling is None:
            from coterie.live.board import Board
            from coterie.page.telling import Telling

            self.telling = Telling(event, live=True)
            standing = {} if self.board is None else self.board.stopped  # a stop outlives an episode of an agent
            self.board = Board(str(event.data.get("world", "")), self.mode == "mission", standing)
            under_way = {"verdict": {"ok": None, "text": "under way"}, "figures": []}
            self.rows.add({"head": {**self.telling.head(), "robots": self.telling.robots(), **under_way}})
            self.rows.add({"i": 0, "n": self.telling.state.step, "t": 0.0})
            self.rows.add(self.board.standing(0.0))
            self._fresh = True
            return
        assert self.board is not None
        for row in self.telling.take(event):
            self.rows.add(self._timed(row), private(row))
        for row, people in self.board.rows(event):
            self.rows.add(row, people)
        self._fresh = event.kind != "end"

    def _timed(self, row: dict[str, Any]) -> dict[str, Any]:
        """A model's answer, with how long it took on the clock [s], which is in no log."""
        entry = row.get("e")
        if entry is None or entry.get("k") != "ask":
            return row
        since = self._asked.setdefault((row["i"], row["k"]), time.monotonic())
        return {**row, "took": round(time.monotonic() - since, 2)} if "n" in entry else row

    def rest(self) -> None:
        """Nothing has come for a moment: what is so within the step is shown."""
        if self._fresh and self.telling is not None:
            self._fresh = False
            row = self.telling.now()
            if row is not None:
                self.rows.add(row)

    def take(self, told: Mapping[str, Any]) -> None:
        """Anything else that the episode's process says."""
        if "told" in told:
            person, text, t = told["told"]["to"], told["told"]["text"], told["told"]["t"]
            more = {"more": 1} if told["told"].get("more") else {}
            if "said" in told["told"]:
                self.rows.add(words(person, "team", told["told"]["said"], t), frozenset({person}))
            self.rows.add(words("team", person, text, t, **more), frozenset({person}))
        if "guest" in told:
            self.doors.admit(Guest(told["guest"], PERSON), told["token"])
        if "offer" in told:
            offer = told["offer"]
            self.offers[offer["goal"]] = offer
            if offer.get("over"):
                del self.offers[offer["goal"]]
            self.rows.add({"offer": offer})
        if "asked" in told:
            person, text = told["asked"]["to"], told["asked"]["text"]
            self.rows.add({"asked": {"to": person, "x": text}}, frozenset({person}))
        for key in ("paused", "speed", "names", "over", "error"):
            if key in told and self.known.get(key) != told[key]:
                self.known[key] = told[key]
                self.rows.add({"known": {key: told[key]}})
        if "stops" in told:
            self.stops = list(told["stops"])
            if self._early:
                self._stop(Guest(self._early), {})

    # -- what people do -----------------------------------------------------------------------------------------------
    def do(self, guest: Guest, wish: Mapping[str, Any]) -> Any:
        what = wish.get("do")
        does = {"say": (TALK, self._say), "answer": (TALK, self._answer), "stop": (STOP, self._stop)}
        does |= {"release": (CONTROL, self._release), "pause": (CONTROL, self._pace), "step": (CONTROL, self._pace)}
        right, act = {**does, "speed": (CONTROL, self._pace)}.get(str(what), ("", None))
        if act is None:
            raise Refused(400, "Nobody knows what that is.")
        if right not in guest.rights:
            raise Refused(
                403, f"You may watch, {guest.name}, but not {right}." if guest.rights else "You may only watch."
            )
        return act(guest, wish)

    def _say(self, guest: Guest, wish: Mapping[str, Any]) -> None:
        text = wish.get("text")
        if not isinstance(text, str) or not text.strip() or len(text) > MOST_WORDS:
            raise Refused(400, f"Say something, in at most {MOST_WORDS} letters.")
        self.say({"do": "say", "person": guest.name, "text": text.strip()})

    def _answer(self, guest: Guest, wish: Mapping[str, Any]) -> None:
        """A click on a proposal. It counts only for the proposal that was seen."""
        offers = self.offers if self.board is None else self.board.offers | self.offers
        offer = offers.get(str(wish.get("goal")))
        number = wish.get("number")
        if offer is None or offer["seq"] != wish.get("seq"):
            raise Refused(409, "That proposal is over; there may be another one.")
        if number is not None and not (type(number) is int and 1 <= number <= len(offer["ways"])):
            raise Refused(400, "There is no such plan.")
        yes = wish.get("answer")
        if yes not in ("yes", "no", "ask"):
            raise Refused(400, "Answer yes, no or ask.")
        self.say({"do": "answer", "person": guest.name, "goal": offer["goal"], "answer": yes, "number": number})

    def _stop(self, guest: Guest, wish: Mapping[str, Any]) -> Any:
        """Stop everybody: driven robots and the team's bell straight from here, past the coordinator."""
        from coterie.link.stopping import stop

        found: dict[str, Any] = {}
        if self.stops is None:
            self._early = guest.name
        elif self.stops:
            answers = stop(guest.name, self.stops, self.folder)
            wrong = {**answers.wrong, **answers.unkept}
            found = {"stopped": answers.robots, "wrong": wrong, "took_ms": round(1000 * answers.took_s, 1)}
        self.say({"do": "stop", "person": guest.name})
        return found

    def _release(self, guest: Guest, wish: Mapping[str, Any]) -> Any:
        from coterie.link.stopping import release

        self._early = ""
        found: dict[str, Any] = {}
        if self.stops:
            answers = release(guest.name, self.stops, self.folder)
            found = {"released": answers.robots, "wrong": answers.wrong}
        if self.board is not None and self.board.stopped.pop("all", ""):
            self.rows.add(self.board.standing(0.0))
        self.say({"do": "release", "person": guest.name})
        return found

    def _pace(self, guest: Guest, wish: Mapping[str, Any]) -> None:
        value = wish.get("value")
        if not self.known["paces"]:
            raise Refused(409, "Robots with drivers take their own time; stop them instead.")
        if wish["do"] == "speed" and not (type(value) in (int, float) and 0.05 <= float(str(value)) <= 100):
            raise Refused(400, "A speed is a number from 0.05 to 100.")
        self.say({"do": wish["do"], "value": value})


def _lines(fd: int, site: Episode) -> Iterator[str]:
    """Lines of a pipe, and of the log's file that was named there; whenever none has come for a moment, the page is
    brought up to date."""
    rest, tail = b"", None
    while True:
        ready = select.select([fd], [], [], REST_S)[0]
        try:
            news = tail.take() if tail is not None else []
        except CoterieError as err:
            news, tail = [json.dumps({"error": str(err)})], None
        yield from news
        if not ready:
            if not news:
                _shown(site, site.rest)
            if tail is None:
                select.select([fd], [], [])
            continue
        raw = os.read(fd, 1 << 20)
        if not raw:
            return
        *whole, rest = (rest + raw).split(b"\n")
        for line in whole:
            if line.startswith(b'{"read": '):
                yield from tail.take() if tail is not None else ()
                tail = Tail(Path(json.loads(line)["read"]))
            else:
                if line == b'{"over": true}' and tail is not None:
                    yield from tail.take()
                yield line.decode("utf-8")


def _shown(site: Episode, show: Callable[..., None], *args: str) -> None:
    """Show something; what a world of a user's own cannot draw is told on the page, which stays."""
    try:
        show(*args)
    except Exception as err:  # noqa: BLE001 - it is the engineer's code
        from coterie.page.telling import why

        site.take({"error": why(err)})


def _first_line(fd: int) -> bytes:
    found = b""
    while not found.endswith(b"\n") and (one := os.read(fd, 1)):
        found += one
    return found


def _warm() -> None:
    """Load what a Stop, the first line and the first picture take, before they come."""
    from coterie.link import stopping  # noqa: F401
    from coterie.live import board  # noqa: F401
    from coterie.page import telling  # noqa: F401
    from coterie.render.map import draw  # noqa: F401


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever began this ends it
    sys.setswitchinterval(SWITCH_S)
    threading.Thread(target=_warm, daemon=True).start()
    first = _first_line(0)
    if not first:  # the command has ended before it knew what to show
        return
    about = json.loads(first)
    lock, out = threading.Lock(), os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def say(told: Mapping[str, Any]) -> None:
        with lock:
            out.write(json.dumps(told) + "\n")
            out.flush()

    try:
        cert, key = (Path(about[k]) if about.get(k) else None for k in ("cert", "key"))
        context = check_bind(about["bind"], cert, key)
        hosts = HERE if is_here(about["bind"]) else (*HERE, *about["hosts"])
        site = Episode(Doors(hosts, context is not None), about, say)
        for guest in about["guests"]:
            site.doors.admit(Guest(guest["name"], frozenset(guest["rights"])), guest["token"])
        if about.get("load"):
            from coterie.episode.setup import load_plugins

            load_plugins(about["load"])
        server = Server(site, about["bind"], about["port"], context)
    except CoterieError as err:
        say({"error": str(err)})
        return
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.2}, daemon=True).start()
    say({"port": server.server_port})
    seen = -1
    for line in _lines(0, site):
        if line.startswith("["):
            _shown(site, site.line, line)
        elif line:
            told = json.loads(line)
            if "watchers" in told:
                if server.watchers != seen:
                    seen = server.watchers
                    say({"watchers": seen})
            else:
                site.take(told)


if __name__ == "__main__":
    main()
