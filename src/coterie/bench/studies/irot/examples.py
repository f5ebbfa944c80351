"""Examples from logs, as the paper shows them: how a stranger came to its sub-task (Fig. A1) and to a sub-skill (Fig.
A2), what it did from joining to the end (Fig. 9), and sub-tasks that were none for it (Fig. A5)."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from coterie.bench.studies.irot.labels import AT_IT, strangers, wrong_plans
from coterie.core.event import Event

_HANDS = ("PickUp", "PutDown", "Drop")
PLANS = ("GEN", "RANK", "JUDGE")
_NO = re.compile(r"\[judgement\]\s*no\b", re.I)
_JUDGED = re.compile(r"\[judgement\]", re.I)
_TASK = re.compile(r"^(?:task|intention): .*$", re.M)
_OFTEN = re.compile(r"^(?:intention|task|done|given up|misplaced|failed|explored): .*$", re.M)


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
    """What a stranger said, what everybody carried, step by step, and how it ended."""
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
        elif (deed := _deed(e)) and (e.who in own or deed.startswith(_HANDS)):
            yield f"step {e.step}: {e.who} {deed}"
        elif e.kind == "status":
            yield f"step {e.step}: {e.data['text']}"


def _deed(e: Event) -> str:
    """What somebody took, put down or ended with; robots that do not wait for each other have outcomes alone."""
    if e.kind == "did":
        name, args = str(e.data["skill"]), " ".join(map(str, e.data.get("args") or ()))
    elif e.kind == "outcome" and e.data["status"] == "done":
        name, _, args = str(e.data["action"]).rstrip(")").partition("(")
    else:
        return ""
    return f"{name} {args}".strip() if name in (*_HANDS, "Stop") else ""


def carries(events: Sequence[Event], most: int = 4) -> list[tuple[str, int]]:
    """Who of the strangers took a thing or put one down, and at which step: the first of these."""
    own = strangers(events)
    hands = [(e.who, e.step) for e in events if e.who in own and _deed(e).startswith(_HANDS)]
    return hands[:most]


class Change(NamedTuple):
    """How a stranger changed its mind: the steps at which it came, was contradicted, and then put a thing down."""

    came: int
    contradicted: int
    put: int
    dropped: str  # what it had intended
    taken: str  # what it took on instead


def change_of_mind(events: Sequence[Event]) -> Change | None:
    """The first time that somebody contradicts what a stranger intends, while something is left to do, and it takes on
    something else for that; and the thing that it puts down next. None: that does not happen."""
    own, tidy = strangers(events), _tidy_from(events)
    came, no, intended = 0, -1, ""
    dropped: tuple[int, str] | None = None
    change: tuple[int, str, str] | None = None
    for e in events:
        if e.kind == "join" and e.who in own:
            came = e.step
        elif e.kind == "say" and e.who in own and change is None:
            for row in _TASK.findall(e.data["text"]):
                key, _, words = row.partition(": ")
                if key == "intention":
                    no, intended = -1, words
                elif dropped is not None and words not in (dropped[1], "Wait"):
                    change = (*dropped, words)
        elif e.kind == "say" and own & set(e.data["to"]) and re.search(r"^answer: no", e.data["text"], re.M):
            no = e.step
        elif e.kind == "reply" and e.who in own and _JUDGED.search(e.data["text"]):
            dropped = (no, intended) if _NO.search(e.data["text"]) and 0 <= no < tidy else dropped
        elif e.kind == "did" and e.who in own and change is not None and e.data["skill"] in ("PutDown", "Drop"):
            return Change(came, change[0], e.step, change[1], change[2])
    return None


def _tidy_from(events: Sequence[Event]) -> float:
    """The step from which on everything is where it belongs."""
    last = float("inf")
    for e in events:
        if e.kind == "status":
            last = min(last, e.step) if e.data["partial"] == 1.0 else float("inf")
    return last


def mistakes(events: Sequence[Event]) -> Iterator[str]:
    """Sub-tasks that were none for a stranger, with their label: beyond ability (Case 1 of Fig. A5), or somebody else
    at it (Case 2)."""
    for w in wrong_plans(events):
        if w.label == AT_IT:
            yield f"Case 2, step {w.step}: {w.who} takes on {w.thing}; label: {w.label} ({w.other})"
        elif w.words:
            yield f"Case 1, step {w.step}: {w.who} {w.words} label: {w.label}"
        else:
            yield f"Case 1, step {w.step}: {w.who} takes on {w.thing} without an arm; label: {w.label}"


def picture(title: str, rows: Sequence[str], wide: int = 110) -> str:
    """Words as a picture (SVG), for figures that are what somebody wrote."""
    lines = [part for row in rows for part in (textwrap.wrap(row, wide, subsequent_indent="      ") or [""])]
    high = 18 * len(lines) + 60
    text = "".join(
        f'<text x="20" y="{58 + 18 * i}" font-size="13" font-weight="{_weight(line)}" xml:space="preserve">'
        f"{escape(line)}</text>"
        for i, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{8 * wide + 40}" height="{high}" font-family="monospace">'
        f'<rect width="100%" height="100%" fill="white" stroke="#888"/>'
        f'<text x="20" y="30" font-size="16" font-weight="bold">{escape(title)}</text>{text}</svg>\n'
    )


def _weight(line: str) -> str:
    return "normal" if line.startswith(" ") else "bold"
