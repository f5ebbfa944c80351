"""Move Rope: each takes the end nearer to it, then both carry the rope over the wall, and no hand passes the other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import permutations

from coterie.protocols.rounds.oracle.paths import QUARTERS, line, past_the_posts, together, written
from coterie.protocols.rounds.oracle.read import Joint, Paper, Point

ENDS = ("rope_front_end", "rope_back_end")
PLACES = ("groove_left_end", "groove_right_end")
HEIGHTS = (0.52, 0.55, 0.46)
SHARES = (QUARTERS, (0.2, 0.4, 0.6, 0.8))
SLACK = 0.04  # hands stay this much closer than the rope is long


def plans(paper: Paper) -> Iterator[Joint]:
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
