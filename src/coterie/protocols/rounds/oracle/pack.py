"""Pack Grocery: both arms pick, then both place, with things and slots chosen to keep the arms apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product

from coterie.protocols.rounds.oracle.paths import BENDS, best_room, line, off_the_bar, room, written
from coterie.protocols.rounds.oracle.read import Joint, Paper, Point

ROWS = (0.4, 0.6)  # y next to the first and the second arm
TALL = {"milk", "cereal"}
TOP = 0.78


def plans(paper: Paper) -> Iterator[Joint]:
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
