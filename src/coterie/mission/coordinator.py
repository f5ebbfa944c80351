"""The mission itself: goals of people, plans for them, what robots do next, and what to do when something goes wrong.

It is told what robots and people report (`reports`, `hear`), thinks (`think`), and says what each idle robot does
(`next_step`). It knows nothing but what was reported, and no clock but the one it is given.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from coterie.core.action import Cause, Outcome
from coterie.core.errors import CoterieError
from coterie.core.protocol import RobotView
from coterie.mission.agenda import Item
from coterie.mission.assess import Trial
from coterie.mission.goals import Failure, Goal
from coterie.mission.newcomers import Newcomers
from coterie.mission.orders import typed
from coterie.mission.reports import of_outcome, vanished


class Coordinator(Newcomers):
    """One mission. The layers below say how goals are served, mended, approved and given."""

    def hear_robots(self, robots: Mapping[str, RobotView], ended: Mapping[str, Outcome], now: float) -> None:
        """The team as it is, and what became of the steps of those who are idle again."""
        self.journal.time = max(self.journal.time, now)
        self.cards.update({name: view.card for name, view in robots.items()})
        come, gone = self.reports.roster(robots, now)
        for robot in come:
            self.desk.note("joined", robot=robot, skills=list(robots[robot].card.skills))
            for skill, ok, took, usual, context in self.domain.experience(robots[robot].card):
                self.trials.add(Trial(skill, robot, ok, took, usual, context))
        expected: list[tuple[Item, Outcome, Mapping[Any, Any]]] = []
        for robot, outcome in ended.items():
            item = self.agenda.doing(robot)
            if item is None or robot in gone:
                continue
            if outcome.status == "cancelled":
                self.agenda.put_back(item)
                continue
            if outcome.ok:
                expected.append((item, outcome, self.reports.expect(item, outcome, self.now_only())))
            self.agenda.end(item, outcome.ok, now)
            if not outcome.ok:
                self._record(item, False, outcome)
                self._failures.append((item.goal, of_outcome(item, outcome)))
        self.reports.take_in(robots)
        for item, outcome, wanted in expected:
            cause = self.reports.contradicted(wanted, robots[item.robot], outcome)
            self._record(item, cause is None, outcome)
            if cause is not None:
                item.state = "failed"
                found = Failure("EFFECT", cause, item.robot, item.action.skill, item.action.args)
                self._failures.append((item.goal, found))
        for robot in gone:
            self._vanished(robot)

    def _vanished(self, robot: str) -> None:
        self.desk.note("vanished", robot=robot)
        running = self.agenda.doing(robot)
        if running is not None:
            self.agenda.end(running, False, self.now)
        broken: dict[str, Item] = {} if running is None else {running.goal: running}
        for item in self.agenda.waiting():
            if robot == item.robot or robot in item.action.args:
                broken.setdefault(item.goal, item)
        for goal, item in broken.items():
            failure = vanished(item, "EXECUTION" if item is running else "PRECONDITION")
            cause = Cause("online", ("online", (robot,), False), "during")
            self._failures.append((goal, Failure(failure.stage, cause, robot, item.action.skill, item.action.args)))

    def at_once(self, text: str) -> str:
        """The urgent meaning of words that are heard later (stop, cancel or pause); else anything."""
        return typed(text).what

    def think(self) -> None:
        """Until nothing more is to be decided at this moment."""
        for _ in range(50):
            if not (self._mend() or self._settle() or self._watch() or self._use_newcomers()):
                return
        raise CoterieError("The mission does not come to an end of its thoughts; this is a defect.")

    def _mend(self) -> bool:
        some = bool(self._failures)
        while self._failures:
            id, failure = self._failures.pop(0)
            goal = self.goals[id]
            if not goal.over and goal.state != "paused":
                self._failed(goal, failure)
        return some

    def _settle(self) -> bool:
        """Let every goal go where it can."""
        for goal in self.goals.expire():
            self._unanswered(self.goals[goal.id])
        for goal in self.goals.live():
            wanted = self.wanted_of(goal)
            if wanted.request is not None and self.now >= wanted.request.until_s:
                person, wanted.request = wanted.request.person, None
                self._no_help(goal, person)
                return True
            if goal.state == "submitted" and self._may_plan(goal):
                self._plan(goal)
                return True
            if goal.state == "running" and self._reached(goal):
                self._finish(goal)
                return True
            if goal.parent and goal.state == "running" and goal.holds(self.now_only().look) is True:
                self.agenda.drop([goal.id])  # what was looked for is found: what is under way ends, and no more begins
            if goal.state == "running" and not self.agenda.of(goal.id) and not self._comes_with_others(goal):
                if self._counted_on_others(goal):
                    self._end_attempt(goal, "stopped")
                    self.goals.move(goal.id, "submitted", why="others do not bring it about any more")
                    return True
                cause = self._open_condition(goal, self.now_only())
                self._failures.append((goal.id, Failure("EFFECT", cause)))
                return True
        return False

    def _comes_with_others(self, goal: Goal) -> bool:
        """True if steps for other goals bring a goal about, so that it needs none of its own."""
        return bool(list(self.agenda)) and goal.holds(self.now_like().look) is True

    def _counted_on_others(self, goal: Goal) -> bool:
        """True if a goal had no steps of its own, and is to be planned by itself; not twice at one moment."""
        last = goal.attempts[-2:]
        again = len(last) == 2 and not last[0].steps and last[0].begun_s == self.now
        return bool(last) and not last[-1].steps and not again

    def next_step(self, robot: str, meanwhile: bool = False) -> Item | None:
        """The robot's next step now; None: nothing, or it waits for others. `meanwhile`: while a plan is sought, and
        what has happened since was not thought about."""
        item = self.agenda.ready(robot)
        if item is None or (meanwhile and not self._undisturbed(item)):
            return None
        self.agenda.begin(item, self.now)
        if self.cards[robot].person:
            self.desk.tell(robot, self.please(item))
        return item

    def please(self, item: Item) -> str:
        """The request to a person of the team for a step, made from the robot's words for it ("Ann opens the door")."""
        verb, _, rest = self.domain.step_words(item.robot, item.action).removeprefix(f"{item.robot} ").partition(" ")
        plain = verb.removesuffix("es" if verb == "goes" else "s")
        return f"{item.robot}, please {plain} {rest}.".replace(" .", ".")

    def at_work(self) -> bool:
        """True if robots have something to do."""
        return bool(self.agenda.items)

    def _undisturbed(self, item: Item) -> bool:
        """True if nothing known speaks against a step, and nothing of its goal has failed."""
        failed = any(goal == item.goal for goal, _ in self._failures)
        running = self.goals[item.goal].state == "running"
        return running and not failed and self._hitch(item, self.now_only()) is None

    def cut_short(self, busy: Iterable[str]) -> list[str]:
        """End the steps of these robots at a stop that is heard later; they are begun again if at all."""
        mine = [i for r in busy if (i := self.agenda.doing(r)) is not None]
        for item in mine:
            self.agenda.put_back(item)
        return [i.robot for i in mine]

    def stopped(self, busy: Iterable[str]) -> list[str]:
        """Those of some robots that work for goals that rest or are called off, and are to stop what they do. What a
        plan for another goal counts on is done to its end: an order that was put right goes on from there."""
        mine = [i for r in busy if (i := self.agenda.doing(r)) is not None]
        found = [i for i in mine if self.goals[i.goal].state == "paused"]
        off = [i for i in mine if self.goals[i.goal].state == "cancelled"]
        found += [i for i in off if not self._counted_on(i)]
        for item in found:
            self.agenda.end(item, False, self.now)
        return [i.robot for i in found]

    def _counted_on(self, item: Item) -> bool:
        """True if a step still to be done depends on one that is under way."""
        later = self.now_only()
        for other in self.agenda:
            if other is not item:
                running = self.goals[other.goal].state == "running"
                if running and other.state == "waiting" and later.flaw(other.robot, other.action) is not None:
                    return True
                later.do(other.robot, other.action)
        return False
