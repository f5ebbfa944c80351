"""A yes after words that nobody understood: they may have been about what waits, so what the yes is for is asked."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING

from coterie.core.said import clean
from coterie.mission.dialogue.counterpart import Partner
from coterie.mission.dialogue.guessing import NOT_PLAIN, leave_passing
from coterie.mission.dialogue.thread import NO_GOAL, NOT_READ, US, Thread, Turn
from coterie.mission.language.asides import may_be_about, not_them, of_what_was_asked
from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning

MOST_SHOWN = 80  # characters of what was not understood
#: Guesses that change nothing, or answer: what somebody says after one of them is about something else.
_SAFE = ("perhaps ask ", "perhaps greet ", "perhaps repeat", "perhaps stop", "perhaps approve", "perhaps refuse")
#: What would put something right, said beside a proposal that is as it was.
_WISHES = ("things", "number", "somewhere", "correct")
#: The words that are asked for where it is not plain whether something is a yes.
_DO_IT = re.compile(r"\W*(?:please,? )?do it(?:,? please)?\W*", re.I)


class AsItStands:
    """What `Dialogue` asks at a bare yes."""

    partner: Partner

    if TYPE_CHECKING:

        def _take(self, thread: Thread, meaning: Meaning, doubtful: bool) -> str: ...

    def _yes_to_what(self, thread: Thread, meaning: Meaning) -> str:
        """What is asked at a yes to what is proposed, where its speaker has said something since that nobody
        understood; empty where it is a yes and no more. The question tells the proposal anew: the next yes counts."""
        if not isinstance(meaning, m.Approve) or meaning.what:
            return ""
        proposed = self.partner.proposed(thread.person)
        lost = self._lost_since(thread, proposed) if proposed else ""
        if not lost:
            return ""
        return f"{lost} Do you mean my proposal as it stands? {proposed}"

    def _lost_since(self, thread: Thread, proposed: str) -> str:
        """What is told of something that somebody has said since they were told of a proposal, that may be about it,
        and that was not understood or changed nothing; what was read back and got a no was not understood. It is found
        in the turns, which outlast a restart."""
        told = max((i for i, t in enumerate(thread.turns) if _tells(t, proposed)), default=-1)
        turns = thread.turns[told + 1 :] if told >= 0 else []
        own = [t for t in turns if t.by == thread.person]
        refused = [t for t, after in pairwise(own) if _guessed(t) and _says_no(after)]
        replies = [(t, after.text) for t, after in pairwise(turns) if t.by == thread.person and after.by == US]
        lost = refused + [t for t, reply in replies if "unclear" in t.meaning and NOT_READ in reply]
        vain = [t for t, reply in replies if reply.startswith(NO_GOAL) or t.meaning.startswith(_WISHES)]
        guessed = [t for t, reply in replies if reply.startswith(NOT_PLAIN)]
        about = [t for t in own if t in lost + vain and may_be_about(t.text, self.partner.vocabulary)]
        if guessed and not _DO_IT.fullmatch(thread.heard):
            return f"You also said '{_shown(guessed[-1].text)}', which may be a yes or a no."
        return _also_said(about[-1].text, about[-1] in lost) if about else ""

    def _answers_otherwise(self, thread: Thread, text: str) -> Callable[[], str] | None:
        """ "Don't bother the pharmacist", where that is proposed: a no. "Sorry, I have none.", of whoever was asked for
        something: a no, too."""
        proposed = self.partner.proposed(thread.person)
        if not proposed and self.partner.awaits(thread.person):
            given = of_what_was_asked(text)
            answer = m.Approve() if given else m.Refuse()
            return (lambda: self._take(thread, answer, False)) if given is not None else None
        person = not_them(text, self.partner.vocabulary) if proposed else ""
        if not person or self.partner.vocabulary.phrase(person).lower() not in proposed.lower():
            return None

        def no() -> str:
            leave_passing(thread)
            return self._take(thread, m.Refuse(), False)

        return no


def _also_said(text: str, lost: bool) -> str:
    what = "which I did not understand" if lost else "and that changes nothing of it"
    return f"You also said '{_shown(text)}', {what}."


def _shown(text: str) -> str:
    return clean(text, MOST_SHOWN).rstrip(" .!")


def _tells(turn: Turn, proposed: str) -> bool:
    """Whether a person is told of a proposal, so that a yes is one to it."""
    return turn.by == US and proposed in turn.text and not turn.text.startswith(NOT_PLAIN)


def _says_no(turn: Turn) -> bool:
    return turn.meaning.removeprefix("perhaps ").startswith("refuse")


def _guessed(turn: Turn) -> bool:
    """Whether something was read back that was said in other words."""
    return turn.meaning.startswith("perhaps ") and not turn.meaning.startswith(_SAFE)
