"""Plans for jobs in which nobody is asked for the path of a hand, from the prompt alone, the best first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations

from coterie.protocols.rounds.oracle.read import NUMBER, Joint, Paper, thinner


# -- Sort Cubes -------------------------------------------------------------------------------------------------------
# A cube goes straight to its plate where one arm reaches both, else over the next place of hand-over.
def _sort_read(paper: Paper) -> tuple[dict[str, str], dict[str, str], dict[str, list[int]], list[int]]:
    """Where cubes belong, where they lie, what robots reach, and where cubes are handed on."""
    goal = dict(re.findall(r"(\w+) on (panel\d)", paper.goal))
    lies = dict(re.findall(r"(\w+) is (?:in|on) (panel\d)", paper.sight))
    reach = {r: _numbers(p) for r, p in re.findall(r"(\w+) reaches ((?:panel\d(?:, )?)+)", paper.roles)}
    return goal, lies, reach, _numbers("".join(re.findall(r"to hand it on, on (.*?)\.", paper.roles)[:1]))


def sort_reasons(paper: Paper, joint: Joint) -> str:
    """Each cube that lies wrong: where, where to, and who could bring it how far."""
    goal, lies, reach, shared = _sort_read(paper)
    said = []
    for cube in (c for c in goal if c in lies and lies[c] != goal[c]):
        at, to = _number(lies[cube]), _number(goal[cube])
        ways = {r: _target(at, to, reach.get(r, []), shared) for r in paper.robots if at in reach.get(r, [])}
        who = " or ".join(f"{robot} to panel{target}" for robot, target in ways.items() if target)
        said.append(f"{cube} from {lies[cube]} to {goal[cube]}: {who or 'nobody yet'}.")
    return " ".join(said) or "All seem right, and one is not."


def sort_plans(paper: Paper) -> Iterator[Joint]:
    goal, lies, reach, shared = _sort_read(paper)
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


# -- Make Sandwich ----------------------------------------------------------------------------------------------------
# Each fetches what comes next from its own side; the holder of the next layer puts it on the stack.
BOARD = "cutting_board"


def _sandwich_read(paper: Paper) -> tuple[list[str], list[str], str]:
    """The recipe, what of it is not stacked yet, and what lies on top."""
    order = paper.goal.partition("from the bottom: ")[2].rstrip(".").split(", ")
    stacked = set(re.findall(rf"(\w+) is (?:on {BOARD}|atop \w+)", paper.sight))
    rest = [f for f in order if f not in stacked]
    return order, rest, order[len(order) - len(rest) - 1] if len(rest) < len(order) else BOARD


def sandwich_reasons(paper: Paper, joint: Joint) -> str:
    """The next layer, what it goes on, and what each robot holds or has on its side of what is left."""
    _, rest, top = _sandwich_read(paper)
    held, said = paper.held(), []
    for robot in paper.robots:
        mine = f"has {', '.join(_near(paper, robot, rest)) or 'nothing'}"
        said.append(f"{robot} {f'holds {held[robot]}' if robot in held else mine}")
    return f"On top is {top}. Left: {', '.join(rest) or 'nothing'}. {'; '.join(said)}."


def _near(paper: Paper, robot: str, rest: list[str]) -> list[str]:
    """What is left of the recipe on a robot's own side, the next layer first."""
    near = re.findall(rf"(\w+) is on (?:your|{robot}'s) side", paper.seen[robot])
    return [food for food in rest if food in near]


def sandwich_plans(paper: Paper) -> Iterator[Joint]:
    order, rest, top = _sandwich_read(paper)
    held = paper.held()
    joint = {}
    for robot in paper.robots:
        holds = held.get(robot)
        mine = _near(paper, robot, rest)
        if holds:
            joint[robot] = f"PUT {holds} {top}" if rest and holds == rest[0] else "WAIT"
            if holds not in order:
                joint[robot] = f"PUT {holds} table"
        else:
            joint[robot] = f"PICK {mine[0]}" if mine else "WAIT"
    yield from thinner(joint)


# -- Sweep Floor ------------------------------------------------------------------------------------------------------
# Both to the farthest cube, sweep it, and empty the pan when no cube is left.
def _lying(paper: Paper) -> list[tuple[str, str, str]]:
    """Each cube, its x, and where it lies."""
    return re.findall(rf"(\w+) is at \(({NUMBER}), [^)]*\), (on the table|inside \w+)", paper.sight)


def sweep_reasons(paper: Paper, joint: Joint) -> str:
    """The cubes on the table, the farthest first, and where robots stand."""
    left = {cube: x for cube, x, place in _lying(paper) if place == "on the table"}
    cubes = ", ".join(f"{c} at {left[c]}" for c in sorted(left, key=lambda c: -float(left[c])))
    stands = ", ".join(f"{robot} at {_stands(paper, robot) or 'none'}" for robot in paper.robots)
    return f"On the table: {cubes or 'nothing'}. {stands}."


def sweep_plans(paper: Paper) -> Iterator[Joint]:
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


# -- Arrange Cabinet --------------------------------------------------------------------------------------------------
# Two arms take the handles and open the doors, the third then fetches mug and cup.
HANDLE = re.compile(r"\w*handle\w*")


class _Cabinet:
    """What a prompt tells about the cabinet: who reaches what, doors and their state, what is inside."""

    def __init__(self, paper: Paper):
        self.reach = {r: t.split(", ") for r, t in re.findall(r"(\w+) can reach ([\w, ]+)\.", paper.roles)}
        self.doors = dict(re.findall(r"(\w*door\w*) is (open|closed)", paper.sight))
        self.inside = list(dict.fromkeys(re.findall(r"(\w+) is inside cabinet", paper.sight)))
        self.keepers = _keepers(paper.robots, self.reach)


def cabinet_reasons(paper: Paper, joint: Joint) -> str:
    """The robot at each door, whether it holds the handle, and whose hands are free for what is inside."""
    cabinet, held = _Cabinet(paper), paper.held()
    said = []
    for handle, robot in cabinet.keepers.items():
        state = cabinet.doors.get(_door(handle), "closed")
        hand = "holds" if held.get(robot) == handle else "has to take"
        said.append(f"{_door(handle)} is {state}, {robot} {hand} its handle.")
    free = [r for r in paper.robots if r not in cabinet.keepers.values()]
    inside, hands = ", ".join(cabinet.inside) or "nothing", ", ".join(free) or "any free hand"
    return f"{' '.join(said)} Inside: {inside}, for {hands}."


def cabinet_plans(paper: Paper) -> Iterator[Joint]:
    cabinet, held = _Cabinet(paper), paper.held()
    reach, doors, inside, keepers = cabinet.reach, cabinet.doors, cabinet.inside, cabinet.keepers
    joint = dict.fromkeys(paper.robots, "WAIT")
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
