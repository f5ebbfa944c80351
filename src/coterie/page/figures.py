"""The numbers at the top of a page: those of the bench, from the log alone."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from coterie.bench.metrics import episode_metrics, questions, stage_costs, talk
from coterie.core.event import Event
from coterie.core.record import read
from coterie.core.records import EndEvent
from coterie.log.fold import last_step
from coterie.log.words import setting_words

Figure = tuple[str, str, str, str]  # key, value, name, what it means


def figures(events: Sequence[Event], robots: Collection[str]) -> list[Figure]:
    """Of an episode that has not ended there are fewer."""
    said = talk(events, robots)
    found: list[Figure] = []
    if events[-1].kind == "end":
        numbers = episode_metrics(events)
        found += [
            ("success", "yes" if numbers["success"] else "no", "success", "is the goal reached?"),
            ("ps", f"{round(100 * numbers['ps'])} %", "of the goal", f"PS {numbers['ps']:g}"),
            ("steps", str(numbers["steps"]), "steps", _limit(numbers["limit"])),
            ("time_s", _clock(numbers["time_s"]), "simulated", f"{numbers['time_s']:g} s"),
            ("as", f"{numbers['as']:.2f}", "actions a robot", "AS: without waiting"),
            ("failed", str(numbers["failed"]), "failed actions", f"and {numbers['refused']} refused by guard rails"),
        ]
        calls, tokens = numbers["calls"], numbers["tokens"]
    else:
        found.append(("steps", str(last_step(events) + 1), "steps", "so far: the log ends before the episode does"))
        stages = stage_costs(questions(events)[0])
        calls, tokens = (sum(s[key] for s in stages.values()) for key in ("calls", "tokens"))
    found.append(("messages", str(said["messages"]), "messages", f"that cost a step; {said['message_bytes']} bytes"))
    if said["said"]:
        words = f"talk that costs no step; {said['said_bytes']} bytes"
        found.append(("talk", str(said["said"]), "said in decisions", words))
    if calls:
        found += [("calls", str(calls), "calls", "of a model"), ("tokens", str(tokens), "tokens", "read and written")]
    return found


def _limit(limit: int | None) -> str:
    return f"of {limit}" if limit else "no limit"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d} min" if minutes else f"{rest} s"


def verdict(events: Sequence[Event]) -> dict[str, Any]:
    if events[-1].kind != "end":
        return {"ok": None, "text": "not finished"}
    end = read(EndEvent, events[-1])
    if end.success:
        return {"ok": True, "text": f"Done in {end.steps} step{'' if end.steps == 1 else 's'}"}
    return {"ok": False, "text": f"Not achieved: {end.status}"}


def settings(config: dict[str, Any], version: str) -> list[str]:
    parts = [f"team {config['team']}", f"protocol {config['protocol']}", f"seed {config['seed']}"]
    return [*parts, *setting_words(config), *([f"Coterie {version}"] if version else [])]
