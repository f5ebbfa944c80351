"""Stopping robots, and what rests since: a stop holds until somebody says continue.

A robot that was stopped is not planned with, and nothing that waits begins by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Protocol

from coterie.core.skill import Rule
from coterie.mission.dialogue.speech import Mission
from coterie.mission.dialogue.thread import Deed, Thread
from coterie.mission.dialogue.zones import STOPPED
from coterie.mission.goals import Goal
from coterie.mission.reports import MISSION
from coterie.talk import meanings as m
from coterie.talk.wording import Wording, listed, upper

ALL = ""  # in the place of a robot: everybody was stopped


class Rest(NamedTuple):
    """Who let a goal rest, and how: stop (everything), robots (some), pause (that goal)."""

    person: str
    how: str


class Orders(Protocol):
    """What people want, as far as steering is about it."""

    standing: list[Any]  # orders that wait for something
    chains: list[Any]

    @property
    def wording(self) -> Wording: ...
    def order(self, thread: Thread, order: m.Order) -> str: ...
    def against(self, skill: str, about: Mapping[str, str], words: str) -> Rule: ...


class Resting:
    """What was stopped, by whom."""

    def __init__(self, mission: Mission, doing: Orders):
        self.mission, self.doing = mission, doing
        self.held: dict[str, str] = {}  # who stopped which robot
        self.rests: dict[str, Rest] = {}
        self.said: list[str] = []  # who has stopped robots and let them go on, the last at the end

    def stop(self, thread: Thread, stop: m.Stop) -> str:
        person, mission = thread.person, self.mission
        thread.did(Deed(stop))
        self.said.append(f"{person} stopped {listed(stop.robots) or 'everything'}")
        if not stop.robots:
            owners = {mission._root(g).by for g in mission.goals.live()}
            for goal in self._live():
                if goal.state != "paused":
                    self.rests[goal.id] = Rest(person, "stop")
            mission._stop_all(person)
            self.held[ALL] = person
            self.inform(owners, person, f"{person} has stopped everything.")
            return "Everything stops. Say continue to go on."
        goals = [g for g in self._of_robots(stop.robots) if g.state != "paused"]
        for goal in goals:
            self.rests[goal.id] = Rest(person, "robots")
            mission.goals.pause(goal.id, MISSION, f"{person} stopped {listed(stop.robots)}")
            mission._withdraw(goal)
            self.inform({goal.by}, person, f"{person} has stopped {listed(stop.robots)}: {goal.name} rests.")
        for robot in stop.robots:
            self._hold(robot, person)
        return f"{listed(stop.robots)} stop{'s' if len(stop.robots) == 1 else ''}. Say continue to go on."

    def _of_robots(self, robots: Iterable[str]) -> list[Goal]:
        """Goals for which robots have something to do, now or later."""
        mission, names = self.mission, set(robots)
        ids = {mission._root(mission.goals[i.goal]).id for i in mission.agenda if names & {i.robot, *i.action.args}}
        return [mission.goals[i] for i in sorted(ids)]

    def _hold(self, robot: str, person: str) -> None:
        """No plan counts on a robot that was stopped."""
        self.held[robot] = person
        for skill, about in self.mission.speech.limits(m.ABLE, robot, "", False) or ():
            rule = self.doing.against(skill, about, f"{person} has stopped {robot}.")
            name = self._name(robot, skill)
            self.mission.recovery.rules[name] = Rule(name, rule.skill, rule.clause)

    def _let_go(self, robots: Iterable[str]) -> set[str]:
        """Robots may move again; who had stopped them."""
        found = set()
        for robot in [r for r in robots if r in self.held]:
            found.add(self.held.pop(robot))
            for skill, _ in self.mission.speech.limits(m.ABLE, robot, "", False) or () if robot else ():
                self.mission.recovery.rules.pop(self._name(robot, skill), None)
        return found

    def _name(self, robot: str, skill: str) -> str:
        """Not by the robot's name: it can do it, and is not to."""
        number = sorted(self.mission.cards).index(robot) if robot in self.mission.cards else robot
        return f"{STOPPED}{number}: {skill}"

    def stopper(self, person: str, robots: Iterable[str]) -> str:
        """What somebody else has stopped, if an order may not begin because of it."""
        for robot in (ALL, *robots):
            by = self.held.get(robot)
            if by is not None and by != person:
                return f"{by} has stopped {robot or 'everything'}."
        return ""

    def ordered(self, thread: Thread, robots: Iterable[str]) -> None:
        """A robot that is named in an order moves again; a stop of which nothing rests any more is over."""
        self._let_go(r for r in robots if r)
        if not self.doing.chains and not any(g.state == "paused" for g in self._live()):
            self.held.pop(ALL, None)

    def let_rest(self, id: str, person: str) -> None:
        """A goal rests until somebody says continue, since what it stands for did."""
        goal = self.mission.goals[id]
        if not goal.over and goal.state != "paused":
            self.rests[id] = Rest(person, "stop")
            self.mission.goals.pause(id, MISSION, "what it replaces rested")
            self.mission._withdraw(self.mission.goals[id])

    def rest(self, thread: Thread) -> str:
        """What was ordered last rests, as what it is ordered instead of did."""
        last = thread.last
        for id in last.goals if last is not None else ():
            self.let_rest(id, thread.person)
        return " It rests, as before; say continue to go on."

    def who(self, robot: str) -> str:
        """Who has stopped a robot, or all, or let them go on; empty where nobody did."""
        held = next((r for r in (robot, ALL) if r in self.held), None)
        if held is not None:
            now = f"{upper(self.held[held])} stopped {held or 'everything'}; it rests until somebody says continue."
            on = next((s for s in reversed(self.said) if s.endswith("said continue")), "")
            return f"{now} Before that {on}." if on else now
        resting = [g for g in self._live() if g.state == "paused" and (not robot or g in self._of_robots([robot]))]
        if resting:
            return self._left().removeprefix(" ")
        return f"{upper(', then '.join(self.said[-2:]))}." if self.said else ""

    def inform(self, people: Iterable[str], by: str, words: str) -> None:
        for other in sorted(set(people)):
            if other not in (by, MISSION, ""):
                self.mission.desk.tell(other, words)

    def _live(self) -> list[Goal]:
        return [g for g in self.mission.goals.live() if not g.parent]

    def _rest(self, goal: Goal) -> Rest:
        return self.rests.get(goal.id, Rest("", "stop"))

    def _left(self) -> str:
        """What rests all the same."""
        resting = [g for g in self._live() if g.state == "paused"]
        names = listed([self.mission.name_of(g) for g in resting])
        by = listed(sorted({self._rest(g).person for g in resting} - {""}))
        return f" Still at rest{f', by {by}' if by else ''}: {names}." if resting else ""
