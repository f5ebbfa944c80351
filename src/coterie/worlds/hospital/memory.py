"""The memo in the hospital: plans of missions that succeeded here, tried before a new one is sought."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from coterie.core.event import Event
from coterie.core.protocol import TeamView
from coterie.memo.before.hints import PlaceHints
from coterie.planning.answer import EARLIER


class HospitalRecall(PlaceHints):
    about = "plans of missions in this place, used again where they hold"
    world = "hospital"
    known_as = "place"

    @staticmethod
    def lesson(events: Sequence[Event]) -> dict[str, Any] | None:
        """The plans of an episode, by robot, skill and arguments."""
        plans = [e.data["steps"] for e in events if e.kind == "mission" and e.data.get("what") == "plan"]
        return {"plans": plans} if plans else None

    @staticmethod
    def read(lesson: Mapping[str, Any]) -> Sequence[str]:
        """Each plan as text: lists of a robot, a skill and its arguments."""
        plans: list[list[list[str]]] = lesson["plans"]
        for robot, skill, *args in (step for plan in plans for step in plan):
            "".join((robot, skill, *args))  # an error where one of them is no text
        return [json.dumps(plan) for plan in plans]

    def note(self, team: TeamView, lessons: Sequence[Sequence[Any]]) -> dict[str, Any] | None:
        """Each plan once, the latest first, as a fact that the planner reads."""
        plans = [plan for lesson in lessons for plan in lesson]
        facts = [[EARLIER, [str(n)], text] for n, text in enumerate(dict.fromkeys(plans))]
        words = f"{len(facts)} plan{'s' * (len(facts) != 1)} of earlier missions."
        return {"text": words, "words": words, "facts": facts, "episode": "plans"} if facts else None
