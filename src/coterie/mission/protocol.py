"""The mission as a protocol: one mind over all robots of its party, which serves people's goals.

It sees what its robots see, pooled, and hears what people say to any of them; it asks no model. All it decides follows
from that, so a log replays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from coterie.core.action import PERSON, WAIT, Action, Message
from coterie.core.entry import WorldEntry
from coterie.core.errors import CoterieError
from coterie.core.protocol import Asking, TeamProtocol, TeamView, protocols
from coterie.mission.coordinator import Coordinator
from coterie.mission.planner import MissionPlanner
from coterie.mission.policies import BUILT_IN, Policies
from coterie.worlds import worlds


class Mission(TeamProtocol):
    sees = "pooled"
    about = "people's goals through any robots' skills: plans, watches, mends and asks"

    def __init__(self, make: Callable[..., Coordinator] = Coordinator, but: str = "") -> None:
        self._make = make
        self.about = f"{type(self).about}{but and '; '}{but}"
        self.coordinator: Coordinator | None = None
        self._heard: set[tuple[float, str, str, int]] = set()
        self._tasks: dict[int, str] = {}  # wishes of the task by number, and the goals that were made of them

    # -- the loop asks --------------------------------------------------------------------------------------------
    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        mission = self._ready(team)
        ended = {
            r: o for r in idle if (o := team.robots[r].outcome) is not None and mission.agenda.doing(r) is not None
        }
        mission.hear_robots(team.robots, ended, team.time)
        self._listen(mission, team)
        self._serve_task(mission, team)
        mission.think()
        decided = {robot: self._next(mission, robot) for robot in idle}
        team.notes.extend(mission.desk.take())
        return decided
        yield []  # makes this a generator

    def between(self, team: TeamView, busy: Sequence[str]) -> Asking:
        """Somebody has said something: those who only stand by may begin, and those who should not go on stop."""
        mission = self._ready(team)
        mission.hear_robots(team.robots, {}, team.time)
        self._listen(mission, team)
        mission.think()
        stop = mission.stopped(busy)
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
        for m in said:
            mission.hear(m.sender, m.text)
        mission.think()
        return list(mission.desk.take())

    def _next(self, mission: Coordinator, robot: str) -> Action:
        item = mission.next_step(robot)
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
        return self.coordinator

    def _listen(self, mission: Coordinator, team: TeamView) -> None:
        """Every robot hears the same words; who says the same twice has said it twice."""
        said: dict[tuple[float, str, str, int], Message] = {}
        for view in team.robots.values():
            times: Counter[tuple[float, str, str]] = Counter()
            for m in view.inbox:
                if m.via == PERSON:
                    times[m.time, m.sender, m.text] += 1
                    said.setdefault((m.time, m.sender, m.text, times[m.time, m.sender, m.text]), m)
        for mark, m in said.items():
            if mark not in self._heard:
                self._heard.add(mark)
                mission.hear(m.sender, m.text)

    def _serve_task(self, mission: Coordinator, team: TeamView) -> None:
        """What the task itself wants, as if somebody had asked for it; when it changes, the goals do."""
        goal: Any = next((view.look("goal") for view in team.robots.values()), None)
        for i, wish in enumerate(mission.domain.wishes(goal)):
            if i not in self._tasks:
                self._tasks[i] = mission.submit(wish, goal.by).id
            elif mission.wanted[self._tasks[i]].wish != wish and not mission.goals[self._tasks[i]].over:
                mission.amend(mission.goals[self._tasks[i]], wish, goal.by)


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
    """A mission that people talk to; whoever does not needs nothing of it."""
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
