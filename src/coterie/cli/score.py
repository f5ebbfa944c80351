"""The score at the end of a run, as a JSON object or as words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.core.event import Event

if TYPE_CHECKING:
    from rich.console import Console

    from coterie.core.task import Change, Task
    from coterie.episodes import Config

_LONG = ("robots", "stages")  # tables of their own; `coterie bench` writes them
_PLANNED = {
    "goal": "The change of the goal",
    "zones": "The closing of zones",
    "join": "The arrival of a robot",
    "leave": "The loss of a robot",
}


def score(config: Config, task: Task, events: Sequence[Event], log: Path, wall_s: float) -> dict[str, Any]:
    from coterie.bench.metrics import episode_metrics

    numbers = {k: v for k, v in episode_metrics(events).items() if k not in _LONG}
    end = events[-1].data
    names = {
        "task": task.name,
        "team": config.team,
        "protocol": config.protocol,
        "model": config.model,
        "seed": config.seed,
        "scene": config.scene,
        "level": config.level,
        "noise": config.noise,
        "guard": config.guard,
        "async": not config.synchronous,
        "change": [_planned(change) for change in task.changes],
    }
    last = {"status": end["status"], "unfired": end.get("unfired", []), "wall_s": round(wall_s, 3), "log": str(log)}
    return {**names, **numbers, **last}


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


def show_score(out: Console, result: dict[str, Any]) -> None:
    from rich.text import Text

    out.print()
    out.print(Text(_ending(result), "bold green" if result["success"] else "bold red"))
    for words in unfired_words(result["unfired"], result["change"]):
        out.print(Text(words, "yellow"))
    cells = [
        ("success", "yes" if result["success"] else "no", ""),
        ("PS", f"{result['ps']:.2f}", "share of targets right"),
        ("TS", f"{result['ts']}", "steps" if result["success"] else "steps; the limit, as it was not achieved"),
        ("AS", f"{result['as']:.2f}", "actions per robot"),
        ("CC", f"{result['cc']:.2f}", "messages per robot"),
    ]
    if result["calls"]:
        cells += [("calls", f"{result['calls']}", "of a model"), ("tokens", f"{result['tokens']}", "")]
    line = Text()
    for i, (name, value, meaning) in enumerate(cells):
        line.append(" · " if i else "", "dim").append(f"{name} ", "dim").append(value, "bold")
        line.append(f" ({meaning})" if meaning else "", "dim")
    out.print(line)
    out.print(Text.assemble(("log  ", "dim"), result["log"]), soft_wrap=True)


def _ending(result: dict[str, Any]) -> str:
    """The one clock: steps, simulated seconds, wall seconds."""
    steps = f"{result['steps']} step{'' if result['steps'] == 1 else 's'}"
    clock = f"{result['time_s']:.0f} s simulated, {result['wall_s']:.1f} s wall time"
    if result["success"]:
        return f"Done in {steps} ({clock})."
    return f"Not achieved: {result['status']} after {steps} ({clock})."
