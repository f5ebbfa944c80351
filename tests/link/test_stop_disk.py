"""A stop and the disk that keeps it: full, read-only, hanging, without descriptors, or written to by others."""

import os
import threading

import pytest

from coterie.cli import main
from coterie.core.action import Action
from coterie.core.causes import STOPPED
from coterie.link import halter, stopping
from coterie.link.robot import Job
from coterie.link.stopping import Button, release, stop
from tests.link.conftest import Disk, end, robot, until
from tests.testing.listeners import no_descriptors


def test_a_full_disk_does_not_keep_a_robot_moving(folder, monkeypatch, moving):
    host, alice, under = moving()
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


def test_a_disk_that_hangs_keeps_no_robot_moving(folder, monkeypatch, moving):
    host, _, under = moving()
    station, hangs = host.stations["Alice"], threading.Event()
    monkeypatch.setattr(station.folder, "keep_stopped", lambda *_: hangs.wait())
    monkeypatch.setattr(halter, "KEEP_S", 0.1)
    monkeypatch.setattr(stopping.Folder, "keep_stopped", lambda *_: (_ for _ in ()).throw(OSError(5, "it hangs")))
    try:
        answers = stop("Eve", folder=folder.path)
        assert "the disk has not taken it within 0.1 s" in answers.unkept["Alice"]
        assert not robot(host).moving.is_set() and end(under).cause.clause == STOPPED
    finally:
        hangs.set()


def test_a_disk_that_does_not_say_whether_a_robot_is_stopped_ends_what_it_does(folder, monkeypatch, moving):
    host, _, under = moving()
    station, hangs = host.stations["Alice"], threading.Event()
    monkeypatch.setattr(station.folder, "stopped", lambda _: hangs.wait() and "")
    try:
        until(lambda: not robot(host).moving.is_set())
    finally:
        hangs.set()
    assert "could not be read within" in end(under).reason


@pytest.mark.parametrize("file", [None, b"", b"{", b"\xff", b'{"by": 7}', "pipe"])
def test_a_stop_that_others_kept_is_seen_before_every_motion_and_in_the_middle(folder, file, moving):
    """As `coterie stop` keeps it for a driver that does not answer; whatever is in the file, or instead of it."""
    host, alice, under = moving()
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
