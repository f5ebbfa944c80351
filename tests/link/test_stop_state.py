"""A stop is state: whatever happens to driver, disk, clock and coordinator, a robot stays stopped until released."""

import os
import shutil
import signal
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from coterie.core.action import Action
from coterie.core.causes import LOST_CONTACT, NO_HEARTBEAT
from coterie.link import fleet, lines, stopping
from coterie.link.fleet import Fleet
from coterie.link.folder import Folder
from coterie.link.stopping import release, stop
from tests.link.conftest import freeze, until
from tests.link.machine import SPAWN, Machine, drive

SETTLE_S = 0.15  # after which a driver that woke up has done what it had not yet done
KEEPING_S = 0.8  # that it takes to keep a stop on a slow disk


class Stops(RuleBasedStateMachine):
    """`barred` is when somebody was told that the robot is stopped, or that this is kept; None where it may move. What
    was neither answered nor kept is no promise, and yet may stop it (`perhaps`)."""

    def __init__(self):
        super().__init__()
        self.home = Path(tempfile.mkdtemp(prefix="stops-"))
        self.folder = Folder(self.home / "robots")
        self.patch = pytest.MonkeyPatch()
        self.machine = Machine(self.patch, self.home / "machine")
        self.fleet, self.orders = None, 0
        self.barred, self.kept, self.perhaps, self.frozen = None, False, False, False
        self.unheard = 0  # stops that were said while the driver was frozen
        self.driver = None
        self.begin()

    def teardown(self):
        self.end_driver()
        if self.fleet is not None:
            self.fleet.close()
        self.patch.undo()
        shutil.rmtree(self.home, ignore_errors=True)

    def moves(self):
        """When the robot began to move [ns], each time."""
        trace = self.home / "trace"
        rows = trace.read_text().split("\n")[:-1] if trace.exists() else []
        return [int(row.split()[0]) for row in rows if row.endswith("moves")]

    # -- the driver -----------------------------------------------------------------------------------------------
    def begin(self):
        (self.home / "ready").unlink(missing_ok=True)
        before = self.machine.full, self.machine.read_only
        self.machine.full = self.machine.read_only = False  # where it cannot begin
        self.driver = SPAWN.Process(target=drive, args=(str(self.home),), daemon=True)
        self.driver.start()
        self.unheard = 0
        until((self.home / "ready").exists)
        self.machine.full, self.machine.read_only = before
        self.frozen = False

    def end_driver(self):
        if self.driver is not None:
            self.driver.kill()
            self.driver.join()
            self.driver = None

    runs = property(lambda self: self.driver is not None and not self.frozen)

    @precondition(lambda self: self.runs)
    @rule()
    def freeze(self):
        freeze(self.driver.pid)
        self.frozen = True

    @precondition(lambda self: self.frozen and self.driver is not None)
    @rule()
    def thaw(self):
        os.kill(self.driver.pid, signal.SIGCONT)
        self.frozen = False
        time.sleep(SETTLE_S)
        self.order(0.01)  # whoever wakes up or begins again is asked at once

    @precondition(lambda self: self.driver is not None)
    @rule()
    def kill(self):
        self.end_driver()
        self.frozen = False
        if not self.kept:
            self.barred = None  # it was told so

    @precondition(lambda self: self.driver is None)
    @rule()
    def restart(self):
        self.begin()
        self.perhaps = False
        self.order(0.01)

    @precondition(lambda self: self.driver is not None)
    @rule()
    def kill_and_restart(self):
        self.kill()
        self.restart()

    # -- the machine ----------------------------------------------------------------------------------------------
    @rule(state=st.sampled_from(["good", "full", "read_only", "slow"]))
    def disk(self, state):
        for name in ("full", "read_only", "slow"):
            setattr(self.machine, name, name == state)

    @rule(hours=st.sampled_from([-24, -1, 0, 1, 24 * 365]))
    def clock_jumps(self, hours):
        self.machine.jump_s = 3600.0 * hours

    @rule()
    def coordinator_goes(self):
        if self.fleet is not None:
            self.fleet.close()
            self.fleet = None

    # -- people ---------------------------------------------------------------------------------------------------
    @rule()
    def stop(self):
        self.patch.setattr(stopping, "ANSWER_S", 30.0 if self.runs else 0.1)
        answers = stop("Eve", folder=self.folder.path)
        at = time.monotonic_ns()
        if self.runs:
            assert list(answers.robots) == ["Alice"], answers
            kept = "Alice" not in answers.unkept
        else:
            kept = "could not be kept" not in answers.wrong["Alice"]
        assert kept or self.machine.read_only, answers
        self.kept = self.kept or kept
        self.unheard += self.frozen
        self.perhaps = self.perhaps or self.driver is not None
        if self.runs or kept:
            self.barred = self.barred or at

    @rule()
    def release(self):
        self.patch.setattr(lines, "GREET_S", 30.0 if self.runs else 0.1)
        self.patch.setattr(stopping, "ANSWER_S", 30.0)
        if self.runs:  # it has heard by now: who releases it while a stop comes in is refused, and has to say it again
            time.sleep(self.unheard * (KEEPING_S if self.machine.slow else SETTLE_S))
            self.unheard = 0
        free = list(release("Eve", folder=self.folder.path).robots) == ["Alice"]
        assert free or not self.runs or self.machine.read_only, "nothing is in its way"
        if free:
            self.barred, self.kept = None, False
            self.perhaps = self.perhaps and not self.runs

    @rule(seconds=st.sampled_from([0.01, 5.0]))
    def order(self, seconds):
        self.patch.setattr(lines, "GREET_S", 30.0 if self.runs else 0.1)
        if self.fleet is None:
            self.fleet = Fleet(["Alice"], self.folder.path)
            self.fleet.far["Alice"].begin(f"run{self.orders}")
        alice, before = self.fleet.far["Alice"], len(self.moves())
        self.orders += 1
        free = self.runs and self.barred is None and not self.perhaps
        if free:
            until(lambda: alice._line is not None and alice.standing("Alice").there)
        under = alice.start("Alice", Action("move", (str(seconds),)), float(self.orders))
        if self.runs:
            until(lambda: under.taken or under.end is not None)
        if free:  # so that the rest is not true of a robot that never moves
            until(lambda: len(self.moves()) > before or (under.end is not None and not under.end.ok))
            moved = len(self.moves()) > before
            assert moved or under.end.cause.clause in (NO_HEARTBEAT, LOST_CONTACT), under.end  # of a busy machine

    @invariant()
    def nothing_begins_that_was_stopped(self):
        if self.barred is not None:
            late = [t for t in self.moves() if t > self.barred]
            assert not late, f"it moves {(late[0] - self.barred) / 1e6:g} ms after it was told to be stopped"


#: Ways on which a stop was lost once, or well might be.
WAYS = (
    "order freeze stop thaw order",
    "order freeze stop clock_jumps:1 thaw order release order",
    "freeze clock_jumps:-24 stop order thaw order",
    "disk:slow stop kill disk:good restart order release order",
    "disk:full stop kill restart order release order",
    "disk:read_only stop order kill",
    "disk:read_only freeze stop disk:good thaw order",
    "order:5 stop coordinator_goes order release order",
    "order:5 freeze stop coordinator_goes order thaw release order",
    "stop kill stop release restart order",
    "stop kill restart freeze release thaw order release order",
    "clock_jumps:1 stop clock_jumps:-24 release order stop clock_jumps:0 order",
    "freeze stop stop disk:slow stop thaw release order",
)


@pytest.mark.parametrize("way", WAYS)
def test_ways_on_which_a_stop_may_be_lost(monkeypatch, way):
    monkeypatch.setattr(fleet, "GRACE_S", 0.2)
    state = Stops()
    try:
        for step in way.split():
            name, _, value = step.partition(":")
            given = {"disk": str, "order": float, "clock_jumps": int}.get(name)
            getattr(state, name)(*([given(value or "0.01")] if given else []))
            state.nothing_begins_that_was_stopped()
    finally:
        state.teardown()


@pytest.mark.parametrize(("examples", "steps"), [(5, 10), pytest.param(80, 25, marks=pytest.mark.long)])
def test_after_an_answered_stop_nothing_begins_until_it_is_released(monkeypatch, examples, steps):
    monkeypatch.setattr(fleet, "GRACE_S", 0.2)
    how = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        phases=(Phase.explicit, Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(Stops, settings=how)
