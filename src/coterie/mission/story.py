"""The story of a mission in words, line by line, from its log: plans, what became of steps, failures, ways out, and
what was said between people and the mission."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from coterie.core.action import WAIT, Action
from coterie.core.card import Card
from coterie.core.event import Event
from coterie.core.files import tables
from coterie.core.records import InputEvent
from coterie.log.words import driven_words, standing_words
from coterie.mission.domain import minutes

LESSONS = "lessons from a file: "  # before what a file of lessons holds, as a person says it
INDENT = "         "
PLAIN = tables(__package__, "story.toml")


class Story:
    """Turns events into lines. `domain` gives the words for steps (see `coterie.mission.domain`)."""

    def __init__(self, domain: Any):
        self.domain = domain
        self._acts: dict[str, tuple[str, Sequence[Any]]] = {}  # what each robot is doing
        self._team: list[str] = []
        self._real = False

    def lines(self, events: Iterable[Event]) -> Iterator[str]:
        for event in events:
            yield from self.of(event)

    def of(self, event: Event) -> Iterator[str]:
        data, at = event.data, clock(event.t)
        if event.kind == "start":
            self._team, self._real = [*data["robots"]], bool(data["config"].get("real"))
        elif event.kind == "act":
            self._acts[event.who] = (data["skill"], tuple(data["args"]))
        elif event.kind == "outcome":
            yield from self._outcome(event, at)
        elif event.kind == "input":
            if data.get("kind") == "utterance":
                text = LESSONS.rstrip(": ") if data["text"].startswith(LESSONS) else data["text"]
                yield f"{at}{data['person']}: {text}"
            elif data.get("kind") == "change" and data.get("change") not in ("close", "goal", "person"):
                card = data["data"].get("card")  # of who joins
                if isinstance(card, Card):
                    about = f"{card.name} with skills {', '.join(card.skills)}"
                else:
                    about = ", ".join(f"{k} {v}" for k, v in data["data"].items())
                yield f"{at}{data['source']}: {data['change']} {about}"
            elif data.get("kind") == "driven":
                yield at + driven_words(data["names"], self._team, self._real)
            elif data.get("kind") == "standing":
                yield f"{at}{data['robot']} {standing_words(InputEvent.from_event(event))}"
        elif event.kind == "change" and data.get("kind") == "leave":
            pass  # nobody sees it; that a robot has vanished is noticed
        elif event.kind == "mission":
            yield from self._note(data, at)

    def _outcome(self, event: Event, at: str) -> Iterator[str]:
        skill, args = self._acts.get(event.who, (WAIT, ()))
        if skill == WAIT:
            return
        words = self.domain.step_words(event.who, Action(skill, tuple(args)))
        if event.data["status"] == "done":
            yield f"{at}{words}"
        else:
            yield f"{at}{words}: {event.data['status']}, {self._said(event.data['reason'])}"

    def _said(self, reason: str) -> str:
        """A reason of a robot, with names as people say them."""
        return re.sub(r"\w+", lambda m: self.domain.label(m[0]), reason)

    def _note(self, note: Mapping[str, Any], at: str) -> Iterator[str]:
        what = note["what"]
        if what == "tell":
            yield f"{at}to {note['to']}: {note['text']}"
        elif what == "plan":
            chance, count = f"{note['chance']:.0%}", len(note["steps"])
            yield f"{at}plan for {note['goal']}: {count} steps, about {minutes(note['seconds'])}, works {chance}"
            yield from self.steps(note["steps"])
        elif what == "proposal":
            yield f"{at}ways out for {note['goal']}, the best first:"
            for i, offer in enumerate(note["alternatives"], 1):
                yield from self._offer(i, offer)
        elif what == "failure":
            yield f"{at}failure ({note['stage']}) of {note['goal']}: {note['why']}"
        elif what == "replanned":
            yield f"{at}planned anew before it mattered: {note['why']}"
        elif what == "kept":
            times = (
                "it would be {then_s} s instead of {rest_s} s (at best {low_s} s)".format(**note)
                if "rest_s" in note
                else "that is no shorter"
            )
            yield f"{at}{note['goal']} keeps its plan; with {' and '.join(note['robots'])} {times}"
        elif what == "failed":
            yield f"{at}given up {note['goal']}: {note['words'] or note['why']} ({', '.join(note['because'])})"
        elif what in PLAIN:
            yield at + PLAIN[what].format(**note)

    def _offer(self, number: int, offer: Mapping[str, Any]) -> Iterator[str]:
        count = len(offer["first"]) + len(offer["then"])
        span = f"{minutes(offer['low_s'])} to {minutes(offer['high_s'])}"
        yield (
            f"{INDENT}{number}. {offer['words']} ({offer['policy']}): {count} steps, about "
            f"{minutes(offer['seconds'])} ({span}), works {offer['chance']:.0%}"
        )
        if offer["first"]:
            yield f"{INDENT}   first, in about {minutes(offer['first_s'])}:"
            yield from self.steps(offer["first"])

    def steps(self, rows: Sequence[Sequence[Any]], lead: str = "") -> Iterator[str]:
        for i, (robot, skill, *args) in enumerate(rows, 1):
            yield f"{INDENT}   {lead}{i:2d}  {self.domain.step_words(robot, Action(skill, tuple(args)))}"


def clock(seconds: float) -> str:
    """A time of the log as the beginning of a line."""
    mins, secs = divmod(int(seconds), 60)
    return f"[{mins:3d}:{secs:02d}] "
