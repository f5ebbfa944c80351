"""What was to become of something under way, put right, and what somebody sets it against: "Pause this, not that." """

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from coterie.core.errors import CoterieError
from coterie.mission.dialogue.again import together
from coterie.mission.dialogue.counterpart import Partner
from coterie.mission.dialogue.guessing import Confirm
from coterie.mission.dialogue.thread import Deed, Thread
from coterie.mission.language.contrasts import Contrast
from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning
from coterie.talk.vocabulary import Vocabulary
from coterie.talk.wording import Wording, listed, upper

#: One of what is under way, by its place.
_ONE_TO = re.compile(r"\b(?:one|order|delivery) (?:going )?(?:to|for|at|in)\b", re.I)


class Contrasting:
    """What `Dialogue` does where something is steered, and another thing was meant or is not."""

    partner: Partner

    if TYPE_CHECKING:

        @property
        def wording(self) -> Wording: ...
        def _undo(self, thread: Thread, deed: Deed) -> None: ...

        confirm: Confirm

    def _set_against(self, said: Contrast) -> str:
        """What is said of that which is not meant: it stays as it is."""
        meaning, other = said.meaning, said.other
        if isinstance(meaning, (m.Stop, m.Steer)) and meaning.robots:  # others may rest with them
            return ""
        if isinstance(meaning, m.Stop) or m.only_waits(meaning):
            return f"That goes for {listed([self.wording.name(n) for n in said.names])}, too."
        if isinstance(meaning, m.Permit) and not said.names:
            return f"I have changed no other right; '{other}' would be one. Say who may not do that, in a sentence."
        return f"Nothing changes for {listed([self.wording.name(n) for n in said.names])}."

    def _of_the_wrong_one(self, thread: Thread, said: Contrast) -> m.Things | m.Somewhere | None:
        """What was meant, where somebody has just done the same to that which they now set it against."""
        last, meaning = thread.last, said.meaning
        if last is None or not isinstance(last.meaning, m.Steer) or not isinstance(meaning, m.Steer):
            return None
        same = last.meaning.how == meaning.how and last.turn == thread.spoken
        if not same or (last.meaning.what or last.meaning.where) not in said.names:
            return None
        return m.Things(((meaning.what, 1),)) if meaning.what else m.Somewhere(meaning.where)

    def _steered_otherwise(self, thread: Thread, instead: Meaning, bare: bool, more: bool) -> str:
        """ "No, I meant the feverkit", of what was paused, called off or put first: that is as it was, and the other
        one is. With `more` both are. Empty where it is about something else."""
        last = thread.last
        if last is not None and isinstance(last.meaning, m.Stop):
            return self._stopped_otherwise(thread, last.meaning, instead)
        new = _other(last.meaning, instead, thread.heard, self.partner.vocabulary) if last is not None else None
        if last is None or new is None or new == last.meaning:
            return ""
        said, old = self.wording.sentence(new), self.wording.sentence(last.meaning)
        if more:
            return self.confirm(thread, new, None, f"Do you mean: {said} This stays: {old}")
        if new.how == "cancel":
            return self._other_off(thread, last, new)
        if bare or new.how == "resume" or last.turn + 1 != thread.spoken:
            words = f"Do you mean: {said} That is instead of: {old}"
            return self.confirm(thread, new, lambda: self._rather(thread, last, new), words, last)
        return self._rather(thread, last, new)

    def _rather(self, thread: Thread, last: Deed, new: m.Steer) -> str:
        """The other one is steered; where that cannot be, all stays as it was."""
        old = self.wording.sentence(last.meaning)
        try:
            words = self.partner.act(thread, new)
        except CoterieError as err:
            raise CoterieError(f"{err} So this stays as it was: {old}") from err
        self._undo(thread, last)
        return f"{words} I take this back: {old}"

    def _other_off(self, thread: Thread, last: Deed, new: m.Steer) -> str:
        """What was called off is offered again, and the other one called off, both at a yes."""
        gone = [d.meaning for d in thread.deeds if isinstance(d.meaning, m.Order) and {*d.goals} & {*last.goals}]
        order, off = together(gone), self.wording.sentence(new)
        if order is None:
            return self.confirm(thread, new, None, f"That was not yours to have again. Do you mean: {off}")
        again = order

        def then() -> str:
            words = self.partner.act(thread, new)
            return f"{words}\n{self.partner.act(thread, again)}"

        words = f"I have called that off. Do you want it again, and the other one called off: {off}"
        return self.confirm(thread, new, then, f"{words} {self.wording.sentence(again)}")

    def _stopped_otherwise(self, thread: Thread, stop: m.Stop, instead: Meaning) -> str:
        """ "No, I meant Spot", of a robot that was stopped: that one stops, too."""
        robot = instead.where if isinstance(instead, m.Somewhere) else ""
        if not stop.robots or self.partner.vocabulary.kind_of(robot) != "robot" or robot in stop.robots:
            return ""
        words = self.partner.act(thread, m.Stop((robot,)))
        names = listed(list(stop.robots))
        return f"{words} {upper(names)} still {'stand' if len(stop.robots) > 1 else 'stands'}; say: {names}, continue."


def _other(old: Meaning, instead: Meaning, said: str, vocabulary: Vocabulary) -> m.Steer | None:
    """The same done to another thing, place or robot."""
    kind_of = vocabulary.kind_of
    if not isinstance(old, m.Steer):
        return None
    if isinstance(instead, m.Things) and not instead.unknown and [count for _, count in instead.items] == [1]:
        named = old.what or old.where
        return replace(old, what=instead.items[0][0], where="") if named else None
    if not isinstance(instead, m.Somewhere):
        return None
    if kind_of(instead.where) == "robot":
        return replace(old, robots=(instead.where,)) if old.robots else None
    if kind_of(instead.where) not in ("room", "table") or not (old.what or old.where):
        return None
    if _ONE_TO.search(said):
        return replace(old, what="", where=instead.where)
    return replace(old, where=instead.where) if old.where else None
