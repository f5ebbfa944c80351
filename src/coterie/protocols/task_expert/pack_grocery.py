"""Both arms pick, then both place; things and slots are chosen so that the arms keep apart, now and later."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from coterie.core.action import WAIT, Action
from coterie.protocols.rounds.oracle.paths import BENDS, QUARTERS, best_room, off_the_bar, room
from coterie.worlds.tabletop.arms.checks import OF_THE_PATH
from coterie.worlds.tabletop.job import Xyz, above
from coterie.worlds.tabletop.jobs.pack_grocery import SLOTS, TOP, PackGrocery

if TYPE_CHECKING:
    from coterie.worlds.tabletop.world import TabletopWorld

OWN_Y = {"Alice": 0.4, "Bob": 0.6}  # the rows next to each arm
SIDE = {"Alice": -1.0, "Bob": 1.0}  # which way along y the own side lies
MOST_OPTIONS = 16  # joint actions that are tried before giving up
AT_LEAST_Z = 0.5  # of the points, for hands that carry little
Joint = dict[str, Action]


def next_round(world: TabletopWorld, refused: Sequence[Joint] = ()) -> Joint:
    """The first of the likely joint actions that passes all checks; the likeliest when none does."""
    options = Options(world).all()
    again = world.rounds.number - Options(world).rounds_used()
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

    def rounds_used(self) -> int:
        """Rounds that it takes to come this far. More were played when some failed: then something else is tried."""
        return round(self.packed + len(self.table.held) / 2)

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
