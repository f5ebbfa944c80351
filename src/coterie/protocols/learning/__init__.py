"""Learnt teammates: a network that was trained on what others did chooses the next sub-skill; others judge what is
misplaced and where it belongs.

At every decision, and every few steps on the way, a robot's own state and what its teammates told of theirs are fused
into one feature, from which the network names Explore, PickupObject, PutObject or Stop. What the sub-skill acts on is
found by rule: the nearest thing taken to be misplaced, the nearest likely receptacle. `benchmarks/learning.py` makes
the weights.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from coterie.core.action import WAIT, Action, Message
from coterie.core.protocol import Asking, Decision, RobotView, TeamView, protocols
from coterie.protocols.heuristic import Heuristic, thing_of
from coterie.protocols.heuristic.lines import code
from coterie.protocols.heuristic.talk import Talk
from coterie.protocols.learning.features import SKILLS, LearntSurvey, fused, mate_rows, nearest, own_row, weights
from coterie.worlds.household.knowledge.chart import chart_of
from coterie.worlds.household.knowledge.graph import Survey, Thing, room_at, survey_as, survey_of
from coterie.worlds.household.options import Explore, PickupObject, StopHere, Until, put_at

THINK_STEPS = 5  # between two choices on the way
AGAIN_STEPS = 20  # after which a robot turns around again


class LookAround(Explore):
    """It turns around in every room that is new to it, and every now and then on the way; otherwise it goes where the
    known ends. `looked` says in which rooms this robot has turned around, and when; it is kept by the caller."""

    def __init__(self, until: Until | None, looked: dict[str, int]):
        super().__init__("", until)
        self.looked = looked
        self._turns = 0

    def step(self, me: RobotView) -> Action | None:
        pose = chart_of(me).pose
        room = room_at(me.belief, pose[0], pose[1])
        last = max(self.looked.values(), default=me.step)
        if room and not self._turns and (room not in self.looked or me.step - last >= AGAIN_STEPS):
            self.looked[room] = me.step
            there = me.look("turned", me.name, "left")
            turn = (there[2] - pose[2]) % 360.0 if isinstance(there, tuple) else 90.0
            self._turns = round(360.0 / max(turn, 15.0))
        if self._turns:
            self._turns -= 1
            return Action("RotateLeft")
        return super().step(me)


class CodeTalk(Talk):
    """Messages in a compact code."""

    write = staticmethod(code)


class Learning(Heuristic):
    """One robot's mind. Choices come from the network; words and failures are kept as heuristic teammates do."""

    about = "household: a network cloned from demonstrations chooses sub-skills; others judge what belongs where"
    talks = CodeTalk

    def __init__(self) -> None:
        super().__init__()
        self.looked: dict[str, int] = {}  # rooms in which it has turned around, and when

    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        survey_as(team.me, LearntSurvey)  # everything that judges for this robot asks the networks
        return (yield from super().decide(team, idle))

    def hear(self, me: RobotView, new: Sequence[Message]) -> None:
        survey_as(me, LearntSurvey)
        super().hear(me, new)

    def avoided(self, me: RobotView) -> list[str]:
        """Things that went wrong lately, or that a stranger said it re-places."""
        guests = filter(None, map(thing_of, self.talk.guests.tasks()))
        return [*(thing for thing in self.failed if self._gave_up(me, thing)), *guests]

    def skill(self, me: RobotView, survey: Survey) -> str:
        """The sub-skill that the network chooses."""
        avoid = self.avoided(me)
        rows, there = mate_rows(me, survey, avoid)
        own = own_row(me, survey, avoid, self.place(me, survey))
        scores, _ = fused(weights("skill"), own[None], rows[None], there[None])
        return SKILLS[int(np.argmax(scores[0]))]

    def place(self, me: RobotView, survey: Survey) -> str | None:
        """Where what it holds could go."""
        held = me.belief.value("holding", me.name)
        if not isinstance(held, str):
            return None
        return self.home or self._home(me, survey, Thing(held, str(me.belief.value("kind", held)), me.name, None))

    # -- deciding -------------------------------------------------------------------------------------------------
    def _choose(self, me: RobotView, survey: Survey) -> Decision:
        self._seen = survey.version
        held = me.belief.value("holding", me.name)
        report = None if isinstance(held, str) else self._report(me)
        if report is not None:
            return report
        skill = self.skill(me, survey)
        if isinstance(held, str):
            self.thing = held
            place = self.place(me, survey)
            if place and skill == "PutObject":
                self.home = place
                return self._do(put_at(place, self._watch))
            return self._explore(me)
        self.thing = self.home = ""
        thing = nearest(me, survey, self.avoided(me))
        if skill == "PickupObject" and thing is not None:
            self.thing = thing.name
            self.home = self._home(me, survey, thing) or ""
            return self._do(PickupObject(thing.name, self._watch))
        if skill == "Stop" and not Explore("").worthwhile(me):  # who has stopped cannot be called back
            return self._do(StopHere())
        return self._explore(me)

    def _explore(self, me: RobotView) -> Decision:
        """Wherever the known ends: who goes where is not agreed upon."""
        option = LookAround(self._watch, self.looked)
        if option.worthwhile(me):
            return self._do(option)
        return Action(WAIT, why="nothing left to explore")

    def _watch(self, me: RobotView) -> str | None:
        survey = survey_of(me)
        if survey.version == self._seen and me.step % THINK_STEPS:
            return None
        self._seen = survey.version
        self.talk.news(me, survey)
        if me.step % THINK_STEPS == 0:
            self.talk.explored(me, survey)
        self.talk.send(me)
        option = self.option
        empty = me.belief.value("holding", me.name) is None
        if isinstance(option, PickupObject) and empty and self.thing not in survey.astray:
            return f"{self.thing} is not astray any more"
        if isinstance(option, Explore):
            if self._unreported(me):
                return "something is found"
            skill, held = self.skill(me, survey), isinstance(me.belief.value("holding", me.name), str)
            if skill == "PickupObject" and not held and nearest(me, survey, self.avoided(me)) is not None:
                return "the network chooses PickupObject"
            if skill == "PutObject" and held and self.place(me, survey):
                return "the network chooses PutObject"
        return None


protocols.put("learning", Learning, "no-model", "household")
