"""Scripts of the jobs on the table: from the world, and the joint actions that were rewound in it, to the next ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations, product
from typing import TYPE_CHECKING, Any

from coterie.core.action import WAIT, Action
from coterie.protocols.rounds.oracle.declared import State
from coterie.protocols.rounds.oracle.paths import BENDS, QUARTERS, best_room, off_the_bar, room
from coterie.protocols.rounds.oracle.read import thinner
from coterie.worlds.tabletop.arms.checks import OF_THE_PATH
from coterie.worlds.tabletop.job import Xyz, above, distance
from coterie.worlds.tabletop.jobs.arrange_cabinet import DOORS, ArrangeCabinet
from coterie.worlds.tabletop.jobs.arrange_cabinet import GOAL as CABINET_GOAL
from coterie.worlds.tabletop.jobs.cabinet import handle_of
from coterie.worlds.tabletop.jobs.move_rope import ENDS, PINCH, PLACES, MoveRope
from coterie.worlds.tabletop.jobs.pack_grocery import SLOTS, TOP, PackGrocery
from coterie.worlds.tabletop.jobs.sandwich import BOARD, Sandwich
from coterie.worlds.tabletop.jobs.sandwich import SIDE as SANDWICH_SIDE
from coterie.worlds.tabletop.jobs.sort_cubes import GOAL, PANELS, REACH, SHARED, SortCubes
from coterie.worlds.tabletop.jobs.sweep_floor import BROOM, CUBES, PAN, SweepFloor
from coterie.worlds.tabletop.jobs.written import WrittenJob

if TYPE_CHECKING:
    from coterie.worlds.tabletop.world import TabletopWorld


OWN_Y = {"Alice": 0.4, "Bob": 0.6}  # the rows next to each arm
SIDE = {"Alice": -1.0, "Bob": 1.0}  # which way along y the own side lies
MOST_OPTIONS = 16  # joint actions that are tried before giving up
AT_LEAST_Z = 0.5  # of the points, for hands that carry little
Joint = dict[str, Action]


def pack_grocery(world: TabletopWorld, refused: Sequence[Joint] = ()) -> Joint:
    """The first of the likely joint actions that passes all checks; the likeliest when none does."""
    now = Options(world)
    options = now.all()
    # More rounds were played than it takes to come this far when some failed: then something else is tried.
    again = world.rounds.number - round(now.packed + len(now.table.held) / 2)
    options = [*options[again:], *options[:again]] if 0 < again < len(options) else options
    for joint in options[:MOST_OPTIONS]:
        for raised, bow in BENDS:
            trial = {r: with_path(world, r, a, raised, bow) for r, a in joint.items()}
            verdicts = world.check(trial).values()
            if all(v.ok for v in verdicts):
                return trial
            if not any(v.cause is not None and v.cause.clause in OF_THE_PATH for v in verdicts):
                break  # no other path will help
    return {r: with_path(world, r, a, 0.0, 0.0) for r, a in options[0].items()} if options else {}


class Options:
    """Joint actions of the arms in the present state."""

    def __init__(self, world: TabletopWorld):
        assert isinstance(world.job, PackGrocery)
        self.robots, self.table, self.job = list(world.cards), world.table, world.job
        packed = self.job.packed(self.table)
        self.packed = len(packed)
        self.left = [i for i in self.job.wanted(self.table.layout) if i not in packed and not self.table.holder(i)]
        self.empty = [s for s in SLOTS if not self.job.inside(self.table, s)]

    def all(self) -> list[Joint]:
        """Joint actions, best first."""
        joints = [dict(zip(self.robots, c)) for c in product(*(self._of(r) for r in self.robots))]
        return sorted(filter(_distinct, joints), key=lambda j: -self._worth(j))

    def _of(self, robot: str) -> list[Action]:
        held = self.table.held.get(robot)
        if held:
            return [Action("place", (held, s)) for s in self.empty]
        empty_hands = len(self.robots) - len(self.table.held)
        idle = [Action(WAIT)] if len(self.left) < empty_hands else []
        return [*[Action("pick", (i,)) for i in self.left], *idle]

    def _worth(self, joint: Joint) -> float:
        """Arms far apart, each on its own side, not past each other; and what is left over can be had so too."""
        points = {r: target(self.job, self.table, r, a) for r, a in joint.items() if a.skill != WAIT}
        worth = -sum(abs(p[1] - OWN_Y[r]) for r, p in points.items())
        if len(points) < 2:
            return worth
        (ra, a), (rb, b) = points.items()
        past = (self.table.ee(ra)[0] - self.table.ee(rb)[0]) * (a[0] - b[0]) < 0
        gap = room(a, b)
        return worth - 0.1 * past + 0.2 * gap + min(gap, best_room(self._rest(joint)))

    def _rest(self, joint: Joint) -> list[Xyz]:
        """Where hands will have to go later."""
        used = {a.args[-1] for a in joint.values() if a.args}
        if any(a.skill == "pick" for a in joint.values()):
            return [self.table.pos(i) for i in self.left if i not in used]
        return [(*SLOTS[s], 0.0) for s in self.empty if s not in used]


def _distinct(joint: Joint) -> bool:
    named = [a.args[-1] for a in joint.values() if a.args]
    return bool(named) and len(set(named)) == len(named)


def target(job: PackGrocery, table: Any, robot: str, action: Action) -> Xyz:
    """Where the hand has to go."""
    item = action.args[0]
    at = job.spot(item, action.args[1]) if action.skill == "place" else table.pos(item)
    return above(at, table.over(robot, item))


def with_path(world: TabletopWorld, robot: str, action: Action, raised: float, bow: float) -> Action:
    """Four points, evenly spread, from above where the hand is to above where it goes."""
    if action.skill == WAIT:
        return action
    assert isinstance(world.job, PackGrocery)
    start, end = world.table.ee(robot), target(world.job, world.table, robot, action)
    carry = world.job.carry_z(world.table, robot, action.args[0]) if action.skill == "place" else end[2] + 0.2
    z = min(max(start[2], carry, AT_LEAST_Z) + raised, TOP)
    points = []
    for k in QUARTERS:
        x, y = (s + (e - s) * k for s, e in zip(start[:2], end[:2]))
        points.append((round(x, 3), round(y + SIDE[robot] * bow * 4 * k * (1 - k), 3), round(z, 3)))
    return action._replace(path=tuple(off_the_bar(start, points, bar_of(world))))


def bar_of(world: TabletopWorld) -> Xyz | None:
    """Where a bar lies across the table that hands have to get over."""
    bar = world.setting.layout.fixed.get("bar")
    return None if bar is None else bar.at


HEIGHTS = (0.52, 0.55, 0.46)  # of the points on the way; the first that passes is taken
SHARES = ((0.25, 0.5, 0.75, 1.0), (0.2, 0.4, 0.6, 0.8))  # where they lie on it


def move_rope(world: TabletopWorld, refused: Sequence[Joint] = ()) -> Joint:
    """The first of the likely joint actions that passes all checks and was not refused; the likeliest when none is
    left."""
    if len(world.cards) < len(world.job.mounts):
        return {r: Action(WAIT) for r in world.cards}  # it takes two
    trials = [
        {r: with_level_path(world, r, a, z, shares) for r, a in joint.items()}
        for joint, shares, z in product(rope_options(world), SHARES, HEIGHTS)
    ]
    new = (t for t in trials if t not in refused)
    return next((t for t in new if next(iter(world.check(t).values())).ok), trials[0])


def rope_options(world: TabletopWorld) -> list[Joint]:
    """Both pick or both put, in the better order first. Rounds are joint, so nobody ever holds an end alone."""
    robots, table = list(world.cards), world.table
    if table.held:
        joints = [{r: Action("put", (table.held[r], p)) for r, p in zip(robots, ps)} for ps in permutations(PLACES)]
        start: dict[str, Xyz] = {r: table.ee(r) for r in robots}
    else:
        joints = [{r: Action("pick", (e,)) for r, e in zip(robots, ends)} for ends in permutations(ENDS)]
        start = {m.name: m.at for m in world.job.mounts}
    # Squares tell ways in step from ways past each other, whose sums are the same.
    return sorted(joints, key=lambda j: sum(distance(start[r], rope_target(world, a)) ** 2 for r, a in j.items()))


def rope_target(world: TabletopWorld, action: Action) -> Xyz:
    assert isinstance(world.job, MoveRope)
    return world.job.spot(action.args[1]) if action.skill == "put" else above(world.table.pos(action.args[0]), PINCH)


def with_level_path(world: TabletopWorld, robot: str, action: Action, z: float, shares: tuple[float, ...]) -> Action:
    """Four points on a level line; hands that move in step keep their distance."""
    start, end = world.table.ee(robot), rope_target(world, action)
    flat = [tuple(round(s + (e - s) * k, 3) for s, e in zip(start[:2], end[:2])) for k in shares]
    return action._replace(path=tuple(off_the_bar(start, [(x, y, z) for x, y in flat], bar_of(world))))


def sort_cubes(world: TabletopWorld, refused: Sequence[Joint] = ()) -> Joint:
    """Cubes go straight to their plates where one arm reaches both; else over the nearest place of hand-over."""
    job, table = world.job, world.table
    assert isinstance(job, SortCubes)
    lies = {cube: job.area(cube, table.pos(cube)) for cube in GOAL}
    left = [c for c in GOAL if not job.lies_on(table, c, GOAL[c])]
    joint: Joint = {}
    taken: set[str] = set()  # places that are used in this round
    for detour in (False, True):  # a cube that blocks another makes room only if nothing else can be done
        for cube in sorted(left, key=lambda c: _steps(lies[c], GOAL[c])):
            for robot, reach in REACH.items():
                if robot in joint or lies[cube] not in reach or any(a.args[0] == cube for a in joint.values()):
                    continue
                asides = [p for p in SHARED if p in reach and p != lies[cube]]  # where one that is in the way can wait
                wanted = asides if detour else [_target(lies[cube], GOAL[cube], reach)]
                free = [t for t in wanted if t and t not in taken and not job.in_the_way(table, robot, t, cube)]
                if free:
                    joint[robot] = Action("pick_place", (cube, free[0]))
                    taken.add(free[0])
                    break
            if detour and joint:
                break
        if joint:
            break
    return {robot: joint.get(robot, Action(WAIT)) for robot in REACH}


def _steps(here: str, goal: str) -> int:
    """How many arms a cube has to go through."""
    order = list(PANELS)
    return abs(order.index(here) - order.index(goal))


def _target(here: str, goal: str, reach: tuple[str, ...]) -> str:
    """Where an arm brings a cube: to its plate, or one place of hand-over nearer to it."""
    if goal in reach:
        return goal
    order = list(PANELS)
    at, to = order.index(here), order.index(goal)
    between = [p for p in SHARED if p in reach and min(at, to) < order.index(p) < max(at, to)]
    return min(between, key=lambda p: abs(order.index(p) - to), default="")


def sandwich(world: TabletopWorld, refused: Sequence[Joint] = ()) -> Joint:
    """Each side fetches what comes next from it; the robot that holds the next layer puts it on the stack."""
    table = world.table
    job = world.job
    assert isinstance(job, Sandwich)
    order, stacked = job.order(table), job.stacked(table)
    rest = order[len(stacked) :]
    joint: Joint = {}
    for robot, side in SANDWICH_SIDE.items():
        holds = table.held.get(robot)
        if holds and rest and holds == rest[0]:
            joint[robot] = Action("put", (holds, stacked[-1] if stacked else BOARD))
        elif not holds:
            mine = [f for f in rest if not table.holder(f) and job.side(table.pos(f)) == side]
            joint[robot] = Action("pick", (mine[0],)) if mine else Action(WAIT)
        else:
            joint[robot] = Action(WAIT)
    return joint


def sweep_floor(world: TabletopWorld, refused: Sequence[Joint] = ()) -> Joint:
    """The farthest cube first, so that the way of a full pan is short; the pan is emptied when no cube is left."""
    table, job = world.table, world.job
    assert isinstance(job, SweepFloor)
    where = {c: job.where(table, c) for c in CUBES}
    left = [c for c in CUBES if where[c] == "on the table"]
    if not left:
        full = "inside dustpan" in where.values()
        return {PAN: Action("dump" if full else WAIT), BROOM: Action(WAIT)}
    free = [c for c in left if not job.blocked(table, c)]
    cube = max(free, key=lambda c: table.pos(c)[0]) if free else min(left, key=lambda c: table.pos(c)[1])
    ready = {r: job.ready(table, r, cube) for r in (PAN, BROOM)}
    if all(ready.values()):
        return {PAN: Action(WAIT), BROOM: Action("sweep", (cube,))}
    return {r: Action(WAIT) if ok else Action("move", (cube,)) for r, ok in ready.items()}


def arrange_cabinet(world: TabletopWorld, refused: Sequence[Joint] = ()) -> Joint:
    """Two arms take the handles, open the doors and hold them; the third fetches what is inside."""
    table, job = world.table, world.job
    assert isinstance(job, ArrangeCabinet)
    joint = {"Alice": Action(WAIT), "Bob": Action(WAIT), "Chad": Action(WAIT)}
    shut = {r: handle_of(d) for r, d in DOORS.items() if not job.is_open(table, d)}
    for robot, handle in shut.items():
        joint[robot] = Action("open" if table.held.get(robot) == handle else "pick", (handle,))
    if not shut:
        left = [c for c in CABINET_GOAL if not job.in_place(table, c)]
        if left:
            joint["Chad"] = Action("pick_place", (left[0], CABINET_GOAL[left[0]]))
    return joint


def declared(world: TabletopWorld, refused: Sequence[Joint] = ()) -> Joint:
    """The first plan by the declarations of skills that passes all checks and was not refused."""
    job, table, robots = world.job, world.table, list(world.cards)
    assert isinstance(job, WrittenJob)
    state = State(
        job.wanted_now(table.layout), job.where(table), {r: t for r, t in table.held.items() if r in robots},
        {r: job.reach(r) for r in robots}, {r: job.reachable(table, r) for r in robots},
        {r: job.verbs[r] for r in robots}, job.full(table), {n: p.takes for n, p in job.spots.items() if p.takes},
    )  # fmt: skip
    best: Joint = {}
    for whole in state.plans():
        for joint in thinner(whole, Action(WAIT)):
            best = best or joint
            if joint not in refused and next(iter(world.check(joint).values())).ok:
                return joint
    return best


SCRIPTS: dict[str, Callable[[TabletopWorld, Sequence[Joint]], Joint]] = {
    "pack-grocery": pack_grocery, "move-rope": move_rope, "sort-cubes": sort_cubes, "sandwich": sandwich,
    "sweep-floor": sweep_floor, "arrange-cabinet": arrange_cabinet,
}  # fmt: skip
