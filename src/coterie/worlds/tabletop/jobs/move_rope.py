"""Move Rope: two arms carry a rope over a wall, one at each end, and lay it into a groove.

Hands hold the ends as a ball joint would, so the rope turns freely in them. They must not go farther apart than the
rope is long, which planning is told; the rope itself may touch whatever it likes and is left out of collision checks.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import permutations
from random import Random
from typing import Any

from coterie.core.action import NOT_ASKED, Action
from coterie.core.task import Progress
from coterie.motion.needs import mujoco
from coterie.worlds.tabletop.build import TABLE_AT, TABLE_HALF, Rgba, box, loose
from coterie.worlds.tabletop.job import (
    PINCHED,
    TABLE_TOP,
    Job,
    Layout,
    Leg,
    Need,
    Pose,
    Refusal,
    Tether,
    Xyz,
    above,
    distance,
    flat_distance,
    spoken,
)

ROPE, FRONT, BACK = "rope", "rope_front_end", "rope_back_end"
ENDS = (FRONT, BACK)
LINKS, PITCH, RADIUS = 25, 0.03, 0.01
LENGTH = (LINKS - 1) * PITCH
EDGE = 0.03  # ends start at least so far from the table's edge
LINK_KG = 0.01
GROOVE, BOTTOM = "groove", "groove_bottom"
GROOVE_AT: Xyz = (0.6, 0.5, 0.16)
GROOVE_TOP = GROOVE_AT[2] + 0.03  # the upper side of its bottom
PLACES: dict[str, Xyz] = {"groove_left_end": (0.2, 0.5, 0.36), "groove_right_end": (1.0, 0.5, 0.36)}
SPOTS = {"groove_left_end": 0.26, "groove_right_end": 0.94}  # x: the groove's ends are farther apart than the rope's
NEAR = 0.2  # an end this close to a groove's end lies there
WALL, WALL_HALF = "obstacle_wall", (0.03, 0.3, 0.08)
CORNERS = {"obstacle_wall_front_top": -0.3, "obstacle_wall_back_top": 0.3}
CORNER_UP = 0.25
KEEP_OFF = 0.1  # hands and what hangs from them pass the wall at this distance
GRASP = 0.1  # above an end, where planners are told that it is
PINCH = RADIUS + 0.012  # finger tips close on the rope from above
LIFT_Z = 0.52  # ends are lifted so that hands are here
SOFT = 0.01
LEAST_REST, MOST_REST, AT_REST = 6, 30, 0.05  # stretches of 50 steps; joint speeds of a rope at rest [m/s, rad/s]
LOW, TOP = 0.25, 0.55
TUGGED = 0.04  # [m] along y by which the ends of a rope that was tugged may lie elsewhere
SLACK = 0.005  # of the rope's length, kept when hands move
RED: Rgba = (0.78, 0.22, 0.18, 1.0)
BLACK: Rgba = (0.22, 0.23, 0.25, 1.0)
GREY: Rgba = (0.55, 0.57, 0.60, 1.0)


class MoveRope(Job):
    name = "move-rope"

    # -- the scene ------------------------------------------------------------------------------------------------
    def draw(self, rng: Random, mode: str) -> Layout:
        """Both randomisations are the same here. Drawn anew while an end would hang over the table's edge."""
        front, back = _drawn(rng)
        while abs(back.at[1] - TABLE_AT[1]) > TABLE_HALF[1] - EDGE:
            front, back = _drawn(rng)
        wall = Pose((rng.uniform(-0.15, 0.0), 0.5, rng.uniform(0.2, 0.3)), rng.uniform(-math.pi / 5, math.pi / 5))
        more = {"lifted": rng.randint(8, 15), "force": rng.uniform(1.0, 1.4)}
        return Layout({FRONT: front, BACK: back}, {WALL: wall}, more)

    def furnish(self, spec: Any, layout: Layout) -> None:
        x, y, z = GROOVE_AT
        box(spec.worldbody, BOTTOM, GROOVE_AT, (0.45, 0.08, 0.03), BLACK)
        for name, side in ((GROOVE, 1), (f"{GROOVE}/back", -1)):
            box(spec.worldbody, name, (x, y + side * 0.1, z), (0.45, 0.06, 0.08), BLACK)
        wall = layout.fixed[WALL]
        box(spec.worldbody, WALL, wall.at, WALL_HALF, GREY, wall.yaw)
        _rope(spec, layout.things[FRONT])

    def solids(self, layout: Layout) -> tuple[tuple[Any, ...], ...]:
        """The wall, and the groove with its sides."""
        wall = layout.fixed[WALL]
        return (WALL, *wall.at, wall.yaw, *WALL_HALF), (GROOVE, *GROOVE_AT, 0.0, 0.45, 0.16, 0.08)

    def prepare(self, table: Any) -> None:
        """A tug from above, so that the rope does not lie straight; then it comes to rest."""
        body = table.body(_link(int(table.layout.more["lifted"])))
        table.data.xfrc_applied[body, 2] = table.layout.more["force"]
        table.step(150)
        table.data.xfrc_applied[body, 2] = 0.0
        first = int(table.model.body_dofadr[table.body(ROPE)])
        for k in range(MOST_REST):
            table.step(50)
            if k >= LEAST_REST and float(abs(table.data.qvel[first : first + 3 * LINKS + 3]).max()) < AT_REST:
                break

    def grip_kind(self, thing: str) -> str:
        return "ball"

    def trips(self, layout: Layout) -> tuple[tuple[str, Xyz, str, Xyz], ...]:
        starts = [(m.at[0] + 0.5, m.at[1] + 0.1, LIFT_Z) for m in self.mounts]
        return tuple((m.name, s, e, p) for m, s, e, p in zip(self.mounts, starts, ENDS, PLACES.values()))

    def fits(self, layout: Layout) -> bool:
        ends = [layout.things[e].at for e in ENDS]
        return all(-1.3 <= x <= -0.3 and abs(y - TABLE_AT[1]) < TABLE_HALF[1] - EDGE for x, y, _ in ends)

    def reached(self, layout: Layout) -> tuple[Xyz, ...]:
        wall = layout.fixed[WALL]
        along = [layout.things[FRONT].at, layout.things[BACK].at]
        rope = [tuple(a + (b - a) * k / 6 for a, b in zip(*along)) for k in range(7)]
        return (*((x, y, z) for x, y, z in rope), *self.corners(layout).values(), wall.at, *PLACES.values())

    def places(self, layout: Layout) -> Mapping[str, Xyz]:
        return {name: (x, y, GROOVE_TOP) for name, (x, y, _) in PLACES.items()}

    def needs(self, table: Any) -> Iterator[Need]:
        """Both take an end each and put it down, and no hand passes the other: the arm with the left end goes left.
        Where the ends come to rest after the tug is not known yet."""
        left, right = sorted(ENDS, key=lambda e: table.pos(e)[0])
        first, second = PLACES
        yield [
            [
                *({a: self._pick(table, left, dy), b: self._pick(table, right, dy)} for dy in (-TUGGED, TUGGED)),
                {a: self._put(left, first), b: self._put(right, second)},
            ]
            for a, b in permutations(self.boxes)
        ]

    # -- acting ---------------------------------------------------------------------------------------------------
    def legs(self, table: Any, robot: str, action: Action) -> list[Leg] | Refusal:
        end = str(action.args[0])
        return [self._pick(table, end) if action.skill == "pick" else self._put(end, str(action.args[1]))]

    def _pick(self, table: Any, end: str, dy: float = 0.0) -> Leg:
        """The rope is lifted towards the middle of the table: high up, arms do not reach across all of it."""
        x, y, z = above(table.pos(end), PINCH)
        at = (x, y + dy, z)
        inward = GROOVE_AT[1] - sum(table.pos(e)[1] + dy for e in ENDS) / 2
        lift = (0.0, inward, LIFT_Z - at[2])
        return Leg(at, free_yaw=True, approach=(0.0, 0.0, 0.15), retreat=lift, grasp=end, touch=(ROPE,))

    def _put(self, end: str, place: str) -> Leg:
        at = self.spot(place)
        over = (0.0, 0.0, LIFT_Z - at[2])
        return Leg(at, free_yaw=True, approach=over, retreat=over, release=end, touch=(ROPE,))

    def spot(self, place: str) -> Xyz:
        """Where a hand lets go of its end: the rope then lies in the groove with a little slack."""
        return (SPOTS[place], GROOVE_AT[1], GROOVE_TOP + RADIUS + SOFT + PINCH)

    def sides(self, thing: str) -> tuple[int, float]:
        return PINCHED

    def tethers(self, table: Any, held: Mapping[str, str]) -> tuple[Tether, ...]:
        robots = sorted(r for r, t in held.items() if t in ENDS)
        if len(robots) < 2:
            return ()
        now = distance(table.ee(robots[0]), table.ee(robots[1]))
        return (Tether(robots[0], robots[1], max(LENGTH - SLACK, now + 0.002)),)

    def rules(self, table: Any, joint: Mapping[str, Action]) -> Refusal | None:
        if any(a.origin == NOT_ASKED for a in joint.values()):
            return None  # an arm is away: nothing but waiting has passed so far
        for robot, action in joint.items():
            if action.skill not in ("pick", "put"):
                words = f"{action.skill.upper()} is not supported, can only PICK or PUT"
                return Refusal("may_wait", words, ("may_wait", (robot,), False)).of(robot)
        if len({a.skill for a in joint.values()}) > 1:
            return Refusal("same_verb", "both robots must PICK in one round, then both PUT in one round")
        if len({a.args[0] for a in joint.values()}) < len(joint):
            return Refusal("own_end", "each robot needs an end of its own")
        if len({a.args[-1] for a in joint.values()}) < len(joint):
            return Refusal("own_target", "the two ends must go to different ends of the groove")
        return self._torn(joint) if all(a.skill == "put" for a in joint.values()) else None

    def _torn(self, joint: Mapping[str, Action]) -> Refusal | None:
        """Points of the paths at which the rope would have to be longer than it is."""
        (ra, a), (rb, b) = joint.items()
        for k, (p, q) in enumerate(zip(a.path, b.path)):
            if math.dist(p, q) > LENGTH:
                words = (
                    f"at point {k + 1} of the PATHs {ra} and {rb} are {math.dist(p, q):.2f} m apart, "
                    f"but the rope is {LENGTH:.2f} m long"
                )
                return Refusal("rope_length", words, ("apart", (ra, rb, k + 1), round(math.dist(p, q), 2)))
        return None

    def allowed(self, a: str, b: str) -> bool:
        return ROPE in (a, b)

    def apart(self, a: str, b: str) -> float:
        return KEEP_OFF if WALL in (a, b) else 0.0

    # -- seeing and counting --------------------------------------------------------------------------------------
    def corners(self, layout: Layout) -> dict[str, Xyz]:
        """Points well above the wall's ends, as planners are told them."""
        (x, y, z), yaw = layout.fixed[WALL]
        return {n: (x - d * math.sin(yaw), y + d * math.cos(yaw), z + CORNER_UP) for n, d in CORNERS.items()}

    def notes(self, table: Any, robot: str) -> dict[str, str]:
        notes = {name: f"{name}: {spoken(at)}" for name, at in PLACES.items()}
        for end in ENDS:
            holder = table.holder(end)
            held = f", held by {holder}" if holder else ""
            notes[end] = f"{end}: {spoken(above(table.pos(end), GRASP))}{held}"
        for name, at in self.corners(table.layout).items():
            notes[name] = f"{name}: {spoken(at)}"
        notes[robot] = f"{robot}'s gripper: {spoken(table.ee(robot))}, holding {table.held.get(robot) or 'nothing'}"
        return notes

    def progress(self, table: Any) -> Progress:
        left, right = PLACES.values()
        front, back = (table.pos(e) for e in ENDS)
        fits = max(
            sum(flat_distance(e, p) < NEAR for e, p in pairs)
            for pairs in (((front, left), (back, right)), ((front, right), (back, left)))
        )
        lies = table.touch(ROPE, BOTTOM)
        done = fits == len(ENDS) and lies and not table.held
        words = f"{fits} of 2 rope ends are at the groove's ends; the rope {'lies' if lies else 'does not lie'} in it."
        return Progress(done, (fits + lies) / 3 if not table.held else 0.0, words)

    def role(self, robot: str) -> str:
        side = "front (small y)" if robot == "Alice" else "back (large y)"
        return (
            f"{robot} stands at the {side} of the table. Both robots PICK in one round, each its own end, then both "
            f"PUT. The rope is {LENGTH:.2f} m long: keep the hands closer than that. Pass above the corners of the "
            f"wall, and stay between z {LOW} and {TOP}."
        )

    def targets(self, robot: str, skill: str) -> tuple[str, ...]:
        return tuple(PLACES)


def _drawn(rng: Random) -> tuple[Pose, Pose]:
    """The two ends of a straight rope."""
    yaw = rng.uniform(-math.pi / 6, math.pi / 6)
    x = rng.uniform(-1.3, -1.2)
    x, y, z = (-1.1 if abs(yaw) > 0.3 else x), rng.uniform(0.45, 0.6), TABLE_TOP + RADIUS + 0.001
    return Pose((x, y, z), yaw), Pose((x + LENGTH * math.cos(yaw), y + LENGTH * math.sin(yaw), z), yaw)


def _rope(spec: Any, pose: Pose) -> None:
    """A chain of capsules on ball joints; its ends are bodies of their own to be named and held."""
    mj = mujoco()
    body = loose(spec, ROPE, pose)
    for k in range(LINKS):
        if k:
            body = body.add_body(name=_link(k), pos=[PITCH, 0, 0])
            body.add_joint(type=mj.mjtJoint.mjJNT_BALL, pos=[-PITCH / 2, 0, 0], damping=[0.01, 0, 0], armature=0.002)
        body.add_geom(
            type=mj.mjtGeom.mjGEOM_CAPSULE, fromto=[-PITCH / 2, 0, 0, PITCH / 2, 0, 0], size=[RADIUS, 0, 0],
            mass=LINK_KG, rgba=list(RED), friction=[0.3, 0.005, 0.0005], priority=1, condim=3,
        )  # fmt: skip
        if k in (0, LINKS - 1):
            body.add_body(name=BACK if k else FRONT)


def _link(k: int) -> str:
    return f"{ROPE}/{k}" if k else ROPE
