"""Are all arms together free of collisions? The question that planners ask a hundred thousand times."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from coterie.core.errors import CoterieError, unknown_name
from coterie.motion import needs
from coterie.motion.arm import Arm
from coterie.motion.spare import Kind, Spare, outermost

mujoco = needs.mujoco()

TOUCH = 1e-3  # [m] deeper than this is a collision; less is a thing at rest on another
STEP = 0.02  # [m] that no point of an arm moves farther than between two checks of a line
SAG = 0.01  # [rad or m] beyond a limit that a real joint may be found at
CLASSES = 31  # bits of a collision filter

SHORT = "(what both hold is too short)"  # said behind the names of hands that are too far apart
Allowed = Callable[[str, str], bool]
Apart = Callable[[str, str], float]
Tie = tuple[str, str, float]  # two robots whose hands may be so far [m] from each other


def nothing_allowed(a: str, b: str) -> bool:
    return False


class Checker:
    """Are all arms together free at a stacked configuration? Works on its own copy of model and data.

    `allowed(a, b)` says whether contact between two roots is fine, in either order: a robot's bodies count as its name,
    other things as the name of their outermost body, geoms of the world body as their own name. `held` maps a robot to
    the thing in its hand, which moves along as it sits now. `apart(a, b)` asks for a distance [m] between two roots,
    `own` for one between links of the same arm that are no neighbours: what grazes itself in planning is pushed away in
    physics. Hands that are farther from each other than `ties` let them are a collision, too. Things that nobody holds
    do not collide with each other here. Checkers of one scene may share what is `spare`.
    """

    def __init__(
        self,
        model: Any,
        data: Any,
        arms: Sequence[Arm],
        allowed: Allowed = nothing_allowed,
        held: Mapping[str, str] | None = None,
        apart: Apart | None = None,
        own: float = 0.0,
        ties: Sequence[Tie] = (),
        spare: Spare | None = None,
    ):
        self.arms = tuple(arms)
        self._spare = Spare(model) if spare is None else spare
        self.model, self.data = self._spare.take(data)
        self._state = self.data.qpos
        self.qpos = np.concatenate([a.qpos for a in self.arms])
        self.lo = np.concatenate([a.lo for a in self.arms])
        self.hi = np.concatenate([a.hi for a in self.arms])
        self.checks = 0
        mujoco.mj_kinematics(self.model, self.data)
        self.own = own
        self.held = dict(held or {})
        self._grasp: dict[str, str] = {}  # robot -> root of what it holds
        self._movers = {a.name for a in self.arms}  # roots
        self._carried: list[Carried] = []
        for robot, thing in self.held.items():
            self._take(robot, thing)
        self._known = self._spare.known(self.arms)
        self.names = self._known.names
        self._need = np.empty(0)
        site = {a.name: a.site for a in self.arms}
        self._ties = [(tie, site[tie[0]], site[tie[1]]) for tie in ties]
        self._filter(allowed, apart)
        stand_in(self.model, [g for g, name in enumerate(self.names) if name in self._movers])
        self.levers = self._levers()
        ends = np.cumsum([a.n for a in self.arms])
        self._spans = [slice(int(e) - a.n, int(e)) for e, a in zip(ends, self.arms, strict=True)]

    def __del__(self) -> None:
        if hasattr(self, "data"):
            self._spare.give(self.model, self.data)

    # -- questions ------------------------------------------------------------------------------------------------
    def free(self, q: np.ndarray) -> bool:
        """Whether nothing touches what it may not touch, and no tie is torn."""
        return self.clear(q) and not (self._ties and self._torn())

    def clear(self, q: np.ndarray) -> bool:
        """The same for a posture in which some arms are not yet where they will be: what ties hands does not count."""
        self._pose(q)
        data = self.data
        mujoco.mj_collision(self.model, data)
        if data.ncon == 0:
            return True
        contact = data.contact
        geoms = contact.geom
        return not (contact.dist < self._need[geoms[:, 0], geoms[:, 1]]).any()

    def _torn(self) -> list[Tie]:
        """The ties that the last configuration asked for would tear."""
        at = self.data.site_xpos
        return [tie for tie, a, b in self._ties if float(np.linalg.norm(at[a] - at[b])) > tie[2]]

    def inside(self, q: np.ndarray) -> bool:
        """Whether every joint is within its limits, give or take what a servo sags."""
        return bool((q >= self.lo - SAG).all() and (q <= self.hi + SAG).all())

    def pairs(self, q: np.ndarray) -> list[tuple[str, str]]:
        """The names of what collides, each pair once, robots first."""
        self._pose(q)
        mujoco.mj_collision(self.model, self.data)
        contact = self.data.contact
        bad = {
            self._ordered(self.names[a], self.names[b])
            for (a, b), dist in zip(contact.geom.tolist(), contact.dist.tolist(), strict=True)
            if dist < self._need[a, b]
        }
        return [*sorted(bad), *((a, f"{b} {SHORT}") for a, b, _ in self._torn())]

    def edge(self, a: np.ndarray, b: np.ndarray) -> bool:
        """Whether the straight joint line between two configurations is free, ends included."""
        return self.free(a) and self.free(b) and self.between(a, b)

    def between(self, a: np.ndarray, b: np.ndarray) -> bool:
        """The same without the ends. Far-apart points come first: a bad line is found bad early."""
        return all(self.free(q) for q in self.line(a, b)[_spread(self.steps(a, b))])

    # -- lines ----------------------------------------------------------------------------------------------------
    def travel(self, a: np.ndarray, b: np.ndarray) -> float:
        """A bound on how far [m] any point of any arm moves along the straight joint line."""
        moved = np.abs(b - a) * self.levers
        return max(float(moved[s].sum()) for s in self._spans)

    def steps(self, a: np.ndarray, b: np.ndarray) -> int:
        """How many pieces a line must be checked in."""
        return max(1, math.ceil(self.travel(a, b) / STEP))

    def line(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """(steps - 1, n) configurations strictly between the ends."""
        n = self.steps(a, b)
        return a + (np.arange(1, n) / n)[:, None] * (b - a)

    # -- the planning copy ----------------------------------------------------------------------------------------
    def _pose(self, q: np.ndarray) -> None:
        self.checks += 1
        model, data = self.model, self.data
        self._state[self.qpos] = q
        mujoco.mj_kinematics(model, data)
        if self._carried:
            for carried in self._carried:
                carried.place()
            mujoco.mj_kinematics(model, data)

    def _take(self, robot: str, thing: str) -> None:
        """Puts a thing into a hand. One without a free joint, a door's handle say, is held but not carried."""
        arm = next((a for a in self.arms if a.name == robot), None)
        if arm is None:
            raise unknown_name("robot", robot, (a.name for a in self.arms))
        body = int(mujoco.mj_name2id(self.model, int(mujoco.mjtObj.mjOBJ_BODY), thing))
        if body < 0:
            raise CoterieError(f"{robot} cannot hold '{thing}': the model has no such body.")
        self._grasp[robot] = outermost(self.model, body)
        joint = int(self.model.body_jntadr[body])
        if joint >= 0 and int(self.model.jnt_type[joint]) == int(mujoco.mjtJoint.mjJNT_FREE):
            self._carried.append(Carried(self.data, arm.hand, body, int(self.model.jnt_qposadr[joint])))
            self._movers.add(outermost(self.model, body))

    def _filter(self, allowed: Allowed, apart: Apart | None) -> None:
        """Writes who collides with whom into the copy's collision filters, so that a check is `ncon == 0`."""
        model, (_, solid, classes, index) = self.model, self._known
        bad, room = self._judged(classes, allowed, apart)
        need = np.where(bad, np.where(room > 0, room, -TOUCH), -np.inf)
        self._need = np.full((model.ngeom, model.ngeom), -np.inf)
        self._need[np.ix_(solid, solid)] = need[np.ix_(index, index)]
        bits = _bits(bad)
        model.geom_margin[:] = 0.0
        model.geom_gap[:] = 0.0
        own, against = np.array(bits, dtype=np.int64).T
        model.geom_contype[solid], model.geom_conaffinity[solid] = own[index], against[index]
        model.geom_margin[solid] = _margins(need, bad)[index]

    def _judged(self, classes: Sequence[Kind], allowed: Allowed, apart: Apart | None) -> tuple[np.ndarray, np.ndarray]:
        """Which classes may not touch, and what distance they must keep; each pair of roots is asked about once."""
        may: dict[tuple[str, str], tuple[bool, float]] = {}
        bad = np.zeros((len(classes), len(classes)), dtype=bool)
        room = np.zeros((len(classes), len(classes)))
        for i, a in enumerate(classes):
            for j, b in enumerate(classes[: i + 1]):
                pair = (a.root, b.root)
                if pair not in may:
                    fine = self._fine(*pair) or (a.root != b.root and (allowed(*pair) or allowed(*pair[::-1])))
                    may[pair] = (fine, 0.0 if fine else self._room(*pair, apart))
                fine, need = may[pair]
                if not fine and self._bad(a, b):
                    bad[i, j] = bad[j, i] = True
                    room[i, j] = room[j, i] = need
        return bad, room

    def _fine(self, a: str, b: str) -> bool:
        """Whether nobody asks about two roots: one thing with itself, or two of which neither moves."""
        if a == b:
            return all(a != arm.name for arm in self.arms)  # which links of an arm, the model's own filters say
        return a not in self._movers and b not in self._movers

    def _bad(self, a: Kind, b: Kind) -> bool:
        """Whether two classes may not touch, unless their roots may."""
        if not (a.contype & b.conaffinity or b.contype & a.conaffinity):
            return False
        held = any(self._grasp.get(hand.root) == thing.root and hand.part == "hand" for hand, thing in ((a, b), (b, a)))
        return not held

    def _room(self, a: str, b: str, apart: Apart | None) -> float:
        """The distance two roots must keep."""
        if a == b:
            return self.own
        return 0.0 if apart is None else max(apart(a, b), apart(b, a))

    def _levers(self) -> np.ndarray:
        """(n,) how far [m] a unit of each joint can move the farthest point behind it."""
        model = self.model
        size = self._spare.sizes(model)
        for c in self._carried:
            size[c.hand] = max(size[c.hand], float(np.linalg.norm(c.pos)) + size[c.body])
        reach = size  # from a body's origin to the farthest point behind it
        for body, parent, far in self._spare.offsets:
            reach[parent] = max(reach[parent], far + reach[body])
        out = []
        for arm in self.arms:
            out += [
                1.0 if s else float(reach[model.jnt_bodyid[j]]) for j, s in zip(arm.joints, arm.slides, strict=True)
            ]
        return np.array(out)

    def _ordered(self, a: str, b: str) -> tuple[str, str]:
        robots = [arm.name for arm in self.arms]
        first, second = sorted((a, b), key=lambda n: (n not in robots, n))
        return first, second


def stand_in(model: Any, geoms: Iterable[int]) -> None:
    """Cylinders stand in for the capsules of whatever moves.

    The engine's test of capsule against box looks at the box's surface, and a capsule that runs right through a
    thin wall can pass for free. The cylinder holds the capsule and has the same bounding box.
    """
    capsule, cylinder = int(mujoco.mjtGeom.mjGEOM_CAPSULE), int(mujoco.mjtGeom.mjGEOM_CYLINDER)
    for g in geoms:
        if model.geom_type[g] == capsule:
            radius, half, _ = model.geom_size[g]
            model.geom_type[g] = cylinder
            model.geom_size[g] = (radius, half + radius, 0.0)
            model.geom_rbound[g] = math.hypot(radius, half + radius)


class Carried:
    """A free thing that moves with a hand as it sits now."""

    def __init__(self, data: Any, hand: int, body: int, address: int):
        self.hand, self.body = hand, body
        # Views into the state, kept: taking them anew would cost more than the arithmetic.
        self._from = data.xpos[hand], data.xquat[hand]
        self._to = data.qpos[address : address + 3], data.qpos[address + 3 : address + 7]
        back, turned = np.empty(3), np.empty(4)
        mujoco.mju_negPose(back, turned, *self._from)
        self.pos, self.quat = np.empty(3), np.empty(4)
        mujoco.mju_mulPose(self.pos, self.quat, back, turned, data.xpos[body], data.xquat[body])

    def place(self) -> None:
        mujoco.mju_mulPose(*self._to, *self._from, self.pos, self.quat)


def _margins(need: np.ndarray, bad: np.ndarray) -> np.ndarray:
    """(classes,) margins of which the larger one of two is what they have to keep. It is given to the one that meets
    fewer others: an arm that keeps its distance to one wall is not looked at more closely everywhere else."""
    margin, meets = np.zeros(len(need)), bad.sum(axis=1)
    for i, j in sorted(np.argwhere(np.triu(need) > 0).tolist(), key=lambda p: -need[p[0], p[1]]):
        if max(margin[i], margin[j]) < need[i, j]:
            few = i if meets[i] < meets[j] else j
            margin[few] = need[i, j]
    return margin


def _bits(bad: np.ndarray) -> list[tuple[int, int]]:
    """Collision filters (contype, conaffinity) under which exactly the bad pairs are looked at."""
    rows = [row.tobytes() for row in bad]
    kinds = {row: i for i, row in enumerate(dict.fromkeys(rows))}  # classes with equal rows share a bit
    if len(kinds) > CLASSES:
        return [(1, 1)] * len(rows)  # the distances needed sort it out, only slower
    out = []
    for i, row in enumerate(rows):
        against = 0
        for j, other in enumerate(rows):
            if bad[i, j]:
                against |= 1 << kinds[other]
        out.append((1 << kinds[row], against))
    return out


def _spread(n: int) -> np.ndarray:
    """The numbers 0..n-2 in halving order: the middle, the quarters, ..."""
    if n not in _ORDERS:
        order: list[int] = []
        stride = 1 << max(0, (n - 1).bit_length())
        seen = set()
        while stride >= 1:
            for i in range(stride, n, stride):
                if i not in seen:
                    seen.add(i)
                    order.append(i - 1)
            stride //= 2
        _ORDERS[n] = np.array(order, dtype=int)
    return _ORDERS[n]


_ORDERS: dict[int, np.ndarray] = {}
