"""What long measurements share: results that a stopped run goes on from, an estimate before it and a bar on its way."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from pathlib import Path
from typing import Any

USUAL_S = 4.0  # an episode on the table, on one core of a server
LOOK_S = 2.0  # how often the bar is drawn
WIDTH = 30
NOT_RESULTS = {"out", "processes", "episodes", "trials", "jobs", "streams", "shards", "references", "memos", "sizes"}


def rows(path: Path) -> list[Any]:
    """The lines of a file that were written to their end. One that was cut off is taken out of the file."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        path.write_text(whole, encoding="utf-8")
    return [json.loads(line) for line in whole.splitlines()]


def folder(options: argparse.Namespace) -> Path:
    """The folder of results, if what it holds was made in the same way; how much of it is wanted may change."""
    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    now = {k: v for k, v in vars(options).items() if k not in NOT_RESULTS}
    file = out / "settings.json"
    before = json.loads(file.read_text(encoding="utf-8")) if file.exists() else now
    other = [k for k in now if before.get(k, now[k]) != now[k]]
    if other:
        was = ", ".join(f"--{k.replace('_', '-')} {before[k]}" for k in other)
        sys.exit(f"{out} holds results made with {was}. Give another --out, or remove that folder.")
    file.write_text(json.dumps(now), encoding="utf-8")
    return out


def estimate(left: int, total: int, processes: int, each_s: float = USUAL_S) -> None:
    """What is to come, before it begins."""
    minutes = left * each_s / 60 / max(1, processes)
    there = f" ({total - left} are there)" if left < total else ""
    print(f"{left} of {total} to play{there}, about {minutes:.0f} minutes at {each_s:.0f} s each.", file=sys.stderr)


def watched(waiting: Collection[Future[Any]], count: Callable[[], int], total: int) -> Iterator[Future[Any]]:
    """What has ended, as it ends, with a bar on stderr. `count` says how many of `total` are there."""
    begun, first = time.monotonic(), count()
    pending = set(waiting)
    while pending:
        ended, pending = wait(pending, timeout=LOOK_S, return_when=FIRST_COMPLETED)
        _draw(count(), total, first, time.monotonic() - begun)
        yield from ended
    _draw(count(), total, first, time.monotonic() - begun, "\n")


def _draw(there: int, total: int, first: int, seconds: float, end: str = "") -> None:
    if not sys.stderr.isatty() and not end:
        return
    share = min(1.0, there / max(1, total))
    left = f"{seconds / (there - first) * (total - there) / 60:.0f} min left" if there > first else ""
    bar = "#" * round(WIDTH * share)
    print(f"\r{bar:-<{WIDTH}} {there} of {total} {left:14}", end=end, file=sys.stderr, flush=True)
