"""Robots on another computer, here in a network namespace of its own with a cable to this one that can be pulled."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import time

import pytest

from coterie.cli import main
from coterie.core.action import Action
from coterie.core.causes import LOST_CONTACT
from coterie.core.errors import CoterieError
from coterie.link import fleet as near_end
from coterie.link.folder import Folder
from coterie.link.network import Pipes, Reach, Wire
from coterie.link.stopping import release, stop
from tests.link.conftest import ROBOTS, end, freeze, until

pytest.importorskip("zenoh", reason="zenoh is not installed (pip install 'coterie[zenoh]')")
QUIET = '{"scouting": {"multicast": {"enabled": false}}, "listen": {"endpoints": []}}'


def ip(*words):
    return subprocess.run(["ip", *words], capture_output=True, text=True, timeout=30)


class Cable:
    """Between this machine and a network namespace."""

    def __init__(self, number):
        self.space, self.plug = f"coterie{number}", f"ct{number}"
        self.here, self.there = (f"10.213.{number % 250}.{n}" for n in (1, 2))
        for words in (
            ["netns", "add", self.space],
            ["link", "add", self.plug, "type", "veth", "peer", "name", "far", "netns", self.space],
            ["addr", "add", f"{self.here}/30", "dev", self.plug],
            ["link", "set", self.plug, "up"],
            ["-n", self.space, "addr", "add", f"{self.there}/30", "dev", "far"],
            ["-n", self.space, "link", "set", "far", "up"],
            ["-n", self.space, "link", "set", "lo", "up"],
        ):
            if (done := ip(*words)).returncode:
                self.remove()
                pytest.skip(f"no network namespaces here: {done.stderr.strip()[:80]}")

    def pull(self):
        ip("link", "set", self.plug, "down")

    def mend(self):
        ip("link", "set", self.plug, "up")

    def remove(self):
        ip("link", "del", self.plug)
        ip("netns", "del", self.space)


@pytest.fixture(scope="module")
def cable():
    if shutil.which("ip") is None:
        pytest.skip("no network namespaces here: there is no `ip`")
    made = Cable(os.getpid() % 10_000)
    yield made
    made.remove()


class Elsewhere:
    """A driver on the other computer, with a folder of its own and the same keys."""

    def __init__(self, cable, path, trace):
        self.folder = Folder(path)
        env = {**os.environ, "SECONDS": "0.05", "COTERIE_ROBOTS": str(path), "TRACE": str(trace)}
        words = ["-m", "coterie", "robot", str(ROBOTS), "Alice", "--network", "tcp/0.0.0.0:7447"]
        self.child = subprocess.Popen(
            ["ip", "netns", "exec", cable.space, sys.executable, *words], env=env, stdout=subprocess.PIPE, text=True
        )
        assert "ready" in self.child.stdout.readline()

    def close(self):
        self.child.send_signal(signal.SIGCONT)
        self.child.terminate()
        try:
            self.child.communicate(timeout=20)
        except subprocess.TimeoutExpired as err:
            self.child.kill()
            self.child.communicate()
            raise AssertionError("it did not end within 20 s") from err


@pytest.fixture
def there(cable, folder, tmp_path, monkeypatch):
    """A driver of Alice elsewhere, which is reached from here."""
    (tmp_path / "quiet.json5").write_text(QUIET)
    monkeypatch.setenv("ZENOH_CONFIG", str(tmp_path / "quiet.json5"))
    monkeypatch.setattr(near_end, "SILENT_S", 1.0)
    cable.mend()
    folder.make_keys()
    shutil.copytree(folder.path, tmp_path / "there")
    driver = Elsewhere(cable, tmp_path / "there", tmp_path / "trace")
    told = []
    reach = Reach(folder, Wire(folder, connect=f"tcp/{cable.there}:7447"), ["Alice"], told.append)
    driver.reach = reach
    try:
        until(lambda: told, what="Alice is found")
        assert told == ["Alice is reached"]
        yield driver
    finally:
        cable.mend()
        carriers = [th for th in threading.enumerate() if th.name == "Alice: shots"]
        driver.close()
        reach.close()
        for carrier in carriers:
            carrier.join(10.0)
        assert not any(near._shooters.count(None) for near in reach.near.values())


def trace(tmp_path):
    path = tmp_path / "trace"
    return [line.split(" ", 1)[1] for line in path.read_text().splitlines()] if path.exists() else []


def test_a_robot_elsewhere_acts_is_stopped_and_released_as_one_here(there, folder, far, tmp_path, capsys):
    alice = far()
    assert end(alice.start("Alice", Action("take", ("0.05",)), 0.0)).reason == "Alice did it."
    under = alice.start("Alice", Action("take", ("600",)), 1.0)
    until(lambda: trace(tmp_path)[-1] == "moves")
    assert main(["stop", "--by", "Eve", "--folder", str(folder.path)]) == 0
    assert trace(tmp_path)[-1] == "still"
    assert end(under).cause.clause == "stopped"
    assert (there.folder.stopped("Alice"), folder.stopped("Alice")) == ("Eve", ""), "it is kept where the robot is"
    assert end(alice.start("Alice", Action("take", ("0.05",)), 2.0)).status == "refused"
    assert not release("Eve", folder=folder.path).wrong
    assert end(alice.start("Alice", Action("take", ("0.05",)), 3.0)).status == "done"
    assert main(["stop", "--list", "--folder", str(folder.path)]) == 0
    assert "Alice: driven elsewhere" in capsys.readouterr().out


def test_a_cable_that_is_pulled_stops_the_robot_and_what_is_asked_meanwhile_does_not_move_it_later(
    there, cable, far, tmp_path
):
    alice = far()
    under = alice.start("Alice", Action("take", ("600",)), 0.0)
    until(lambda: trace(tmp_path)[-1:] == ["moves"])
    cable.pull()
    late = alice.start("Alice", Action("take", ("300",)), 1.0)  # it is on its way when contact is lost
    until(lambda: trace(tmp_path)[-1] == "still", 10.0, "without a word the robot stops")
    assert end(late).cause.clause == LOST_CONTACT and under.end is not None
    until(lambda: "does not answer" in alice.standing("Alice").why, what="the words say what is so")
    cable.mend()
    until(lambda: alice.standing("Alice").there, what="it is found again")
    assert end(alice.start("Alice", Action("take", ("0.05",)), 2.0)).status == "done"
    did = [line for line in trace(tmp_path) if line.startswith("did")]
    assert [d.rpartition("/")[2] for d in did] == ["1", "3"], "what lay on the way was not begun"


def test_a_stop_that_finds_no_way_holds_the_robot_before_anything_else_reaches_it(there, cable, folder, far, tmp_path):
    alice = far()
    until(lambda: alice.standing("Alice").there)
    cable.pull()
    answers = stop("Eve", folder=folder.path)
    assert "did not answer" in answers.wrong["Alice"] and folder.stopped("Alice") == "Eve"
    until(lambda: not alice.standing("Alice").there)
    cable.mend()
    until(lambda: there.folder.stopped("Alice") == "Eve", what="the stop comes in")
    until(lambda: not folder.stopped("Alice"), what="and is kept there alone")
    until(lambda: alice.standing("Alice").stopped == "Eve")
    assert end(alice.start("Alice", Action("take", ("0.05",)), 1.0)).status == "refused"
    assert not trace(tmp_path)


def test_after_a_partition_the_robot_is_driven_by_whoever_has_spoken_since(there, cable, folder, far, tmp_path):
    """A coordinator beside the robot takes over while the other one is cut off; that one is told, and waits."""
    alice = far(run="one")
    assert end(alice.start("Alice", Action("take", ("0.05",)), 0.0)).status == "done"
    cable.pull()
    until(lambda: not alice.standing("Alice").there)
    with _beside(cable, there.folder.path):
        until(lambda: len([d for d in trace(tmp_path) if d.startswith("did two/")]) > 0)
        cable.mend()
        until(lambda: any("driven by another run" in words for words in alice.complaints))
        assert end(alice.start("Alice", Action("take", ("0.05",)), 1.0)).cause.clause == LOST_CONTACT
    until(lambda: alice.standing("Alice").there, what="the other one has gone")
    assert end(alice.start("Alice", Action("take", ("0.05",)), 2.0)).status == "done"
    assert [d for d in trace(tmp_path) if d.startswith("did one/")] == ["did one/Alice/1", "did one/Alice/3"]


@contextlib.contextmanager
def _beside(cable, path):
    """A coordinator on the robot's computer."""
    words = "from coterie.link.fleet import Fleet; from coterie.core.action import Action; import sys\n"
    words += "with Fleet(['Alice']) as f:\n f.far['Alice'].begin('two')\n"
    words += " f.far['Alice'].start('Alice', Action('take', ('600',)), 0.0)\n sys.stdin.read()"
    env = {**os.environ, "COTERIE_ROBOTS": str(path)}
    command = ["ip", "netns", "exec", cable.space, sys.executable, "-c", words]
    child = subprocess.Popen(command, env=env, stdin=subprocess.PIPE, text=True)
    try:
        yield
    finally:
        child.communicate(timeout=60)


def test_a_driver_that_freezes_is_missed_long_before_zenoh_misses_it(there, folder, far):
    alice = far()
    under = alice.start("Alice", Action("take", ("600",)), 0.0)
    until(lambda: under.taken)
    freeze(there.child.pid)
    begun = time.monotonic()
    until(lambda: not alice.standing("Alice").there)
    assert time.monotonic() - begun < 9.0, "zenoh's lease is 10 s"
    assert end(under).cause.clause == LOST_CONTACT
    assert "did not answer" in stop("Eve", folder=folder.path).wrong["Alice"]
    there.child.send_signal(signal.SIGCONT)
    until(lambda: there.folder.stopped("Alice") == "Eve", what="what came in meanwhile has no age")


def test_a_driver_that_is_begun_again_is_found_again(there, cable, folder, far, tmp_path):
    alice = far()
    assert end(alice.start("Alice", Action("take", ("0.05",)), 0.0)).status == "done"
    there.child.kill()
    there.child.wait()
    until(lambda: not alice.standing("Alice").there)
    again = Elsewhere(cable, there.folder.path, tmp_path / "trace")
    try:
        until(lambda: alice.standing("Alice").there)
        assert end(alice.start("Alice", Action("take", ("0.05",)), 1.0)).status == "done"
    finally:
        again.close()


def test_words_that_come_in_another_order_break_the_line_and_nothing_is_done_twice(there, far, monkeypatch, tmp_path):
    alice, take, held = far(), Pipes.take, []

    def shuffled(pipes, name, raw):
        """Two words of the driver come in the wrong order."""
        if raw and len(held) < 2:
            held.append((name, raw))
            if len(held) % 2 == 0:
                take(pipes, *held[-1])
                take(pipes, *held[-2])
            return True
        return take(pipes, name, raw)

    assert end(alice.start("Alice", Action("take", ("0.05",)), 0.0)).status == "done"
    monkeypatch.setattr(Pipes, "take", shuffled)
    assert end(alice.start("Alice", Action("take", ("0.05",)), 1.0)).status == "done", "it is asked for again"
    until(lambda: len(held) == 2 and alice.standing("Alice").there)
    assert end(alice.start("Alice", Action("take", ("0.05",)), 2.0)).status == "done"
    did = [line for line in trace(tmp_path) if line.startswith("did")]
    assert len(did) == len(set(did)) == 3 and any("changed" in c or "cannot be read" in c for c in alice.complaints)


def test_another_key_finds_nobody(there, cable, tmp_path):
    other = Folder(tmp_path / "other")
    other.make_keys()
    told = []
    reach = Reach(other, Wire(other, connect=f"tcp/{cable.there}:7447"), (), told.append)
    time.sleep(1.0)
    reach.close()
    assert not told and not other.entries()


def test_a_place_that_is_none_is_a_sentence(folder, tmp_path, capsys):
    folder.make_keys()
    with pytest.raises(CoterieError, match="no way into the network"):
        Wire(folder, connect="nonsense")
    assert main(["reach", "--folder", str(tmp_path / "nowhere")]) == 2
    assert "key" in capsys.readouterr().err
