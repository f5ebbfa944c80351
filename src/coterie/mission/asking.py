"""Approval: ways out wait for a yes from a person who may give it. Silence is never a yes."""

from __future__ import annotations

from typing import Any

from coterie.core.action import Cause
from coterie.core.errors import CoterieError
from coterie.core.facts import Fact
from coterie.mission.desk import as_rows
from coterie.mission.domain import minutes
from coterie.mission.goals import Failure, Goal
from coterie.mission.mending import Mending
from coterie.mission.policies import Alternative, justification

PATIENCE_S = 90.0  # for which an approval is awaited before another person is asked


class Asking(Mending):
    """Proposals, answers, and what was asked of people."""

    def _failed(self, goal: Goal, failure: Failure) -> None:
        self._lose([goal.id], failure)
        self._checked = (-1, -1)
        if goal.attempts and not goal.attempts[-1].result:
            self._end_attempt(goal, "failed", failure)
        else:
            self.goals.note_failure(goal.id, failure.stage, failure.cause, failure.words)
        if self.goals[goal.id].state != "recovering":
            self.goals.move(goal.id, "recovering", why=justification(failure.cause))
        goal = self.goals[goal.id]
        self.recovery.note(goal, failure)
        self.wanted_of(goal).asked.clear()
        self._tell_failure(goal, failure)
        rule = self.recovery.learnt(goal, failure)
        if rule is not None:
            self._learn(goal, failure, rule)
        mine = self.recovery.of(goal)
        why = self.recovery.exhausted(goal, failure)
        if why:
            self._give_up(goal, why, failure.cause)
            return
        for _ in range(len(self.goals.live())):  # others may have counted on what is not done now
            if not self._watch():
                break
        mine.offers = self.recovery.alternatives(goal, failure)
        self._best_offer(goal, failure)

    def _best_offer(self, goal: Goal, failure: Failure) -> None:
        """The first way out is proposed, or taken where it needs no yes. Where there is none, others are waited for, or
        the goal is given up."""
        offers = self.recovery.of(goal).offers
        if not offers and self._hinders(goal):
            self._wait_for_others(goal)
        elif not offers:
            self._give_up(goal, "there is no other way", failure.cause)
        elif not offers[0].approval:
            self._accept(goal, offers[0])
        else:
            self._propose(goal)

    def _propose(self, goal: Goal) -> None:
        offers = self.recovery.of(goal).offers
        best, wanted = offers[0], self.wanted_of(goal)
        person = self._whom(goal)
        if not person:
            cause = Cause("approved", ("approved", (goal.id,), False), "before")
            self._give_up(goal, "nobody who may approve is here", cause)
            return
        wanted.asked.append(person)
        words = self.offered(best)
        wanted.told.setdefault(person, set()).add(words)
        wanted.meant[person] = words
        until = self.now + PATIENCE_S
        self.goals.propose(goal.id, words, as_rows(best.steps), best.chance, best.seconds, until)
        self.desk.note("proposal", goal=goal.id, to=person, alternatives=[self._offer(o) for o in offers])
        lead = (
            "" if person == self._root(goal).by else f"{self.trouble(goal, person)} "
        )  # who wants it was told what failed
        self.desk.tell(person, f"{lead}{words} Do you want me to do it?", proposal=goal.id)

    @staticmethod
    def offered(offer: Alternative) -> str:
        """A way out in words."""
        took = f"It will take about {minutes(offer.seconds)} and works {offer.chance:.0%} of the time."
        return f"I could {offer.words}. {took}"

    def _offer(self, offer: Alternative) -> dict[str, Any]:
        first = as_rows(offer.first.steps) if offer.first is not None else []
        then = as_rows(offer.then.steps) if offer.then is not None else []
        times = {"first_s": round(offer.first_s, 1)} if offer.first is not None else {}
        times |= {"seconds": round(offer.seconds, 1), "low_s": round(offer.low_s, 1), "high_s": round(offer.high_s, 1)}
        asks = {"request": dict(offer.request)} if offer.request is not None else {}
        about = {"policy": offer.policy, "words": offer.words, "chance": round(offer.chance, 3), **times, **asks}
        return {**about, "first": first, "then": then}

    def _whom(self, goal: Goal) -> str:
        """The next person to ask for approval: the goal's owner, if they may approve, then others who may."""
        may = self.authority.who_may("approve", goal.id)
        first = [p for p in (self._root(goal).by,) if p in may]
        left = [p for p in (*first, *may) if p not in self.wanted_of(goal).asked]
        return left[0] if left else ""

    def _awaited(self, person: str) -> Goal:
        waiting = self.goals.all("waiting")
        mine = [g for g in waiting if person in self.wanted_of(g).asked] or waiting
        if not mine:
            raise CoterieError("Nothing waits for an approval.")
        return mine[-1]

    def _approved(self, person: str, number: int | None, listed: bool = False) -> bool:
        """A yes counts from a person who was told what it is said to; others are told now, and may say it again. A
        yes without a number is said to what that person was asked about last. `listed`: who was asked has all ways
        out in sight."""
        goal = self._awaited(person)
        offers = self.recovery.of(goal).offers
        if number is not None and not 1 <= number <= len(offers):
            raise CoterieError(f"There is no plan {number}; there are {len(offers)}.")
        at = number - 1 if number is not None else self._asked_last(goal, person)
        if not (listed and person in self.wanted_of(goal).asked) and self._told_first(goal, person, at):
            return False
        self.goals.approve(goal.id, person)
        self.desk.note("approved", goal=goal.id, by=person, plan=at + 1)
        self._accept(self.goals[goal.id], offers[at])
        return True

    def _told_first(self, goal: Goal, person: str, at: int) -> bool:
        """Tell a person of a way out, if that is new to them; True if so, as what they said then answers nothing."""
        offers, wanted = self.recovery.of(goal).offers, self.wanted_of(goal)
        words = self.offered(offers[at]) if offers else ""
        told = wanted.told.setdefault(person, set())
        if not words or words in told:
            return False
        self.authority.require(person, "approve", goal.id)
        told.add(words)
        wanted.meant[person] = words
        self.desk.tell(person, f"{self.trouble(goal, person)} {words} Do you want me to do it?", proposal=goal.id)
        return True

    def untold(self, person: str) -> bool:
        """True if a person has not been told of what waits for an answer."""
        goal = self._awaited(person)
        offers = self.recovery.of(goal).offers
        told = self.wanted_of(goal).told.get(person, set())
        return bool(offers) and self.offered(offers[self._asked_last(goal, person)]) not in told

    def _asked_last(self, goal: Goal, person: str) -> int:
        """Which of the ways out a person was asked about last; the best, if none that is still there."""
        meant = self.wanted_of(goal).meant.get(person)
        return next((n for n, o in enumerate(self.recovery.of(goal).offers) if self.offered(o) == meant), 0)

    def _rejected(self, person: str, why: str, listed: bool = False) -> bool:
        """Take a no, which counts as a yes does: from a person who was told what it is said to."""
        goal = self._awaited(person)
        mine, at = self.recovery.of(goal), self._asked_last(goal, person)
        if not (listed and person in self.wanted_of(goal).asked) and self._told_first(goal, person, at):
            return False
        self.goals.reject(goal.id, person, why)
        self.desk.note("rejected", goal=goal.id, by=person, plan=at + 1, why=why)
        self.wanted_of(goal).asked.clear()  # another way is another question: everybody may be asked again
        refused = mine.offers[at]
        mine.offers = [*mine.offers[:at], *mine.offers[at + 1 :]]
        self.goals.move(goal.id, "recovering", why=f"{person} said no")
        self._leave_refused(self.goals[goal.id], refused)
        if mine.offers and not mine.offers[0].approval:
            self._accept(self.goals[goal.id], mine.offers[0])
        elif mine.offers:
            self._propose(self.goals[goal.id])
        else:
            cause = Cause("approved", ("approved", (goal.id,), False), "before")
            self._give_up(goal, f"{person} said no to every way out", cause)
        return True

    def _leave_refused(self, goal: Goal, refused: Alternative) -> None:
        """A way out that was rejected is not proposed again under another name: whom it would ask is not asked,
        and ways without them are looked for."""
        mine = self.recovery.of(goal)
        new = self.recovery.asks(refused) - mine.left
        if not new or refused.request is not None:  # who is not to ask a person for help asks nobody else either
            mine.refused.add(refused.policy)
        if not new:
            return
        mine.left |= new
        if any(self.recovery.asks(o) & new for o in mine.offers) or not mine.offers:
            mine.offers = self.recovery.alternatives(goal, mine.failures[-1])

    def _unanswered(self, goal: Goal) -> None:
        """Ask the next person when nobody approved in time, until none is left."""
        wanted = self.wanted_of(goal)
        self.goals.move(goal.id, "recovering", why="nobody answered")
        if self._whom(goal):
            self._propose(goal)
        else:
            people = " and ".join(wanted.asked)
            self._give_up(
                goal, f"{people} did not answer", Cause("approved", ("approved", (goal.id,), False), "before")
            )

    def _answered(self, person: str, done: bool) -> None:
        """Note that a request to a person was fulfilled, or will not be."""
        for id, wanted in self.wanted.items():
            asked = wanted.request
            if asked is None or asked.person != person:
                continue
            if done:
                self.knowledge.tell(*(Fact(k[0], k[1:], v, self.now, person) for k, v in asked.facts))
                self.desk.note("helped", goal=id, person=person)
                self._was_helped(id, person)
            else:
                wanted.request = None
                self._no_help(self.goals[id], person)
            return
        raise CoterieError("Nothing was asked of you.")
