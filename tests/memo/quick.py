"""Sort Cubes without arms: things are where they were put at once, and checks and motions come out as a test says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from coterie.core.action import Action
from coterie.core.config import Config
from coterie.core.event import Event
from coterie.episode.play import Played, play
from coterie.models.scripted import Scripted
from coterie.protocols.dynahmrc.oracle import answer
from coterie.worlds.tabletop import world as tabletop
from coterie.worlds.tabletop.arms.rounds import Round, Rounds
from coterie.worlds.tabletop.job import Refusal

Joint = Mapping[str, Action]
LEVEL = "mecobench-similar"


class Quick(Rounds):
    """`words(joint, number)` says what is wrong with a round, `fails(joint, number)` what goes wrong on its way."""

    words: Callable[[Joint, int], str] = staticmethod(lambda joint, number: "")
    fails: Callable[[Joint, int], str] = staticmethod(lambda joint, number: "")

    def check(self, joint: Joint) -> Refusal | None:
        self.forget()  # a test may answer the same question in two ways
        return super().check(joint)

    def _check(self, joint: Joint) -> Refusal | None:
        words = self.words(joint, self.number)
        return Refusal("made_up", words) if words else None

    def run(self, joint: Joint) -> Round:
        failure = self.fails(joint, self.number)
        refusal = Refusal("made_up", failure, moment="during") if failure else None
        done = Round(failure=refusal, seconds=1.0, motions={r: [] for r in joint})
        if not failure:
            for robot, action in joint.items():
                if action.skill == "pick_place":
                    done.motions[robot] = self._carry(robot, *map(str, action.args))
                    done.how += ["reused" if action.motion else "rrt-connect"] * 2
        self.number += 1
        self.forget()
        return done

    def _carry(self, robot: str, cube: str, panel: str) -> list[dict[str, Any]]:
        """The cube lies on the panel now; the motions that would have brought it there."""
        table, job = self.table, self.table.job
        old, spot = table.pos(cube), job.spot(robot, panel, cube)  # type: ignore[attr-defined]
        joint = table.model.body_jntadr[table.body(cube)]
        at = int(table.model.jnt_qposadr[joint])
        table.data.qpos[at : at + 3] = (spot[0], spot[1], spot[2] - 0.11)
        table.mj.mj_forward(table.model, table.data)
        q = [[0.0] * len(table.arms[robot].qpos)] * 3
        ways = [[(*old[:2], 0.5), list(old)], [list(old), list(spot)]]
        ends = [(cube, ""), (panel, cube)]
        return [{"knots": q, "ee": way, "toward": t, "holds": h} for way, (t, h) in zip(ways, ends)]


@pytest.fixture
def quick(monkeypatch):
    """Worlds made in this test have no physics; set `quick.words` and `quick.fails` on the class that it gives."""
    stage = type("Staged", (Quick,), {})
    monkeypatch.setattr(tabletop, "Rounds", stage)
    return stage


def episode(
    memo: Path, seed: int, variant: str = "memo", protocol: str = "task-expert", log: Path | None = None, **more: Any
) -> Played:
    """One episode with a memo; models are played by the oracle."""
    config = Config(task="sort-cubes", level=LEVEL, seed=seed, protocol=protocol, memo=variant)
    model = None if protocol == "task-expert" else Scripted(lambda ask: answer(ask.prompt))
    return play(config, log, model=model, memo=memo, **more)


def notes(played: Played) -> list[dict[str, Any]]:
    return [e.data for e in played.log.events if e.kind == "memo"]


def acts(events: list[Event], why: str | None = None) -> list[tuple[int, str, str]]:
    """Who did what in which round; with `why`, only what was done for that reason."""
    return [
        (e.step, e.who, " ".join((e.data["skill"], *e.data["args"])))
        for e in events
        if e.kind == "act" and why in (None, e.data.get("why"))
    ]
