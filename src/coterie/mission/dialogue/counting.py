"""How many more, or how many are enough, of what was ordered last: "One more.", "Two are enough." """

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from coterie.mission.dialogue.counterpart import Partner
from coterie.mission.dialogue.guessing import Confirm
from coterie.mission.dialogue.thread import Deed, Thread
from coterie.mission.language.heard import heard_of
from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning
from coterie.talk.vocabulary import Vocabulary
from coterie.talk.wording import Wording

_LEAD = r"(?:(?:and|but|ok|okay|oh|please|just|actually|sorry|no) )*"
_OF = r"(?: of (?:them|those|these|that|it))?(?: please| then| though| after all)*"
_ONE_MORE = r"(?:«n\d+»|one|another|another one)"
_MORE = re.compile(rf"{_LEAD}(?:{_ONE_MORE} more|another one|another){_OF}")
_LESS = re.compile(rf"{_LEAD}(?:«n\d+»|one) (?:less|fewer){_OF}")
_ENOUGH = re.compile(
    rf"{_LEAD}(?:«n\d+»|one){_OF} (?:(?:is|are|was|were|will be|would be) (?:enough|plenty|sufficient|fine)|will do|"
    r"would do|should do|suffices?)(?: please| then| though| after all)*"
)
#: "Sorry, just one.": so many in all, where something was put right.
_JUST = re.compile(
    rf"(?:(?:sorry|no|oh|wait|oops|actually|ok|okay|please) )+(?:i (?:meant|mean|only want|only need) )?"
    rf"(?:just|only)? ?(?:«n\d+»|one){_OF}(?: is enough)?"
)


class Count(NamedTuple):
    """How many: more, less, or in all."""

    how: str
    number: int


def counted(sentence: str, vocabulary: Vocabulary) -> Count | None:
    """What a sentence that names no thing says of how many are wanted."""
    heard = heard_of(sentence.strip(" .!"), vocabulary, False)
    if heard.names or len(heard.numbers) > 1 or sentence.rstrip().endswith("?"):
        return None
    text, number = " ".join(re.sub(r"[,.!]", " ", heard.text).split()), (heard.numbers or [1])[0]
    for how, pattern in (("more", _MORE), ("less", _LESS), ("enough", _ENOUGH), ("enough", _just(sentence))):
        if pattern.fullmatch(text) is not None:
            return Count(how, number)
    return None


def _just(sentence: str) -> re.Pattern[str]:
    return _JUST if re.search(r"\b(?:just|only)\b", sentence, re.I) else re.compile(r"(?!)")


class Counting:
    """What `Dialogue` reads back where somebody says how many more of what they ordered, or how many in all."""

    partner: Partner

    if TYPE_CHECKING:

        @property
        def wording(self) -> Wording: ...
        def _open(self, thread: Thread) -> list[Deed]: ...
        def _corrected(self, thread: Thread, instead: Meaning, bare: bool, wrong: str = "") -> str: ...
        def _left(self, thread: Thread, words: str) -> str: ...
        def undone(self, thread: Thread, last: Deed) -> str: ...

        confirm: Confirm

    def _how_many_said(self, thread: Thread, text: str) -> Callable[[], str] | None:
        said = counted(text, self.partner.vocabulary)
        last = next((d.meaning for d in self._open(thread)), None) if said is not None else None
        if said is None or not isinstance(last, m.Order) or last.when:
            return None
        want = last.wants[0] if len(last.wants) == 1 else None
        if want is None or want.kind not in (m.KIT, m.STOCK):
            return None
        if said.how == "more":
            order = replace(last, wants=(replace(want, count=said.number),))
            said_so = re.sub(r" an? ", " another ", self.wording.sentence(order), count=1)
            words = f"Do you mean: {said_so} This stays: {self.wording.sentence(last)}"
            return lambda: self.confirm(thread, order, None, words)
        stays = self._no_more(thread, said, last)
        if stays is not None:
            return stays
        count = said.number if said.how == "enough" else int(want.count or 1) - said.number
        if count <= 0:
            off = self.wording.sentence(m.Steer("cancel", want.what))
            none = f"None would be left of: {self.wording.sentence(last)} To leave it, say: {off}"
            return lambda: none
        return lambda: self._corrected(thread, m.Number(count), True)

    def _no_more(self, thread: Thread, said: Count, last: m.Order) -> Callable[[], str] | None:
        """ "Just one", behind one more that is read back or was ordered: that is left, and the first one stays."""
        asking, want = thread.asking, last.wants[0]
        more = asking.passing if asking is not None else None
        if said.how != "enough" or want.count != said.number:
            return None
        if isinstance(more, m.Order) and _same(more, last):
            return lambda: self._left(thread, f"All right, I do no more. This stays: {self.wording.sentence(last)}")
        before = [d for d in self._open(thread) if isinstance(d.meaning, m.Order) and _same(d.meaning, last)]
        if len(before) < 2:
            return None
        words = f"Do you want me to undo the last thing that you said: {self.wording.sentence(last)}"
        return lambda: self.confirm(thread, m.Forget(), lambda: self.undone(thread, before[0]), words)


def _same(one: m.Order, other: m.Order) -> bool:
    """Whether two orders want the same thing at the same place, as many as it may be."""
    return [(w.what, w.where) for w in one.wants] == [(w.what, w.where) for w in other.wants]
