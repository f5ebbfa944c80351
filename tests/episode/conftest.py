"""Minds that do as they are told, for tests of the loop; and talks that go as their scripts say."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from coterie.cli import main
from coterie.core.action import WAIT, Action
from coterie.core.protocol import Option, SoloProtocol


@pytest.fixture
def doing() -> Callable[..., Callable[[], SoloProtocol]]:
    """`doing(Ada=["right", Action("grab", ("ball",))])`: a mind that does one after the other, then waits."""

    def make(**plans: Sequence[str | Action | Option]) -> Callable[[], SoloProtocol]:
        class Doing(SoloProtocol):
            def __init__(self):
                self.done = 0

            def act(self, me):
                plan = plans.get(me.name, ())
                self.done += 1
                if self.done > len(plan):
                    return Action(WAIT)
                wanted = plan[self.done - 1]
                return Action(wanted) if isinstance(wanted, str) else wanted

        return Doing

    return make


@pytest.fixture
def talked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[Path, str]]:
    """`talked(script, "--seed", "5")`: the log of a talk with the team of a house, and what was printed."""

    def talk(script: str, *words: str, where: Sequence[str] = ("--scene", "flat", "--task", "pack-objects")):
        file, log = tmp_path / "s.talk", tmp_path / "l.jsonl"
        file.write_text(script)
        code = main(["talk", *where, *words, "--script", str(file), "--log", str(log)])
        told = capsys.readouterr()
        assert code == 0, told
        return log, told.out

    return talk
