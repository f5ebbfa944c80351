"""Guesses at what somebody means, and what is read back before it counts.

A guess that only asks is answered; a stop is honoured; anything else is read back ("Do you mean: ...") and done at a
yes. What was read back waits for a yes or a no and for nothing else: whatever is said instead takes its place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from coterie.core.errors import CoterieError
from coterie.mission.dialogue.asking import Interaction, Question, Talk
from coterie.mission.dialogue.counterpart import Partner
from coterie.mission.dialogue.pointing import Pointing, names_in
from coterie.mission.dialogue.thread import Deed, Thread
from coterie.mission.language.caution import contrary, left_out, loses, stops_at_once, turned_round
from coterie.mission.language.denied import closed, denied, spoilt, turned
from coterie.mission.language.fragments import wanted_too
from coterie.mission.language.guess import guess, guess_part, is_safe, told_step
from coterie.mission.language.heard import heard_of
from coterie.mission.language.listing import called_so, listing
from coterie.mission.language.stops.reasons import apart, is_reason
from coterie.mission.language.suggest import sentences_for
from coterie.mission.language.unsaid import unsaid
from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning
from coterie.talk.vocabulary import Vocabulary
from coterie.talk.wording import Wording

MOST_OTHERS = 3  # things that somebody could have meant
SAY_AGAIN = "Say yes once more, or type it."
NOT_PLAIN = "It is not plain to me whether that is a yes or a no to what I propose, so that waits."
#: A word by which something stands in for something else.
INSTEAD = re.compile(r"\binstead\b(?! of)", re.I)
_SHOWN = re.compile(r"\b(?:this|here|there you (?:go|are)|look|see|like so|voil[aà])\b", re.I)


class Confirm(Protocol):
    """Reads back what would be done, and does it at a yes: by `then_do`, if that is given, and in these `words`;
    `replaces` is the deed that it would be done instead of."""

    def __call__(
        self,
        thread: Thread,
        meaning: Meaning,
        then_do: Callable[[], str] | None = None,
        words: str = "",
        replaces: Deed | None = None,
    ) -> str: ...


class Guessing:
    """What `Dialogue` does about words that may mean something else."""

    partner: Partner

    if TYPE_CHECKING:

        @property
        def wording(self) -> Wording: ...
        def ask(self, thread: Thread, interaction: Interaction) -> str: ...
        def _reply(self, thread: Thread, meaning: Meaning, doubtful: bool = False) -> str: ...
        def _take(self, thread: Thread, meaning: Meaning, doubtful: bool) -> str: ...
        def _the_one(self, thread: Thread, order: Meaning) -> str: ...
        def _corrected(self, thread: Thread, instead: Meaning, bare: bool, wrong: str = "") -> str: ...
        def _says_so(self, thread: Thread, text: str) -> bool: ...
        def _guessed_answer(self, thread: Thread, meaning: Meaning) -> str | None: ...
        def _step_back(self, thread: Thread, meaning: Meaning) -> str: ...

    # -- what it may be -------------------------------------------------------------------------------------------
    def _guessed(self, thread: Thread, text: str) -> Meaning | None:
        """What somebody probably means, in words that the grammar does not know; names for words that point."""
        question = thread.asking.question if thread.asking is not None else None
        called = called_so(text, self.partner.vocabulary) if question is not None and question.of_a_name else ""
        if called:
            return m.Things(((called, 1),), (called,))
        if self._says_so(thread, text):
            return m.Approve()
        if question is not None and m.Things in question.forms:
            named = listing(text, self.partner.vocabulary)
            if named is not None:
                return named
        said, steps = text, question is not None and m.Order in question.forms
        text = text if steps else ordered(text, self.partner.vocabulary)
        told = told_step(text, self.partner.vocabulary) if steps else None
        found = (
            told
            or later(text, self.partner.vocabulary)
            or guess(text, self.partner.vocabulary, text.rstrip().endswith("?"))
        )
        if (
            isinstance(found, m.Stop) and found.robots and turned_round(text)
        ):  # those who are named may be left out of it
            found = m.Stop()
        zone = (
            closed(text, self.partner.vocabulary) if not isinstance(found, (m.Ask, m.Stop, m.Zone, m.Policy)) else None
        )
        if zone is not None:
            return zone
        if found is not None and (contrary(text, found) or loses(text, found, self.partner.vocabulary)):
            return None
        if found is not None and (denied(text, found, self.partner.vocabulary) or turned(said, found)):
            return None
        if isinstance(found, (m.Approve, m.Refuse)) and text.rstrip().endswith("?"):  # which asks, and answers nothing
            return None
        shows = question is not None and m.Show in question.forms and _SHOWN.search(text) is not None
        if shows and not text.rstrip().endswith("?") and not isinstance(found, (m.Refuse, m.Forget, m.Stop)):
            return m.Show()
        found = wanted_too(text, found) if _just_ordered(thread) else found
        if isinstance(found, m.Order) and INSTEAD.search(text) and (thread.asking is None or thread.asking.passing):
            found = m.Correct(found)
        bare = found in (m.Steer("cancel"), m.Steer("resume"))
        if bare and found is not None and unsaid(text, found, self.partner.vocabulary):
            return None  # which of several was named, and is not known
        return self._pointed(thread, found)

    @staticmethod
    def _asked_for(thread: Thread, found: Meaning) -> bool:
        """Whether a guess is worth reading back: a bare thing, place or number is an answer, or nothing."""
        answers = isinstance(found, (m.Things, m.Somewhere, m.Number, m.Nothing, m.Show))
        return not answers or (thread.asking is not None and thread.asking.fits(found))

    def _pointing(self, thread: Thread) -> Pointing:
        return Pointing(thread, self.partner.vocabulary, self.partner.home, self.partner.robots())

    def _pointed(self, thread: Thread, found: Meaning | m.Unclear | None) -> Meaning | None:
        try:
            return self._pointing(thread).resolved(found) if isinstance(found, Meaning) else None
        except CoterieError:
            return None

    def _others(self, text: str) -> list[str]:
        if turned_round(text) or spoilt(text):  # what has the same names is the opposite
            return []
        return sentences_for(text, self.partner.vocabulary, MOST_OTHERS + 1)

    # -- reading back ---------------------------------------------------------------------------------------------
    def _perhaps(self, thread: Thread, meaning: Meaning, text: str, aloud: bool = False, faint: bool = False) -> str:
        """A guess answers what is being asked, or a question; a stop is honoured; all else is read back first. A yes
        that was spoken answers what was read back; one that somebody else made of other words does not."""
        self._pointing(thread).mention(meaning)
        asking = thread.asking
        answer = self._guessed_answer(thread, meaning) if not aloud else None
        answer = answer or self._step_back(thread, meaning)
        if answer:
            return answer
        if isinstance(meaning, m.Approve) and (faint or (meaning.what and asking is not None)):
            return self._sure(thread, meaning)
        fits = asking is not None and asking.fits(meaning)
        fits = fits and (aloud or not isinstance(meaning, (m.Approve, m.Refuse)))
        if fits or (isinstance(meaning, m.Stop) and (aloud or stops_at_once(text, self.partner.vocabulary))):
            return self._reply(thread, meaning)
        if is_safe(meaning):
            lead = taken_for(self.wording, meaning) if isinstance(meaning, m.Ask) else ""
            left = leaves_out(self._left_out(text, meaning) if isinstance(meaning, m.Ask) else [])
            return lead + self._reply(thread, meaning) + left
        if isinstance(meaning, m.Correct):
            lost = [] if aloud else left_out(text, meaning)
            return self._put_right(thread, meaning.instead) + leaves_out(lost)
        the_one = self._the_one(thread, meaning)
        if the_one:
            return the_one + leaves_out(self._left_out(text, meaning))
        if aloud:  # what else was said nobody knows: other words are no nearer
            return self.confirm(thread, meaning)
        others = [s for s in self._others(text) if s != self.wording.sentence(meaning)][:MOST_OTHERS]
        perhaps = "".join(f"\n  {s}" for s in others)
        left = leaves_out(self._left_out(text, meaning))
        return self.confirm(thread, meaning) + left + (f"\nOr perhaps:{perhaps}" if perhaps else "")

    def _left_out(self, text: str, meaning: Meaning) -> list[str]:
        """What somebody said and a guess says nothing of: conditions and times, and names and numbers elsewhere."""
        words = left_out(text, meaning)
        rest = re.sub("|".join(map(re.escape, words)), " ", text, flags=re.I) if words else text
        return [*words, *unsaid(rest, meaning, self.partner.vocabulary)]

    def _put_right(self, thread: Thread, instead: Meaning) -> str:
        """A correction is read back as what it makes of what was said last."""
        leave_passing(thread)
        if thread.asking is not None and thread.asking.answers:  # of a lesson, which says what it has understood
            return self._take(thread, m.Correct(instead), False)
        return self._corrected(thread, instead, True)

    def _sure(self, thread: Thread, meaning: m.Approve) -> str:
        """A yes that may have been another word, or that names a plan where none was asked about: it is confirmed, by a
        yes that is made out well or typed, before it counts."""
        sure = f"I am not sure that I heard a yes. {SAY_AGAIN}"
        asking = thread.asking
        if asking is not None and asking.name == SAY_AGAIN:
            return sure

        def talk() -> Talk:
            answer = yield Question(sure, (m.Approve, m.Refuse), "yes")
            return isinstance(answer, m.Approve)

        def then(yes: bool) -> str:
            return self._reply(thread, m.Approve()) if yes else "All right; I do nothing."

        return self.ask(thread, Interaction(SAY_AGAIN, talk, then))

    def confirm(
        self,
        thread: Thread,
        meaning: Meaning,
        then_do: Callable[[], str] | None = None,
        words: str = "",
        replaces: Deed | None = None,
    ) -> str:
        """Read back what would be done, and do it at a yes; `replaces`: instead of what."""
        self.partner.fits(meaning)
        leave_passing(thread)
        words = words or f"Do you mean: {self.wording.sentence(meaning)}"
        if isinstance(meaning, m.Refuse) and thread.asking is not None:
            words = f"Do you want to leave {thread.asking.name}?"

        def talk() -> Talk:
            answer = yield Question(words, (m.Approve, m.Refuse), "yes")
            return isinstance(answer, m.Approve)

        def then(yes: bool) -> str:
            if not yes:
                proposed = self.partner.proposed(thread.person) if isinstance(meaning, m.Refuse) else ""
                return not_plain(proposed) if proposed else "All right; I do nothing."
            return then_do() if then_do is not None else self._take(thread, meaning, False)

        return self.ask(thread, Interaction("it", talk, then, passing=meaning, replaces=replaces))

    # -- numbers --------------------------------------------------------------------------------------------------
    def _how_many(self, meaning: m.Order | m.Policy, take: Callable[[Meaning], str]) -> Interaction | None:
        """Nobody orders none of a thing: where somebody said zero, how many are meant is asked."""
        none = next((w for w in meaning.wants if w.count == 0), None)
        if none is None:
            return None
        what = self.wording.some(none.what, 0)

        def talk() -> Talk:
            words = f"You said {what}. How many should it be? Say none to leave it."
            while True:
                answer = yield Question(words, (m.Number, m.Things, m.Nothing, m.Refuse), "one")
                count = answer.count if isinstance(answer, m.Number) else None
                if isinstance(answer, m.Things) and len(answer.items) == 1:
                    count = answer.items[0][1]
                if isinstance(answer, (m.Nothing, m.Refuse)) or count == 0:
                    return None
                if count is not None:
                    return replace(meaning, wants=tuple(replace(w, count=w.count or count) for w in meaning.wants))

        def then(whole: Any) -> str:
            return take(whole) if whole is not None else "All right; I do nothing."

        return Interaction("it", talk, then)


def _just_ordered(thread: Thread) -> bool:
    """Whether the last thing that somebody said was an order."""
    last = thread.last if thread.asking is None else None
    return last is not None and last.turn == thread.spoken and isinstance(last.meaning, m.Order)


def ordered(text: str, vocabulary: Vocabulary) -> str:
    """An order without the reason behind it; a sentence as it was where it is something else."""
    whole = guess(text, vocabulary, text.rstrip().endswith("?"))
    if whole is not None and not isinstance(whole, (m.Order, m.Refuse)):
        return text
    for what, why in apart(text):
        if is_reason(why, vocabulary) and isinstance(guess(what, vocabulary, False), m.Order):
            return what
    return text


#: When something is to be done, before what that is.
_THEN = re.compile(r"\W*(?:when|after|once|as soon as)\b(?P<when>[^,;]+),\s*(?:then )?(?P<main>.+)", re.I | re.S)


def later(text: str, vocabulary: Vocabulary) -> m.Order | None:
    """What is to be done later, without when: where a guess at the whole would take what the condition names for part
    of it. What is left out is said where it is read back."""
    found = _THEN.fullmatch(text)
    if found is None or text.rstrip().endswith("?"):
        return None
    whole, main = guess(text, vocabulary, False), guess_part(found["main"], vocabulary)
    only = {n for _, n, _ in heard_of(found["when"], vocabulary, False).names}
    only -= {n for _, n, _ in heard_of(found["main"], vocabulary, False).names}
    mixed = isinstance(whole, m.Order) and not whole.when and bool(only & set(names_in(whole)))
    return main if mixed and isinstance(main, m.Order) else None


def leaves_out(words: Sequence[str]) -> str:
    shown = ", ".join(f"'{w}'" for w in words)
    return f"\nThat leaves out what you said with {shown}." if shown else ""


def taken_for(wording: Wording, meaning: Meaning) -> str:
    """What goes before the answer to a question in other words."""
    return f"(I take it for: {wording.sentence(meaning)})\n"


def not_plain(proposed: str) -> str:
    """What is said to words at a proposal that may be a yes or a no."""
    return f"{NOT_PLAIN}\n{proposed} Say one of:\n  Do it.\n  Don't do it."


def leave_choice(thread: Thread) -> None:
    """Which of several was meant is not asked for ever: after two other sentences it is over."""
    asking = thread.asking
    if asking is not None and asking.choice and thread.spoken > asking.turns[0] + 1:
        thread.asking = asking.outer


def leave_passing(thread: Thread) -> None:
    """What was read back and has no answer is over."""
    while thread.asking is not None and thread.asking.passing is not None:
        thread.asking = thread.asking.outer
