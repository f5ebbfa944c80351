"""What was called off is wanted after all: "Oh no, that was a mistake, I still need it." """

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from coterie.mission.dialogue.counterpart import Partner
from coterie.mission.dialogue.guessing import Confirm
from coterie.mission.dialogue.pointing import names_in
from coterie.mission.dialogue.thread import Thread
from coterie.mission.language.heard import heard_of
from coterie.talk import meanings as m
from coterie.talk.wording import Wording

MOST_TURNS = 2  # after which it is no longer about what was called off
_LEAD = r"(?:(?:oh|no|ah|oops|sorry|wait|damn|hold on|hang on|actually|hm+|please|my bad|well)\W+)*"
_IT = r"(?:it|that|them|this|those|one|(?:the|a|my|that) \S+(?: \S+)?)"
_MISTAKE = (
    r"(?:that|this|it) was (?:a |my )?(?:mistake|error|wrong|too early|a slip|an accident)|my mistake|my fault|"
    r"i (?:have )?made a mistake|i (?:did not|didn't) mean (?:that|it|to (?:cancel|call off|drop|stop) (?:it|that)|"
    r"to call (?:it|that) off)|that (?:was not|wasn't) (?:right|what i (?:meant|wanted))"
)
_NEEDED = (
    rf"(?:i|we|they) (?:still|do|really|do still) (?:need|want) {_IT}(?: after all)?|"
    rf"(?:i|we|they) (?:need|want) {_IT} after all|(?:i|we) want {_IT} back|{_IT} is (?:still )?needed after all|"
    rf"(?:please )?(?:bring|deliver|do) {_IT} (?:after all|all the same)|(?:i|we) (?:do|still do) need {_IT}"
)
_UNCANCEL = (
    r"(?:please )?(?:undo|revoke|reverse|revert|take back|withdraw) (?:the |that |my )?cancel(?:l?ation|l?ing)?|"
    rf"(?:please )?(?:un-?cancel|reinstate|restore) {_IT}"
)
_AND = r"(?:\s*[,.;!:-]+\s*|\s+)(?:and |but |because |so )?"
_REGRETS = re.compile(
    rf"\W*{_LEAD}(?:(?:{_MISTAKE})(?:{_AND}{_LEAD}(?:{_NEEDED}))?|(?:{_NEEDED})(?:{_AND}{_LEAD}(?:{_MISTAKE}))?|"
    rf"{_UNCANCEL})\W*",
    re.I,
)


class Again:
    """What `Dialogue` offers to order again."""

    partner: Partner

    if TYPE_CHECKING:

        @property
        def wording(self) -> Wording: ...

        confirm: Confirm

    def _wanted_again(self, thread: Thread, text: str) -> Callable[[], str] | None:
        """Where somebody regrets that they have just called off an order of theirs, it is offered again."""
        last = thread.last
        off = last is not None and isinstance(last.meaning, m.Steer) and last.meaning.how == "cancel" and last.goals
        if last is None or not off or thread.spoken >= last.turn + MOST_TURNS or not _REGRETS.fullmatch(text):
            return None
        gone = [d.meaning for d in thread.deeds if isinstance(d.meaning, m.Order) and {*d.goals} & {*last.goals}]
        named = set(heard_of(text, self.partner.vocabulary, False).of("kit", "item", "room", "table"))
        order = together(gone)
        if order is None or not named <= set(names_in(order)):
            return None
        words = f"I have called that off. Do you want it again: {self.wording.sentence(order)}"
        return lambda: self.confirm(thread, order, None, words)


def together(orders: list[m.Order]) -> m.Order | None:
    """Several orders as one, the first of them first; the last of them where they are for others or wait."""
    if not orders or any(replace(x, wants=()) != replace(orders[0], wants=()) for x in orders):
        return orders[0] if orders else None
    return replace(orders[0], wants=tuple(w for x in reversed(orders) for w in x.wants))
