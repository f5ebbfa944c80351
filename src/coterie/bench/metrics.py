"""The metrics of an episode, read from its log alone.

SUCC, PS, TS, AS and CC mean something in any world. AS and CC are means over all robots that took part, newcomers and
lost ones included; CC is left out where no robot can send messages. A failed episode counts its step limit as TS. What
only one world or paper makes sense of, its study adds (see `coterie.bench.study`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from coterie.core.action import COMMUNICATE, UNREAD
from coterie.core.action import MEMO as FROM_MEMO
from coterie.core.errors import CoterieError
from coterie.core.event import Event, to_text
from coterie.core.record import read
from coterie.core.records import ActEvent, AskEvent, EndEvent, MemoEvent, ReplyEvent
from coterie.log.fold import Moment, moments, opened
from coterie.log.state import Act, State

#: Byte columns of messages, by their count columns.
BYTES = {"messages": "message_bytes", "said": "said_bytes"}
TALK = ("messages", "message_bytes", "said", "said_bytes")
MEMO = "memo"  # who asks and is noted where a memo of solved tasks takes part


class Loops:
    """Unreadable replies and loops of methods with a language model, moment after moment.

    - *unreadable*: a robot waits because no reply to its question could be read.
    - *repeated failures*: a robot tries the very action that it tried last, and fails again; waiting and talking in
      between change nothing. *repeated messages*: a robot says what it has said before. A change of the task begins
      both anew.
    """

    def __init__(self) -> None:
        self.failures = self.messages = self.unreadable = 0
        self._last: dict[str, Act] = {}
        self._said: set[tuple[str, str]] = set()

    def look(self, moment: Moment) -> None:
        if moment.changes:
            self._last.clear()
            self._said.clear()
        for act in moment.acts:
            self.unreadable += act.origin == UNREAD
            if act.words:
                said = (act.robot, " ".join(act.words.lower().split()))
                self.messages += said in self._said
                self._said.add(said)
            elif act.skill not in ("wait", "communicate"):
                last = self._last.get(act.robot)
                self.failures += (
                    last is not None
                    and (last.skill, last.args) == (act.skill, act.args)
                    and last.status == act.status == "failed"
                )
                self._last[act.robot] = act


def episode_metrics(events: Sequence[Event]) -> dict[str, Any]:
    """All numbers of one finished episode."""
    state = opened(events)
    if events[-1].kind != "end":
        raise CoterieError("This log has no end; resume the episode before scoring it.")
    end = read(EndEvent, events[-1])
    robots: dict[str, dict[str, Any]] = {}
    fired = bites = 0
    loops = Loops()
    for moment in moments(state, events):
        loops.look(moment)
        fired += len(moment.changes)
        bites += sum(bool(c.bites) for c in moment.changes)
        for act in moment.acts:
            if act.robot not in robots:
                robots[act.robot] = _blank(state, act.robot)
            row = robots[act.robot]
            row["steps"] += 1
            row["waits"] += act.skill == "wait"
            row["actions"] += act.skill != "wait"
            row["communicates"] += act.skill == "communicate"
            row["failed"] += act.status in ("failed", "rewound")
        for act in moment.refused:
            robots.setdefault(act.robot, _blank(state, act.robot))["refused"] += 1
    for name in state.cards:  # one that vanished before it acted took part, too
        robots.setdefault(name, _blank(state, name))
    n, success = len(robots), end.success
    can_talk = any(COMMUNICATE in card.get("skills", ()) for card in state.cards.values())
    asked, errors = questions(events)
    stages = stage_costs(asked)
    limit = state.limit if state.limit is not None else end.steps
    return {
        "success": success,
        "ps": round(end.partial, 6),
        "ts": end.steps if success else limit,
        "as": round(sum(r["actions"] for r in robots.values()) / n, 6),
        **({"cc": round(sum(r["communicates"] for r in robots.values()) / n, 6)} if can_talk else {}),
        **talk(events, state.cards),
        "calls": sum(s["calls"] for s in stages.values()),
        "tokens": sum(s["tokens"] for s in stages.values()),
        "stages": stages,
        "failed": sum(r["failed"] for r in robots.values()),
        "refused": sum(r["refused"] for r in robots.values()),
        "unreadable": loops.unreadable,
        "asked_again": sum(ask.attempt > 0 for ask, _ in asked),
        "reply_errors": errors,
        "repeated_failures": loops.failures,
        "repeated_messages": loops.messages,
        "changes": fired + len(end.unfired),
        "change_fired": fired,
        "change_bites": bites,
        "decisions": sum(r["steps"] for r in robots.values()),
        "steps": end.steps,
        "limit": state.limit,
        "time_s": end.time_s,
        "robots": {name: robots[name] for name in sorted(robots)},
        **memo_counts(events),
    }


def talk(events: Sequence[Event], robots: Collection[str]) -> dict[str, int]:
    """All that robots said: messages, which cost an action, and talk inside decisions; both also in bytes, of their
    text and of the facts they carry as the log has them. What is said to several counts once."""
    found = dict.fromkeys(TALK, 0)
    for event in events:
        name = {"message": "messages", "say": "said"}.get(event.kind)
        if name is not None and event.who in robots:
            facts = event.data.get("facts") or ()
            found[name] += 1
            found[BYTES[name]] += len(str(event.data.get("text", "")).encode())
            found[BYTES[name]] += len(to_text(facts).encode()) if facts else 0
    return found


def memo_counts(events: Sequence[Event]) -> dict[str, int]:
    """1 or 0 for each: a solved task was used again, its plan failed on the way, nobody else was asked.

    Nothing for runs without a memo. An expert counts as asked when a round is its own, or when the memo had to be asked
    twice: between the two it was the expert's turn.
    """
    notes = [read(MemoEvent, e) for e in events if e.kind == MEMO]
    asks = [e for e in events if e.kind == "ask"]
    if not notes and not any(e.who == MEMO for e in asks):
        return {}
    hit = any(n.found for n in notes)
    alone = hit and all(e.who == MEMO and not read(AskEvent, e).attempt for e in asks)
    alone = alone and all(read(ActEvent, e).origin == FROM_MEMO for e in events if e.kind == "act")
    failed = hit and any(n.failed is not None for n in notes)
    return {"memo_hits": int(hit), "memo_failed": int(failed), "memo_alone": int(alone)}


def _blank(state: State, robot: str) -> dict[str, Any]:
    counts = dict.fromkeys(("steps", "actions", "waits", "communicates", "failed", "refused"), 0)
    return {"body": state.cards[robot].get("body", "?"), **counts}


def questions(events: Sequence[Event]) -> tuple[list[tuple[AskEvent, ReplyEvent | None]], int]:
    """The questions to a model with its replies, in the order of the questions, and the number of replies that failed.

    Looking something up costs no model.
    """
    replies = {e.causes[0]: read(ReplyEvent, e) for e in events if e.kind == "reply" and e.causes}
    asked = [(read(AskEvent, e), replies.get(e.seq)) for e in events if e.kind == "ask" and e.who != MEMO]
    return asked, sum(bool(reply.error) for reply in replies.values())


def stage_costs(asked: Sequence[tuple[AskEvent, ReplyEvent | None]]) -> dict[str, dict[str, int]]:
    """Calls, tokens (in and out) and those of replies per stage."""
    costs: dict[str, dict[str, int]] = {}
    for ask, reply in asked:
        stage = costs.setdefault(ask.stage, {"calls": 0, "tokens": 0, "tokens_out": 0})
        stage["calls"] += 1
        if reply is not None:
            stage["tokens"] += reply.tokens_in + reply.tokens_out
            stage["tokens_out"] += reply.tokens_out
    return costs
