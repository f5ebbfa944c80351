"""The robots of examples/ros2 in a process of their own, and what they are asked to do."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path

from coterie.core.action import Action
from coterie.core.facts import Fact
from coterie.link.fleet import Fleet
from coterie.link.host import Host
from coterie.link.robot import Job
from tests.link.conftest import until

EXAMPLE = Path(__file__).parents[2] / "examples" / "ros2"
FAR = (9.0, 5.0)  # of Rosa's start


class Nodes:
    """What they say is kept."""

    def __init__(self, script: str, *options: str):
        words = [sys.executable, str(EXAMPLE / script), *options]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        self.said: list[str] = []
        threading.Thread(target=self._hear, daemon=True).start()
        until(lambda: self.said and ("ws://" in self.said[0] or "rosa, bob: ready" in self.said), 300)
        self.url = self.said[0].rpartition(" ")[2]  # of a bridge

    def _hear(self):
        for line in self.process.stdout:
            self.said.append(line.strip())

    def go_on(self):
        """Wait until Rosa is on her way."""
        until(lambda: any("goes to" in s for s in self.said))

    def end(self):
        self.process.send_signal(signal.SIGCONT)
        self.process.kill()
        self.process.wait(60)


def job(skill, *args, **known):
    facts = tuple(
        Fact(pred, (args[-1] if pred == "free_spot" else args[0],), value, 0.0, "map") for pred, value in known.items()
    )
    return Job("Rosa", "a", "run", 0, Action(skill, args, "", facts))


def to(x, y):
    return job("navigate", "bed", "stand_pose_0", stand_pose=(x, y))


def do(robot, work):
    return robot.do(work.action, work)


def under_way(robot, work):
    """An action in a thread of its own, and the list that its end comes into."""
    ends = []
    thread = threading.Thread(target=lambda: ends.append(do(robot, work)))
    thread.start()
    return thread, ends


def fetches_a_sponge(rosa, place):
    """It drives, sees, takes and puts down."""
    there = do(rosa, job("navigate", place, "stand_pose_0", stand_pose=(4.9, 0.9)))
    assert there.ok, there.reason
    until(lambda: rosa.sense().things)
    sight = rosa.sense()
    assert sight.places == (place,) and abs(sight.pose[0] - 4.9) < 0.2 and 0.9 < sight.battery <= 1.0
    assert [(t.kind, t.at) for t in sight.things] == [("sponge", (4.9, 0.3, 1.1))]
    assert do(rosa, job("pick", "cup_0", spot=(4.4, 0.3, 1.1))).reason == "There is nothing to take."
    assert do(rosa, job("pick", "sponge_0", spot=(4.9, 0.3, 1.1))).reason == "It has the sponge."
    assert rosa.sense().holds == "sponge"
    put = do(rosa, job("place", "sponge_0", "book_case", free_spot=(4.6, 0.3, 1.1)))
    assert put.ok and rosa.sense().holds == ""


class Driven:
    """Rosa with a driver and a coordinator, on her way."""

    def __init__(self, rosa, folder, nodes):
        self.host, self.fleet = Host([rosa], folder), Fleet(["Rosa"], folder.path)
        far = self.fleet["Rosa"]
        far.begin("run")
        self.under = far.start("Rosa", to(*FAR).action, 0.0)
        nodes.go_on()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.fleet.close()
        self.host.close()
