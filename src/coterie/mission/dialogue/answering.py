"""What all answers to questions are made of: the goals, steps and guesses of a mission, and what its people know."""

from __future__ import annotations

import contextlib
import copy
import threading
from collections.abc import Iterator, Sequence
from typing import Any

from coterie.mission.agenda import Item
from coterie.mission.assess import Assessment, Assessor, PlanStep
from coterie.mission.dialogue.speech import Mission, Speech
from coterie.mission.dialogue.supposing import Supposing
from coterie.mission.dialogue.thread import Thread
from coterie.mission.estimate import context_of
from coterie.mission.goals import Goal
from coterie.planning.answer import Answer
from coterie.planning.question import Step

MOST_STEPS = 30  # of a plan that is described


class Answering:
    """One for a mission."""

    def __init__(self, mission: Mission, speech: Speech):
        self.mission, self.speech = mission, speech
        self.supposing = Supposing(mission, speech)
        self._only_looks = threading.local()

    @contextlib.contextmanager
    def looking(self) -> Iterator[None]:
        """In this thread nobody is taken to know what is answered: the mission will say it again, and then they do."""
        self._only_looks.on = True
        try:
            yield
        finally:
            self._only_looks.on = False

    @property
    def _looks(self) -> bool:
        return bool(getattr(self._only_looks, "on", False))

    def _label(self, name: str) -> str:
        return self.mission.domain.label(name)

    def _kind(self, name: str) -> str:
        return self.mission.partner.vocabulary.kind_of(name)

    def _offer(self, thread: Thread) -> Any:
        """The way out that waits for somebody's yes, this person's first."""
        waiting = self.mission.goals.all("waiting")
        mine = [g for g in waiting if thread.person in self.mission.wanted_of(g).asked] or waiting
        offers = self.mission.recovery.of(mine[-1]).offers if mine else []
        return offers[0] if offers else None

    def _listed(self, steps: Sequence[Step]) -> str:
        rows = [f"  {i:2d}  {w}" for i, w in enumerate(self.mission.desk.steps(steps[:MOST_STEPS]), 1)]
        return "\n".join([*rows, *([f"  and {len(steps) - MOST_STEPS} more"] if len(steps) > MOST_STEPS else [])])

    def steps_of(self, goals: Sequence[Goal]) -> list[Item]:
        """What is still to be done for some goals."""
        ids = {g.id for g in goals}
        return [i for i in self.mission.agenda if self.mission._root(self.mission.goals[i.goal]).id in ids]

    def _rest(self, goals: Sequence[Goal]) -> Assessment | None:
        """What is still to be done for some goals, assessed."""
        items = self.steps_of(goals)
        numbers = {i.number for i in items}
        steps = [
            PlanStep(
                str(i.number), i.action.skill, i.robot, i.action.args, tuple(str(n) for n in i.after if n in numbers),
                self.mission._usual_s(i.robot, i.action),
                context_of(i.action, self.mission.domain.skills.find(i.action.skill)),
            )
            for i in items
        ]  # fmt: skip
        return self._assessor.assess(steps) if steps else None

    @property
    def _assessor(self) -> Assessor:
        """The mission's own; beside the mission, a copy: what one learns when is part of its log."""
        return copy.copy(self.mission.assessor) if self._looks else self.mission.assessor

    def assess(self, plan: Answer) -> Assessment:
        """A plan that nobody has begun with."""
        return self._assessor.assess(self.mission._plan_steps([plan]))

    def _knows(self, thread: Thread, keys: Sequence[tuple[str, ...]]) -> None:
        """A person has been told facts, and knows them from now on."""
        if self._looks:
            return
        facts = [self.mission.knowledge.fact(*k) for k in keys]
        self.mission.knowledge.told(thread.person, [f for f in facts if f is not None])
