"""Whoever speaks nonsense at a driver's port, or answers it from there: a sentence, nothing is lost, nobody moves."""

import contextlib
import json
import os
import socket
import threading
import time

import pytest

from coterie.core.action import Action
from coterie.core.causes import LOST_CONTACT
from coterie.link import fleet as near
from coterie.link import lines
from coterie.link.lines import MOST_LINE, Gone, Line, call
from coterie.link.shots import HERE
from tests.link.conftest import end, robot, until

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
        said = line.read(30.0)
        assert isinstance(said.pop("at"), float) and said == {"on": "beat", "number": "x"}
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
