"""Examples from logs, as the paper shows them: how a stranger came to its sub-task (Fig. A1) and to a sub-skill (Fig.
A2), what it did from joining to the end (Fig. 9), and sub-tasks that were none for it (Fig. A5)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from coterie.core.event import Event

PLANS = ("GEN", "RANK", "JUDGE")
_NO = re.compile(r"\[judgement\]\s*no\b", re.I)
_TASK = re.compile(r"^(?:task|intention): .*$", re.M)
_REPLACE = re.compile(r"^task: Re-place <([^<>]+)>", re.M)
_OFTEN = re.compile(r"^(?:intention|task|done|given up|misplaced|failed|explored): .*$", re.M)
BEYOND = ("no_arm", "too_heavy", "arm", "lacks_skill")


def strangers(events: Sequence[Event]) -> set[str]:
    return {e.who for e in events if e.kind == "join" and e.data.get("party", "") != ""}


def planning(events: Sequence[Event]) -> Iterator[str]:
    """One planning from its candidates to what was accepted: the first in which something was turned down, or else the
    first of all."""
    plans = [
        plan for plan in _plans(events) if any(e.kind == "reply" and "[judgement]" in e.data["text"] for e in plan)
    ]
    turned = (plan for plan in plans if any(e.kind == "reply" and _NO.search(e.data["text"]) for e in plan))
    plan = next(turned, plans[0] if plans else [])
    for e in plan:
        if e.kind == "ask":
            yield f"step {e.step}, {e.who} is asked: {e.data['stage']}"
        else:
            words = e.data["text"] if e.kind == "reply" else " / ".join(_spoken(e))
            yield f"    {e.who}: {words}".replace("\n", "\n    ")


def _plans(events: Sequence[Event]) -> Iterator[list[Event]]:
    """The events of each planning: what was asked, answered and said, up to the sub-skill that follows."""
    own, plan = strangers(events), list[Event]()
    for e in events:
        stage = e.data.get("stage") if e.kind == "ask" and e.who in own else None
        if stage == "GEN":
            if plan:
                yield plan
            plan = [e]
        elif stage is not None and stage not in PLANS and plan:
            yield plan
            plan = []
        elif plan and (stage in PLANS or e.kind in ("say", "reply")):
            plan.append(e)
    if plan:
        yield plan


def _spoken(e: Event) -> list[str]:
    return [row for row in e.data["text"].splitlines() if not row.startswith(("robot: ", "ability: ", "state: "))]


def sub_skill(events: Sequence[Event]) -> Iterator[str]:
    """One sub-skill: for which sub-task, and what was answered."""
    own = strangers(events)
    asked = [e for e in events if e.kind == "ask" and e.who in own and e.data["stage"] == "SKILL"]
    chosen = next(
        (e for e in asked if "Current sub-task: Re-place" in e.data["prompt"][1][1]), asked[0] if asked else None
    )
    if chosen is None:
        return
    reply = next((e for e in events if e.kind == "reply" and chosen.seq in e.causes), None)
    task = re.search(r"^Current sub-task: .*$", chosen.data["prompt"][1][1], re.M)
    yield f"step {chosen.step}. {task.group(0) if task else ''}"
    if reply is not None:
        yield f"    {reply.data['text']}".replace("\n", "\n    ")


def story(events: Sequence[Event]) -> Iterator[str]:
    """What a stranger said and carried, step by step, and how it ended."""
    own = strangers(events)
    for e in events:
        if e.kind == "join" and e.who in own:
            yield f"step {e.step}: {e.who} joins"
        elif e.kind == "say" and (e.who in own or own & set(e.data["to"])):
            rows = (
                _OFTEN.findall(e.data["text"]) if e.who in own else re.findall(r"^answer: no.*$", e.data["text"], re.M)
            )
            if rows:
                yield f"step {e.step}: {e.who}: {'; '.join(rows)}"
        elif e.kind == "did" and e.who in own and e.data["skill"] in ("PickUp", "PutDown", "Drop", "Stop"):
            yield f"step {e.step}: {e.who} {e.data['skill']} {' '.join(map(str, e.data.get('args') or ()))}".rstrip()
        elif e.kind == "status":
            last = f"step {e.step}: {e.data['text']}"
            yield last


def mistakes(events: Sequence[Event]) -> Iterator[str]:
    """Sub-tasks that were none for a stranger, with their label: beyond ability, or somebody else at it."""
    own = strangers(events)
    at: dict[str, str] = {}
    for e in events:
        if e.kind == "say" and "task: " in e.data["text"]:
            found = _REPLACE.search(e.data["text"])
            name = found.group(1) if found else ""
            other = next((who for who, what in at.items() if what == name and who not in own), "") if name else ""
            if e.who in own and other:
                yield f"step {e.step}: {e.who} takes on {name}; label: teammate already at it ({other})"
            at[e.who] = name
        elif e.kind == "outcome" and e.who in own and str(e.data["action"]).startswith("PickUp"):
            cause = e.data.get("cause") or {}
            clause = cause.get("clause", "") if isinstance(cause, dict) else cause.clause
            if clause in BEYOND:
                yield f"step {e.step}: {e.who} {e.data['action']}: {e.data['reason']} label: beyond ability"
