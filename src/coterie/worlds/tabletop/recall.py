"""What the memo is told of a table: the case as the arms see it, and of a log the plan that was carried out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from coterie.core.event import Event
from coterie.core.facts import UNKNOWN
from coterie.core.protocol import RobotView, TeamView
from coterie.core.records import ActEvent, OutcomeEvent, TruthEvent
from coterie.core.told import read
from coterie.memo import Act, Case, Family, Motion, Plan, Pose, Thing, families
from coterie.memo.before.clearance import Solid
from coterie.memo.before.mind import Recall

WORLD = "tabletop"
#: tau and k as in the MeCo paper (Sec. 4.2, 5.2); the rounds of a straight plan, and two more for a clumsy one.
families.put("move-rope", Family("high", tau=0.7, k=40, base_steps=4))
families.put("pack-grocery", Family("high", tau=0.85, k=30, base_steps=8))
families.put("sandwich", Family("low", k=700, base_steps=9))
families.put("sort-cubes", Family("low", k=50, base_steps=7))
families.put("sweep-floor", Family("low", k=9, base_steps=10))
families.put("arrange-cabinet", Family("low", k=9, base_steps=6))

LED = "led"  # the way of a hand that its skill leads along lines; a hint is of no use there


class TableRecall(Recall):
    """Plans of jobs on the table, used again."""

    def case(self, team: TeamView) -> Case | None:
        return case_of(team.robots)

    def solids(self, team: TeamView) -> list[Solid]:
        known = next(iter(team.robots.values())).belief.value("solids")
        return [tuple(s) for s in known] if isinstance(known, tuple) else []

    @staticmethod
    def plan_of(events: Sequence[Event]) -> Plan | None:
        return plan_of(events)


def case_of(robots: Mapping[str, RobotView]) -> Case | None:
    """The task as the team knows it together; None while somebody has yet to see a thing that matters."""
    views = list(robots.values())
    common = views[0].belief
    loose = common.value("loose")  # a handle can be grasped but lies nowhere by itself: its furniture says where it is
    objects: dict[str, Thing] = {}
    for name in loose if isinstance(loose, tuple) else ():
        at, area = _known(views, "at", name), _known(views, "area", name)
        if at is UNKNOWN or area is UNKNOWN:
            return None
        (x, y, z), turn = at, _known(views, "yaw", name)
        objects[name] = Thing(name, str(area), x, y, z, 0.0 if turn is UNKNOWN else float(turn))
    if not objects:
        return None
    fixed = common.value("fixed")
    obstacles = {n: Pose(*p) for n, p in fixed} if isinstance(fixed, tuple) else {}
    bodies = tuple((n, v.card.body) for n, v in robots.items())
    return Case(WORLD, str(common.value("job")), str(common.value("goal")), bodies, objects, obstacles)


def _known(views: Sequence[RobotView], pred: str, name: str) -> Any:
    return next((v for v in (view.belief.value(pred, name) for view in views) if v is not UNKNOWN), UNKNOWN)


def plan_of(events: Sequence[Event]) -> Plan | None:
    """The rounds of a finished episode that were carried out, with the motions they took.

    Rounds before a rewind were undone and do not belong to it.
    """
    steps: list[dict[str, Act]] = []
    acts: dict[str, ActEvent] = {}
    good = True
    for event in events:
        if event.kind == "rewind":
            steps = []
        elif event.kind == "act":
            acts[event.who] = read(ActEvent, event)
        elif event.kind == "outcome":
            good = good and read(OutcomeEvent, event).status == "done"
        elif event.kind == "truth":
            facts = read(TruthEvent, event).facts
            moved = {f[1][0]: f[2] for f in facts if f[0] == "motion"}
            ways = next((f[2] for f in facts if f[0] == "how"), ())
            if acts and good and moved:
                steps.append({robot: _act(told, moved.get(robot, ()), ways) for robot, told in acts.items()})
            acts, good = {}, True
    return Plan(tuple(steps)) if steps else None


def _act(told: ActEvent, motions: Sequence[Mapping[str, Any]], ways: Sequence[str]) -> Act:
    """Hands that are led need no old motion: of those nothing is kept to be used again."""
    kept = tuple(
        Motion(np.array([] if _led(m, ways) else m["knots"]), np.array(m["ee"]), m["toward"], m["holds"])
        for m in motions
    )
    return Act(told.skill, told.args, np.array(told.path) if told.path else None, kept)


def _led(motion: Mapping[str, Any], ways: Sequence[str]) -> bool:
    """Whether a motion was led. Logs that do not say it of each motion say it of all legs of a round."""
    return motion["how"] == LED if "how" in motion else bool(ways) and all(way == LED for way in ways)
