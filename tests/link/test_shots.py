"""Stops on their way: what is no shot stops nobody, and answers that are none are not believed."""

import hmac
import json
import os
import socket
import threading
import time

import pytest

from coterie.link.fire import fire
from coterie.link.shots import HERE, MOST_SHOT, Answer, Seal, read_shot, shot, write_answer
from coterie.link.stopping import Button, release, stop
from tests.link.conftest import robot, until


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
