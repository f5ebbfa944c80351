"""Arrange Cabinet: two arms hold the doors of a cabinet open while a third takes a mug and a cup out of it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import numpy as np

from coterie.core.action import Action
from coterie.core.task import Progress
from coterie.motion.needs import mujoco
from coterie.worlds.tabletop.build import mark, shaped
from coterie.worlds.tabletop.job import (
    ROCOBENCH,
    TABLE_TOP,
    Job,
    Layout,
    Leg,
    Need,
    Pose,
    Refusal,
    Xyz,
    alone,
    distance,
    everybody_waits,
    flat_distance,
)
from coterie.worlds.tabletop.jobs.cabinet import SIDES, add_cabinet, away, facing, handle_at, handle_of, hinge_of

CUPS: dict[str, tuple[float, float]] = {"mug": (0.045, 0.06), "cup": (0.04, 0.08)}  # radius, half height
COLOUR = {"mug": (0.79, 0.33, 0.27, 1.0), "cup": (0.29, 0.49, 0.66, 1.0)}
INSIDE: dict[str, Xyz] = {"mug": (0.1, 0.0, 0.08), "cup": (0.1, 0.15, -0.17)}  # seen from the cabinet's middle
TURNED = {"mug": math.radians(15), "cup": 0.0}  # the ear of the mug looks to Chad, who reaches high ones no other way
COASTERS: dict[str, Xyz] = {"mug_coaster": (0.3, 0.35, TABLE_TOP), "cup_coaster": (0.3, 0.65, TABLE_TOP)}
GOAL = {"mug": "mug_coaster", "cup": "cup_coaster"}
BEHIND = {"mug": ("left_door", "right_door"), "cup": ("right_door",)}  # hands would reach through shut doors
HANDLES = {handle_of(d): d for d in SIDES}
DOORS = {"Alice": "left_door", "Bob": "right_door"}
REACH = {
    "Alice": ("left_door_handle", "mug", "cup"),
    "Bob": ("right_door_handle",),
    "Chad": ("mug", "cup"),
}
TIP = 0.003  # [m] from the point of aim of a suction cup to what it touches
EAR = 0.034  # [m] how far the ear of a cup stands out to its +x side, where hands take it
PLACE: Xyz = (0.09, 0.0, 0.25)  # from a coaster to the point that counts
NEAR = 0.25  # a cup so near to that point is in place
OPEN = 2.0  # [rad] a door is open beyond this
SWING = 2.5  # [rad] how far arms open it
ARC = 12  # points of the way of a handle
# Yaw of a hand that takes the left handle, when it is shut and when it is open, and how much it looks down.
SHUT_YAW, OPEN_YAW, PITCH = math.radians(135), math.radians(75), math.radians(35)


class ArrangeCabinet(Job):
    name = "arrange-cabinet"

    def draw(self, rng: Random, mode: str) -> Layout:
        height, yaw = 0.585, math.pi / 2
        if mode == ROCOBENCH:
            height, yaw = rng.uniform(0.47, 0.7), math.radians(rng.uniform(81, 99))
        x, y, z = at = (-0.7, 0.5, height)
        things = {c: Pose((x + d[0], y + d[1], z + d[2]), TURNED[c]) for c, d in INSIDE.items()}
        return Layout(things, {"cabinet": Pose(at, yaw)})

    def furnish(self, spec: Any, layout: Layout) -> None:
        add_cabinet(spec, layout.fixed["cabinet"])
        for coaster, at in COASTERS.items():
            mark(spec.worldbody, coaster, at, (0.06, 0.06, 0.002), COLOUR[coaster.split("_")[0]])
        for cup, (radius, half) in CUPS.items():
            size = (radius, radius, half)
            body = shaped(spec, cup, layout.things[cup], "cylinder", size, COLOUR[cup], mass=0.2)
            ear = {"size": [0.018, 0.008, half / 2], "pos": [radius + 0.016, 0, 0], "mass": 0.01}
            body.add_geom(type=mujoco().mjtGeom.mjGEOM_BOX, rgba=list(COLOUR[cup]), **ear)

    def graspable(self, layout: Layout) -> tuple[str, ...]:
        return (*HANDLES, *CUPS)

    def grip_kind(self, thing: str) -> str:
        return "ball" if thing in HANDLES else "weld"  # a hand turns less than the door that it leads

    def reached(self, layout: Layout) -> tuple[Xyz, ...]:
        return tuple((x + dx, y, z) for x, y, z in COASTERS.values() for dx in (0.0, 0.15))

    def places(self, layout: Layout) -> Mapping[str, Xyz]:
        return COASTERS

    def needs(self, table: Any) -> Iterator[Need]:
        """Doors are taken when they are shut and held when they are open; then Chad fetches mug and cup."""
        for robot, door in DOORS.items():
            yield alone(robot, self._take(table, handle_of(door)))
        for door, side in SIDES.items():
            table.data.joint(hinge_of(door)).qpos[0] = side * SWING
        table.mj.mj_forward(table.model, table.data)
        for robot, door in DOORS.items():
            yield alone(robot, self._open(table, handle_of(door)))
        for cup, coaster in GOAL.items():
            yield alone("Chad", self._fetch(table, cup, coaster))

    # -- acting ---------------------------------------------------------------------------------------------------
    def legs(self, table: Any, robot: str, action: Action) -> list[Leg] | Refusal:
        thing = str(action.args[0])
        if action.skill == "pick_place":
            if thing not in CUPS:
                return Refusal("thing", f"{thing} cannot be placed; PICK and OPEN it", ("cup", (thing,), False))
            return self._fetch(table, thing, str(action.args[1]))
        if thing not in HANDLES:
            return Refusal("thing", f"{thing} is no handle", ("handle", (thing,), False))
        return self._take(table, thing) if action.skill == "pick" else self._open(table, thing)

    def _take(self, table: Any, handle: str) -> list[Leg]:
        door = HANDLES[handle]
        share = abs(table.joint(hinge_of(door))) / SWING
        yaw = SHUT_YAW + (OPEN_YAW - SHUT_YAW) * share
        quats = tuple(facing(-yaw * SIDES[door], PITCH, roll) for roll in (0.0, math.pi))
        back = away(-yaw * SIDES[door], PITCH, 0.1)
        return [Leg(table.pos(handle), quats, approach=back, grasp=handle, touch=(door,))]

    def _open(self, table: Any, handle: str) -> list[Leg]:
        door = HANDLES[handle]
        pose, side = table.layout.fixed["cabinet"], SIDES[door]
        way = [handle_at(pose, door, float(a)) for a in np.linspace(table.joint(hinge_of(door)), side * SWING, ARC)]
        robot = table.holder(handle)
        # Of the two ways to hold a bar, keep the one in hand.
        options = [facing(-OPEN_YAW * side, PITCH, roll) for roll in (0.0, math.pi)]
        now = table.arms[robot].pose(table.data)[1] if robot else np.array(options[0])
        quat = max(options, key=lambda q: abs(float(now @ np.array(q))))
        return [Leg(way[-1], (quat,), line=tuple(way[1:-1]), touch=(door,), slow=0.3)]

    def _fetch(self, table: Any, cup: str, coaster: str) -> list[Leg]:
        """Out of the cabinet the way its ear looks, and down on the coaster, always upright."""
        (x, y, z), yaw = table.pos(cup), table.yaw(cup)
        to, ahead = COASTERS[coaster], (math.cos(yaw), math.sin(yaw))
        level = (facing(math.pi + yaw, 0.0, math.pi / 2),)

        def out(far: float, up: float = 0.0) -> Xyz:
            return (far * ahead[0], far * ahead[1], up)

        dx, dy, _ = out(CUPS[cup][0] + EAR + TIP)
        down = (to[0] + dx, to[1] + dy, to[2] + CUPS[cup][1] + 0.006)
        take = Leg((x + dx, y + dy, z), level, approach=out(0.12), retreat=out(0.25, 0.03), grasp=cup, touch=(cup,))
        return [take, Leg(down, level, approach=(0.0, 0.0, 0.15), retreat=out(0.12), release=cup, touch=(cup,))]

    def rules(self, table: Any, joint: Mapping[str, Action]) -> Refusal | None:
        idle = everybody_waits(joint)
        if idle is not None:
            return idle
        for robot, action in joint.items():
            thing = str(action.args[0]) if action.args else ""
            if action.skill == "pick" and thing in CUPS:
                words = f"PICK {thing} needs PLACE, as PICK {thing} PLACE {GOAL[thing]}"
                return Refusal("pick_and_place", words).of(robot)
            if robot == "Chad" and thing in HANDLES:
                words = "Chad cannot reach door"
                return Refusal("reaches_door", words, ("reaches", (robot, thing), False), robot)
            shut = [d for d in BEHIND.get(thing, ()) if not self.is_open(table, d)]
            if shut and self.inside(table, thing):
                verb = "is" if len(shut) == 1 else "are"
                words = f"{thing} cannot be reached while {' and '.join(shut)} {verb} not open"
                return Refusal("doors_open", words, ("open", tuple(shut), False)).of(robot)
        return None

    def tolerated(self, a: str, b: str) -> bool:
        other = {a, b} - set(self.verbs)
        mine = {DOORS[r] for r in (a, b) if r in DOORS}
        return len(other) == 1 and other <= {"cabinet", "table", *CUPS, *mine}

    # -- seeing and counting --------------------------------------------------------------------------------------
    def is_open(self, table: Any, door: str) -> bool:
        return abs(table.joint(hinge_of(door))) > OPEN

    def inside(self, table: Any, cup: str) -> bool:
        return not table.holder(cup) and flat_distance(table.pos(cup), table.pos("cabinet")) < 0.35

    def in_place(self, table: Any, cup: str) -> bool:
        x, y, z = (a + b for a, b in zip(COASTERS[GOAL[cup]], PLACE))
        return distance(table.pos(cup), (x, y, z)) < NEAR

    def notes(self, table: Any, robot: str) -> dict[str, str]:
        notes = {}
        for door in SIDES:
            by = table.holder(handle_of(door))
            held = f", held by {by}" if by else ""
            notes[door] = f"{door} is {'open' if self.is_open(table, door) else 'closed'}{held}"
        for cup, coaster in GOAL.items():
            where = "inside cabinet" if self.inside(table, cup) else "on the table"
            notes[cup] = f"{cup} is {f'on {coaster}' if self.in_place(table, cup) else where}"
        for name in self.verbs:
            notes[name] = f"{name}'s gripper holds {table.held.get(name) or 'nothing'}"
        return notes

    def progress(self, table: Any) -> Progress:
        done = [c for c in CUPS if self.in_place(table, c)]
        return Progress(len(done) == 2, len(done) / 2, f"{len(done)} of 2 things stand on their coasters.")

    def role(self, robot: str) -> str:
        return (
            f"{robot} can reach {', '.join(REACH[robot])}. A door is opened by PICK and then OPEN of its handle, "
            "and stays open while that robot WAITs; mug and cup can be taken out while both doors are held open."
        )

    def targets(self, robot: str, skill: str) -> tuple[str, ...]:
        return {"pick_place": tuple(COASTERS), "pick": tuple(HANDLES), "open": tuple(HANDLES)}.get(skill, ())
