"""A robot that is driven elsewhere: its actions end late and once, it can be stopped, and it stops by itself."""

import base64
import json
import math
import os
import struct
import threading
import time

import pytest

from coterie.cli import main
from coterie.core.action import Action
from coterie.core.causes import LOST_CONTACT, NO_HEARTBEAT, STOPPED
from coterie.core.errors import CoterieError
from coterie.core.sight import Picture, Sight
from coterie.link import fleet as near
from coterie.link import halter, stopping
from coterie.link import host as host_module
from coterie.link.bell import Bell
from coterie.link.host import LEASE_S, Host
from coterie.link.lines import Line
from coterie.link.robot import Job, Report
from coterie.link.stopping import Button, release, stop
from tests.link.conftest import Disk, until
from tests.link.robots import Tin
from tests.testing.listeners import no_descriptors


def end(under, seconds=60.0):
    """Ask until it has ended; what the simulated clock says meanwhile does not matter."""
    now, last = under.began, time.monotonic() + seconds
    while (outcome := under.poll(now)) is None:
        assert time.monotonic() < last
        now += 0.1
    return outcome


def robot(host, name="Alice"):
    return host.stations[name].robot


def test_a_picture_comes_with_what_is_told_anew(serve, far, monkeypatch):
    picture = Picture(
        base64.b64encode(b"\x89PNG\r\n\x1a\n" + struct.pack(">8xII", 4, 3)).decode(), (0.0, 0.0, 1.5), 90.0
    )
    monkeypatch.setattr(Tin, "sense", lambda robot: Sight(pose=(1.0, 2.0)))
    monkeypatch.setattr(Tin, "picture", lambda robot: picture)
    serve()
    alice = far()
    assert end(alice.start("Alice", Action("take", ("0.01",)), 0.0)).status == "done"
    told = alice.sensed("Alice", 60.0)
    assert {s.picture for s in told} == {picture} and picture.size() == (4, 3)
    monkeypatch.setattr(Tin, "picture", lambda robot: picture._replace(png="no picture"))
    end(alice.start("Alice", Action("take", ("0.01",)), 1.0))
    assert not alice.sensed("Alice") and any("A picture is a PNG" in words for words in alice.complaints)


# -- actions ----------------------------------------------------------------------------------------------------------
def test_an_action_ends_late_in_the_robots_own_words_and_tells_how_far_it_is(serve, far):
    host, alice = serve(), far()
    under = alice.start("Alice", Action("take", ("0.15",)), 3.0)
    assert under.poll(3.1) is None
    until(lambda: under.progress == (0.5, "half"))
    outcome = end(under)
    assert (outcome.status, outcome.reason, outcome.start, outcome.cause) == ("done", "Alice did it.", 3.0, None)
    assert robot(host).did == ["take(0.15)"]


def test_why_it_failed_and_what_was_found_out_travel_as_data(serve, far):
    serve()
    outcome = end(far().start("Alice", Action("fail"), 0.0))
    assert (outcome.status, outcome.cause.clause, outcome.cause.fact) == (
        "failed",
        "seen",
        ("where", ("cup",), "shelf"),
    )
    assert [f.value for f in outcome.facts] == ["shelf"]


@pytest.mark.parametrize(
    ("skill", "words"), [("raise", "ValueError: a wire is loose"), ("mumble", "return done(...) or failed(...)")]
)
def test_what_goes_wrong_in_the_engineers_code_is_a_failure_and_the_robot_is_halted(serve, far, skill, words):
    host, alice = serve(), far()
    outcome = end(alice.start("Alice", Action(skill), 0.0))
    assert outcome.status == "failed" and words in outcome.reason and outcome.cause.clause == "driver"
    until(lambda: robot(host).halts)
    assert end(alice.start("Alice", Action("go"), 1.0)).ok, "and it goes on"


def test_an_action_is_cancelled(serve, far):
    host, alice = serve(), far()
    under = alice.start("Alice", Action("take", ("30",)), 0.0)
    until(robot(host).moving.is_set)
    assert under.cancel(1.0).status == "cancelled"
    until(lambda: not robot(host).moving.is_set() and robot(host).halts)
    assert end(alice.start("Alice", Action("go"), 2.0)).ok


def test_a_word_to_stop_that_comes_too_late_does_not_undo_what_was_done(serve, far):
    serve()
    under = far().start("Alice", Action("go"), 0.0)
    until(lambda: under.end is not None)
    assert under.cancel(1.0).status == "done"


def test_what_is_begun_while_another_action_is_under_way_waits_for_its_end(serve, far):
    host, alice = serve(), far()
    first = alice.start("Alice", Action("take", ("30",)), 0.0)
    until(robot(host).moving.is_set)
    second = alice.start("Alice", Action("go"), 1.0)  # as after a word to stop that was lost with its coordinator
    assert end(first).status == "cancelled" and end(second).ok
    assert host.stations["Alice"].kept.find(first.name).end.status == "cancelled"


def test_what_is_begun_while_the_end_of_another_action_comes_in_ends_too(serve, far, monkeypatch):
    serve()
    alice, later, read = far(), [], Report.of

    def of(told):
        if threading.current_thread().name == "line to Alice" and not later:  # an end has come in
            later.append(alice.start("Alice", Action("go"), 1.0))
        return read(told)

    monkeypatch.setattr(Report, "of", of)
    alice.start("Alice", Action("go"), 0.0)
    until(lambda: later)
    assert end(later[0]).ok


def test_what_is_begun_while_another_action_is_given_up_is_not_lost(serve, far, monkeypatch):
    host, alice, later, send = serve(), far(), [], Line.send
    until(lambda: alice._line is not None)

    def beat(line, message):
        send(line, message)
        if message.get("holds") == first.name and not later:
            first.asked_at = -math.inf  # its driver has had all the time there is
            later.append(alice.start("Alice", Action("go"), 1.0))

    with host.stations["Alice"]._desk:  # so that it is not taken
        first = alice.start("Alice", Action("go"), 0.0)
        monkeypatch.setattr(Line, "send", beat)
        until(lambda: later)
    assert end(later[0]).ok


def test_an_action_that_has_no_wire_form_fails_and_nothing_is_sent(serve, far):
    host, alice = serve(), far()
    until(lambda: alice._line is not None)
    assert "has no wire form" in end(alice.start("Alice", Action("go", (object(),)), 0.0)).reason
    assert "a line takes 1,000,000" in end(alice.start("Alice", Action("go", ("x" * 2_000_000,)), 1.0)).reason
    assert robot(host).did == []


# -- once -------------------------------------------------------------------------------------------------------------
def test_an_action_is_done_once_whoever_asks_for_it_again(serve, far, fleet, monkeypatch):
    host = serve()
    assert end(far().start("Alice", Action("go"), 5.0)).ok
    later = fleet("Alice").far["Alice"]  # a coordinator that took over
    again = end(later.start("Alice", Action("go"), 5.0))
    later.close()
    monkeypatch.setattr(host_module, "LEASE_S", LEASE_S)
    assert (again.status, again.reason, robot(host).did) == ("done", "Alice did it.", ["go()"])
    late = far(run="run2")
    until(lambda: late._line is not None)
    monkeypatch.setattr(host_module, "LEASE_S", 10.0)
    other = end(late.start("Alice", Action("go"), 5.0))
    assert other.ok and len(robot(host).did) == 2, "of another run it is another one"


def test_another_action_of_the_same_name_is_not_told_as_done(serve, fleet):
    """In a run that was taken over, of whose end its log knows nothing."""
    host = serve()
    assert end(fleet().far["Alice"].start("Alice", Action("take", ("0.01",)), 1.0)).status == "done"
    other = fleet().far["Alice"]
    assert not other.is_ahead(1) and other.is_ahead(0)
    assert end(other.start("Alice", Action("mumble"), 1.0)).status == "refused", "that is past"
    assert end(other.start("Alice", Action("take", ("0.03",)), 1.0)).status == "done", "the next at the same moment"
    other.act_for("run1.1", 1)
    assert end(other.start("Alice", Action("take", ("0.02",)), 1.0)).status == "done", "as of another run it is new"
    assert robot(host).did == ["take(0.01)", "take(0.03)", "take(0.02)"]


def test_what_lay_on_its_way_is_begun_only_if_it_is_still_wanted(serve, far):
    host, alice = serve(), far()
    assert alice._greeted.wait(60.0)
    alice._at -= 3600.0  # the last word of its driver, an hour ago
    under = alice.start("Alice", Action("take", ("0.01",)), 1.0)
    assert (end(under).status, robot(host).did) == ("done", ["take(0.01)"])
    assert under.asked == 2, "whether it is was asked"


def test_a_coordinator_that_takes_over_finds_what_is_under_way(serve, fleet):
    host = serve()
    first = fleet("Alice").far["Alice"]
    first.start("Alice", Action("take", ("0.4",)), 5.0)
    until(robot(host).moving.is_set)
    first.close()  # killed
    under = fleet("Alice").far["Alice"].start("Alice", Action("take", ("0.4",)), 5.0)
    assert end(under).ok and robot(host).did == ["take(0.4)"]


def test_a_driver_that_was_killed_in_the_middle_does_not_do_it_again(folder, serve, far):
    host = serve()
    kept = host.stations["Alice"].kept
    alice = far()
    under = alice.start("Alice", Action("take", ("30",)), 5.0)
    until(robot(host).moving.is_set)
    raw = kept.path.read_bytes()
    host.close()
    assert end(under).cause.clause == LOST_CONTACT
    alice.close()
    kept.path.write_bytes(raw)  # as a kill would have left it
    host = serve()
    later = far(run="run1")
    outcome = end(later.start("Alice", Action("take", ("30",)), 5.0))
    assert outcome.cause.clause == LOST_CONTACT and "how far it came is not known" in outcome.reason
    assert robot(host).did == []
    later.act_for("run1", 0)  # before that
    assert "forgotten" in end(later.start("Alice", Action("go"), 4.0)).reason, "nor what was before that"
    later.act_for("run1", 2)
    assert end(later.start("Alice", Action("go"), 6.0)).ok


def test_one_run_at_a_time(serve, far, monkeypatch):
    monkeypatch.setattr(near, "GRACE_S", 0.3)
    host, alice = serve(), far()
    under = alice.start("Alice", Action("take", ("0.3",)), 0.0)
    until(robot(host).moving.is_set)
    thief = far(run="run2")
    until(lambda: any("driven by another run" in c for c in thief.complaints))
    outcome = end(thief.start("Alice", Action("go"), 0.0))
    assert outcome.cause.clause == LOST_CONTACT and not thief.standing("Alice").there
    assert end(under).ok and robot(host).did == ["take(0.3)"]
    alice.close()
    monkeypatch.setattr(host_module, "LEASE_S", LEASE_S)
    until(lambda: thief.standing("Alice").there, what="the robot is free when the other run has gone")
    monkeypatch.setattr(host_module, "LEASE_S", 10.0)
    assert end(thief.start("Alice", Action("go"), 1.0)).ok


def test_the_halt_of_an_action_does_not_hit_the_next_one(folder, far):
    diary = []

    class Slow(Tin):
        def do(self, action, job):
            diary.append(str(action))
            return super().do(action, job)

        def halt(self):
            diary.append("halt")
            super().halt()
            time.sleep(0.1)
            diary.append("halted")

    host = Host([Slow("Alice")], folder)
    try:
        alice = far()
        under = alice.start("Alice", Action("take", ("30",)), 0.0)
        until(robot(host).moving.is_set)
        under.cancel(1.0)
        assert end(alice.start("Alice", Action("go"), 1.0)).ok
        before = diary[: diary.index("go()")]
        assert before.count("halt") == before.count("halted") > 0 and diary[diary.index("go()") :] == ["go()"]
    finally:
        host.close()


def test_a_motion_that_begins_while_it_is_halted_does_not_have_the_last_word(folder, far):
    class Late(Tin):
        def do(self, action, job):
            self.move(True)
            job.wait(30)
            until(lambda: self.halts)
            self.move(True)  # it had looked just before
            return job.stopped()

    host = Host([Late("Alice")], folder)
    try:
        far().start("Alice", Action("go"), 0.0)
        until(robot(host).moving.is_set)
        stop("Eve", folder=folder.path)
        until(lambda: host.stations["Alice"].job is None and not robot(host).moving.is_set())
    finally:
        host.close()


# -- contact ----------------------------------------------------------------------------------------------------------
def test_a_driver_that_goes_away_is_told_as_data_and_used_again_when_it_is_back(serve, far, monkeypatch):
    monkeypatch.setattr(near, "GRACE_S", 0.3)
    host, alice = serve(), far()
    under = alice.start("Alice", Action("take", ("30",)), 0.0)
    until(robot(host).moving.is_set)
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


def test_without_the_word_of_its_coordinator_a_robot_stops(serve, far, monkeypatch):
    host, alice = serve(), far()
    alice.start("Alice", Action("take", ("30",)), 0.0)
    until(robot(host).moving.is_set)
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


def test_what_a_coordinator_has_given_up_is_stopped_though_it_is_alive(serve, far, monkeypatch):
    """A cancellation that was lost on its way: what is not named as wanted ends."""
    host, alice = serve(), far()
    under = alice.start("Alice", Action("take", ("30",)), 0.0)
    until(robot(host).moving.is_set)
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


# -- stop -------------------------------------------------------------------------------------------------------------
def test_a_stop_stands_until_it_is_released(folder, serve, far):
    host, alice = serve("Alice", "Bob"), far()
    under = alice.start("Alice", Action("take", ("30",)), 0.0)
    until(robot(host).moving.is_set)
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
    serve().close()
    host = serve()
    stop("Eve", folder=folder.path)
    host.close()
    host = serve()
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


def test_a_robot_whose_halt_fails_or_hangs_keeps_no_other_moving(folder, monkeypatch):
    monkeypatch.setattr(stopping, "ANSWER_S", 1.0)

    class Broken(Tin):
        def halt(self):
            raise OSError("no brakes")

    class Hung(Tin):
        def halt(self):
            self.let_go.wait()

    robots = [Broken("Alice"), Hung("Bob"), Tin("Carl")]
    host = Host(robots, folder)
    try:
        answers = stop("Eve", folder=folder.path)
        assert list(answers.robots) == ["Carl"] and robots[2].halts
        assert "no brakes" in answers.wrong["Alice"] and "did not answer" in answers.wrong["Bob"]
    finally:
        robots[1].let_go.set()
        host.close()


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


def test_a_console_that_is_ready_stops_with_one_message(folder, serve):
    host = serve("Alice", "Bob")
    button = Button(folder=folder.path)
    try:
        assert list(button.stop("Eve").robots) == ["Alice", "Bob"]
        assert host.stations["Bob"].stopped_by == "Eve"
    finally:
        button.close()


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


def test_a_full_disk_does_not_keep_a_robot_moving(folder, serve, far, monkeypatch):
    host, alice = serve(), far()
    under = alice.start("Alice", Action("take", ("30",)), 0.0)
    until(robot(host).moving.is_set)
    disk = Disk(monkeypatch)
    disk.full = True
    kept = host.stations["Alice"].kept
    with open("/dev/full", "w") as kept._file:
        answers = stop("Eve", folder=folder.path)
        assert list(answers.robots) == ["Alice"] and not answers.unkept, "a name is kept where there is no room"
        assert end(under).cause.clause == STOPPED
    assert folder.stopped("Alice")
    assert not release("Eve", folder=folder.path).wrong
    with open("/dev/full", "w") as kept._file:
        assert "No space left" in end(alice.start("Alice", Action("go"), 1.0)).reason, "and nothing is begun unnoted"
    assert len(robot(host).did) == 1
    assert end(alice.start("Alice", Action("go"), 2.0)).ok


def test_a_stop_that_cannot_be_kept_is_told_so(folder, serve, far, monkeypatch, capsys):
    host, alice = serve(), far()
    Disk(monkeypatch).read_only = True
    answers = stop("Eve", folder=folder.path)
    assert list(answers.robots) == ["Alice"] and answers.unkept == {"Alice": "Read-only file system"}
    assert main(["stop", "--folder", str(folder.path)]) == 1
    told = capsys.readouterr()
    assert (
        told.out.startswith("stopped: Alice") and "Alice is stopped, but that could not be kept: Read-only" in told.err
    )
    assert end(alice.start("Alice", Action("go"), 1.0)).status == "refused", "it is stopped all the same"
    monkeypatch.undo()
    assert not release("Eve", folder=folder.path).wrong
    stop("Eve", folder=folder.path)
    Disk(monkeypatch).read_only = True
    assert "cannot be taken back: Read-only" in release("Eve", folder=folder.path).wrong["Alice"]
    assert host.stations["Alice"].stopped_by == "Eve"


def test_a_stop_is_kept_where_there_are_no_descriptors(folder, serve, far):
    serve()
    button = Button(folder=folder.path)
    try:
        with no_descriptors():
            answers = button.stop("Eve")
        assert list(answers.robots) == ["Alice"] and not answers.unkept and folder.stopped("Alice")
    finally:
        button.close()


def test_a_disk_that_hangs_keeps_no_robot_moving(folder, serve, far, monkeypatch):
    host, alice = serve(), far()
    under = alice.start("Alice", Action("take", ("30",)), 0.0)
    until(robot(host).moving.is_set)
    station, hangs = host.stations["Alice"], threading.Event()
    monkeypatch.setattr(station, "state", station.state._replace(keep=lambda by: hangs.wait()))
    monkeypatch.setattr(halter, "KEEP_S", 0.1)
    monkeypatch.setattr(stopping.Folder, "keep_stopped", lambda *_: (_ for _ in ()).throw(OSError(5, "it hangs")))
    try:
        answers = stop("Eve", folder=folder.path)
        assert "the disk has not taken it within 0.1 s" in answers.unkept["Alice"]
        assert not robot(host).moving.is_set() and end(under).cause.clause == STOPPED
    finally:
        hangs.set()


def test_a_disk_that_does_not_say_whether_a_robot_is_stopped_ends_what_it_does(folder, serve, far, monkeypatch):
    host, alice = serve(), far()
    under = alice.start("Alice", Action("take", ("30",)), 0.0)
    until(robot(host).moving.is_set)
    station, hangs = host.stations["Alice"], threading.Event()
    monkeypatch.setattr(station, "state", station.state._replace(read=lambda: hangs.wait() and ""))
    try:
        until(lambda: not robot(host).moving.is_set())
    finally:
        hangs.set()
    assert "could not be read within" in end(under).reason


@pytest.mark.parametrize("file", [None, b"", b"{", b"\xff", b'{"by": 7}', "pipe"])
def test_a_stop_that_others_kept_is_seen_before_every_motion_and_in_the_middle(folder, serve, far, file):
    """As `coterie stop` keeps it for a driver that does not answer; whatever is in the file, or instead of it."""
    host, alice = serve(), far()
    under = alice.start("Alice", Action("take", ("30",)), 0.0)
    until(robot(host).moving.is_set)
    path = folder.path / "Alice.stopped"
    if file is None:
        folder.keep_stopped("Alice", "Eve")
    elif file == "pipe":
        os.mkfifo(path)  # nobody waits for what may come out of it
    else:
        path.write_bytes(file)
    until(lambda: not robot(host).moving.is_set(), what="what is under way is halted")
    assert end(under).cause.clause == STOPPED
    until(lambda: alice.standing("Alice").stopped == ("Eve" if file is None else "somebody"))
    did = len(robot(host).did)
    assert end(alice.start("Alice", Action("go"), 1.0)).status == "refused"
    assert not release("Eve", folder=folder.path).wrong and not path.exists()
    station = host.stations["Alice"]
    station._disk.acquire()  # nobody looks meanwhile
    try:
        folder.keep_stopped("Alice", "Eve")
        job = Job("Alice", "x/Alice/5", "x", 5, Action("go"))
        station._begin(job)
    finally:
        station._disk.release()
    until(lambda: station.job is None)
    assert job.end.cause.clause == STOPPED and len(robot(host).did) == did, "an action that was taken just before"


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


# -- who is served ----------------------------------------------------------------------------------------------------
def test_a_robot_has_one_driver(folder, serve):
    serve("Alice", "Bob")
    with pytest.raises(CoterieError, match=r"Bob.json' is being written by process \d+ .*A robot has one driver"):
        serve("Bob")


def test_robots_that_nobody_serves_are_a_sentence(folder, serve, fleet):
    with pytest.raises(CoterieError, match=r"No driver serves 'Carl'.*Those that do: none.*coterie robot FILE Carl"):
        fleet("Carl").check()
    serve("Alice")
    with pytest.raises(CoterieError, match="Those that do: Alice"):
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
