"""Things in the pictures of real robots: a model names them, and the map says where they are.

A driver sends a picture with where its camera was. The model is asked for kinds and boxes; a thing lies where the line
of sight through the foot of its box meets the first surface of the map.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from coterie.core import looking
from coterie.core.action import Outcome
from coterie.core.protocol import Ask
from coterie.core.sight import Detection, Picture, Sight
from coterie.houses.scene import Scene

FOOT = 0.2  # of a box's height above its lower edge: where a thing stands on what it lies on
EDGE_M = 0.05  # beside a surface: what is seen there lies on it
FAR_M = 8.0  # at which nobody tells things apart
_TRIED = {"pick": "to take {0} into its gripper", "place": "to put {0} on {1}"}


class Eyes:
    """The pictures of one episode that nobody has looked at yet. `judges`: the model also says what has worked."""

    def __init__(self, scene: Scene, kinds: Sequence[str], judges: bool = False):
        self.scene, self.kinds, self.judges = scene, sorted(set(kinds)), judges
        self.unread = 0  # replies that could not be read
        self._waiting: dict[str, Picture] = {}
        self._shown: dict[str, tuple[str, str]] = {}  # by robot: its last picture but one, and its last
        self._tried: dict[str, Outcome] = {}

    def show(self, robot: str, picture: Picture) -> None:
        before = self._shown.get(robot, ("",))[-1]
        if picture.png != before:
            self._waiting[robot] = picture
            self._shown[robot] = (before or picture.png, picture.png)

    def try_(self, outcome: Outcome) -> None:
        """An action has ended, and is to be judged."""
        if self.judges and outcome.action.skill in _TRIED and outcome.robot in self._shown:
            self._tried[outcome.robot] = outcome

    def asks(self, robots: Sequence[str], step: int) -> list[Ask]:
        found = []
        for robot in [r for r in robots if r in self._waiting]:
            picture = self._waiting[robot]
            found.append(looking.see(robot, step, picture.png, *picture.size(), self.kinds, self.kinds[0]))
        for robot in [r for r in robots if r in self._tried]:
            action = self._tried[robot].action
            found.append(looking.judge(robot, step, *self._shown[robot], _TRIED[action.skill].format(*action.args)))
        return found

    def seen(self, robot: str, text: str) -> Sight:
        """The things that a reply names in a robot's picture."""
        picture = self._waiting.pop(robot)
        found = looking.read(text, self.kinds)
        self.unread += found is None
        spots = [(one.kind, spot_of(self.scene, picture, one.box)) for one in found or ()]
        named = tuple(Detection(kind, at) for kind, at in spots if at is not None)
        return Sight(things=named, places=picture.places if found is not None else ())

    def judged(self, robot: str, text: str) -> Outcome:
        return looking.judged(self._tried.pop(robot), looking.said(text))


def spot_of(
    scene: Scene, picture: Picture, box: tuple[float, float, float, float]
) -> tuple[float, float, float] | None:
    """Where a thing is that fills a box of a picture: on the first surface behind its foot; None: on none."""
    wide, high = picture.size()
    right = (box[0] + box[2] - wide) / wide * math.tan(math.radians(picture.fov_deg) / 2)
    foot = box[3] - FOOT * (box[3] - box[1])
    up = (high - 2 * foot) / wide * math.tan(math.radians(picture.fov_deg) / 2)
    (sin_h, cos_h), (sin_t, cos_t) = (
        (math.sin(a), math.cos(a)) for a in map(math.radians, (picture.heading_deg, picture.tilt_deg))
    )
    ahead, rise = cos_t - up * sin_t, sin_t + up * cos_t
    dx, dy = ahead * cos_h + right * sin_h, ahead * sin_h - right * cos_h
    x, y, z = picture.at
    rows = [(f.rect, f.surface_m) for f in scene.places] + [(r.rect, 0.0) for r in scene.rooms]
    hits = []
    for (left, low, far, top), surface in rows:
        along = (surface - z) / rise if rise else 0.0
        px, py = x + along * dx, y + along * dy
        inside = left - EDGE_M <= px <= far + EDGE_M and low - EDGE_M <= py <= top + EDGE_M
        if along > 0 and inside and math.dist((px, py), (x, y)) <= FAR_M:
            hits.append((along, (px, py, surface)))
    return min(hits)[1] if hits else None
