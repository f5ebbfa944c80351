"""A stop stands until it is released, whatever its driver, its coordinator and the disk do."""

import pytest

from coterie.core.action import Action
from coterie.core.causes import STOPPED
from coterie.core.errors import CoterieError
from coterie.link import stopping
from coterie.link.stopping import Button, release, stop
from tests.link.conftest import end, robot, until
from tests.link.robots import Tin


def test_a_stop_stands_until_it_is_released(folder, moving):
    host, alice, under = moving("Alice", "Bob")
    answers = stop("Eve", folder=folder.path)
    assert not robot(host).moving.is_set(), "the answer comes when they stand still"
    assert sorted(answers.robots) == ["Alice", "Bob"] and not answers.wrong
    outcome = end(under)
    assert (outcome.status, outcome.cause.clause, outcome.cause.fact[2]) == ("cancelled", STOPPED, "Eve")
    until(lambda: alice.standing("Alice").stopped == "Eve")
    refused = end(alice.start("Alice", Action("go"), 1.0))
    assert (refused.status, refused.cause.clause) == ("refused", STOPPED)
    did = len(robot(host).did)
    release("Eve", folder=folder.path)
    until(lambda: not alice.standing("Alice").stopped)
    assert len(robot(host).did) == did, "nothing moves because of it"
    assert end(alice.start("Alice", Action("go"), 2.0)).ok


def test_one_robot_is_stopped_and_the_other_goes_on(folder, serve, fleet):
    host, both = serve("Alice", "Bob"), fleet("Alice", "Bob")
    assert list(stop("Eve", ["Bob"], folder.path).robots) == ["Bob"]
    assert end(both["Alice"].start("Alice", Action("go"), 0.0)).ok
    assert end(both["Bob"].start("Bob", Action("go"), 0.0)).status == "refused"
    assert robot(host, "Bob").halts
    with pytest.raises(CoterieError, match=r"No driven robot 'Bo'. Did you mean 'Bob'"):
        stop("Eve", ["Bo"], folder.path)


def test_a_driver_that_is_begun_again_leaves_its_robot_stopped(folder, serve, far):
    host = serve()
    stop("Eve", folder=folder.path)
    host.close()
    serve()
    alice = far()
    until(lambda: alice.standing("Alice").stopped == "Eve")
    assert end(alice.start("Alice", Action("go"), 0.0)).status == "refused"
    release("Eve", folder=folder.path)
    assert end(alice.start("Alice", Action("go"), 1.0)).ok


def test_the_stop_key_stops_and_does_not_release_or_drive(folder, serve):
    host = serve()
    (folder.path / "key").unlink()
    assert stop("a visitor", folder=folder.path).robots
    assert "no key" in release("a visitor", folder=folder.path).wrong["Alice"]
    (folder.path / "key").write_bytes((folder.path / "stop-key").read_bytes())
    assert "does not have the key" in release("a visitor", folder=folder.path).wrong["Alice"]
    assert host.stations["Alice"].stopped_by == "a visitor"


def test_a_robot_whose_halt_fails_or_hangs_keeps_no_other_moving(folder, serve, monkeypatch):
    monkeypatch.setattr(stopping, "ANSWER_S", 1.0)

    class Broken(Tin):
        def halt(self):
            raise OSError("no brakes")

    class Hung(Tin):
        def halt(self):
            self.let_go.wait()

    host = serve(Broken("Alice"), Hung("Bob"), "Carl")
    answers = stop("Eve", folder=folder.path)
    assert list(answers.robots) == ["Carl"] and robot(host, "Carl").halts
    assert "no brakes" in answers.wrong["Alice"] and "did not answer" in answers.wrong["Bob"]


def test_an_action_that_does_not_come_out_is_told_as_stopped_and_nothing_else_is_begun(folder, serve, far):
    host, alice = serve(), far()
    under = alice.start("Alice", Action("deaf"), 0.0)
    until(lambda: robot(host).did)
    stop("Eve", folder=folder.path)
    outcome = end(under)
    assert outcome.cause.clause == STOPPED and "has not come out" in outcome.reason
    until(lambda: robot(host).halts > 3, what="it is halted again and again")
    release("Eve", folder=folder.path)
    until(lambda: not alice.standing("Alice").stopped)
    assert "has not come out of deaf()" in end(alice.start("Alice", Action("go"), 1.0)).reason
    robot(host).let_go.set()
    until(lambda: host.stations["Alice"].job is None)
    assert end(alice.start("Alice", Action("go"), 2.0)).ok


def test_a_console_that_is_ready_stops_robots_whose_drivers_were_begun_again(folder, serve, monkeypatch):
    first = serve("Alice", "Bob")
    button = Button(folder=folder.path)
    try:
        first.close()
        host = serve("Alice")
        monkeypatch.setattr(stopping, "ANSWER_S", 0.5)
        answers = button.stop("Eve")
        assert list(answers.robots) == ["Alice"] and list(answers.wrong) == ["Bob"]
        assert host.stations["Alice"].stopped_by == "Eve" and folder.stopped("Bob") == "Eve"
    finally:
        button.close()


def test_a_word_to_release_that_comes_late_releases_no_other_stop(folder, serve):
    host = serve()
    station = host.stations["Alice"]
    stop("Eve", folder=folder.path)
    seen = station.seen()
    stop("Ava", folder=folder.path)
    with pytest.raises(CoterieError, match="Alice was stopped again meanwhile"):
        station.release(seen)
    seen = station.seen()
    folder.keep_stopped("Alice", "Bea")  # for a driver that did not answer
    with pytest.raises(CoterieError, match="stopped again meanwhile"):
        station.release(seen)
    assert station.stopped_by == "Ava" and folder.stopped("Alice") == "Bea"
    station.release(station.seen())
    assert not station.look()
