"""Reports of robots: their perceptions go into the knowledge of the mission, and the outcomes of their steps are
compared with what should have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from coterie.core.action import Cause, Outcome
from coterie.core.facts import Fact
from coterie.core.protocol import RobotView
from coterie.mission.agenda import Agenda, Item
from coterie.mission.goals import Failure
from coterie.mission.knowledge import Knowledge
from coterie.mission.policies import ONLINE
from coterie.mission.projection import Key, Projection

MISSION = "mission"
_EPS = 1e-6


class Reports:
    def __init__(self, knowledge: Knowledge, agenda: Agenda):
        self.knowledge, self.agenda = knowledge, agenda
        self.robots: set[str] = set()  # who is here
        self.patience_s = 0.0  # for a robot out of contact to be back, before it counts as gone
        self._met: dict[str, float] = {}  # when each robot was here last
        self._cursors: dict[str, int] = {}

    # -- who is here ----------------------------------------------------------------------------------------------
    def roster(self, robots: Mapping[str, RobotView], now: float) -> tuple[list[str], list[str]]:
        """Robots and people who have come, and those who have gone."""
        come = [r for r in robots if r not in self.robots]
        self._met.update(dict.fromkeys(robots, now))
        gone = sorted(r for r in self.robots.difference(robots) if now - self._met[r] >= self.patience_s)
        for robot in come:
            self.knowledge.authority.join(robot, "supplies" if robots[robot].card.person else "robot")
            self.knowledge.tell(Fact(ONLINE, (robot,), True, now, MISSION))
            self._cursors[robot] = 0
        for robot in gone:
            self.knowledge.authority.leave(robot)
            self.knowledge.tell(Fact(ONLINE, (robot,), False, now, MISSION))
        self.robots = self.robots.difference(gone).union(robots)
        return come, gone

    # -- what they see --------------------------------------------------------------------------------------------
    def take_in(self, robots: Mapping[str, RobotView]) -> None:
        """Take in new beliefs of robots; what they heard from people waits until it is understood."""
        for robot, view in robots.items():
            facts = view.belief.since(self._cursors[robot])
            self._cursors[robot] = view.belief.cursor
            own = [f for f in facts if f.source == robot and f.pred not in ("goal", ONLINE)]
            if own:
                self.knowledge.tell(*own)

    # -- what became of their steps -------------------------------------------------------------------------------
    def expect(self, item: Item, outcome: Outcome, now: Projection) -> dict[Key, Any]:
        """The effects of a step that its robot says is done; the mission takes them for so until it is seen
        otherwise."""
        changed = now.effects(item.robot, item.action)
        ended = outcome.start + outcome.duration
        self.knowledge.tell(*(Fact(str(k[0]), tuple(k[1:]), v, ended, MISSION) for k, v in changed.items()))
        return changed

    def contradicted(self, expected: Mapping[Key, Any], view: RobotView, outcome: Outcome) -> Cause | None:
        """The cause of failure that the robot sees now: an expected effect that did not come about."""
        ended = outcome.start + outcome.duration
        wrong: list[Cause] = []
        # what it saw at this very moment, but before its step was over, says nothing of what came of it
        now = None if view.now is None else {(f.pred, *f.args) for f in (*view.now.facts, *outcome.facts)}
        for key, value in expected.items():
            seen = view.belief.fact(*key)
            if seen is None or seen.time < ended - _EPS or seen.value == value or (now is not None and key not in now):
                continue
            self.knowledge.tell(seen)
            wrong.append(Cause(str(key[0]), (str(key[0]), tuple(key[1:]), seen.value), "after"))
        return wrong[0] if wrong else None


def vanished(item: Item, stage: Any = "EXECUTION") -> Failure:
    cause = Cause(ONLINE, (ONLINE, (item.robot,), False), "during")
    return Failure(stage, cause, item.robot, item.action.skill, item.action.args)


def of_outcome(item: Item, outcome: Outcome) -> Failure:
    """Why a step failed, as its robot tells it."""
    stage: Any = "PRECONDITION" if outcome.status == "refused" else "EXECUTION"
    return Failure(stage, outcome.cause, item.robot, item.action.skill, item.action.args, outcome.reason)


def names_of(facts: Iterable[Fact]) -> list[Key]:
    return [(f.pred, *f.args) for f in facts]
