"""Move Rope: each takes the end nearer to it, then both carry the rope over the wall to the end they are nearer to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from coterie.protocols.tabletop.oracle.read import Joint, Paper, Point
from coterie.protocols.tabletop.oracle.ways import way

ENDS = ("rope_front_end", "rope_back_end")
PLACES = ("groove_left_end", "groove_right_end")
HEIGHTS = (0.52, 0.55, 0.46)
SHARES = ((0.25, 0.5, 0.75, 1.0), (0.2, 0.4, 0.6, 0.8))


def plans(paper: Paper) -> Iterator[Joint]:
    at, held = paper.points(), paper.held()
    if any(n not in at for n in (*ENDS, *PLACES, *paper.robots)):
        return
    for targets in _orders(paper.robots, at, bool(held)):
        for shares in SHARES:
            for z in HEIGHTS:
                joint = {}
                for robot, target in zip(paper.robots, targets):
                    said = f"PUT {held.get(robot)} {target}" if held else f"PICK {target}"
                    joint[robot] = f"{said} {way(at[robot], at[target], z, shares=shares)}"
                yield joint


def _orders(robots: Sequence[str], at: dict[str, Point], held: bool) -> list[tuple[str, ...]]:
    """Who goes where, best first: to pick, the first robot stands at small y; to put, no hand passes the other."""
    if held:
        return sorted(permutations(PLACES), key=lambda ts: sum(abs(at[r][0] - at[t][0]) for r, t in zip(robots, ts)))
    return sorted(permutations(ENDS), key=lambda ts: (at[ts[0]][1] - at[ts[1]][1], ts))
