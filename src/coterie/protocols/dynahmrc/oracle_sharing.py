"""Dividing the search and shifting a base, as the prompt shows them."""

from __future__ import annotations

import re
from collections.abc import Collection

from coterie.protocols.dynahmrc.oracle_reading import places_of, team_of


def division(text: str, done: Collection[str] = (), fixed: str = "the final placement") -> str:
    """Shares of the search: what few can do first, each to the one with the least to do. `fixed` is the part of an arm
    that goes nowhere."""
    everywhere, team = places_of(text), team_of(text)
    places = {p: how for p, how in everywhere.items() if p not in done} or everywhere
    movers = sorted(n for n, (_, able) in team.items() if "navigate" in able)
    load = dict.fromkeys(movers, 0)
    shares: dict[str, list[str]] = {n: [] for n in movers}

    def able(place: str) -> list[str]:
        tag = places[place][0]
        return [n for n in movers if can_search(tag, *team[n])]

    for place in sorted(places, key=lambda p: (len(able(p)), p)):
        if able(place):
            robot = min(able(place), key=lambda n: (load[n], n))
            load[robot] += 2 if places[place][0] == "box" else 1
            shares[robot].append(place)
    parts = [f"{n}: {', '.join(found)}" for n, found in shares.items() if found]
    arms = [f"{n}: {fixed}" for n in team if n not in movers]
    return "; ".join(parts + arms)


def can_search(tag: str, about: str, able: tuple[str, ...]) -> bool:
    if tag == "high":
        return bool(re.search(r"\b(fl(y|ies|ying)|drone)\b", about))
    return tag != "box" or "open" in able


def best_shift(costmap: str) -> str:
    """The spot marked o that is nearest to R; the rows say their dy."""
    best = None
    for row, dy in re.findall(r"^([#.oRT]+)  dy=([-+][\d.]+)$", costmap, re.M):
        middle = len(row) // 2
        for i, sign in enumerate(row):
            if sign == "o":
                dx, y = (i - middle) * 0.2, float(dy)
                if best is None or dx * dx + y * y < best[0]:
                    best = (dx * dx + y * y, f"{dx:.1f}, {y:.1f}")
    told = re.search(r"free and close enough: (\S+, \S+)", costmap)
    return best[1] if best else told.group(1) if told else "0.0, 0.0"
