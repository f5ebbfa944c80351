"""Pack Grocery by script: both arms pick, then both place, with things and slots chosen to keep the arms apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import TYPE_CHECKING

from coterie.core.action import Action
from coterie.worlds.tabletop.job import Xyz, above, flat_distance
from coterie.worlds.tabletop.jobs.pack_grocery import ITEMS, SLOTS, TOP, PackGrocery

if TYPE_CHECKING:
    from coterie.worlds.tabletop.world import TabletopWorld

OWN_Y = {"Alice": 0.4, "Bob": 0.6}  # the rows next to each arm
MOST_CHECKS = 16  # joint actions that are tried before giving up
SIDE = {"Alice": -1.0, "Bob": 1.0}  # which way along y is towards the own side
BENDS = ((0.0, 0.0), (0.0, 0.12), (0.06, 0.0), (0.06, 0.2))  # a path that does not pass is raised, or bowed to its side
Joint = dict[str, Action]


def next_round(world: TabletopWorld) -> Joint:
    """The first of the likely joint actions that passes all checks; the likeliest when none does."""
    first: Joint = {}
    for joint in islice(_options(world), _skipped(world), MOST_CHECKS):
        first = first or joint
        for raised, bow in BENDS:
            trial = {r: _with_path(world, r, a, raised, bow) for r, a in joint.items()}
            verdict = next(iter(world.check(trial).values()))
            if verdict.ok:
                return trial
            if "Waypoints" not in verdict.reason and "PATH" not in verdict.reason:
                break
    return {r: _with_path(world, r, a, 0.0, 0.0) for r, a in first.items()}


def _skipped(world: TabletopWorld) -> int:
    """After rounds that failed, what failed is not tried first again."""
    job: PackGrocery = world.job  # type: ignore[assignment]
    done = len(job.packed(world.table)) + len(world.table.held) / 2
    return max(0, world.rounds.number - round(done))


def _options(world: TabletopWorld) -> Iterator[Joint]:
    """Joint actions, best first."""
    robots = list(world.cards)
    choices = {r: _choices(world, r) for r in robots}
    pairs = [dict(zip(robots, c)) for c in product(*(choices[r] for r in robots))]
    pairs = [j for j in pairs if _distinct(j)]
    pairs.sort(key=lambda j: -_worth(world, j))
    yield from pairs


def _choices(world: TabletopWorld, robot: str) -> list[Action]:
    """All that one robot could do now."""
    job: PackGrocery = world.job  # type: ignore[assignment]
    held = world.table.held.get(robot)
    if held:
        return [Action("place", (held, s)) for s in SLOTS if not job.inside(world.table, s)]
    left = _left(world)
    hands = sum(1 for r in world.cards if not world.table.held.get(r))
    idle = [Action("wait")] if len(left) < hands else []
    return [*[Action("pick", (i,)) for i in left], *idle]


def _left(world: TabletopWorld) -> list[str]:
    job: PackGrocery = world.job  # type: ignore[assignment]
    packed = job.packed(world.table)
    return [i for i in ITEMS if i not in packed and not world.table.holder(i)]


def _distinct(joint: Joint) -> bool:
    named = [a.args[-1] for a in joint.values() if a.args]
    return len(set(named)) == len(named) and any(a.skill != "wait" for a in joint.values())


def _worth(world: TabletopWorld, joint: Joint) -> float:
    """Arms far apart, each on its own side, not past each other; and things left over that can be had so too."""
    points = {r: _target(world, r, a) for r, a in joint.items() if a.skill != "wait"}
    worth = -sum(abs(p[1] - OWN_Y[r]) for r, p in points.items())
    if len(points) < 2:
        return worth
    (ra, a), (rb, b) = points.items()
    room = _room(a, b)
    now = world.table.ee(ra)[0] - world.table.ee(rb)[0]
    worth -= 0.1 * (now * (a[0] - b[0]) < 0)
    if all(action.skill == "pick" for action in joint.values()):
        taken = [action.args[0] for action in joint.values()]
        rest = [world.table.pos(i) for i in _left(world) if i not in taken]
    else:
        taken = [action.args[-1] for action in joint.values()]
        rest = [(*SLOTS[s], 0.0) for s in SLOTS if s not in taken and not world.job.inside(world.table, s)]  # type: ignore[attr-defined]
    return worth + 0.2 * room + min(room, _best(rest))


def _room(a: Xyz, b: Xyz) -> float:
    """Arms reach across the table, so a distance along it is worth more."""
    return min(abs(a[0] - b[0]), 0.5) + 0.3 * min(flat_distance(a, b), 0.5)


def _best(points: Sequence[Xyz]) -> float:
    """The room of the closest pair when the points are paired as well as can be."""
    if len(points) < 2:
        return 1.0
    first, rest = points[0], points[1:]
    return max(min(_room(first, p), _best([q for q in rest if q is not p])) for p in rest)


def _target(world: TabletopWorld, robot: str, action: Action) -> Xyz:
    job: PackGrocery = world.job  # type: ignore[assignment]
    item = action.args[0]
    if action.skill == "place":
        return job.spot(item, action.args[1])
    return above(world.table.pos(item), ITEMS[item].grasp)


def _with_path(world: TabletopWorld, robot: str, action: Action, raised: float, bow: float) -> Action:
    """Four points, evenly spread, from above where the hand is to above where it goes."""
    if action.skill == "wait":
        return action
    job: PackGrocery = world.job  # type: ignore[assignment]
    start, end = world.table.ee(robot), _target(world, robot, action)
    carry = job.carry_z(world.table, action.args[0]) if action.skill == "place" else end[2] + 0.2
    z = min(max(start[2], carry, 0.5) + raised, TOP)
    points = []
    for k in (0.25, 0.5, 0.75, 1.0):
        x, y = (s + (e - s) * k for s, e in zip(start[:2], end[:2]))
        points.append((round(x, 3), round(y + SIDE[robot] * bow * 4 * k * (1 - k), 3), round(z, 3)))
    return action._replace(path=tuple(points))
