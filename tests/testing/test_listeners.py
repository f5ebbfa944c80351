"""Everything that listens passes one check."""

import contextlib
import http.client
import json
import os
import re
import shutil
import socket
import struct
import threading
import time
from pathlib import Path

import pytest

import coterie
from coterie.core.errors import CoterieError
from coterie.core.protocol import Ask, Reply
from coterie.episode.talk_room import Room, joined
from coterie.export.foxglove import FoxgloveServer
from coterie.link.folder import Folder
from coterie.link.host import Host
from coterie.link.lines import call
from coterie.link.network import Reach, Share, Wire
from coterie.link.stopping import Button, release
from coterie.live import server as page
from coterie.live.doors import Doors, Guest
from coterie.models.ledger import Ledger
from coterie.models.server import Server
from coterie.models.shared import Shared, Sharing
from tests.link.robots import Tin
from tests.testing import listeners as contract
from tests.testing.listeners import Listener, check_listener

SOURCES = Path(coterie.__file__).parent


def greeted(folder, port, far=0):
    """A coordinator says hello to Alice's driver."""
    line = call(port, folder.key(), "Alice", "The driver", far)
    try:
        line.send({"do": "hello", "robot": "Alice", "run": "one"})
        assert line.read(30.0)["on"] == "standing"
    finally:
        line.forget()


class Here(Listener):
    """At a port of this machine, whose number is `port`."""

    port = 0

    def address(self):
        return ("127.0.0.1", self.port)

    def got(self, path, **headers):
        line = http.client.HTTPConnection(*self.address(), timeout=30.0)
        try:
            line.request("GET", path, headers=headers)
            assert line.getresponse().status == 200
        finally:
            line.close()


class DriverPort(Here):
    def __init__(self, place):
        self.folder = Folder(place)

    def open(self):
        self.host = Host([Tin("Alice")], self.folder)
        self.port = self.host.port.number

    def close(self):
        self.host.close()

    def use(self):
        greeted(self.folder, self.port)

    def second(self):
        Host([Tin("Alice")], self.folder).close()


class StopPort(DriverPort):
    kind = (socket.AF_INET, socket.SOCK_DGRAM)

    def open(self):
        super().open()
        self.port = self.host.stations["Alice"].halter.port

    def use(self):
        with contextlib.closing(Button(folder=self.folder.path)) as button:
            answers = button.stop("Eve")
            assert list(answers.robots) == ["Alice"] and not answers.unkept, answers
        assert not release("Eve", folder=self.folder.path).wrong


class ReachPort(DriverPort):
    """A driver on another computer, as `coterie reach` announces it here; strangers come in at the port here."""

    def __init__(self, place):
        super().__init__(place / "there")
        self.here = Folder(place / "here")
        self.folder.make_keys()
        shutil.copytree(self.folder.path, self.here.path)

    def open(self):
        super().open()
        with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as free:
            at = f"tcp/127.0.0.1:{free.getsockname()[1]}"
        self.share, told = Share(self.host, Wire(self.folder, listen=at)), threading.Event()
        self.reach = Reach(self.here, Wire(self.here, connect=at), ["Alice"], lambda words: told.set())
        assert told.wait(30.0)
        self.port = self.here.entry("Alice").port

    def close(self):
        self.reach.close()
        self.share.close()
        super().close()

    def use(self):
        greeted(self.here, self.port, self.here.entry("Alice").far_port)

    def second(self):
        Host([Tin("Alice")], self.here).close()


class TalkRoom(Here):
    def __init__(self, place):
        self.place = place

    def open(self):
        self.heard = threading.Semaphore(0)
        self.room = Room(lambda who, text: self.heard.release(), ["nurse"], self.place)
        self.room.__enter__()
        self.port = json.loads((self.place / "nurse.json").read_text())["port"]

    def close(self):
        self.room.__exit__()

    def use(self):
        line = joined("nurse", self.place)
        try:
            line.send({"say": "What is going on?"})
            assert self.heard.acquire(timeout=30.0)
        finally:
            line.forget()

    def second(self):
        with Room(lambda who, text: None, ["nurse"], self.place):
            pass


class ModelServer(Here):
    body = b'{"messages": [{"role": "user", "content": "hello"}]}'
    requests = b"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)

    def __init__(self, place):
        pass

    def open(self):
        self.server = Server(lambda messages, options: "word " * 100_000, port=self.port, request_s=2.0).start()
        self.port = int(self.server.url.split(":")[2].split("/")[0])  # the same one after a restart

    def close(self):
        self.server.stop()

    def use(self):
        self.got("/v1/models")

    def second(self):
        Server(lambda messages, options: "", port=self.port).start()


class LivePage(Here):
    requests = b"GET /page.js HTTP/1.1\r\nHost: localhost\r\n\r\n"

    def __init__(self, place):
        self.site = page.Site(Doors())
        self.token = self.site.doors.admit(Guest("me"))

    def open(self):
        self.server = page.Server(self.site, "127.0.0.1", self.port, None)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def use(self):
        self.got("/me", Cookie=f"coterie_{self.port}={self.token}")

    def second(self):
        page.Server(self.site, "127.0.0.1", self.port, None)


class Loud:
    name = "loud"

    def __init__(self):
        self.ledger = Ledger()

    def answer(self, asks):
        return [Reply("x" * 2_000_000 if a.robot == "Eve" else a.prompt[0][1].upper()) for a in asks]


class SharedModel(Listener):
    kind = (socket.AF_UNIX, socket.SOCK_STREAM)
    row = json.dumps([["Eve", "talk", 0, 0, [["user", "hello"]], None, 0]]).encode()
    requests = struct.pack("!I", len(row)) + row

    def __init__(self, place):
        self.path = place / "model"

    def open(self):
        self.sharing = Sharing(Loud(), self.path)
        self.thread = threading.Thread(target=self.sharing.serve, daemon=True)
        self.thread.start()

    def close(self):
        self.sharing.close()
        self.thread.join(30.0)
        assert not self.thread.is_alive() and not list(self.path.parent.iterdir())

    def address(self):
        return str(self.path)

    def use(self):
        near = Shared(self.path)
        try:
            assert near.answer([Ask("Alice", "talk", 0, 0, (("user", "hello"),))])[0].text == "HELLO"
        finally:
            near._line.close()

    def second(self):
        Sharing(Loud(), self.path)


class FoxglovePort(Here):
    """The websocket of a library; whoever is on this machine may listen."""

    requests = (
        b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Protocol: foxglove.sdk.v1\r\n\r\n"
    )

    def __init__(self, place):
        pytest.importorskip("foxglove", reason="no server for Foxglove here: pip install 'coterie[mcap]'")

    def open(self):
        self.server = FoxgloveServer(self.port).__enter__()
        self.port = self.server.port

    def close(self):
        self.server.__exit__()

    def use(self):
        told, end = b"", time.monotonic() + 20.0
        with contextlib.ExitStack() as stack:
            while time.monotonic() < end:  # clients come again until they are served
                with contextlib.suppress(ConnectionRefusedError):
                    sock = stack.enter_context(self.dial())
                    break
                time.sleep(0.1)
            sock.settimeout(20.0)
            sock.sendall(self.requests)
            while b"advertise" not in told:
                some = sock.recv(65536)
                assert some, told
                told += some
        assert told.startswith(b"HTTP/1.1 101")

    def second(self):
        FoxgloveServer(self.port).__enter__()


#: Where something listens, and what is checked of it.
LISTENERS = {
    "export/foxglove.py": [FoxglovePort],
    "link/host.py": [DriverPort, TalkRoom],
    "link/halter.py": [StopPort],
    "link/network.py": [ReachPort],
    "live/server.py": [LivePage],
    "models/server.py": [ModelServer],
    "models/shared.py": [SharedModel],
}


@pytest.fixture
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("p")  # sockets have short names


@pytest.mark.parametrize("kind", [k for kinds in LISTENERS.values() for k in kinds], ids=lambda k: k.__name__)
def test_whoever_calls_and_whatever_is_short_it_serves(kind, place, monkeypatch):
    if kind is ReachPort:
        pytest.importorskip("zenoh", reason="zenoh is not installed (pip install 'coterie[zenoh]')")
        quiet = '{"scouting": {"multicast": {"enabled": false}}, "listen": {"endpoints": []}}'
        (place / "quiet.json5").write_text(quiet)
        monkeypatch.setenv("ZENOH_CONFIG", str(place / "quiet.json5"))
    check_listener(kind(place))


def test_nothing_listens_that_is_not_checked():
    sign = re.compile(r"sock\w*\.bind\(|create_server\(|HTTPServer\)|TCPServer|start_server|\.accept\(\)")
    found = {str(p.relative_to(SOURCES)) for p in SOURCES.rglob("*.py") if sign.search(p.read_text("utf-8"))}
    elsewhere = {"core/accepting.py"}
    assert found - elsewhere == set(LISTENERS)


class Deaf(Listener):
    """It takes the first error for its end, asks strangers in the order of their coming, and has many owners."""

    def open(self):
        self.callers = []
        self.server = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self.serve, daemon=True).start()

    def close(self):
        with contextlib.suppress(OSError):
            self.server.shutdown(socket.SHUT_RDWR)
        for sock in (self.server, *self.callers):
            sock.close()

    def serve(self):
        with contextlib.suppress(OSError):
            while True:
                sock, _ = self.server.accept()
                self.callers.append(sock)
                sock.settimeout(0.01)
                with contextlib.suppress(TimeoutError):
                    sock.recv(10)
                sock.sendall(b"!")

    def address(self):
        return self.server.getsockname()

    def use(self):
        with self.dial() as sock:
            sock.sendall(b"?")
            assert sock.recv(1) == b"!"

    def second(self):
        pass


def test_the_check_can_fail(monkeypatch):
    silent = {k: v for k, v in contract._TROUBLES.items() if k == "no descriptors"}
    monkeypatch.setattr(contract, "_TROUBLES", silent)
    with pytest.raises(AssertionError, match="Deaf does not serve with no descriptors"):
        check_listener(Deaf())
    monkeypatch.setattr(contract, "_TROUBLES", {})
    with pytest.raises(AssertionError, match="Deaf has two owners in one place"):
        check_listener(Deaf())


def test_a_talk_has_a_folder_of_its_own_and_tokens_that_others_cannot_read_for_a_moment(place, monkeypatch):
    """Of two in one folder the second is told so, and neither takes the other's doors away."""
    modes, real = set(), os.open

    def opened(path, flags, mode=0o777, **more):
        if str(path).startswith(str(place)) and "json" in str(path) and flags & os.O_CREAT:
            modes.add(mode)
        return real(path, flags, mode, **more)

    monkeypatch.setattr("os.open", opened)
    with Room(lambda who, text: None, ["nurse"], place):
        door = (place / "nurse.json").read_bytes()
        with pytest.raises(CoterieError, match="A folder has one talk; name another one with --folder"):
            Room(lambda who, text: None, ["nurse", "doctor"], place).__enter__()
        assert (place / "nurse.json").read_bytes() == door and not (place / "doctor.json").exists()
        assert {p.stat().st_mode & 0o777 for p in place.glob("*.json")} == modes == {0o600}
    assert not list(place.iterdir())


def test_what_one_who_was_killed_left_behind_is_in_nobodys_way(place):
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
        sock.bind(str(place / "model"))
    for left in ("nurse.json", ".talk.lock", ".model.owner.lock"):
        (place / left).write_text("{}\n")
        (place / left).chmod(0o644)
    shared, room = SharedModel(place), TalkRoom(place)
    room.open()
    room.use()
    assert (place / "nurse.json").stat().st_mode & 0o777 == 0o600
    room.close()
    shared.open()
    shared.use()
    assert (place / "model").stat().st_mode & 0o777 == 0o700 & ~0o077
    shared.close()
