"""Lessons of earlier episodes, told to a team once, at the beginning; every decision is left to the team."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from coterie.core.bounds import load_json
from coterie.core.event import Event
from coterie.core.protocol import Ask, Asking, RobotView, TeamProtocol, TeamView
from coterie.core.record import DAMAGE, read
from coterie.core.records import AskEvent
from coterie.memo import MemoSettings
from coterie.memo.before.cases import MEMO
from coterie.memo.before.desk import LESSONS, Desk


class PlaceHints(TeamProtocol):
    """A world subclasses it and says what an episode teaches about a place, and what a team there is told of that."""

    sees = "pooled"
    thinks = False
    world: str
    known_as: str  # how robots' beliefs name the place

    def __init__(self, settings: MemoSettings | None = None) -> None:
        self.asked = False

    def place(self, view: RobotView) -> str:
        """The name of the place, as every robot knows it."""
        return str(view.belief.value(self.known_as))

    @staticmethod
    @abstractmethod
    def lesson(events: Sequence[Event]) -> dict[str, Any] | None:
        """The lesson of an episode; None if it taught nothing."""

    @staticmethod
    @abstractmethod
    def read(lesson: Mapping[str, Any]) -> Sequence[Any]:
        """The rows of a lesson from a memo's file, which others may have written; an error for what is no such row."""

    @abstractmethod
    def note(self, team: TeamView, lessons: Sequence[Sequence[Any]]) -> dict[str, Any] | None:
        """Lessons, newest first, as a note whose `words` and `facts` reach the robots; None where they say nothing."""

    @classmethod
    def keep(cls, desk: Desk, events: Sequence[Event], planning_s: float) -> str:
        """Keep the lesson; the memo's words about it."""
        ask = next((read(AskEvent, e) for e in events if e.kind == "ask" and e.who == MEMO), None)
        found = cls.lesson(events) if ask is not None else None
        if ask is None or found is None:
            return ""
        place = load_json(ask.prompt[0][1])[LESSONS]
        desk.memo.store.teach(desk.episode, place, place, found)
        return "A lesson was drawn from this episode."

    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        if self.asked:
            return {}
        self.asked = True
        text = json.dumps({LESSONS: f"{self.world}:{self.place(next(iter(team.robots.values())))}"})
        replies = yield [Ask(MEMO, MEMO, team.step, 0, ((MEMO, text),))]
        note = self.note(team, list(self._readable(load_json(replies[0].text)[LESSONS])))
        told = {"found": False, "why": "nothing fits this place and goal"}
        team.notes.append(told if note is None else {"found": True, "prior": True, **note})
        return {}

    def _readable(self, lessons: Sequence[Mapping[str, Any]]) -> Iterator[Sequence[Any]]:
        """The rows of each lesson; one that cannot be read is passed over."""
        for lesson in lessons:
            with suppress(*DAMAGE):
                yield self.read(lesson)
