"""Questions of people, answered from what the mission has: plans, reasons, abilities, progress, history, knowledge."""

from __future__ import annotations

from dataclasses import replace

from coterie.core.errors import CoterieError
from coterie.core.facts import UNKNOWN
from coterie.mission.dialogue.answers_plans import PlanAnswers
from coterie.mission.dialogue.answers_work import WorkAnswers
from coterie.mission.dialogue.thread import Thread
from coterie.mission.knowledge.authority import ACTS
from coterie.talk.checking import OF_WHICH
from coterie.talk.meanings import ABLE, CLOSED, EMPTY, NO, YES, Ask, Claim
from coterie.talk.wording import listed, upper

RIGHTS = {"prioritise": "priority"}


class Answers(PlanAnswers, WorkAnswers):
    """One for a mission: a question goes to the method that is called like it."""

    def of(self, thread: Thread, q: Ask) -> str:
        method = getattr(self, f"_{q.about.replace(' ', '_')}", None)
        if method is None:
            raise CoterieError(f"I understand: {self.mission.wording.sentence(q)} I cannot answer that.")
        return str(method(thread, q))

    # -- knowledge ------------------------------------------------------------------------------------------------
    def _where(self, thread: Thread, q: Ask) -> str:
        if self._kind(q.what) == "kit":
            return self._progress(thread, q)
        look = self.mission.now_only().look
        held = [r for r in self.mission.reports.robots if look("holding", r) == q.what]
        places = self.speech.where(q.what, look)
        name = self.mission.wording.name(q.what)
        if self._kind(q.what) == "robot":
            return f"{q.what} is at {self._label(places[0][0])}." if places else f"I do not know where {q.what} is."
        rows = [f"{self.mission.wording.some(q.what, n)} at {self._label(p)}" for p, n in places]
        rows += [f"one with {r}" for r in held]
        if self._kind(q.what) == "person":
            return (
                f"{name.capitalize()} is in {self._label(places[0][0])}."
                if places
                else f"I do not know where {name} is."
            )
        who = self.speech.people_of(q.what)
        more = (
            f" {listed([self.mission.wording.name(p) for p in who]).capitalize()} may have some."
            if who and not rows
            else ""
        )
        if not rows:
            return f"I know of no {self.mission.partner.vocabulary.phrase(q.what)} anywhere.{more}"
        self._knows(thread, [("stock", q.what, p) for p, _ in places])
        return (
            f"There is {listed(rows)}." if sum(n for _, n in places) + len(held) == 1 else f"There are {listed(rows)}."
        )

    def _how_many(self, thread: Thread, q: Ask) -> str:
        look = self.mission.now_only().look
        places = self.speech.where(q.what, look)
        if q.where:
            if look("stock", q.what, q.where) is UNKNOWN:
                return f"I do not know; nobody has looked at {self._label(q.where)}."
            places = [(p, n) for p, n in places if p == q.where]
            self._knows(thread, [("stock", q.what, q.where)])
        total = sum(n for _, n in places)
        some = (
            self.mission.wording.some(q.what, total)
            if total
            else f"no {self.mission.partner.vocabulary.phrase(q.what)}"
        )
        at = f" at {self._label(q.where)}" if q.where else " that I know of"
        return f"There {'is' if total < 2 else 'are'} {some}{at}."

    def _is_it_so(self, thread: Thread, q: Ask) -> str:
        if q.claims and all(c.kind == CLOSED for c in q.claims):
            return "\n".join(self.mission.doing.zones.so(c) for c in q.claims)
        claims = self.mission.wording._claims(q.claims)
        found = [self._holds(c) for c in q.claims]
        so = False if False in found else None if None in found else True
        if so is None:
            return f"I do not know whether {claims}."
        return f"Yes, {claims}." if so else f"No, it is not so that {claims}."

    def _which(self, thread: Thread, q: Ask) -> str:
        """Of which of several something is so."""
        (claim,) = q.claims
        if claim.kind == CLOSED:
            return str(self.mission.doing.zones.which(claim.what))
        field, kind = "where" if claim.kind == EMPTY else "what", OF_WHICH[claim.kind]
        here = set(self.mission.reports.robots) if kind == "robot" else None
        names = [n for n in self.mission.partner.vocabulary.names(kind) if here is None or n in here]
        so = {n: self._holds(replace(claim, **{field: n})) for n in names}
        known = [self.mission.wording.name(n) for n, yes in so.items() if yes]
        rest = [self.mission.wording.name(n) for n, yes in so.items() if yes is None]
        word = self.mission.wording.which(claim)
        noun, _, state = word.partition(" are ")
        said = (
            f"{listed(known)} {'is' if len(known) == 1 else 'are'} {state}"
            if known
            else f"none of the {noun} is {state}"
        )
        unknown = f" I do not know it of {listed(rest)}." if rest else ""
        return f"{upper(said)}, as far as I know.{unknown}"

    def _holds(self, claim: Claim) -> bool | None:
        """Whether something is so: what people said that a robot cannot do counts as what is known."""
        steps = self.speech.limits(ABLE, claim.what, claim.where, False) or () if claim.kind == ABLE else ()
        rules = self.mission.recovery.rules
        if steps and all(self.mission.doing.against(skill, about, "").name in rules for skill, about in steps):
            return not claim.holds
        return self.mission.doing.so(self.mission.doing.conditions([claim]))

    def _contents(self, thread: Thread, q: Ask) -> str:
        found = self.speech.contents(q.what, self.mission.now_only().look)
        name = self.mission.wording.name(q.what)
        if found is None:
            return f"I do not know what is at {self._label(q.what)}; nobody has looked."
        rows = listed([self.mission.wording.some(t, n) for t, n in found])
        if self._kind(q.what) == "kit":
            return f"{self.mission.wording.some(q.what, 1).capitalize()} contains {rows}."
        return f"{rows.capitalize()}." if rows else f"There is nothing in or on {name}, as far as I know."

    def _who_said(self, thread: Thread, q: Ask) -> str:
        votes = [(by, name) for by, said, name in self.mission.votes if said == q.what]
        if not votes:
            others = [by for by, _, _ in self.mission.votes[-1:]]
            more = f" {upper(others[0])} said {NO if q.what == YES else YES}." if others else ""
            return f"Nobody has said {q.what} to a plan so far.{more}"
        name = votes[-1][1]
        people = dict.fromkeys("you" if by == thread.person else by for by, of in votes if of == name)
        return f"{upper(listed(list(people)))} said {q.what} to a plan for {name}."

    def _reaction(self, thread: Thread, q: Ask) -> str:
        """What is done about a kind of failure: what people have taught, and else what is done about any."""
        kinds = {(c.kind, c.holds) for c in q.claims}
        taught = [
            said
            for said, _ in self.mission.recovery.taught.values()
            if not said.trigger or not kinds or kinds & {(c.kind, c.holds) for c in said.trigger}
        ]
        rows = [f"I was taught: {self.mission.wording.sentence(said)}" for said in taught]
        lead = (
            "Where that does not help, "
            if rows
            else "If " + (self.mission.wording._claims(q.claims) or "something fails") + ", "
        )
        usual = "I look for another way, say how likely it is to work and how long it takes, and wait for a yes."
        return "\n".join([*rows, f"{lead}{usual}"])

    def _when(self, thread: Thread, q: Ask) -> str:
        return self._duration(thread, q) if self.mission.ordered(q.what) else self._delivered(thread, q)

    def _compare(self, thread: Thread, q: Ask) -> str:
        return self.mission.partner.proposed(thread.person) or "I propose nothing that could be compared."

    def _may(self, thread: Thread, q: Ask) -> str:
        act, may = RIGHTS.get(q.right, q.right), self.mission.authority.may(q.what, RIGHTS.get(q.right, q.right))
        name = self.mission.wording.name(q.what)
        return f"{'Yes' if may else 'No'}, {name} may {'' if may else 'not '}{ACTS[act]}."

    # -- the talk itself ------------------------------------------------------------------------------------------
    def _taught(self, thread: Thread, q: Ask) -> str:
        rows = [f"  {x.words} ({x.by})" for x in self.mission.lessons]
        kits = ", ".join(self.speech.kit_names())
        known = f"I know the kits {kits}."
        return "\n".join([known, "I was taught:", *rows]) if rows else f"{known} Nobody has taught me anything yet."

    def _who_may(self, thread: Thread, q: Ask) -> str:
        act = RIGHTS.get(q.right, q.right)
        who = self.mission.authority.who_may(act)
        return f"{listed([self.mission.wording.name(p) for p in who]).capitalize()} may {ACTS[act]}." if who else (
            f"Nobody here may {ACTS[act]}."
        )  # fmt: skip

    def _rights(self, thread: Thread, q: Ask) -> str:
        authority, person = self.mission.authority, thread.person
        if q.right:
            act = RIGHTS.get(q.right, q.right)
            if authority.may(person, act):
                return f"Yes, you may {ACTS[act]}; just say it."
            return f"No, {person} may not {ACTS[act]}. {self._who_may(thread, q)}"
        may = [words for act, words in ACTS.items() if authority.may(person, act)]
        roles = " and ".join(authority.roles_of(person)) or "a visitor"
        return f"You are {person} ({roles}) and may {listed(may)}. Say help for what can be said."

    def _who(self, thread: Thread, q: Ask) -> str:
        people = [f"{p} ({' and '.join(self.mission.authority.roles_of(p))})" for p in self.mission.authority.people()]
        return f"Robots: {listed(sorted(self.mission.reports.robots))}. People: {listed(people)}."

    def _help(self, thread: Thread, q: Ask) -> str:
        return "You can say, for example:\n" + "\n".join(f"  {e}" for e in self.mission.partner.tips())
