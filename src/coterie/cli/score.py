"""The score at the end of a run, as a JSON object or as words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.core.event import Event

if TYPE_CHECKING:
    from rich.console import Console

    from coterie.episodes import Config

_LONG = ("robots", "stages")  # tables of their own; `coterie bench` writes them


def score(config: Config, events: Sequence[Event], log: Path, wall_s: float) -> dict[str, Any]:
    from coterie.bench.metrics import episode_metrics

    numbers = {k: v for k, v in episode_metrics(events).items() if k not in _LONG}
    names = {
        "task": config.task,
        "team": config.team,
        "protocol": config.protocol,
        "model": config.model,
        "seed": config.seed,
        "scene": config.scene,
        "level": config.level,
        "change": list(config.changes),
    }
    return {**names, **numbers, "status": events[-1].data["status"], "wall_s": round(wall_s, 3), "log": str(log)}


def show_score(out: Console, result: dict[str, Any]) -> None:
    from rich.text import Text

    steps = f"{result['steps']} step{'' if result['steps'] == 1 else 's'}"
    words = f"Done in {steps}." if result["success"] else f"Not achieved: {result['status']} after {steps}."
    out.print()
    out.print(Text(words, "bold green" if result["success"] else "bold red"))
    cells = [
        ("success", "yes" if result["success"] else "no"),
        ("PS", f"{result['ps']:.2f}"),
        ("TS", f"{result['ts']}"),
        ("AS", f"{result['as']:.2f}"),
        ("CC", f"{result['cc']:.2f}"),
        ("calls", f"{result['calls']}"),
        ("tokens", f"{result['tokens']}"),
        ("time", f"{result['wall_s']:.1f} s"),
    ]
    parts: list[tuple[str, str]] = []
    for name, value in cells:
        parts += [(f"{name} ", "dim"), (f"{value}   ", "bold")]
    out.print(Text.assemble(*parts))
    out.print(Text.assemble(("log  ", "dim"), result["log"]), soft_wrap=True)
