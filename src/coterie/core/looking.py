"""Seeing by a model: what its replies to pictures say. Worlds put the requests (`World.looks`)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import NamedTuple

from coterie.core.action import Cause, Outcome
from coterie.core.bounds import load_json
from coterie.core.protocol import Ask

VISION = "vision"  # of --camera: things are detected by a model
VISION_JUDGED = "vision+success"  # the same, and a model says whether taking and putting have worked
SEE, JUDGE = "see", "judge"  # stages of requests
JUDGED = "judged"  # the cause of a failure that is one in the eyes of a model
MOST_FOUND = 60  # of what a reply names
MOST_READ = 20_000  # characters of a reply
ABOUT = (
    "You are the eyes of a robot in a house. You are shown what its camera sees and name the small things in it that "
    "could be picked up. Leave out furniture, robots, and what is pale because it is too far away."
)
SHOWN = (
    "The picture is {wide} x {high} pixels; (0, 0) is its upper left corner.\n"
    "![picture](data:image/png;base64,{data})\n"
    "Kinds of things: {kinds}.\n"
    'Reply with a JSON list and nothing else: [{{"kind": "{example}", "box": [left, top, right, bottom]}}, ...]; []'
    " if there is none."
)
ABOUT_JUDGING = (
    "You judge from pictures of a robot's camera whether what the robot has just tried in a house has worked."
)
BOTH = (
    "Before: ![before](data:image/png;base64,{before})\n"
    "After: ![after](data:image/png;base64,{after})\n"
    "In between the robot tried {what}. What it holds is not in its picture. Has it worked? Reply with yes or no, and "
    "nothing else."
)
_SAID = re.compile(r"\W*(yes|no)\b", re.IGNORECASE)


class Found(NamedTuple):
    """Something that a reply names."""

    kind: str
    box: tuple[float, float, float, float]  # left, top, right, bottom [pixels]


def see(robot: str, step: int, picture: str, wide: int, high: int, kinds: Iterable[str], example: str) -> Ask:
    """A request about the things in a picture (PNG, base64)."""
    user = SHOWN.format(wide=wide, high=high, data=picture, kinds=", ".join(kinds), example=example)
    return Ask(robot, SEE, step, 0, (("system", ABOUT), ("user", user)))


def judge(robot: str, step: int, before: str, after: str, what: str) -> Ask:
    """A request about whether what a robot has tried has worked."""
    user = BOTH.format(before=before, after=after, what=what)
    return Ask(robot, JUDGE, step, 0, (("system", ABOUT_JUDGING), ("user", user)))


def read(text: str, kinds: Iterable[str]) -> list[Found] | None:
    """The contents of a reply; None for one that cannot be read. Parts that make no sense are left out."""
    begin, end = text.find("["), text.rfind("]")
    if begin < 0 or end < begin or len(text) > MOST_READ:
        return None
    try:
        rows = load_json(text[begin : end + 1])
    except ValueError:
        return None
    if not isinstance(rows, list):
        return None
    known = {_bare(name): name for name in kinds}
    found = []
    for row in rows[:MOST_FOUND]:
        kind = known.get(_bare(str(row.get("kind", "")))) if isinstance(row, dict) else None
        box = row.get("box") if kind is not None else None
        if not isinstance(box, list) or len(box) != 4 or not all(_is_number(v) for v in box):
            continue
        left, right = sorted((float(box[0]), float(box[2])))
        top, bottom = sorted((float(box[1]), float(box[3])))
        found.append(Found(str(kind), (left, top, right, bottom)))
    return found


def said(text: str) -> bool | None:
    """The verdict of a reply to `judge`; None for one that cannot be read."""
    found = _SAID.match(text)
    return None if found is None else found[1].lower() == "yes"


def judged(outcome: Outcome, worked: bool | None) -> Outcome:
    """An outcome as its robot hears of it."""
    if worked is None or worked == outcome.ok:
        return outcome
    if worked:
        return outcome._replace(status="done", reason=f"It looks as if {outcome.action} had worked.", cause=None)
    cause = Cause(JUDGED, (JUDGED, (outcome.robot,), False), "after")
    reason = f"It does not look as if {outcome.action} had worked."
    return outcome._replace(status="failed", reason=reason, cause=cause)


def _bare(name: str) -> str:
    return "".join(c for c in name.lower() if c.isalnum())


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
