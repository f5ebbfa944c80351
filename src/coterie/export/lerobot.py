"""Logs as a dataset that LeRobot loads (format v3.0): observations, actions and language of the table and of houses, as
docs/lerobot.md has them. `language` is a text in the data file, beside the numbers that LeRobot batches."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from coterie.core.errors import CoterieError
from coterie.core.event import Event
from coterie.core.files import writing
from coterie.core.lazy import need
from coterie.core.record import read
from coterie.core.records import ActEvent, StartEvent
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


def save_lerobot(logs: Sequence[Path], out: Path) -> dict[str, int]:
    """Write the logs of one scene, or of one kind of house, as a dataset to a new folder; how much there is of it."""
    need("pyarrow", "lerobot", "Datasets for LeRobot need")
    if out.exists():
        raise CoterieError(f"'{out}' is there already; name a new folder.")
    skills: dict[str, int] = {}
    takes: list[Take] = []
    arms = False
    for log in logs:
        events = read_log(log)
        arms = "mjcf" in events[0].data
        takes += _table(events) if arms else _house(events, skills)
    if not takes or len({t.states.shape[1] for t in takes}) > 1:
        raise CoterieError("These logs make no dataset: they hold no motion, or come of different scenes.")
    width = takes[0].states.shape[1]
    state = [f"q{i}" for i in range(width)] if arms else list(HOUSE)
    action = state if arms else [*(f"d_{key}" for key in HOUSE), "skill"]
    with writing(f"'{out}'"):
        _write(takes, out, 4 if arms else 1, {"observation.state": state, "action": action}, skills)
    return {"episodes": len(takes), "frames": sum(len(t.states) for t in takes)}


def _table(events: Sequence[Event]) -> Iterator[Take]:
    """All arms and things of an episode at the table, with what all arms do in a round."""
    poses: list[Sequence[float]] = []
    words: list[str] = []
    acts: dict[int, list[str]] = {}
    for event in events:
        if event.kind == "act":
            act = read(ActEvent, event)
            acts.setdefault(event.step, []).append(f"{event.who}: {action_words(act.skill, act.args)}")
        rows = event.data.get("facts", ()) if event.kind == "truth" else ()
        for _, pose in (row for pred, _, frames in rows if pred == "frames" for row in frames):
            poses.append(pose)
            words.append("; ".join(acts.get(event.step, ())))
    states = np.asarray(poses, np.float32)
    if len(states) > 1:
        yield Take(read(StartEvent, events[0]).goal_text, states[:-1], states[1:], words[1:])


def _house(events: Sequence[Event], skills: dict[str, int]) -> Iterator[Take]:
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
    for name, taken in rows.items():
        states = np.asarray([own for own, _, _ in taken], np.float32)
        change = np.diff(states, axis=0, append=states[-1:])
        numbers = np.asarray([[skill] for _, skill, _ in taken], np.float32)
        yield Take(f"{name}: {goal}", states, np.hstack([change, numbers]), [words for _, _, words in taken])


def _write(
    takes: Sequence[Take], out: Path, fps: int, names: Mapping[str, list[str]], skills: Mapping[str, int]
) -> None:
    tasks = list(dict.fromkeys(t.task for t in takes))
    sizes = [len(t.states) for t in takes]
    ends = np.cumsum(sizes)
    columns: dict[str, Any] = {
        "observation.state": np.vstack([t.states for t in takes]).astype(np.float32),
        "action": np.vstack([t.actions for t in takes]).astype(np.float32),
        "language": [words for t in takes for words in t.words],
        "timestamp": np.concatenate([np.arange(n, dtype=np.float32) / fps for n in sizes]).astype(np.float32),
        "frame_index": np.concatenate([np.arange(n) for n in sizes]),
        "episode_index": np.repeat(np.arange(len(takes)), sizes),
        "index": np.arange(ends[-1]),
        "task_index": np.repeat([tasks.index(t.task) for t in takes], sizes),
    }
    episodes: dict[str, Any] = {
        "episode_index": list(range(len(takes))), "tasks": [[t.task] for t in takes], "length": sizes,
        "dataset_from_index": [int(end) - n for end, n in zip(ends, sizes)], "dataset_to_index": ends,
    }  # fmt: skip
    where = (f"{part}/{kind}_index" for part in ("data", "meta/episodes") for kind in ("chunk", "file"))
    episodes |= {name: [0] * len(takes) for name in where}
    features: dict[str, Any] = {
        key: {"dtype": "float32", "shape": [len(named)], "names": named} for key, named in names.items()
    }
    features["language"] = {"dtype": "string", "shape": [1], "names": None}
    features["timestamp"] = {"dtype": "float32", "shape": [1], "names": None}
    features |= {name: {"dtype": "int64", "shape": [1], "names": None} for name in INDICES}
    stats = {}
    for key in features:
        if key != "language":
            values = columns[key].reshape(len(columns[key]), -1).astype(np.float64)
            some = {"min": values.min(0), "max": values.max(0), "mean": values.mean(0), "std": values.std(0)}
            stats[key] = {name: value.tolist() for name, value in some.items()} | {"count": [len(values)]}
    info = {
        "codebase_version": VERSION, "robot_type": "coterie", "total_episodes": len(takes),
        "total_frames": int(ends[-1]), "total_tasks": len(tasks), "chunks_size": 1000, "data_files_size_in_mb": 100,
        "video_files_size_in_mb": 200, "fps": fps, "splits": {"train": f"0:{len(takes)}"},
        "data_path": f"data/{FILE}", "video_path": None, "features": features, "skills": dict(skills),
    }  # fmt: skip
    first = FILE.format(chunk_index=0, file_index=0)
    _parquet(out / "data" / first, columns)
    _parquet(out / "meta/episodes" / first, episodes)
    _parquet(out / "meta/tasks.parquet", {"task_index": list(range(len(tasks))), "task": tasks}, index="task")
    for name, content in (("info", info), ("stats", stats)):
        (out / f"meta/{name}.json").write_text(json.dumps(content, indent=2), encoding="utf-8")


def _parquet(path: Path, columns: Mapping[str, Any], index: str = "") -> None:
    """A table; `index` is the column by which pandas, with which LeRobot reads it, is to name the rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    made = pa.table({k: pa.array(list(v) if np.ndim(v) == 2 else v) for k, v in columns.items()})
    if index:
        about = [{"name": k, "field_name": k, "pandas_type": "unicode" if k == index else "int64",
                  "numpy_type": "object" if k == index else "int64", "metadata": None} for k in columns]  # fmt: skip
        known = {"index_columns": [index], "column_indexes": [], "columns": about, "pandas_version": "2.2.0"}
        made = made.replace_schema_metadata({"pandas": json.dumps(known)})
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(made, path)
