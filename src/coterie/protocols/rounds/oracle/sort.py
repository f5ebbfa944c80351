"""Sort Cubes: a cube goes straight to its plate where one arm reaches both, else over the next place of hand-over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations

from coterie.protocols.rounds.oracle.read import Joint, Paper, thinner


def _read(paper: Paper) -> tuple[dict[str, str], dict[str, str], dict[str, list[int]], list[int]]:
    """Where cubes belong, where they lie, what robots reach, and where cubes are handed on."""
    goal = dict(re.findall(r"(\w+) on (panel\d)", paper.goal))
    lies = dict(re.findall(r"(\w+) is (?:in|on) (panel\d)", paper.sight))
    reach = {r: _numbers(p) for r, p in re.findall(r"(\w+) reaches ((?:panel\d(?:, )?)+)", paper.roles)}
    return goal, lies, reach, _numbers("".join(re.findall(r"to hand it on, on (.*?)\.", paper.roles)[:1]))


def reasons(paper: Paper) -> str:
    """Each cube that lies wrong: where, where to, and who could bring it how far."""
    goal, lies, reach, shared = _read(paper)
    said = []
    for cube in (c for c in goal if c in lies and lies[c] != goal[c]):
        at, to = _number(lies[cube]), _number(goal[cube])
        ways = {r: _target(at, to, reach.get(r, []), shared) for r in paper.robots if at in reach.get(r, [])}
        who = " or ".join(f"{robot} to panel{target}" for robot, target in ways.items() if target)
        said.append(f"{cube} from {lies[cube]} to {goal[cube]}: {who or 'nobody yet'}.")
    return " ".join(said) or "All seem right, and one is not."


def plans(paper: Paper) -> Iterator[Joint]:
    goal, lies, reach, shared = _read(paper)
    cubes = [c for c in goal if c in lies and lies[c] != goal[c]]
    nearest = sorted(cubes, key=lambda c: abs(_number(lies[c]) - _number(goal[c])))
    for order in permutations(nearest):
        joint = dict.fromkeys(paper.robots, "WAIT")
        taken: set[int] = set()
        for cube in order:
            at, to = _number(lies[cube]), _number(goal[cube])
            for robot in paper.robots:
                target = _target(at, to, reach.get(robot, []), shared)
                if joint[robot] == "WAIT" and at in reach.get(robot, []) and target and target not in taken:
                    joint[robot] = f"PICK {cube} PLACE panel{target}"
                    taken.add(target)
                    break
        yield from thinner(joint)
    yield from _again(paper, goal, reach, shared)


def _again(paper: Paper, goal: dict[str, str], reach: dict[str, list[int]], shared: list[int]) -> Iterator[Joint]:
    """Single moves. All may seem right, but one was pushed and does not lie on its plate, likely one that was never put
    there; or cubes lie on each other's places, and one has to make room."""
    placed = dict(re.findall(r"PICK (\w+) PLACE (panel\d)", paper.past))
    for cube in sorted(goal, key=lambda c: placed.get(c) == goal[c]):
        places = [(r, p) for p in (_number(goal[cube]), *shared) for r in paper.robots if p in reach.get(r, [])]
        for robot, panel in places:
            yield {r: f"PICK {cube} PLACE panel{panel}" if r == robot else "WAIT" for r in paper.robots}


def _target(at: int, to: int, reach: list[int], shared: list[int]) -> int:
    """The plate, or the place of hand-over nearest to it on the way; 0 if there is none."""
    if to in reach:
        return to
    between = [p for p in shared if p in reach and min(at, to) < p < max(at, to)]
    return min(between, key=lambda p: abs(p - to), default=0)


def _numbers(panels: str) -> list[int]:
    return [int(n) for n in re.findall(r"panel(\d)", panels)]


def _number(panel: str) -> int:
    return int(panel.removeprefix("panel"))
