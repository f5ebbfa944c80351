"""A coordinator of two driven robots in a small yard, as a process: one that runs, or one that stands by."""

from __future__ import annotations

import sys
from pathlib import Path

from coterie.core.protocol import Party
from coterie.episode.loop import Settings, run
from coterie.link.fleet import Fleet
from coterie.log.file import Log, hold
from examples.yard import Tidier, YardWorld, yard_task

NAMES = ("Ada", "Bo")
SETTINGS = Settings(synchronous=False, step_s=1.0)


def coordinate(path: str, folder: str) -> None:
    """Go on with the log as soon as nobody else writes it."""
    log_path = Path(path)
    lock = hold(log_path, patient=True)
    log = Log.resumed(log_path, lock) if log_path.exists() else Log(log_path, lock=lock)
    if not log.past or '"end"' not in log.past[-1]:
        task = yard_task(step_limit=400)
        log.add("start", data={"task": task.name})
        with Fleet(NAMES, folder) as fleet:
            run(YardWorld(task), task, [Party("team", Tidier, NAMES)], log, lambda asks: [], SETTINGS, drivers=fleet)
    log.close()


if __name__ == "__main__":
    coordinate(*sys.argv[1:])
