"""Seeing by a model: a picture goes out, and what the model says it shows comes back.

The model stands in for the detection of things, which is what robots get wrong. What it does not name is not seen; what
it names where no such thing is, a robot takes to be there until it looks again. Furniture, doors, robots and the ground
are read from depth and segmentation as the rendered camera does, and so is which one of several mugs it is. What can be
taken is up to the world and not to the model.

Requests are those of an episode: they are put to its model, bounded and counted like any other, and stand in the log
with their replies, so that a run goes on from its log without asking again.

A model may also judge whether taking or putting something has worked, from a picture of before and one of after. Its
yes or no is what the robot's mind hears of its last action; the log keeps the truth, and what a robot feels in its hand
it feels all the same. A reply that is neither leaves the robot with the truth, and is counted.
"""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from coterie.core.action import Action, Cause, Outcome
from coterie.core.bounds import load_json
from coterie.core.event import Event
from coterie.core.protocol import Ask
from coterie.houses.model import FLOOR, House
from coterie.houses.placement import kinds
from coterie.worlds.household.bodies import HANDLES
from coterie.worlds.household.perception import Camera, Eye, Scene, Seen
from coterie.worlds.household.perception.image import FIRST, PIXELS, Image, Studio

JUDGE = "judge"  # the stage of requests
JUDGED = "judged"  # the cause of a failure that is one in the eyes of a model
JUDGE_SYSTEM = (
    "You judge from pictures of a robot's camera whether what the robot has just tried in a house has worked."
)
JUDGE_USER = (
    "Before: ![before](data:image/png;base64,{before})\n"
    "After: ![after](data:image/png;base64,{after})\n"
    "In between the robot tried {what}. What it holds is not in its picture. Has it worked? Reply with yes or no, and "
    "nothing else."
)
_WORDS = {
    "PickUp": "to take {0} into its hand",
    "PutDown": "to put what it held on {0}",
    "Drop": "to drop what it held",
}
_SAID = re.compile(r"\W*(yes|no)\b", re.IGNORECASE)


def request(robot: str, action: Action, before: str, after: str, step: int) -> Ask:
    what = _WORDS[action.skill].format(*[str(a) for a in action.args], "something")
    user = JUDGE_USER.format(before=before, after=after, what=what)
    return Ask(robot, JUDGE, step, 0, (("system", JUDGE_SYSTEM), ("user", user)))


def said(text: str) -> bool | None:
    """The yes or no of a reply; None for one that cannot be read."""
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
    return any(events[cause].data.get("stage") == JUDGE for cause in causes)


STAGE = "see"  # of requests
MOST_FOUND = 60  # of what a reply names
MOST_READ = 20_000  # characters of a reply
SYSTEM = (
    "You are the eyes of a robot in a house. You are shown what its camera sees and name the small things in it that "
    "could be picked up. Leave out furniture, robots, and what is pale because it is too far away."
)
USER = (
    "The picture is {pixels} x {pixels} pixels; (0, 0) is its upper left corner.\n"
    "![picture](data:image/png;base64,{data})\n"
    "Kinds of things: {kinds}.\n"
    'Reply with a JSON list and nothing else: [{{"kind": "Mug", "box": [left, top, right, bottom]}}, ...]; [] if there '
    "is none."
)


class Found(NamedTuple):
    """Something that a reply names."""

    kind: str
    box: tuple[float, float, float, float]  # left, top, right, bottom [pixels]


def read(text: str) -> list[Found] | None:
    """The things that a reply names; None for one that cannot be read. Parts of it that make no sense are left out."""
    begin, end = text.find("["), text.rfind("]")
    if begin < 0 or end < begin or len(text) > MOST_READ:
        return None
    try:
        rows = load_json(text[begin : end + 1])
    except ValueError:
        return None
    if not isinstance(rows, list):
        return None
    known = {_bare(name): name for name, kind in kinds().items() if kind.thing}
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


def unread(replies: Sequence[str]) -> int:
    """How many of some replies could not be read."""
    return sum(read(text) is None for text in replies)


class Vision:
    """The pictures of one episode, and what was said of them."""

    def __init__(self, house: House, pixels: int = PIXELS, judges: bool = False):
        from coterie.worlds.household.pictures.eyes import paint
        from coterie.worlds.household.pictures.plan import Plan

        self.house, self.pixels = house, pixels
        self.judges = judges  # whether it also says what has worked
        self.tried: dict[str, Outcome] = {}  # robot -> what has just ended, and is to be judged
        self._pictures: dict[str, tuple[str, str]] = {}  # robot -> what it was shown before, and now
        self.studio = Studio(house, paint(house, {}))
        self.plan = Plan(house, 0.125)
        self.unread = 0
        self._said: dict[str, tuple[Any, tuple[Seen, ...]]] = {}  # robot -> what it was shown last, and what that was
        self._shown: dict[str, tuple[Any, Image]] = {}

    def asks(self, scene: Scene, eyes: Mapping[str, tuple[Eye, Camera]], step: int) -> list[Ask]:
        """Requests about what robots see now; none for who sees the same as before."""
        found = []
        for robot, (eye, camera) in eyes.items():
            key = _key(scene, eye, camera, robot)
            before = self._pictures.get(robot, ("", ""))[1]
            self._pictures[robot] = (before, before)
            if self._said.get(robot, (None,))[0] == key:
                continue
            image = self.studio.take(scene, eye, camera, robot, self.pixels)
            self._shown[robot] = (key, image)
            words = ", ".join(name for name, kind in kinds().items() if kind.thing)
            data = self._png(image)
            self._pictures[robot] = (before or data, data)
            user = USER.format(pixels=self.pixels, data=data, kinds=words)
            found.append(Ask(robot, STAGE, step, 0, (("system", SYSTEM), ("user", user))))
        return found

    def judgements(self, robots: Sequence[str], step: int) -> list[Ask]:
        """Requests about what robots have just tried; after those about what they see."""
        tried = [(n, self.tried[n].action) for n in robots if n in self.tried and n in self._pictures]
        return [request(n, action, *self._pictures[n], step) for n, action in tried]

    def take(self, robot: str, text: str, step: int) -> list[Seen]:
        """Take in the reply about a robot's picture; returns the named things that are not there."""
        key, image = self._shown.pop(robot)
        found = read(text)
        self.unread += found is None
        seen: dict[str, Seen] = {}
        for i, one in enumerate(found or ()):
            thing = self._thing(key, image, one) or self._ghost(image, one, f"{robot}_{step}_{i}")
            if thing is not None:
                seen.setdefault(thing.name, thing)
        self._said[robot] = (key, tuple(seen.values()))
        return [thing for thing in seen.values() if thing.name not in self.house.thing]

    def things(self, scene: Scene, eye: Eye, camera: Camera, robot: str) -> Sequence[Seen]:
        """The things named in the current picture of a robot; none, where no model was asked."""
        key, said = self._said.get(robot, (None, ()))
        return said if key == _key(scene, eye, camera, robot) else ()

    # -- from boxes to things -------------------------------------------------------------------------------------
    def _thing(self, key: Any, image: Image, one: Found) -> Seen | None:
        """The thing of that kind of which most is in the box and within the camera's range."""
        part = _window(image, one)
        if part is None:
            return None
        near = _near(image)[part]
        count = np.bincount(image.owner[part][near].reshape(-1), minlength=1)
        best: tuple[int, str] = (0, "")
        for i in np.flatnonzero(count).tolist():
            name = image.names[i - FIRST] if i >= FIRST else ""
            if name in self.house.thing and self.house.thing[name].kind == one.kind:
                best = max(best, (int(count[i]), name))
        lying = key[-1].lying(best[1]) if best[0] else None
        return Seen(best[1], lying.on, lying.spot) if lying is not None else None

    def _ghost(self, image: Image, one: Found, label: str) -> Seen | None:
        """A thing that is not there, at what the middle of its box shows."""
        row, column = (round((one.box[i] + one.box[i + 2]) / 2) for i in (1, 0))
        size = len(image.depth)
        if not (0 <= row < size and 0 <= column < size) or not _near(image)[row, column]:
            return None
        x, y, z = (round(float(v), 2) for v in image.points()[:, row, column])
        owner = int(image.owner[row, column])
        name = image.names[owner - FIRST] if owner >= FIRST else ""
        on = name if name in self.house.piece and self.house.piece[name].receptacle else FLOOR
        return Seen(f"{one.kind.lower()}_ghost_{label}", on, (x, y, z if on != FLOOR else 0.0))

    def _png(self, image: Image) -> str:
        from coterie.render.svg import to_png
        from coterie.worlds.household.pictures.eyes import shown

        return base64.b64encode(to_png(shown(image, self.plan))).decode("ascii")


def _key(scene: Scene, eye: Eye, camera: Camera, robot: str) -> Any:
    """All that a picture depends on, and the scene as it was then."""
    others = tuple((n, b) for n, b in scene.robots.items() if n != robot)
    return eye, camera, others, Scene(scene.house, dict(scene.moved), {})


def _window(image: Image, one: Found) -> tuple[slice, slice] | None:
    size = len(image.depth)
    left, top, right, bottom = (min(max(v, 0.0), float(size)) for v in one.box)
    if right - left < 1 or bottom - top < 1:
        return None
    return slice(math.floor(top), math.ceil(bottom)), slice(math.floor(left), math.ceil(right))


def _near(image: Image) -> Any:
    points, (eye, camera) = image.points(), (image.eye, image.camera)
    start = np.array([eye.x, eye.y, camera.height_m], np.float32)[:, None, None]
    away = points - start
    return np.isfinite(image.depth) & ((away * away).sum(axis=0) <= camera.range_m**2)


def _bare(name: str) -> str:
    return "".join(c for c in name.lower() if c.isalnum())


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
