"""Make Sandwich: each fetches what comes next from its own side; the holder of the next layer puts it on the stack."""

from __future__ import annotations

import re
from collections.abc import Iterator

from coterie.protocols.rounds.oracle.read import Joint, Paper, thinner

BOARD = "cutting_board"


def _read(paper: Paper) -> tuple[list[str], list[str], str]:
    """The recipe, what of it is not stacked yet, and what lies on top."""
    order = paper.goal.partition("from the bottom: ")[2].rstrip(".").split(", ")
    stacked = set(re.findall(rf"(\w+) is (?:on {BOARD}|atop \w+)", paper.sight))
    rest = [f for f in order if f not in stacked]
    return order, rest, order[len(order) - len(rest) - 1] if len(rest) < len(order) else BOARD


def reasons(paper: Paper) -> str:
    """The next layer, what it goes on, and what each robot holds."""
    _, rest, top = _read(paper)
    held = paper.held()
    hands = ", ".join(f"{robot} holds {held.get(robot, 'nothing')}" for robot in paper.robots)
    return f"On top is {top}. Left: {', '.join(rest) or 'nothing'}. {hands}."


def plans(paper: Paper) -> Iterator[Joint]:
    order, rest, top = _read(paper)
    held = paper.held()
    joint = {}
    for robot in paper.robots:
        holds = held.get(robot)
        near = re.findall(rf"(\w+) is on (?:your|{robot}'s) side", paper.seen[robot])
        mine = [f for f in rest if f in near]
        if holds:
            joint[robot] = f"PUT {holds} {top}" if rest and holds == rest[0] else "WAIT"
            if holds not in order:
                joint[robot] = f"PUT {holds} table"
        else:
            joint[robot] = f"PICK {mine[0]}" if mine else "WAIT"
    yield from thinner(joint)
