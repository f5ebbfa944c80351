"""How many threads a model may use: from what the machine says of itself."""

import os

import pytest

from coterie.core.errors import CoterieError
from coterie.models import threads


@pytest.fixture
def machine(monkeypatch):
    """A machine of four physical cores with two threads each; `files` says what else it tells."""
    files = {f"/sys/devices/system/cpu/cpu{n}/topology/thread_siblings_list": f"{n % 4},{n % 4 + 4}" for n in range(8)}
    monkeypatch.setattr(threads, "_text", lambda path: files.get(path, ""))
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(8)), raising=False)
    monkeypatch.setattr(threads.time, "sleep", lambda seconds: None)
    monkeypatch.delenv(threads.FLAG, raising=False)
    return files


def test_physical_cores_count_once(machine, monkeypatch):
    assert threads.cores() == 4
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 1, 4})
    assert threads.cores() == 2


@pytest.mark.parametrize(("most", "cores"), [("250000", 2), ("900000", 4), ("50000", 1), ("max", 4)])
def test_a_container_may_have_fewer(machine, most, cores):
    machine["/sys/fs/cgroup/cpu.max"] = f"{most} 100000"
    assert threads.cores() == cores


def test_a_machine_that_tells_nothing(machine, monkeypatch):
    machine.clear()
    assert threads.cores() == 8
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    assert threads.cores() == 3
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert threads.cores() == 1


def stat(user, idle, disk=0, cores=4):
    return "\n".join([f"cpu {user} 0 0 {idle} {disk} 0 0 0 7 7", *(f"cpu{n} 1 1" for n in range(cores)), "intr 5"])


def test_work_is_what_is_neither_idle_nor_waiting_for_a_disk(machine):
    machine["/proc/stat"] = stat(30, 60, 10)
    assert threads._worked() == (30, 100, 4)
    machine["/proc/stat"] = ""
    assert threads._worked() is None


@pytest.mark.parametrize(
    ("user", "idle", "wanted"),
    [(0, 100, 4), (25, 75, 3), (50, 50, 2), (40, 60, 2), (41, 59, 2), (33, 67, 3), (100, 0, 1), (0, 0, 4)],
)
def test_as_many_as_there_are_idle_cores(machine, monkeypatch, user, idle, wanted):
    seen = iter([stat(1000, 1000), stat(1000 + user, 1000 + idle)])
    texts = dict(machine)
    monkeypatch.setattr(threads, "_text", lambda path: next(seen) if path == "/proc/stat" else texts.get(path, ""))
    assert threads.threads_to_use() == wanted


@pytest.mark.parametrize(("load", "cores", "wanted"), [(1.9, 4, 2), (9.0, 4, 1), (0.0, 64, 8)])
def test_without_numbers_the_load_counts_and_more_than_eight_help_no_small_model(monkeypatch, load, cores, wanted):
    monkeypatch.setattr(threads, "_text", lambda path: "")
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(cores)), raising=False)
    monkeypatch.setattr(os, "getloadavg", lambda: (load, 9.0, 9.0))
    monkeypatch.delenv(threads.FLAG, raising=False)
    assert threads.threads_to_use() == wanted


def test_the_user_has_the_word_within_what_is_there(machine, monkeypatch):
    for wanted, given in (("1", 1), ("3", 3), ("99", 4), (" 2 ", 2)):
        monkeypatch.setenv(threads.FLAG, wanted)
        assert threads.threads_to_use() == given
    for wanted in ("0", "-1", "two", "1.5"):
        monkeypatch.setenv(threads.FLAG, wanted)
        with pytest.raises(CoterieError, match="COTERIE_THREADS must be a number of threads"):
            threads.threads_to_use()
