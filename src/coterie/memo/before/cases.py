"""From beliefs to a case that can be looked up, and from a log to a plan that can be remembered."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from coterie.core.action import MEMO as FROM_MEMO
from coterie.core.event import Event
from coterie.core.facts import UNKNOWN
from coterie.core.protocol import RobotView
from coterie.core.records import ActEvent, AskEvent, MemoEvent, OutcomeEvent, ReplyEvent, TruthEvent
from coterie.core.told import read
from coterie.memo import Act, Case, Motion, Plan, Pose, Thing

MEMO = "memo"  # the stage of requests to the memo
LED = "led"  # the way of a hand that its skill leads along lines; a hint is of no use there


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
    return Case("tabletop", str(common.value("job")), str(common.value("goal")), bodies, objects, obstacles)


def _known(views: Sequence[RobotView], pred: str, name: str) -> Any:
    return next((v for v in (view.belief.value(pred, name) for view in views) if v is not UNKNOWN), UNKNOWN)


def first_case(events: Sequence[Event]) -> Case | None:
    """The case that an episode asked the memo about, as its log has it."""
    for event in events:
        ask = read(AskEvent, event) if event.kind == "ask" else None
        if ask is not None and ask.stage == MEMO:
            return Case.from_json(json.loads(ask.prompt[0][1])["case"])
    return None


def last_found(events: Sequence[Event]) -> dict[str, Any] | None:
    """The note on the task that an episode used again, as its log has it; None where there is none."""
    notes = [read(MemoEvent, e) for e in events if e.kind == MEMO]
    told = [n for n in notes if "found" in n.raw and not n.prior]
    return dict(told[-1].raw) if told and told[-1].found else None


def spent(events: Sequence[Event]) -> dict[str, int]:
    """Calls of a model and tokens; where no model was asked, the rounds in which an expert was.

    It was its turn in a round that is not remembered, and where the memo was asked twice, in between.
    """
    calls = sum(e.kind == "ask" and e.who != MEMO for e in events)
    if not calls:
        own = {e.step for e in events if e.kind == "act" and read(ActEvent, e).origin != FROM_MEMO}
        between = {e.step for e in events if e.kind == "ask" and e.who == MEMO and read(AskEvent, e).attempt}
        calls = len(own | between)
    replies = (read(ReplyEvent, e) for e in events if e.kind == "reply")
    tokens = sum(r.tokens_in + r.tokens_out for r in replies)
    return {"calls": calls, "tokens": tokens}


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
    led = [_led(number, len(motions), ways) for number in range(len(motions))]
    kept = tuple(
        Motion(np.array([] if own else m["knots"]), np.array(m["ee"]), m["toward"], m["holds"])
        for m, own in zip(motions, led)
    )
    return Act(told.skill, told.args, np.array(told.path) if told.path else None, kept)


def _led(number: int, count: int, ways: Sequence[str]) -> bool:
    """Whether a motion was led. A robot that stood still in a leg has fewer motions than there are ways; then it is
    known only where all were."""
    return ways[number] == LED if count == len(ways) else bool(ways) and all(way == LED for way in ways)
