"""A kit that is to be returned, without a place: that is no order to pack one, and what is meant is asked."""

from __future__ import annotations

import re
from collections.abc import Sequence

from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning
from coterie.talk.wording import Wording

_RETURN = re.compile(r"\W*(?:\w+[\s,]+){0,3}?(?:return|give back|hand back|bring back|take back)\b", re.I)


def returned(text: str, found: Sequence[Meaning | m.Unclear], wording: Wording) -> str:
    """What is asked where somebody wants kits returned and says no place; empty where they do not."""
    order = found[0] if len(found) == 1 else None
    if not isinstance(order, m.Order) or not _RETURN.match(text):
        return ""
    kits = [w.what for w in order.wants if w.kind == m.KIT and not w.where]
    if not kits or len(kits) != len(order.wants):
        return ""
    off, new = wording.sentence(m.Steer("cancel", kits[0])), wording.sentence(m.Order((m.Want(m.KIT, kits[0]),)))
    return f"Return it where? Say it with a place. To leave an order, say: {off} To have a new one, say: {new}"
