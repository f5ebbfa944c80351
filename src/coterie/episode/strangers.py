"""Strangers: robots that join a team on the way, each a party of its own, from a configuration.

`METHOD@T0` joins at step T0 and decides by METHOD, a protocol. `METHOD@T0-T1` leaves again at step T1, and
`METHOD@T0:BODY` says what it is built like, in the world's own words; otherwise its body is drawn from the seed, and so
is where it stands at first. Several are written with commas between.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from coterie.core.config import Config
from coterie.core.entry import WorldEntry
from coterie.core.errors import CoterieError
from coterie.core.task import Change, Task, Trigger

NOBODY = "none"  # a method: the team stays by itself
PARTY = "stranger"
MOST = 8
_FORM = re.compile(r"([^@\s]+)@(\d{1,6})(?:-(\d{1,6}))?(?::(\S+))?")


class Stranger(NamedTuple):
    method: str
    comes: int  # at this step
    leaves: int | None = None
    body: str = ""


def parse_strangers(text: str) -> list[Stranger]:
    """Parse `"irot@50"` to the strangers and when each comes; `none` for none."""
    found = []
    for part in filter(None, (p.strip() for p in text.split(","))):
        if part == NOBODY:
            continue
        match = _FORM.fullmatch(part)
        if match is None:
            raise CoterieError(
                f"'{part}' is no stranger: write METHOD@STEP, like irot@50, or irot@50-200 to leave again."
            )
        method, comes, leaves, body = match.groups()
        if leaves is not None and int(leaves) <= int(comes):
            raise CoterieError(
                f"The stranger '{part}' leaves before it has come; write METHOD@FROM-TO, like irot@50-200."
            )
        if method != NOBODY:
            found.append(Stranger(method, int(comes), None if leaves is None else int(leaves), body or ""))
    if len(found) > MOST:
        raise CoterieError(f"{len(found)} strangers are more than {MOST}.")
    return found


def party_name(number: int) -> str:
    return PARTY if number == 0 else f"{PARTY}{number + 1}"


def with_strangers(task: Task, config: Config, entry: WorldEntry) -> Task:
    """Return the task with the changes by which strangers join; the team does not wait for them."""
    known = {(c.data.get("party"), c.kind) for c in task.changes}
    changes: list[Change] = []
    for number, stranger in enumerate(parse_strangers(config.stranger)):
        party = party_name(number)
        if (party, "join") in known:
            continue
        joining: dict[str, Any] = dict(entry.newcomer(task, config, number, stranger.body))
        joining["party"] = party
        changes.append(Change(Trigger(step=stranger.comes), "join", joining, awaited=False))
        if stranger.leaves is not None:
            leaving = {"robot": joining["robot"]}
            changes.append(Change(Trigger(step=stranger.leaves), "leave", leaving, awaited=False))
    return replace(task, changes=(*task.changes, *changes)) if changes else task


def robots_of(changes: Sequence[Change], party: str) -> tuple[str, ...]:
    """Return the robots that join as that party."""
    return tuple(str(c.data["robot"]) for c in changes if c.kind == "join" and c.data.get("party") == party)
