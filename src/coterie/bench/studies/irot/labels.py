"""Sub-tasks that were none for a stranger, with their label (Fig. A5): beyond its ability, or somebody else at it.

What teammates are at is read from their words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from coterie.core.event import Event

BEYOND, AT_IT = "beyond ability", "teammate already at it"
CLAUSES = ("no_arm", "too_heavy", "arm", "lacks_skill")  # for which nobody can take a thing with this body
_REPLACE = re.compile(r"^task: Re-place <([^<>]+)>", re.M)


class Wrong(NamedTuple):
    label: str
    step: int
    who: str
    thing: str
    other: str = ""  # who is at it
    words: str = ""  # what became of the attempt


def strangers(events: Sequence[Event]) -> set[str]:
    return {e.who for e in events if e.kind == "join" and e.data.get("party", "") != ""}


def wrong_plans(events: Sequence[Event]) -> Iterator[Wrong]:
    from coterie.protocols.adhoc.adapter import REPLACE, read  # not for every run: it brings much with it

    own = strangers(events)
    arms = {e.who: _has_arm(e.data["card"]) for e in events if e.kind == "join" and e.who in own}
    at: dict[str, str] = {}  # teammate -> the thing that it re-places or holds
    for e in events:
        if e.kind == "say" and e.who in own:
            found = _REPLACE.search(e.data["text"])
            name = found.group(1) if found else ""
            other = next((who for who, what in at.items() if what == name), "") if name else ""
            if name and not arms.get(e.who, True):
                yield Wrong(BEYOND, e.step, e.who, name)
            elif other:
                yield Wrong(AT_IT, e.step, e.who, name, other)
        elif e.kind == "say" and own:
            told = read(e.data["text"], e.who)
            if told.subtask is not None:
                at[e.who] = told.subtask.args[0] if told.subtask.name == REPLACE and told.subtask.args else ""
            if told.holding:
                at[e.who] = told.holding
        elif e.kind == "outcome" and e.who in own and str(e.data["action"]).startswith("PickUp"):
            cause = e.data.get("cause") or {}
            clause = cause.get("clause", "") if isinstance(cause, dict) else cause.clause
            if clause in CLAUSES:
                words = f"{e.data['action']}: {e.data['reason']}"
                yield Wrong(BEYOND, e.step, e.who, str(e.data["action"])[len("PickUp(") : -1], words=words)


def _has_arm(card: Any) -> bool:
    skills = card.get("skills") if isinstance(card, dict) else card.skills
    return "PickUp" in (skills or ())
