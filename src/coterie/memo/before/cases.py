"""The memo's part of an episode's log: the case asked about, the task used again, the cost."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from coterie.core.action import MEMO as FROM_MEMO
from coterie.core.event import Event
from coterie.core.record import read
from coterie.core.records import ActEvent, AskEvent, MemoEvent, ReplyEvent
from coterie.memo import Case

MEMO = "memo"  # the stage of requests to the memo


def first_case(events: Sequence[Event]) -> Case | None:
    """The case that an episode asked the memo about, as its log has it."""
    for event in events:
        ask = read(AskEvent, event) if event.kind == "ask" else None
        if ask is not None and ask.stage == MEMO:
            return Case.from_json(json.loads(ask.prompt[0][1])["case"])
    return None


def last_found(events: Sequence[Event]) -> dict[str, Any] | None:
    """The note on the task that an episode used again, as its log has it; None where there is none."""
    notes = [read(MemoEvent, e) for e in events if e.kind == MEMO]
    told = [n for n in notes if "found" in n.raw and not n.prior]
    return dict(told[-1].raw) if told and told[-1].found else None


def spent(events: Sequence[Event]) -> dict[str, int]:
    """Calls of a model and tokens; where no model was asked, the rounds in which an expert was.

    It was its turn in a round that is not remembered, and where the memo was asked twice, in between.
    """
    calls = sum(e.kind == "ask" and e.who != MEMO for e in events)
    if not calls:
        own = {e.step for e in events if e.kind == "act" and read(ActEvent, e).origin != FROM_MEMO}
        between = {e.step for e in events if e.kind == "ask" and e.who == MEMO and read(AskEvent, e).attempt}
        calls = len(own | between)
    replies = (read(ReplyEvent, e) for e in events if e.kind == "reply")
    tokens = sum(r.tokens_in + r.tokens_out for r in replies)
    return {"calls": calls, "tokens": tokens}
