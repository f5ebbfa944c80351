"""A mission that people talk to: the coordinator with a manager of talk in front of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from coterie.core.action import Outcome
from coterie.core.bounds import read_bounded
from coterie.core.errors import CoterieError
from coterie.core.protocol import RobotView
from coterie.mission.agenda import Item
from coterie.mission.coordinator import Coordinator
from coterie.mission.dialogue.doing import Doing
from coterie.mission.dialogue.effects import ask
from coterie.mission.dialogue.lessons import Lesson, TaughtRecovery, names_in_lesson, rows_in
from coterie.mission.dialogue.listening import heard
from coterie.mission.dialogue.manager import conversation, hear
from coterie.mission.dialogue.partner import MissionPartner
from coterie.mission.dialogue.requests import Proposals, Requests
from coterie.mission.dialogue.speech import Speech
from coterie.mission.dialogue.steering import Steering
from coterie.mission.dialogue.zones import Zones, against
from coterie.mission.goals import Failure, Goal
from coterie.mission.reports import MISSION
from coterie.mission.story import LESSONS
from coterie.talk import meanings as m
from coterie.talk.forms import forms
from coterie.talk.wording import listed, number
from coterie.talk.writing import brief

MOST_EVENTS = 2000


def lessons_in(file: Path) -> str:
    """The words by which a person teaches what is in a file of lessons."""
    text = read_bounded(file, "file of lessons", 1_000_000).decode("utf-8", "replace")
    try:
        rows_in(text)
    except CoterieError as err:
        raise CoterieError(f"{file}: {err}") from err
    return LESSONS + text


class Talker(Coordinator):
    """One mission with threads of talk. All that is said to it comes in by `hear`, and goes out through its desk."""

    def __init__(self, domain: Any, lookup: Any, **more: Any):
        self.events: list[tuple[float, str]] = []
        self.votes: list[tuple[str, str, str]] = []  # who said yes or no to a plan for what, the last at the end
        super().__init__(domain, lookup, **more)
        speech: Speech | None = getattr(domain, "speech", None)
        if speech is None:
            raise CoterieError("Nobody has said how people speak of this world: its domain has no `speech`.")
        self.speech: Speech = speech
        self.recovery: TaughtRecovery = TaughtRecovery(self, more.get("policies"), more.get("limits"))
        self.doing, self.steering, self.zones = Doing(self, speech), Steering(self), Zones(self)
        self.proposals, self.requests = Proposals(self), Requests(self)
        self.partner = MissionPartner(self, speech)
        self.dialogue = conversation(self.partner, self.journal, self.desk.tell)
        self.wording, self.lessons = self.dialogue.wording, self.partner.teaching.lessons
        self.desk.listeners.append(self._noted)

    def tell(self, person: str, words: str) -> None:
        self.desk.tell(person, words)

    def inform(self, people: Iterable[str], by: str, words: str) -> None:
        """Tell the other people concerned what a person did."""
        for other in sorted(set(people)):
            if other not in (by, MISSION, ""):
                self.desk.tell(other, words)

    # -- hearing --------------------------------------------------------------------------------------------------
    def hear(self, person: str, text: str) -> None:
        self.desk.note("heard", person=person, text=text)
        if person not in self.authority.members:
            self.authority.join(person)
            if text and not self.partner.teaching.taken(person):  # a name that means nothing else can be spoken of
                self.partner.vocabulary.add("person", person)
        if text.startswith(LESSONS):
            self._learn_all(person, text.removeprefix(LESSONS))
            return
        if text:
            self.requests.heard(person)
        found = hear(self.dialogue, person, text)
        self.desk.note("understood", person=person, meaning=[brief(x) for x in found])

    def at_once(self, text: str) -> str:
        found = heard(text, self.partner.vocabulary).meanings
        off = [x.how for x in found if isinstance(x, m.Steer) and x.how in ("cancel", "pause")]
        return "stop" if any(isinstance(x, m.Stop) for x in found) else "".join(off[:1])

    def next_step(self, robot: str, meanwhile: bool = False) -> Item | None:
        item = super().next_step(robot, meanwhile)
        if item is not None:
            self.requests.begun(item)
        return item

    def at_work(self) -> bool:
        """True if robots have something to do that does not wait for a person's word."""
        running = self.agenda.running()
        return super().at_work() and not (running and all(map(self.requests.waits, running)))

    def _unanswered(self, goal: Goal) -> None:
        asked = list(self.wanted_of(goal).asked)
        super()._unanswered(goal)
        self.proposals.unanswered(self.goals[goal.id], asked)

    def _learn_all(self, person: str, text: str) -> None:
        """Learn a file of lessons, from a person who may teach."""
        try:
            self.authority.require(person, "teach")
            here, thread = set(self.speech.names()), self.dialogue.threads.of(person)
            count = self.lessons.read(text, person)
            self.desk.tell(person, f"I have learnt {count} thing{'s' * (count != 1)} from the file.")
            for lesson in self.lessons:
                self._doubt(person, lesson)
            strange = [x for x in self.lessons if x.kind == "item" and x.label not in here]
            asked = [ask(self.partner.teaching.find(thread, x.label, str(x.data["words"]))) for x in reversed(strange)]
            for words in [self.dialogue.perform(thread, [each]) for each in asked][-1:]:  # of several the last is open
                self.desk.tell(person, words)
        except CoterieError as err:
            self.desk.tell(person, str(err))
        self.desk.note("understood", person=person, meaning=["lessons"])

    def _doubt(self, person: str, lesson: Lesson) -> None:
        """Ask about a lesson of another place that speaks of what is not here."""
        known = {*self.partner.robots(), *self.partner.people(), *self.speech.names(), *(x.label for x in self.lessons)}
        strange = dict.fromkeys(n for n in names_in_lesson(lesson.data) if n not in known)
        anew = "" if lesson.kind == "policy" else f"{self.wording.sentence(m.Teach(lesson.kind, lesson.label))} Or: "
        if strange:
            names = listed([f"'{name}'" for name in strange])
            words = f"What is to be instead of {names} in {lesson.label}? There is no such thing here."
            self.desk.tell(person, f"{words} Say: {anew}Forget {lesson.label}.")

    def hear_robots(self, robots: Mapping[str, RobotView], ended: Mapping[str, Outcome], now: float) -> None:
        super().hear_robots(robots, ended, now)
        self.partner.met(sorted(self.reports.robots))

    def think(self) -> None:
        self.doing.watch()
        super().think()

    def _tell_failure(self, goal: Goal, failure: Failure) -> None:
        if failure.stage == "PLAN":
            reasons = [self._shortage(goal, failure), self.zones.barring(goal)]
            self.recovery.of(goal).barred = " and ".join(filter(None, reasons))
        super()._tell_failure(goal, failure)

    def _shortage(self, goal: Goal, failure: Failure) -> str:
        """How many there are of what is missing, where more are needed; empty where there are none, or enough."""
        args = failure.cause.fact[1] if failure.cause is not None and failure.cause.fact is not None else ()
        wanted, look = self.wanted_of(goal), self.now_only().look
        (what, _), kits = self.subject(goal), self.speech.kit_names()
        contents = kits[what][1] if what in kits else {what: getattr(wanted.wish, "count", 1)}
        thing = next((a for a in args if a in contents), "")
        packed = look("amount", wanted.taken, thing) if thing and wanted.taken else 0
        there = sum(n for _, n in self.speech.where(thing, look)) + (packed if isinstance(packed, int) else 0)
        if not thing or not 0 < there < contents[thing]:
            return ""
        some = self.dialogue.wording.some(thing, there) if there > 1 else f"one {self.partner.vocabulary.phrase(thing)}"
        return f"there {'is' if there == 1 else 'are'} {some} where {number(contents[thing])} are needed"

    # -- what people taught ---------------------------------------------------------------------------------------
    def helpers(self, goal: Goal) -> list[str]:
        return [p for p in super().helpers(goal) if not self._has_none(goal, p)]

    def _has_none(self, goal: Goal, person: str) -> bool:
        """True if a person is said to have none of what a goal failed for."""
        facts = [f.cause.fact for f in self.recovery.of(goal).failures if f.cause is not None and f.cause.fact]
        steps = [s for _, args, _ in facts for a in args for s in self.speech.limits(m.SUPPLY, a, person, False) or ()]
        return any(against(skill, about, "").name in self.recovery.rules for skill, about in steps)

    def _whom(self, goal: Goal) -> str:
        """The person to ask for approval: the one a policy names, if they may, then as usual."""
        failures = self.recovery.of(goal).failures
        left = set(self.authority.who_may("approve", goal.id)) - set(self.wanted_of(goal).asked)
        for _, said in self.recovery.matching(failures[-1]) if failures else ():
            if said.then == "ask" and said.person in left:
                return said.person
        return super()._whom(goal)

    # -- what has happened ----------------------------------------------------------------------------------------
    def _noted(self, data: Mapping[str, Any]) -> None:
        """The threads of talk know what was said, and what has happened is kept for those who ask."""
        what = data["what"]
        if what == "tell":
            self.dialogue.spoke(data["to"], data["text"])
        if what in ("approved", "rejected"):
            goal = self.name_of(self._root(self.goals[data["goal"]]))
            self.votes.append((str(data["by"]), m.YES if what == "approved" else m.NO, goal))
        about, words = self.goals[data["goal"]] if "goal" in data else None, forms()["events"].get(what)
        if words is None or (about is not None and about.parent and what in ("done", "goal")):
            return
        name, did = self.name_of(about) if about is not None else "", forms()["did"].get(str(data.get("to")), "changed")
        self.events.append((self.now, words.format(**{**data, "name": name, "did": did})))
        del self.events[:-MOST_EVENTS]
