"""Questions of people, as any team answers them: who may and can do what, what is closed, and what is so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

from coterie.core.errors import CoterieError
from coterie.core.rights import ACTS
from coterie.mission.dialogue.conversation import Thread
from coterie.talk.checking import OF_WHICH
from coterie.talk.meanings import CLOSED, EMPTY, Ask, Claim
from coterie.talk.wording import Wording, listed, upper

RIGHTS = {"prioritise": "priority"}
MOST_EVENTS = 8


def right_of(word: str) -> str:
    """The act that people call by this word."""
    return RIGHTS.get(word, word)


class Answers(Protocol):
    """A question goes to the method that is called like it. What is so, and what hinders a robot, is for each kind of
    team to say; `known` stands behind what a team tells of the world, and `done` is how what it did is counted."""

    known: str = ""
    done: tuple[str, str] = ("step is done", "steps are done")
    partner: Any
    team: Any
    wording: Wording

    def __init__(self, partner: Any):
        self.partner, self.team, self.wording = partner, partner.team, partner.wording

    def of(self, thread: Thread, q: Ask) -> str:
        method = getattr(self, f"_{q.about.replace(' ', '_')}", None)
        if method is None:
            raise CoterieError(f"I understand: {self.wording.sentence(q)} I cannot answer that.")
        return str(method(thread, q))

    # -- for each kind of team --------------------------------------------------------------------------------------
    def holds(self, claim: Claim) -> bool | None:
        """True if a statement holds; None where nobody knows."""

    def hindrance(self, robot: str, q: Ask) -> str | None:
        """Why a robot cannot do something, behind its name; None where it can."""

    def could(self, thread: Thread, q: Ask, asked: bool) -> str:
        """Answer whether something could be done that nobody has ordered."""

    def because(self, claims: Sequence[Claim]) -> str:
        """From whom it is known that something is so."""
        return ""

    def inside(self, name: str) -> Sequence[tuple[str, int]] | None:
        """The contents of a container or surface; None where nobody knows."""

    # -- what is so ---------------------------------------------------------------------------------------------------
    def _so(self, claims: Sequence[Claim]) -> bool | None:
        found = [self.holds(c) for c in claims]
        return False if False in found else None if None in found else True

    def _is_it_so(self, thread: Thread, q: Ask) -> str:
        if q.claims and all(c.kind == CLOSED for c in q.claims):
            return "\n".join(self.partner.zones.so(c) for c in q.claims)
        words, so = self.wording._claims(q.claims), self._so(q.claims)
        if so is None:
            return f"I do not know whether {words}."
        return f"Yes, {words}{self.known}." if so else f"No, it is not so that {words}{self.known}."

    def _why_so(self, thread: Thread, q: Ask) -> str:
        """From whom it is known that something is so."""
        if all(c.kind == CLOSED for c in q.claims):
            return upper(self._is_it_so(thread, q).removeprefix("Yes, ").removeprefix("No, "))
        if not self._so(q.claims):
            return self._is_it_so(thread, q)
        return f"{upper(self.wording._claims(q.claims))}.{self.because(q.claims)} Why, nobody has told me."

    def _which(self, thread: Thread, q: Ask) -> str:
        """Of which of several something is so."""
        (claim,) = q.claims
        if claim.kind == CLOSED:
            return str(self.partner.zones.which(claim.what))
        field, kind = "where" if claim.kind == EMPTY else "what", OF_WHICH[claim.kind]
        names = self.partner.robots() if kind == "robot" else self.partner.vocabulary.names(kind)
        so = {self.partner.name(n): self.holds(replace(claim, **{field: n})) for n in names}
        known, rest = ([n for n, yes in so.items() if yes is value] for value in (True, None))
        noun, _, state = self.wording.which(claim).partition(" are ")
        said = f"{listed(known)} {'is' if len(known) == 1 else 'are'}" if known else f"none of the {noun} is"
        unknown = f" I do not know it of {listed(rest)}." if rest else ""
        return f"{upper(said)} {state}, as far as I know.{unknown}"

    def _contents(self, thread: Thread, q: Ask) -> str:
        name, found = self.partner.name(q.what), self.inside(q.what)
        if found is None:
            return f"I do not know what is at {name}; nobody has looked."
        rows = listed([self.wording.some(t, n) for t, n in found])
        if self.partner.vocabulary.kind_of(q.what) == "kit":
            return f"{upper(self.wording.some(q.what, 1))} contains {rows}."
        return f"{upper(rows)}{self.known}." if rows else f"There is nothing in or on {name}, as far as I know."

    # -- who may, and who can -----------------------------------------------------------------------------------------
    def _may(self, thread: Thread, q: Ask) -> str:
        act, name = right_of(q.right), self.wording.name(q.what)
        may = self.team.authority.may(q.what, act)
        return f"{'Yes' if may else 'No'}, {name} may {'' if may else 'not '}{ACTS[act]}."

    def _who_may(self, thread: Thread, q: Ask) -> str:
        who = [self.wording.name(p) for p in self.team.authority.who_may(right_of(q.right))]
        return f"{upper(listed(who)) or 'Nobody here'} may {ACTS[right_of(q.right)]}."

    def _rights(self, thread: Thread, q: Ask) -> str:
        authority, person, act = self.team.authority, thread.person, right_of(q.right)
        if q.right and authority.may(person, act):
            return f"Yes, you may {ACTS[act]}; just say it."
        if q.right:
            return f"No, {person} may not {ACTS[act]}. {self._who_may(thread, q)}"
        may = [words for act, words in ACTS.items() if authority.may(person, act)]
        roles = " and ".join(authority.roles_of(person)) or "a visitor"
        return f"You are {person} ({roles}) and may {listed(may)}. Say help for what can be said."

    def _who(self, thread: Thread, q: Ask) -> str:
        roles = self.team.authority.roles_of
        people = [f"{p} ({' and '.join(roles(p))})" for p in self.team.authority.people()]
        return f"Robots: {listed(list(self.partner.robots()))}. People: {listed(people)}."

    def of_last(self, thread: Thread, q: Ask) -> str:
        """Answer who could do what was ordered last, or whether a robot could."""

    def _who_can(self, thread: Thread, q: Ask) -> str:
        if not q.skill:
            return self.of_last(thread, q)
        why = {r: self.hindrance(r, q) for r in self.partner.robots()}
        able = [r for r, hinders in why.items() if hinders is None]
        rest = "".join(f" {r} {hinders}." for r, hinders in why.items() if hinders)
        return f"{listed(able) or 'Nobody here'} can {self.wording._skill(q)}.{rest}"

    def _can(self, thread: Thread, q: Ask) -> str:
        if q.wants:
            return self.could(thread, q, True)
        if not q.robot or not q.skill:
            return self._who_can(thread, q)
        why, what = self.hindrance(q.robot, q), self.wording._skill(q)
        if why is None:
            return f"Yes, {q.robot} can {what}."
        others = listed([r for r in self.partner.robots() if self.hindrance(r, q) is None])
        return f"No: {q.robot} {why or f'cannot {what}'}.{f' {others} can.' * bool(others)}"

    def _help(self, thread: Thread, q: Ask) -> str:
        return "You can say, for example:\n" + "\n".join(f"  {e}" for e in self.partner.tips())

    # -- what has happened --------------------------------------------------------------------------------------------
    def completed(self) -> Sequence[tuple[Any, str]]:
        """The completed actions of robots, each with its time."""

    def clock(self, time: Any) -> str:
        """A time as it is told."""

    def _history(self, thread: Thread, q: Ask) -> str:
        return self._since(thread, 0, self.completed())

    def _changed(self, thread: Thread, q: Ask) -> str:
        return self._since(thread, thread.seen, ())

    def _since(self, thread: Thread, begin: int, done: Sequence[tuple[Any, str]]) -> str:
        """Recent actions of people, the team and robots."""
        events, thread.seen = self.team.events[begin:], len(self.team.events)
        last = "; the last" if len(done) > MOST_EVENTS else ""
        lead = [f"{len(done)} {self.done[len(done) > 1]}{last}:"] if done else []
        told, acts = ([f"{self.clock(t)} {w}" for t, w in rows[-MOST_EVENTS:]] for rows in (events, done))
        return "\n".join([*told, *lead, *(f"  {row}" for row in acts)]) or "Nothing has happened since."
