"""Configurations of all arms for one leg: before the target, at it, and after it, together free of collision."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from typing import Any

import numpy as np

from coterie.core.seeds import seed_of
from coterie.motion import ik
from coterie.motion.arm import Arm
from coterie.motion.collision import Checker
from coterie.worlds.tabletop.arms.checks import out_of_reach
from coterie.worlds.tabletop.job import Job, Leg, Refusal, Xyz, spoken
from coterie.worlds.tabletop.table import Table

Stack = np.ndarray
TRIES = 8  # joint attempts at one leg
LEAD_M = 0.04  # hands that are led are asked for a configuration this often
ASIDE_M = (0.12, -0.12, 0.25, -0.25)  # where else on its rail a base is tried when an arm at a point of a PATH collides
STEPS = 5  # pieces of a straight stretch
GRAZE = 0.002  # [m] between links of one arm on its way
BIG_TURN = 0.6  # a piece in which a joint turns more than this is not a straight one [rad]


@dataclass(frozen=True)
class Goals:
    """Stacked configurations of all arms: the straight way in, which ends at the target, and the straight way out."""

    approach: np.ndarray  # (STEPS + 1, all joints)
    retreat: np.ndarray

    @property
    def before(self) -> Stack:
        return self.approach[0]

    @property
    def at(self) -> Stack:
        return self.approach[-1]


class Reaching:
    """Solves legs on a state that is given: a real one, or one that is only imagined."""

    def __init__(self, table: Table, data: Any, held: Mapping[str, str], legs: Mapping[str, Leg], loose: bool = False):
        self.table, self.data, self.legs = table, data, legs
        self.names = list(table.arms)
        self.arms: list[Arm] = [table.arms[n] for n in self.names]
        self.ends = np.cumsum([0, *[len(a.qpos) for a in self.arms]])
        self.now: Stack = np.concatenate([data.qpos[a.qpos] for a in self.arms])
        self.held = dict(held)
        self.touch = {frozenset((r, t)) for r, leg in legs.items() for t in leg.touch}
        self.scratch = table.spare.blank()
        self.scratch.qpos[:] = data.qpos
        self._ik = partial(ik.solve, table.model, self.scratch)
        self.led: dict[str, np.ndarray] = {}  # robot -> configurations along the lines that its hand is led
        self.loose = loose

    def __del__(self) -> None:
        if hasattr(self, "scratch"):
            self.table.spare.back(self.scratch)

    @cached_property
    def near(self) -> Checker:
        return self._checker(self._near)

    @cached_property
    def close(self) -> Checker:
        """At the target: nothing is touched but what the hand is there for. A hand that leans on something else does
        not arrive."""
        if type(self.table.job).tolerated is Job.tolerated and not self.table.job.tolerant:
            return self.near
        return self._checker(lambda a, b: self._near(a, b, tolerant=False))

    @cached_property
    def far(self) -> Checker:
        return self._checker(self._far(self.loose), apart=not self.loose)

    def of(self, moving: Sequence[int]) -> Checker:
        """The check on the way for some of the arms; the others stand where they are, with what they hold."""
        if len(moving) == len(self.arms):
            return self.far
        arms = [self.arms[k] for k in moving]
        held = {a.name: self.held[a.name] for a in arms if a.name in self.held}

        def asked(question: Callable[[str, str], Any]) -> Callable[[str, str], Any]:
            """An arm that stands still goes by the names of its bodies."""
            return lambda a, b: question(a.partition("/")[0], b.partition("/")[0])

        may, keep = asked(self._far(self.loose)), None if self.loose else asked(self._apart)
        return Checker(self.table.model, self.data, arms, may, held, keep, GRAZE, spare=self.table.spare)

    @cached_property
    def tethered(self) -> bool:
        return bool(self.table.job.tethers(self.table, self.held))

    def holds_fast(self, robot: str) -> bool:
        """Does this hand hold something that is fixed to something else, such as a door?"""
        return robot in self.held and not self.table.carried(self.held[robot])

    # -- who may touch whom ---------------------------------------------------------------------------------------
    def _checker(self, allowed: Callable[[str, str], bool], apart: bool = False) -> Checker:
        model, job = self.table.model, self.table.job
        keep = self._apart if apart else None if self.loose else self._beside_others
        ties, spare = job.tethers(self.table, self.held), self.table.spare
        own = GRAZE if apart or self.loose else 2 * GRAZE  # a way may begin where a servo sags at a target
        own = 0.0 if ties else own
        return Checker(model, self.data, self.arms, allowed, self.held, keep, own, ties, spare)

    def _apart(self, a: str, b: str) -> float:
        """How far two stay apart on the way."""
        return max(self.table.job.apart(a, b), self._beside_others(a, b) / 2)

    def _beside_others(self, a: str, b: str) -> float:
        """How far arms stay apart at a target, where a way begins later: more than on the way itself."""
        return 2 * self.table.job.passing if a in self.legs and b in self.legs else 0.0

    def _never(self, a: str, b: str) -> bool:
        """Two arms, or an arm and something in a hand: in physics it would be pushed out of that hand."""
        robots, things = set(self.legs), {t for t in self.held.values() if self.table.carried(t)}
        return (a in robots and b in robots | things) or (b in robots and a in things)

    def _near(self, a: str, b: str, tolerant: bool = True) -> bool:
        """Close to the target: what the task tolerates, and what is held may meet what it is laid on."""
        if self._never(a, b):
            return False
        job = self.table.job
        if frozenset((a, b)) in self.touch or (job.tolerated(a, b) if tolerant else job.allowed(a, b)):
            return True
        things = set(self.held.values())
        return (a in things or b in things) and not {a, b} & set(self.legs)

    def _far(self, loose: bool) -> Callable[[str, str], bool]:
        """On the way: as little as possible, except contacts there are already."""
        job: Job = self.table.job
        led = {frozenset((r, t)) for r, leg in self.legs.items() if leg.line for t in leg.touch}  # a broom, say
        already = self.table.touches(self.data)

        def allowed(a: str, b: str) -> bool:
            if self._never(a, b):
                return False
            pair = frozenset((a, b))
            if pair in already or pair in led or job.allowed(a, b):
                return True
            return loose and (job.tolerated(a, b) or pair in self.touch)

        return allowed

    # -- solving --------------------------------------------------------------------------------------------------
    def part(self, stack: Stack, k: int) -> np.ndarray:
        return stack[self.ends[k] : self.ends[k + 1]]

    def solve(self, seed: int) -> Goals | Refusal:
        """Configurations for all hands, or the reason why there are none."""
        far = out_of_reach(self.table.job, self.legs)
        if far is not None:
            return far
        for attempt in range(TRIES):
            goals = self._attempt(seed_of(seed, attempt), attempt)
            if isinstance(goals, Goals):
                break
        return goals

    def _attempt(self, seed: int, attempt: int) -> Goals | Refusal:
        rng = np.random.default_rng(seed)
        ways = [np.tile(self.now, (STEPS + 1, 1)) for _ in range(2)]
        together = not attempt and self._all_known()
        for k, name in enumerate(self.names):
            leg = self.legs[name]
            if leg.stay:
                continue
            found = self._one(k, leg, None if together else ways[0][-1], rng, attempt)
            if found is None:
                return _no_posture(name, leg.at)
            for way, qs in zip(ways, found):
                way[:, self.ends[k] : self.ends[k + 1]] = qs
        if together and not self.close.free(ways[0][-1]):
            return _collision(self.close.pairs(ways[0][-1]))
        ways_once = [_moving(way) for way in ways]
        pairs = [p for way in ways_once for stack in way for p in self.near.pairs(stack)]
        if pairs:
            return _collision(pairs)
        if not all(self.near.between(a, b) for way in ways_once for a, b in pairwise(way)):
            return Refusal("last_stretch", "Collision detected: on the last stretch towards the target")
        return Goals(*ways)

    def _all_known(self) -> bool:
        """True if every arm that moves has been where it goes: then they need not be judged one by one, each with the
        others where they still are."""
        moving = [k for k, name in enumerate(self.names) if not self.legs[name].stay]
        known = [_end_of(self.legs[self.names[k]], self.arms[k].n) is not None for k in moving]
        return len(moving) > 1 and all(known)

    def _one(
        self, k: int, leg: Leg, stack: Stack | None, rng: np.random.Generator, attempt: int
    ) -> tuple[np.ndarray, np.ndarray] | None:
        """One arm's configurations, with the others where they are, or will be; without a stack, whatever they do."""
        arm = self.arms[k]
        strict = self.close if attempt < TRIES // 2 else self.near

        def accept(q: np.ndarray) -> bool:
            if stack is None:
                return True
            trial = stack.copy()
            trial[self.ends[k] : self.ends[k + 1]] = q
            return strict.clear(trial)

        start = self.part(self.now, k) if attempt < TRIES // 2 else arm.home
        known = _end_of(leg, arm.n) if not attempt else None
        start = start if known is None else known
        led = self._lead(arm, leg, rng) if leg.line and not (leg.any_way and leg.hint) else None
        if led is None and leg.line and not leg.any_way:
            return None
        if led is not None:
            self.led[arm.name] = led
            after = self._beside(arm, leg, leg.retreat, led[-1], rng)
            return None if after is None else (np.tile(led[-1], (STEPS + 1, 1)), after)
        order = list(leg.quats)
        if attempt:
            rng.shuffle(order)
        for quat in order:
            last_word = accept if attempt < TRIES - 2 else None
            at = self._ik(arm, leg.at, quat, start=start, free_yaw=leg.free_yaw, rng=rng, accept=last_word)
            if at is None:
                continue
            before = self._beside(arm, leg, leg.approach, at, rng)
            after = self._beside(arm, leg, leg.retreat, at, rng)
            if before is not None and after is not None:
                return before[::-1], after
        return None

    def _beside(self, arm: Arm, leg: Leg, offset: Xyz, at: np.ndarray, rng: np.random.Generator) -> np.ndarray | None:
        """Configurations straight away from the target by `offset`, with the same orientation."""
        ways = np.tile(at, (STEPS + 1, 1))
        if not any(offset):
            return ways
        _, quat = self.pose_at(arm, at)
        q = at
        for i in range(1, STEPS + 1):
            x, y, z = (p + d * i / STEPS for p, d in zip(leg.at, offset))
            pos = (x, y, z)
            new = self._ik(arm, pos, quat, start=q, rng=rng, tries=1)
            if new is None or float(np.abs(new - q).max()) > BIG_TURN:
                return None
            ways[i] = q = new
        return ways

    def _lead(self, arm: Arm, leg: Leg, rng: np.random.Generator) -> np.ndarray | None:
        """Configurations along straight lines from where the hand is, through the points of its line, to the target."""
        mj, model = self.table.mj, self.table.model
        q = self.data.qpos[arm.qpos].copy()
        (begin, first), last = self.pose_at(arm, q), np.array(leg.quats[0])
        corners = np.array([begin, *leg.line, leg.at])
        lengths = np.linalg.norm(np.diff(corners, axis=0), axis=1)
        total = float(lengths.sum())
        count = max(6, int(np.ceil(total / LEAD_M)))
        marks = np.concatenate(([0.0], np.cumsum(lengths)))
        if float(first @ last) < 0:
            last = -last
        found = [q]
        for share in np.arange(1, count + 1) / count:
            at = [float(np.interp(share * total, marks, corners[:, i])) for i in range(3)]
            quat = first + (last - first) * share if not leg.free_yaw else last
            quat = quat / np.linalg.norm(quat)
            new = self._ik(arm, at, quat, start=found[-1], free_yaw=leg.free_yaw, rng=rng, tries=2)
            if new is None or float(np.abs(new - found[-1]).max()) > BIG_TURN:
                return None
            found.append(new)
        mj.mj_kinematics(model, self.scratch)
        return np.array(found)

    def led_path(self, before: Stack) -> np.ndarray | None:
        """The way of all arms when some hands are led; None when none is."""
        if not self.led:
            return None
        count = max(len(v) for v in self.led.values())
        share = np.linspace(0.0, 1.0, count)[:, None]
        path = self.now + (before - self.now) * share
        for k, name in enumerate(self.names):
            if name in self.led:
                own = self.led[name]
                at = np.linspace(0.0, len(own) - 1.0, count)
                for j in range(own.shape[1]):
                    path[:, self.ends[k] + j] = np.interp(at, np.arange(len(own)), own[:, j])
        return path

    def pose_at(self, arm: Arm, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Position and quaternion of a hand when its arm is at a configuration."""
        self.scratch.qpos[arm.qpos] = q
        self.table.mj.mj_kinematics(self.table.model, self.scratch)
        return arm.pose(self.scratch)

    def hand_way(self, robot: str, knots: np.ndarray, spacing: float = 0.03) -> np.ndarray:
        """Where the hand goes when its arm follows these knots."""
        points: list[np.ndarray] = []
        for at in self.sampled(self.table.arms[robot], knots)[1]:
            if not points or float(np.linalg.norm(at - points[-1])) > spacing:
                points.append(at)
        return np.array(points)

    def sampled(self, arm: Arm, knots: np.ndarray) -> tuple[list[float], np.ndarray]:
        """Moments along knots (1.5 is half-way between the second and the third), but for the last, and where the hand
        is then  # (n, 3)"""
        moments, at = [], []
        for n, (a, b) in enumerate(pairwise(knots)):
            pieces = max(2, int(np.abs(b - a).max() / 0.08))
            moments += [n + i / pieces for i in range(pieces)]
            at += [self.pose_at(arm, a + (b - a) * i / pieces)[0] for i in range(pieces)]
        return moments, np.array(at).reshape(-1, 3)

    def at_points(self, k: int, leg: Leg, points: np.ndarray) -> list[np.ndarray]:
        """Configurations with the hand at points; those that it cannot be at are left out."""
        rng, last, found = np.random.default_rng(0), self.part(self.now, k), []
        for x, y, z in points.tolist():
            q = self._ik(self.arms[k], (x, y, z), leg.quats[0], start=last, free_yaw=True, rng=rng, tries=2)
            if q is not None:
                found.append(last := q)
        return found

    # -- way points -----------------------------------------------------------------------------------------------
    def way(self, seed: int) -> list[Stack] | Refusal:
        """Configurations at the points that a planner asked for; all robots' points of one number belong together."""
        points = {r: leg.path for r, leg in self.legs.items()}
        count = max(map(len, points.values()), default=0)
        rng = np.random.default_rng(seed)
        found: list[Stack] = []
        failed: dict[int, Refusal] = {}
        last = self.now
        for i in range(count):
            stop = self._stop(i, points, last, rng)
            if isinstance(stop, Refusal):
                failed[i + 1] = stop
                continue
            found.append(stop)
            last = stop
        if not failed:
            return found
        words = "\n".join(f"- Point {k}: {flaw.words}" for k, flaw in failed.items())
        return Refusal("waypoints", words, ("reached", tuple(failed), False))

    def _stop(
        self, i: int, points: Mapping[str, tuple[Xyz, ...]], last: Stack, rng: np.random.Generator
    ) -> Stack | Refusal:
        """All hands at their points of one number. Where they collide in the nearest posture another one is looked for;
        a base that slides has many for one point."""
        stack = last.copy()
        going = [k for k, name in enumerate(self.names) if i < len(points[name])]
        for k in going:
            name, p = self.names[k], points[self.names[k]][i]
            if not self.table.job.boxes[name].holds(p):
                return Refusal("reach", f"Out of reach: {name} {spoken(p)}", ("reaches", (name,), False), name)
            near, quat = self.part(last, k), self.legs[name].quats[0]
            q = self._ik(self.arms[k], p, quat, start=near, free_yaw=True, rng=rng, tries=6)
            if q is None:
                return _no_posture(name, p)
            stack[self.ends[k] : self.ends[k + 1]] = q
        pairs = self.far.pairs(stack)
        for k in going if pairs else ():
            if not any(self.names[k] in pair for pair in pairs):
                continue
            q = self._aside(k, points[self.names[k]][i], self.part(last, k), self._freed(k, stack), rng)
            if q is not None:
                stack[self.ends[k] : self.ends[k + 1]] = q
        return _collision(pairs) if pairs and self.far.pairs(stack) else stack

    def _aside(
        self, k: int, at: Xyz, last: np.ndarray, free: Callable[[np.ndarray], bool], rng: np.random.Generator
    ) -> np.ndarray | None:
        """A free posture with the hand at a point: with the base a little to either side, else any."""
        arm, quat = self.arms[k], self.legs[self.names[k]].quats[0]
        for shift, tries in (*((s, 1) for s in ASIDE_M), (0.0, 6)):
            start = last + shift * arm.slides
            q = self._ik(arm, at, quat, start=start, free_yaw=True, rng=rng, accept=free, tries=tries)
            if q is not None:
                return q
        return None

    def _freed(self, k: int, stack: Stack) -> Callable[[np.ndarray], bool]:
        """A test that an arm touches nothing in a posture; what the others touch does not matter."""

        def free(q: np.ndarray) -> bool:
            trial = stack.copy()
            trial[self.ends[k] : self.ends[k + 1]] = q
            return not any(self.names[k] in pair for pair in self.far.pairs(trial))

        return free

    def free_path(self, stacks: Sequence[Stack] | np.ndarray) -> bool:
        """True if straight lines from each of these to the next are free."""
        return all(map(self.far.free, stacks)) and all(self.far.between(a, b) for a, b in pairwise(stacks))


def _moving(way: np.ndarray) -> np.ndarray:
    """A stretch without the configurations that only repeat the one before them."""
    again = (way[1:] == way[:-1]).all(axis=1)
    return way[np.concatenate(([True], ~again))]


def _no_posture(robot: str, at: Xyz) -> Refusal:
    return Refusal("posture", f"IK failed: on {robot} {spoken(at)}", ("posture", (robot,), None), robot)


def _collision(pairs: Iterable[Iterable[str]]) -> Refusal:
    named = sorted({"-".join(sorted(p)) for p in pairs})
    words = f"Collision detected: collided object pairs: {', '.join(named)}"
    return Refusal("collision", words, ("collide", tuple(named), True))


def _end_of(leg: Leg, joints: int) -> np.ndarray | None:
    """Where a motion that served before ended, as joint values: the place to begin when a posture is looked for."""
    rows = leg.hint.get("knots") or leg.hint.get("old") if isinstance(leg.hint, dict) else None
    last = np.asarray(rows[-1], dtype=float) if rows else np.empty(0)
    return last if last.shape == (joints,) and np.isfinite(last).all() else None
