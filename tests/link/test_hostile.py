"""Whoever speaks nonsense at a driver's port, or answers it from there: a sentence, nothing is lost, nobody moves."""

import contextlib
import hmac
import json
import os
import socket
import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.core.action import Action
from coterie.core.causes import LOST_CONTACT
from coterie.core.errors import CoterieError
from coterie.link import fleet as near
from coterie.link import lines
from coterie.link.fire import fire
from coterie.link.folder import Folder
from coterie.link.host import LEASE_S, WATCH_S
from coterie.link.kept import Kept
from coterie.link.lines import MOST_LINE, Gone, Line, call, greet
from coterie.link.robot import Job, Report, done
from coterie.link.shots import HERE, MOST_SHOT, Answer, Seal, read_shot, shot, write_answer
from coterie.link.stopping import Button, release, stop
from tests.link.conftest import until
from tests.link.test_driver import end, robot

START = {"do": "start", "robot": "Alice", "name": "x/Alice/1", "run": "x", "number": 1, "action": Action("go")}
#: What an authenticated coordinator or button may send.
NONSENSE = {
    "garbage": b"\x00\xff\xfe\n",
    "no JSON": b"go, Alice!\n",
    "no table": b"[1, 2]\n",
    "a number": b"7\n",
    "no number": b'{"do": NaN}\n',
    "deep": b"[" * 100_000 + b"]" * 100_000 + b"\n",
    "deep tables": b'{"do":' * 5_000 + b"1" + b"}" * 5_000 + b"\n",
    "ten megabytes": b'{"do": "' + b"x" * 10_000_000 + b'"}\n',
    "ten megabytes without an end": b"x" * 10_000_000,
    "unknown": b'{"do": "dance"}\n',
    "nothing": b"{}\n",
    "a wire form that is none": b'{"do": {"~action": {"skill": 1, "nonsense": 2}}}\n',
    "an unknown wire form": b'{"do": {"~bomb": 1}}\n',
    "no action": json.dumps({**START, "action": 7}).encode() + b"\n",
    "a long skill": json.dumps({**START, "action": {"~action": {"skill": "x" * 1000}}}).encode() + b"\n",
    "a negative number": json.dumps({**START, "number": -1, "action": {"~action": {"skill": "go"}}}).encode() + b"\n",
    "no robot": b'{"do": "hello", "robot": "Mallory", "run": "x"}\n',
    "a run without a name": b'{"do": "hello", "robot": "Alice", "run": ""}\n',
    "a robot that is a list": b'{"do": "hello", "robot": ["Alice"], "run": "x"}\n',
}


@contextlib.contextmanager
def caller(folder, port, name="Alice"):
    line = call(port, folder.key(), name, "The driver")
    try:
        yield line
    finally:
        line.forget()


def last_words(line):
    """What is said before the line is closed."""
    said = []
    with contextlib.suppress(Gone):
        while (message := line.read(30.0)) is not None:
            said.append(message)
    return said


@pytest.mark.parametrize("raw", NONSENSE.values(), ids=NONSENSE)
def test_nonsense_of_somebody_with_the_key(folder, serve, far, raw):
    host = serve()
    with caller(folder, host.port.number) as line:
        with contextlib.suppress(OSError):  # closed before all of it was sent
            line.sock.sendall(line._out.wrap(raw))
        said = last_words(line)
    assert all("error" in s for s in said) and (said or len(raw) > MOST_LINE), said
    until(lambda: host.port.refused)
    assert robot(host).did == [] and not host.stations["Alice"].stopped_by
    assert end(far().start("Alice", Action("go"), 0.0)).ok, "and it serves the next one"


def test_orders_for_robots_that_were_not_asked_for_are_not_followed(folder, serve):
    host = serve("Alice", "Bob")
    with caller(folder, host.port.number) as line:
        line.send(START)  # without a hello
        assert line.read(30.0)["on"] == "superseded"
        line.send({"do": "hello", "robot": "Alice", "run": "x"})
        assert line.read(30.0)["on"] == "standing"
        line.send({**START, "robot": "Bob"})
        assert line.read(30.0) == {"on": "superseded", "robot": "Bob"}
        line.send({"do": "cancel", "robot": "Alice", "name": "no such"})
        line.send({"do": "beat", "robot": "Alice", "number": "x", "holds": ("a",)})
        assert line.read(30.0) == {"on": "beat", "number": "x"}
    assert robot(host, "Alice").did == robot(host, "Bob").did == []


def test_whoever_has_no_key_is_sent_away(folder, serve):
    host = serve()
    number = host.port.number
    for key in (b"not the key at all", folder.stop_key()):
        with pytest.raises(
            Gone, match=r"refused: The process at port \d+ does not have the key for this port; nothing was done"
        ):
            call(number, key, "Alice", "The driver")
    for raw in (b"", b"{", b'{"once": "x"}\n', b'{"once": 1, "proof": "\xc3\xa4"}\n', b"\n\n\n"):
        with socket.create_connection((HERE, number)) as sock:
            sock.sendall(raw)
            sock.shutdown(socket.SHUT_WR)
            sock.settimeout(30.0)
            while sock.recv(4096):
                pass
    assert robot(host).did == [] and robot(host).halts == 0 and not host.stations["Alice"].stopped_by


@contextlib.contextmanager
def borrowed(to, orders):
    """Somebody without the key at another port, who hands on the greeting between whoever calls there and the driver at
    `to`, and then gives orders of their own."""
    heard, held = [], []

    def serve():
        with contextlib.suppress(OSError):
            while True:
                near, _ = server.accept()
                far = socket.create_connection((HERE, to))
                held.extend((near, far))
                near.sendall(far.recv(65536))  # what the driver asks
                heard.append(near.recv(65536))  # how the coordinator proves that it has the key
                far.sendall(heard[-1])
                heard.append(far.recv(65536))
                far.sendall(orders)
                near.sendall(heard[-1])

    with socket.create_server((HERE, 0)) as server:
        threading.Thread(target=serve, daemon=True).start()
        try:
            yield server.getsockname()[1], heard
        finally:
            server.shutdown(socket.SHUT_RDWR)
            for sock in held:
                sock.close()


def test_nobody_borrows_the_proof_of_one_robots_coordinator_to_move_another(folder, serve, fleet, monkeypatch):
    """Bob's driver was killed; somebody without the key took its port, and hands on what Alice's driver asks."""
    monkeypatch.setattr(near, "GRACE_S", 0.3)
    host = serve("Alice")
    orders = lines.to_line({"do": "hello", "robot": "Alice", "run": "x"}) + lines.to_line(START)
    with borrowed(host.port.number, orders) as (port, heard):
        entry = {"robot": "Bob", "pid": os.getpid(), "port": port, "stop_port": port}
        folder.entry_path("Bob").write_text(json.dumps(entry))
        assert end(fleet("Bob").far["Bob"].start("Bob", Action("go"), 0.0)).cause.clause == LOST_CONTACT
        until(lambda: len(heard) > 1)
        time.sleep(0.1)
        assert robot(host).did == [] and not any(folder.key() in raw for raw in heard)
        assert b"does not have the key for this port" in heard[1]


def test_a_proof_is_for_one_robot_and_one_port(folder, serve):
    host = serve("Alice")
    with borrowed(host.port.number, b"") as (port, _), pytest.raises(Gone, match="for this port"):
        call(port, folder.key(), "Alice", "The driver")
    with pytest.raises(Gone, match=r"asks for 'Bob', which is not served here"):
        call(host.port.number, folder.key(), "Bob", "The driver")
    with caller(folder, serve("Bob", "Carl").port.number, "Bob") as line:
        line.send({"do": "hello", "robot": "Carl", "run": "x"})
        assert "it has called Bob" in line.read(30.0)["error"]
    assert robot(host).did == []


def test_a_proof_serves_once(folder, serve):
    host = serve()
    words = lines.Greeting("Alice", host.port.number, "0" * 32, "1" * 32)  # as it was heard before
    with socket.create_connection((HERE, host.port.number)) as again:
        again.recv(4096)
        proof = words.proof(folder.key(), "near").hex()
        again.sendall(lines.to_line({"to": "Alice", "once": words.near, "proof": proof}))
        assert b"does not have the key" in again.recv(4096)


@pytest.mark.parametrize("how", ["changed", "repeated", "left out", "made up", "turned round"])
def test_who_stands_between_can_add_change_repeat_and_leave_out_nothing(folder, how):
    """A robot is driven over a line that somebody reads and writes on."""
    one, two = socket.socketpair()
    near_, far_ = Line(one, "The coordinator"), Line(two, "The driver")
    try:
        near_.prove(b"a" * 32, b"b" * 32)
        far_.prove(b"b" * 32, b"a" * 32)
        first, second = (near_._out.wrap(lines.to_line({"do": do})) for do in ("first", "second"))
        raw = {
            "changed": first.replace(b"first", b"worst"),
            "repeated": first + first,
            "left out": second,
            "made up": b"0" * 64 + b" " + lines.to_line({"do": "first"}),
            "turned round": far_._out.wrap(lines.to_line({"do": "first"})),
        }[how]
        near_.sock.sendall(raw)
        if how == "repeated":
            assert far_.read(30.0) == {"do": "first"}
        with pytest.raises(Gone, match="was changed or is not its own"):
            far_.read(30.0)
    finally:
        near_.forget(), far_.forget()


def test_callers_that_say_nothing_keep_nobody_out(folder, serve, far):
    host = serve()
    silent = [socket.create_connection((HERE, host.port.number)) for _ in range(100)]
    try:
        assert end(far().start("Alice", Action("go"), 0.0)).ok
    finally:
        for sock in silent:
            sock.close()


# -- shots ------------------------------------------------------------------------------------------------------------
def test_what_is_no_shot_stops_nobody_and_keeps_none_out(folder, serve):
    host = serve()
    halter, seal = host.stations["Alice"].halter, Seal(folder.stop_key())
    life = halter.life
    good = read_shot(seal, life, "Alice", shot(seal, life, "Alice", "Eve"))
    assert good is not None and good.by == "Eve"
    lies = [
        b"",
        b"stop!",
        b"\xff" * 100,
        b"x" * 60_000,
        life.encode(),
        life.encode() + b"!" * 100,
        shot(Seal(b"another key, as long as it is"), life, "Alice", "Eve"),
        shot(seal, life, "Bob", "Eve"),
        shot(seal, "0123456789abcdef", "Alice", "Eve"),
        shot(seal, "0123456789abcdef", "Alice", "Eve").replace(b"0123456789abcdef ", life.encode() + b" ", 1),
        write_answer(seal, Answer("Alice", good.mark, 1.0)),
        shot(seal, life, "Alice", "Eve").replace(b"Eve", b"Ava"),
        life.encode() + b" " + seal.write("stop", life, "Alice", "", "0"),
        life.encode() + b" " + seal.write("stop", life, "Alice", "Eve"),
        life.encode() + b" " + seal.write("stop"),
    ]
    assert [read_shot(seal, life, "Alice", raw) for raw in lies] == [None] * len(lies)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        for _ in range(100):
            for raw in lies:
                sock.sendto(raw, (HERE, halter.port))
    until(lambda: halter.ignored >= 5)
    assert robot(host).halts == 0 and not host.stations["Alice"].stopped_by
    assert list(stop("Eve", folder=folder.path).robots) == ["Alice"]


def test_a_shot_that_was_recorded_stops_nobody_again(folder, serve):
    host = serve()
    halter, seal = host.stations["Alice"].halter, Seal(folder.stop_key())
    raw = shot(seal, halter.life, "Alice", "Eve")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.settimeout(30.0)
        for again in (False, True):
            sock.sendto(raw, (HERE, halter.port))
            assert sock.recv(MOST_SHOT).partition(b" ")[2].startswith(b"stopped\nAlice\n"), "each is answered"
            assert bool(host.stations["Alice"].stopped_by) != again
            assert again or list(release("Eve", folder=folder.path).robots) == ["Alice"]
    assert robot(host).halts == 1


def test_answers_that_are_none_are_not_believed(folder, monkeypatch):
    folder.make_keys()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as liar:
        liar.bind((HERE, 0))
        liar.settimeout(30.0)
        port, life, seal = liar.getsockname()[1], "0123456789abcdef", Seal(folder.stop_key())
        entry = {"robot": "Alice", "pid": os.getpid(), "port": port, "stop_port": port, "life": life}
        folder.entry_path("Alice").write_text(json.dumps(entry))
        monkeypatch.setattr("coterie.link.stopping.ANSWER_S", 1.0)
        answers = []
        thread = threading.Thread(target=lambda: answers.append(stop("Eve", folder=folder.path)))
        thread.start()
        raw, address = liar.recvfrom(MOST_SHOT)
        good = read_shot(seal, life, "Alice", raw)
        for lie in (
            b"ok",
            write_answer(Seal(b"another key"), Answer("Alice", good.mark, 1.0)),
            write_answer(seal, Answer("Alice", "x", 1.0)),
            write_answer(seal, Answer("Bob", good.mark, 1.0)),
            seal.write("stopped", "Alice", good.mark, "soon", "", ""),
        ):
            liar.sendto(lie, address)
        thread.join()
    assert answers[0].robots == {} and "did not answer" in answers[0].wrong["Alice"]
    assert folder.stopped("Alice") == "Eve", "whoever begins its driver again finds it stopped"


@pytest.mark.parametrize("key", [b"k", b"0123456789abcdef" * 4, b"longer than a block" * 9])
def test_shots_are_signed_as_everybody_signs(key):
    for text in (b"", b"Alice", b"x" * 1000):
        assert Seal(key).mark(text) == hmac.digest(key, text, "sha256").hex().encode()
    for by in ("Eve", "O'Neil \\ \n x", "名前 \U0001f600", "x" * 100, "\ud800", ""):
        life = "0123456789abcdef"
        read = read_shot(Seal(key), life, "Größe", shot(Seal(key), life, "Größe", by))
        assert read is not None and 0 < len(read.by) <= 60


def test_the_first_shots_of_the_command_go_out_for_those_that_are_named(folder, serve):
    host = serve("Alice", "Bob", "Carl")
    by = {n: s for n, s in host.stations.items()}
    for words in (["--list"], ["--release"], ["--ready"], ["-h"], ["Bo"], ["Alice", "Bo"]):
        fire([*words, "--folder", str(folder.path)])
    fire(["--folder=/nowhere"]), fire(["--folder"])
    time.sleep(0.1)
    assert not any(s.stopped_by for s in by.values())
    (folder.path / "Dora.json").write_text("{")
    fire(["Bob", "--by", "Eve", f"--folder={folder.path}"])
    until(lambda: by["Bob"].stopped_by == "Eve")
    assert not by["Alice"].stopped_by
    fire(["--json", "--folder", str(folder.path)])
    until(lambda: all(s.stopped_by for s in by.values()))


def test_a_console_asks_robots_that_do_not_answer_again(folder, serve, monkeypatch):
    host = serve()
    button = Button(folder=folder.path)
    try:
        lost = iter([True, True, False])
        halter = host.stations["Alice"].halter
        take = halter._next

        def lossy(soon):
            raw, address = take(soon)
            return (b"", None) if len(raw) > 20 and next(lost, False) else (raw, address)

        monkeypatch.setattr(halter, "_next", lossy)
        halter.ring()  # it waits as it did before
        assert list(button.stop("Eve").robots) == ["Alice"]
    finally:
        button.close()


def test_half_a_line_is_waited_for_and_not_done(folder, serve):
    host = serve()
    with caller(folder, host.port.number) as line:
        line.send({"do": "hello", "robot": "Alice", "run": "x"})
        assert line.read(30.0)["on"] == "standing"
        raw = line._out.wrap(lines.to_line(START))
        line.sock.sendall(raw[:-2])
        assert line.read(0.1) is None and robot(host).did == []
        line.sock.sendall(raw[-2:])
        assert line.read(30.0)["on"] == "taken"
        line.sock.sendall(raw[:20])
    until(lambda: not host.port.callers and robot(host).did == ["go()"])


# -- a far end that cannot be trusted -------------------------------------------------------------------------------
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
    assert names == {"run1/Alice/1000000"}, "asked again, if at all, by its name"


def test_what_was_given_up_is_not_asked_for_again(pretend, far, monkeypatch):
    monkeypatch.setattr(near, "ANSWER_S", 0.1)
    fake = pretend(honest)
    alice = far()
    until(lambda: alice._line is not None)
    assert end(alice.start("Alice", Action("go"), 1.0)).cause.clause == LOST_CONTACT
    begun = len(fake.heard)
    until(lambda: [s["do"] for s in fake.heard[begun:]].count("hello") == 1 and fake.heard[-1]["do"] == "beat")
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


# -- files ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{}", '{"robot": "Bob", "pid": 1, "port": 1, "stop_port": 1}', "x" * 200_000]
    + [
        '{"robot": "Alice", "pid": 1, "stop_port": 1, "port": ' + p + "}"
        for p in ("0", "-1", "70000", '"1"', "true", "1e400")
    ],
)
def test_entries_that_cannot_be_read_are_sentences(folder, text):
    folder.make_keys()
    folder.entry_path("Alice").write_text(text)
    with pytest.raises(CoterieError, match="Alice"):
        folder.entry("Alice")
    assert folder.entries() == []


def test_names_that_would_lead_out_of_the_folder_are_refused(folder):
    for name in ("../Alice", "", "a/b", "Alice.json", "x" * 61, "Al\u202eice"):
        with pytest.raises(CoterieError, match="cannot be the name of a robot"):
            folder.entry_path(name)


def test_a_stopped_file_that_cannot_be_read_still_stops(folder):
    folder.make_keys()
    for text in ("", "{", '{"by": 7}', "x" * 200_000):
        folder.entry_path("Alice").with_suffix(".stopped").write_text(text)
        assert folder.stopped("Alice") == "somebody"


@settings(max_examples=60)
@given(st.data())
def test_notes_cut_or_spoilt_anywhere_forget_no_beginning_that_is_whole(tmp_path_factory, data):
    """After a kill at any byte, and with a spoilt byte: what had begun is never begun again."""
    path = tmp_path_factory.mktemp("kept") / "Alice.actions.jsonl"
    kept = Kept(path, "Alice")
    for i in range(6):
        kept.began(Job("Alice", f"r/Alice/{i}", "r", i, Action("go", (f"place_{i}",))))
        if i % 2:
            kept.ended(f"r/Alice/{i}", Report("done", "Well."))
    kept.close()
    raw = path.read_bytes()
    cut = data.draw(st.integers(0, len(raw)))
    path.write_bytes(raw[:cut])
    whole = raw[:cut].decode().split("\n")[:-1]
    begun = {json.loads(line)[2] for line in whole if '"began"' in line}
    finished = {json.loads(line)[1] for line in whole if '"ended"' in line}
    for again in (Kept(path, "Alice"), Kept(path, "Alice")):  # also when it is read once more
        assert set(again.notes) == begun and again.newest.get("r", -1) == max((int(n[-1]) for n in begun), default=-1)
        for name in begun:
            end = again.find(name).end
            assert end.ok if name in finished else end.cause.clause == LOST_CONTACT
        again.close()
    if cut:
        spoilt = bytearray(raw)
        spoilt[data.draw(st.integers(0, cut - 1))] ^= data.draw(st.integers(1, 255))
        path.write_bytes(bytes(spoilt))
        again = Kept(path, "Alice")
        assert len(again.notes) >= 4 and all(n.end is not None for n in again.notes.values())
        again.close()


def test_notes_are_bounded_and_remember_the_last_of_each_run(tmp_path, monkeypatch):
    monkeypatch.setattr("coterie.link.kept.KEEP", 10)
    monkeypatch.setattr("coterie.link.kept.MOST_LINES", 50)
    path = tmp_path / "Alice.actions.jsonl"
    kept = Kept(path, "Alice")
    for run in ("a", "b"):
        for i in range(100):
            job = Job("Alice", f"{run}/{i}", run, i, Action("go"))
            kept.began(job)
            kept.ended(job.name, done("Well."))
    kept.close()
    assert len(path.read_text().splitlines()) <= 52
    again = Kept(path, "Alice")
    assert len(again.notes) <= 10 and again.newest == {"a": 99, "b": 99}
    assert again.is_past(Job("Alice", "a/50", "a", 50, Action("go")))
    again.close()


def test_time_limits_are_what_the_page_says():
    assert LEASE_S + WATCH_S < 1.0 and near.BEAT_S * 4 < LEASE_S, "a robot stops within 1 s, and not for one lost beat"
