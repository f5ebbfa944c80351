"""Describe what a memo did in a run: which task was used again, what was planned anew, what that saved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from coterie.core.action import MEMO
from coterie.core.event import Event
from coterie.core.record import read
from coterie.core.records import ActEvent, EndEvent, MemoEvent, TruthEvent

#: How motions came about, in words; any other way is that of a motion planner that searched.
WAYS = {
    "reused": "reused after they passed every check",
    "guided": "guided by way points",
    "mended": "guided, with pieces that were searched",
    "asked": "along a PATH that was asked for",
    "led": "led along lines as the skill says",
    "straight": "straight",
}
SEARCHED = "newly planned"


def memo_story(events: Sequence[Event], planning_s: float, saved: Mapping[str, float]) -> dict[str, Any]:
    """The memo's part in an episode, from its log; `saved` is what the task that was used again took at first."""
    from coterie.memo.before import spent  # most runs do without

    notes = [read(MemoEvent, e) for e in events if e.kind == "memo"]
    found = next((n for n in notes if n.found), None)
    failed = next((n for n in notes if n.failed is not None), None)
    truths = (read(TruthEvent, e).facts for e in events if e.kind == "truth")
    ways = Counter(way for facts in truths for f in facts if f[0] == "how" for way in f[2])
    story: dict[str, Any] = {"hit": found is not None, "ways": dict(ways), "planning_s": round(planning_s, 3)}
    if found is not None:
        story |= {k: found.raw[k] for k in ("episode", "alpha", "moved_m", "table", "text") if k in found.raw}
        story |= {"prior": bool(found.prior), "words": found.words}
        story |= _costs(spent(events), saved if solved(events) else {})
    else:
        story["why"] = next((n.why for n in notes if n.why), "")
        acts = [(e.step, read(ActEvent, e).origin == MEMO) for e in events if e.kind == "act"]
        again = {step for step, remembered in acts if remembered}
        if again:
            story |= {"rounds_again": len(again), "rounds": len({step for step, _ in acts})}
    if failed is not None:
        story |= {"failed_round": (failed.failed or 0) + 1, "reason": failed.reason}
    return story


def solved(events: Sequence[Event]) -> bool:
    """A run that did not get there saved nothing."""
    return bool(events) and events[-1].kind == "end" and read(EndEvent, events[-1]).success


def _costs(own: Mapping[str, int], first: Mapping[str, float]) -> dict[str, Any]:
    """Compare the cost of this run with that of the remembered task, where both are known."""
    left = {k: first[k] - own[k] for k in own if k in first}
    return {"spent": dict(own), "first": dict(first), "saved": left}


def memo_words(story: Mapping[str, Any] | None) -> Iterator[str]:
    if story is None:
        return
    if story["hit"] and story["prior"]:
        yield str(story["text"])
        yield str(story["words"])
    elif story["hit"]:
        yield str(story["text"])
        if "reason" in story:
            yield (
                f"round {story['failed_round']} of the remembered plan failed, and the team went on by itself: "
                f"{story['reason']}"
            )
        yield from _carried_out(story["ways"])
        yield from _saved(story)
    elif "rounds_again" in story:
        again = f"{story['rounds_again']} of {story['rounds']} rounds were done as in earlier episodes"
        yield f"{story['why']}; {again}, single rounds or what was done to single things"
        yield from _carried_out(story["ways"])
    else:
        yield f"nothing was used again: {story['why']}"
    if story.get("remembered"):
        yield str(story["remembered"])


def _carried_out(ways: Mapping[str, int]) -> Iterator[str]:
    counts = {words: ways.get(way, 0) for way, words in WAYS.items()}
    counts[SEARCHED] = sum(n for way, n in ways.items() if way not in WAYS)
    told = [f"{n} {words}" for words, n in counts.items() if n]
    if told:
        yield f"motions of all arms that were carried out: {', '.join(told)}"


def _saved(story: Mapping[str, Any]) -> Iterator[str]:
    """Against what the earlier task took when it was solved without a memo."""
    first, own, left = story["first"], story["spent"], story["saved"]
    if not left:
        return
    calls, tokens = int(left.get("calls", 0)), int(left.get("tokens", 0))
    seconds = float(first.get("planning_s", 0.0))
    took = f"{own['calls']} calls of a model or expert and {own['tokens']} tokens"
    then = f"{int(first.get('calls', 0))} and {int(first.get('tokens', 0))} when that task was solved the first time"
    if calls > 0 or tokens > 0:
        yield f"saved {max(0, calls)} calls and {max(0, tokens)} tokens: this run took {took}, {then}"
    else:
        yield f"saved no calls and no tokens: this run took {took}, {then}"
    if seconds:
        yield f"planning took {story['planning_s']:.2f} s, {seconds:.2f} s when that task was solved the first time"
