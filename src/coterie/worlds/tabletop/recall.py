"""The memo at the table: the case as the arms see it, and the plan that a log shows to be carried out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from coterie.core.action import WAIT
from coterie.core.event import Event
from coterie.core.facts import UNKNOWN
from coterie.core.protocol import RobotView, TeamView
from coterie.core.record import read
from coterie.core.records import ActEvent, OutcomeEvent, TruthEvent
from coterie.memo import Act, Case, Motion, Plan, Pose, Situation, Step, Thing
from coterie.memo.before.clearance import Bodies, Solid
from coterie.memo.before.recall import Recall
from coterie.memo.transitions import READY
from coterie.worlds.tabletop import overlaps  # noqa: F401 (registers the families of the jobs)

WORLD = "tabletop"
NUMBERS = re.compile(r"\([^()]*\)|-?\d+\.\d+")  # what sentences say of positions and distances
RASTER_M = 0.05  # between points to which bases of arms and places are rounded
LED = "led"  # the way of a hand that its skill leads along lines; a hint is of no use there


def situation_of(robots: Mapping[str, RobotView]) -> Situation:
    """How things stand, from the sentences in which robots see them, less the numbers. What the task does not ask for
    is left out, and of the hands it counts for a thing who holds it and who stands ready before it."""
    first = next(iter(robots.values()))
    others = _others(first)
    said: dict[str, set[str]] = {}
    for robot, view in robots.items():
        for fact in view.belief.facts("note"):
            if fact.time >= view.time and fact.args[0] not in others:
                words = str(fact.value).replace("your side", f"{robot}'s side")
                said.setdefault(fact.args[0], set()).add(" ".join(NUMBERS.sub("", words).split()))
    held = {str(t): r for r, v in robots.items() if (t := v.belief.value("holding", r)) not in (UNKNOWN, None)}
    things = {}
    for thing in _targets(first):
        ready = sorted(r for r in robots for w in said.get(r, ()) if f"in front of {thing}" in w)
        words = "; ".join([*sorted(said.get(thing, ())), f"held by {held.get(thing, 'nobody')}"])
        things[thing] = READY.join([words, *ready])
    whole = "; ".join(words for name in sorted(said) for words in sorted(said[name]))
    return Situation(whole, things)


def case_of(robots: Mapping[str, RobotView]) -> Case | None:
    """The task as the team knows it together; None while a target has yet to be seen.

    Targets are the things that the task asks for. What else lies on the table is an obstacle wherever it lies, so it
    is part of the task's key by its name alone.
    """
    views = list(robots.values())
    common = views[0].belief
    objects: dict[str, Thing] = {}
    for name in _targets(views[0]):
        at, area = _known(views, "at", name), _known(views, "area", name)
        if at is UNKNOWN or area is UNKNOWN:
            return None
        (x, y, z), turn = at, _known(views, "yaw", name)
        objects[name] = Thing(name, str(area), x, y, z, 0.0 if turn is UNKNOWN else float(turn))
    if not objects:
        return None
    obstacles = {n: Pose(*p) for n, p in _pairs(common.value("fixed"))}
    bodies = tuple((n, v.card.body) for n, v in robots.items())
    job, goal = str(common.value("job")), str(common.value("goal"))
    return Case(WORLD, job, goal, bodies, objects, obstacles, _constraints(robots))


def _constraints(robots: Mapping[str, RobotView]) -> tuple[str, ...]:
    """Constraints of each robot: the space that its hand may work in, what it is told of its part, and where arms stand
    and places are, on a raster: a plan for an arm that stands elsewhere is a plan of another task."""
    common = next(iter(robots.values())).belief
    told = [f"{name} at {_cell(at)}" for key in ("shoulders", "places") for name, at in _pairs(common.value(key))]
    for name, view in robots.items():
        box, role = view.belief.value("box", name), view.belief.value("role", name)
        if isinstance(box, tuple):
            told.append(f"{name} works in {'; '.join(f'{lo:g} to {hi:g}' for lo, hi in box)}")
        if isinstance(role, str) and role:
            told.append(role)
    return tuple(told)


def _cell(at: Sequence[float]) -> str:
    """The nearest point of the raster, in words."""
    return ", ".join(f"{round(v / RASTER_M) * RASTER_M:.2f}" for v in at)


def _targets(view: RobotView) -> Sequence[str]:
    """Things that the task asks for; a handle can be grasped but lies nowhere by itself: its furniture says where."""
    wanted, loose = view.belief.value("wanted"), view.belief.value("loose")
    return wanted if isinstance(wanted, tuple) else loose if isinstance(loose, tuple) else ()


def _others(view: RobotView) -> list[str]:
    loose = view.belief.value("loose")
    return [n for n in loose if n not in _targets(view)] if isinstance(loose, tuple) else []


def _pairs(value: object) -> Sequence[Any]:
    return value if isinstance(value, tuple) else ()


def _known(views: Sequence[RobotView], pred: str, name: str) -> Any:
    return next((v for v in (view.belief.value(pred, name) for view in views) if v is not UNKNOWN), UNKNOWN)


def plan_of(events: Sequence[Event]) -> Plan | None:
    """The rounds of a finished episode that were carried out, with the motions they took.

    Rounds before a rewind were undone and do not belong to it. None where the rounds that went well do not lead to the
    goal by themselves: a hand missed what it went for while others got on, or something else was asked for.
    """
    if _torn(events):
        return None
    steps = tuple(step for _, step, *_ in rounds_of(events))
    return Plan(steps) if steps else None


def _torn(events: Sequence[Event]) -> bool:
    ended: list[set[str]] = [set()]  # how what was done ended, round by round
    for event in events:
        if event.kind == "change" and event.data.get("kind") == "goal" and event.data.get("bites"):
            return True
        if event.kind == "truth":
            ended.append(set())
        elif event.kind == "outcome" and not str(event.data.get("action", "")).startswith(WAIT):
            ended[-1].add(read(OutcomeEvent, event).status)
    return any({"failed", "done"} <= statuses for statuses in ended)


def rounds_of(events: Sequence[Event]) -> list[tuple[int, Step, float, float]]:
    """The same, each with its number among all rounds and with how far the task had come before and after it."""
    steps: list[tuple[int, Step, float, float]] = []
    acts: dict[str, ActEvent] = {}
    good, partial = True, 0.0
    for event in events:
        if event.kind == "rewind":
            steps = []
        elif event.kind == "status":
            partial = float(event.data.get("partial", 0.0))
            if steps and steps[-1][0] == event.step - 1:
                steps[-1] = (*steps[-1][:3], partial)
        elif event.kind == "act":
            acts[event.who] = read(ActEvent, event)
        elif event.kind == "outcome":
            good = good and read(OutcomeEvent, event).status == "done"
        elif event.kind == "truth":
            facts = read(TruthEvent, event).facts
            moved = {f[1][0]: f[2] for f in facts if f[0] == "motion"}
            if acts and good and moved:
                step = {robot: _act(told, moved.get(robot, ())) for robot, told in acts.items()}
                steps.append((event.step, step, partial, partial))
            acts, good = {}, True
    return steps


def _act(told: ActEvent, motions: Sequence[Mapping[str, Any]]) -> Act:
    """Hands that are led need no old motion: of those nothing is kept to be used again."""
    kept = tuple(
        Motion(np.array([] if m.get("how") == LED else m["knots"]), np.array(m["ee"]), m["toward"], m["holds"])
        for m in motions
    )
    return Act(told.skill, told.args, np.array(told.path) if told.path else None, kept)


class TableRecall(Recall):
    """Plans of jobs on the table, used again."""

    def case(self, team: TeamView) -> Case | None:
        return case_of(team.robots)

    def solids(self, team: TeamView) -> list[Solid]:
        """Furniture, and things that the task does not ask for: they lie about."""
        views = list(team.robots.values())
        known = views[0].belief.value("solids")
        sizes = dict(_pairs(views[0].belief.value("sizes")))
        found: list[Solid] = [tuple(s) for s in known] if isinstance(known, tuple) else []
        for name in _others(views[0]):
            at = _known(views, "at", name)
            if at is not UNKNOWN:
                found.append((name, *at, 0.0, *sizes.get(name, (0.05, 0.05, 0.05))))
        return found

    def bodies(self, team: TeamView) -> Bodies:
        common = next(iter(team.robots.values())).belief
        return Bodies(dict(_pairs(common.value("shoulders"))), dict(_pairs(common.value("sizes"))))

    def situation(self, team: TeamView) -> Situation:
        return situation_of(team.robots)

    def hands(self, team: TeamView) -> dict[str, Sequence[float]]:
        at = {n: v.belief.value("hand", n) for n, v in team.robots.items()}
        return {n: p for n, p in at.items() if isinstance(p, tuple)}

    rounds_of, plan_of = staticmethod(rounds_of), staticmethod(plan_of)
