"""Sweep Floor: both to the farthest cube, sweep it, and empty the pan when no cube is left."""

from __future__ import annotations

import re
from collections.abc import Iterator

from coterie.protocols.rounds.oracle.read import NUMBER, Joint, Paper, thinner


def _lying(paper: Paper) -> list[tuple[str, str, str]]:
    """Each cube, its x, and where it lies."""
    return re.findall(rf"(\w+) is at \(({NUMBER}), [^)]*\), (on the table|inside \w+)", paper.sight)


def reasons(paper: Paper) -> str:
    """The cubes on the table, the farthest first, and where robots stand."""
    left = {cube: x for cube, x, place in _lying(paper) if place == "on the table"}
    cubes = ", ".join(f"{c} at {left[c]}" for c in sorted(left, key=lambda c: -float(left[c])))
    stands = ", ".join(f"{robot} at {_stands(paper, robot) or 'none'}" for robot in paper.robots)
    return f"On the table: {cubes or 'nothing'}. {stands}."


def plans(paper: Paper) -> Iterator[Joint]:
    pan = "".join(re.findall(r"(\w+) holds the dustpan", paper.roles)[:1]) or paper.robots[0]
    broom = next((r for r in paper.robots if r != pan), pan)
    where = _lying(paper)
    left = {cube: float(x) for cube, x, place in where if place == "on the table"}
    stands = {r: _stands(paper, r) for r in paper.robots}
    for cube in sorted(left, key=lambda c: -left[c]):
        away = [r for r in paper.robots if stands[r] != cube]
        if not away:
            yield {pan: "WAIT", broom: f"SWEEP {cube}"}
        else:
            yield from thinner({r: f"MOVE {cube}" if r in away else "WAIT" for r in paper.robots})
    if not left or any(place == "inside dustpan" for _, _, place in where):
        yield {pan: "DUMP", broom: "WAIT"}


def _stands(paper: Paper, robot: str) -> str:
    """The cube that a robot is ready at."""
    found = re.search(rf"\b{robot} is at [^;]*? in front of (\w+)", paper.sight)
    return found.group(1) if found else ""
