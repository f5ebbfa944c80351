"""An action is done once, for one run at a time, whoever asks for it again; and its halt hits no other."""

import time

from coterie.core.action import Action
from coterie.core.causes import LOST_CONTACT
from coterie.link import fleet as near
from coterie.link import host as host_module
from coterie.link.host import LEASE_S
from coterie.link.stopping import stop
from tests.link.conftest import end, robot, until
from tests.link.robots import Tin


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


def test_one_run_at_a_time(far, monkeypatch, moving):
    monkeypatch.setattr(near, "GRACE_S", 0.3)
    host, alice, under = moving(seconds="0.3")
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


def test_the_halt_of_an_action_does_not_hit_the_next_one(moving):
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

    _, alice, under = moving(make=Slow)
    under.cancel(1.0)
    assert end(alice.start("Alice", Action("go"), 1.0)).ok
    before = diary[: diary.index("go()")]
    assert before.count("halt") == before.count("halted") > 0 and diary[diary.index("go()") :] == ["go()"]


def test_a_motion_that_begins_while_it_is_halted_does_not_have_the_last_word(folder, moving):
    class Late(Tin):
        def do(self, action, job):
            self.move(True)
            job.wait(30)
            until(lambda: self.halts)
            self.move(True)  # it had looked just before
            return job.stopped()

    host, _, _ = moving(make=Late)
    stop("Eve", folder=folder.path)
    until(lambda: host.stations["Alice"].job is None and not robot(host).moving.is_set())
