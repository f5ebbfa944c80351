"""Where close-ups look: at every hand that is at work, when it grips and when it lets go, from where nothing stands
before it. A film knows what comes, so each close-up waits where something will happen."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from coterie.render.solids.geoms import Geoms
from coterie.render.solids.solids import Camera, placed
from coterie.render.solids.zbuffer import Array
from coterie.worlds.tabletop.captions import Round

MOST = 2  # close-ups at once
HAND, FINGER = "/hand", "/finger"
NEAR = 0.25  # [m] from a hand, beyond which it holds nothing
RIGID, LOOSE, MOVED = 0.004, 0.012, 0.01  # [m] a held thing keeps its place in the hand, and goes where that goes
STIRRED = 0.004  # [m] from where a thing lay, beyond which it is on its way
AWAY = 0.15  # [m] from where a close-up looks, beyond which it goes where the thing will be
DISTANCE, FARTHER = 0.55, 1.4  # [m] from what a hand is at, and how much farther where two are at it
#: From where it may look, the first that will do: degrees beside where a job looks from, and another elevation.
TURNS: tuple[tuple[int, int | None], ...] = (
    (0, None), (40, None), (-40, None), (80, None), (-80, None), (0, -30), (50, -30), (-50, -30), (100, -30),
    (-100, -30), (140, -35), (-140, -35), (180, -35),
)  # fmt: skip
ENOUGH = 0.45  # share of a thing, and of the hand at it, that is seen well enough
PART = 0.06  # [m] from the end of a rope, within which it is that end
POINTS = 10  # of each that are looked at
BEFORE = 0.2  # [m] from what is looked at; a robot that is nearer to the camera stands before it
LOST = 0.25  # share of the picture that robots before it may take
GRID = tuple((x, y) for x in (-0.4, -0.13, 0.13, 0.4) for y in (-0.27, 0.0, 0.27))  # of the picture, by its distance


class Focus(NamedTuple):
    """The subject and the camera of one close-up during a round."""

    title: str
    thing: str
    cuts: tuple[tuple[int, Camera], ...]  # from which moment on, from where it looks
    keys: tuple[int, ...]  # moments at which the hand grips or lets go

    def camera(self, moment: int) -> Camera:
        return next(camera for begin, camera in reversed(self.cuts) if begin <= moment)


class Director:
    """Says what close-ups show, round by round."""

    def __init__(self, mujoco: Any, model: Any, data: Any, things: Mapping[str, int], close: Camera):
        self.mujoco, self.model, self.data = mujoco, model, data
        self.things, self.close = things, replace(close, distance=min(DISTANCE, close.distance))
        self.names = [model.body(b).name for b in range(model.nbody)]
        self.hands = {n.removesuffix(HAND): b for b, n in enumerate(self.names) if n.endswith(HAND)}
        self.geoms = Geoms(model)
        self.parts = {n: self._parts(b) for n, b in things.items()}

    def _parts(self, body: int) -> list[int]:
        """Bodies that are seen where a thing is: the end of a rope is a point, and its neighbours are what is seen."""
        shown = set(self.geoms.body[self.geoms.shown(self.geoms.rgba())].tolist())
        root = int(self.model.body_rootid[body])
        apart = np.linalg.norm(self.data.xpos - self.data.xpos[body], axis=1)
        beside = [b for b in range(self.model.nbody) if self.model.body_rootid[b] == root and b in shown]
        return [body] if body in shown else [b for b in beside if apart[b] < PART]

    def foci(self, now: Round, held: Sequence[Mapping[str, str]]) -> list[Focus]:
        """One for each thing that a robot is at, in the order of the team, and where there is room, for what was
        dropped or nudged before; `held` as it is at each moment."""
        tracks, hands = self._tracks(now.poses)
        found: dict[str, list[str]] = {}
        for robot, args in now.aims.items():
            thing = next((a for a in args if a in self.things), None) or self._moved_by(robot, tracks, hands)
            if thing is not None and robot in self.hands:
                found.setdefault(thing, []).append(robot)
        foci = []
        for thing, robots in found.items():
            others = [a for a in now.aims[robots[0]] if a != thing]
            what = thing if now.aims[robots[0]] else now.acts.get(robots[0], thing)
            title = f"{', '.join(robots)}: {what}" + "".join(f" → {o}" for o in others)
            foci.append(self._focus(title, thing, robots, now.poses, tracks[thing], hands[robots[0]], held))
        for thing in [n for n in now.moved if n in self.things and n not in found][: max(0, MOST - len(foci))]:
            where = self._camera(tracks[thing][0], thing, [], now.poses[0], now.poses[-1])
            foci.append(Focus(thing, thing, ((0, where),), ()))
        return foci

    def _tracks(self, poses: Sequence[Sequence[float]]) -> tuple[dict[str, Array], dict[str, Array]]:
        """Where things and hands are, at every moment."""
        seen = []
        for pose in poses:
            self._pose(pose)
            seen.append(self.data.xpos.copy())
        all_ = np.array(seen)
        return {n: all_[:, b] for n, b in self.things.items()}, {r: all_[:, b] for r, b in self.hands.items()}

    def _pose(self, pose: Sequence[float]) -> None:
        self.data.qpos[:] = pose
        self.mujoco.mj_kinematics(self.model, self.data)

    def _moved_by(self, robot: str, tracks: Mapping[str, Array], hands: Mapping[str, Array]) -> str | None:
        """The thing that moved nearest to a hand whose action names nothing, such as what is emptied out of a pan."""
        moved = [n for n, at in tracks.items() if np.linalg.norm(at[-1] - at[0]) > AWAY]
        if robot not in hands or not moved:
            return None
        return min(moved, key=lambda n: float(np.linalg.norm(tracks[n] - hands[robot], axis=1).mean()))

    def _focus(
        self,
        title: str,
        thing: str,
        robots: Sequence[str],
        poses: Sequence[Sequence[float]],
        at: Array,
        hand: Array,
        held: Sequence[Mapping[str, str]],
    ) -> Focus:
        stirred = np.flatnonzero(np.linalg.norm(at - at[0], axis=1) > STIRRED)
        had, has = (held[i].get(robots[0]) == thing for i in (0, -1))
        if not len(stirred):
            there = np.linalg.norm(at - hand, axis=1)
            key = int(np.argmax(there < there.min() + STIRRED))
            return Focus(title, thing, ((0, self._camera(at[key], thing, robots, poses[key], poses[-1])),), (key,))
        grip = max(0, int(stirred[0]) - 1)
        if not had and np.linalg.norm(at[grip] - hand[grip]) > NEAR:  # a rope that comes to rest was not gripped yet
            grip = _gripped(at, [h.get(robots[0]) == thing for h in held], grip)
        down = int(np.flatnonzero(np.linalg.norm(at - at[-1], axis=1) > STIRRED)[-1]) + 1
        keys = tuple(([] if had else [grip]) + ([] if has else [down]))
        last = self._camera(at[-1], thing, robots, poses[-1 if has else down], poses[-1])
        if had:
            return Focus(title, thing, ((0, last),), keys)
        first = self._camera(at[grip], thing, robots, poses[grip], poses[0])
        gone = np.flatnonzero(np.linalg.norm(at - at[0], axis=1) > AWAY)
        return Focus(title, thing, ((0, first), *([(int(gone[0]), last)] if len(gone) else [])), keys)

    def _camera(
        self, at: Array, thing: str, robots: Sequence[str], pose: Sequence[float], other: Sequence[float]
    ) -> Camera:
        """Towards a spot, from where thing and hand are seen at one moment, and the thing at another; two hands at one
        thing take more room."""
        x, y, z = (float(v) for v in at)
        far = self.close.distance * (FARTHER if len(robots) > 1 else 1.0)
        best, most = self.close, -1.0
        for turn, elevation in TURNS:
            tilt = self.close.elevation if elevation is None else elevation
            turned = replace(self.close, azimuth=self.close.azimuth + turn, elevation=tilt)
            camera = replace(turned, lookat=(x, y, z), distance=far)
            self._pose(pose)
            seen, lost = min(self.seen(camera, thing, r) for r in robots or [""]), self._lost(camera)
            self._pose(other)
            kept, lost = self._share(camera, self.parts[thing], self.parts[thing]), max(lost, self._lost(camera))
            value = min(seen, kept) - 0.5 * lost
            if value > most + 0.05:
                best, most = camera, value
            if min(seen, kept) >= ENOUGH and lost <= LOST:
                break
        return best

    def seen(self, camera: Camera, thing: str, robot: str) -> float:
        """The share of a thing that nothing stands before, or that of the fingers of the hand at it if that is less."""
        if not robot:
            return self._share(camera, self.parts[thing], self.parts[thing])
        tips = [b for b, n in enumerate(self.names) if n.startswith(robot + FINGER)] or [self.hands[robot]]
        mine, parts = [*tips, self.hands[robot]], self.parts[thing]
        return min(self._share(camera, parts, parts), self._share(camera, tips, mine))

    def _lost(self, camera: Camera) -> float:
        """The share of a picture that robots take which stand nearer to the camera than what it looks at."""
        right, up, into = camera.axes()
        met = [self._first(camera.eye(), into + x * right + y * up) for x, y in GRID]
        return sum("/" in name and far < camera.distance - BEFORE for name, _, far in met) / len(GRID)

    def _first(self, eye: Array, way: Array) -> tuple[str, int, float]:
        """The first body on a way, and how often the way fits in between."""
        met = np.full(1, -1, dtype=np.int32)
        far = float(self.mujoco.mj_ray(self.model, self.data, eye, way, None, 1, -1, met))
        body = int(self.model.geom_bodyid[met[0]]) if met[0] >= 0 else -1
        return self.names[body] if body >= 0 and not self._rope(body) else "", body, far * float(np.linalg.norm(way))

    def _rope(self, body: int) -> bool:
        return int(self.model.body_dofnum[self.model.body_rootid[body]]) == 6

    def _share(self, camera: Camera, bodies: Collection[int], hits: Collection[int]) -> float:
        geoms = np.isin(self.geoms.body, list(bodies)) & self.geoms.shown(self.geoms.rgba())
        points = placed(self.data, self.geoms.hull[0])[geoms].reshape(-1, 3)
        if not len(points):
            return 1.0
        eye = camera.eye()
        some = points[np.linspace(0, len(points) - 1, POINTS).astype(int)]
        middle = points.mean(axis=0)
        inside = (some + middle) / 2  # so that a ray meets the surface
        return sum(self._first(eye, point - eye)[1] in hits for point in inside) / len(some)


def _gripped(at: Array, held: Sequence[bool], otherwise: int) -> int:
    """The moment before a thing began to go with the hand that holds it."""
    if True not in held:
        return otherwise
    i = held.index(True)
    while i > 0 and np.linalg.norm(at[i] - at[i - 1]) > STIRRED:
        i -= 1
    return i


def chosen(foci: Sequence[Focus], moment: int) -> list[Focus]:
    """Those that there is room for: where a robot grips or lets go soonest, before or after."""
    order = sorted(range(len(foci)), key=lambda n: min((abs(k - moment) for k in foci[n].keys), default=moment))
    return [foci[n] for n in sorted(order[:MOST])]


def in_hand(
    mujoco: Any, model: Any, data: Any, poses: Sequence[Sequence[float]], things: Collection[str]
) -> Iterator[dict[str, str]]:
    """For every moment of a film, the thing each robot holds: it goes where its hand goes and keeps its place in it.

    A log has the positions of all joints and no welds; this is what a viewer would see.
    """
    hands = {model.body(b).name: b for b in range(model.nbody) if model.body(b).name.endswith(HAND)}
    bodies = {n: int(model.body(n).id) for n in things if has(model, n)}
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


def has(model: Any, name: str) -> bool:
    try:
        return int(model.body(name).id) >= 0
    except KeyError:
        return False
