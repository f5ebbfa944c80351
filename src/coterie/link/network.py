"""Drivers on other computers: what is said to a driver, and shot at it, goes over zenoh as it is.

    coterie robot arm.py Alice --network     # on the robot's computer
    coterie reach Alice                      # on the coordinator's: Alice is found there as if it were driven there

`Share` carries what comes over the network to the ports of a driver; `Reach` listens at ports of the coordinator's
computer and announces them in its folder of robots. Both carry bytes: who has the key, what is still wanted and who has
gone is settled between coordinator and driver, as on one machine. zenoh finds the computers; its own lease (10 s)
decides nothing.

A stop that finds no way to its robot is kept in the folder here. Nothing is carried to that robot until it has come in
there.
"""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from coterie.core.accepting import accepted, in_thread, shut, stop_accepting
from coterie.core.bounds import is_word
from coterie.core.errors import CoterieError
from coterie.core.lazy import need
from coterie.link.folder import Announced, Folder
from coterie.link.host import Host
from coterie.link.shots import HERE, LIFE, MARK, MOST_SHOT, Seal, read_answer, shot

MOST_BYTES = 65536  # that are carried at once
MOST_PIPES = 64  # connections to one robot
QUIET_S = 5.0  # for the other half of a connection to say something: a driver says ten words a second
LEAVE_S = 2.0  # for a session to be closed
OPEN = b"\0"  # begins a connection; no line has it
WATCH_S = 0.1  # between two looks at stops that have not come in, each of which is sent again


class Wire:
    """A session of zenoh. Robots are found under a name that follows from their stop-key, so that teams with other keys
    do not meet. `listen` and `connect` are endpoints, such as tcp/0.0.0.0:7447; else computers discover each other."""

    def __init__(self, folder: Folder, listen: str = "", connect: str = ""):
        zenoh = self._zenoh = need("zenoh", "zenoh", "Robots on other computers need", "eclipse-zenoh")
        self.root = "coterie/" + Seal(folder.stop_key()).mark(b"robots").decode("ascii")[:16]
        try:
            config = zenoh.Config.from_env() if "ZENOH_CONFIG" in os.environ else zenoh.Config()
            for name, place in (("listen", listen), ("connect", connect)):
                if place:
                    config.insert_json5(f"{name}/endpoints", f'["{place}"]')
            self._session = zenoh.open(config)
        except zenoh.ZError as err:
            why = str(err).partition(" at /")[0].rpartition('"')[2]  # without the places in its source
            raise CoterieError(f"There is no way into the network with '{listen or connect}': {why}.") from err

    def hear(self, key: str, take: Callable[[str, bytes], None]) -> Any:
        """Call `take` with the last part of the key and what was said under it, in a thread of its own."""
        return self._session.declare_subscriber(
            f"{self.root}/{key}", lambda said: take(str(said.key_expr).rpartition("/")[2], said.payload.to_bytes())
        )

    def say(self, key: str, urgent: bool = False) -> Callable[[bytes], None]:
        """Under a key. What is urgent goes before the rest, and is dropped where there is no way: it is said again."""
        z = self._zenoh
        publisher = self._session.declare_publisher(
            f"{self.root}/{key}",
            congestion_control=z.CongestionControl.DROP if urgent else z.CongestionControl.BLOCK,
            priority=z.Priority.REAL_TIME if urgent else z.Priority.INTERACTIVE_HIGH,
            express=True,
        )

        def put(raw: bytes) -> None:
            with contextlib.suppress(z.ZError):  # nobody is there, or the session was closed
                publisher.put(raw)

        return put

    def be_found(self, key: str) -> Any:
        return self._session.liveliness().declare_token(f"{self.root}/here/{key}")

    def find(self, found: Callable[[Sequence[str], bool], None]) -> Any:
        """Call `found` with the parts of what was given to `be_found` elsewhere, and whether it is there or gone."""
        put = self._zenoh.SampleKind.PUT
        return self._session.liveliness().declare_subscriber(
            f"{self.root}/here/*/*/*", lambda s: found(str(s.key_expr).split("/")[-3:], s.kind == put), history=True
        )

    def close(self) -> None:
        """Take leave of the others; of one that is frozen zenoh would do so for long."""

        def leave() -> None:
            with contextlib.suppress(self._zenoh.ZError):
                self._session.close()

        leaving = threading.Thread(target=leave, name="zenoh: leave", daemon=True)
        leaving.start()
        leaving.join(LEAVE_S)


class Pipes:
    """Connections of this machine, whose other halves are elsewhere."""

    def __init__(self, wire: Wire, out: str):
        self.wire, self.out = wire, out
        self._open: dict[str, socket.socket] = {}
        self._heard: dict[str, float] = {}
        self._lock = threading.Lock()

    def add(self, name: str, sock: socket.socket) -> None:
        """Carry what comes in at a socket, until that ends or the other half is silent."""
        with self._lock:
            full = len(self._open) >= MOST_PIPES
            quiet = min(self._heard, key=lambda pipe: self._heard[pipe]) if full else ""
            self._open[name], self._heard[name] = sock, time.monotonic()
        if full:  # a driver says ten words a second, and strangers keep nobody out
            self.close(quiet)
        with contextlib.suppress(OSError):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.settimeout(1.0)
        in_thread(partial(self._carry, name, sock), f"pipe {name}", partial(self.close, name))

    def _carry(self, name: str, sock: socket.socket) -> None:
        put = self.wire.say(f"{self.out}/{name}")
        with contextlib.suppress(OSError):
            while time.monotonic() - self._heard.get(name, 0.0) < QUIET_S:
                try:
                    got = sock.recv(MOST_BYTES)
                except TimeoutError:
                    continue
                if not got:
                    break
                put(got)
        self.close(name)
        put(b"")  # the other half ends, too

    def end(self, name: str) -> None:
        self.wire.say(f"{self.out}/{name}")(b"")

    def take(self, name: str, raw: bytes) -> bool:
        """Take words of the other half; none: its end. True if there is such a connection here."""
        sock = self._open.get(name)
        if sock is None:
            return False
        self._heard[name] = time.monotonic()
        try:
            if raw:
                sock.sendall(raw)
                return True
        except OSError:  # half of it may have gone: the line is of no use any more
            pass
        self.close(name)
        return True

    def close(self, name: str) -> None:
        with self._lock:
            sock = self._open.pop(name, None)
            self._heard.pop(name, None)
        if sock is not None:
            shut(sock)

    def close_all(self) -> None:
        for name in list(self._open):
            self.close(name)


class Share:
    """On the computer of a driver: its robots, for coordinators and stops elsewhere."""

    def __init__(self, host: Host, wire: Wire):
        self.wire, self._parts = wire, [_Shared(host, name, wire) for name in host.stations]

    def close(self) -> None:
        for part in self._parts:
            part.close()
        self.wire.close()


class _Shared:
    def __init__(self, host: Host, name: str, wire: Wire):
        halter, self._port = host.stations[name].halter, host.port.number
        base = f"{name}/{halter.life}"  # what was said to a driver that has ended does not reach the next one
        self._pipes = Pipes(wire, f"{base}/down")
        self._socket = _udp()
        self._answer, self._aim = wire.say(f"{base}/answer", urgent=True), (HERE, halter.port)
        threading.Thread(target=self._carry_answers, name=f"{name}: answers", daemon=True).start()
        self._heard = [wire.hear(f"{base}/up/*", self._up), wire.hear(f"{base}/stop", self._shot)]
        self._token = wire.be_found(f"{base}/{self._port}")

    def _up(self, pipe: str, raw: bytes) -> None:
        if raw == OPEN:
            with contextlib.suppress(OSError):
                self._pipes.add(pipe, socket.create_connection((HERE, self._port), 1.0))
        elif not self._pipes.take(pipe, raw) and raw:  # what comes late, after its end
            self._pipes.end(pipe)

    def _shot(self, _: str, raw: bytes) -> None:
        with contextlib.suppress(OSError):
            self._socket.sendto(raw[: MOST_SHOT + 1], self._aim)

    def _carry_answers(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                self._answer(self._socket.recv(MOST_SHOT + 1))

    def close(self) -> None:
        self._token.undeclare()
        self._pipes.close_all()
        shut(self._socket)


class Reach:
    """On the computer of a coordinator: robots that are driven elsewhere (these, or all with the same key), for as long
    as this is open. `tell` hears in words who is found and who has gone."""

    def __init__(self, folder: Folder, wire: Wire, robots: Sequence[str] = (), tell: Callable[[str], None] = print):
        self.folder, self.wire, self.robots, self._tell = folder, wire, tuple(robots), tell
        self.near: dict[str, Near] = {}
        self._closed = threading.Event()
        self._lock = threading.Lock()
        self._finding = wire.find(self._found)
        threading.Thread(target=self._watch, name="stops", daemon=True).start()

    def _found(self, parts: Sequence[str], there: bool) -> None:
        name, life, port = parts
        if not is_word(name) or (self.robots and name not in self.robots):
            return
        if len(life) != LIFE or not life.isalnum() or not port.isdecimal() or self._closed.is_set():
            return
        with self._lock:
            near = self.near.get(name)
            if not there:
                if near is not None and near.life == life:
                    near.lose()
                    self._tell(f"{name} has gone")
                return
            try:
                if near is None:
                    near = self.near[name] = Near(name, self.folder, self.wire)
                near.meet(life, int(port))
                self._tell(f"{name} is reached")
            except (CoterieError, OSError) as err:
                self._tell(f"{name} is not reached: {err}")

    def _watch(self) -> None:
        while not self._closed.wait(WATCH_S):
            for near in list(self.near.values()):
                near.deliver_stop()

    def close(self) -> None:
        self._closed.set()
        with self._lock:
            for near in self.near.values():
                near.close()
        self.wire.close()


class Near:
    """One robot that is driven elsewhere: ports of this machine that stand for those of its driver."""

    def __init__(self, name: str, folder: Folder, wire: Wire):
        self.name, self.folder, self.wire = name, folder, wire
        self.life = ""
        self._announced = Announced(folder, [name])
        self._seal = Seal(folder.stop_key())
        self._there = False
        self._letter = ("", b"")  # the mark of a stop that is kept here, and its shot, until that is answered
        self._shooters: deque[Any] = deque(maxlen=16)  # those who may wait for an answer
        self._closed = threading.Event()
        self._pipes = Pipes(wire, "")
        self._shoot: Callable[[bytes], None] = lambda raw: None
        self._heard: list[Any] = []
        self._server, self._socket = socket.create_server((HERE, 0), backlog=128), _udp()
        threading.Thread(target=self._accept, name=f"{name}: calls", daemon=True).start()
        threading.Thread(target=self._carry_shots, name=f"{name}: shots", daemon=True).start()

    def meet(self, life: str, port: int) -> None:
        """Its driver is there: for the first time, again, or begun anew."""
        if life != self.life:
            self._pipes.close_all()
            base = f"{self.name}/{life}"
            self._pipes = Pipes(self.wire, f"{base}/up")
            self._shoot = self.wire.say(f"{base}/stop", urgent=True)
            for heard in self._heard:
                heard.undeclare()
            self._heard = [self.wire.hear(f"{base}/down/*", self._down), self.wire.hear(f"{base}/answer", self._answer)]
            self.life = self._announced.life = life
        self._there = True
        ports = self._server.getsockname()[1], {self.name: self._socket.getsockname()[1]}
        self._announced.tell(*ports, far_port=port)

    def lose(self) -> None:
        """Tell callers at once that nobody is there; stops are kept."""
        self._there = False
        self._pipes.close_all()

    def _accept(self) -> None:
        for sock, _ in accepted(self._server, self._closed):
            if not self._there or self.folder.stopped(self.name):
                sock.close()
                continue
            pipe = os.urandom(8).hex()
            self._pipes.add(pipe, sock)
            self.wire.say(f"{self._pipes.out}/{pipe}")(OPEN)

    def _down(self, pipe: str, raw: bytes) -> None:
        self._pipes.take(pipe, raw)

    # -- stops ------------------------------------------------------------------------------------------------------
    def _carry_shots(self) -> None:
        while not self._closed.is_set():
            with contextlib.suppress(OSError):
                raw, address = self._socket.recvfrom(MOST_SHOT + 1)
                if address is None:  # the socket has been shut
                    return
                self._shoot(raw)
                if address not in self._shooters:
                    self._shooters.append(address)

    def _answer(self, _: str, raw: bytes) -> None:
        for address in list(self._shooters):
            with contextlib.suppress(OSError):
                self._socket.sendto(raw, address)
        mark, sent = self._letter
        answer = read_answer(self._seal, raw) if sent else None
        if answer is not None and answer.to.encode("ascii", "replace") == sent[LIFE + 1 : LIFE + 1 + MARK]:
            if not answer.unkept and mark == self.folder.stopped_mark(self.name) + self.life:
                with contextlib.suppress(OSError):
                    self.folder.let_go(self.name)  # it is kept where the robot is
            self._letter = ("", b"")

    def deliver_stop(self) -> None:
        """A stop that is kept here has not come in there: nothing else is carried before."""
        by = self.folder.stopped(self.name)
        if not by or not self.life:
            return
        self._pipes.close_all()
        mark = self.folder.stopped_mark(self.name) + self.life
        if mark != self._letter[0]:
            self._letter = (mark, shot(self._seal, self.life, self.name, by))
        self._shoot(self._letter[1])

    def close(self) -> None:
        stop_accepting(self._server, self._closed)
        self._pipes.close_all()
        shut(self._socket)
        self._announced.close()


def _udp() -> socket.socket:
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.bind((HERE, 0))
    return sock
