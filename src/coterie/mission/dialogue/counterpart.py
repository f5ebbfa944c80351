"""Whom people talk with: what the manager of talk asks of a mission, or of a team of other minds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import cycle, islice, product
from string import Formatter
from typing import Any, NamedTuple, Protocol

from coterie.core.errors import CoterieError
from coterie.core.files import shipped
from coterie.core.rights import ACTS
from coterie.mission.dialogue.answers import Answers, right_of
from coterie.mission.dialogue.conversation import Deed, Interaction, Question, Thread
from coterie.mission.dialogue.correction import ROWS, rows_of
from coterie.mission.dialogue.effects import Confirm, Effects, act
from coterie.mission.knowledge.authority import Authority, Refusal, Refused
from coterie.talk import meanings as m
from coterie.talk.checking import check
from coterie.talk.meanings import Meaning
from coterie.talk.vocabulary import Vocabulary
from coterie.talk.wording import Wording, listed, upper

#: Rights required for meanings that can be corrected.
NEEDS = {m.Order: "command", m.Zone: "command", m.Alter: "teach", m.Policy: "policy"}


class Fate(NamedTuple):
    """The fate of an act: what is done and stays, who called it off ("you"), and whether it is paused."""

    done: str = ""
    gone: str = ""
    rests: bool = False


def stop_holds(deed: Deed) -> None:
    """A stop cannot be taken back."""
    raise CoterieError("A stop holds until somebody says continue.")


class Partner(Protocol):
    """Whom people talk with, through the manager. Nothing is done by a meaning that does not fit its world."""

    kind: str  # mission or team: what can be said to it
    vocabulary: Vocabulary
    wording: Wording
    answers: Answers
    authority: Authority
    team: Any  # whom it speaks for: an `authority`, the time `now` [s], the `dialogue`, and `tell` by which people hear

    def __init__(self, team: Any, vocabulary: Vocabulary):
        self.team, self.authority = team, team.authority
        self.vocabulary, self.wording = vocabulary, Wording(vocabulary)

    def name(self, name: str) -> str:
        """A name as people say it."""
        return self.wording.name(name)

    def examples(self) -> Sequence[str]:
        """Sentences that can be said here."""
        return sentences(self.kind, self.vocabulary)

    def tips(self) -> Sequence[str]:
        """A few sentences for a newcomer."""
        return sentences(f"tips for a {self.kind}", self.vocabulary, 1)

    def robots(self) -> Sequence[str]: ...

    def wants(self) -> Sequence[str]:
        """Kinds of what robots bring about here besides the usual ones."""
        return ()

    def people(self) -> Sequence[str]:
        """The people who may have a say here, robots not among them."""

    def home(self, person: str) -> str:
        """The place of a person, if it is known."""
        return ""

    def missing(self, meaning: Meaning) -> tuple[Question, Callable[[Meaning], Meaning]] | None:
        """The question for the place of what is to be brought, or was, and how the answer completes the meaning."""
        field, rows = ROWS.get(type(meaning), ""), rows_of(meaning)
        kind = m.STOCK if field == "wants" else m.BROUGHT
        at = next((i for i, row in enumerate(rows) if row.kind == kind and not row.where), None)
        if at is None:
            return None
        what = self.wording.some(rows[at].what, rows[at].count)
        words = "should I bring" if field == "wants" else "did you put"
        question = Question(f"Where {words} {what}?", (m.Somewhere,), "table G")

        def complete(answer: Meaning) -> Meaning:
            assert isinstance(answer, m.Somewhere)
            put = replace(rows[at], where=answer.where)
            return replace(meaning, **{field: (*rows[:at], put, *rows[at + 1 :])})  # type: ignore[type-var]

        return question, complete

    def deeds(self) -> Mapping[type[Meaning], Callable[[Thread, Any], str]]:
        """Handlers by kind of meaning; each returns the reply."""

    def refused(self, thread: Thread, meaning: Meaning, refusal: Refusal) -> str:
        """The reply to a person who may not do what they wanted."""
        return refusal.words

    def do(self, thread: Thread, meaning: Meaning) -> str:
        """Do what fits, if its speaker may; the reply."""
        deed = self.deeds().get(type(meaning))
        if deed is None:
            raise CoterieError("I understand it, but there is nothing that I could do about it.")
        try:
            return deed(thread, meaning)
        except Refused as err:
            thread.refused = thread.spoken, meaning, err.refusal.words
            return self.refused(thread, meaning, err.refusal)

    def act(self, thread: Thread, meaning: Meaning) -> str:
        """Do what was meant, if it fits."""
        self.fits(meaning)
        return self.do(thread, meaning)

    def fits(self, meaning: Meaning) -> None:
        """An error that asks about the first part of a meaning that does not fit the types and names of this world."""
        kinds: dict[str, list[str]] = {}
        here = [*(("robot", r) for r in self.robots()), *(("person", p) for p in self.people())]
        for kind, name in dict.fromkeys((*self.vocabulary.phrases.values(), *here)):
            kinds.setdefault(name, []).append(kind)
        if problems := check(meaning, kinds, self.wants()):
            raise CoterieError(problems[0].words(self.vocabulary))

    def proposed(self, person: str) -> str:
        """The question that was put to a person and waits for a yes, in the words of then; empty where none does."""

    def awaits(self, person: str) -> bool:
        """True if this person was asked for something, or told of a plan, that waits for a yes or a no."""
        return bool(self.proposed(person))

    def requested(self, thread: Thread, meaning: Meaning) -> Callable[[], str] | None:
        """The effect of an answer to what its speaker was asked for; None where it answers nothing."""
        return None

    def open_request(self, person: str) -> str:
        """The request that this person has not answered, in the words of then; empty if there is none."""
        return ""

    def turned_away(self, person: str) -> str:
        """Why orders of a person are not taken, and by whom they could be given; empty where they are taken."""
        try:
            self.authority.require(person, "command")
        except Refused as err:
            return err.refusal.words
        return ""

    # -- rights ---------------------------------------------------------------------------------------------------
    def permit(self, thread: Thread, permit: m.Permit) -> str:
        """Give a person a right, or take it back."""
        right, by, authority = right_of(permit.right), thread.person, self.authority
        name, back = self.wording.name(permit.person), replace(permit, holds=not permit.holds, minutes=0)
        if permit.holds:
            until = self.team.now + 60.0 * permit.minutes if permit.minutes else None
            if authority.may(permit.person, right) and not self._otherwise(by, permit.person, right, until):
                for_good = " by role, and not only for a time" if permit.minutes else ""
                return f"{upper(name)} may do that already{for_good}."
            thread.did(Deed(permit, undo=lambda _: self.permit(thread, back)))
            authority.grant(by, permit.person, right, until=until)
            for_how_long = f" for {permit.minutes} minute{'s' * (permit.minutes != 1)}" if permit.minutes else ""
            self.team.tell(permit.person, f"{by} lets you {ACTS[right]}{for_how_long}.")
            return f"All right: {name} may {ACTS[right]}{for_how_long}."
        gone = authority.revoke(by, permit.person, right)
        if authority.may(permit.person, right):
            return f"{upper(name)} may {ACTS[right]} by role; that cannot be taken back here."
        if gone:
            thread.did(Deed(permit, undo=lambda _: self.permit(thread, back)))
            self.team.tell(permit.person, f"{by} takes back that you may {ACTS[right]}.")
        return f"All right: {name} may not {ACTS[right]}."

    def _otherwise(self, by: str, person: str, act: str, until: float | None) -> bool:
        """True if a right that a person has is given for another time from now on; their rights by role stay."""
        given = [g for g in self.authority.grants.values() if (g.person, g.act, g.about) == (person, act, "")]
        if not given or (until is None and any(g.until is None for g in given)):
            return False
        self.authority.revoke(by, person, act)
        return not self.authority.may(person, act)

    def teach(self, thread: Thread, meaning: m.Teach) -> Interaction: ...

    def seen(self, thread: Thread, meaning: Meaning) -> Meaning:
        """An answer, in which a thing that a person shows is where robots see it."""
        return meaning

    def possible(self, thread: Thread, meaning: Meaning, instead: Deed) -> None:
        """A `CoterieError` where it is clear beforehand that something cannot be done instead of something."""
        if type(meaning) in NEEDS:
            self.authority.require(thread.person, NEEDS[type(meaning)])

    def fate(self, deed: Deed, person: str) -> Fate:
        return Fate()

    def rest(self, thread: Thread) -> str:
        """Pause the last act, since the one it replaced was paused; returns the words for it."""
        return ""

    def under_way(self, what: str) -> str:
        """The goals about a thing that are under way, and for whom; empty if there are none."""
        return ""

    def about_to(self, person: str, meaning: m.Zone | m.Steer) -> m.Stop | None:
        """The stop for robots about to do what a person does not want and may not call off, if any."""

    def forbids(self, thread: Thread, meaning: Meaning) -> Effects | None:
        """The effect of a prohibition by a person who may not command: robots about to do it stop."""
        closes = isinstance(meaning, m.Zone) and meaning.holds
        off = isinstance(meaning, m.Steer) and meaning.how == "cancel" and bool(meaning.what or meaning.where)
        mine = not (closes or off) or self.authority.may(thread.person, "command")
        if mine or not isinstance(meaning, (m.Zone, m.Steer)):
            return None
        stop, place = self.about_to(thread.person, meaning), self.name(meaning.where)
        may = "call it off" if off else f"close {place} for robots; you may stop them"
        said = f"{upper(listed(self.authority.who_may('command')))} may {may}."
        if stop is not None:
            return [act(stop), said]
        nobody = f"{listed(meaning.robots)} is not" if meaning.robots else "No robot is"
        return None if off else [f"{nobody} on the way to {place}. {said}"]

    def doubts(self, thread: Thread, meaning: Meaning) -> Confirm | None:
        """The confirmation to ask before something that may not be meant: what others have stopped, or want."""


# -- examples ---------------------------------------------------------------------------------------------------------
# Sentences that can be said, in the names of a scene: the lines of `examples.txt`, filled.
EVERY = "* "  # before a line: all names with all others


def sentences(heading: str, vocabulary: Vocabulary, most: int | None = None) -> list[str]:
    """All sentences under a heading, or `most` of each line; none of a line for which there are no names."""
    found = (said for line in _lines()[heading] for said in islice(filled(line, vocabulary), most))
    return list(dict.fromkeys(found))


def filled(line: str, vocabulary: Vocabulary) -> Iterator[str]:
    """A line in all names. What a scene names last comes first: there are the rooms and people that are spoken of."""
    words, slots = line.removeprefix(EVERY), [field for _, field, _, _ in Formatter().parse(line) if field]
    names = [vocabulary.names(slot.split()[-1])[::-1] for slot in slots]
    alone = line.startswith(EVERY) or len(names) < 2 or not all(names)
    for row in product(*names) if alone else zip(names[0], *map(cycle, names[1:])):
        yield upper(words.format(**{slot: _said(slot, name, vocabulary) for slot, name in zip(slots, row)}))


def _said(slot: str, name: str, vocabulary: Vocabulary) -> str:
    """A name as its braces want it."""
    wording, article = Wording(vocabulary), slot.split()[0]
    if article in ("a", "two"):
        return wording.some(name, 1 if article == "a" else 2)
    if article == "many":
        return wording.some(name, 2).partition(" ")[2]
    return wording.name(name) if article == "the" else vocabulary.phrase(name)


@cache
def _lines() -> dict[str, list[str]]:
    _, *parts = shipped(__package__, "examples.txt").split("\n= ")
    rows = (part.splitlines() for part in parts)
    return {heading: [line for line in lines if line and not line.startswith("#")] for heading, *lines in rows}
