"""Drivers and coordinators as processes that are killed and frozen. Waits are generous; figures are in benchmarks/."""

import contextlib
import json
import os
import random
import resource
import runpy
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from coterie.cli import main
from coterie.core.action import Action
from coterie.core.causes import LOST_CONTACT, NO_HEARTBEAT
from coterie.core.protocol import Party
from coterie.episode.loop import run
from coterie.link.fleet import Fleet
from coterie.link.stopping import release, stop
from coterie.log.file import Log, read_log
from examples.yard import Tidier, YardWorld, yard_task
from tests.link.conftest import end, freeze, until
from tests.link.coordinator import SETTINGS, coordinate
from tests.link.machine import SPAWN, Machine, drive

ROOT = Path(__file__).parents[2]
BENCH = runpy.run_path(str(ROOT / "benchmarks" / "link.py"))
YARD = ["--load", str(ROOT / "examples" / "yard.py")]
AT_MOST_S = 40.0  # where 1 s is promised: other processes are busy, too


def words(trace):
    """What robots noted: when, and what."""
    lines = trace.read_text().split("\n")[:-1] if trace.is_file() else []
    return [(int(t) / 1e9, word) for t, word in (line.split(" ", 1) for line in lines)]


def moving(trace):
    return [w for _, w in words(trace) if w in ("moves", "still")][-1:] == ["moves"]


def hold(folder, robot):
    """A coordinator that lets its robot move, and waits."""
    fleet = Fleet([robot], folder)
    fleet.far[robot].begin("held")
    fleet.far[robot].start(robot, Action("take", ("60",)), 1.0)
    time.sleep(600.0)


@contextlib.contextmanager
def child(target, *args):
    process = SPAWN.Process(target=target, args=args, daemon=True)
    process.start()
    try:
        yield process
    finally:
        if process.is_alive():
            os.kill(process.pid, signal.SIGKILL)
        process.join(60)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "frozen"])
def test_a_driver_stops_its_robot_when_the_coordinator_is_silent(folder, process, tmp_path, number):
    trace = tmp_path / "trace"
    process("Alice", trace=trace)
    with child(hold, str(folder.path), "Alice") as coordinator:
        until(lambda: moving(trace))
        begun = time.monotonic()
        os.kill(coordinator.pid, number)
        until(lambda: not moving(trace))
        assert words(trace)[-1][0] - begun < AT_MOST_S, "the action itself takes a minute"
        if number == signal.SIGSTOP:  # and it learns so when it wakes up
            os.kill(coordinator.pid, signal.SIGCONT)
            notes = folder.path / "Alice.actions.jsonl"
            until(lambda: NO_HEARTBEAT in notes.read_text())


def test_a_stop_reaches_the_robot_while_the_coordinator_is_frozen(folder, process, tmp_path):
    trace = tmp_path / "trace"
    process("Alice", trace=trace, lease_s=120.0)  # a command takes longer to begin than a driver waits
    with child(hold, str(folder.path), "Alice") as coordinator:
        until(lambda: moving(trace))
        os.kill(coordinator.pid, signal.SIGSTOP)
        command = [sys.executable, "-m", "coterie", "stop", "--by", "Eve", "--json", "--folder", str(folder.path)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert list(json.loads(done.stdout)["stopped"]) == ["Alice"] and not moving(trace)
    assert NO_HEARTBEAT not in (folder.path / "Alice.actions.jsonl").read_text(), "it was the stop"
    assert folder.stopped("Alice") == "Eve"


def test_a_driver_that_is_killed_in_the_middle_is_lost_and_used_again(folder, process, fleet, tmp_path):
    trace = tmp_path / "trace"
    first = process("Alice", trace=trace, lease_s=60.0)
    alice = fleet("Alice").far["Alice"]
    under = alice.start("Alice", Action("take", ("60",)), 1.0)
    until(lambda: moving(trace))
    first.kill()
    outcome = end(under)
    assert (outcome.status, outcome.cause.clause) == ("failed", LOST_CONTACT)
    answers = stop("Eve", folder=folder.path)
    assert "does not run any more" in answers.wrong["Alice"], "nobody claims that it stands still"
    process("Alice", trace=trace, lease_s=60.0)
    until(lambda: alice.standing("Alice").there)
    assert end(alice.start("Alice", Action("go"), 2.0)).status == "refused", "it was stopped meanwhile"
    release("Eve", folder=folder.path)
    assert end(alice.start("Alice", Action("go"), 3.0)).ok
    assert sum("did run1/Alice/1" in w for _, w in words(trace)) == 1


def test_a_driver_that_was_frozen_while_it_was_stopped_finds_so_when_it_wakes_up(folder, process, fleet, tmp_path):
    """Whatever became of what was sent to it: it was kept for it."""
    trace = tmp_path / "trace"
    driver = process("Alice", trace=trace, lease_s=60.0)
    entry = json.loads(folder.entry_path("Alice").read_text())
    folder.entry_path("Alice").write_text(json.dumps({**entry, "stop_port": 9}))
    alice = fleet("Alice").far["Alice"]
    assert end(alice.start("Alice", Action("go"), 1.0)).ok
    freeze(driver.child.pid)
    late = alice.start("Alice", Action("go"), 2.0)  # it is read when the driver wakes up
    assert "did not answer" in stop("Eve", folder=folder.path).wrong["Alice"] and folder.stopped("Alice") == "Eve"
    os.kill(driver.child.pid, signal.SIGCONT)
    assert end(late).status == "refused"
    assert end(alice.start("Alice", Action("go"), 3.0)).status == "refused"
    assert sum(w.startswith("did") for _, w in words(trace)) == 1
    until(lambda: alice.standing("Alice").stopped == "Eve")
    assert list(release("Eve", folder=folder.path).robots) == ["Alice"]
    assert end(alice.start("Alice", Action("go"), 4.0)).ok


def test_a_driver_that_is_killed_when_it_has_answered_has_kept_its_stop(folder, tmp_path, monkeypatch):
    machine = Machine(monkeypatch, tmp_path / "machine")
    for by in ("Ada", "Bo", "Eve"):
        with child(drive, str(tmp_path)) as driver:
            until((tmp_path / "ready").exists)
            machine.slow = True
            answers = stop(by, folder=folder.path)
            driver.kill()
            assert list(answers.robots) == ["Alice"] and folder.stopped("Alice") == by
        (tmp_path / "ready").unlink()
        machine.slow = False
        assert list(release("Eve", folder=folder.path).robots) == ["Alice"]


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="nobody can make files of another process smaller here")
def test_a_driver_that_can_write_nothing_keeps_its_stop(folder, process, capsys):
    first = process("Alice")
    resource.prlimit(first.child.pid, resource.RLIMIT_FSIZE, (0, 0))
    assert main(["stop", "--folder", str(folder.path)]) == 0 and "stopped: Alice" in capsys.readouterr().out
    first.kill()
    assert folder.stopped("Alice") == "somebody", "whose name there was no room for"
    process("Alice")
    assert main(["stop", "--list", "--folder", str(folder.path)]) == 0
    assert "Alice: stopped by somebody" in capsys.readouterr().out


class Enough(Exception):
    """Nothing more has to be seen."""


def test_a_team_goes_on_without_a_robot_whose_driver_was_killed_and_with_it_when_it_is_back(folder, process):
    process("Ada", seconds=0.05, lease_s=60.0)
    hosts = [process("Bo", seconds=0.25, lease_s=60.0)]
    task, log, seen = yard_task(step_limit=200), Log(), []

    def watch(episode):
        bo = episode.roster.agents["Bo"]
        if bo.doing is not None and not seen:
            hosts[0].kill()
            seen.append(log.seq)
        elif not bo.standing.there and len(seen) == 1:
            hosts.append(process("Bo", seconds=0.05, lease_s=60.0))
            seen.append(log.seq)
        elif len(seen) == 2 and [e for e in log.events[seen[1] :] if e.who == "Bo" and e.data.get("status") == "done"]:
            raise Enough

    log.add("start", data={"task": task.name})
    party = Party("team", Tidier, ("Ada", "Bo"))
    with Fleet(["Ada", "Bo"], folder.path) as drivers, pytest.raises(Enough):
        run(YardWorld(task), task, [party], log, lambda asks: [], SETTINGS, watch=watch, drivers=drivers)
    inputs = [e for e in log.events if e.kind == "input" and e.who == "Bo"]
    lost = [e.seq for e in inputs if e.data["kind"] == "ended" and e.data["status"] == "failed"]
    away, back = [e.seq for e in inputs if e.data["kind"] == "standing"]
    assert [log.events[n].data["cause"].clause for n in lost] == [LOST_CONTACT] and lost[0] < back
    acts = [(e.seq, e.who) for e in log.events if e.kind == "act"]
    assert not [n for n, who in acts if who == "Bo" and away < n < back]
    assert [n for n, who in acts if who == "Ada" and away < n < back], "the other goes on meanwhile"


def test_coordinators_killed_at_random_moments_lose_nothing_and_do_nothing_twice(folder, process, tmp_path):
    """The short form of `benchmarks/link.py --only takeover`."""
    rng, kills = random.Random(7), 0
    trace = tmp_path / "trace"
    process("Ada", "Bo", seconds=0.06, trace=trace)
    while kills < 8:
        log = tmp_path / f"run{kills}.jsonl"
        now = SPAWN.Process(target=coordinate, args=(str(log), str(folder.path)), daemon=True)
        now.start()
        while kills < 8:
            following = SPAWN.Process(target=coordinate, args=(str(log), str(folder.path)), daemon=True)
            following.start()
            until(lambda log=log: log.is_file() and b"driven" in log.read_bytes())
            time.sleep(rng.uniform(0.0, 0.35))
            over = not now.is_alive()
            now.kill()
            now.join()
            now, kills = following, kills + (not over)
            if over:
                break
        now.join(60)
        assert now.exitcode == 0
        run = next(e.data["run"] for e in read_log(log) if e.data.get("kind") == "driven")
        did = [(0, w.split("/")[1], w) for _, w in words(trace) if w.startswith(f"did {run}/")]
        assert did and BENCH["check"](log, folder.path, did, ("Ada", "Bo"), run) == []


def test_the_check_of_takeovers_can_fail(folder, process, tmp_path):
    process("Ada", "Bo", seconds=0.01, trace=tmp_path / "trace")
    log = tmp_path / "run.jsonl"
    coordinate(str(log), str(folder.path))
    run = read_log(log)[1].data["run"]
    did = [(0, w.split("/")[1], w) for _, w in words(tmp_path / "trace") if w.startswith("did")]
    check = lambda: BENCH["check"](log, folder.path, did, ("Ada", "Bo"), run)  # noqa: E731
    assert check() == []
    did.append(did[3])
    assert any("done 2 times" in w for w in check())
    lines = log.read_text().splitlines(keepends=True)
    acts = [i for i, line in enumerate(lines) if '"act","Bo"' in line]
    log.write_text("".join(lines[: acts[-2]]))
    found = check()
    assert any("which the log does not know" in w for w in found) and any("no end" in w for w in found)


def test_the_commands_from_one_terminal_to_the_next(folder, process, tmp_path, capsys):
    """`run --drive`, a `--standby` that takes over when the first is killed, and one that finds nothing to do."""
    process("Ada", "Bo", seconds=0.02)
    env = {**os.environ, "COTERIE_ROBOTS": str(folder.path)}
    coterie = [sys.executable, "-m", "coterie", "run"]
    how = ["yard-tidy", *YARD, "--async", "--drive", "Ada,Bo", "--json", "--log", "run.jsonl"]
    first = subprocess.Popen([*coterie, *how], cwd=tmp_path, env=env, stdout=subprocess.PIPE)
    log = tmp_path / "run.jsonl"
    until(lambda: log.is_file() and log.read_bytes().count(b'"ended"') > 1)
    os.kill(first.pid, signal.SIGSTOP)  # so that it does not come to its end before the other stands by
    second = subprocess.Popen(
        [*coterie, "--standby", "run.jsonl", *YARD], cwd=tmp_path, env=env, stdout=subprocess.PIPE, text=True
    )
    assert "Standing by: 'run.jsonl' is being written by process" in second.stdout.readline()
    before = log.read_bytes()
    first.kill()
    first.communicate()
    second.communicate(timeout=60)
    assert second.returncode in (0, 1) and log.read_bytes().startswith(before[: before.rindex(b"\n") + 1])
    assert read_log(log)[-1].kind == "end"
    assert main(["run", "--standby", str(log)]) == 0
    assert "has its end; there is nothing to take over" in capsys.readouterr().err
