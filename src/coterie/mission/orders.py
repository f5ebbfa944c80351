"""Utterances taken in: goals, changes of goals, facts and answers, from those who may."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from coterie.core.errors import CoterieError
from coterie.core.expr import All, Expr, Lookup
from coterie.core.facts import Fact
from coterie.core.files import tables
from coterie.core.replies.fields import clean
from coterie.mission.asking import Asking
from coterie.mission.base import Wanted
from coterie.mission.goals import Goal
from coterie.mission.knowledge import Heard, Refused
from coterie.mission.reports import MISSION

PLAN = "what is the plan?"
URGENT = 10  # the priority of what is wanted at once
_ROWS = tables(__package__, "typed.toml")
_TYPED = {what: re.compile(pattern, re.I) for what, pattern in _ROWS.items()}


class Typed(NamedTuple):
    """One typed line: what it is about (a key of `_TYPED`), its text or goal, and a number."""

    what: str
    text: str = ""
    number: int | None = None


def typed(text: str) -> Typed:
    """The kind of a typed text; a wish or a fact, in the words of the world, where it is nothing else."""
    text = clean(text, 400).strip(" .!")
    if text.lower() == PLAN:
        return Typed("plan")
    for what, pattern in _TYPED.items():
        found = pattern.fullmatch(text)
        if found is not None:
            parts = found.groupdict()
            number = parts.get("number")
            usual = URGENT if what == "wish" else None
            return Typed(what, parts.get("text") or "", int(number) if number else usual)
    return Typed("wish", text, 0)


class Orders(Asking):
    """One utterance at a time."""

    def hear(self, person: str, text: str) -> None:
        """One utterance. What its speaker may not say is refused in words, and kept."""
        self.desk.note("heard", person=person, text=text)
        if person not in self.authority.members:
            self.authority.join(person)
        try:
            self._obey(person, typed(text))
        except Refused as err:
            self.desk.note("refused", person=person, act=err.refusal.act, words=err.refusal.words)
            self.desk.tell(person, err.refusal.words)
        except CoterieError as err:
            self.desk.tell(person, str(err))

    def _obey(self, person: str, said: Typed) -> None:
        if said.what == "stop":
            self._stop_all(person)
        elif said.what == "yes":
            self._approved(person, said.number, listed=True)  # typed, beside all ways out
        elif said.what == "no":
            self._rejected(person, said.text, listed=True)
        elif said.what in ("done", "undone"):
            self._answered(person, said.what == "done")
        elif said.what == "plan":
            self._explain(person)
        elif said.what == "amend":
            self._amend(person, said.text)
        elif said.what != "wish":
            self._change(person, said.what, said.text, said.number or 0)
        else:
            facts = self.domain.told(said.text)
            if facts is not None:
                self.desk.tell(person, self.take_note(person, facts)[1])
                self.helped(person)
            else:
                self.submit(self.domain.read(said.text), person, said.number or 0)

    def _stop_all(self, person: str) -> None:
        """Everything rests."""
        self.goals.stop(person)
        self.agenda.drop()
        self.desk.note("stop", person=person)

    def _explain(self, person: str) -> None:
        """Tell the steps of every way out that waits for a yes."""
        for number, offer in enumerate(self.recovery.of(self._awaited(person)).offers, 1):
            steps = [f"{i}. {words}" for i, words in enumerate(self.desk.steps(offer.steps), 1)]
            self.desk.tell(person, "\n".join([f"Plan {number}: {offer.words}.", *steps]))

    def take_note(self, person: str, facts: Sequence[tuple[Any, object]]) -> tuple[Heard, str]:
        """Take in facts that a person states; what is said about them comes with it."""
        heard = self.knowledge.tell(*(Fact(k[0], tuple(k[1:]), v, self.now, person) for k, v in facts))
        words = "I take note of it" if heard.new else "I knew" if heard.same else "I will check it"
        return heard, f"Thank you; {words}."

    def helped(self, person: str) -> None:
        """What a person was asked to do may be done by what they have just said."""
        for id, wanted in self.wanted.items():
            asked = wanted.request
            if asked is not None and asked.person == person and self._holds_fact(asked.fact):
                self._was_helped(id, person)

    def submit(self, wish: Any, by: str, priority: int = 0) -> Goal:
        """Submit a wish. Its conditions follow from what is known when it is planned."""
        self.authority.require(by, "command")  # before anything else is said of it
        try:
            taken, conditions = self._meaning(wish, self.now_like().look)
        except CoterieError as err:
            self.desk.note("declined", by=by, text=wish.text(), wish=wish.to_json(), words=str(err))
            raise
        goal = self.goals.submit(All(tuple(conditions)), by, wish.text(), priority)
        self.wanted[goal.id] = Wanted(wish, taken)
        self.desk.note("goal", goal=goal.id, by=by, text=wish.text(), wish=wish.to_json(), priority=priority)
        return goal

    def _meaning(self, wish: Any, look: Lookup, mine: str = "") -> tuple[str, list[Expr]]:
        for taken, conditions in self.domain.meanings(
            wish, look, self._taken(mine), self.wanted[mine].taken if mine else ""
        ):
            return taken, conditions
        cannot = self.cannot(wish, look)
        if cannot:
            raise CoterieError(cannot)
        why = "all that it takes is set aside for other goals, or was used up by them"
        raise CoterieError(f"There is nothing left with which {wish.text()} could be done: {why}.")

    def cannot(self, wish: Any, look: Lookup) -> str:
        """Why something could not be done if nothing were set aside for other goals; nothing where it could."""
        if next(iter(self.domain.meanings(wish, look, ())), None) is not None:
            return ""
        who, where = getattr(wish, "what", ""), getattr(wish, "where", "")
        if who in self.cards and where:
            return f"{who} cannot get to {self.domain.label(where)}."
        return f"Nothing here makes it possible: {wish.text()}."

    def _one(self, goal: str, person: str) -> Goal:
        """The goal that a person means: the one named, or the last of theirs, or the only one."""
        if goal:
            return self.goals[goal]
        live = self.ordered()
        mine = [g for g in live if g.by == person] or live
        if not mine:
            raise CoterieError("There is no goal at the moment.")
        return max(mine, key=lambda g: g.submitted_s)

    def _change(self, person: str, what: str, named: str = "", number: int = 0) -> None:
        """Cancel, pause or resume a goal, or give it another priority."""
        if not any(g.by == person for g in self.goals.live()):  # whose goals they are not may learn nothing of them
            self.authority.require(person, "priority" if what == "priority" else "command", named)
        goal = self._one(named, person)
        if what == "priority":
            self.goals.set_priority(goal.id, number, person)
            self._replan_all(f"{person} set another priority")
        elif what == "resume":
            self.goals.resume(goal.id, person)
        elif what == "pause":
            self.goals.pause(goal.id, person)
            self._withdraw(goal)
        else:
            self.goals.cancel(goal.id, person)
            self._withdraw(goal)
        self.desk.note("changed", goal=goal.id, to=what, by=person)

    def _amend(self, person: str, text: str) -> None:
        if not any(g.by == person for g in self.goals.live()):
            self.authority.require(person, "command")
        for goal in reversed(self.goals.live()):
            wish = self.wanted_of(goal).wish  # none for what only mends another goal
            new = self.domain.amended(wish, text) if wish is not None else None
            if new is not None:
                self.amend(goal, new, person)
                return
        self.submit(self.domain.read(text), person)

    def amend(self, goal: Goal, wish: Any, by: str) -> None:
        """A goal is wanted otherwise from now on."""
        wanted = self.wanted[goal.id]
        taken, conditions = self._meaning(wish, self.now_like().look, goal.id)
        self.goals.amend(goal.id, All(tuple(conditions)), by)
        wanted.wish, wanted.taken = wish, taken
        self._withdraw(goal)
        for child in self.goals.children(goal.id):
            if not child.over:
                self.goals.cancel(child.id, MISSION, "the goal has changed")
        self.desk.note("amended", goal=goal.id, by=by, text=wish.text(), wish=wish.to_json())
