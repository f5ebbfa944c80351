"""The score at the end of a run, as a JSON object or as words."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie import __version__
from coterie.bench.results import commit
from coterie.cli.memo_words import memo_story, memo_words
from coterie.cli.show import line
from coterie.cli.standby import driven_told
from coterie.core.event import Event
from coterie.core.record import read
from coterie.core.records import EndEvent, OutcomeEvent
from coterie.models.ledger import summary

if TYPE_CHECKING:
    from coterie.cli.terminal import Terminal
    from coterie.core.task import Change
    from coterie.episode.play import Played

_LONG = ("robots", "stages", "about", "failures", "sees", "prompts")  # tables of their own; `coterie bench` writes them
_PLANNED = {
    "goal": "The change of the goal",
    "zones": "The closing of zones",
    "join": "The arrival of a robot",
    "leave": "The loss of a robot",
}


REDRAWN = "Without its change, seed {seed} is another task: this one was drawn so that the change matters."


def score(played: Played, events: Sequence[Event], log: Path, wall_s: float) -> dict[str, Any]:
    """One JSON object: what was played, how well, and what it took. The numbers come from the log."""
    from coterie.bench.studies import score as score_of
    from coterie.episode.setup import redrawn

    config, task, calls = played.config, played.task, played.calls
    found = score_of(events)
    numbers = {k: v for k, v in found.items() if k not in _LONG}
    numbers["waits"] = sum(r["waits"] for r in found["robots"].values())
    numbers["failed_skills"] = dict(_failed(events).most_common())
    end = read(EndEvent, events[-1])
    names = {
        "task": task.name,
        "team": config.team,
        "protocol": config.protocol,
        "parties": list(config.parties),
        **({"stranger": config.stranger} if config.stranger else {}),
        "model": config.model,
        "seed": config.seed,
        "scene": config.scene,
        "level": config.level,
        "noise": config.noise,
        "radio": config.radio,
        **({"heartbeat": config.heartbeat} if config.heartbeat else {}),
        "guard": config.guard,
        "async": not config.synchronous,
        "change": [_planned(change) for change in task.changes],
        "redrawn": redrawn(config, task),
        **driven_told(config, events),
    }
    missed = missed_words(events)
    last = {
        "status": end.status,
        "missed": missed,
        "unfired": list(end.unfired),
        "wall_s": round(wall_s, 3),
        "log": str(log),
    }
    took: dict[str, Any] = {"model_time": summary(calls)} if calls else {}
    if played.planning_s:
        took["planning_s"] = round(played.planning_s, 3)
    if config.memo:
        took["memo"] = {**memo_story(events, played.planning_s, played.saved), "remembered": played.remembered}
    return {**names, **numbers, **took, **last, "version": __version__, "commit": commit()}


def missed_words(events: Sequence[Event]) -> list[str]:
    """Why a goal was not reached: what its world says of it, or else how far it was reached."""
    from coterie.core.entry import worlds
    from coterie.core.records import StartEvent

    if read(EndEvent, events[-1]).success:
        return []
    world = read(StartEvent, events[0]).world
    said = worlds.get(world).missed(events) if world in worlds else ()
    return list(said) or [str(e.data["text"]) for e in events if e.kind == "status"][-1:]


def _failed(events: Sequence[Event]) -> Counter[str]:
    """How often each skill failed."""
    outcomes = (read(OutcomeEvent, e) for e in events if e.kind == "outcome")
    return Counter(str(o.action).partition("(")[0] for o in outcomes if o.status == "failed")


def _planned(change: Change) -> dict[str, Any]:
    if change.at.step is not None:
        return {"kind": change.kind, "step": change.at.step}
    return {"kind": change.kind, "time_s": change.at.time}


def unfired_words(kinds: Iterable[str], planned: Sequence[dict[str, Any]] = ()) -> list[str]:
    """A sentence for each change that never came; of several of a kind the last ones did not."""
    left = [dict(p) for p in planned]
    words = []
    for kind in reversed(list(kinds)):
        found = next((p for p in reversed(left) if p["kind"] == kind), None)
        when = ""
        if found is not None:
            left.remove(found)
            when = f" planned for step {found['step']}" if "step" in found else f" planned for {found['time_s']:g} s"
        words.append(f"{_PLANNED.get(kind, f'A change ({kind})')}{when} never came: the episode ended before.")
    return words[::-1]


def show_score(out: Terminal, result: dict[str, Any]) -> None:
    out.print()
    out.print(line((_ending(result), "bold green" if result["success"] else "bold red")))
    for words in result["missed"]:
        out.print(line((words, "yellow")), soft_wrap=True)
    for words in unfired_words(result["unfired"], result["change"]):
        out.print(line((words, "yellow")))
    if result["redrawn"]:
        out.print(line((REDRAWN.format(seed=result["seed"]), "yellow")), soft_wrap=True)
    cells = [
        ("success", "yes" if result["success"] else "no", ""),
        ("PS", f"{result['ps']:.2f}", "share of targets right"),
        ("TS", f"{result['ts']}", "steps" if result["success"] else "steps; the limit, as it was not achieved"),
        ("AS", f"{result['as']:.2f}", "actions per robot"),
    ]
    if "cc" in result:  # there is somebody who can talk
        cells.append(("CC", f"{result['cc']:.2f}", "messages per robot that cost a step"))
    if result["said"]:
        cells.append(("said", f"{result['said']}", "times inside decisions"))
    if result["calls"]:
        cells += [("calls", f"{result['calls']}", "of a model"), ("tokens", f"{result['tokens']}", "")]
    parts: list[tuple[str, str]] = []
    for i, (name, value, meaning) in enumerate(cells):
        parts += [(" · " if i else "", "dim"), (f"{name} ", "dim"), (value, "bold")]
        parts += [(f" ({meaning})", "dim")] if meaning else []
    out.print(line(*parts))
    if result["calls"]:
        for words in _thinking_words(result):
            out.print(line((words, "dim")))
    if result.get("planning_s"):
        out.print(
            line((f"planning {result['planning_s']:.2f} s (looking up, thinking, checking, planning motion)", "dim"))
        )
    for words in memo_words(result.get("memo")):
        out.print(line(("memo  ", "dim"), words), soft_wrap=True)
    out.print(line(("log  ", "dim"), result["log"]), soft_wrap=True)
    out.print(line(("again, step by step: ", "dim"), f"coterie replay {shlex.quote(result['log'])}"), soft_wrap=True)


def _thinking_words(result: dict[str, Any]) -> Iterator[str]:
    """Summarize the replies of a model: how many could be used, and what they cost."""
    unread = f" ({result['unreadable']} of them for unreadable replies)" if result["unreadable"] else ""
    skills = ", ".join(f"{skill} {n}" for skill, n in result["failed_skills"].items())
    failed = f"{result['failed']} failed" + (f" ({skills})" if skills else "")
    parts = [
        f"{result['waits']} waited{unread}",
        failed,
        f"{result['refused']} refused",
        f"{result['repeated_failures']} failures repeated",
    ]
    yield f"decisions {result['decisions']}: {', '.join(parts)}; {result['asked_again']} questions asked again"
    took = result.get("model_time")
    if took and took["seconds"]:
        share = (
            f", {100 * took['tokens_cached'] / took['tokens_in']:.0f}% of them cached" if took["tokens_cached"] else ""
        )
        parts = [f"{took['tokens_in']} tokens read{share}", f"{took['tokens_out']} written"]
        parts += [f"{took['median_s']:.1f} s a call in the median, {took['slowest_s']:.1f} s at most"]
        yield f"model: {', '.join(parts)}"


def _ending(result: dict[str, Any]) -> str:
    """The one clock: steps, simulated seconds, wall seconds."""
    steps = f"{result['steps']} step{'' if result['steps'] == 1 else 's'}"
    clock = f"{result['time_s']:.0f} s simulated, {result['wall_s']:.1f} s wall time"
    if result["success"]:
        return f"Done in {steps} ({clock})."
    return f"Not achieved: {result['status']} after {steps} ({clock})."
