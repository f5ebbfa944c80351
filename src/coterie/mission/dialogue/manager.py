"""The manager of all talk: what each person says becomes meanings, is done or answered, and nothing else happens.

It knows no mission: whom it speaks for is a `Partner`, which does and answers what was meant. So the same manager talks
for a mission with plans, and for a team of other minds. What a meaning does is in `table.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeGuard

from coterie.core.errors import CoterieError
from coterie.core.replies.fields import clean
from coterie.mission.dialogue.clarification import choosing, not_understood
from coterie.mission.dialogue.conversation import (
    CHANGES,
    US,
    Said,
    Thread,
    Threads,
)
from coterie.mission.dialogue.counterpart import Conversation, Partner
from coterie.mission.dialogue.reference import References, Unclear, Which, names_in, names_said
from coterie.mission.dialogue.table import TABLE, State, needs_yes, one_answer, state_of
from coterie.mission.dialogue.utterance import Certainty, Named, Utterance, heard, named_speaker
from coterie.mission.journal import Journal
from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning
from coterie.talk.writing import brief

COURTESY = (m.Approve, m.Greet)
MOST_CHARS = 2000  # of an utterance, in the journal


class Dialogue(Conversation):
    """One for a team. `say` brings words to one person and to nobody else."""

    def __init__(self, partner: Partner, journal: Journal, say: Callable[[str, str], None]):
        self.partner, self.threads, self._say = partner, Threads(journal), say

    def spoke(self, person: str, text: str) -> None:
        """Words have gone to a person: they are part of the thread, and what they name can be pointed at."""
        self.threads.said(US, person, text)
        self.threads.of(person).told.update(names_said(text, self.partner.vocabulary))

    # -- one utterance --------------------------------------------------------------------------------------------
    def hear(self, person: str, text: str) -> list[Meaning | m.Unclear]:
        """One utterance; what it was taken to mean. Whatever cannot be done is said, and ends nothing."""
        try:
            return self._hear(person, text)
        except CoterieError as err:
            self._answer(self.threads.of(person), [str(err)])
            return [m.Unclear(text)]

    def _hear(self, person: str, text: str) -> list[Meaning | m.Unclear]:
        thread, partner = self.threads.of(person), self.partner
        other = named_speaker(text, partner.people())
        if other is not None and other.known and other.person != person:
            return self._for_somebody(thread, text, other)
        text = other.words if other is not None and other.known else text
        said = heard(text, partner.vocabulary)
        said = replace(said, meanings=tuple(self._named(thread, x) for x in _unreleased(said)))
        self._note(thread, said)
        proposed = partner.proposed(person) if said.early and thread.asking is None else ""
        if proposed and any(isinstance(x, (m.Approve, m.Refuse)) for x in said.meanings):
            self._answer(thread, [f"You said that before I could tell you what I propose. {proposed}"])
            return list(said.meanings)
        meant, owed = self._yes_alone(thread, said)
        replies = self._taken(thread, said, meant)
        if said.unclear:
            replies.append(not_understood(self, thread, max(said.unclear, key=lambda x: len(x.text))))
        replies.append(self._asked_again(thread) if owed else "")
        self._answer(thread, replies)
        return list(said.meanings)

    def _note(self, thread: Thread, said: Utterance) -> None:
        perhaps = "perhaps " * (said.certainty < Certainty.SURE)
        self.threads.said(
            thread.person, US, clean(said.said, MOST_CHARS), perhaps + "; ".join(brief(x) for x in said.meanings)
        )
        if [getattr(x, "about", "") for x in said.meanings] != ["understood"]:
            thread.meanings, thread.unread = tuple(said.meant), said.unclear[0].text if said.unclear else ""

    def _taken(self, thread: Thread, said: Utterance, meant: list[Meaning]) -> list[str]:
        """What is said to each meaning; several that wait for a yes wait for one."""
        proposed = state_of(self, thread) == State.PROPOSAL
        meant = one_answer(self, thread, meant)
        rows = [Said(x, said.of(x, proposed), said.missing) for x in meant]
        waiting = [x.meaning for x in rows if isinstance(x.meaning, CHANGES) and needs_yes(x)]
        if len(waiting) < 2 or said.certainty == Certainty.UNLIKELY:
            return [self.take(thread, x) for x in rows]
        rest = [self.take(thread, x) for x in rows if x.meaning not in waiting]
        try:
            return [*rest, self.confirm_all(thread, [self._resolved(thread, x) for x in waiting], said.missing)]
        except CoterieError as err:
            return [*rest, str(err)]

    def _named(self, thread: Thread, found: Meaning | m.Unclear) -> Meaning | m.Unclear:
        """A word that nobody knows names a thing where one is asked for, and nothing elsewhere."""
        question = thread.asking.question if thread.asking is not None else None
        listed = question is not None and m.Things in question.forms
        if listed and isinstance(found, m.Unknown):
            return m.Things(((found.name, 1),), (found.name,))
        if listed or not _new_words(found):
            return found
        return m.Unclear(" ".join(found.unknown), found.unknown)

    def _for_somebody(self, thread: Thread, text: str, said: Named) -> list[Meaning | m.Unclear]:
        """Words under somebody else's name count for nobody: neither has said them. A stop counts from anybody."""
        found = heard(said.words, self.partner.vocabulary)
        self._note(thread, replace(found, said=text))
        if any(isinstance(x, m.Stop) for x in found.meanings):
            stop = next(x for x in found.meant if isinstance(x, m.Stop))
            self._answer(thread, [self.take(thread, Said(stop))])
            return [stop]
        may = f"You are {thread.person} here, and nobody speaks for {said.person} but {said.person}, so I do nothing."
        self._answer(thread, [f"{may} Say it without the name if you want it yourself."])
        return [m.Unclear(text)]

    # -- one meaning ----------------------------------------------------------------------------------------------
    def take(self, thread: Thread, said: Said) -> str:
        """Look up in the table what a meaning does in the state of the thread, and do it."""
        meaning = said.meaning
        try:
            pointed = names_in(meaning)
            if isinstance(meaning, m.Correct) and "@other" in pointed:  # of which it may be several
                said = said._replace(certainty=min(said.certainty, Certainty.DOUBTFUL))
            meaning = self._resolved(thread, meaning)
            thread.meanings = tuple(meaning if x is said.meaning else x for x in thread.meanings)
            if "@it" in pointed and isinstance(meaning, m.Order):
                meaning = self._moved(thread, meaning)
            said = said._replace(meaning=meaning)
            return TABLE[state_of(self, thread)][type(meaning)](self, thread, said)
        except Which as err:
            brought = any(w.where in ("@me", "@here") for w in _wants(said.meaning))
            no = self.partner.turned_away(thread.person) if brought else ""
            return no or self.ask(thread, choosing(self, thread, said, err))
        except Unclear as err:
            return str(err)
        except CoterieError as err:
            if isinstance(meaning, CHANGES):
                thread.refused = thread.spoken, meaning, str(err)
            return str(err)

    def _resolved(self, thread: Thread, meaning: Meaning) -> Meaning:
        """A meaning with names for words that point; a place that was asked for may come as a fact."""
        references = References(thread, self.partner.vocabulary, self.partner.home, self.partner.robots())
        found: Meaning = references.resolved(_place_asked_for(thread, meaning))
        references.mention(found)
        return found

    def _moved(self, thread: Thread, order: m.Order) -> Meaning:
        """ "Deliver it to beta", of what was ordered last: that goes elsewhere, all of it. A thing that is there by now
        is moved again."""
        last = thread.last
        old = last.meaning if last is not None else None
        if last is None or not isinstance(old, m.Order) or not _of_the_same(order, old):
            return order
        if self.partner.fate(last, thread.person).done and not all(w.kind == m.KIT for w in order.wants):
            there = {w.what: w.where for w in old.wants}
            return replace(order, wants=tuple(replace(w, source=w.source or there[w.what]) for w in order.wants))
        return m.Correct(order)

    # -- replies --------------------------------------------------------------------------------------------------
    def _answer(self, thread: Thread, replies: list[str]) -> None:
        """All replies as one, with what is still asked at the end."""
        still = thread.asking.question if thread.asking is not None else None
        if still is not None and not any(still.words in r for r in replies):
            replies.append(still.words)
        words = "\n".join(dict.fromkeys(r for r in replies if r))
        if words:
            self._say(thread.person, words)

    def _yes_alone(self, thread: Thread, said: Utterance) -> tuple[list[Meaning], bool]:
        """A yes counts by itself, or with courtesy: beside anything else it is none, and the rest stands. In a lesson a
        yes only leads an answer in. Whether what it was said to is asked again comes with it."""
        meant = said.meant
        yes = list(dict.fromkeys(x for x in meant if isinstance(x, m.Approve)))
        if not yes or len(said.meanings) == 1:
            return meant, False
        rest = [x for x in meant if not isinstance(x, COURTESY)]
        if not rest and len(yes) == 1 and not said.unclear:
            return [yes[0], *(x for x in meant if isinstance(x, m.Greet))], False
        asking = thread.asking
        ends = any(isinstance(x, (m.Refuse, m.Stop, m.Steer, m.Forget)) for x in rest)
        if asking is not None and asking.passing is None and asking.fits(yes[0]) and not ends:
            return meant, False
        return [x for x in rest if not isinstance(x, m.Refuse)], True

    def _asked_again(self, thread: Thread) -> str:
        """What a yes with more beside it may have been said to, if that is still open."""
        proposed = self.partner.proposed(thread.person) if thread.asking is None else ""
        if not proposed and (thread.asking is None or thread.asking.passing is None):
            return ""
        return f"I have not taken that for a yes, since you said more. Say yes or no by itself.\n{proposed}".rstrip()


def _new_words(found: Meaning | m.Unclear) -> TypeGuard[m.Things]:
    """Whether something is nothing but words that nobody knows."""
    return isinstance(found, m.Things) and bool(found.unknown) and len(found.items) <= len(found.unknown)


def _unreleased(said: Utterance) -> list[Meaning | m.Unclear]:
    """What was said without a continue that a stop or a wait for all stands behind: nothing is let go in between."""
    found = list(said.meanings)
    held = [i for i, x in enumerate(found) if (isinstance(x, m.Stop) or m.only_waits(x)) and not x.robots]
    last = held[-1] if held else 0
    go_on = [i < last and isinstance(x, m.Steer) and x.how == "resume" for i, x in enumerate(found)]
    return [x for x, dropped in zip(found, go_on) if not dropped]


def _place_asked_for(thread: Thread, meaning: Meaning) -> Meaning:
    """ "You will find them on table C", while something is asked: a place, of what was asked for."""
    claims = meaning.claims if isinstance(meaning, m.Tell) else ()
    asked = thread.asking is not None and thread.asking.passing is None
    if not asked or len(claims) != 1 or claims[0] != m.Claim(m.STOCK, "@it", claims[0].where):
        return meaning
    return m.Somewhere(claims[0].where)


def _wants(meaning: Meaning) -> tuple[m.Want, ...]:
    return meaning.wants if isinstance(meaning, (m.Order, m.Ask)) else ()


def _of_the_same(order: m.Order, old: m.Order) -> bool:
    """Whether an order wants the very kits or things that another one wanted, elsewhere."""
    before = [(w.kind, w.what) for w in old.wants if w.kind in (m.KIT, m.STOCK)]
    return all(w.where for w in order.wants) and [(w.kind, w.what) for w in order.wants] == before
