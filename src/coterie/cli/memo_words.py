"""What a memo did in a run, for a person: which task was used again, what was planned anew, what that saved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from coterie.core.event import Event


def memo_story(events: Sequence[Event], planning_s: float, saved: Mapping[str, float]) -> dict[str, Any]:
    """The memo's part in an episode, from its log."""
    notes = [e.data for e in events if e.kind == "memo"]
    found = next((n for n in notes if n.get("found")), None)
    failed = next((n for n in notes if "failed" in n), None)
    ways = Counter(w for e in events if e.kind == "truth" for f in e.data["facts"] if f[0] == "how" for w in f[2])
    story: dict[str, Any] = {"hit": found is not None, "ways": dict(ways), "planning_s": round(planning_s, 3)}
    if found is not None:
        story |= {k: found[k] for k in ("episode", "alpha", "moved_m", "table", "text") if k in found}
        story |= {"saved": dict(saved), "prior": bool(found.get("prior")), "words": found.get("words", "")}
    else:
        story["why"] = next((n["why"] for n in notes if n.get("why")), "")
    if failed is not None:
        story |= {"failed_round": failed["failed"] + 1, "reason": failed["reason"]}
    return story


def memo_words(story: Mapping[str, Any] | None) -> Iterator[str]:
    if story is None:
        return
    if story["hit"] and story["prior"]:
        yield str(story["text"])
        yield str(story["words"])
    elif story["hit"]:
        yield str(story["text"])
        reused = story["ways"].get("reused", 0)
        anew = sum(story["ways"].values()) - reused
        yield f"carried out: {reused} motions of all arms reused after they passed every check, {anew} planned anew"
        if "reason" in story:
            failed = f"round {story['failed_round']} of the remembered plan failed"
            yield f"{failed}, and the team went on by itself: {story['reason']}"
        yield from _saved(story)
    else:
        yield f"nothing was used again: {story['why']}"
    if story.get("remembered"):
        yield str(story["remembered"])


def _saved(story: Mapping[str, Any]) -> Iterator[str]:
    """Against what the earlier task took when it was solved without a memo."""
    cost = story.get("saved") or {}
    if not cost:
        return
    calls, tokens, seconds = cost.get("calls", 0), cost.get("tokens", 0), float(cost.get("planning_s", 0.0))
    yield (
        f"saved {calls} calls of a model or expert and {tokens} tokens; planning took {story['planning_s']:.2f} s, "
        f"{seconds:.2f} s when that task was solved the first time"
    )
