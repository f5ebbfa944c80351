"""What an episode is worth, read from its log alone.

SUCC, PS, TS, AS and CC mean something in any world. AS and CC are means over all robots that took part, newcomers and
lost ones included; CC is left out where no robot can send messages. A failed episode counts its step limit as TS. What
only one world or paper makes sense of, its study adds (see `coterie.bench.study`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coterie.bench.loops import Loops
from coterie.bench.story import Story
from coterie.core.action import COMMUNICATE
from coterie.core.errors import CoterieError
from coterie.core.event import Event

MEMO = "memo"  # who asks and is noted where a memo of solved tasks takes part
REMEMBERED = "remembered"  # why a robot does what a solved task says


def episode_metrics(events: Sequence[Event]) -> dict[str, Any]:
    """All numbers of one finished episode."""
    story = Story(events)
    if not story.end:
        raise CoterieError("This log has no end; resume the episode before scoring it.")
    robots: dict[str, dict[str, Any]] = {}
    fired = bites = 0
    loops = Loops()
    for moment in story.moments():
        loops.look(moment)
        fired += len(moment.changes)
        bites += sum(bool(c.get("bites")) for c in moment.changes)
        for act in moment.acts:
            row = robots.setdefault(act.robot, _blank(story, act.robot))
            row["steps"] += 1
            row["waits"] += act.skill == "wait"
            row["actions"] += act.skill != "wait"
            row["communicates"] += act.skill == "communicate"
            row["failed"] += act.status in ("failed", "rewound")
        for act in moment.refused:
            robots.setdefault(act.robot, _blank(story, act.robot))["refused"] += 1
    for name in story.cards:  # one that vanished before it acted took part, too
        robots.setdefault(name, _blank(story, name))
    n = len(robots)
    success = bool(story.end["success"])
    stages = stage_costs(events)
    limit = story.limit if story.limit is not None else story.end["steps"]
    return {
        "success": success,
        "ps": round(float(story.end["partial"]), 6),
        "ts": story.end["steps"] if success else limit,
        "as": round(sum(r["actions"] for r in robots.values()) / n, 6),
        **({"cc": round(sum(r["communicates"] for r in robots.values()) / n, 6)} if _talk(story) else {}),
        "calls": sum(s["calls"] for s in stages.values()),
        "tokens": sum(s["tokens"] for s in stages.values()),
        "stages": stages,
        "failed": sum(r["failed"] for r in robots.values()),
        "refused": sum(r["refused"] for r in robots.values()),
        "unreadable": loops.unreadable,
        "asked_again": sum(e.kind == "ask" and e.who != MEMO and e.data.get("attempt", 0) > 0 for e in events),
        "reply_errors": sum(e.kind == "reply" and bool(e.data.get("error")) for e in events),
        "repeated_failures": loops.failures,
        "repeated_messages": loops.messages,
        "changes": fired + len(story.end.get("unfired", ())),
        "change_fired": fired,
        "change_bites": bites,
        "decisions": sum(r["steps"] for r in robots.values()),
        "steps": story.end["steps"],
        "limit": story.limit,
        "time_s": story.end.get("time_s", 0.0),
        "robots": {name: robots[name] for name in sorted(robots)},
        **memo_counts(events),
    }


def memo_counts(events: Sequence[Event]) -> dict[str, int]:
    """Whether a solved task was used again, whether its plan failed on the way, and whether nobody else was asked.

    Nothing for runs without a memo. An expert counts as asked when a round is its own, or when the memo had to be asked
    twice: between the two it was the expert's turn.
    """
    notes = [e.data for e in events if e.kind == MEMO]
    asks = [e for e in events if e.kind == "ask"]
    if not notes and not any(e.who == MEMO for e in asks):
        return {}
    hit = any(n.get("found") for n in notes)
    alone = hit and all(e.who == MEMO and not e.data.get("attempt") for e in asks)
    alone = alone and all(e.data.get("why") == REMEMBERED for e in events if e.kind == "act")
    failed = hit and any("failed" in n for n in notes)
    return {"memo_hits": int(hit), "memo_failed": int(failed), "memo_alone": int(alone)}


def _talk(story: Story) -> bool:
    """Can any robot say something?"""
    return any(COMMUNICATE in card.get("skills", ()) for card in story.cards.values())


def _blank(story: Story, robot: str) -> dict[str, Any]:
    counts = dict.fromkeys(("steps", "actions", "waits", "communicates", "failed", "refused"), 0)
    return {"body": story.cards[robot].get("body", "?"), **counts}


def stage_costs(events: Sequence[Event]) -> dict[str, dict[str, int]]:
    """Calls, tokens (in and out) and those of replies per stage."""
    stage_of: dict[int, str] = {}
    costs: dict[str, dict[str, int]] = {}
    for e in events:
        if e.kind == "ask" and e.who != MEMO:  # looking something up costs no model
            stage_of[e.seq] = e.data["stage"]
            costs.setdefault(e.data["stage"], {"calls": 0, "tokens": 0, "tokens_out": 0})["calls"] += 1
        elif e.kind == "reply" and e.causes and e.causes[0] in stage_of:
            stage, out = costs[stage_of[e.causes[0]]], e.data.get("tokens_out", 0)
            stage["tokens"] += e.data.get("tokens_in", 0) + out
            stage["tokens_out"] += out
    return costs
