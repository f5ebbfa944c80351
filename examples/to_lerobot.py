"""Logs as a dataset that LeRobot loads (format v3.0): observations, actions and language, of the table and of houses.

    pip install 'coterie[lerobot]'
    coterie run sort-cubes --seed 1 --log cubes.jsonl
    python examples/to_lerobot.py cubes.jsonl --out cubes
    python -c "from lerobot.datasets.lerobot_dataset import LeRobotDataset as D; print(D('me/cubes', root='cubes')[0])"

At the table an episode is one of a log, 4 frames a second: `observation.state` are the positions of all joints, of
arms and things (MuJoCo's qpos), and `action` those of the next frame. In houses it is one robot's share of a log, a
frame for each of its actions: where it is, whether it holds something and whether its last action failed; `action` is
what changed of that, and the number of its skill (`skills` in `meta/info.json`).

The task of an episode is its goal in words; in houses each frame also has what its robot did, as `language` (a text
in the data file beside the numbers that LeRobot batches).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from coterie.core.errors import CoterieError
from coterie.core.event import Event
from coterie.core.record import read
from coterie.core.records import StartEvent
from coterie.log.file import read_log
from coterie.log.fold import moments, opened
from coterie.log.words import action_words

VERSION = "v3.0"
FILE = "chunk-{chunk_index:03d}/file-{file_index:03d}.parquet"
INDICES = ("frame_index", "episode_index", "index", "task_index")
HOUSE = ("x", "y", "holds", "failed")


class Take(NamedTuple):
    """One episode of a dataset: (n, state), (n, action), and what was done in each frame."""

    task: str
    states: np.ndarray
    actions: np.ndarray
    words: list[str]


def table(events: Sequence[Event]) -> Iterator[Take]:
    """All arms and things of an episode at the table."""
    poses: list[Sequence[float]] = []
    for event in events:
        rows = event.data.get("facts", ()) if event.kind == "truth" else ()
        poses += [pose for pred, _, frames in rows if pred == "frames" for _, pose in frames]
    states = np.asarray(poses, np.float32)
    if len(states) > 1:
        yield Take(read(StartEvent, events[0]).goal_text, states[:-1], states[1:], [""] * (len(states) - 1))


def house(events: Sequence[Event], skills: dict[str, int]) -> Iterator[Take]:
    """Each robot by itself."""
    state, rows = opened(events), dict[str, list[tuple[list[float], int, str]]]()
    failed: dict[str, bool] = {}
    for moment in moments(state, events):
        for act in moment.acts:
            robot = state.robots[act.robot]
            if robot.pose is None:
                continue
            own = [*robot.pose[:2], float(robot.holding is not None), float(failed.get(act.robot, False))]
            skill = skills.setdefault(act.skill, len(skills))
            rows.setdefault(act.robot, []).append((own, skill, action_words(act.skill, act.args)))
            failed[act.robot] = act.status not in ("", "done")
    goal = read(StartEvent, events[0]).goal_text
    for robot, taken in rows.items():
        states = np.asarray([own for own, _, _ in taken], np.float32)
        change = np.diff(states, axis=0, append=states[-1:])
        numbers = np.asarray([[skill] for _, skill, _ in taken], np.float32)
        yield Take(f"{robot}: {goal}", states, np.hstack([change, numbers]), [words for _, _, words in taken])


def save(takes: Sequence[Take], out: Path, fps: int, names: dict[str, list[str]], skills: dict[str, int]) -> None:
    """Write a dataset; the folder must be new."""
    if out.exists():
        raise CoterieError(f"'{out}' is there already; name a new folder.")
    tasks = list(dict.fromkeys(t.task for t in takes))
    data, episodes, first = [], [], 0
    for number, take in enumerate(takes):
        size = len(take.states)
        frame = pd.DataFrame(
            {"observation.state": list(take.states), "action": list(take.actions), "language": take.words}
        )
        frame["timestamp"] = np.arange(size, dtype=np.float32) / fps
        for name, values in zip(
            INDICES, (np.arange(size), number, np.arange(first, first + size), tasks.index(take.task))
        ):
            frame[name] = np.asarray(values, np.int64) * np.ones(size, np.int64)
        data.append(frame)
        where = {f"{part}/{kind}_index": 0 for part in ("data", "meta/episodes") for kind in ("chunk", "file")}
        episodes.append(
            {"episode_index": number, "tasks": [take.task], "length": size, "dataset_from_index": first}
            | {"dataset_to_index": first + size, **where}
        )
        first += size
    whole = pd.concat(data, ignore_index=True)
    features: dict[str, Any] = {
        key: {"dtype": "float32", "shape": [len(named)], "names": named} for key, named in names.items()
    }
    features["language"] = {"dtype": "string", "shape": [1], "names": None}
    features["timestamp"] = {"dtype": "float32", "shape": [1], "names": None}
    features |= {name: {"dtype": "int64", "shape": [1], "names": None} for name in INDICES}
    stats = {}
    for key in features:
        if key != "language":
            values = np.stack(whole[key].to_numpy()).reshape(len(whole), -1).astype(np.float64)
            some = {"min": values.min(0), "max": values.max(0), "mean": values.mean(0), "std": values.std(0)}
            stats[key] = {name: value.tolist() for name, value in some.items()} | {"count": [len(values)]}
    info = {
        "codebase_version": VERSION, "robot_type": "coterie", "total_episodes": len(takes), "total_frames": len(whole),
        "total_tasks": len(tasks), "chunks_size": 1000, "data_files_size_in_mb": 100, "video_files_size_in_mb": 200,
        "fps": fps, "splits": {"train": f"0:{len(takes)}"}, "data_path": f"data/{FILE}", "video_path": None,
        "features": features, "skills": skills,
    }  # fmt: skip
    where = FILE.format(chunk_index=0, file_index=0)
    for path, rows in ((f"data/{where}", whole), (f"meta/episodes/{where}", pd.DataFrame(episodes))):
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        rows.to_parquet(out / path, index=False)
    pd.DataFrame({"task_index": range(len(tasks))}, index=pd.Index(tasks, name="task")).to_parquet(
        out / "meta/tasks.parquet"
    )
    for name, content in (("info", info), ("stats", stats)):
        (out / f"meta/{name}.json").write_text(json.dumps(content, indent=2))


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("logs", nargs="+", type=Path)
    p.add_argument("--out", type=Path, required=True)
    args = p.parse_args()
    convert(args.logs, args.out)


def convert(logs: Sequence[Path], out: Path) -> None:
    """Logs of one world to a dataset."""
    skills: dict[str, int] = {}
    takes: list[Take] = []
    arms = False
    for log in logs:
        events = read_log(log)
        arms = "mjcf" in events[0].data
        takes += table(events) if arms else house(events, skills)
    if not takes or len({t.states.shape[1] for t in takes}) > 1:
        raise CoterieError("These logs make no dataset: they hold no motion, or come of different scenes.")
    width = takes[0].states.shape[1]
    state = [f"q{i}" for i in range(width)] if arms else list(HOUSE)
    action = state if arms else [*(f"d_{name}" for name in HOUSE), "skill"]
    save(takes, out, 4 if arms else 1, {"observation.state": state, "action": action}, skills)


if __name__ == "__main__":
    main()
