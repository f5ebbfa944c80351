"""Seeing by a model: a picture goes out, and what the model says it shows comes back.

The model stands in for the detection of things, which is what robots get wrong. What it does not name is not seen; what
it names where no such thing is, a robot takes to be there until it looks again. Furniture, doors, robots and the ground
are read from depth and segmentation as the rendered camera does, and so is which one of several mugs it is. What can be
taken is up to the world and not to the model.

Requests are those of an episode: they are put to its model, bounded and counted like any other, and stand in the log
with their replies, so that a run goes on from its log without asking again. A model may also judge whether taking or
putting something has worked: its robot hears that, the truth stands in the log, and a reply that says neither counts.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from coterie.core import looking
from coterie.core.action import Action, Outcome
from coterie.core.event import Event
from coterie.core.looking import Found
from coterie.core.protocol import Ask
from coterie.houses.model import FLOOR, House
from coterie.houses.placement import kinds
from coterie.worlds.household.bodies import HANDLES
from coterie.worlds.household.perception import Camera, Eye, Scene, Seen
from coterie.worlds.household.perception.image import FIRST, PIXELS, Image
from coterie.worlds.household.perception.photos import Photos

STAGE = looking.SEE
_WORDS = {
    "PickUp": "to take {0} into its hand",
    "PutDown": "to put what it held on {0}",
    "Drop": "to drop what it held",
}


def _judging(robot: str, action: Action, before: str, after: str, step: int) -> Ask:
    what = _WORDS[action.skill].format(*[str(a) for a in action.args], "something")
    return looking.judge(robot, step, before, after, what)


def read(text: str) -> list[Found] | None:
    return looking.read(text, _kinds())


def _kinds() -> list[str]:
    return [name for name, kind in kinds().items() if kind.thing]


def unread(replies: Sequence[str]) -> int:
    """How many of some replies could not be read."""
    return sum(read(text) is None for text in replies)


class Vision:
    """The pictures of one episode, and what was said of them."""

    def __init__(self, house: House, pixels: int = PIXELS, judges: bool = False):
        self.house, self.pixels, self.photos = house, pixels, Photos(house)
        self.judges = judges  # whether it also says what has worked
        self.tried: dict[str, Outcome] = {}  # robot -> what has just ended, and is to be judged
        self._pictures: dict[str, tuple[str, str]] = {}  # robot -> what it was shown before, and now
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
            image = self.photos.take(scene, eye, camera, robot, self.pixels)
            self._shown[robot] = (key, image)
            data = self._png(image)
            self._pictures[robot] = (before or data, data)
            found.append(looking.see(robot, step, data, self.pixels, self.pixels, _kinds(), "Mug"))
        return found

    def judgements(self, robots: Sequence[str], step: int) -> list[Ask]:
        """Requests about what robots have just tried; after those about what they see."""
        tried = [(n, self.tried[n].action) for n in robots if n in self.tried and n in self._pictures]
        return [_judging(n, action, *self._pictures[n], step) for n, action in tried]

    def take(self, robot: str, text: str, step: int) -> list[Seen]:
        """Take in what a reply says a robot sees. Return the things that are not there."""
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
        """The things that the model named in what a robot sees now; none where it was not asked."""
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

        return base64.b64encode(to_png(self.photos.colours(image))).decode("ascii")


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
            answer = looking.said(str(event.data["text"]))
            count, lost = count + 1, lost + (answer is None)
            right += answer is worked[event.who]
    return Agreement(count, right, lost)


def _judges(events: Sequence[Event], causes: Iterable[int]) -> bool:
    return any(events[cause].data.get("stage") == looking.JUDGE for cause in causes)
