"""Contact with a driver: lost and found, who is served, and a robot that stops by itself."""

import json
import threading
import time

import pytest

from coterie.core.action import Action
from coterie.core.causes import LOST_CONTACT, NO_HEARTBEAT
from coterie.core.errors import CoterieError
from coterie.link import fleet as near
from coterie.link import host as host_module
from coterie.link.bell import Bell
from coterie.link.host import LEASE_S, Host
from coterie.link.stopping import release, stop
from tests.link.conftest import end, robot, until
from tests.link.robots import Tin


def test_a_driver_that_goes_away_is_told_as_data_and_used_again_when_it_is_back(serve, monkeypatch, moving):
    monkeypatch.setattr(near, "GRACE_S", 0.3)
    host, alice, under = moving()
    host.close()
    outcome = end(under)
    assert (outcome.status, outcome.cause.clause, outcome.cause.fact) == (
        "failed",
        LOST_CONTACT,
        ("contact", ("Alice",), False),
    )
    assert not robot(host).moving.is_set()
    until(lambda: not alice.standing("Alice").there)
    assert "No driver serves 'Alice'" in alice.standing("Alice").why
    assert end(alice.start("Alice", Action("go"), 1.0)).cause.clause == LOST_CONTACT, "at once"
    host = serve()
    until(lambda: alice.standing("Alice").there)
    assert end(alice.start("Alice", Action("go"), 2.0)).ok and robot(host).did == ["go()"]


def test_without_the_word_of_its_coordinator_a_robot_stops(far, monkeypatch, moving):
    host, alice, _ = moving()
    begun = time.monotonic()
    alice.close()
    monkeypatch.setattr(host_module, "LEASE_S", LEASE_S)
    until(lambda: not robot(host).moving.is_set())
    assert time.monotonic() - begun >= LEASE_S / 2, "not before: whoever takes over finds it under way"
    later = far()
    outcome = end(later.start("Alice", Action("take", ("30",)), 0.0))
    assert (outcome.status, outcome.cause.clause) == ("failed", NO_HEARTBEAT)
    monkeypatch.setattr(host_module, "LEASE_S", 10.0)
    assert end(later.start("Alice", Action("go"), 1.0)).ok


def test_what_a_coordinator_has_given_up_is_stopped_though_it_is_alive(monkeypatch, moving):
    """A cancellation that was lost on its way: what is not named as wanted ends."""
    host, alice, under = moving()
    alice._say = lambda line, message: None
    assert under.cancel(1.0).status == "cancelled"
    monkeypatch.setattr(host_module, "LEASE_S", LEASE_S)
    until(lambda: not robot(host).moving.is_set())
    monkeypatch.setattr(host_module, "LEASE_S", 10.0)
    assert end(alice.start("Alice", Action("go"), 2.0)).ok


def test_a_fleet_serves_one_run_after_the_other(serve, fleet, monkeypatch):
    host, some = serve(), fleet("Alice")
    alice = some.far["Alice"]
    assert end(alice.start("Alice", Action("go"), 1.0)).ok
    monkeypatch.setattr(host_module, "LEASE_S", LEASE_S)
    alice.begin("the next")
    until(lambda: alice._line is not None)
    monkeypatch.setattr(host_module, "LEASE_S", 10.0)
    assert end(alice.start("Alice", Action("go"), 1.0)).ok and len(robot(host).did) == 2


def test_a_robot_has_one_driver(folder, serve):
    serve("Alice", "Bob")
    with pytest.raises(CoterieError, match=r"Bob.json' is being written by process \d+ .*A robot has one driver"):
        serve("Bob")


def test_robots_that_nobody_serves_are_a_sentence(folder, serve, fleet):
    with pytest.raises(CoterieError, match=r"No driver serves 'Carl'.*Those that do: none.*coterie robot FILE Carl"):
        fleet("Carl").check()
    serve("Alice")
    with Bell(folder.path), pytest.raises(CoterieError, match=r"Those that do: Alice\."):
        fleet("Carl").check()
    fleet("Alice").check()


def test_no_thread_stays(folder):
    before = set(threading.enumerate())
    host = Host([Tin("Alice")], folder)
    stop("Eve", folder=folder.path)
    host.close()
    until(lambda: not [t for t in threading.enumerate() if t not in before])
    assert sorted(p.name for p in folder.path.iterdir()) == ["Alice.actions.jsonl", "Alice.stopped", "key", "stop-key"]


def test_a_simulated_team_has_a_bell(folder):
    with Bell(folder.path, "team") as bell:
        assert bell() == ""
        assert list(stop("Eve", folder=folder.path).robots) == ["team"] and bell() == "Eve"
        release("Eve", folder=folder.path)
        assert bell() == ""
        stop("Eve", folder=folder.path)
    assert sorted(p.name for p in folder.path.iterdir()) == ["key", "stop-key"]


def test_a_team_whose_run_was_killed_is_forgotten(folder):
    with Bell(folder.path, "team"):
        entry = json.loads(folder.entry_path("team").read_text())
    folder.entry_path("team").write_text(json.dumps({**entry, "pid": 2**22 + 1}))
    answers = stop("Eve", folder=folder.path)
    assert not answers.robots and not answers.wrong and not folder.entries()
