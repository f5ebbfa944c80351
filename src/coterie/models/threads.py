"""How many threads a model may use: the idle cores, and never more than there are.

Threads that wait for a busy core hold up all others at every layer.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

from coterie.core.errors import CoterieError

MOST = 8  # a small model gains nothing from more
FLAG = "COTERIE_THREADS"


def cores() -> int:
    """Cores that this process may use: physical ones, as far as they and limits of a container are known."""
    try:
        mine = os.sched_getaffinity(0)
    except AttributeError:
        return os.cpu_count() or 1
    siblings = {_text(f"/sys/devices/system/cpu/cpu{n}/topology/thread_siblings_list") or str(n) for n in mine}
    quota, _, period = _text("/sys/fs/cgroup/cpu.max").partition(" ")
    if quota.isdecimal() and period.isdecimal():
        return max(1, min(len(siblings), int(quota) // int(period)))
    return len(siblings)


def threads_to_use(sample_s: float = 0.2) -> int:
    """COTERIE_THREADS, or as many as there are idle cores at this moment."""
    there = cores()
    wanted = os.environ.get(FLAG, "").strip()
    if wanted:
        if not wanted.isdecimal() or int(wanted) < 1:
            raise CoterieError(f"{FLAG} must be a number of threads, not '{wanted}'.")
        return min(int(wanted), there)
    idle = there - _busy(sample_s)
    return max(1, min(int(idle + 0.35), there, MOST))


def _busy(sample_s: float) -> float:
    """How many cores are at work, on average over the sample."""
    before = _worked()
    if before is None:
        with contextlib.suppress(OSError, AttributeError):
            return os.getloadavg()[0]
        return 0.0
    time.sleep(sample_s)
    after = _worked() or before
    work, total, count = (after[0] - before[0]), (after[1] - before[1]), after[2]
    return count * work / total if total > 0 else 0.0


def _worked() -> tuple[int, int, int] | None:
    """Ticks of work and of everything, over all cores, and the number of cores."""
    lines = [line.split() for line in _text("/proc/stat").splitlines() if line.startswith("cpu")]
    if not lines:
        return None
    ticks = [int(n) for n in lines[0][1:9]]
    idle = ticks[3] + ticks[4]  # idle, and waiting for a disk
    return sum(ticks) - idle, sum(ticks), len(lines) - 1


def _text(path: str) -> str:
    try:
        return Path(path).read_text().strip()
    except OSError:
        return ""
