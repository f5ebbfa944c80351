"""One round: all arms check, plan and move together. A motion that fails rewinds the round."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from coterie.core.action import NOT_ASKED, Action
from coterie.core.seeds import seed_of
from coterie.motion.collision import Carried
from coterie.motion.plan import Path, follow
from coterie.worlds.tabletop.arms import grips
from coterie.worlds.tabletop.arms.checks import expand, unevenness, wording
from coterie.worlds.tabletop.arms.paths import LED, NO_WAY, bound_to_line, home_way, transit
from coterie.worlds.tabletop.arms.reaching import Goals, Reaching, Stack
from coterie.worlds.tabletop.job import STAY, Leg, Refusal, distance
from coterie.worlds.tabletop.noise import Luck
from coterie.worlds.tabletop.table import Diverged, Table

TICK_S = 0.02  # how often arms that settle are looked at
FRAME_S = 0.25  # and pictures are taken this often
SETTLE_S = 0.6  # at most, at the end of a motion
CLOSE = 0.002  # a joint this close to its target has arrived [rad or m]
ARRIVED_M = 0.015  # a hand farther from its target than this neither grasps nor lets go
CARRYING = 0.6  # share of speed and push while fingers hold something by friction
SPEED, PUSH = 1.6, 5.0  # of joints [rad/s, rad/s^2]; a base on its rail is as quick in m
KEPT = 8  # first legs whose postures are kept from their check to their round
Legs = dict[str, list[Leg]]


@dataclass
class Round:
    """The result of a round."""

    failure: Refusal | None = None
    motions: dict[str, list[Any]] = field(default_factory=dict)  # robot -> knots of each leg
    how: list[str] = field(default_factory=list)  # for each leg: how its way was found
    frames: list[tuple[float, list[float]]] = field(default_factory=list)
    seconds: float = 0.0  # simulated
    accidents: dict[str, Refusal] = field(default_factory=dict)  # robot -> what went wrong; the state stays as it is


class Rounds:
    """Checks and carries out joint actions on a table. Counts the wall time that planning took."""

    def __init__(self, table: Table, seed: int):
        self.table, self.seed = table, seed
        self.number = 0
        self.planning_s = 0.0
        self.planning_cpu_s = 0.0  # the same in processor time
        self._began = 0.0
        self._checked: dict[Any, Refusal | None] = {}  # (round, joint action) -> what was found
        self._joint: Mapping[str, Action] = {}
        self._solved: list[tuple[Mapping[str, Leg], Goals, dict[str, np.ndarray]]] = []  # of first legs that passed
        self.luck: Luck | None = None  # what goes wrong in the next round, if something may

    # -- checking -------------------------------------------------------------------------------------------------
    def check(self, joint: Mapping[str, Action]) -> Refusal | None:
        """Why this joint action cannot be carried out; None when nothing speaks against it."""
        key = _key(self.number, joint)
        with self._planning():
            if key is None:
                return self._check(joint)
            if key not in self._checked:  # robots that plan together all ask about the same plan
                self._checked[key] = self._check(joint)
            return self._checked[key]

    @contextlib.contextmanager
    def _planning(self) -> Iterator[None]:
        """Count the time spent in here as planning, on both clocks."""
        wall, cpu = time.perf_counter(), time.process_time()
        try:
            yield
        finally:
            self.planning_s += time.perf_counter() - wall
            self.planning_cpu_s += time.process_time() - cpu

    def forget(self) -> None:
        """The scene is another one now: what was checked in the old one says nothing."""
        self._checked.clear()
        self._solved = []

    def _check(self, joint: Mapping[str, Action]) -> Refusal | None:
        wrong = wording(self.table, joint)
        if wrong is not None:
            return wrong.said("Parsing failed, ", ".")
        wrong = self.table.job.rules(self.table, joint)
        if wrong is not None:
            return wrong.said("Task Constraints failed, ", ".")
        legs = expand(self.table, joint)
        if isinstance(legs, Refusal):
            return legs.said("Parsing failed, ", ".")
        return self._imagine(legs)

    def _imagine(self, legs: Legs) -> Refusal | None:
        """Go through the legs on a copy of the scene, without physics."""
        data = self.table.spare.blank()
        try:
            return self._gone_through(legs, data)
        finally:
            self.table.spare.back(data)

    def _gone_through(self, legs: Legs, data: Any) -> Refusal | None:
        data.qpos[:] = self.table.data.qpos
        self.table.mj.mj_forward(self.table.model, data)
        held = dict(self.table.held)
        for k in range(_count(legs)):
            now = {r: v[k] for r, v in legs.items()}
            reaching = Reaching(self.table, data, held, now)
            goals = reaching.solve(seed_of(self.seed, self.number, k))
            if isinstance(goals, Refusal):
                return _of_goal(now, goals)
            if not k:  # the first leg will begin where the arms are now: its postures need not be looked for again
                self._solved = [(now, goals, reaching.led), *self._solved[: KEPT - 1]]
            if any(leg.path for leg in now.values()):
                way = reaching.way(seed_of(self.seed, self.number, k, "path"))
                if isinstance(way, Refusal):
                    return way.said("Waypoints failed:\n")
                uneven = [unevenness(self.table.job, r, self.table.ee(r), leg) for r, leg in now.items()]
                wrong = next(filter(None, uneven), None)
                if wrong is not None:
                    return wrong.said("", ".")
            for stack in (goals.at, goals.retreat[-1]):
                held = _carried(self.table, data, held, now, reaching, stack, grip=stack is goals.at)
        return None

    # -- moving ---------------------------------------------------------------------------------------------------
    def run(self, joint: Mapping[str, Action]) -> Round:
        """Carry out a joint action that passed its check; the state is as before when it fails."""
        done = Round(motions={r: [] for r in joint})
        self._joint = joint
        saved = self.table.save()
        self._began = float(self.table.data.time)
        legs = expand(self.table, joint)
        if self.luck is not None and not isinstance(legs, Refusal):
            legs = self.luck.perturbed(legs)
        try:
            if isinstance(legs, Refusal):
                done.failure = legs.said("Parsing failed, ", ".")
            else:
                done.failure = self._legs(legs, done)
                if done.failure is None:
                    self._home(legs, joint, done)
        except Diverged as err:
            done.failure = Refusal("physics", f"Failed to execute: {err}.", moment="during")
        if done.failure is not None:
            self.table.load(saved)
        done.seconds = float(self.table.data.time) - self._began
        self.number += 1
        self.forget()
        return done

    def _legs(self, legs: Legs, done: Round) -> Refusal | None:
        for k in range(_count(legs)):
            now = {r: v[k] for r, v in legs.items()}
            failure = self._leg(now, k, done)
            if failure is not None:
                return failure.at("during") if k else failure  # the first is planned before anything moves
        return None

    def _leg(self, legs: Mapping[str, Leg], k: int, done: Round) -> Refusal | None:
        grips.open_all(self.table, [r for r, leg in legs.items() if leg.grasp], lambda n: self._steps(n, done))
        with self._planning():
            reaching, goals, path = self._way_of(legs, k)
        if isinstance(path, Refusal) or not isinstance(goals, Goals):
            return path if isinstance(path, Refusal) else NO_WAY
        done.how.append(path.how)
        for i, robot in enumerate(reaching.names):
            if not legs[robot].stay:
                how = LED if bound_to_line(legs[robot]) else path.how
                done.motions[robot].append(self._kept(i, path.knots, legs[robot], reaching, how))
        slow = min((leg.slow for leg in legs.values() if not leg.stay), default=1.0)
        even = len(path.knots) if path.even is None else path.even
        pace = self._pace()
        self._drive(path.knots[: even + 1], done, pace)
        self._drive(path.knots[even:], done, slow * pace, smooth=True)
        self._drive(goals.approach, done, slow * pace)
        done.accidents |= grips.lost(self.table)
        failure = self._grip(legs, done)
        if failure is None:
            self._drive(goals.retreat, done, slow * self._pace())
            done.accidents |= grips.lost(self.table)
        return failure

    def _way_of(self, legs: Mapping[str, Leg], k: int) -> tuple[Reaching, Goals | Refusal, Path | Refusal]:
        """Postures at the target and a way to them; for want of a better one, along what the task tolerates."""
        path: Path | Refusal = NO_WAY
        for loose in (False, True):
            reaching = Reaching(self.table, self.table.data, self.table.held, legs, loose)
            known = next((s for s in self._solved if s[0] == legs), None) if not k and not loose else None
            goals = reaching.solve(seed_of(self.seed, self.number, k)) if known is None else known[1]
            if isinstance(goals, Refusal):
                path = _of_goal(legs, goals)
                continue
            if known is not None:
                reaching.led = dict(known[2])
            seed = seed_of(self.seed, self.number, k, "path")
            path = transit(reaching, goals.before, seed)
            if isinstance(path, Path):
                break
        return reaching, goals, path

    def _kept(self, k: int, whole: np.ndarray, leg: Leg | None, reaching: Reaching, how: str) -> dict[str, Any]:
        """The motion of one arm for the log: its knots, the path of its hand, from what to what; without a leg it goes
        home."""
        robot, knots = reaching.names[k], whole[:, reaching.ends[k] : reaching.ends[k + 1]]
        args, way = self._joint[robot].args, reaching.hand_way(robot, knots)
        end = reaching.pose_at(reaching.arms[k], knots[-1])[0] if leg is None else leg.at
        return {
            "knots": np.round(knots, 4).tolist(),
            "ee": np.round([*way, end], 3).tolist(),
            "toward": "" if leg is None else leg.grasp or (str(args[-1]) if args else ""),
            "holds": "" if leg is None else self.table.held.get(robot, ""),
            "how": how,
        }

    def _home(self, legs: Legs, joint: Mapping[str, Action], done: Round) -> None:
        """Hands that are finished go home; one that cannot stays where it is."""
        going = [r for r, a in joint.items() if self.table.job.homing(a)]
        if not going:
            return
        known = {r: _after(joint[r].motion, sum(not leg.stay for leg in legs[r])) for r in going}
        ways = {r: replace(STAY, hint=known[r], stay=False) if known.get(r) else STAY for r in self.table.arms}
        with self._planning():
            reaching, path = self._way_home(ways, going)
        if path is None:
            return
        done.how.append(path.how)
        for i, robot in enumerate(reaching.names):
            if robot in going:
                done.motions[robot].append(self._kept(i, path.knots, None, reaching, path.how))
        self._drive(path.knots, done, self._pace())

    def _pace(self) -> float:
        """Share of the usual speed: arms are slower while fingers hold something, which could slide out."""
        return CARRYING if any(self.table.by_friction(r, t) for r, t in self.table.held.items()) else 1.0

    def _way_home(self, ways: Mapping[str, Leg], going: Sequence[str]) -> tuple[Reaching, Path | None]:
        for loose in (False, True):
            reaching = Reaching(self.table, self.table.data, self.table.held, ways, loose)
            goal = reaching.now.copy()
            for i, robot in enumerate(reaching.names):
                if robot in going:
                    goal[reaching.ends[i] : reaching.ends[i + 1]] = self.table.arms[robot].home
            path = home_way(reaching, goal, seed_of(self.seed, self.number, "home"))
            if path is not None:
                break
        return reaching, path

    def _drive(self, knots: np.ndarray, done: Round, slow: float = 1.0, smooth: bool = False) -> None:
        """Move the servos along a path, a target every step of the physics, and let the arms settle at its end."""
        table = self.table
        if len(knots) < 2 or not np.any(np.abs(np.diff(knots, axis=0)) > 1e-9):
            return
        servos = np.concatenate([a.act for a in table.arms.values()])
        joints = np.concatenate([a.qpos for a in table.arms.values()])
        dt = float(table.model.opt.timestep)
        timed = flow if smooth else follow
        most = np.concatenate([a.speed for a in table.arms.values()])  # of their makers
        speed = SPEED if (most >= SPEED).all() else np.minimum(most, SPEED)
        for q in timed(knots, dt, speed * slow, PUSH * slow):
            table.data.ctrl[servos] = q
            self._steps(1, done)
        target = knots[-1]
        table.data.ctrl[servos] = target
        ticks = max(1, round(TICK_S / dt))
        for _ in range(round(SETTLE_S / TICK_S)):
            if float(np.abs(table.data.qpos[joints] - target).max()) < CLOSE:
                break
            self._steps(ticks, done)

    def _steps(self, n: int, done: Round) -> None:
        self.table.step(n)
        t = float(self.table.data.time) - self._began
        if not done.frames or t - done.frames[-1][0] >= FRAME_S:
            done.frames.append((round(t, 3), [round(float(v), 4) for v in self.table.data.qpos]))

    def _grip(self, legs: Mapping[str, Leg], done: Round) -> Refusal | None:
        for robot, leg in legs.items():
            what = leg.grasp or leg.release
            off = distance(self.table.ee(robot), leg.at) if what else 0.0
            if off > ARRIVED_M:
                where = what if leg.grasp else f"where it was to let go of {what}"
                words = f"Failed to execute: the hand of {robot} ended {off:.2f} m from {where}."
                return Refusal("grasp", words, ("off", (robot, what), round(off, 2)), robot, "during")
        wanted = {r: leg.grasp for r, leg in legs.items() if leg.grasp}
        unlucky = self._missed(legs)
        missed = self._shared(grips.close(self.table, wanted, lambda n: self._steps(n, done)) | unlucky, wanted)
        done.accidents |= missed
        for robot, leg in legs.items():
            if leg.grasp and robot not in missed:
                self.table.grasp(robot, leg.grasp)
            elif leg.grasp:
                self.table.arms[robot].grip(self.table.data, 0.0)
            if leg.release:
                self.table.release(robot)
        if any(leg.grasp or leg.release for leg in legs.values()):
            self.table.step(60 if any(leg.release for leg in legs.values()) else 20)
        return None

    def _missed(self, legs: Mapping[str, Leg]) -> dict[str, Refusal]:
        """Hands that do not hold what they went for, by bad luck."""
        if self.luck is None:
            return {}
        found = {r: self.luck.grasp(r, leg.grasp) for r, leg in legs.items() if leg.grasp}
        return self._shared({r: why for r, why in found.items() if why is not None}, found)

    def _shared(self, missed: dict[str, Refusal], wanted: Mapping[str, Any]) -> dict[str, Refusal]:
        """A thing that takes all arms is held by none when one of them has missed it."""
        if not missed or not self.table.job.all_or_none:
            return missed
        first = next(iter(missed.values()))
        return {r: missed.get(r) or replace(first, robot=r) for r in wanted}


def flow(knots: np.ndarray, tick: float, speed: float | np.ndarray, push: float) -> np.ndarray:
    """Servo targets along dense knots without a stop at each: slow at both ends only."""
    step = np.abs(np.diff(knots, axis=0)).max(axis=1)
    marks = np.concatenate(([0.0], np.cumsum(np.maximum(step, 1e-6))))
    total = float(marks[-1])
    seconds = max(1.875 * total / float(np.min(speed)), float(np.sqrt(5.7736 * total / push)))
    count = max(2, int(np.ceil(seconds / tick)))
    u = np.arange(1, count + 1) / count
    s = total * u**3 * (10 - 15 * u + 6 * u * u)
    return np.stack([np.interp(s, marks, knots[:, j]) for j in range(knots.shape[1])], axis=1)


def _key(number: int, joint: Mapping[str, Action]) -> Any:
    """By what a check is remembered. What a motion that came along is like matters only on a way through points."""
    told = ((r, a.skill, a.args, a.path, a.motion is not None, a.origin == NOT_ASKED) for r, a in joint.items())
    key = (number, tuple(told))
    try:
        hash(key)
    except TypeError:  # arguments that are no names: the check will say so
        return None
    hinted_way = any(a.path for a in joint.values()) and any(a.motion is not None for a in joint.values())
    return None if hinted_way else key


def _after(motion: Any, number: int) -> Any:
    """The hint for the path home: it comes after those of the legs."""
    return motion[number] if motion and number < len(motion) else None


def _count(legs: Legs) -> int:
    return max(len(v) for v in legs.values())


def _of_goal(legs: Mapping[str, Leg], refusal: Refusal) -> Refusal:
    where = "; ".join(f"{r} ({', '.join(f'{v:.2f}' for v in leg.at)})" for r, leg in legs.items() if not leg.stay)
    return refusal.said(f"- Goal Step {where}: ")


def _carried(
    table: Table, data: Any, held: dict[str, str], legs: Mapping[str, Leg], reaching: Reaching, stack: Stack, grip: bool
) -> dict[str, str]:
    """Set the arms of an imagined scene, things in hand with them; at the target, hands close or open."""
    mj, model = table.mj, table.model
    carried = []
    for robot, thing in held.items():
        if table.carried(thing):
            body = table.body(thing)
            address = int(model.jnt_qposadr[int(model.body_jntadr[body])])
            carried.append(Carried(data, table.arms[robot].hand, body, address))
    for i, name in enumerate(reaching.names):
        data.qpos[table.arms[name].qpos] = reaching.part(stack, i)
    mj.mj_kinematics(model, data)
    for thing_in_hand in carried:
        thing_in_hand.place()
    mj.mj_forward(model, data)
    if not grip:
        return held
    after = {r: t for r, t in held.items() if not legs[r].release}
    return {**after, **{r: leg.grasp for r, leg in legs.items() if leg.grasp}}
