"""Grasps and doors in MuJoCo (`--physics`): a hand of two pads lifts a thing by friction, a body pushes a door leaf.

Each trial is a model of what is near, made of the house as it is at that moment (`coterie.houses.mjcf`): it depends on
the state of the world and on nothing else. The world takes over where things have come to rest, and upright.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple
from xml.etree import ElementTree as Xml

import numpy as np

from coterie.core.action import Action, Cause
from coterie.core.card import PERSON
from coterie.core.judge import Flaw
from coterie.houses.mjcf import OPEN_DEG, front_deg, is_hollow, leaf_deg, to_mjcf
from coterie.houses.model import FLOOR, Door, Furniture, House, Point, Thing
from coterie.motion import polygons
from coterie.motion.needs import mujoco
from coterie.worlds.household.bodies import RESIDENT
from coterie.worlds.household.fluents import AHEAD, stepped
from coterie.worlds.household.perception import Lying, Standing
from coterie.worlds.household.perception.observing import Observing
from coterie.worlds.household.truth import Truth

NEAR_M = 1.0  # around a hand: so far furniture and things are part of a trial
FRICTION, GRAVITY = 0.8, 9.81  # of pads and things, as in the exported house; [m/s^2]
GRIP = 1.5  # times the force that holds a thing at rest: as firm as a robot grips its payload, which is its most
FIRM, LEAST_N = 2.0, 5.0  # times that, and how firm it grips what is lighter
PAD_M = (0.025, 0.006, 0.03)  # half the size of a pad
GAP_M, SHUT_M = 0.015, 0.05  # between a thing and each pad, and how far the hand means to close a pad
CLOSE_S, LIFT_S, PULL_S, FALL_S = 0.4, 0.4, 0.8, 1.2
LIFT_M, PULL_M = 0.2, 0.35  # up, and out towards the robot
SLIPPED_M = 0.06  # from where a thing was in the hand
MOVED_M = 0.03  # from where a thing lay before it was touched
ON_M = 0.06  # above or below a surface: a thing lies on it
PUSH_N, PUSH_S = 60.0, 1.0  # of a robot against a door leaf, and how long a step takes
REACHED_M = 0.12  # from where a step leads: a robot may have slid along a leaf
SWING_DEG = 175.0  # to which a leaf is pushed, to either side
BODY_HALF_M, CLEAR_M = 0.45, 0.02  # of a robot: half its height, and its distance from the floor

HAND = """<body name="hand" pos="{pos}" euler="0 0 {yaw:.5g}" gravcomp="1">
<joint name="hand_x" type="slide" axis="1 0 0" damping="200"/><joint name="hand_z" type="slide" damping="200"/>
<inertial pos="0 0 0" mass="2" diaginertia="0.02 0.02 0.02"/>{pads}</body></worldbody>
<equality><joint joint1="pad_1" joint2="pad_2" polycoef="0 1 0 0 0"/></equality>
<actuator><position joint="hand_x" kp="4000"/><position joint="hand_z" kp="4000"/>
<position joint="pad_1" kp="10000" forcerange="-{force:.5g} {force:.5g}"/></actuator>"""
PAD = """<body name="pad_{n}_body" pos="0 {y:.5g} 0" gravcomp="1">
<joint name="pad_{n}" type="slide" axis="0 {way} 0" damping="{damping:.5g}"/>
<geom type="box" size="{size}" mass="0.1" rgba="0.8 0.3 0.2 1" contype="0"
conaffinity="1"/></body>"""
PUSHER = """<body name="pusher" pos="{x:.5g} {y:.5g} {z:.5g}" gravcomp="1">
<joint name="push_x" type="slide" axis="1 0 0" damping="60"/>
<joint name="push_y" type="slide" axis="0 1 0" damping="60"/>
<geom name="pusher" type="capsule" size="{r:.5g} {h:.5g}" mass="20" rgba="0.8 0.3 0.2 1" contype="0"
conaffinity="0"/></body>
</worldbody><contact><pair geom1="{leaf}_leaf" geom2="pusher" condim="3" friction="0.1 0.1 0.01 0.01 0.01"/></contact>
<actuator><position joint="push_x" kp="2000" forcerange="-{n} {n}"/>
<position joint="push_y" kp="2000" forcerange="-{n} {n}"/></actuator>"""


class Grasp(NamedTuple):
    held: bool
    moved: dict[str, Lying]  # things that were touched and lie elsewhere now


class Push(NamedTuple):
    through: bool
    angle_deg: float  # of the leaf, from how it hung at first
    behind: str  # what the leaf was stopped by, if it is known
    moved: dict[str, Lying]


class Physics:
    """What MuJoCo says of the actions of robots, and the state of the world after them."""

    def __init__(self, truth: Truth, observing: Observing):
        self.truth, self.observing = truth, observing
        self.doors = [d for d in truth.house.doors if d.open and d.swings]
        self.leaves = {d.name: leaf_deg(d, truth.house) for d in self.doors}

    def flaw(self, robot: str, action: Action) -> Flaw | None:
        """Try an action for which everything is given. Return why it fails."""
        if action.skill == "PickUp" and self.truth.cards[robot].body not in (PERSON, RESIDENT):
            return self._grasp(robot, action.args[0])
        way = action.skill.removeprefix("Move").lower()
        return self._step(robot, way) if way in AHEAD else None

    def _now(self) -> House:
        """The house with things where they lie now."""
        lying = ((t, self.truth.scene.lying(t.name)) for t in self.truth.house.things)
        things = tuple(replace(t, on=at.on, spot=at.spot) for t, at in lying if at is not None)
        return replace(self.truth.house, things=things)

    def _moved(self, moved: dict[str, Lying], handled: str = "") -> None:
        for thing, now in moved.items():
            before = self.truth.scene.lying(thing)
            if before is not None:
                self.observing.leave(thing, before.on, before.spot)
            self.truth.set(("where", thing), now.on)
            self.truth.set(("spot", thing), now.spot)
            if thing != handled:
                self.truth.set(("knocked", thing), True)

    def _grasp(self, robot: str, thing: str) -> Flaw | None:
        x, y, heading, _ = self.truth.facts["pose", robot]
        tried = grasp(self._now(), thing, (x, y), self.truth.cards[robot].payload_kg)
        self._moved(tried.moved, thing)
        if tried.held:
            return None
        before = self.truth.facts.get(("slipped", thing), ())
        self.truth.set(("slipped", thing), (*before, (x, y, heading)))
        return Flaw(f"{thing} slipped out of {robot}'s hand.", Cause("slipped", ("slipped", (thing,), True), "during"))

    def _step(self, robot: str, where: str) -> Flaw | None:
        truth, body = self.truth, self.truth.standing[robot]
        to = stepped(truth.facts["pose", robot], where, truth.steps)[:2]
        for door in self.doors:
            if polygons.to_segment(door.a, (body.x, body.y), to) > door.width_m + body.radius_m:
                continue
            angle = truth.facts.get(("angle", door.name), 0.0)
            turn, side = self.leaves[door.name]
            at = math.radians(turn + side * OPEN_DEG + angle)
            tip = (door.a[0] + door.width_m * math.cos(at), door.a[1] + door.width_m * math.sin(at))
            way = [(body.x + (to[0] - body.x) * k / 4, body.y + (to[1] - body.y) * k / 4) for k in range(5)]
            if min(polygons.to_segment(p, door.a, tip) for p in way) > body.radius_m + CLEAR_M:
                continue
            tried = push(self._now(), door, angle, body, to)
            self._moved(tried.moved)
            truth.set(("angle", door.name), tried.angle_deg)
            if not tried.through:
                words = f"{robot} cannot push {door.name} open: {tried.behind or 'something'} is behind it."
                return Flaw(words, Cause("blocked", ("angle", (door.name,), tried.angle_deg), "during"))
        return None


class Trial:
    """A model of a part of a house, and what is touched in it by what moves."""

    def __init__(self, part: House, text: str, more: str, *own: str):
        self.part, self.mj = part, mujoco()
        self.model = self.mj.MjModel.from_xml_string(text.replace("</worldbody>", more))
        self.model.geom("floor").contype = 0  # hands reach what lies there
        self.data = self.mj.MjData(self.model)
        self.mj.mj_forward(self.model, self.data)
        self.bodies = {t.name: self.model.body(t.name).id for t in part.things}
        self.begun = self.data.xpos.copy()
        self.touched = np.zeros(self.model.nbody, bool)
        self.touched[[self.model.body(n).id for n in own]] = True
        self.moving = self.touched.copy()
        self.moving[[*self.bodies.values()]] = True

    def run(self, seconds: float, control: Callable[[float], Sequence[float]]) -> None:
        steps = round(seconds / self.model.opt.timestep)
        for k in range(steps):
            self.data.ctrl[:] = control((k + 1) / steps)
            self.mj.mj_step(self.model, self.data)
            if self.data.ncon:
                pairs = self.model.geom_bodyid[self.data.contact.geom]
                self.touched[pairs[self.touched[pairs].any(1)]] = True
                self.touched &= self.moving

    def moved(self, but: str = "") -> dict[str, Lying]:
        """Where things lie that were touched and are elsewhere now."""
        gone = np.linalg.norm(self.data.xpos - self.begun, axis=1) > MOVED_M
        some = [(n, b) for n, b in self.bodies.items() if self.touched[b] and gone[b] and n != but]
        return {name: self._lying(body) for name, body in some}

    def _lying(self, body: int) -> Lying:
        """The piece that a body has come to rest on, or the floor."""
        x, y, z = (round(v, 3) for v in self.data.xpos[body].tolist())
        geom = self.model.body_geomadr[body]
        half = np.abs(self.data.geom_xmat[geom].reshape(3, 3)[2]) @ self.model.geom_size[geom]
        for f in self.part.furniture:
            if f.receptacle and abs(z - half - f.surface_m) < ON_M and polygons.contains(f.corners, (x, y)):
                return Lying(f.name, (x, y, round(f.surface_m, 3)))
        return Lying(FLOOR, (x, y, 0.0))


# -- a grasp ----------------------------------------------------------------------------------------------------------
def grasp(house: House, thing: str, at: Point, payload_kg: float) -> Grasp:
    """Grip a thing, lift it and pull it out. The hand comes from where a robot stands, or from the front of a
    compartment, and turns to the nearest side of the thing."""
    what = house.thing[thing]
    part = _around(house, what.spot[:2], NEAR_M)
    part = replace(part, furniture=tuple(f for f in part.furniture if not _within(what, f)))
    text = to_mjcf(part).xml
    box = next(b for b in Xml.fromstring(text).iter("body") if b.get("name") == thing)
    w, d, h = (float(v) for v in box[1].get("size", "").split())
    on, lies = house.piece.get(what.on), float(box.get("euler", "").split()[2])
    yaw = math.degrees(math.atan2(what.spot[1] - at[1], what.spot[0] - at[0]))
    if on is not None and is_hollow(on):
        yaw = on.yaw_deg + front_deg(on, house) + 90.0
    sides = round((yaw - lies) / 90.0)
    out = (w if sides % 2 else d) + GAP_M + PAD_M[1]
    size = f"{PAD_M[0]} {PAD_M[1]} {min(PAD_M[2], 0.9 * h):.5g}"
    most, needed = (kg * GRAVITY * GRIP / FRICTION for kg in (payload_kg, what.mass_kg))
    force = min(most, max(LEAST_N, FIRM * needed))  # of both pads, which one motor closes
    pads = "".join(PAD.format(n=n, y=-way * out, way=way, size=size, damping=2 * force) for n, way in ((1, 1), (2, -1)))
    own = ("hand", "pad_1_body", "pad_2_body")
    hand = HAND.format(pos=box.get("pos"), yaw=lies + 90.0 * sides, pads=pads, force=force)
    trial = Trial(part, text, hand, *own)
    lift = _headroom(trial, thing, h)
    trial.run(CLOSE_S, lambda t: (0.0, 0.0, SHUT_M * t))
    in_hand = trial.data.body(thing).xpos - trial.data.body("hand").xpos
    trial.run(LIFT_S, lambda t: (0.0, lift * _smooth(t), SHUT_M))
    trial.run(PULL_S, lambda t: (-PULL_M * _smooth(t), lift, SHUT_M))
    held = np.linalg.norm(trial.data.body(thing).xpos - trial.data.body("hand").xpos - in_hand) < SLIPPED_M
    if not held:
        trial.run(FALL_S, lambda t: (-PULL_M, lift, 0.0))
    return Grasp(bool(held), trial.moved(but=thing if held else ""))


def _smooth(t: float) -> float:
    """From 0 to 1 without a jerk."""
    return t - math.sin(2 * math.pi * t) / (2 * math.pi)


def _headroom(trial: Trial, thing: str, half: float) -> float:
    """How far a thing is lifted: less where there is a board above."""
    top, up = trial.data.body(thing).xpos + np.array((0.0, 0.0, half)), np.array((0.0, 0.0, 1.0))
    far = trial.mj.mj_ray(trial.model, trial.data, top, up, None, 1, trial.bodies[thing], np.zeros(1, np.int32))
    return LIFT_M if far < 0 else min(LIFT_M, far / 2)


def _around(house: House, at: Point, far: float, doors: tuple[Door, ...] = ()) -> House:
    """What is around a point, with compartments open; with doors, whose leaves pass furniture, no things on it."""
    pieces = tuple(replace(f, open=not doors or f.open) for f in house.furniture if _gap(f, at) < far)
    names = {FLOOR, *(() if doors else (f.name for f in pieces))}
    things = tuple(t for t in house.things if t.on in names and math.dist(t.spot[:2], at) < far)
    walls = tuple(w for w in house.walls if polygons.to_segment(at, w.a, w.b) < far)
    return replace(house, furniture=pieces, things=things, walls=walls, doors=doors)


def _within(thing: Thing, f: Furniture) -> bool:
    """True if the box of a thing, which is larger than the thing, reaches into a piece that it does not lie on."""
    z = thing.spot[2]
    beside = z >= f.top_m or z + thing.size[2] <= f.base_m or _gap(f, thing.spot[:2]) > max(thing.size[:2]) / 2
    return f.name != thing.on and not beside


def _gap(f: Furniture, at: Point) -> float:
    x0, y0, x1, y1 = f.rect
    return math.hypot(max(x0 - at[0], 0.0, at[0] - x1), max(y0 - at[1], 0.0, at[1] - y1))


# -- a door -----------------------------------------------------------------------------------------------------------
def push(house: House, door: Door, angle_deg: float, body: Standing, to: Point) -> Push:
    """Let a robot take a step against a door leaf, which may have things behind it."""
    far = door.width_m + 2 * body.radius_m + 0.3
    part = _around(house, door.a, far, (door,))
    half = {"z": BODY_HALF_M + CLEAR_M, "h": BODY_HALF_M}
    pusher = PUSHER.format(x=body.x, y=body.y, r=body.radius_m, n=PUSH_N, leaf=door.name, **half)
    trial = Trial(part, to_mjcf(part).xml, pusher, "pusher", door.name)
    hinge = trial.model.joint(f"{door.name}_hinge")
    _, side = leaf_deg(door, house)
    closed = -side * OPEN_DEG  # angles count from how the leaf hung at first
    hinge.range[:] = np.radians(sorted((closed - SWING_DEG, closed + SWING_DEG)))
    trial.data.joint(hinge.id).qpos[:] = math.radians(angle_deg)
    dx, dy = to[0] - body.x, to[1] - body.y
    trial.run(PUSH_S, lambda t: (dx * _smooth(t), dy * _smooth(t)))
    trial.run(PUSH_S / 2, lambda t: (dx, dy))
    through = math.dist(trial.data.body("pusher").xpos[:2].tolist(), to) < REACHED_M
    angle = round(math.degrees(float(trial.data.joint(hinge.id).qpos[0])), 1)
    return Push(through, angle, "" if through else _behind(trial, door.name), trial.moved())


def _behind(trial: Trial, leaf: str) -> str:
    """A thing that a leaf touches."""
    own = trial.model.body(leaf).id
    for pair in trial.model.geom_bodyid[trial.data.contact.geom].tolist():
        name = trial.model.body(pair[pair[0] == own]).name
        if own in pair and name not in ("pusher", "world"):
            return str(name)
    return ""
