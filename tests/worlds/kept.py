"""Played episodes and pictures, kept to be compared: who did what when, how it ended, and where things are drawn.

    python -m tests.worlds.kept     after a meant change: writes kept.json and kept.svg.gz anew

Words, prompts and what else a log may come to hold are left out, so that only other deeds make a difference.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import platform
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from coterie.core.config import Config
from coterie.core.event import Event, from_line
from coterie.episode.play import play
from coterie.episode.setup import build
from coterie.log.fold import frames
from coterie.render.svg import to_svg
from coterie.worlds.indoor.pictures import HousePictures
from examples.yard import YardPictures

HERE = Path(__file__).parent
DEEDS, PICTURES = HERE / "kept.json", HERE / "kept.svg.gz"

ROOMS: list[dict[str, Any]] = [
    {"task": "pack-objects", "team": "Ma-MoMa-UAV", "scene": "flat", "seed": 4, "changes": ("cto@5",)},
    {"task": "sort-solids", "team": "Ma-MoMa-Mo-UAV", "scene": "loft", "seed": 5, "changes": ("irz@5:2",)},
    {"task": "make-sandwich", "team": "Ma-MoMa", "scene": "bungalow", "seed": 6, "changes": ("anc@5:UAV",)},
    {"task": "pack-objects", "team": "Ma-MoMa-UAV", "scene": "house:17", "seed": 7, "changes": ("rec@5:MoMa",)},
    {"task": "sort-solids", "team": "Ma-MoMa-Mo", "scene": "real", "seed": 8, "noise": "real"},
    {"task": "make-sandwich", "team": "Ma-MoMa-UAV", "seed": 9, "noise": "slip=0.3,drift=0.3,miss=0.2", "guard": True},
    {"task": "pack-objects", "team": "Ma-Mo-UAV", "seed": 10, "synchronous": False},
    {"task": "sort-solids", "team": "Ma-MoMa", "seed": 11, "level": "medium", "protocol": "expert"},
    {"task": "make-sandwich", "team": "Ma-MoMa-Mo-UAV", "seed": 12, "level": "hard", "protocol": "expert"},
    {"task": "pack-objects", "seed": 13, "protocol": "random"},
    {"task": "sort-solids", "seed": 14, "protocol": "random", "team": "Ma-MoMa-Mo-UAV", "scene": "loft"},
    {"task": "make-sandwich", "seed": 15, "protocol": "random-legal", "scene": "house:5"},
    {"task": "pack-objects", "team": "Ma-MoMa-Mo", "scene": "flat", "seed": 16, "changes": ("door@2:kitchen_door",)},
    {"task": "examples/tea_for_anna.toml", "seed": 17},
    {"task": "examples/tea_for_anna.toml", "seed": 18, "protocol": "expert"},
]  # fmt: skip
TABLE: list[dict[str, Any]] = [
    {"task": task, "level": level, "seed": 3}
    for task, level in (
        ("sort-cubes", "rocobench"),
        ("sandwich", "mecobench"),
        ("sweep-floor", "mecobench"),
        ("arrange-cabinet", "rocobench"),
        ("pack-grocery", "mecobench"),
    )
]
DRAWN = (0, 1, 4, 8)  # rooms of which pictures are kept, shape by shape
ZONED = {"task": "pack-objects", "team": "Ma-MoMa", "scene": "loft", "seed": 21, "changes": ("irz@5",)}  # single sides


def name_of(config: dict[str, Any]) -> str:
    return " ".join(str(v) for v in config.values())


def deeds(events: list[Event], places: int = 2) -> list[str]:
    """One line a deed or a change: when, who, what, and how it went."""
    out = []
    for e in events:
        if e.kind == "outcome":
            out.append(f"{e.step} {round(e.t, places)} {e.who} {e.data['action']} {e.data['status']}")
        elif e.kind == "change":
            out.append(f"{e.step} change")
    return out


def ended(played: Any) -> list[Any]:
    r = played.result
    return [r.success, round(r.partial, 4), r.steps, r.status]


def episodes(configs: list[dict[str, Any]]) -> Iterator[tuple[str, Any]]:
    for config in configs:
        task = config["task"]
        path = {"task": str(HERE.parents[1] / task)} if task.endswith(".toml") else {}
        yield name_of(config), play(Config(**{**config, **path}))


def pictures(played: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    for n in DRAWN:
        name = name_of(ROOMS[n])
        events = events_of(played[name])
        for step in (0, 3, 6):
            yield f"{name} step {step}", shapes(HousePictures()._drawing(events, step))
        yield f"{name} overview", shapes(HousePictures()._drawing(events, None, whole=True))
    events = events_of(play(Config(task="yard-tidy", seed=2)))
    for step, state in enumerate(frames(events)):
        yield f"yard step {step}", shapes(YardPictures().draw(state))
    events = events_of(play(Config(**ZONED)))
    for step in (6, 8):
        yield f"zones step {step}", shapes(HousePictures()._drawing(events, step))


def marks(played: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Of every second step of every room, a mark that changes with any shape of its picture."""
    for name in played:
        events = events_of(played[name])
        states = frames(events)[::2]
        pages = map(HousePictures().draw, states)
        text = "\n".join(row for page in pages for row in shapes(page))
        yield name, hashlib.sha256(text.encode()).hexdigest()[:16]


def tables() -> Iterator[tuple[str, list[str]]]:
    """What stands on the table of every job: a line for each body, with the shapes that it is made of."""
    for config in [*TABLE, {"task": "move-rope", "level": "rocobench", "seed": 3}]:
        model = build(Config(**config))[0].table.model
        lines = []
        for n in range(model.nbody):
            body = model.body(n)
            first, count = int(body.geomadr[0]), int(body.geomnum[0])
            shapes = [
                [rounded(array[g]) for array in (model.geom_size, model.geom_pos, model.geom_quat, model.geom_rgba)]
                for g in range(first, first + count)
            ]
            lines.append(f"{body.name} {rounded(body.pos)} {rounded(body.quat)} {shapes}")
        yield f"table {name_of(config)}", lines


def rounded(values: Any) -> list[float]:
    return [round(float(v), 5) + 0.0 for v in values]


def events_of(played: Any) -> list[Event]:
    """As a reader of the log sees them."""
    return [from_line(line) for line in played.log.lines()]


def shapes(drawing: Any) -> list[str]:
    return to_svg(drawing).replace("><", ">\n<").split("\n")


def kept() -> dict[str, Any]:
    return json.loads(DEEDS.read_text())


def kept_pictures() -> dict[str, list[str]]:
    return json.loads(gzip.decompress(PICTURES.read_bytes()))


if __name__ == "__main__":
    rooms = dict(episodes(ROOMS))
    everything = {**rooms, **dict(episodes(TABLE))}
    table: dict[str, Any] = {name: {"ended": ended(p), "deeds": deeds(p.log.events)} for name, p in everything.items()}
    for name, mark in marks(rooms):
        table[name]["pictures"] = mark
    table["machine"] = platform.machine()
    DEEDS.write_text(json.dumps(table, indent=0) + "\n")
    drawn = {**dict(pictures(rooms)), **dict(tables())}
    PICTURES.write_bytes(gzip.compress(json.dumps(drawn).encode(), 9, mtime=0))
