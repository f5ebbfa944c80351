"""What somebody said is put right or taken back: their own deed, and none of anybody else.

The last deed that a correction can be about is meant. Where that is not the very last one, or is done, called off, or
waits for an answer, what would become of it is read back before it is touched.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from coterie.core.errors import CoterieError
from coterie.mission.dialogue.asking import Interaction
from coterie.mission.dialogue.correcting import as_many, kept, part_of, patched, same_thing, same_things, unsure
from coterie.mission.dialogue.counterpart import Fate, Partner
from coterie.mission.dialogue.guessing import INSTEAD, Confirm, leave_choice
from coterie.mission.dialogue.pointing import names_in
from coterie.mission.dialogue.thread import Deed, Thread
from coterie.mission.language.denied import adds, joins
from coterie.mission.language.heard import heard_of
from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning
from coterie.talk.wording import Wording, upper

#: Words that take back the last answer and do not leave what is asked: not "forget it".
_UNDO = re.compile(r"\b(?:undo|scratch|strike|take (?:that|it|this) back|revert|back up|go back)\b", re.I)
#: What speaks of all that was taught, and not of the last answer.
_ALL_OF_IT = re.compile(r"\b(?:lesson|teach|taught|learn\w*|skill|kit|task|whole|everything|all)\b", re.I)
_POINTS = re.compile(r"\b(?:it|them|they|those|these|both|everything)\b", re.I)
#: What "undo that" is about, where it is no lesson.
AGAIN = " To have what you said before, say: "
TAUGHT = (m.Teach, m.Alter, m.Policy)
DEEDS = (m.Order, m.Tell, m.Zone, m.Permit, m.Steer, m.Stop, m.Approve, m.Refuse)


class PuttingRight:
    """What `Dialogue` does about what was said before."""

    partner: Partner

    if TYPE_CHECKING:

        @property
        def wording(self) -> Wording: ...
        def _do(self, thread: Thread, meaning: Meaning, doubtful: bool = False) -> str: ...
        def ask(self, thread: Thread, interaction: Interaction) -> str: ...
        def _steered_otherwise(self, thread: Thread, instead: Meaning, bare: bool, more: bool) -> str: ...
        def incomplete(
            self, thread: Thread, meaning: Meaning, then: Callable[[Meaning], str]
        ) -> Interaction | None: ...

        confirm: Confirm

    # -- taking back ----------------------------------------------------------------------------------------------
    def taken_back(self, thread: Thread) -> str | None:
        """ "Undo that", of what somebody has just done; None where it is about a lesson."""
        last = thread.last
        idiom = not _UNDO.search(thread.heard)  # "forget it", of what was just spoken of
        if last is not None and isinstance(last.meaning, TAUGHT) and idiom and thread.spoken > last.turn + 1:
            words = f"Do you want me to undo the last thing that you taught me: {self.wording.sentence(last.meaning)}"
            return self.confirm(thread, m.Forget(), lambda: self.partner.act(thread, m.Forget()), words)
        if last is None or not isinstance(last.meaning, DEEDS):
            return None
        if isinstance(last.meaning, m.Refuse) and not last.goals:
            return "I have taken that back already. To undo a lesson, say forget and its name."
        if thread.spoken > last.turn + 1:  # something else was said in between, which may be meant
            words = f"Do you want me to undo the last thing that you said: {self.wording.sentence(last.meaning)}"
            return self.confirm(thread, m.Forget(), lambda: self.undone(thread, last), words)
        words = self.undone(thread, last)
        if not isinstance(last.instead, m.Order) or AGAIN not in words or thread.asking is not None:
            return words
        words = words.replace(AGAIN, " Do you want again what you said before: ")
        return self.confirm(thread, last.instead, None, words)

    def taken_back_in(self, thread: Thread, asking: Interaction) -> str | None:
        """ "Undo that" while something is asked, as in a lesson: what its speaker did meanwhile, or else the last
        answer. None where there is neither: that is about the lesson itself."""
        deed = next((d for d in thread.deeds if not _taken_back(d)), None)
        if deed is not None and deed.turn > asking.turns[-1]:
            taught = isinstance(deed.meaning, (m.Teach, m.Forget))
            words = self.partner.act(thread, m.Forget()) if taught else self.undone(thread, deed)
            return f"{words} I go on with {asking.name}."
        if not asking.answers or not _UNDO.search(thread.heard):
            return None
        last = asking.back()
        return f"All right, I take that back: {self.wording.sentence(last)} I go on with {asking.name}."

    def _step_back(self, thread: Thread, meaning: Meaning) -> str:
        """ "Scrap that step", in other words than "undo that": the last answer of a lesson is taken back at a yes, and
        no more than that. Empty where it may be about the lesson."""
        asking = thread.asking
        if meaning != m.Forget() or asking is None or asking.passing is not None or not asking.right:
            return ""
        if not asking.answers or _ALL_OF_IT.search(thread.heard):
            return ""

        def back() -> str:
            asking.back()
            return f"All right, I take that back: {said} I go on with {asking.name}."

        said = self.wording.sentence(asking.answers[-1])
        words = f"Do you want me to take back the last thing that you said of {asking.name}: {said}"
        return self.confirm(thread, meaning, back, words)

    def undone(self, thread: Thread, last: Deed) -> str:
        """What came of a deed is taken back."""
        done = self.partner.fate(last, thread.person).done
        self._undo(thread, last)
        thread.did(Deed(m.Refuse()))
        if done:
            return f"{upper(done)} is done already, and stays. Say what you want instead."
        words = f"All right, I take that back: {self.wording.sentence(last.meaning)}"
        if isinstance(last.instead, m.Tell):  # what was told first is so again
            self.partner.act(thread, last.instead)
            return f"{words} So it is as you said before: {self.wording.sentence(last.instead)}"
        if last.called_off:
            return f"{words}{self.partner.restored(thread, last)}"
        before = f"{AGAIN}{self.wording.sentence(last.instead)}" if last.instead else ""
        return f"{words}{before}"

    def _undo(self, thread: Thread, deed: Deed) -> None:
        """What takes a deed back is no deed of its own: to undo twice does nothing again."""
        left = [d for d in thread.deeds if d is not deed]
        self.partner.undo(thread, deed)
        thread.deeds = left

    # -- putting right --------------------------------------------------------------------------------------------
    def _meant(self, thread: Thread, instead: Meaning, wrong: str = "") -> tuple[Deed, Meaning] | None:
        """The last deed that a correction can be about, and what it should have been. What is named as wrong stands in
        it, and what names the same thing comes before what does not."""
        deeds = [d for d in thread.deeds if not wrong or wrong in names_in(d.meaning)]
        same = [d for d in deeds if same_thing(d.meaning, instead)]
        for deed in (*same, *deeds):
            new = patched(deed.meaning, kept(deed.meaning, instead, wrong), self.partner.vocabulary)
            if new is not None:
                return deed, as_many(deed.meaning, new, self._unnumbered(thread, instead))
        return None

    def _refused(self, thread: Thread, instead: Meaning) -> Meaning | None:
        """What somebody has just ordered in vain, as it should have been: "Sorry, I meant Spot." """
        turn, order = thread.refused or (0, None)
        whole = isinstance(instead, m.Order) and not instead.wants
        if order is None or turn + 1 != thread.spoken or whole:
            return None
        new = patched(order, instead, self.partner.vocabulary)
        return as_many(order, new, self._unnumbered(thread, instead)) if new is not None else None

    def _unnumbered(self, thread: Thread, instead: Meaning) -> set[str]:
        """What somebody has just ordered without a number: "the painkillers" or "them", not "one painkiller"."""
        if not isinstance(instead, m.Order):
            return set()
        heard = {n: many for _, n, many in heard_of(thread.heard, self.partner.vocabulary, False).names}
        points = _POINTS.search(thread.heard) is not None
        return {w.what for w in instead.wants if (heard[w.what] is None if w.what in heard else points)}

    def _corrected(self, thread: Thread, instead: Meaning, bare: bool, wrong: str = "") -> str:
        refused = self._refused(thread, instead)
        if refused is not None:
            return self.confirm(thread, refused) if bare else self._do(thread, refused)
        last, found = thread.last, self._meant(thread, instead, wrong)
        named = isinstance(instead, (m.Things, m.Somewhere))
        more = adds(thread.heard) or (bare and named and joins(thread.heard))
        words = self._steered_otherwise(thread, instead, bare, more)
        if words:
            return words
        if not wrong and more and (words := self._beside(thread, instead, found, bare)):
            return words
        if isinstance(instead, m.Order) and instead.wants and not instead.when:
            words = self._of_others(thread, instead, found, wrong)
            if words:
                return words
        if found is None and wrong:
            name = self.wording.name(wrong)
            return f"You have said nothing with {name} that I could put right. Say what I should leave."
        from_there = self._from_there(instead, found)
        if from_there:
            return from_there
        held = part_of(last.meaning, instead, self.partner.vocabulary) if last is not None else None
        if isinstance(instead, m.Order) and not instead.wants and found is None:
            return "I do not know what to do without them. Say a whole sentence, for example: Deliver it without Spot."
        if held is not None and (found is None or found[0] is not last):
            return self._held(*held)
        if found is None:
            if isinstance(instead, m.Order):
                return self._do(thread, instead)
            doubt = self.partner.instead(thread, instead, True)
            if doubt:
                return doubt if isinstance(doubt, str) else self.confirm(thread, doubt.meaning, doubt.then, doubt.words)
            leave_choice(thread)
            said = self.wording.sentence(instead)
            asked = thread.asking is not None and thread.asking.choice
            lead = "I" if asked else "I did not ask anything, and"
            return f"{lead} do not know what to do with: {said} Say a whole sentence."
        old, new = found
        fate = self.partner.fate(old, thread.person)
        open_ = bool(self.partner.proposed(thread.person))
        last = next((d for d in thread.deeds if not _rests(d.meaning)), None)  # a stop of theirs changed no order
        doubtful = bare or old is not last or unsure(old.meaning, instead) or open_ or thread.unclear_since(old)
        if isinstance(new, m.Order) and new == old.meaning and not fate.done and not fate.gone:
            return self._same_again(new)
        if doubtful or fate.done or fate.gone:
            return self._read_back(thread, old, new)
        return self._instead(thread, old, new)

    def _beside(self, thread: Thread, more: Meaning, found: tuple[Deed, Meaning] | None, bare: bool) -> str:
        """What is wanted as well is no correction: it is another order, and what was said before stays. Empty where it
        is none."""
        if isinstance(more, m.Order) and more.wants:
            return self.confirm(thread, more) if bare else self._do(thread, more)
        named = isinstance(more, (m.Things, m.Somewhere))
        if (
            not named
            or found is None
            or not isinstance(found[1], (m.Order, m.Tell, m.Zone, m.Permit, m.Policy, m.Alter))
        ):
            return ""
        if found[1] == found[0].meaning:
            return self._same_again(found[1])
        stays = f" This stays: {self.wording.sentence(found[0].meaning)}"
        return self.confirm(thread, found[1], None, f"Do you mean: {self.wording.sentence(found[1])}{stays}")

    def _of_others(self, thread: Thread, order: m.Order, found: tuple[Deed, Meaning] | None, wrong: str = "") -> str:
        """An order instead of what somebody else wants. What its speaker has ordered of the same thing, and is not
        over, comes first; empty where it is about that, or about nothing of anybody."""
        said = bool(wrong) or INSTEAD.search(thread.heard) is not None
        if found is not None and (same_thing(found[0].meaning, order) or same_things(found[0].meaning, order)):
            fate = self.partner.fate(found[0], thread.person)
            if not fate.done and not fate.gone:
                return ""
        return self._asked_instead(thread, order, found is not None or not said, wrong)

    def _asked_instead(self, thread: Thread, order: m.Order, same: bool, wrong: str = "") -> str:
        def whole(meaning: Meaning) -> str:
            assert isinstance(meaning, m.Order)
            return self._asked_instead(thread, meaning, same, wrong) or self._do(thread, meaning)

        incomplete = self.incomplete(thread, order, whole) if not same else None
        if incomplete is not None:
            return self.ask(thread, incomplete)
        doubt = self.partner.instead(thread, order, same, wrong)
        if isinstance(doubt, str):
            return doubt
        words = self.confirm(thread, doubt.meaning, doubt.then, doubt.words)
        if thread.asking is not None:
            thread.asking.redo = whole
        return words

    def _read_back(self, thread: Thread, old: Deed, new: Meaning, else_: str = "") -> str:
        """What a correction makes of something is done at a yes, and what it stands in for is said; `else_`: what else
        can be said."""
        fate = self.partner.fate(old, thread.person)
        lead = _fate(fate)
        if new == old.meaning and not lead:
            return self._same_again(new)
        order = isinstance(new, m.Order) and isinstance(old.meaning, m.Order)
        clear = old is thread.last and not (order and not lead) and not thread.unclear_since(old)
        more = "" if clear else f" That is instead of: {self.wording.sentence(old.meaning)}"
        words = f"{lead}Do you mean: {self.wording.sentence(new)}{more} {else_}".rstrip()
        return self.confirm(thread, new, lambda: self._instead(thread, old, new), words, old)

    def _same_again(self, meaning: Meaning) -> str:
        """Nothing is offered instead of itself: what is wanted is asked."""
        said = self.wording.sentence(meaning)
        want = meaning.wants[0] if isinstance(meaning, m.Order) and len(meaning.wants) == 1 else None
        placed = want is not None and want.kind in (m.KIT, m.STOCK)
        off = self.wording.sentence(m.Steer("cancel", want.what)) if want is not None and placed else "Undo that."
        return f"That is what you said already: {said} To have something else, say it. To leave it, say: {off}"

    def _instead(self, thread: Thread, old: Deed, new: Meaning) -> str:
        """Something is done instead of a deed; what that has made of the world stays. What is refused, cannot be done
        or has to be asked about first leaves the deed as it was."""
        incomplete = self.incomplete(thread, new, lambda whole: self._instead(thread, old, whole))
        if incomplete is not None:
            return self.ask(thread, incomplete)
        fate = self.partner.fate(old, thread.person)
        try:
            self.partner.possible(thread, new, old)
        except CoterieError as err:
            stays = "" if fate.done or fate.gone else f" So this stays as it was: {self.wording.sentence(old.meaning)}"
            raise CoterieError(f"{err}{stays}") from err
        doubt = self.partner.doubts(thread, new) if not fate.rests else None  # a stop is not minded: it holds
        if doubt is not None:
            then = doubt.then
            return self.confirm(thread, new, lambda: self._replaced(thread, old, then), doubt.words, old)
        return self._replaced(thread, old, lambda: self.partner.act(thread, new), fate.rests)

    def _replaced(self, thread: Thread, old: Deed, act: Callable[[], str], rests: bool = False) -> str:
        self._undo(thread, old)
        before, reply = thread.last, act()
        if thread.last is not None and thread.last is not before:
            thread.replaces(old.meaning)
            return reply + self.partner.rest(thread) if rests else reply
        return reply

    def _from_there(self, instead: Meaning, found: tuple[Deed, Meaning] | None) -> str:
        """ "Take the bandage box from table D instead", of a kit: that is no order in its place. Empty where it is."""
        want = instead.wants[0] if isinstance(instead, m.Order) and len(instead.wants) == 1 else None
        old = found[0].meaning if found is not None else None
        kits = [w.what for w in old.wants if w.kind == m.KIT] if isinstance(old, m.Order) else []
        taken = want is not None and (want.kind == m.HOLD or (want.kind == m.STOCK and want.source and not want.where))
        if want is None or not taken or not kits or self.partner.vocabulary.kind_of(want.what) != "item":
            return ""
        place = want.source or want.where
        there = self.wording.sentence(m.Tell((m.Claim(m.STOCK, want.what, place),))) if place else ""
        tell = f" Where things are taken from I choose by what I know; to tell me of one, say: {there}" if there else ""
        order = self.wording.sentence(m.Order((m.Want(m.HOLD, want.what, place),)))
        return f"You have ordered {self.wording.name(kits[-1])}, which stays.{tell} To have it picked up, say: {order}"

    def _held(self, kit: str, thing: str, count: int) -> str:
        """A kit was ordered, and somebody says how many of a thing: that may be about the kit, or be another order."""
        alter, word = self.wording.sentence(m.Alter(kit, "set", thing, count)), self.wording.some(thing, count)
        order = self.wording.sentence(m.Order((m.Want(m.STOCK, thing, "", count),)))
        known = self.wording.name(kit)
        return (
            f"You have ordered {known}. To have {word} in it, say: {alter} To have {word} brought as well, say: {order}"
        )


def left_lesson(thread: Thread) -> str:
    """ "Leave the lesson": what is being taught, whatever is asked about it."""
    asking = thread.asking
    while asking is not None and asking.outer is not None and not asking.right:
        asking = asking.outer
    if asking is None or asking.passing is not None:
        return "There is no lesson that I could leave. To undo one, say forget and its name."
    thread.asking = asking.outer
    return f"All right; I leave {asking.name}."


def _taken_back(deed: Deed) -> bool:
    """Whether something is only the mark that a deed was taken back."""
    meaning = deed.meaning
    return (isinstance(meaning, m.Refuse) and not deed.goals) or (isinstance(meaning, m.Forget) and not meaning.label)


def _rests(meaning: Meaning) -> bool:
    """Whether something was only halted by it, or let go on."""
    return isinstance(meaning, m.Stop) or (isinstance(meaning, m.Steer) and meaning.how in ("pause", "resume"))


def _fate(fate: Fate) -> str:
    """What has become of something that is to be put right."""
    if fate.done:
        return f"{upper(fate.done)} is done already, and stays. "
    if fate.gone:
        return f"{fate.gone.capitalize()} {'have' if fate.gone == 'you' else 'has'} called that off. "
    return ""
