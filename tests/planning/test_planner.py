"""Engines in processes of their own: limits that hold, stopping, and what is left when one goes wrong."""

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from coterie.core.errors import CoterieError
from coterie.core.registry import Registry
from coterie.planning import child as engines
from coterie.planning import own, planner
from coterie.planning.answer import Limits
from coterie.planning.planner import Planner
from tests.planning import slow
from tests.planning.ward import Ward

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def warm():
    with Planner(judges=False) as made:  # the judge takes a second of every new process
        yield made


@pytest.fixture
def short(monkeypatch):
    monkeypatch.setattr(planner, "MARGIN_S", 0.2)
    return Limits(wall_s=0.3)


def alive(pid):
    """A process that has ended and waits to be counted is gone as well."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().split(")")[1].split()[0] != "Z"
    except OSError:
        return False


def until(true, seconds=60.0):
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.02)
    return true()


def test_the_answer_is_that_of_the_engine():
    question = Ward(1).ask()
    with Planner() as judging:
        answer = judging.solve(question)
    assert answer.steps == own.solve(question).steps and answer.engine == "own" and answer.wall_s > 0
    assert len(answer.after) == len(answer.uses) == len(answer.steps)


def test_everything_else_goes_on(warm, tmp_path):
    gate = tmp_path / "gate"
    asking = warm.start(replace(Ward(1).ask(), lasts=slow.Gate(str(gate))))
    assert asking.poll() is None, "asked before there could be an answer, and not kept waiting for it"
    gate.touch()
    assert until(lambda: asking.poll() is not None)
    assert asking.poll().found and asking.poll() is asking.answer


def test_a_limit_holds_whatever_the_engine_does(warm, short):
    begun = time.monotonic()
    answer = warm.solve(replace(Ward(1).ask(), lasts=slow.forever), limits=short)
    assert answer.status == "limit" and "stopped after 0.3 s" in answer.words
    assert time.monotonic() - begun < 300, "it would have slept for twice as long"
    assert warm.solve(Ward(1).ask()).found  # with a new process


def test_what_the_engine_started_is_stopped_with_it(warm, tmp_path):
    file = tmp_path / "pids"
    asking = warm.start(replace(Ward(1).ask(), lasts=slow.Child(str(file))), limits=Limits(wall_s=60))
    assert until(lambda: asking.poll() or (file.exists() and " " in file.read_text()), 60)
    pids = [int(p) for p in file.read_text().split()]
    assert all(alive(p) for p in pids)
    asking.cancel()
    assert asking.poll().status == "cancelled" and asking.poll().words == "Planning was stopped."
    assert until(lambda: not any(alive(p) for p in pids))


def test_an_engine_that_ends_is_told(warm):
    answer = warm.solve(replace(Ward(1).ask(), lasts=slow.gone))
    assert answer.status == "broken" and "ended" in answer.words
    answer = warm.solve(replace(Ward(1).ask(), lasts=slow.wrong))
    assert answer.status == "broken" and "ValueError: no clock" in answer.words


def test_what_cannot_travel_and_what_nobody_knows_are_sentences(warm):
    with pytest.raises(CoterieError, match="cannot travel"):
        warm.start(replace(Ward(1).ask(), lasts=lambda step: 1.0))
    local = type("Local", (), {"__call__": lambda self, step: 1.0, "__module__": "tests.planning.slow"})
    slow.Local = local  # here, and not in the other process
    with pytest.raises(CoterieError, match=r"could not be read .* 'Local'"):
        warm.solve(replace(Ward(1).ask(), lasts=local()))
    with pytest.raises(CoterieError, match="No planning engine 'onw'"):
        warm.solve(Ward(1).ask(), engine="onw")
    assert warm.solve(Ward(1).ask()).found


ORPHAN = """
import os, sys
from dataclasses import replace
from coterie.planning.planner import Planner
from tests.planning.slow import Child
from tests.planning.ward import Ward
Planner(judges=False).start(replace(Ward(1).ask(), lasts=Child(sys.argv[1]))).poll()
while not os.path.exists(sys.argv[1]):
    pass
os.kill(os.getpid(), 9)
"""


def test_nothing_stays_behind_when_the_one_who_asked_is_killed(tmp_path):
    file = tmp_path / "pids"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    ended = subprocess.run([sys.executable, "-c", ORPHAN, str(file)], env=env, timeout=120)
    assert ended.returncode == -signal.SIGKILL
    assert until(lambda: " " in file.read_text())
    assert until(lambda: not any(alive(int(p)) for p in file.read_text().split()))


def test_a_plan_that_lacks_a_step_is_not_believed(monkeypatch):
    """Whatever engine it comes from: `unified_planning` has the last word."""
    question = Ward(1).ask()

    made, known = own.solve(question), Registry("planning engine")
    for name, steps in (("whole", made.steps), ("late", made.steps[1:]), ("hasty", made.steps[:-1])):
        known.put(name, lambda asked, limits, steps=steps: replace(made, steps=steps, uses=(), after=()))
    monkeypatch.setattr(engines, "engines", known)
    assert engines.answer(question, "whole").found
    for name in ("late", "hasty"):
        found = engines.answer(question, name)
        assert found.status == "broken" and "does not hold" in found.words
    assert engines.answer(question, "hasty", judged=False).found, "nobody else would have noticed"


def test_one_thread_may_give_up_what_another_waits_for():
    """Seen when a talk ended while somebody's plan was sought: whoever waited found a process that was gone."""

    class Going:
        def kill(self):
            killed.append(self)

    killed, back = [], []
    asking = planner.Asking(Going(), "own", Limits(wall_s=5.0), lambda *given: back.append(given))
    threading.Timer(0.05, asking.cancel).start()
    assert asking.wait().status == "cancelled"
    asking.cancel()
    assert len(killed) == len(back) == 1
