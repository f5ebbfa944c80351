"""Judging by a model whether taking or putting something has worked: a picture from before and one from after go out,
and a yes or a no comes back.

The judgement is the robot's: what it says of its last action is what its mind hears. What is true stays the world's
affair and stands in the log, so that it can be told how often both agree. What a robot feels in its hand it feels all
the same. A reply that is neither leaves the robot with the truth, and is counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from coterie.core import looking
from coterie.core.action import Action
from coterie.core.event import Event
from coterie.core.looking import said
from coterie.core.protocol import Ask
from coterie.worlds.household.bodies import HANDLES

STAGE = looking.JUDGE
_WORDS = {
    "PickUp": "to take {0} into its hand",
    "PutDown": "to put what it held on {0}",
    "Drop": "to drop what it held",
}


def request(robot: str, action: Action, before: str, after: str, step: int) -> Ask:
    what = _WORDS[action.skill].format(*[str(a) for a in action.args], "something")
    return looking.judge(robot, step, before, after, what)


class Agreement(NamedTuple):
    """How often a model judged, how often as it was, and how often nobody could read it."""

    judgements: int
    judgements_right: int
    unread_judgements: int


def agreement(events: Sequence[Event]) -> Agreement:
    """From a log: what became of each action is there, and what the model said of it."""
    worked: dict[str, bool] = {}
    count = right = lost = 0
    for event in events:
        if event.kind == "did" and event.data.get("skill") in HANDLES:
            worked[event.who] = True
        elif event.kind == "outcome" and str(event.data.get("action", "")).partition("(")[0] in HANDLES:
            worked[event.who] = event.data.get("status") == "done"
        elif event.kind == "reply" and _judges(events, event.causes) and event.who in worked:
            answer = said(str(event.data["text"]))
            count, lost = count + 1, lost + (answer is None)
            right += answer is worked[event.who]
    return Agreement(count, right, lost)


def _judges(events: Sequence[Event], causes: Iterable[int]) -> bool:
    return any(events[cause].data.get("stage") == STAGE for cause in causes)
