"""What was ordered or is read back, put another way as a whole: "Swap them.", "Only the medkit.", "For an hour." """

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from coterie.mission.dialogue.counterpart import Partner
from coterie.mission.dialogue.guessing import Confirm
from coterie.mission.dialogue.pointing import names_in
from coterie.mission.dialogue.thread import Deed, Thread
from coterie.mission.language.heard import heard_of
from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning
from coterie.talk.wording import Wording, listed

_LEAD = (
    r"(?:(?:no|oh|ok|okay|please|sorry|wait|actually|and|but|can you|could you|i meant|i said|do it|it should be)\W+)*"
)
_TAIL = r"(?:\W+(?:please|then|instead|now|thanks|around|round|over|after all))*\W*"
#: That each of two is to go where the other was to go.
_SWAP = re.compile(
    rf"\W*{_LEAD}(?:(?:swap|switch|exchange|interchange)(?: (?:them|those|these|the two|both|both of them|it|"
    r"(?:the |their )?(?:places|destinations|rooms|tables|orders|deliveries|kits|two kits|two orders)))?|"
    rf"(?:just )?the other way (?:a?round)|vice versa|(?:exactly )?the reverse){_TAIL}",
    re.I,
)
#: That some of what was ordered is enough, in signs.
_SOME = r"(?:(?:the|an?|my|that|this|those|«n\d+») )*«[kic]\d+»"
_ONLY = re.compile(
    rf"{_LEAD}(?:(?:i|we) )?"
    r"(?:(?:only|just)(?: (?:need|want|meant|take|bring|do|deliver))*|(?:need|want) (?:only|just)) "
    rf"{_SOME}(?:(?:\s*,)?(?: and)? {_SOME})*{_TAIL}|"
    rf"{_LEAD}{_SOME}(?:(?: and)? {_SOME})* (?:only|(?:is|are|will be|would be) (?:enough|plenty|sufficient)|will do)"
    rf"{_TAIL}"
)
#: For how long.
_FOR = re.compile(r"\W*(?:(?:no|but|only|just|and)\W+)*for\b", re.I)
_SO_LONG = re.compile(r"(?:(?:no|but|only|just|and|not for good) )*for (?:the next )?«n\d+» minutes?")
#: That something is let go of, cried: an order to bring it says where to.
_DROPS = re.compile(
    r"\W*(?:(?:\w+|no|please|hey)\W+)*?(?:drop|let go of) (?:the|that|this|those|my|your) [\w ]+!+", re.I
)

#: That something of what was ordered is wrong, without a word of what is right.
_WRONG = re.compile(
    r"\W*(?:(?:oops|oh|no|sorry|damn|ah|uh oh|wait|hang on)\W+)*(?:(?:that|it|this)(?:'s| is| was) )?(?:the )?wrong "
    r"(?P<kind>room|table|place|kit|thing|item|door|robot|one|order|number)\W*",
    re.I,
)


class Rearranging:
    """What `Dialogue` reads back where somebody changes the whole of what they ordered."""

    partner: Partner

    if TYPE_CHECKING:

        @property
        def wording(self) -> Wording: ...
        def _open(self, thread: Thread) -> list[Deed]: ...
        def _take(self, thread: Thread, meaning: Meaning, doubtful: bool) -> str: ...
        def _instead(self, thread: Thread, old: Deed, new: Meaning) -> str: ...
        def _read_back(self, thread: Thread, old: Deed, new: Meaning) -> str: ...

        confirm: Confirm

    def _rearranged(self, thread: Thread, text: str, found: Sequence[Meaning | m.Unclear]) -> Callable[[], str] | None:
        said = found[0] if len(found) == 1 else None
        held = isinstance(said, m.Steer) and self.partner.vocabulary.kind_of(said.what) in ("item", "caddy")
        if (held or isinstance(said, m.Unclear)) and _DROPS.fullmatch(text):
            return lambda: self._take(thread, m.Stop(), False)
        tried = (self._limited, self._swapped, self._only_these, self._wrong)
        return next((do for do in (make(thread, text) for make in tried) if do is not None), None)

    # -- for how long ---------------------------------------------------------------------------------------------
    def _limited(self, thread: Thread, text: str) -> Callable[[], str] | None:
        """The right that somebody has just given, or the place that they closed, for as long as they say now: "Only for
        ten minutes." What is read back is read back with that; a rule holds until it is taken back."""
        heard = heard_of(text, self.partner.vocabulary, False) if _FOR.match(text) else None
        if heard is None or _SO_LONG.fullmatch(heard.text.strip()) is None:
            return None
        asking, minutes = thread.asking, heard.numbers[0]
        passing = asking.passing if asking is not None else None
        if passing is not None:
            if isinstance(passing, (m.Permit, m.Zone)) and passing.holds:
                limited = replace(passing, minutes=minutes)
                return lambda: self.confirm(thread, limited)
            question = asking.question.words if asking is not None and asking.question is not None else ""
            rule = f"A rule does not end by itself; it holds until somebody takes it back. {question}"
            return (lambda: rule) if isinstance(passing, m.Policy) else None
        last = thread.last.meaning if thread.last is not None else None
        if not isinstance(last, (m.Permit, m.Zone)) or not last.holds:
            return None
        given = replace(last, minutes=minutes)
        return lambda: self._take(thread, given, False)

    # -- each in the place of the other ---------------------------------------------------------------------------
    def _swapped(self, thread: Thread, text: str) -> Callable[[], str] | None:
        if _SWAP.fullmatch(text) is None or self.partner.proposed(thread.person):
            return None
        passing = thread.asking.passing if thread.asking is not None else None
        if passing is not None:
            new = _exchanged(passing)
            return (lambda: self.confirm(thread, new)) if new is not None else None
        orders = self._open(thread)
        whole = _exchanged(orders[0].meaning) if orders else None
        if whole is not None:
            return lambda: self._read_back(thread, orders[0], whole)
        both = _each_other(orders[:2]) if len(orders) == 2 else None
        if both is not None:
            return lambda: self._both(thread, both)
        rows = " ".join(self.wording.sentence(d.meaning) for d in reversed(orders))
        wanted = f"You want: {rows} " if rows else ""
        words = f"What should be swapped? {wanted}Say each thing with the place for it."
        return lambda: words

    def _both(self, thread: Thread, changes: Sequence[tuple[Deed, m.Order]]) -> str:
        """Two orders are read back, each with the place of the other, and changed at a yes."""
        (first, one), (second, other) = changes
        said = " ".join(self.wording.sentence(new) for _, new in changes)
        old = " ".join(self.wording.sentence(deed.meaning) for deed, _ in changes)

        def then() -> str:
            words = self._instead(thread, first, one)
            if thread.asking is not None:  # that is settled first
                return words
            return f"{words}\n{self._instead(thread, second, other)}"

        return self.confirm(thread, one, then, f"Do you mean: {said} That is instead of: {old}", first)

    def _wrong(self, thread: Thread, text: str) -> Callable[[], str] | None:
        """ "Wrong room.", of what was ordered last: what is wanted instead is asked."""
        said, orders = _WRONG.fullmatch(text), self._open(thread)
        if said is None or not orders or self.partner.proposed(thread.person):
            return None
        last, v = orders[0].meaning, self.partner.vocabulary
        others = [n for n in v.names(said["kind"].lower()) if n not in names_in(last)]
        off = self.wording.sentence(m.Steer("cancel"))
        right = f"No, {self.wording.name(others[-1])}. Or: {off}" if others else off
        return lambda: f"What do you want instead of: {self.wording.sentence(last)} Say for example: {right}"

    # -- less of it -----------------------------------------------------------------------------------------------
    def _only_these(self, thread: Thread, text: str) -> Callable[[], str] | None:
        """ "Only the medkit", of several things that were ordered or are read back."""
        heard = heard_of(text.strip(" .!"), self.partner.vocabulary, False)
        plain = " ".join(re.sub(r"[.!]", " ", heard.text).split())
        if text.rstrip().endswith("?") or not heard.names or _ONLY.fullmatch(plain) is None:
            return None
        counts = {name: count for _, name, count in heard.names}
        passing = thread.asking.passing if thread.asking is not None else None
        if passing is not None:
            short = _less(passing, counts)
            return (lambda: self.confirm(thread, short)) if short is not None else None
        orders = self._open(thread)
        for deed in orders:
            less = _less(deed.meaning, counts)
            if less is not None:
                old, new = deed, less
                return lambda: self._read_back(thread, old, new)
        return self._others_off(thread, orders, counts)

    def _others_off(
        self, thread: Thread, orders: Sequence[Deed], counts: dict[str, int | None]
    ) -> Callable[[], str] | None:
        """What else was ordered in sentences of its own is called off by its name."""
        named = [d for d in orders if any(w.what in counts for w in _wants(d))]
        rest = [w for d in orders if d not in named for w in _wants(d) if w.what]
        if not named or any(count is not None for count in counts.values()):
            return None
        if not rest:
            said = " ".join(self.wording.sentence(d.meaning) for d in named)
            return lambda: f"That is all that you want: {said}"
        if len(rest) == 1:
            return lambda: self.confirm(thread, m.Steer("cancel", rest[0].what))
        but = listed([self.wording.name(n) for n in counts])
        say = " ".join(dict.fromkeys(self.wording.sentence(m.Steer("cancel", w.what)) for w in rest))
        return lambda: f"To have only {but}, say: {say}"


def _wants(deed: Deed) -> tuple[m.Want, ...]:
    return deed.meaning.wants if isinstance(deed.meaning, m.Order) else ()


def _placed(meaning: Meaning) -> list[m.Want]:
    wants = meaning.wants if isinstance(meaning, m.Order) else ()
    return [w for w in wants if w.kind in (m.KIT, m.STOCK) and w.where]


def _exchanged(meaning: Meaning) -> m.Order | None:
    """An order of two things for two places, each with that of the other."""
    wants = _placed(meaning)
    if not isinstance(meaning, m.Order) or len(meaning.wants) != 2 or len(wants) != 2:
        return None
    one, other = wants
    if one.kind != other.kind or one.where == other.where:
        return None
    return replace(meaning, wants=(replace(one, where=other.where), replace(other, where=one.where)))


def _each_other(orders: Sequence[Deed]) -> list[tuple[Deed, m.Order]] | None:
    """Two orders of one thing each, with the place of each other."""
    wants = [_placed(d.meaning) for d in orders]
    if len(orders) != 2 or any(len(w) != 1 for w in wants) or wants[0][0].kind != wants[1][0].kind:
        return None
    pairs = []
    for deed, mine, other in zip(orders, wants, reversed(wants)):
        if not isinstance(deed.meaning, m.Order) or len(deed.meaning.wants) != 1 or mine[0].where == other[0].where:
            return None
        pairs.append((deed, replace(deed.meaning, wants=(replace(mine[0], where=other[0].where),))))
    return pairs


def _less(meaning: Meaning, counts: dict[str, int | None]) -> m.Order | None:
    """An order of several things with these alone, as many as is said; None where it has no others, or not these."""
    if not isinstance(meaning, m.Order) or not set(counts) <= {w.what for w in meaning.wants}:
        return None
    kept = tuple(replace(w, count=counts[w.what] or w.count) for w in meaning.wants if w.what in counts)
    return replace(meaning, wants=kept) if len(kept) < len(meaning.wants) else None
