"""Arrange Cabinet: two arms take the handles and open the doors, the third then fetches mug and cup."""

from __future__ import annotations

import re
from collections.abc import Iterator

from coterie.protocols.rounds.oracle.read import Joint, Paper, thinner

HANDLE = re.compile(r"\w*handle\w*")


def plans(paper: Paper) -> Iterator[Joint]:
    reach = {r: t.split(", ") for r, t in re.findall(r"(\w+) can reach ([\w, ]+)\.", paper.roles)}
    held = paper.held()
    doors = dict(re.findall(r"(\w*door\w*) is (open|closed)", paper.sight))
    inside = list(dict.fromkeys(re.findall(r"(\w+) is inside cabinet", paper.sight)))
    joint = dict.fromkeys(paper.robots, "WAIT")
    keepers = _keepers(paper.robots, reach)
    for handle, robot in keepers.items():
        if doors.get(_door(handle)) != "open":
            joint[robot] = f"OPEN {handle}" if held.get(robot) == handle else f"PICK {handle}"
    if all(a == "WAIT" for a in joint.values()):
        for thing in inside:
            able = [r for r in paper.robots if thing in reach.get(r, []) and r not in held]
            for robot in sorted(able, key=lambda r: r in keepers.values()):
                yield {**joint, robot: f"PICK {thing} PLACE {thing}_coaster"}
        return
    yield from thinner(joint)


def _keepers(robots: list[str], reach: dict[str, list[str]]) -> dict[str, str]:
    """The robot that opens and holds each door: each robot at most one."""
    found: dict[str, str] = {}
    for robot in robots:
        mine = [t for t in reach.get(robot, []) if HANDLE.fullmatch(t) and t not in found]
        if mine:
            found[mine[0]] = robot
    return found


def _door(handle: str) -> str:
    return handle.replace("_handle", "").removesuffix("_")
