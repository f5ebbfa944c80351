"""A yes or a no that is only guessed at: what it counts for, and what is said where it counts for nothing.

A guess is never read back as a yes or a no, since the next "Yes." would be taken for either. At what is read back it
answers that, if it can do no harm; at a proposal it is asked for in plain words; elsewhere it is nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from coterie.mission.dialogue.asking import Interaction
from coterie.mission.dialogue.counterpart import Partner
from coterie.mission.dialogue.guessing import leave_passing, not_plain
from coterie.mission.dialogue.thread import Thread, Threads
from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning

#: What says yes to what was just read back, and to nothing else.
_SAYS_SO = re.compile(
    r"\W*(?:(?:yes|yeah|yep|exactly|right|correct|of course|sure)\W+)*(?:"
    r"(?:that|this)(?:'s| is| was)(?: exactly| just)? what i (?:(?:just )?said|mean|meant|want|wanted|asked(?: for)?)|"
    r"(?:that )?sounds (?:about )?right|(?:of course )?i mean (?:that|it)|"
    r"(?:exactly|yes|yeah|yep|right|correct|sure)\W+(?:many )?(?:thanks|thank you)(?: very much| a lot)?)\W*",
    re.I,
)
#: A yes with more behind it, and no no among that.
_BEGINS = re.compile(
    r"\W*(?:yes|yeah|yep|yup|exactly|of course|absolutely|definitely)\b(?!.*(?:\b(?:no|not|never)\b|n't\b))",
    re.I | re.S,
)
#: What makes thanks or a goodbye doubtful where something waits for a yes: "Cheers, but no."
_A_NO = re.compile(r"\b(?:no|nope|nah|not|never)\b|n't\b", re.I)


class NotPlain:
    """What `Dialogue` does about a guessed yes or no."""

    partner: Partner
    threads: Threads

    if TYPE_CHECKING:

        def _go_on(self, thread: Thread, asking: Interaction) -> str: ...

    def _says_so(self, thread: Thread, text: str) -> bool:
        """Whether somebody says that they mean what was read back to them; of a stop, with whatever behind a yes."""
        asking = read_back(thread)
        if asking is None or "?" in text:
            return False
        return bool(_SAYS_SO.fullmatch(text) or (_halts(asking.passing) and _BEGINS.match(text)))

    def _guessed_answer(self, thread: Thread, meaning: Meaning) -> str | None:
        """What comes of a yes or a no that was guessed; None where it is something else, or answers a question."""
        if isinstance(meaning, m.Greet):
            proposed = self.partner.proposed(thread.person) if thread.asking is None else ""
            against = meaning.how == "unchanged" or _A_NO.search(thread.heard) is not None
            return not_plain(proposed) if proposed and against and meaning.how != "no worries" else None
        if not isinstance(meaning, (m.Approve, m.Refuse)) or (isinstance(meaning, m.Approve) and meaning.what):
            return None
        yes, asking = isinstance(meaning, m.Approve), read_back(thread)
        if asking is not None:
            return self._to_read_back(thread, asking, yes)
        if thread.asking is not None:
            return None
        proposed = self.partner.proposed(thread.person)
        if proposed:
            return not_plain(proposed)
        if self.partner.awaits(thread.person):
            return "I am not sure whether that is a yes or a no. Say yes or no by itself."
        stops = self._stop_of_another(thread, meaning)
        if stops:
            return stops
        return "I did not ask you anything, so I do nothing by that. Say stop to stop, or cancel that to call it off."

    def _to_read_back(self, thread: Thread, asking: Interaction, yes: bool) -> str:
        """A stop is done at a guessed yes, and outlasts a guessed no; all else is left at a guessed no, and asked again
        at a guessed yes."""
        assert asking.question is not None
        if yes and _halts(asking.passing):
            asking.answer(m.Approve(), thread.spoken)
            return self._go_on(thread, asking)
        if yes or _halts(asking.passing):
            return f"Say yes or no by itself. {asking.question.words}"
        leave_passing(thread)
        proposed = self.partner.proposed(thread.person)
        return not_plain(proposed) if proposed else "All right; I do nothing."

    def _stop_of_another(self, thread: Thread, meaning: Meaning) -> str:
        """A yes of somebody who was asked nothing, while a stop is read back to somebody else: it is done."""
        bare = isinstance(meaning, m.Approve) and not meaning.what
        if not bare or thread.asking is not None or self.partner.awaits(thread.person):
            return ""
        for other in self.threads:
            asking = read_back(other) if other is not thread else None
            if asking is not None and isinstance(asking.passing, m.Stop):
                stop = asking.passing
                leave_passing(other)
                return self.partner.act(thread, stop)
        return ""


def read_back(thread: Thread) -> Interaction | None:
    """What is read back to somebody and waits for a yes."""
    asking = thread.asking
    return asking if asking is not None and asking.passing is not None and asking.question is not None else None


def _halts(meaning: Meaning | None) -> bool:
    """Whether robots stand still by something, and nothing is lost."""
    return isinstance(meaning, m.Stop) or (isinstance(meaning, m.Steer) and meaning.how == "pause")
