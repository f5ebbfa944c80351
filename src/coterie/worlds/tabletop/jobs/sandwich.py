"""Make Sandwich: a suction arm and a humanoid stack a recipe on a board, each from its own side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise, permutations
from random import Random
from typing import Any, ClassVar

from coterie.core.action import Action
from coterie.core.task import Progress
from coterie.worlds.tabletop.build import box, shaped
from coterie.worlds.tabletop.declared import JOBS, items_of
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
    above,
    alone,
    flat_distance,
    up,
)

BOARD = "cutting_board"
BOARD_HALF: Xyz = (0.17, 0.25, 0.02)
STACK = (0.0, 0.55)  # where the sandwich grows
BREAD1, BREAD2 = "bread_slice1", "bread_slice2"
ITEMS = items_of("sandwich")
HALF = {food: item.half for food, item in ITEMS.items()}
RECIPES: dict[str, list[str]] = JOBS["sandwich"]["recipes"]
LEFT_FOODS = (BREAD1, BREAD2, "bacon", "cheese")
RIGHT_FOODS = ("tomato", "cucumber", "ham", "beef_patty")
LEFT_CELLS = tuple((x, y) for x in (-0.8, -0.6, -0.4) for y in (0.6, 0.4))
RIGHT_CELLS = tuple((x, y) for x in (0.4, 0.6, 0.8, 1.0) for y in (0.6, 0.4))
OVER = 0.1  # before and after: straight up by this much
SIDE = {"Chad": "right", "Dave": "left"}


class Sandwich(Job):
    name = "sandwich"
    tolerant: ClassVar = frozenset({*HALF, BOARD, "table"})

    def draw(self, rng: Random, mode: str) -> Layout:
        recipe = rng.choice(sorted(RECIPES)) if mode == ROCOBENCH else "bacon"
        if mode == ROCOBENCH:
            left, right = list(LEFT_FOODS), list(RIGHT_FOODS)
        else:
            foods = [*LEFT_FOODS, *RIGHT_FOODS]
            rng.shuffle(foods)
            left, right = foods[:4], foods[4:]
        order = list(RECIPES[recipe][1:-1])
        rng.shuffle(order)
        things = {}
        for foods_of, cells in ((left, LEFT_CELLS), (right, RIGHT_CELLS)):
            for food, (x, y) in zip(foods_of, rng.sample(cells, len(foods_of))):
                jitter = (rng.uniform(-0.025, 0.025), rng.uniform(-0.025, 0.025))
                things[food] = Pose((x + jitter[0], y + jitter[1], TABLE_TOP + HALF[food][2] + 0.001))
        things = {f: things[f] for f in HALF}
        return Layout(things, more={"recipe": recipe, "order": [BREAD1, *order, BREAD2]})

    def furnish(self, spec: Any, layout: Layout) -> None:
        box(spec.worldbody, BOARD, (0.0, 0.5, TABLE_TOP + BOARD_HALF[2] - 0.01), BOARD_HALF, (0.62, 0.44, 0.28, 1.0))
        for food, pose in layout.things.items():
            shaped(spec, food, pose, "box", HALF[food], ITEMS[food].rgba, ITEMS[food].mass)

    def wanted(self, layout: Layout) -> tuple[str, ...]:
        return tuple(f for f in HALF if f in layout.more["order"])

    def reached(self, layout: Layout) -> tuple[Xyz, ...]:
        cells = [(*c, 0.0) for c in (*LEFT_CELLS, *RIGHT_CELLS)]  # those of later tasks of a stream, too
        return ((*STACK, 0.0), (0.0, 0.4, 0.0), (0.0, 0.7, 0.0), *cells)

    def places(self, layout: Layout) -> Mapping[str, Xyz]:
        return {BOARD: (STACK[0], STACK[1] - 0.15, TABLE_TOP + BOARD_HALF[2])}

    def needs(self, table: Any) -> Iterator[Need]:
        """Every food of the recipe is taken by the robot on its side, and put on the board."""
        for food in self.wanted(table.layout):
            robot = next(r for r, side in SIDE.items() if side == self.side(table.pos(food)))
            for action in (Action("pick", (food,)), Action("put", (food, BOARD))):
                yield alone(robot, self.legs(table, robot, action))

    # -- acting ---------------------------------------------------------------------------------------------------
    def order(self, table: Any) -> list[str]:
        return list(table.layout.more["order"])

    def side(self, at: Xyz) -> str:
        return "left" if at[0] < 0 else "right"

    def stacked(self, table: Any) -> list[str]:
        """Foods on the board, from the bottom to the top."""
        on = [f for f in HALF if not table.holder(f) and flat_distance(table.pos(f), (*STACK, 0.0)) < 0.2]
        return sorted(on, key=lambda f: table.pos(f)[2])

    def homing(self, action: Action) -> bool:
        return action.skill in ("pick", "put")

    def legs(self, table: Any, robot: str, action: Action) -> list[Leg] | Refusal:
        food = str(action.args[0])
        if action.skill == "pick":
            at = above(table.pos(food), table.over(robot, food))
            return [Leg(at, free_yaw=True, approach=up(OVER), retreat=up(OVER), grasp=food, touch=(food,))]
        target = str(action.args[1])
        if target == "table":
            spot = self.free_cell(table, robot)
            if spot is None:
                words = f"there is no free place on the table on the side of {robot}"
                return Refusal("free_place", words, ("free_place", (robot,), None))
            x, y, top = spot[0], spot[1], TABLE_TOP
        elif target == BOARD:
            x, y, top = *STACK, TABLE_TOP + 2 * BOARD_HALF[2] - 0.01
        else:
            x, y, z = table.pos(target)
            top = z + HALF[target][2]
        at = (x, y, top + HALF[food][2] + 0.006 + table.over(robot, food))
        return [Leg(at, free_yaw=True, approach=up(OVER + 0.05), retreat=up(OVER), release=food, touch=(food,))]

    def free_cell(self, table: Any, robot: str) -> tuple[float, float] | None:
        cells = LEFT_CELLS if SIDE[robot] == "left" else RIGHT_CELLS
        others = [table.pos(f) for f in HALF if table.holder(f) != robot]
        return next((c for c in cells if all(flat_distance((*c, 0.0), o) > 0.1 for o in others)), None)

    def laid_at(self, table: Any, robot: str) -> tuple[float, float] | None:
        return self.free_cell(table, robot)

    def rules(self, table: Any, joint: Mapping[str, Action]) -> Refusal | None:
        if sum(a.skill == "put" for a in joint.values()) > 1:
            return Refusal("one_puts", "only one robot may PUT in a round")
        order = self.order(table)
        stacked = self.stacked(table)
        for robot, action in joint.items():
            if action.skill not in ("pick", "put"):
                continue
            food = str(action.args[0])
            if food not in order:
                return Refusal("in_recipe", f"{food} is not in the recipe", ("in_recipe", (food,), False)).of(robot)
            if action.skill == "pick" and food in stacked:
                return Refusal("loose", f"{food} is stacked already; leave it", ("stacked", (food,), True)).of(robot)
            if action.skill == "put" and action.args[1] != "table":
                wrong = self._misplaced(food, str(action.args[1]), order, stacked)
                if wrong is not None:
                    return wrong.of(robot)
        return None

    def _misplaced(self, food: str, target: str, order: list[str], stacked: list[str]) -> Refusal | None:
        below = order[order.index(food) - 1] if food != order[0] else BOARD
        if target != below:
            first = f"{food} comes first and must go on {BOARD}, not on {target}"
            words = first if food == order[0] else f"{food} must go on {below}, not on {target}"
            return Refusal("goes_on", words, ("goes_on", (food,), below))
        if below == BOARD or below in stacked:
            return None
        return Refusal("stacked_below", f"{below} does not lie on {BOARD} yet", ("stacked", (below,), False))

    # -- seeing and counting --------------------------------------------------------------------------------------
    def notes(self, table: Any, robot: str) -> dict[str, str]:
        notes = {}
        stacked = self.stacked(table)
        for food in HALF:
            if table.holder(food):
                continue
            if food in stacked:
                k = stacked.index(food)
                notes[food] = f"{food} is {f'atop {stacked[k - 1]}' if k else f'on {BOARD}'}"
            elif self.side(table.pos(food)) == SIDE[robot]:
                notes[food] = f"{food} is on your side"
        notes[robot] = f"{robot}'s gripper holds {table.held.get(robot) or 'nothing'}"
        return notes

    def progress(self, table: Any) -> Progress:
        touches = table.touches()
        order = self.order(table)
        pairs = [(BOARD, order[0]), *pairwise(order)]
        free = {f for f in order if not table.holder(f)}
        good = 0
        for a, b in pairs:
            if frozenset((a, b)) not in touches or b not in free:
                break
            good += 1
        on_board = {f for f in HALF if frozenset((BOARD, f)) in touches}
        lost = bool(on_board) and order[0] not in on_board
        text = f"{good} of {len(order)} layers are right."
        if lost:
            text = f"{min(on_board)} lies on {BOARD} without {order[0]}; the sandwich is spoilt."
        return Progress(good == len(order) and not lost, good / len(order), text, lost)

    def goal(self, layout: Layout) -> str:
        order = ", ".join(layout.more["order"])
        return f"Stack a {layout.more['recipe']} sandwich on {BOARD}, from the bottom: {order}."

    def changed(self, table: Any, rng: Random) -> Layout | None:
        """Foods that are not stacked yet in another order; those in hands come first: they have to go somewhere."""
        order, stacked = self.order(table), self.stacked(table)
        rest = [f for f in order[:-1] if f not in stacked]
        if order[0] in rest:
            rest.remove(order[0])
        held = [f for f in rest if table.holder(f)]
        ways = [[*a, *b] for a in permutations(held) for b in permutations([f for f in rest if f not in held])]
        others = [way for way in ways if way != rest]
        if not others:
            return None
        done = [f for f in order if f not in (*rest, order[-1])]
        more = {**table.layout.more, "order": [*done, *rng.choice(others), order[-1]]}
        return Layout(table.layout.things, table.layout.fixed, more)

    def role(self, robot: str) -> str:
        return (
            f"{robot} reaches only the {SIDE[robot]} side and the board. Only one robot may PUT in a round. "
            f"PUT a food on the one below it in the recipe; the first goes on {BOARD}."
        )

    def area(self, thing: str, at: Xyz) -> str:
        return self.side(at)

    def targets(self, robot: str, skill: str) -> tuple[str, ...]:
        return (BOARD, "table", *HALF)
