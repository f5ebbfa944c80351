"""A coordinator whose driver lies, falls silent or does not have the key: a sentence, and nothing is begun twice."""

import contextlib
import json
import socket
import threading

import pytest

from coterie.core.action import Action
from coterie.core.causes import LOST_CONTACT
from coterie.core.errors import CoterieError
from coterie.link import fleet as near
from coterie.link import lines
from coterie.link.folder import Folder
from coterie.link.lines import Gone, Line, call, greet
from coterie.link.robot import done
from coterie.link.shots import HERE
from tests.link.conftest import end, until


class FakeDriver:
    """Answers at a driver's port as a script tells it to."""

    def __init__(self, folder: Folder, answer, key=None):
        folder.make_keys()
        self.key = key or folder.key()
        self.answer, self.heard = answer, []
        self.server = socket.create_server((HERE, 0))
        port = self.server.getsockname()[1]
        entry = {"robot": "Alice", "pid": 1, "port": port, "stop_port": port}
        folder.entry_path("Alice").write_text(json.dumps(entry))
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                sock, _ = self.server.accept()
            except OSError:
                return
            threading.Thread(target=self.attend, args=(Line(sock, "near"),), daemon=True).start()

    def attend(self, line):
        with contextlib.suppress(CoterieError, OSError):
            greet(line, self.key, self.server.getsockname()[1], ["Alice"])
            while (said := line.read(30.0)) is not None:
                self.heard.append(said)
                for answer in self.answer(said):
                    if isinstance(answer, bytes):
                        line.sock.sendall(answer)
                    else:
                        line.send(answer)
        line.forget()

    def close(self):
        with contextlib.suppress(OSError):
            self.server.shutdown(socket.SHUT_RDWR)
        self.server.close()


@pytest.fixture
def pretend(folder):
    made = []

    def begin(answer, **more):
        made.append(FakeDriver(folder, answer, **more))
        return made[-1]

    yield begin
    for fake in made:
        fake.close()


GOOD = {"hello": {"on": "standing", "robot": "Alice", "stopped": ""}}


def honest(said, *more):
    do = said["do"]
    if do == "hello":
        return [GOOD["hello"]]
    return [{"on": "beat", "number": said["number"]}] if do == "beat" else list(more)


def ended(said, **more):
    return {"on": "ended", "robot": "Alice", "name": said.get("name"), **done("Well.").told(), **more}


#: What a driver says when an action is begun; and what comes of it.
LIARS = {
    "nothing at all": (lambda said: [], LOST_CONTACT),
    "the same end twice": (lambda said: [ended(said), ended(said, status="failed")], "done"),
    "another robot": (lambda said: [ended(said, robot="Bob")], LOST_CONTACT),
    "another action": (lambda said: [ended(said, name="other")], LOST_CONTACT),
    "a status that is none": (lambda said: [ended(said, status="perfect")], "driver"),
    "a status that is a list": (lambda said: [ended(said, status=("done",))], "driver"),
    "a reason that is none": (lambda said: [ended(said, reason=7)], "driver"),
    "facts that are none": (lambda said: [ended(said, facts=("where",))], "driver"),
    "a cause that is none": (lambda said: [ended(said, cause="because")], "driver"),
    "words that mean nothing": (lambda said: [{"on": "fire", "robot": "Alice"}, ended(said)], "done"),
    "far too many": (lambda said: [{"on": "taken", "robot": "Bob"}] * 500 + [ended(said)], "done"),
    "a reason of a megabyte": (lambda said: [ended(said, reason="x" * 900_000)], "done"),
    "garbage": (lambda said: [b"\xff\xfe\n"], LOST_CONTACT),
    "a line without an end": (lambda said: [b"x" * 3_000_000], LOST_CONTACT),
    "half a line": (lambda said: [b'{"on": "ended", "robot"'], LOST_CONTACT),
    "an error": (lambda said: [{"error": "No."}], LOST_CONTACT),
    "somebody else drives": (lambda said: [{"on": "superseded", "robot": "Alice", "run": said["run"]}], LOST_CONTACT),
}


@pytest.mark.parametrize(("answer", "wanted"), LIARS.values(), ids=LIARS)
def test_drivers_that_lie_break_nothing(pretend, far, monkeypatch, answer, wanted):
    if wanted == LOST_CONTACT:  # which is to come soon
        for name in ("GRACE_S", "ANSWER_S"):
            monkeypatch.setattr(near, name, 0.3)
    fake = pretend(lambda said: honest(said, *(answer(said) if said["do"] == "start" else ())))
    alice = far()
    until(lambda: alice._line is not None)
    outcome = end(alice.start("Alice", Action("go"), 1.0))
    assert wanted == ("done" if outcome.ok else outcome.cause.clause)
    assert outcome.reason and len(outcome.reason) <= 2_000 and outcome.reason.endswith((".", "x"))
    names = {s["name"] for s in fake.heard if s["do"] == "start"}
    assert names <= {"run1/Alice/1"}, "asked again, if at all, by its name"


def test_what_was_given_up_is_not_asked_for_again(pretend, far, monkeypatch):
    fake = pretend(honest)
    alice = far()
    until(lambda: alice._line is not None)
    monkeypatch.setattr(near, "ANSWER_S", 0.1)  # for taking the action, not for the greetings before and after it
    assert end(alice.start("Alice", Action("go"), 1.0)).cause.clause == LOST_CONTACT
    monkeypatch.setattr(near, "ANSWER_S", 30.0)
    asked = [s["do"] for s in fake.heard].index("start")
    until(lambda: "hello" in [s["do"] for s in fake.heard[asked:]] and fake.heard[-1]["do"] == "beat")
    since = fake.heard[max(i for i, s in enumerate(fake.heard) if s["do"] == "hello") :]
    assert all(s["do"] != "start" and not s.get("holds") for s in since)


def test_a_driver_that_falls_silent_is_lost(pretend, far, monkeypatch):
    for name in ("GRACE_S", "SILENT_S"):
        monkeypatch.setattr(near, name, 0.5)
    monkeypatch.setattr(near, "ANSWER_S", 2.0)  # for a line that is begun while it says nothing
    deaf = threading.Event()
    pretend(
        lambda said: [] if deaf.is_set() else honest(said, {"on": "taken", "robot": "Alice", "name": said.get("name")})
    )
    alice = far()
    until(lambda: alice._line is not None)
    under = alice.start("Alice", Action("go"), 1.0)
    until(lambda: under.taken)
    deaf.set()
    assert end(under).cause.clause == LOST_CONTACT
    deaf.clear()
    until(lambda: alice.standing("Alice").there)


def test_whoever_took_over_a_port_is_not_believed(pretend, folder, far, fleet):
    fake = pretend(honest, key=b"somebody else's key")
    with pytest.raises(Gone, match="has gone"):
        fleet("Alice").check()
    with pytest.raises(Gone, match="is no driver"), socket.create_server((HERE, 0)) as server:
        threading.Thread(target=lambda: server.accept()[0].sendall(b'{"coterie": "hello"}\n')).start()
        call(server.getsockname()[1], folder.key(), "Alice", "The driver of Alice")
    assert fake.heard == []


def test_a_driver_that_proves_nothing_gets_no_orders(folder, pretend, far, monkeypatch):
    """It greets, takes the proof and answers with another."""
    heard = []

    def serve(server):
        with contextlib.suppress(OSError):
            while True:
                sock, _ = server.accept()
                line = Line(sock, "near")
                line.send({"coterie": lines.GREETING, "once": "0"})
                line.read(30.0)
                line.send({"proof": "0" * 64})
                with contextlib.suppress(CoterieError):
                    heard.append(line.read(1.0))

    fake = pretend(honest)
    monkeypatch.setattr(near, "GRACE_S", 0.1)
    with socket.create_server((HERE, 0)) as server:
        port = server.getsockname()[1]
        folder.entry_path("Alice").write_text(json.dumps({"robot": "Alice", "pid": 1, "port": port, "stop_port": port}))
        threading.Thread(target=serve, args=(server,), daemon=True).start()
        alice = far()
        outcome = end(alice.start("Alice", Action("go"), 0.0))
        assert outcome.cause.clause == LOST_CONTACT and "does not have the key" in outcome.reason
    assert not any(heard) and fake.heard == []
