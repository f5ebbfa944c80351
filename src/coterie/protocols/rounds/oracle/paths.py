"""Plans for jobs that ask for the paths of hands: four points, evenly spread, above what stands around."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product

from coterie.protocols.rounds.oracle.read import Joint, Paper, Point

OFF_M = 0.11  # along the table, between a point and a bar that a hand has to get over
QUARTERS = (0.25, 0.5, 0.75, 1.0)
BENDS = ((0.0, 0.0), (0.0, 0.12), (0.06, 0.0), (0.06, 0.2))  # a path that does not pass is raised, or bowed to its side


def line(start: Point, end: Point, z: float, bow: float = 0.0, shares: Sequence[float] = QUARTERS) -> list[Point]:
    """Points on a level line from above the hand to above its target; `bow` bends it along y."""
    points = []
    for k in shares:
        x, y = (s + (e - s) * k for s, e in zip(start[:2], end[:2]))
        points.append((x, y + bow * 4 * k * (1 - k), z))
    return points


def off_the_bar(start: Point, points: Sequence[Point], bar: Point | None) -> list[Point]:
    """Points over a bar are moved along their way to where a hand is before it or behind it: how to get over it is left
    to those who move the arms."""
    if bar is None or not points or start[0] == points[-1][0]:
        return list(points)
    (x0, y0, _), (x1, y1, _) = start, points[-1]
    moved = []
    for x, y, z in points:
        sides = sorted((bar[0] - OFF_M, bar[0] + OFF_M), key=lambda side: abs(side - x))
        there = next((side for side in sides if min(x0, x1) < side < max(x0, x1)), x)
        if abs(x - bar[0]) < OFF_M:
            x, y = there, y + (y1 - y0) * (there - x) / (x1 - x0)
        moved.append((x, y, z))
    return moved


def past_the_posts(
    start: Point, points: Sequence[Point], at: Mapping[str, Point], others: Sequence[Point]
) -> list[Point]:
    """The same for posts on this hand's side of the table: the arm behind it has to get past them."""
    way = list(points)
    for name, post in at.items():
        if name.startswith("post") and all(abs(post[1] - start[1]) < abs(post[1] - other[1]) for other in others):
            way = off_the_bar(start, way, post)
    return way


def together(a: list[Point], b: list[Point], most: float) -> tuple[list[Point], list[Point]]:
    """Two ways, pulled towards each other where the hands would be too far apart."""
    pairs = [_nearer(p, q, most) for p, q in zip(a, b)]
    return [p for p, _ in pairs], [q for _, q in pairs]


def _nearer(p: Point, q: Point, most: float) -> tuple[Point, Point]:
    far = math.dist(p, q)
    share = max(0.0, (far - most) / (2 * far)) if far > 0 else 0.0
    px, py, pz = (a + (b - a) * share for a, b in zip(p, q))
    qx, qy, qz = (b + (a - b) * share for a, b in zip(p, q))
    return (px, py, pz), (qx, qy, qz)


def room(a: Sequence[float], b: Sequence[float]) -> float:
    """How far two hands are apart. Arms reach across the table, so a distance along it is worth more."""
    return min(abs(a[0] - b[0]), 0.5) + 0.3 * min(math.dist(a[:2], b[:2]), 0.5)


def best_room(points: Sequence[Sequence[float]]) -> float:
    """The room of the closest pair when the points are paired as well as can be."""
    if len(points) < 2:
        return 1.0
    first, rest = points[0], points[1:]
    return max(min(room(first, p), best_room([q for q in rest if q is not p])) for p in rest)


def written(points: Sequence[Point]) -> str:
    return f"PATH [{', '.join(f'({x:.2f}, {y:.2f}, {z:.2f})' for x, y, z in points)}]"


def path_reasons(paper: Paper, joint: Joint) -> str:
    """Where each hand is, where it goes, how far apart the points are on that way, and how high."""
    at, said = paper.points(), []
    for robot, action in joint.items():
        words, _, path = action.partition(" PATH ")
        target = words.split()[-1]
        if not path or robot not in at or target not in at:
            said.append(f"{robot} waits.")
            continue
        (x, y, _), (to_x, to_y, _) = at[robot], at[target]
        high = path.rpartition(", ")[2].rstrip(")]")
        apart = f"({(to_x - x) / len(QUARTERS):.2f}, {(to_y - y) / len(QUARTERS):.2f})"
        said.append(f"{robot} from ({x:.2f}, {y:.2f}) to {target} ({to_x:.2f}, {to_y:.2f}): {apart} each, at {high}.")
    return " ".join(said)


# -- Pack Grocery -----------------------------------------------------------------------------------------------------
# Both arms pick, then both place, with things and slots chosen to keep the arms apart.
ROWS = (0.4, 0.6)  # y next to the first and the second arm
TALL = {"milk", "cereal"}
TOP = 0.78


def pack_plans(paper: Paper) -> Iterator[Joint]:
    at, held = paper.points(), paper.held()
    slots = [n for n in at if n.startswith("bin_")]
    full = set(re.findall(r"inside slot (\w+)", paper.sight))
    stays = re.findall(r"\w+", paper.goal.partition("Leave on the table: ")[2])
    loose = [t for t in dict.fromkeys(re.findall(r"(\w+): \([^():]*\), on table", paper.sight)) if t not in stays]
    if any(r not in at for r in paper.robots):
        return
    empty, choices = [s for s in slots if s not in full], []
    for robot in paper.robots:
        if robot in held:
            choices.append([(f"PLACE {held[robot]}", s) for s in empty])
        else:
            spare = [("WAIT", "")] if len(loose) < len(paper.robots) - len(held) else []
            choices.append([*[("PICK", i) for i in loose], *spare])
    joints = [j for j in product(*choices) if _distinct([t for _, t in j])]
    joints.sort(key=lambda j: -_worth(paper, at, [t for _, t in j], (loose, empty)))
    for joint in joints:
        for raised, bow in BENDS:
            named = zip(paper.robots, joint)
            yield {r: _said(n, r, verb, t, at, raised, bow) for n, (r, (verb, t)) in enumerate(named)}


def _said(n: int, robot: str, verb: str, target: str, at: dict[str, Point], raised: float, bow: float) -> str:
    if not target:
        return "WAIT"
    thing = verb.partition(" ")[2]
    high = 0.66 if thing in TALL else 0.55
    z = min(max(at[robot][2], at[target][2] + 0.15, high if thing else 0.5) + raised, TOP)
    way = off_the_bar(at[robot], line(at[robot], at[target], z, bow if n else -bow), at.get("bar"))
    return f"{verb} {target} {written(way)}"


def _distinct(targets: list[str]) -> bool:
    named = [t for t in targets if t]
    return bool(named) and len(set(named)) == len(named)


def _worth(paper: Paper, at: dict[str, Point], targets: list[str], kinds: Sequence[list[str]]) -> float:
    """Arms far apart, each on its own side, and not past each other; and what is left can be had so, too."""
    points = [(r, at[t]) for r, t in zip(paper.robots, targets) if t]
    rows = dict(zip(paper.robots, ROWS))
    worth = -sum(abs(p[1] - rows.get(r, 0.5)) for r, p in points)
    if len(points) < 2:
        return worth
    (ra, a), (rb, b) = points[:2]
    gap = room(a, b)
    crossing = (at[ra][0] - at[rb][0]) * (a[0] - b[0]) < 0
    later = next(
        ([at[t] for t in kind if t in at and t not in targets] for kind in kinds if set(targets) <= set(kind)), []
    )
    return worth + 0.2 * gap + min(gap, best_room(later)) - 0.1 * crossing


# -- Move Rope --------------------------------------------------------------------------------------------------------
# Each takes the end nearer to it, then both carry the rope over the wall, and no hand passes the other.
ENDS = ("rope_front_end", "rope_back_end")
PLACES = ("groove_left_end", "groove_right_end")
HEIGHTS = (0.52, 0.55, 0.46)
SHARES = (QUARTERS, (0.2, 0.4, 0.6, 0.8))
SLACK = 0.04  # hands stay this much closer than the rope is long


def rope_plans(paper: Paper) -> Iterator[Joint]:
    at, held = paper.points(), paper.held()
    if len(paper.robots) != 2 or any(n not in at for n in (*ENDS, *PLACES, *paper.robots)):
        return
    length = re.search(r"rope is ([\d.]+) m long", paper.roles)
    most = float(length.group(1)) - SLACK if length and held else 10.0
    a, b = paper.robots
    for to_a, to_b in _orders(paper.robots, at, bool(held)):
        for shares in SHARES:
            for z in HEIGHTS:
                own_a = past_the_posts(at[a], line(at[a], at[to_a], z, shares=shares), at, [at[b]])
                own_b = past_the_posts(at[b], line(at[b], at[to_b], z, shares=shares), at, [at[a]])
                way_a, way_b = together(own_a, own_b, most)
                said = {r: f"PUT {held.get(r)} {t}" if held else f"PICK {t}" for r, t in ((a, to_a), (b, to_b))}
                yield {a: f"{said[a]} {written(way_a)}", b: f"{said[b]} {written(way_b)}"}


def _orders(robots: Sequence[str], at: dict[str, Point], held: bool) -> list[tuple[str, str]]:
    """Targets of both hands, best first: to pick, the first robot is at small y; to put, no hand passes the other."""
    if held:
        pairs = [(t, u) for t, u in permutations(PLACES)]
        return sorted(pairs, key=lambda ts: sum((at[r][0] - at[t][0]) ** 2 for r, t in zip(robots, ts)))
    return sorted([(t, u) for t, u in permutations(ENDS)], key=lambda ts: (at[ts[0]][1] - at[ts[1]][1], ts))
