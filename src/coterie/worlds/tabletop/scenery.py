"""How one moment of a job is shown: the whole table, a close-up set in, and names where somebody looks for them.

A hand wears its robot's name and that of what it holds; things that the round is about wear theirs on the table.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.core.event import Event
from coterie.core.records import StartEvent
from coterie.core.told import read
from coterie.motion import needs
from coterie.render.notes import LETTERS
from coterie.render.solids import Camera, Solids, fit
from coterie.render.text import wrap
from coterie.worlds.tabletop.job import Layout, Xyz
from coterie.worlds.tabletop.jobs import jobs
from coterie.worlds.tabletop.views import angles, view_of

Picture = NDArray[np.uint8]
INSET = 0.36  # share of width and height that a close-up takes
EDGE = 8  # [px] between the close-up and the picture's edge
FRAME_GREY = 150
TAKEN = 0.09  # [m] from a place, within which a thing there is named instead
ABOVE = np.array([0.0, 0.0, 0.04])  # [m] where the name of a thing stands, seen from its middle
STACK = 0.075  # [m] between the middles of things of which one lies on the other
BESIDE, LINE = 0.19, 0.058  # [m] from a stack to its names, and from one of them to the next
HAND, FINGER = "/hand", "/finger"
AT_WORK = 0.16  # [m] from a thing, within which names keep off a hand
NEAR = 0.25  # [m] from a hand, beyond which it holds nothing
RIGID, LOOSE, MOVED = 0.004, 0.012, 0.01  # [m] a held thing keeps its place in the hand, and goes where that goes
AWAY = 0.2  # [m] from the middle of the close-up, beyond which it moves there
BEFORE = 0.15  # [m] from what it looks at; an arm that is nearer to the camera stands before it
TURNS = (0, 40, -40, 80, -80)  # [degrees] from where a close-up is used to look, to where no arm stands before it


class Moment(NamedTuple):
    """What is going on: hands with what they hold, and what the round is about."""

    held: Mapping[str, str] = {}  # robot -> thing
    about: Collection[str] = ()
    over: bool = False  # the task is


class Scenery:
    """One job as it is shown: the whole table from its camera, and a close-up set into the picture."""

    def __init__(self, events: Sequence[Event], model: Any, data: Any, size: tuple[int, int], below: float = 0.0):
        start = read(StartEvent, events[0]).raw
        self.model, self.job = model, str(start.get("job", ""))
        asked = angles(str(start.get("config", {}).get("camera", "")), self.job)
        own, aspect = view_of(self.job), size[0] / size[1]
        close = self.close = Camera(own.from_azimuth, own.from_elevation, own.distance, own.at, 40.0)
        whole = close if asked is None else fit(model, data, *asked, aspect=aspect, below=below)
        self.view, self.stays = Solids(model, *size, whole), own.stays
        self.small = round(size[0] * INSET), round(size[1] * INSET)
        self.inset = None if asked is None else Solids(model, *self.small, close)
        names = graspable(start, self.job)
        self.things = {n: int(model.body(n).id) for n in names if _has(model, n)}  # name -> body
        bodies = {b: model.body(b).name for b in range(model.nbody)}
        self.hands = [b for b, n in bodies.items() if n.endswith(HAND) or FINGER in n]
        places = _places(start, self.job)
        self.near, self.places = (places, {}) if own.places_close and self.inset is not None else ({}, places)

    def frame(self, data: Any, caption: str, labels: Mapping[str, str] | None, moment: Moment | None = None) -> Picture:
        moment = moment or Moment()
        worn = {body: self._worn(body, name, moment) for body, name in (labels or {}).items()}
        at = {n: data.xpos[body] + ABOVE for n, body in self.things.items()}
        stack = _stacked(at)
        told = at if moment.over and self.stays else moment.about
        free = {n: p for n, p in at.items() if n in told and n not in {*stack, *moment.held.values()}}
        named = {**free, **_empty(self.places, at)}
        if self.inset is None:
            return self.view.frame(data, caption, worn, named, self._at_work(data, self.things))
        self._follow(data, moment)
        shown = self._at_work(data, {*named, *moment.held.values()})
        picture = self.view.frame(data, caption, worn, named, shown)
        left = -self.inset.camera.axes()[0]
        beside = {n: at[stack[0]] + left * BESIDE + [0.0, 0.0, (k - 0.7) * LINE] for k, n in enumerate(stack)}
        others = {n: p for n, p in at.items() if n not in stack}
        shown = self._at_work(data, others)
        small = self.inset.frame(data, "", None, {**beside, **others, **_empty(self.near, at)}, shown)
        height, width, _ = small.shape
        y, x = picture.shape[0] - height - EDGE, picture.shape[1] - width - EDGE
        picture[y - 1 : y + height + 1, x - 1 : x + width + 1] = FRAME_GREY
        picture[y : y + height, x : x + width] = small
        return picture

    def _at_work(self, data: Any, names: Collection[str]) -> dict[int, str]:
        """Bodies that no name may cover: these things, with their own, and what of a hand is at one of them."""
        things = {body: n for n, body in self.things.items() if n in names}
        near = [b for b in self.hands if any(np.linalg.norm(data.xpos[b] - data.xpos[t]) < AT_WORK for t in things)]
        roots = {int(self.model.body_rootid[t]) for t in things}
        loose = [r for r in roots if self.model.body_dofnum[r] == 6]  # a rope as well, and no door
        hanging = np.flatnonzero(np.isin(self.model.body_rootid, loose))
        return dict.fromkeys([*near, *hanging.tolist()], "") | things

    def _worn(self, body: str, name: str, moment: Moment) -> str:
        thing = moment.held.get(body.removesuffix(HAND))
        return f"{name}: {thing}" if thing else name

    def _follow(self, data: Any, moment: Moment) -> None:
        """The close-up looks at what the round is about, or at anything, where a hand is nearest; in the end at the
        result."""
        if self.inset is None:
            return
        camera, there = self.inset.camera, self.close.lookat
        result = moment.over and not self.stays
        if not result:
            hands = [data.xpos[b] for b in range(self.model.nbody) if self.model.body(b).name.endswith(HAND)]
            about = [data.xpos[b] for n, b in self.things.items() if n in moment.about]
            things = about or [data.xpos[b] for b in self.things.values()]
            near = [(float(np.linalg.norm(h - t)), n) for h in hands for n, t in enumerate(things)]
            if not near:
                return
            x, y, z = (float(v) for v in things[min(near)[1]])
            there = (x, y, z)
        if result or float(np.linalg.norm(np.subtract(there, camera.lookat))) > AWAY:
            camera = replace(self.close, lookat=there)
        turned = (replace(camera, azimuth=self.close.azimuth + turn) for turn in TURNS)
        camera = next((c for c in (camera, *turned) if _sees(self.model, data, c)), camera)
        if camera != self.inset.camera:
            self.inset = Solids(self.model, *self.small, camera)


def folded(caption: str, across: int) -> str:
    """A caption beside a close-up: what is too long for a line goes on in the next, the heading apart."""
    room = across - round(across * INSET) - 3 * EDGE - 12
    rows = (wrap(line, LETTERS, room, 2 if n else 1, bold=not n) for n, line in enumerate(caption.splitlines()))
    return "\n".join(line for row in rows for line in row or [" "])


def _sees(model: Any, data: Any, camera: Camera) -> bool:
    """Does nothing that robots are made of stand between a camera and what it looks at?"""
    met = np.full(1, -1, dtype=np.int32)
    far = needs.mujoco().mj_ray(model, data, camera.eye(), camera.axes()[2], None, 1, -1, met)
    robot = met[0] >= 0 and "/" in model.body(int(model.geom_bodyid[met[0]])).name
    return not robot or far > camera.distance - BEFORE


def _empty(places: Mapping[str, Xyz], at: Mapping[str, np.ndarray]) -> dict[str, Xyz]:
    """Places at which nothing is: the name of a place would cover what is there."""
    return {n: p for n, p in places.items() if all(np.hypot(*(a[:2] - p[:2])) > TAKEN for a in at.values())}


def _stacked(at: Mapping[str, np.ndarray]) -> list[str]:
    """Things that lie on each other, the lowest first: their names would cover them, and stand beside them instead."""
    near = {
        n: [m for m in at if m != n and float(np.hypot(*(at[m][:2] - at[n][:2]))) < STACK and at[m][2] != at[n][2]]
        for n in at
    }
    return sorted((n for n in at if near[n]), key=lambda n: float(at[n][2]))


def in_hand(
    mujoco: Any, model: Any, data: Any, poses: Sequence[Sequence[float]], things: Collection[str]
) -> Iterator[dict[str, str]]:
    """For every moment of a film, what each robot holds: what goes where its hand goes and keeps its place in it.

    A log has the positions of all joints and no welds; this is what somebody would see.
    """
    hands = {model.body(b).name: b for b in range(model.nbody) if model.body(b).name.endswith(HAND)}
    bodies = {n: int(model.body(n).id) for n in things if _has(model, n)}
    held: dict[str, str] = {}
    before: dict[str, dict[str, np.ndarray]] = {}  # hand -> where it saw things
    where: dict[str, np.ndarray] = {}
    for pose in poses:
        data.qpos[:] = pose
        mujoco.mj_kinematics(model, data)
        now = {n: data.xpos[b].copy() for n, b in bodies.items()}
        for hand, body in hands.items():
            robot, turn = hand.removesuffix(HAND), data.xmat[body].reshape(3, 3)
            seen = {n: turn.T @ (at - data.xpos[body]) for n, at in now.items()}
            last = before.get(hand, seen)
            shift = {n: float(np.linalg.norm(seen[n] - last[n])) for n in seen}
            if robot in held and shift[held[robot]] > LOOSE:
                del held[robot]
            going = [
                n for n in seen
                if shift[n] < RIGID and float(np.linalg.norm(seen[n])) < NEAR
                and n in where and float(np.linalg.norm(now[n] - where[n])) > MOVED
            ]  # fmt: skip
            if going and robot not in held:
                held[robot] = min(going, key=lambda n: float(np.linalg.norm(seen[n])))
            before[hand] = seen
        where = now
        yield dict(held)


def graspable(start: Mapping[str, Any], job: str) -> tuple[str, ...]:
    """Names of what hands may hold, as a log's first line tells."""
    if job not in jobs or "layout" not in start:
        return ()
    return tuple(jobs.get(job).graspable(Layout.from_json(start["layout"])))


def taken_up(start: Mapping[str, Any], job: str) -> tuple[str, ...]:
    """The same where hands take things; a tool that is in a hand for good carries what lies on it."""
    takes = job in jobs and any(verb.startswith("pick") for verbs in jobs.get(job).verbs.values() for verb in verbs)
    return graspable(start, job) if takes else ()


def _has(model: Any, name: str) -> bool:
    try:
        return int(model.body(name).id) >= 0
    except KeyError:
        return False


def _places(start: Mapping[str, Any], job: str) -> dict[str, Xyz]:
    """Names of panels, slots and other places that plans speak of."""
    if job not in jobs or "layout" not in start:
        return {}
    return dict(jobs.get(job).places(Layout.from_json(start["layout"])))
