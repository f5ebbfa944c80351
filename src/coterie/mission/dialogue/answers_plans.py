"""Questions about plans: what will be done, for how long, how likely it is to work, and what if."""

from __future__ import annotations

from typing import Any

from coterie.mission.assess import Assessment
from coterie.mission.dialogue.answering import Answering
from coterie.mission.dialogue.thread import Thread
from coterie.mission.estimate import minutes
from coterie.mission.goals import STATES, Goal
from coterie.talk.meanings import Ask
from coterie.talk.wording import listed, upper


class PlanAnswers(Answering):
    def _plan(self, thread: Thread, q: Ask) -> str:
        offer = self._offer(thread)
        if offer is not None and not q.robot:
            return self._offered(thread, offer)
        steps = [i.step for i in self.mission.agenda if not q.robot or i.robot == q.robot]
        if steps:
            return f"The plan:\n{self._listed(steps)}"
        live = self.mission.ordered()
        if live:
            soon = self._promised(thread, q)
            if soon:
                return soon
            return f"I have no plan at the moment: {self.mission.name_of(live[0])} {STATES[live[0].state]}."
        return "I have no plan at the moment; nobody wants anything."

    def _offered(self, thread: Thread, offer: Any) -> str:
        """What is proposed, step by step, and the other ways, by their numbers; whoever was told may say yes."""
        goal = self.mission._awaited(thread.person)
        offers = self.mission.recovery.of(goal).offers
        if not self._looks:
            told = self.mission.wanted_of(goal).told.setdefault(thread.person, set())
            told.update(self.mission.offered(o) for o in offers)
        rows = [f"  plan {i}: {self.mission.offered(o)}" for i, o in enumerate(offers[1:], 2)]
        lead = (
            "Another way; for it say: Yes, plan 2."
            if len(rows) == 1
            else "Other ways; for them say: Yes, plan 2, or 3 ..."
        )
        others = "\n".join([lead, *rows]) if rows else ""
        return "\n".join(filter(None, [f"I propose to {offer.words}:", self._listed(offer.steps), others]))

    def _guess(self, thread: Thread, q: Ask) -> tuple[str, Assessment | Any] | None:
        offer = self._offer(thread)
        goals = [g for g in self.mission.ordered(q.what) if self.steps_of([g]) and self._there(g, q.where)]
        if offer is not None and not q.what:
            return f"What I propose ({offer.words})", offer
        found = self._rest(goals) if goals else None
        if found is not None:
            return upper(listed([self.mission.name_of(g) for g in goals])), found
        if q.what and self.mission.partner.vocabulary.kind_of(q.what) == "kit":
            return self.supposing.kit(q.what, q.where)
        return None

    def _there(self, goal: Goal, where: str) -> bool:
        return where in ("", self.mission.subject(goal)[1])

    def _no_plan_yet(self, thread: Thread, q: Ask) -> str:
        """What is wanted and not planned, of which nothing can be said."""
        soon = self._promised(thread, q)
        if soon:
            return soon
        proposed = self._offer(thread) is not None and not q.what
        waits = [g for g in self.mission.ordered(q.what) if not proposed and not self.steps_of([g])]
        return " ".join(f"There is no plan for {self.mission.name_of(g)}: it {STATES[g.state]}." for g in waits)

    def _promised(self, thread: Thread, q: Ask) -> str:
        """Where a plan is about to be sought, the question is answered again when that is over; what is said of it."""
        soon = [g for g in self.mission.ordered(q.what) if g.state == "submitted" and self.mission._may_plan(g)]
        if self._looks or not soon or not self.mission.promise(thread.person, q):
            return ""
        return (
            f"I am about to look for a plan for {listed([self.mission.name_of(g) for g in soon])}, and tell you then."
        )

    def _duration(self, thread: Thread, q: Ask) -> str:
        guess = self._guess(thread, q)
        if guess is None:
            return self._no_plan_yet(thread, q) or "Nothing is under way that would take time."
        about, found = guess
        seconds = found.duration_s if isinstance(found, Assessment) else found.seconds
        span = f"most likely {minutes(found.low_s)} to {minutes(found.high_s)}"
        return f"{about} takes about {minutes(seconds)}, {span}. {self._no_plan_yet(thread, q)}".rstrip()

    def _chance(self, thread: Thread, q: Ask) -> str:
        guess = self._guess(thread, q)
        if guess is None:
            return self._no_plan_yet(thread, q) or "Nothing is under way that could succeed or fail."
        about, found = guess
        weak = getattr(found, "weakest", ())
        by = {str(i.number): i for i in self.mission.agenda}
        worst = next((by[w.step] for w in weak if w.step in by), None)
        more = f" The weakest step: {self.mission.domain.step_words(worst.robot, worst.action)}." if worst else ""
        words = f"{about} works {found.chance:.0%} of the time without trouble.{more}"
        return f"{words} {self._no_plan_yet(thread, q)}".rstrip()

    def _what_if(self, thread: Thread, q: Ask) -> str:
        return self.supposing.what_if(q.claims)
