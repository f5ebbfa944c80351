"""The driver of some robots, as a process of its own: it takes actions from a coordinator, and stops from anybody.

    coterie robot my_robot.py Alice Bob

At its port a coordinator starts, cancels and hears of actions; it says several times a second which of them it still
wants, and what it does not name for `LEASE_S` is stopped. Stops come in elsewhere: each robot has a port for them, at
which the thread that halts it listens (`halter.py`).
"""

from __future__ import annotations

import contextlib
import queue
import socket
import threading
import time
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

from coterie.core.accepting import accepted, in_thread, stop_accepting
from coterie.core.action import Action
from coterie.core.bounds import MOST_WORD, brief
from coterie.core.causes import lost_contact
from coterie.core.errors import CoterieError
from coterie.link.folder import Announced, Folder
from coterie.link.halter import Hit
from coterie.link.kept import Kept
from coterie.link.lines import Gone, Line, greet
from coterie.link.robot import Job, Report, Robot
from coterie.link.shots import HERE, Hurry
from coterie.link.station import STUCK_S, Station

LEASE_S = 0.6  # without the coordinator's word, before a robot is stopped
SENSE_S = 0.2  # between two looks at what robots perceive
WATCH_S = 0.02  # between two looks at that
MOST_CALLERS = 64  # connections; of those that did not prove anything the oldest goes first
MOST_UNSENT = 10_000  # messages to a coordinator that does not read
MOST_NUMBER = 2**53


class Caller:
    """A client at the port. Messages to it are queued, so that a client that does not read blocks no one else."""

    def __init__(self, sock: socket.socket, who: str):
        self.line = Line(sock, who)
        self.known = False  # has proved that it has the key
        self._unsent: queue.Queue[dict[str, Any] | None] = queue.Queue(MOST_UNSENT)

    def tell(self, message: dict[str, Any]) -> None:
        try:
            self._unsent.put_nowait(message)
        except queue.Full:
            self.line.close()

    def write(self) -> None:
        with contextlib.suppress(CoterieError):
            while (message := self._unsent.get()) is not None:
                self.line.send(message)

    def close(self) -> None:
        self.line.close()
        with contextlib.suppress(queue.Full):
            self._unsent.put_nowait(None)


class Port:
    """A listening port of some names, whose callers prove that they have the key, and say whom they call; each is
    served by a thread of its own."""

    def __init__(self, key: bytes, names: Collection[str], serve: Callable[[Caller, dict[str, Any]], None]):
        self.key, self.names, self.serve = key, names, serve
        self.callers: dict[Caller, None] = {}
        self.refused: list[str] = []  # the last sentences about those who were sent away
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._socket = socket.create_server((HERE, 0), backlog=128)
        self.number: int = self._socket.getsockname()[1]

    def start(self) -> None:
        threading.Thread(target=self._accept, name="callers", daemon=True).start()

    def _accept(self) -> None:
        for sock, (_, number) in accepted(self._socket, self._closed):
            caller = Caller(sock, f"The process at port {number}")
            with self._lock:
                oldest = next((c for c in self.callers if not c.known), None)
                full = len(self.callers) >= MOST_CALLERS
                if full and oldest is not None:
                    self.callers.pop(oldest)
                    oldest.close()
                elif full:
                    caller.line.forget()
                    continue
                self.callers[caller] = None
            in_thread(partial(self._attend, caller), caller.line.who, partial(self._drop, caller))

    def _attend(self, caller: Caller) -> None:
        try:
            greet(caller.line, self.key, self.number, self.names)
            in_thread(caller.write, caller.line.who, caller.close)
            caller.known = True
            while True:
                message = caller.line.read()
                if message is not None:
                    self.serve(caller, message)
        except CoterieError as err:
            if str(err) != f"{caller.line.who} has gone.":
                self.refused = [*self.refused[-19:], str(err)]
                with contextlib.suppress(CoterieError):  # so that an honest caller learns what was wrong
                    caller.line.send({"error": str(err)[:500]})
        finally:
            self._drop(caller)

    def _drop(self, caller: Caller) -> None:
        with self._lock:
            self.callers.pop(caller, None)
        caller.close()
        caller.line.forget()

    def close(self) -> None:
        stop_accepting(self._socket, self._closed)
        with self._lock:
            for caller in self.callers:
                caller.close()


class Host:
    """Serves robots until it is closed."""

    def __init__(self, robots: Sequence[Robot], folder: Folder | None = None, simulated: bool = False):
        names = [r.name for r in robots]
        if not names or len(set(names)) < len(names):
            raise CoterieError("A driver needs at least one robot, and each has a name of its own.")
        self.folder = folder or Folder()
        self.folder.make_keys()
        self._announced = Announced(self.folder, names)
        self._claims: dict[str, tuple[str, Caller]] = {}  # robot -> the run and the coordinator that drive it
        self._beats: dict[str, float] = {}  # robot -> when that coordinator was last heard
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._hits: queue.SimpleQueue[tuple[Station, Hit] | None] = queue.SimpleQueue()  # stops that are to be kept
        try:
            self.stations = {r.name: self._station(r) for r in robots}
            self.port = Port(self.folder.key(), names, self._serve)
            self._announced.tell(self.port.number, {n: s.halter.port for n, s in self.stations.items()}, simulated)
        except BaseException:
            self._announced.close()
            raise
        self.port.start()
        threading.Thread(target=self._watch, name="watch", daemon=True).start()
        for station in self.stations.values():
            threading.Thread(target=self._sense, args=(station,), name=f"{station.name}: sense", daemon=True).start()
        self._keeping = threading.Thread(target=self._keep_stops, name="stops", daemon=True)
        self._keeping.start()

    def _station(self, robot: Robot) -> Station:
        name = robot.name
        kept = Kept(self.folder.entry_path(name).with_suffix(".actions.jsonl"), name)
        tell = lambda message: self._tell(name, message)  # noqa: E731
        after = lambda hit: self._hits.put((self.stations[name], hit))  # noqa: E731
        return Station(robot, kept, self._announced, tell, after)

    def _tell(self, robot: str, message: dict[str, Any]) -> None:
        claim = self._claims.get(robot)
        if claim is not None:
            claim[1].tell({"robot": robot, **message})

    # -- for coordinators -------------------------------------------------------------------------------------------
    def _serve(self, caller: Caller, message: dict[str, Any]) -> None:
        do = message.get("do")
        if do == "hello":
            self._hello(caller, message)
        elif do == "start":
            job = _job(message)
            station = self._mine(caller, job.robot)
            if station is not None and _is_late(message.get("at")):
                caller.tell({"on": "late", "robot": job.robot, "name": job.name, "at": time.monotonic()})
            elif station is not None:
                station.start(job)
        elif do == "cancel":
            station = self._mine(caller, message.get("robot"))
            if station is not None:
                station.cancel(str(message.get("name")))
        elif do == "beat":
            station = self._mine(caller, message.get("robot"))
            if station is not None:
                self._beats[station.name] = time.monotonic()
                if isinstance(message.get("holds"), str):
                    station.beat(message["holds"])
            caller.tell({"on": "beat", "number": message.get("number"), "at": time.monotonic()})
        elif do == "card":
            card = self.stations[caller.line.to].robot.card
            caller.tell({"on": "card", "robot": caller.line.to, "card": None if card is None else card.to_json()})
        elif do == "see":
            caller.tell({"on": "seen", "robot": caller.line.to, "seen": self.stations[caller.line.to].seen()})
        elif do == "release":
            self.stations[caller.line.to].release(message.get("seen"))
            caller.tell({"on": "released", "robot": caller.line.to})
        else:
            raise Gone(f"{caller.line.who} wants {brief(do)}, which a driver cannot do.")

    def _hello(self, caller: Caller, message: dict[str, Any]) -> None:
        robot, run = message.get("robot"), message.get("run")
        station = self.stations[caller.line.to]
        if robot != station.name or not isinstance(run, str) or not 0 < len(run) <= MOST_WORD:
            raise Gone(f"{caller.line.who} asks for {brief(robot)}; it has called {station.name}.")
        with self._lock:
            held = self._claims.get(station.name)
            fresh = time.monotonic() - self._beats.get(station.name, 0.0) < LEASE_S
            if held is not None and held[0] != run and held[1].known and fresh:
                raise Gone(f"{station.name} is driven by another run; wait for its end.")
            self._claims[station.name] = (run, caller)
            self._beats[station.name] = time.monotonic()
        if held is not None and held[1] is not caller:
            held[1].tell({"on": "superseded", "robot": station.name, "run": run})
        station.tell_standing(newest=station.kept.newest.get(run, -1), at=time.monotonic())
        station.sense(anew=True)

    def _mine(self, caller: Caller, robot: Any) -> Station | None:
        """The robot, if it is this coordinator that drives it now."""
        claim = self._claims.get(robot) if isinstance(robot, str) else None
        if claim is None or claim[1] is not caller:
            caller.tell({"on": "superseded", "robot": str(robot)[:MOST_WORD]})
            return None
        return self.stations[robot]

    def _watch(self) -> None:
        while not self._closed.wait(WATCH_S):
            for station in self.stations.values():
                station.watch(LEASE_S)

    def _sense(self, station: Station) -> None:
        while not self._closed.wait(SENSE_S):
            if station.name in self._claims:
                station.sense()

    # -- stopped robots ---------------------------------------------------------------------------------------------
    def _keep_stops(self) -> None:
        """Keep stops on disk and answer them; and look, meanwhile, for those that others have kept there."""
        while True:
            try:
                found = self._hits.get(timeout=WATCH_S)
            except queue.Empty:
                for station in self.stations.values():
                    station.look()
                continue
            if found is None:
                return
            station, hit = found
            with Hurry():
                station.keep(hit)

    # -- the end ----------------------------------------------------------------------------------------------------
    def close(self) -> None:
        """Stop the robots, end their actions, and remove the entry by which this driver is found."""
        if self._closed.is_set():
            return
        self._closed.set()
        closing = [threading.Thread(target=_close, args=(s,)) for s in self.stations.values()]
        for thread in closing:
            thread.start()
        for thread in closing:
            thread.join()
        time.sleep(0.02)  # for the last words
        self._hits.put(None)
        self._keeping.join(STUCK_S)
        self.port.close()
        self._announced.close()


def _is_late(at: Any) -> bool:
    """True if an action was asked for long ago, by this driver's own clock, of which the coordinator repeats what it
    last heard: it lay in a buffer, and its coordinator may have given it up."""
    return isinstance(at, float) and time.monotonic() - at > LEASE_S


def _close(station: Station) -> None:
    words = f"The driver of {station.name} was ended."
    station.close(Report("failed", words, lost_contact(station.name)))


def _job(message: dict[str, Any]) -> Job:
    robot, name, run, number, action = (message.get(k) for k in ("robot", "name", "run", "number", "action"))
    texts = [t for t in (robot, name, run) if isinstance(t, str) and 0 < len(t) <= 4 * MOST_WORD]
    if len(texts) < 3 or type(number) is not int or not 0 <= number < MOST_NUMBER:
        raise Gone("An action was asked for without a name that can be read.")
    if not isinstance(action, Action) or not isinstance(action.skill, str) or not isinstance(action.args, tuple):
        raise Gone(f"{brief(action)} is not an action.")
    if not 0 < len(action.skill) <= MOST_WORD:
        raise Gone(f"{brief(action.skill)} is not the name of a skill.")
    return Job(texts[0], texts[1], texts[2], number, action)
