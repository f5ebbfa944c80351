"""Sort Cubes: three arms in a row hand cubes along the table until each lies on its own plate."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from random import Random
from typing import Any, ClassVar

from coterie.core.action import Action
from coterie.core.task import Progress
from coterie.worlds.tabletop.build import box, mark, shaped
from coterie.worlds.tabletop.declared import items_of
from coterie.worlds.tabletop.job import (
    HIGH,
    ROCOBENCH,
    TABLE_TOP,
    Job,
    Layout,
    Leg,
    Need,
    Pose,
    Refusal,
    Xyz,
    above,
    alone,
    everybody_waits,
    flat_distance,
    up,
)

PANELS: dict[str, float] = {f"panel{i + 1}": x for i, x in enumerate((-1.12, -0.8, -0.4, 0.0, 0.4, 0.8, 1.2))}
PLATES: dict[str, tuple[float, float, float, float]] = {
    "panel2": (0.36, 0.55, 0.83, 1.0),
    "panel4": (0.91, 0.58, 0.69, 1.0),
    "panel6": (0.93, 0.80, 0.38, 1.0),
}
PLATE_HALF: Xyz = (0.14, 0.14, 0.02)
ROW = 0.5  # y of all panels
ITEMS = items_of("sort-cubes")
CUBES = tuple(ITEMS)
GOAL = {"blue_square": "panel2", "pink_polygon": "panel4", "yellow_trapezoid": "panel6"}
OWNER = {"blue_square": "Alice", "pink_polygon": "Bob", "yellow_trapezoid": "Chad"}
REACH = {
    "Alice": ("panel1", "panel2", "panel3"),
    "Bob": ("panel3", "panel4", "panel5"),
    "Chad": ("panel5", "panel6", "panel7"),
}
SHARED = ("panel3", "panel5")
ROOM = 0.125  # between the centres of two cubes on one panel, at least


class SortCubes(Job):
    name = "sort-cubes"
    tolerant: ClassVar = frozenset({*CUBES, *PLATES, "table"})

    def draw(self, rng: Random, mode: str) -> Layout:
        taken: set[str] = set()
        things = {}
        start = {"blue_square": (5, 7), "pink_polygon": (1, 7), "yellow_trapezoid": (1, 3)}
        for cube in CUBES:
            numbers = start[cube] if mode == ROCOBENCH else tuple(range(1, 8))
            panel = rng.choice([f"panel{n}" for n in numbers if f"panel{n}" not in taken])
            taken.add(panel)
            top = TABLE_TOP + (2 * PLATE_HALF[2] if panel in PLATES else 0.0)
            things[cube] = Pose((PANELS[panel], ROW, top + ITEMS[cube].half[2] + 0.001), rng.uniform(0, 2 * math.pi))
        return Layout(things)

    def furnish(self, spec: Any, layout: Layout) -> None:
        for panel, x in PANELS.items():
            if panel in PLATES:
                box(spec.worldbody, panel, (x, ROW, TABLE_TOP + PLATE_HALF[2] - 0.01), PLATE_HALF, PLATES[panel])
            else:
                mark(spec.worldbody, panel, (x, ROW, TABLE_TOP), (0.14, 0.14, 0.001))
        hexagon = [(0.042 * math.cos(k * math.pi / 3), 0.042 * math.sin(k * math.pi / 3)) for k in range(6)]
        corners = [v for z in (-0.04, 0.04) for x, y in hexagon for v in (x, y, z)]
        spec.add_mesh(name="pink_polygon/mesh", uservert=corners)
        for cube, pose in layout.things.items():
            shaped(spec, cube, pose, ITEMS[cube].shape, ITEMS[cube].half, ITEMS[cube].rgba)

    def reached(self, layout: Layout) -> tuple[Xyz, ...]:
        return tuple(self.spot(robot, p, CUBES[0]) for robot, panels in REACH.items() for p in panels)

    def places(self, layout: Layout) -> Mapping[str, Xyz]:
        return {panel: (x, ROW - 0.2, TABLE_TOP) for panel, x in PANELS.items()}

    def needs(self, table: Any) -> Iterator[Need]:
        """Every robot reaches all of its panels, whatever lies there, and cubes that lie on them."""
        for robot, panels in REACH.items():
            for panel in panels:
                yield alone(robot, self._fetch(table, robot, CUBES[0], panel)[1:], touch=CUBES)
            for cube in CUBES:
                if self.panel_of(table, cube) in panels:
                    yield alone(robot, self._fetch(table, robot, cube, panels[0])[:1])

    # -- acting ---------------------------------------------------------------------------------------------------
    def legs(self, table: Any, robot: str, action: Action) -> list[Leg] | Refusal:
        cube, panel = str(action.args[0]), str(action.args[1])
        return self._fetch(table, robot, cube, panel)

    def _fetch(self, table: Any, robot: str, cube: str, panel: str) -> list[Leg]:
        over = table.over(robot, cube)
        at, (quats, free) = above(table.pos(cube), over), table.turns(robot, cube)
        spot = above(self.spot(robot, panel, cube), over)
        return [
            Leg(at, quats, free, approach=up(0.12), retreat=up(HIGH - at[2]), grasp=cube, touch=(cube,)),
            Leg(spot, free_yaw=True, approach=up(HIGH - spot[2]), retreat=up(0.2), release=cube, touch=(cube,)),
        ]

    def sides(self, thing: str) -> tuple[int, float]:
        return {"blue_square": (4, 0.0), "pink_polygon": (6, math.pi / 6), "yellow_trapezoid": (2, 0.0)}[thing]

    def spot(self, robot: str, panel: str, cube: str) -> Xyz:
        """Where a cube is let go of; on panels 3 and 5, where cubes are handed on, within reach of the neighbour."""
        side = {"panel3": 0.12, "panel5": -0.12}.get(panel, 0.0)
        x, y = (PANELS[panel] - side, ROW - 0.1) if robot == "Bob" else (PANELS[panel] + side, ROW + 0.1)
        if not side:
            x, y = PANELS[panel], ROW
        top = TABLE_TOP + (2 * PLATE_HALF[2] - 0.01 if panel in PLATES else 0.0)
        return (x, y, top + ITEMS[cube].half[2] + 0.006)

    def rules(self, table: Any, joint: Mapping[str, Action]) -> Refusal | None:
        idle = everybody_waits(joint)
        if idle is not None:
            return idle
        for robot, action in joint.items():
            if action.skill in ("pick", "place"):
                words = "PICK and PLACE must come together, as PICK <cube> PLACE <panel>"
                return Refusal("pick_and_place", words).of(robot)
            if action.skill == "pick_place":
                cube, panel = str(action.args[0]), str(action.args[1])
                if panel not in (GOAL[cube], *SHARED):
                    words = f"{cube} may go only to {GOAL[cube]}, panel3 or panel5, not to {panel}"
                    return Refusal("goal_panel", words, ("goal_panel", (cube,), GOAL[cube])).of(robot)
        return self._taken(table, joint)

    def _taken(self, table: Any, joint: Mapping[str, Action]) -> Refusal | None:
        """Cubes are not stacked: a place has to be free, or be cleared in the same round."""
        moves = {r: (str(a.args[0]), str(a.args[1])) for r, a in joint.items() if a.skill == "pick_place"}
        leaving = {cube for cube, _ in moves.values()}
        for robot, (cube, panel) in moves.items():
            other = self.in_the_way(table, robot, panel, cube, leaving)
            if other:
                words = f"{panel} is taken by {other}; move that first"
                return Refusal("panel_free", words, ("in_the_way", (panel,), other)).of(robot)
        return None

    def in_the_way(self, table: Any, robot: str, panel: str, cube: str, leaving: Collection[str] = ()) -> str:
        """A cube that lies where this robot would put another one on a panel; empty when there is none."""
        spot = self.spot(robot, panel, cube)
        others = [c for c in CUBES if c != cube and c not in leaving]
        return next((c for c in others if flat_distance(table.pos(c), spot) < ROOM), "")

    # -- seeing and counting --------------------------------------------------------------------------------------
    def panel_of(self, table: Any, cube: str) -> str:
        at = table.pos(cube)
        return min(PANELS, key=lambda p: flat_distance(at, (PANELS[p], ROW, 0.0)))

    def notes(self, table: Any, robot: str) -> dict[str, str]:
        notes = {}
        near: list[str] = []
        for cube in CUBES:
            panel = self.panel_of(table, cube)
            notes[cube] = f"{cube} is {self._where(table, cube, panel)} {panel}"
            if panel in REACH[robot]:
                near.append(cube)
        far = [c for c in CUBES if c not in near]
        notes[robot] = (
            f"{robot} can reach {', '.join(near) or 'no cube'}; not {', '.join(far) or 'a single one more'}; "
            f"its gripper holds {table.held.get(robot) or 'nothing'}"
        )
        return notes

    def _where(self, table: Any, cube: str, panel: str) -> str:
        if panel not in PLATES:
            return "in"
        return "on" if self.lies_on(table, cube, panel) else "beside"  # pushed off, or slipped

    def lies_on(self, table: Any, cube: str, plate: str) -> bool:
        near = flat_distance(table.pos(cube), (PANELS[plate], ROW, 0.0)) < 0.1
        return not table.holder(cube) and (near or table.touch(cube, plate))

    def progress(self, table: Any) -> Progress:
        right = [c for c, p in GOAL.items() if self.lies_on(table, c, p)]
        return Progress(len(right) == 3, len(right) / 3, f"{len(right)} of 3 cubes lie on their plates.")

    def role(self, robot: str) -> str:
        mine = next(c for c, r in OWNER.items() if r == robot)
        return (
            f"{robot} reaches {', '.join(REACH[robot])}, and is to put {mine} on {GOAL[mine]}. "
            "A cube may be put only on its own plate or, to hand it on, on panel3 or panel5."
        )

    def area(self, thing: str, at: Xyz) -> str:
        return min(PANELS, key=lambda p: abs(PANELS[p] - at[0]))

    def targets(self, robot: str, skill: str) -> tuple[str, ...]:
        return tuple(PANELS)
