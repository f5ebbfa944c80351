"""Plans for any job of picking and placing, made from what skills declare: when they can be used, and what then holds.

Each thing that is not where the goal wants it is led there by a search over the skills of all robots, one action after
another; what lies on it, or takes up the room it needs, goes first. A round takes one action of each robot.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from coterie.core.action import WAIT, Action
from coterie.core.facts import UNKNOWN
from coterie.core.skill import outcome_of
from coterie.protocols.rounds.oracle.read import Joint, Paper, thinner
from coterie.worlds.tabletop.own_jobs.job import FLOOR, HELD, OFF, ON, TABLE, WANTED, Wish
from coterie.worlds.tabletop.skills import VERBS, spelt

MOST_STEPS = 8  # actions from where a thing is to where it goes
MOST_PLANS = 24
Where = tuple[str, str]  # ON and what it lies on, or HELD and by whom


class Move(NamedTuple):
    """The next action for a thing."""

    robot: str
    action: Action
    steps: int  # actions that it takes in all

    @property
    def goes(self) -> str:
        return str(self.action.args[1]) if len(self.action.args) > 1 else ""


class State(NamedTuple):
    """How things stand, as far as plans depend on it."""

    wishes: tuple[Wish, ...]
    lies: Mapping[str, str]  # thing -> what it lies on
    held: Mapping[str, str]  # robot -> thing
    places: Mapping[str, Collection[str]]  # robot -> places that it reaches
    takes: Mapping[str, Collection[str]]  # robot -> things that it reaches where they lie
    verbs: Mapping[str, Collection[str]]
    full: Collection[str] = ()
    only: Mapping[str, Collection[str]] = {}  # place -> things that it is for

    def plans(self) -> Iterator[dict[str, Action]]:
        """Joint actions, the best first: as many robots at work as can be, then other beginnings, then without a robot
        that was to take something, which may not get there after all."""
        moves = self.moves()
        yield from self._joined(moves)
        for robot, action, _ in moves:
            takes = {**self.takes, robot: [t for t in self.takes.get(robot, ()) if t != action.args[0]]}
            yield from self._joined(self._replace(takes=takes).moves())

    def _joined(self, moves: list[Move]) -> Iterator[dict[str, Action]]:
        for first in range(min(len(moves), MOST_PLANS)):
            joint: dict[str, Action] = {}
            used: set[str] = set()
            for move in (*moves[first:], *moves[:first]):
                names = {str(move.action.args[0]), move.goes} - {""}
                if move.robot not in joint and not names & used:
                    joint[move.robot] = move.action
                    used |= names
            yield {r: joint.get(r, Action(WAIT)) for r in self.verbs}

    def moves(self) -> list[Move]:
        """Next actions of all things that have to move, hands that hold something first. Where things wait for each
        other, one of them makes room."""
        found = self._first_of(self._wanted())
        if not found and self.full and self._replace(full=()).moves():
            found = self._first_of((thing, _on_table) for thing, below in self.lies.items() if below in self.full)
        return sorted(found.values(), key=lambda m: m.robot not in self.held)

    def _first_of(self, wanted: Iterable[tuple[str, Callable[[Where], bool]]]) -> dict[tuple[str, Action], Move]:
        moves = (move for thing, test in wanted for move in self._ways(thing, test))
        return {(move.robot, move.action): move for move in moves}

    def _wanted(self) -> Iterator[tuple[str, Callable[[Where], bool]]]:
        """Things with a test of where they may end, those first that others wait for."""
        on = {below: thing for thing, below in self.lies.items()}
        unmet = [w for w in self.wishes if not w.holds(self.lies, self.held)]
        for wish in unmet:
            target = wish.other if wish.how == ON else ""
            above = on.get(wish.thing) or (on.get(target) if target in self.lies else None)
            if above is not None:
                yield above, self._aside(above)
            elif target in self.full:
                others = [t for t, p in self.lies.items() if p == target]
                for other in [t for t in others if Wish(t, ON, target) not in self.wishes]:
                    yield other, self._aside(other)
            elif not any(w.thing == target for w in unmet):  # what it is to lie on moves first
                yield wish.thing, self._met(wish)
        for thing in self.held.values():
            if not any(w.thing == thing and (w in unmet or w.how == HELD) for w in self.wishes):
                yield thing, self._aside(thing)

    def _met(self, wish: Wish) -> Callable[[Where], bool]:
        if wish.how == OFF:
            return lambda where: where[0] == ON and where[1] not in (wish.other, FLOOR)
        return lambda where: where == (wish.how, wish.other)

    def _aside(self, thing: str) -> Callable[[Where], bool]:
        """Out of the way: where it is wanted, else on the table."""
        own = next((w for w in self.wishes if w.thing == thing and w.how == ON), None)
        blocked = own is None or own.other in self.full or own.other in self.lies
        return _on_table if blocked or own is None else self._met(own)

    def _ways(self, thing: str, test: Callable[[Where], bool]) -> list[Move]:
        """First actions of the shortest ways of a thing to where a test is met, and of longer ones by other robots."""
        begin = self._where(thing)
        level: list[tuple[Where, Move | None]] = [(begin, None)]
        seen, found = {begin}, dict[str, Move]()
        for steps in range(1, MOST_STEPS + 1):
            later: list[tuple[Where, Move | None]] = []
            for where, first in level:
                for robot, action, after in self._actions(thing, where, begin):
                    move = first._replace(steps=steps) if first else Move(robot, action, steps)
                    if test(after):
                        found.setdefault(str((move.robot, move.action)), move)
                    elif after not in seen:
                        seen.add(after)
                        later.append((after, move))
            if found or not later:
                break
            level = later
        return list(found.values())

    def _where(self, thing: str) -> Where:
        by = next((r for r, t in self.held.items() if t == thing), None)
        return (HELD, by) if by else (ON, self.lies.get(thing, TABLE))

    def _actions(self, thing: str, where: Where, begin: Where) -> Iterator[tuple[str, Action, Where]]:
        """The actions of robots on a thing in a state, by the declarations of their skills, and where it is then."""
        for robot, verbs in self.verbs.items():
            if not (self._reaches(robot, thing, where, begin) if where[0] == ON else where[1] == robot):
                continue
            others = {r: t for r, t in self.held.items() if t != thing}
            holds = thing if where == (HELD, robot) else others.get(robot)

            def look(pred: str, *args: str, holds: str | None = holds) -> object:
                return holds if pred == "holding" else UNKNOWN

            for verb, args in self._calls(robot, thing, verbs):
                skill = VERBS[verb]
                bound = skill.bind(robot, args)
                if bound is None or any(test(look, bound) is False for _, test in skill.tests):
                    continue
                then = outcome_of(skill, bound, look)
                lies = then.get(("on", thing))
                if then.get(("holding", robot)) == thing:
                    yield robot, Action(verb, args), (HELD, robot)
                elif lies and (ON, lies) != where:
                    yield robot, Action(verb, args), (ON, str(lies))

    def _calls(self, robot: str, thing: str, verbs: Collection[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
        for verb in verbs:
            count = len(VERBS[verb].params)
            if count == 1:
                yield verb, (thing,)
            for target in self._targets(robot, thing) if count == 2 else ():
                yield verb, (thing, target)

    def _reaches(self, robot: str, thing: str, where: Where, begin: Where) -> bool:
        return thing in self.takes.get(robot, ()) if where == begin else where[1] in self.places.get(robot, ())

    def _targets(self, robot: str, thing: str) -> list[str]:
        """Where a robot could put a thing: what the goal names first, then places for handing it on."""
        named = [w.other for w in self.wishes if w.thing == thing and w.how == ON]
        things = [t for t in named if t in self.lies and t in self.takes.get(robot, ())]
        places = sorted(self.places.get(robot, ()), key=lambda p: (p not in named, p == TABLE))
        fit = [p for p in places if p not in self.full and thing in self.only.get(p, (thing,))]
        return [*things, *fit, *([TABLE] if TABLE not in fit else [])]


def _on_table(where: Where) -> bool:
    return where == (ON, TABLE)


def plans(paper: Paper) -> Iterator[Joint]:
    """The plans of the text oracle, from its prompt alone."""
    wishes = tuple(map(Wish.of, filter(None, paper.goal.partition(WANTED)[2].rstrip(".").split("; "))))
    reach = {r: p.split(", ") for r, p in re.findall(r"(\w+) reaches ([\w, ]+), and \w+ before it", paper.roles)}
    near = {r: t.split(", ") for r, t in re.findall(r"(\w+) can take ([\w, ]+);", paper.sight)}
    only = {p: t.split(", ") for p, t in re.findall(r"(\w+) is for ([\w, ]+) alone", paper.roles)}
    full = re.findall(r"(\w+) has no room left", paper.sight)
    lies = dict(re.findall(r"(\w+) is on (\w+)", paper.sight))
    verbs = {r: [v for v in paper.verbs.get(r, ()) if v in VERBS] for r in paper.robots}
    state = State(wishes, lies, paper.held(), reach, near, verbs, full, only)
    for joint in state.plans():
        said = {r: "WAIT" if a.skill == WAIT else spelt(VERBS[a.skill], a.args) for r, a in joint.items()}
        yield from thinner(said)
