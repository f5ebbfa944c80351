"""The mission as a protocol: one mind over all robots of its party, which serves people's goals.

It sees what its robots see, pooled, and hears what people say to any of them; it asks no model. All it decides follows
from that, so a log replays. Where time goes on while a plan is sought (`thought.Pace`), robots go on with what is
planned already; what people say meanwhile is heard after it, and a stop at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from coterie.core.action import PERSON, WAIT, Action, Message
from coterie.core.bounds import load_json
from coterie.core.entry import WorldEntry
from coterie.core.errors import CoterieError
from coterie.core.protocol import Asking, TeamProtocol, TeamView, protocols
from coterie.mission.coordinator import Coordinator
from coterie.mission.planner import MissionPlanner
from coterie.mission.policies import BUILT_IN, Policies
from coterie.mission.thought import Pace, Thought, pace
from coterie.planning.answer import EARLIER
from coterie.worlds import worlds

BACK_S = 10.0  # for a robot with a driver of its own to be back in contact


class Mission(TeamProtocol):
    sees = "pooled"
    about = "people's goals through any robots' skills: plans, watches, mends and asks"

    def __init__(self, make: Callable[..., Coordinator] = Coordinator, but: str = "") -> None:
        self._make = make
        self.about = f"{type(self).about}{but and '; '}{but}"
        self.coordinator: Coordinator | None = None
        self._heard: dict[int, Message] = {}
        self._said: list[tuple[str, str]] = []  # by whom and what, not taken in yet
        self._tasks: dict[int, str] = {}  # wishes of the task by number, and the goals that were made of them
        self._pace: Pace | None = None
        self._thought: Thought | None = None  # under way
        self._due = math.inf  # when it goes on
        self._came = False  # the plan for which it rests
        self._holds = False  # a person wants less to be done: until that is heard nothing is begun
        self._stops = False  # and what is done ends, too

    # -- the loop asks --------------------------------------------------------------------------------------------
    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        mission = self._ready(team)
        ended = {
            r: o for r in idle if (o := team.robots[r].outcome) is not None and mission.agenda.doing(r) is not None
        }
        mission.hear_robots(team.robots, ended, team.time)
        self._listen(team)
        went_on = self._think(mission, team, self._goal(team))
        self.wakes = team.time if went_on else self._due  # those who stand by may have something to do now
        decided = {robot: self._next(mission, robot) for robot in idle}
        team.notes.extend(mission.desk.take())
        return decided
        yield []  # makes this a generator

    def between(self, team: TeamView, busy: Sequence[str]) -> Asking:
        """Take in new words or a plan: robots that only stand by may begin, and those that should not
        go on stop."""
        mission = self._ready(team)
        mission.hear_robots(team.robots, {}, team.time)
        self._listen(team)
        self._think(mission, team)
        self.wakes = self._due
        stop = mission.stopped(busy)
        if self._stops:
            stop += mission.cut_short([r for r in busy if r not in stop])
        decided = {r: Action(WAIT, why="stopped") for r in stop}
        for robot in busy:
            if robot not in stop and mission.agenda.doing(robot) is None:
                action = self._next(mission, robot)
                if action.skill != WAIT:
                    decided[robot] = action
        team.notes.extend(mission.desk.take())
        return decided
        yield []

    def alone(self, time: float, said: Sequence[Message]) -> Sequence[Mapping[str, Any]]:
        """Every robot has vanished: what was wanted of them is given up with that as its reason, or asked of people."""
        mission = self.coordinator
        if mission is None:
            return ()
        mission.hear_robots({}, {}, time)
        self._said += [(m.sender, m.text) for m in said]
        while self._thought is not None:  # nobody is left who could do something else meanwhile
            self._go_on(self._thought, time)
        self._take_in(mission)
        mission.think()
        return list(mission.desk.take())

    # -- thinking -------------------------------------------------------------------------------------------------
    def _think(self, mission: Coordinator, team: TeamView, goal: Any = None) -> bool:
        """Think, or go on with it where a plan is there. Whether a thought that had rested went on."""
        if self._pace is None:
            self._take_in(mission, goal)
            mission.think()
            return False
        rested = self._thought is not None
        if rested and team.time < self._due - 1e-9:
            return False
        while True:
            if self._thought is None:
                think = partial(_thoughts, mission, partial(self._take_in, mission, goal))
                self._thought = Thought(think, mission.planner, self)
            self._go_on(self._thought, team.time)
            if self._thought is not None or not self._said:
                return rested

    def _go_on(self, thought: Thought, time: float) -> None:
        assert self._pace is not None
        self._came = False
        over = thought.go_on()
        self._due = math.inf if over or self._pace.live else time + self._pace.seconds
        if over:
            self._thought, self._holds, self._stops = None, False, False

    def arrived(self) -> Sequence[str]:
        live = self._pace is not None and self._pace.live
        return ["plan"] if live and self._thought is not None and self._thought.ready and not self._came else ()

    def came(self, what: str, time: float) -> None:
        if self._thought is not None:
            self._came, self._due, self.wakes = True, time, time

    def _take_in(self, mission: Coordinator, goal: Any = None) -> None:
        """Take in what people have said, and what the task wants."""
        said, self._said = self._said, []
        for person, text in said:
            mission.hear(person, text)
        if goal is not None:
            self._serve_task(mission, goal)

    def _next(self, mission: Coordinator, robot: str) -> Action:
        item = None if self._holds else mission.next_step(robot, self._thought is not None)
        if item is None:
            return Action(WAIT, why="nothing to do" if not mission.agenda.items else "waits for others")
        return item.action._replace(why=mission.name_of(mission.goals[item.goal]))

    # -- making and hearing ---------------------------------------------------------------------------------------
    def _ready(self, team: TeamView) -> Coordinator:
        if self.coordinator is None:
            view = next(iter(team.robots.values()))
            home: Any = next((s.home for s in view.skills.values() if s is not None and s.home is not None), None)
            entry = worlds.get(home.world) if home is not None and home.world in worlds else None
            domain = entry.domain(view.belief.base) if entry is not None else None
            if domain is None or team.lookup is None:
                raise CoterieError("Nobody has said what goals mean in this world: its entry gives no `domain`.")
            self.coordinator = self._make(domain, team.lookup, seed=view.seed)
            for fact in view.belief.facts(EARLIER):
                self.coordinator.planner.remember(load_json(str(fact.value)))
            self._pace = pace()
            if self._pace is not None and self._pace.live:
                self.coordinator.reports.patience_s = BACK_S
        return self.coordinator

    def _listen(self, team: TeamView) -> None:
        """Every robot hears the same words, which are one message; who says the same twice has said it twice, also at
        the same time."""
        for m in [m for view in team.robots.values() for m in view.inbox if m.via == PERSON]:
            if id(m) not in self._heard:
                self._heard[id(m)] = m
                self._said.append((m.sender, m.text))
                if self._thought is not None and self.coordinator is not None:
                    self._heed(self.coordinator.at_once(m.text))

    def _heed(self, wants: str) -> None:
        """Note a stop, cancel or pause, which must not wait until a plan is found."""
        self._stops |= wants == "stop"
        self._holds |= wants in ("cancel", "pause") or self._stops

    @staticmethod
    def _goal(team: TeamView) -> Any:
        """The goal of the task itself."""
        return next((view.look("goal") for view in team.robots.values()), None)

    def _serve_task(self, mission: Coordinator, goal: Any) -> None:
        """Submit the wishes of the task, as if a person had asked for them; when it changes, the goals do."""
        for i, wish in enumerate(mission.domain.wishes(goal)):
            if i not in self._tasks:
                self._tasks[i] = mission.submit(wish, goal.by).id
            elif mission.wanted[self._tasks[i]].wish != wish and not mission.goals[self._tasks[i]].over:
                mission.amend(mission.goals[self._tasks[i]], wish, goal.by)


def _thoughts(mission: Coordinator, take_in: Callable[[], None]) -> None:
    take_in()
    mission.think()


def with_engine(engine: str, domain: Any, lookup: Any, **more: Any) -> Coordinator:
    return Coordinator(domain, lookup, planner=MissionPlanner(domain, engine), **more)


def with_policies(names: Sequence[str], domain: Any, lookup: Any, **more: Any) -> Coordinator:
    """A mission that knows these ways out of a failure and no others."""
    chosen = Policies([p for p in BUILT_IN if p.name in names])
    return Coordinator(domain, lookup, policies=chosen, replans="another way" in names, **more)


#: Missions with fewer ways out, to be compared with: their policies, and that in words.
FEWER: Mapping[str, tuple[tuple[str, ...], str]] = {
    "no-recovery": ((), "the first failure is the end"),
    "retry": (("retry",), "after a failure the same once more, and nothing else"),
    "replan": (("another way",), "after a failure another plan for the goal, and nothing else"),
}


def talking(domain: Any, lookup: Any, **more: Any) -> Coordinator:
    """A mission that people talk to; others need nothing of it."""
    from coterie.mission.dialogue.talker import Talker

    return Talker(domain, lookup, **more)


#: Worlds in which people give goals: those that say what goals mean there.
_WORLDS = [name for name, entry in worlds.items() if type(entry).domain is not WorldEntry.domain]
protocols.put("mission", Mission, "no-model", *_WORLDS)
for _engine in ("own", "enhsp"):
    protocols.put(f"mission:{_engine}", partial(Mission, partial(with_engine, _engine)), "no-model", *_WORLDS)
for _name, (_policies, _but) in FEWER.items():
    _make = partial(Mission, partial(with_policies, _policies), _but)
    protocols.put(f"mission:{_name}", _make, "no-model", "ablation", *_WORLDS)
protocols.put("mission:talk", partial(Mission, talking), "no-model", *_WORLDS)
