"""The one there is: "the medkit", while one is on its way, and what was said of it that is not right."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from coterie.mission.dialogue.correcting import patched, same_thing
from coterie.mission.dialogue.counterpart import Partner
from coterie.mission.dialogue.guessing import Confirm, leaves_out
from coterie.mission.dialogue.pointing import THINGS, names_in
from coterie.mission.dialogue.thread import Deed, Thread
from coterie.mission.language.caution import all_but, left_out
from coterie.mission.language.denied import adds, denied_names
from coterie.mission.language.guess_words import CARRY
from coterie.mission.language.heard import heard_of
from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning
from coterie.talk.wording import Wording, listed

CANCEL = "cancel|abort|call off|drop|scrap|forget|delete|remove"


class Definite:
    """What `Dialogue` asks about an order of something that is ordered already."""

    partner: Partner

    if TYPE_CHECKING:

        @property
        def wording(self) -> Wording: ...
        def _corrected(self, thread: Thread, instead: Meaning, bare: bool, wrong: str = "") -> str: ...
        def _read_back(self, thread: Thread, old: Deed, new: Meaning, more: str = "") -> str: ...

        confirm: Confirm

    def _open(self, thread: Thread) -> list[Deed]:
        """Orders of theirs that are not over, the last first."""
        orders = [d for d in thread.deeds if isinstance(d.meaning, m.Order)]
        fates = [self.partner.fate(d, thread.person) for d in orders]
        return [d for d, fate in zip(orders, fates) if d.goals and not fate.done and not fate.gone]

    def _the_one(self, thread: Thread, order: Meaning) -> str:
        """What is asked where somebody orders "the medkit" and one of theirs is on its way: that one, or another?
        Empty where there is none."""
        if not isinstance(order, m.Order) or len(order.wants) != 1 or order.when:
            return ""
        want = order.wants[0]
        if (want.kind, want.count) != (m.KIT, 1):
            return ""
        phrases = [
            p for p, (kind, name) in self.partner.vocabulary.phrases.items() if (kind, name) == (m.KIT, want.what)
        ]
        the = rf"\b(?:the|that|this|my|our)(?: same)? (?:{'|'.join(map(re.escape, phrases)) or '(?!)'})\b"
        if adds(thread.heard) or not re.search(the, thread.heard, re.I):
            return ""
        found = [d for d in self._open(thread) if same_thing(d.meaning, order)]
        said = self.wording.sentence(replace(order, robots=(), without=()))
        another = f"For another one, say: {re.sub(r' an? ', ' another ', said, count=1)}"
        if not found:  # that of somebody else may be meant
            doubt = self.partner.instead(thread, order, True)
            if isinstance(doubt, str):
                return f"{doubt} {another}" if doubt else ""
            return self.confirm(thread, doubt.meaning, doubt.then, f"{doubt.words} {another}")
        if len(found) > 1:
            rows = listed([f"'{self.wording.sentence(d.meaning)}'" for d in found])
            return f"You have ordered that more than once: {rows} Say first which I should leave. {another}"
        old = found[0].meaning
        new = patched(old, order, self.partner.vocabulary)
        at = next((w.where for w in old.wants if w.what == want.what), "") if isinstance(old, m.Order) else ""
        if new is None or (want.where in ("", at) and not order.robots and not order.urgent):
            return f"That is under way already: {self.wording.sentence(old)} {another}"
        return self._read_back(thread, found[0], new, another)

    def _the_other(self, thread: Thread, order: Meaning) -> m.Order | str | None:
        """An order of "the other one", where there are two things on their way: of the one that was not ordered last.
        Where that may be several, it is asked; None where nothing of theirs is on its way."""
        assert isinstance(order, m.Order)
        rows = [w for d in self._open(thread) if isinstance(d.meaning, m.Order) for w in reversed(d.meaning.wants)]
        things = [w for w in rows if w.kind in (m.KIT, m.STOCK)]
        if not things or thread.asking is not None:
            return None
        names = list(dict.fromkeys(w.what for w in things))
        if len(things) != 2 or len(names) != 2:
            shown = listed([self.wording.want(w) for w in reversed(things)])
            return f"Which other one do you mean? You want to {shown}. Say it by its name."
        other = names[1] if thread.recent(*THINGS)[:1] != names[1:] else names[0]
        kind = next(w.kind for w in things if w.what == other)
        wants = [replace(w, what=other, kind=kind) if w.what == "@other" else w for w in order.wants]
        return replace(order, wants=tuple(wants))

    def _all_but(self, thread: Thread, text: str) -> str:
        """What is asked where somebody wants all but something: what all is nobody knows. Else nothing."""
        v, behind = self.partner.vocabulary, all_but(text)
        before = heard_of(text[: len(text) - len(behind)], v, False)
        less = [n for k, n, _ in heard_of(behind, v, False).names if k in ("item", "kit")]
        if thread.asking is not None or not less or not before.has(CARRY, CANCEL) or text.rstrip().endswith("?"):
            return ""
        but = listed([self.wording.name(n) for n in less])
        if before.has(CANCEL):
            rest = [d.meaning for d in self._open(thread) if not set(less) & set(names_in(d.meaning))]
            wants = [w for x in rest if isinstance(x, m.Order) for w in x.wants]
            say = " ".join(dict.fromkeys(self.wording.sentence(m.Steer("cancel", w.what)) for w in wants if w.what))
            return f"To cancel all but {but}, say: {say}" if say else f"You have ordered nothing but {but}."
        kind = v.kind_of(less[0])
        others = [n for n in v.names(kind) if n not in less]
        places = [n for k, n, _ in heard_of(text, v, False).names if k in ("room", "table")]
        want = m.Want(m.KIT if kind == "kit" else m.STOCK, others[0], places[-1] if places else "") if others else None
        say = f" for example: {self.wording.sentence(m.Order((want,)))}" if want is not None else ""
        return f"I do nothing yet: I cannot tell what is all but {but}. Name each thing that you want,{say}"

    def _spoken_of(self, thread: Thread, text: str) -> None:
        """The one kit that something names that was not understood: what points at it next may be about it."""
        kits = set(heard_of(text, self.partner.vocabulary, False).of("kit"))
        if len(kits) == 1 and thread.asking is None and not self._open(thread):
            (thread.perhaps,) = kits
            thread.mention(m.KIT, thread.perhaps)

    def _not_that(self, thread: Thread, text: str) -> str:
        """What is asked where somebody says of an order of theirs that something in it is not right."""
        names = denied_names(text, self.partner.vocabulary)
        deed = next((d for d in self._open(thread) if set(names) & set(names_in(d.meaning))), None)
        if deed is None:
            return ""
        wrong = next(n for n in names if n in names_in(deed.meaning))
        v = self.partner.vocabulary
        others = [n for n in v.names(v.kind_of(wrong)) if n not in names_in(deed.meaning)]
        said = [n for k, n, _ in heard_of(text, v, False).names if k == v.kind_of(wrong) and n not in names]
        if len(said) == 1 and said[0] in others:  # "not alpha but beta"
            rather = m.Things(((said[0], 1),)) if v.kind_of(wrong) in THINGS else m.Somewhere(said[0])
            return self._corrected(thread, rather, True, wrong) + leaves_out(left_out(text, m.Correct(rather)))
        want = next((w for w in deed.meaning.wants if wrong in (w.what, w.where)), None)  # type: ignore[attr-defined]
        placed = want is not None and want.kind in (m.KIT, m.STOCK)
        off = self.wording.sentence(m.Steer("cancel", want.what)) if want is not None and placed else "Cancel that."
        right = f" Say for example: No, {self.wording.name(others[-1])}. Or: {off}" if others else ""
        return f"What do you want instead of: {self.wording.sentence(deed.meaning)}{right}"
