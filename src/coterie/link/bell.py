"""So that `coterie stop` reaches simulated robots, too: a run announces its team as it would a robot.

    with Bell() as bell:
        play(config, bell=bell)

Who has stopped the team is asked before anything moves; a simulated robot moves only when the loop lets it.
"""

from __future__ import annotations

import os
from pathlib import Path

from coterie.core.action import Action
from coterie.link.folder import Folder
from coterie.link.host import Host
from coterie.link.robot import Job, Report, Robot, failed


class _Team(Robot):
    def do(self, action: Action, job: Job) -> Report:
        return failed("A simulated team takes no orders from elsewhere.")

    def halt(self) -> None:
        """It is asked who has stopped it before it moves."""


class Bell:
    """Called, it returns the name of the person who stopped the team, or an empty text."""

    def __init__(self, folder: Path | str | None = None, name: str = ""):
        self.name = name or f"team_{os.getpid()}"
        self.folder = Folder(folder)
        self._host = Host([_Team(self.name)], self.folder, simulated=True)

    def __call__(self) -> str:
        return self._host.stations[self.name].look()

    def close(self) -> None:
        self._host.close()
        self.folder.forget(self.name)

    def __enter__(self) -> Bell:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
